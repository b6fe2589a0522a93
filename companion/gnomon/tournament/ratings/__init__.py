"""Elo ratings: read lists of them, report what an event does to them, and follow them over events."""
