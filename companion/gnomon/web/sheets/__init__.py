"""Printable sheets of a tournament as HTML: pairings, standings, tables, brackets, slips and score sheets."""
