"""Compute what must come next in a table game: a kind for programs, a verb and a request for people."""

from typing import NamedTuple

from gnomon.games.bids import digits
from gnomon.games.protocol import OVER
from gnomon.games.tabik.rules import Tabik
from gnomon.games.tau.rules import Position as TauPosition
from gnomon.games.tau.rules import Tau
from gnomon.games.tayu.rules import KINDS, Tayu
from gnomon.games.tayu.rules import Position as TayuPosition
from gnomon.games.twenty_squares.rules import Position as CountersPosition
from gnomon.games.twenty_squares.rules import TwentySquares
from gnomon.referee.game import Game
from gnomon.views.wording import shortened
from gnomon.words import ENGLISH, Words


class TurnPrompt(NamedTuple):
    """What must come next: `kind` for programs, `verb` for the display ("Black moves"), and a request for people."""

    kind: str
    verb: str
    request: str


def due(game: Game, words: Words = ENGLISH) -> TurnPrompt:
    """What must come next, of a player or of chance."""
    if game.outcome is not None:
        return TurnPrompt(OVER, "", words("due.over"))
    rules, position = game.rules, game.position
    if isinstance(rules, Tabik):
        return TurnPrompt("move", "moves", words("due.tabik.pie" if position.pie else "due.tabik"))
    if isinstance(rules, Tau):
        return _of_tau(position, words)
    if isinstance(rules, Tayu):
        return _of_tayu(rules, position, words)
    if isinstance(rules, TwentySquares):
        return _of_counters(rules, position, words)
    started = game.clock is not None and game.clock.has_started
    return TurnPrompt("press", "moves" if started else "begins", words("due.clock" if started else "due.clock.start"))


def _of_tau(position: TauPosition, words: Words) -> TurnPrompt:
    if position.high is not None:
        return TurnPrompt("line", "draws", words("due.tau.line"))
    if position.bid < 0:
        return TurnPrompt("bid", "bids", words("due.tau.first"))
    return TurnPrompt("bid", "bids", words("due.tau.higher", bid=shortened(digits(position.bid))))


def _of_tayu(rules: Tayu, position: TayuPosition, words: Words) -> TurnPrompt:
    if position.due == "lay":
        return TurnPrompt("lay", "lays", words("due.tayu.lay", tile=KINDS[position.tile]))
    if position.due == "draw":
        return TurnPrompt("draw", "draws", words("due.tayu.draw"))
    if position.due == "bid":
        bid = words("due.tayu.bid", most=position.bids[-1]) if position.bids else words("due.tayu.bid.first")
        return TurnPrompt("bid", "bids", bid)
    return TurnPrompt("pick", "picks", words(f"due.tayu.pick.{rules.settings.draw}"))


def _of_counters(rules: TwentySquares, position: CountersPosition, words: Words) -> TurnPrompt:
    kinds = {move.kind for move in rules.legal_moves(position)}
    if "throw" in kinds:
        key = "again" if position.entering else "throw"
        return TurnPrompt("throw", "throws", words(f"due.twenty-squares.{key}.{rules.settings.dice}"))
    throw = position.throw
    if kinds == {"forfeit"}:
        return TurnPrompt("move", "forfeits", words("due.twenty-squares.forfeit", throw=throw))
    if kinds == {"convert"}:
        return TurnPrompt("move", "converts", words("due.twenty-squares.convert", throw=throw))
    if all(move.start == 0 for move in rules.legal_moves(position)):
        return TurnPrompt("move", "enters", words("due.twenty-squares.enter", throw=throw))
    convert = ".convert" if "convert" in kinds else ""
    return TurnPrompt("move", "moves", words(f"due.twenty-squares.move{convert}", throw=throw))
