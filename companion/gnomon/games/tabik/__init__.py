"""Tabik (Luis Bolaños Mures, 2020)."""

from typing import Final

from gnomon.rules.kinds import GameKind

KIND: Final = GameKind("tabik", "gnomon.games.tabik.rules:Tabik", "gnomon.games.tabik.show:SHOW")
