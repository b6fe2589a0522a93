"""Define where an entrant of a stage comes from: their seed, and the points that they bring along."""

from typing import NamedTuple

from gnomon.tournament.state.results import NOTHING, Points


class StageSeed(NamedTuple):
    """The seed of an entrant, 0 for that of their rating, the points they begin with, and where they come from."""

    number: int
    seed: int = 0
    carried: Points = NOTHING
    origin: str = ""
