"""The commands of halls and of boards far apart: run them, publish them, count them together."""
