"""Tournaments as immutable values: events, pairing engines, results, standings and tie-breaks.

A fold makes a new tournament from the previous one and an event.
"""
