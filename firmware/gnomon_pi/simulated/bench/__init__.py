"""The builder's bench: the page on which people play on the simulated board."""

from gnomon_pi.simulated.bench._pages import BenchPages

__all__ = ["BenchPages"]
