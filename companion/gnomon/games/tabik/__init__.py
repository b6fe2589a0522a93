"""Tabik (Luis Bolaños Mures, 2020)."""

from typing import Final

from gnomon.rules.kinds import GameKind

KIND: Final = GameKind(
    "tabik",
    "gnomon.games.tabik.rules:Tabik",
    "gnomon.games.tabik.show:SHOW",
    demonstrated=({"size": 5, "clock": "3+2"}, {"size": 8, "clock": "10"}),
    sgf=2402,  # private, as are those of the other games: far above the numbers that FF[4] has given, 1 to 40
    colours=("black", "white"),
    swap="pie",
    engine="gnomon.games.tabik.engine:TabikEngine",
    levels=13,
    plays_apart=True,
    solved={"size": ("4", "3", "2"), "pie": ("no", "yes")},
    coach="gnomon.games.tabik._coaching:TabikCoach",
)
