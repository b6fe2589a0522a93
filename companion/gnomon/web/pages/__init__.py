"""The pages of a board, one module each, whose `routes(house)` lists its addresses."""
