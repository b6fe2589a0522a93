"""Tau (Twenty Squares) and its variants."""

from typing import Final

from gnomon.games.kinds import GameKind

KIND: Final = GameKind("twenty-squares", "gnomon.games.twenty_squares.rules:TwentySquares")
