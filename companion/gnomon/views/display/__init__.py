"""The display of a board: its screens and menus, drawn as functions of (game, now)."""
