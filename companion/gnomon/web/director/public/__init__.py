"""Pages for everybody: public tables, games, printed sheets, and the board of a player."""
