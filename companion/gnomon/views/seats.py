"""List the players at a table without sand glasses: name, role, turn, mark and result."""

from collections.abc import Mapping
from typing import NamedTuple

from gnomon.referee import player_roles
from gnomon.referee.game import Game
from gnomon.views.phrases import player_list, winner_sentence
from gnomon.views.show import Mark, show_of
from gnomon.words import ENGLISH, Words


class Seat(NamedTuple):
    """One player: their name in the rules, what they play for in words (or nothing), and whether it is their turn.

    `partners` are those who win and lose with them.
    """

    player: str
    role: str
    partners: tuple[str, ...]
    on_turn: bool


def seats(game: Game, words: Words = ENGLISH) -> tuple[Seat, ...]:
    """Everyone at the table, in the order of the rules."""
    now, shown = actor(game), show_of(game)
    return tuple(
        Seat(player, shown.role(game, player, words), shown.partners(game, player), player == now)
        for player in shown.seated_players(game)
    )


def marks(game: Game) -> Mapping[str, Mark]:
    """The mark of every player of the rules."""
    return show_of(game).marks(game)


def actor(game: Game) -> str:
    """Who is to act, or for whom a tile is drawn or sticks are thrown; empty when the game is over."""
    return "" if game.outcome is not None else player_roles.actor(game.rules, game.position)


def result(game: Game, words: Words = ENGLISH) -> str:
    """Who has won, both of a team; empty while the game goes on."""
    if game.outcome is None:
        return ""
    winner = game.outcome.winner
    mates = show_of(game).partners(game, winner) if winner is not None else ()
    if not mates:
        return winner_sentence(winner, words, game.outcome.reason)
    everyone = [player for player in game.rules.players if player == winner or player in mates]
    return words("result.win", players=player_list(everyone, words))
