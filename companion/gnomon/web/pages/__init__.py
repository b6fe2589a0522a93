"""The pages, one module each: `routes(house)` gives its addresses."""
