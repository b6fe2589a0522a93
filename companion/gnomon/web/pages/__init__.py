"""The pages of a board, one module each, with `routes(house)` for its addresses."""
