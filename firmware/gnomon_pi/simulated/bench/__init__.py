"""The builder's bench: the page on which people play on the simulated board."""

from gnomon_pi.simulated.bench._operations import BenchPages

__all__ = ["BenchPages"]
