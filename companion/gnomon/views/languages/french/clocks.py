"""French words for the match clock: its rulings, questions and settings."""

from collections.abc import Mapping
from typing import Final

ENTRIES: Final[Mapping[str, str]] = {
    "game.clock": "Pendule",
    "picture.clock.turn": "À {player} de jouer",
    "picture.clock.turns.one": "{number} tour terminé.",
    "picture.clock.turns.other": "{number} tours terminés.",
    "ruling.clock": "La pendule est lancée : {player} réfléchit.",
    "ruling.clock.brief": "La pendule de {player} tourne.",
    "ruling.flag": "{player} a épuisé son temps : le drapeau est tombé.",
    "ruling.flag.brief": "{player} : drapeau tombé.",
    "ending.flag": "Le temps était épuisé : un drapeau est tombé.",
    "player.left": "Gauche",
    "player.right": "Droite",
    "button.left": "le bouton gauche",
    "button.right": "le bouton droit",
    "turn.clock.press": "{player} termine son tour.",
    "turn.clock.press.brief": "{player} termine son tour",
    "due.clock": "Jouez, puis appuyez sur le bouton de votre côté.",
    "due.clock.start": "Le joueur qui ne commence pas appuie et lance la pendule.",
    "corrected.clock": "pendule de {player} réglée : {setting}",
    "corrected.clock.pressed": "pendule actionnée pour {player}",
    "corrected.given.clock": "{seconds} s données à {to} sur la pendule",
    "corrected.taken.clock": "{seconds} s retirées à {of} sur la pendule",
    "told.clock.none": "cette partie n’a pas de pendule",
    "told.clock.start": "la pendule n’est pas lancée : le joueur qui ne commence pas appuie d’abord",
    "told.clock.not_running": "la pendule de {player} ne tourne pas : seul celui qui réfléchit peut appuyer",
    "told.clock.to_move": "c’est déjà à {player} de jouer",
    "told.clock.no_side": "{player} n’a pas de côté de la pendule : les joueurs sont {players}",
    "told.clock.no_flag": "aucun drapeau n’est tombé que {player} puisse réclamer",
    "told.clock.by_itself": "à TAMSK un tour appuie de lui-même sur la pendule : saisissez le tour",
}
