"""TAMSK (Kris Burm, 1998)."""

from typing import Final

from gnomon.games.kinds import GameKind

KIND: Final = GameKind(
    "tamsk",
    "gnomon.games.tamsk.rules:Tamsk",
    boards={"tamsk": "gnomon.referee.tamsk_board:new_game"},
    own_board="tamsk",
)
