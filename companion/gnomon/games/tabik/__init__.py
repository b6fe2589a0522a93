"""Tabik (Luis Bolaños Mures, 2020)."""

from typing import Final

from gnomon.games.kinds import GameKind

KIND: Final = GameKind("tabik", "gnomon.games.tabik.rules:Tabik")
