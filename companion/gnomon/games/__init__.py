"""The games, each a folder with its rules, its display and its words."""
