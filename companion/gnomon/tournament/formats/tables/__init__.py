"""Entrants, results and standings as CSV."""
