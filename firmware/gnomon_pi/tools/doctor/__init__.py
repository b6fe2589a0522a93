"""Diagnostics of a machine and its board, for `gnomond doctor`."""
