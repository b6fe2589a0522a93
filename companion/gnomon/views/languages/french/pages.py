"""French words for what all pages share."""

from collections.abc import Mapping
from typing import Final

ENTRIES: Final[Mapping[str, str]] = {
    "language": "Français",
    "game.tamsk": "TAMSK",
    "game.tayu": "Tayu",
    "game.tabik": "Tabik",
    "game.tau": "TAU",
    "game.twenty-squares": "Tau (Twenty Squares)",
    "page.board.title": "Le plateau",
    "page.board.waiting": "Pas encore de partie",
    "page.live": "En direct",
    "page.named": "{name} : {value}",
    "page.not_live": "Pas en direct",
}
