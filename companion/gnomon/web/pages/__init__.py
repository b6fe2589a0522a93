"""The pages of a board, one module each, whose `routes(context)` lists its addresses."""
