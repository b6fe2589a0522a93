"""What the strength of an entrant is worth: Elo ratings, grades of Go, points before the first round, stones."""
