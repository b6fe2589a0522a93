"""People at a simulated table: what they choose, how fast they are, and what they do wrong."""
