"""Scores of arenas, of Keizer's system, of challenge ladders, and of tables of three and four."""
