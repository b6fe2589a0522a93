"""The commands on recorded games: journals, sheets, replays, analyses, puzzles, people."""
