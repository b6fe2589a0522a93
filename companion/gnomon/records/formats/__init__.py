"""Formats of games: traces, score sheets and SGF, read, written and played."""
