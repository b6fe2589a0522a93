"""Summarize a table game in the few short lines that stand beside its small board on the display."""

from collections.abc import Sequence
from typing import Any, Final

from gnomon.games.bids import digits
from gnomon.games.tabik.rules import PLAYERS, WHITE, Tabik
from gnomon.games.tau.rules import Tau
from gnomon.games.tayu.rules import Tayu
from gnomon.games.tayu.rules.seats import AXES, SABOTEUR
from gnomon.games.twenty_squares.rules import NO_THROW, TwentySquares
from gnomon.referee.game import Game
from gnomon.views import seats
from gnomon.views.prompt import due
from gnomon.views.wording import name, shortened

IN_HAND_AND_HOME: Final = "In hand/home"
"""What the two numbers of a player of Twenty Squares are."""
_SHORT: Final = {"north-south": "N-S", "east-west": "E-W"}
_ROLES: Final = {**_SHORT, SABOTEUR: "saboteur"}
_DIGITS: Final = 8  # of a number beside a board


def called(player: str) -> str:
    """A player in as few letters as can be."""
    return _SHORT.get(player) or (player.upper() if player[1:].isdigit() else name(player))


def headline(game: Game) -> str:
    """Whose turn it is, and to do what."""
    return f"{called(seats.actor(game))} {due(game).verb}"


def lines(game: Game) -> Sequence[str]:
    """How the game stands; each entry begins a line."""
    rules, position = game.rules, game.position
    if isinstance(rules, Tabik):
        return _of_tabik(game, rules)
    if isinstance(rules, Tau):
        return _of_tau(rules, position)
    if isinstance(rules, Tayu):
        return _of_tayu(game, rules)
    return _of_counters(rules, position) if isinstance(rules, TwentySquares) else ()


def number(value: int) -> str:
    """A number that has room beside a board, whatever its length."""
    return shortened(digits(value), _DIGITS)


def _of_tabik(game: Game, rules: Tabik) -> Sequence[str]:
    score = rules.score(game.position)
    signs = {player: "●" if seat == WHITE else "○" for seat, player in enumerate(PLAYERS)}
    said = [f"{signs[player]} {called(player)} {points}" for player, points in score.items()]
    return [*said, "may swap sides"] if game.position.pie and game.outcome is None else said


def _of_tau(rules: Tau, position: Any) -> Sequence[str]:  # noqa: ANN401 - as the rules have it
    if position.high is None:
        return ["No number yet"] if position.bid < 0 else ["Number", number(position.bid), "higher, or pass and be LOW"]
    limit = [f"Limit {number(position.bid)}", f"Product {number(rules.score(position)['product'])}"]
    seat = rules.seat(position, "high")
    who = [f"{name(seat)} is HIGH"] if rules.settings.limit is None and seat else []
    return [*limit, *who, *([f"{position.turns_left} left"] if position.turns_left else [])]


def _of_tayu(game: Game, rules: Tayu) -> Sequence[str]:
    position = game.position
    points = rules.sides(position)
    if position.due == "bid":
        return ["saboteur:", *([f"at most {position.bids[-1]}"] if position.bids else ["first number"])]
    said = []
    for axis, one, other in zip(AXES, "ne", "sw", strict=True):
        said.append(f"{_SHORT[axis]} {points[one]}x{points[other]}={points[one] * points[other]}")
    player, target = seats.actor(game), rules.target(position)
    saboteur = next((each for each in rules.players if rules.role(position, each) == SABOTEUR), "")
    if len(rules.players) > len(AXES) and player:
        said.append(f"{name(player)}: {_ROLES[rules.role(position, player) or SABOTEUR]}")
    if target is not None:
        said.append(f"below {target}" if player == saboteur else f"{name(saboteur)} below {target}")
    return said


def _of_counters(rules: TwentySquares, position: Any) -> Sequence[str]:  # noqa: ANN401 - whatever the rules say it is
    said: Any = rules.state(position)
    thrown = [f"Thrown: {position.throw}"] if position.throw != NO_THROW else ["again, to enter"] * position.entering
    rows = [f"{called(player)} {said['hand'][player]}/{said['home'][player]}" for player in rules.players]
    return [*thrown, IN_HAND_AND_HOME, *rows]
