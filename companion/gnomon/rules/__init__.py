"""The rules of the games: one module a game, one protocol for all, and the registry."""
