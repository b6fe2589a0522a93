"""The commands of its rounds: pairings, results, deadlines, ties, and what is undone."""
