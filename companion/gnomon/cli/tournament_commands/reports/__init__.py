"""The commands that show what came of it: standings, ratings, series, prizes and printed sheets."""
