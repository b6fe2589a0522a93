"""The only place that says what is due in a game at a table: a word for programs, a verb and a request for people."""

from typing import NamedTuple

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
from gnomon.views.catalogue import ENGLISH, Words
from gnomon.views.wording import shortened


class Due(NamedTuple):
    """What must come next: `kind` for programs, `verb` for the display ("Black moves"), and a request for people."""

    kind: str
    verb: str
    request: str


def due(game: TableGame, words: Words = ENGLISH) -> Due:
    """What must come next, of a player or of chance."""
    if game.outcome is not None:
        return Due(OVER, "", words("due.over"))
    rules, position = game.rules, game.position
    if isinstance(rules, Tabik):
        return Due("move", "moves", words("due.tabik.pie" if position.pie else "due.tabik"))
    if isinstance(rules, Tau):
        return _of_tau(position, words)
    if isinstance(rules, Tayu):
        return _of_tayu(rules, position, words)
    if isinstance(rules, TwentySquares):
        return _of_counters(rules, position, words)
    started = game.clock is not None and game.clock.has_started
    return Due("press", "moves" if started else "begins", words("due.clock" if started else "due.clock.start"))


def _of_tau(position: TauPosition, words: Words) -> Due:
    if position.high is not None:
        return Due("line", "draws", words("due.tau.line"))
    if position.bid < 0:
        return Due("bid", "bids", words("due.tau.first"))
    return Due("bid", "bids", words("due.tau.higher", bid=shortened(digits(position.bid))))


def _of_tayu(rules: Tayu, position: TayuPosition, words: Words) -> Due:
    if position.due == "lay":
        return Due("lay", "lays", words("due.tayu.lay", tile=KINDS[position.tile]))
    if position.due == "draw":
        return Due("draw", "draws", words("due.tayu.draw"))
    if position.due == "bid":
        bid = words("due.tayu.bid", most=position.bids[-1]) if position.bids else words("due.tayu.bid.first")
        return Due("bid", "bids", bid)
    return Due("pick", "picks", words(f"due.tayu.pick.{rules.settings.draw}"))


def _of_counters(rules: TwentySquares, position: CountersPosition, words: Words) -> Due:
    kinds = {move.kind for move in rules.legal_moves(position)}
    if "throw" in kinds:
        key = "again" if position.entering else "throw"
        return Due("throw", "throws", words(f"due.twenty-squares.{key}.{rules.settings.dice}"))
    throw = position.throw
    if kinds == {"forfeit"}:
        return Due("move", "forfeits", words("due.twenty-squares.forfeit", throw=throw))
    if kinds == {"convert"}:
        return Due("move", "converts", words("due.twenty-squares.convert", throw=throw))
    if all(move.start == 0 for move in rules.legal_moves(position)):
        return Due("move", "enters", words("due.twenty-squares.enter", throw=throw))
    convert = ".convert" if "convert" in kinds else ""
    return Due("move", "moves", words(f"due.twenty-squares.move{convert}", throw=throw))
