"""Map the players of a game to the names of the people who play them, after any change of sides."""

from collections.abc import Mapping
from typing import Any

from gnomon.games.protocol import Rules
from gnomon.games.tabik.rules import Tabik
from gnomon.games.tau.rules import Tau
from gnomon.referee.game import Game


def people(game: Game) -> Mapping[str, str]:
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
