"""Engines that play: what they answer, how strong they play, and the line protocol by which programs use them."""
