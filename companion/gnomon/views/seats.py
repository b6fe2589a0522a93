"""List the players at a table without sand glasses: name, role, turn, mark and result."""

from collections.abc import Mapping
from typing import NamedTuple

from gnomon.games.tau.rules import Tau
from gnomon.games.tayu.rules import Tayu
from gnomon.games.tayu.rules.seats import AXES, SABOTEUR
from gnomon.games.twenty_squares.rules import TwentySquares
from gnomon.referee import player_roles
from gnomon.referee.game import Game
from gnomon.views.wording import listed, name, won
from gnomon.words import ENGLISH, Words


class Seat(NamedTuple):
    """One player: his name in the rules, what he plays for in words (or nothing), and whether it is his turn.

    `partners` are those who win and lose with him.
    """

    player: str
    role: str
    partners: tuple[str, ...]
    on_turn: bool


class Mark(NamedTuple):
    """How pages tell a player apart: a shape by the place at the table, from 1, and a hue by the side that is played.

    Hue 1 is the first side of the pictures, 2 the second; 0 plays for neither.
    """

    place: int
    hue: int


def seats(game: Game, words: Words = ENGLISH) -> tuple[Seat, ...]:
    """Everyone at the table, in the order of the rules; in TAU the bidders, then who became HIGH and LOW."""
    now = actor(game)
    return tuple(
        Seat(player, role(game, player, words), partners(game, player), player == now) for player in _players(game)
    )


def marks(game: Game) -> Mapping[str, Mark]:
    """The mark of every player of the rules; in TAU a person keeps theirs when they become HIGH or LOW."""
    rules, position = game.rules, game.position
    if isinstance(rules, Tau) and rules.settings.limit is None:
        persons = {player: Mark(place, place) for place, player in enumerate(rules.players[:2], 1)}
        taken = {seat: rules.seat(position, seat) for seat in rules.players[2:]}
        return persons | {seat: persons[bidder] for seat, bidder in taken.items() if bidder is not None}
    return {player: Mark(place, _hue(game, player, place)) for place, player in enumerate(rules.players, 1)}


def actor(game: Game) -> str:
    """Who is to act, or for whom a tile is drawn or sticks are thrown; empty when the game is over."""
    if game.outcome is not None:
        return ""
    return player_roles.actor(game.rules, game.position)


def role(game: Game, player: str, words: Words = ENGLISH) -> str:
    """What a player plays for, in words; empty where his name says it."""
    rules, position = game.rules, game.position
    if isinstance(rules, Tayu):
        played = rules.role(position, player)
        if played == SABOTEUR:
            return words("seat.saboteur", target=rules.target(position))
        return "" if played in (None, player) else words(f"seat.{played}")
    if isinstance(rules, Tau) and rules.settings.limit is None and position.high is not None:
        seat = rules.seat(position, player)
        return "" if seat in (None, player) else name(seat, words)
    mates = partners(game, player)
    return words("seat.with", players=listed(mates, words)) if mates else ""


def partners(game: Game, player: str) -> tuple[str, ...]:
    """Who wins and loses with a player."""
    rules = game.rules
    if isinstance(rules, TwentySquares):
        return tuple(mate for mate in rules.team(player) if mate != player)
    if isinstance(rules, Tayu):
        played = rules.role(game.position, player)
        others = (mate for mate in rules.players if mate != player and rules.role(game.position, mate) == played)
        return tuple(others) if played is not None else ()
    return ()


def result(game: Game, words: Words = ENGLISH) -> str:
    """Who has won, both of a team; empty while the game goes on."""
    if game.outcome is None:
        return ""
    winner = game.outcome.winner
    mates = partners(game, winner) if winner is not None else ()
    if not mates:
        return won(winner, words, game.outcome.reason)
    everyone = [player for player in game.rules.players if player == winner or player in mates]
    return words("result.win", players=listed(everyone, words))


def _hue(game: Game, player: str, place: int) -> int:
    if isinstance(game.rules, Tayu):
        played = game.rules.role(game.position, player)
        if played is None:
            return place
        return AXES.index(played) + 1 if played in AXES else 0
    team = {player, *partners(game, player)}
    return next(hue for hue, mate in enumerate(game.rules.players, 1) if mate in team)


def _players(game: Game) -> tuple[str, ...]:
    rules = game.rules
    if not isinstance(rules, Tau) or rules.settings.limit is not None:
        return tuple(rules.players)
    bidding = game.position.high is None
    return tuple(rules.players[:2] if bidding else rules.players[2:])
