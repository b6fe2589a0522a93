"""Messages between boards and hall: their fields, and the buses that carry them."""
