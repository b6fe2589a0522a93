"""A demonstration of a hall: boards and people that play by themselves."""
