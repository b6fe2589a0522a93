"""Play one game between two boards: what they tell each other, and what each makes of it."""
