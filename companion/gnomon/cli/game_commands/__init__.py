"""The commands that need only the rules of a game: positions, rules, lessons, hints."""
