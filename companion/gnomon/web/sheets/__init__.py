"""Sheets of a tournament to print: pairings, standings, tables, brackets, slips and score sheets, as one HTML file."""
