"""Tayu (Niek Neuwahl, Ta Yü, 1999 and 2008)."""

from typing import Final

from gnomon.rules.kinds import GameKind

KIND: Final = GameKind(
    "tayu",
    "gnomon.games.tayu.rules:Tayu",
    "gnomon.games.tayu.show:SHOW",
    boards={"tayu": "gnomon.games.tayu.sensing:new_game"},
    inputs={"tayu": "gnomon.games.tayu.sensing:largest_inputs"},
    tags="gnomon.games.tayu.rules.tiles:DRAWS",
    sgf=2401,
    colours=("north-south", "east-west"),
    engine="gnomon.games.tayu.engine:TayuEngine",
    coach="gnomon.games.tayu._coaching:TayuCoach",
    plays_apart=True,
)
