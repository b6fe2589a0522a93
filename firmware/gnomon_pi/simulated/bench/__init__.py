"""The builder's bench: the page on which people play on the simulated board."""
