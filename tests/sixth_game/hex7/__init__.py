"""Hex (Piet Hein, 1942) on a board of seven times seven."""

from typing import Final

from gnomon.rules.kinds import GameKind

KIND: Final = GameKind(
    "hex7",
    "hex7.rules:Hex",
    "hex7.show:SHOW",
    sgf=11,  # the number of Hex in FF[4]
    colours=("black", "white"),
    swap="swap",
)
