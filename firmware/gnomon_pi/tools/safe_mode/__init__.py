"""Safe mode: a page and a display that explain why the board does not run and what to do."""
