"""The rules of the games: one public module for each game, one protocol for all, and the registry."""
