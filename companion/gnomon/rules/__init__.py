"""Define what the rules of a game are, and find the games by their names."""
