"""The game at the board as the pages have it: the interfaces of a board, its streams, and a delayed view of it."""
