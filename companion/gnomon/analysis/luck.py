"""Estimate how much luck contributed to the result of a two-player game, exactly by a table of values or roughly."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from gnomon.engines import engine_of
from gnomon.engines.tables import TableError, with_table
from gnomon.records.formats.sheet_play import steps
from gnomon.records.formats.sheets import Sheet
from gnomon.rules.registry import rules_of

_PAIR = 2


class GameLuck(NamedTuple):
    """What luck gave each player of the rules of the result: their own throws less the other's, in games won."""

    gained: Mapping[str, float]
    exact: bool


def luck_of(sheet: Sheet, tables: Path) -> GameLuck | None:
    """The luck in a game; None if it is not over by its rules, or nothing is known of luck in it.

    Where there is no table of the game in the folder of tables, it is an estimate. Raises ValueError for a game that
    cannot be played by the rules.
    """
    rules = rules_of(sheet.game, sheet.settings)
    moves, position = [], rules.start()
    for step in steps(sheet):
        moves.append(rules.parse(position, step.text))
        position = step.position
    engine, is_exact = _engine(rules, tables)
    asked = getattr(engine, "account" if is_exact else "estimate_account", None)
    if asked is None or len(rules.players) != _PAIR or rules.outcome(position) is None:
        return None
    first, second = asked(moves).luck
    return GameLuck(dict(zip(rules.players, (first - second, second - first), strict=True)), is_exact)


def _engine(rules: Any, tables: Path) -> tuple[Any, bool]:  # noqa: ANN401 - of any game
    """The engine of a game, and whether it has a table; one that is damaged is none."""
    plain = engine_of(rules)
    try:
        engine = with_table(plain, tables)
    except (TableError, OSError):
        return plain, False
    return engine, engine is not plain
