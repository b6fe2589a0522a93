"""Define the throws of Tau (Twenty Squares) and their exact probabilities (rule 2)."""

from collections.abc import Mapping
from fractions import Fraction
from math import comb
from typing import Final

from gnomon.games.twenty_squares.rules._settings import TwentySquaresSettings

STICKS: Final = 4
COWRIES: Final = 5
_CUBE: Final = range(1, 6)  # a six is thrown again


def odds(settings: TwentySquaresSettings) -> Mapping[int, Fraction]:
    """Every throw that the dice of a game can show, with its exact probability, from the lowest throw."""
    if settings.dice == "cube":
        return {number: Fraction(1, len(_CUBE)) for number in _CUBE}
    pieces = STICKS if settings.dice == "sticks" else COWRIES
    up = {number: Fraction(comb(pieces, number), 2**pieces) for number in range(pieces + 1)}
    if settings.aseb:
        return up
    # Rule 2: none of four sticks counts 5. [D] In the same way none of five cowries counts 6.
    none = up.pop(0)
    return {**up, pieces + 1: none}
