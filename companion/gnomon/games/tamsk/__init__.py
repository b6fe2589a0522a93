"""TAMSK (Kris Burm, 1998)."""

from typing import Final

from gnomon.rules.kinds import GameKind

KIND: Final = GameKind(
    "tamsk",
    "gnomon.games.tamsk.rules:Tamsk",
    "gnomon.games.tamsk.show:SHOW",
    boards={"tamsk": "gnomon.referee.tamsk_board:new_game"},
    own_board="tamsk",
)
