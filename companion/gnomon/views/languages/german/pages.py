"""German words for what all pages share."""

from collections.abc import Mapping
from typing import Final

ENTRIES: Final[Mapping[str, str]] = {
    "language": "Deutsch",
    "game.tamsk": "TAMSK",
    "game.tayu": "Tayu",
    "game.tabik": "Tabik",
    "game.tau": "TAU",
    "game.twenty-squares": "Tau (Twenty Squares)",
    "page.board.title": "Das Brett",
    "page.board.waiting": "Noch keine Partie",
    "page.live": "Live",
    "page.named": "{name}: {value}",
    "page.not_live": "Nicht live",
}
