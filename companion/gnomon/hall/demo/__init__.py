"""A demonstration of a hall: boards and people that play by themselves."""

from gnomon.hall.demo._simulated_hall import DemoHall, DemoWorld

__all__ = ["DemoHall", "DemoWorld"]
