"""Determine who is to act, for whom nature acts, and on which side of the match clock each player plays."""

from typing import Any, Final

from gnomon.refusals import statement
from gnomon.rules.protocol import OVER, Rules, SettingsError

Teams = tuple[tuple[str, ...], tuple[str, ...]]

_TWO: Final = 2
_FOUR: Final = 4


def actor(rules: Rules[Any, Any], position: object) -> str:
    """Who is to act, or for whom a tile is drawn or sticks are thrown; empty when the game is over."""
    return "" if rules.turn(position) == OVER else rules.actor(position)


def teams(rules: Rules[Any, Any]) -> Teams:
    """Who plays on the first side of a clock, and who on the second. Raises SettingsError where there are more sides.

    Four players sit in pairs across the board in every game here.
    """
    players = tuple(rules.seats)
    if len(players) == _FOUR:
        return players[::_TWO], players[1::_TWO]
    if len(players) != _TWO:
        raise SettingsError(statement("told.control.sides", game=rules.name, number=len(players)))
    return players[:1], players[1:]


def side_of(rules: Rules[Any, Any], sides: Teams, position: object, player: str) -> int | None:
    """The side of the clock on which somebody plays: 0 or 1, or None for nobody's."""
    name = rules.seat(position, player) if player in rules.players else player
    return next((side for side, team in enumerate(sides) if name in team or player in team), None)
