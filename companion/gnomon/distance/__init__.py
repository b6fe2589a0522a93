"""Play one game between two boards: the reports that they exchange, and how each board applies them."""
