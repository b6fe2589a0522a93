"""TAU (Néstor Romeral Andrés, 2011)."""

from typing import Final

from gnomon.games.kinds import GameKind

KIND: Final = GameKind("tau", "gnomon.games.tau.rules:Tau")
