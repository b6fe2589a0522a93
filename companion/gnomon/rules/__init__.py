"""Define the interface of a game's rules, and find games by name."""
