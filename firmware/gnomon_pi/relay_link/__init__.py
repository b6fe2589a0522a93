"""Play a game with another board over a relay."""
