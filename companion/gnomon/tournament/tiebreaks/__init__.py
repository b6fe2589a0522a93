"""Tie-breaks, and what they look at."""
