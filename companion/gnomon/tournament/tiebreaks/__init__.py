"""Tie-breaks: compute them from the rounds played, by dated rule sets."""
