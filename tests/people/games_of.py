"""Make finished games and registers for the tests of people."""

from collections.abc import Mapping
from itertools import count

from gnomon.people.games import FinishedGame
from gnomon.people.register import Register

NUMBERS = count(1)
SALTED = Register(salt="salt")


def duel(first: str, second: str, winner: int | None = 0, month: str = "2026-10", game: str = "tabik") -> FinishedGame:
    """A game of two, won by the first of them unless it is said otherwise."""
    return played({"black": first, "white": second}, (("black",), ("white",)), winner, month, game)


def played(
    names: Mapping[str, str],
    sides: tuple[tuple[str, ...], ...],
    winner: int | None = 0,
    month: str = "2026-10",
    game: str = "tayu",
) -> FinishedGame:
    """A game of any number of people."""
    number = next(NUMBERS)
    return FinishedGame("a.journal", number, game, "table", "", f"{month}-14T19:30:00", names, sides, winner)
