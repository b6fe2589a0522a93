"""Convert the strength of entrants: Elo ratings, grades of Go, starting points, and handicap stones."""
