"""Guided measurement of real sand glasses, by display and terminal, with results kept in one file."""
