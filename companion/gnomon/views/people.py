"""The only place that says who plays whom now: the people's names by the players as they stand at this moment."""

from collections.abc import Mapping
from typing import Any

from gnomon.referee.games import AnyGame
from gnomon.rules.protocol import Rules
from gnomon.rules.tabik import Tabik
from gnomon.rules.tau import Tau


def people(game: AnyGame) -> Mapping[str, str]:
    """The names by the players of the rules; empty for those who gave none.

    In Tabik names change sides with the pie (rule 8), in TAU the bidders' names go to HIGH and LOW (rule 2).
    """
    names = dict(game.people)
    rules: Rules[Any, Any] = game.rules
    position: Any = game.position
    if isinstance(rules, Tabik) and position.swapped:
        black, white = rules.players
        return {new: names[old] for new, old in ((black, white), (white, black)) if old in names}
    if isinstance(rules, Tau):
        seats = {player: rules.seat(position, player) or player for player in rules.players}
        return {player: name for player, seat in seats.items() if (name := names.get(player) or names.get(seat))}
    return names
