"""Tau (Twenty Squares) and its variants."""
