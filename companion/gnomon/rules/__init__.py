"""The shared rules core: one module a game, one protocol, a registry."""
