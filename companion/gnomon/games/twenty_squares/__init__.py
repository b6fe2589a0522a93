"""Tau (Twenty Squares) and its variants."""

from typing import Final

from gnomon.rules.kinds import GameKind

KIND: Final = GameKind(
    "twenty-squares",
    "gnomon.games.twenty_squares.rules:TwentySquares",
    "gnomon.games.twenty_squares.show:SHOW",
    demonstrated=({"clock": "5+3"},),
    sgf=2404,
    colours=("p1", "p2"),
    engine="gnomon.games.twenty_squares.engine:TwentySquaresEngine",
    coach="gnomon.games.twenty_squares._coaching:TwentySquaresCoach",
    plays_apart=True,
)
