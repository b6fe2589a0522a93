"""Describe the result of any game in one short sentence, empty while the game goes on."""

from gnomon.referee.game import Game
from gnomon.referee.tamsk_game import TamskGame
from gnomon.views import seats
from gnomon.views.sentences import result
from gnomon.words import ENGLISH, Words


def result_of(game: Game, words: Words = ENGLISH) -> str:
    """Who has won, without the full stop: for the head of a picture."""
    if game.outcome is None:
        return ""
    said = result(game.outcome, words) if isinstance(game, TamskGame) else seats.result(game, words)
    return said.rstrip(".")
