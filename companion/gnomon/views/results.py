"""Describe the result of any game in one short sentence, empty while the game goes on."""

from gnomon.referee.game import Game
from gnomon.views import seats
from gnomon.words import ENGLISH, Words


def result_of(game: Game, words: Words = ENGLISH) -> str:
    """Who has won, without the full stop: for the head of a picture."""
    return seats.result(game, words).rstrip(".")
