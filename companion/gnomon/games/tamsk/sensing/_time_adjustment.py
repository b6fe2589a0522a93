"""Add time to the glasses of a TAMSK position, or take it from them, as an arbiter does."""

from collections.abc import Iterator
from typing import Final

from gnomon.games.tamsk.rules import BOARD, PLAYERS, Position, Tamsk
from gnomon.referee.errors import CorrectionError
from gnomon.refusals import statement
from gnomon.timekeeping.glasses import SandGlass
from gnomon.timekeeping.instants import Duration

TIMER: Final = "timer15"


def with_more(rules: Tamsk, position: Position, whose: str, amount: Duration) -> Position:
    """The position with more sand above, at most all: in a glass by its space, `timer15`, or a player's running ones.

    Raises RulesError for what cannot be.
    """
    return _changed(rules, position, whose, amount, 1)


def with_less(rules: Tamsk, position: Position, whose: str, amount: Duration) -> Position:
    """The position with less sand above, at least none. Raises RulesError for what cannot be."""
    return _changed(rules, position, whose, amount, -1)


def _changed(rules: Tamsk, position: Position, whose: str, amount: Duration, sign: int) -> Position:
    if not amount:
        raise CorrectionError(statement("told.correction.no_time"))
    for name, sand in list(_glasses(position, whose)):
        left = sand.remaining(position.now) + sign * amount
        position = rules.with_sand(position, name, Duration(min(max(left, 0), sand.durations[sand.up])))
    return position


def _glasses(position: Position, whose: str) -> Iterator[tuple[int | str, SandGlass]]:
    """The glasses that are meant, by what the rules call them."""
    if not position.sands:
        raise CorrectionError(statement("told.tamsk.no_sand"))
    if whose == TIMER:
        if position.timer15 is None:
            raise CorrectionError(statement("told.tamsk.no_timer15"))
        yield TIMER, position.timer15
    elif whose in PLAYERS:
        first = 3 * PLAYERS.index(whose)
        running = [glass for glass in range(first, first + 3) if position.sands[glass].is_running(position.now)]
        if not running:
            raise CorrectionError(statement("told.correction.nothing_runs", player=whose))
        yield from ((glass, position.sands[glass]) for glass in running)
    else:
        glass = position.glass_on(BOARD.index.get(whose, -1))
        if glass < 0:
            raise CorrectionError(statement("told.no_glass", space=whose))
        yield glass, position.sands[glass]
