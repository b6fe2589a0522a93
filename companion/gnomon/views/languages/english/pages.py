"""English words for what all pages share."""

from collections.abc import Mapping
from typing import Final

ENTRIES: Final[Mapping[str, str]] = {
    "language": "English",
    "game.tamsk": "TAMSK",
    "game.tayu": "Tayu",
    "game.tabik": "Tabik",
    "game.tau": "TAU",
    "game.twenty-squares": "Tau (Twenty Squares)",
    "page.board.title": "The board",
    "page.board.waiting": "No game yet",
    "page.live": "Live",
    "page.named": "{name}: {value}",
    "page.not_live": "Not live",
}
