"""What stands around every request: bounds on its rate and size, checks of its origin, and pages for errors."""
