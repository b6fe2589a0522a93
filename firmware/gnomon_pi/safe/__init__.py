"""Safe mode: the page and the display only, which say why the board does not run and what to do."""
