"""Engines at the board: turns of the side that they play, warnings, hints and answers to draws."""
