"""TAU (Néstor Romeral Andrés, 2011)."""

from typing import Final

from gnomon.rules.kinds import GameKind

KIND: Final = GameKind(
    "tau",
    "gnomon.games.tau.rules:Tau",
    "gnomon.games.tau.show:SHOW",
    sgf=2403,
    colours=("high", "low"),
    engine="gnomon.games.tau.engine:TauEngine",
    coach="gnomon.games.tau._coaching:TauCoach",
    levels=10,
    plays_apart=True,
)
