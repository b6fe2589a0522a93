"""Instants, sand glasses and game clocks: time as immutable values, told what the time is and never asking."""
