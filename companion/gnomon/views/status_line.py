"""Summarize a table game in the few short lines that stand beside its small board on the display."""

from collections.abc import Sequence
from typing import Final

from gnomon.referee.game import Game
from gnomon.rules.bids import digits
from gnomon.views import seats
from gnomon.views.show import prompt_of, show_of
from gnomon.views.wording import name, shortened
from gnomon.words import ENGLISH

IN_HAND_AND_HOME: Final = "In hand/home"
"""What the two numbers of a player of Twenty Squares are."""
SHORT: Final = {"north-south": "N-S", "east-west": "E-W"}
_DIGITS: Final = 8  # of a number beside a board


def called(player: str) -> str:
    """A player in as few letters as can be."""
    return SHORT.get(player) or (player.upper() if player[1:].isdigit() else name(player))


def headline(game: Game) -> str:
    """Whose turn it is, and to do what."""
    return f"{called(seats.actor(game))} {prompt_of(game, ENGLISH).verb}"


def lines(game: Game) -> Sequence[str]:
    """How the game stands; each entry begins a line."""
    return show_of(game).lines(game)


def number(value: int) -> str:
    """A number that has room beside a board, whatever its length."""
    return shortened(digits(value), _DIGITS)
