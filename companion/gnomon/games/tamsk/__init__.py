"""TAMSK (Kris Burm, 1998)."""

from typing import Final

from gnomon.rules.kinds import GameKind

KIND: Final = GameKind(
    "tamsk",
    "gnomon.games.tamsk.rules:Tamsk",
    "gnomon.games.tamsk.show:SHOW",
    boards={"tamsk": "gnomon.games.tamsk.sensing.board:new_game"},
    inputs={"tamsk": "gnomon.games.tamsk.sensing.inputs:inputs_of"},
    single_pole={"glasses": "A1.glass", "timer15": "timer15.glass"},
    own_board="tamsk",
    hands="gnomon.games.tamsk._demo:Hands",
    demonstrated=({"level": 2}, {"level": 1, "clock": "5+2"}),
    sgf=38,  # in the list of FF[4]
    colours=("black", "red"),
    lines="gnomon.games.tamsk._lines:TamskLines",
    clerk="gnomon.games.tamsk._clerk:TamskClerk",
    reader="gnomon.games.tamsk._boardspace:READER",
    engine="gnomon.games.tamsk.engine:TamskEngine",
    coach="gnomon.games.tamsk._coaching:TamskCoach",
    levels=10,
    plays_apart=True,
)
