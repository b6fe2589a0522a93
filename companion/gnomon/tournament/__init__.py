"""Tournaments as immutable values: entrants, rounds, pairings, standings; events in, a new tournament out."""
