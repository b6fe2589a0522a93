"""Instants, sand glasses, time controls and game clocks as immutable values.

Nothing here reads a clock: the time is always passed in.
"""
