"""Summarize a table game in the few short lines that stand beside its small board on the display."""

from collections.abc import Sequence
from typing import Final

from gnomon.referee.game import Game
from gnomon.rules.bids import digits
from gnomon.views import seats
from gnomon.views.phrases import name, shorten_numbers
from gnomon.views.show import prompt_of, show_of
from gnomon.words import ENGLISH, Words

_DIGITS: Final = 8  # of a number beside a board


def short_name(player: str, words: Words = ENGLISH) -> str:
    """A player in as few letters as can be."""
    if player[1:].isdigit():
        return words("oled.short.numbered", number=player[1:])
    return words(key) if (key := f"oled.short.{player}") in words.entries else name(player, words)


def headline(game: Game, words: Words = ENGLISH) -> str:
    """Whose turn it is, and to do what."""
    return words(f"oled.does.{prompt_of(game, words).verb}", player=short_name(seats.actor(game), words))


def lines(game: Game, words: Words = ENGLISH) -> Sequence[str]:
    """How the game stands; each entry begins a line."""
    return show_of(game).lines(game, words)


def number(value: int) -> str:
    """A number that has room beside a board, whatever its length."""
    return shorten_numbers(digits(value), _DIGITS)
