"""Any other game: two players end their turns, and people declare the result."""

from typing import Final

from gnomon.rules.kinds import GameKind

KIND: Final = GameKind(
    "clock",
    "gnomon.games.clock.rules:Free",
    "gnomon.games.clock.show:SHOW",
    lines="gnomon.games.clock._lines:FreeLines",
)
