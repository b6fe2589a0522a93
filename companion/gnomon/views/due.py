"""The only place that says what is due in a game at a table: a word for programs, a verb and a request for people."""

from typing import Final, NamedTuple

from gnomon.referee.table_game import TableGame
from gnomon.rules.protocol import OVER
from gnomon.rules.tabik import Tabik
from gnomon.rules.tau import Position as TauPosition
from gnomon.rules.tau import Tau
from gnomon.rules.tau_numbers import digits
from gnomon.rules.tayu import KINDS, Tayu
from gnomon.rules.tayu import Position as TayuPosition
from gnomon.rules.twenty_squares import Position as CountersPosition
from gnomon.rules.twenty_squares import TwentySquares
from gnomon.views.wording import shortened


class Due(NamedTuple):
    """What must come next: `kind` for programs, `verb` as in "Black moves", and a request of one sentence."""

    kind: str
    verb: str
    request: str


OVER_NOW: Final = Due(OVER, "", "The game is over.")
_PLACE: Final = "Place a black and a white stone on empty squares side by side, or swap two that touch and differ."
_PIE: Final = "Place two stones or swap two, or swap sides instead."
_DICE: Final = {"sticks": "the sticks", "cube": "the die", "cowries": "the cowries"}


def due(game: TableGame) -> Due:
    """What must come next, of a player or of chance."""
    if game.outcome is not None:
        return OVER_NOW
    rules, position = game.rules, game.position
    if isinstance(rules, Tabik):
        return Due("move", "moves", _PIE if position.pie else _PLACE)
    if isinstance(rules, Tau):
        return _of_tau(position)
    if isinstance(rules, Tayu):
        return _of_tayu(rules, position)
    return _of_counters(rules, position) if isinstance(rules, TwentySquares) else Due("move", "moves", "Make a move.")


def _of_tau(position: TauPosition) -> Due:
    if position.high is not None:
        return Due("line", "draws", "Draw a line through a whole row or column.")
    if position.bid < 0:
        return Due("bid", "bids", "Name the first number of the negotiation.")
    return Due("bid", "bids", f"Name a number above {shortened(digits(position.bid))}, or pass and be LOW.")


def _of_tayu(rules: Tayu, position: TayuPosition) -> Due:
    if position.due == "lay":
        return Due("lay", "lays", f"Lay the tile {KINDS[position.tile]}.")
    if position.due == "draw":
        return Due("draw", "draws", "Draw a tile.")
    if position.due == "bid":
        most = f"at most {position.bids[-1]}" if position.bids else "the first number"
        return Due("bid", "bids", f"Bid to be the saboteur: {most}.")
    where = "the left or the right stack" if rules.settings.draw == "stacks" else "those with a ring or the plain ones"
    return Due("pick", "picks", f"Pick a tile from {where}.")


def _of_counters(rules: TwentySquares, position: CountersPosition) -> Due:
    kinds = {move.kind for move in rules.legal_moves(position)}
    if "throw" in kinds:
        again = " again, to enter a counter" if position.entering else ""
        return Due("throw", "throws", f"Throw {_DICE[rules.settings.dice]}{again}.")
    if kinds == {"forfeit"}:
        return Due("move", "forfeits", f"Nothing can be done with a {position.throw}: forfeit the throw.")
    if kinds == {"convert"}:
        return Due("move", "converts", f"Take the {position.throw} to throw again and enter a counter.")
    entering = all(move.start == 0 for move in rules.legal_moves(position))
    if entering:
        return Due("move", "enters", f"Enter a counter by {position.throw}.")
    convert = ", or throw again to enter one" if "convert" in kinds else ""
    return Due("move", "moves", f"Move a counter by {position.throw}{convert}.")
