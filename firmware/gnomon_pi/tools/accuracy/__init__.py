"""Measurement of this machine's timing accuracy with a board, and the report of it."""
