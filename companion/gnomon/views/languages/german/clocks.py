"""German words for the match clock: its rulings, questions and settings."""

from collections.abc import Mapping
from typing import Final

ENTRIES: Final[Mapping[str, str]] = {
    "game.clock": "Schachuhr",
    "picture.clock.turn": "{player} ist am Zug",
    "picture.clock.turns.one": "{number} Zug beendet.",
    "picture.clock.turns.other": "{number} Züge beendet.",
    "ruling.clock": "Die Uhr läuft: {player} denkt nach.",
    "ruling.clock.brief": "Die Uhr von {player} läuft.",
    "ruling.flag": "{player} hat die Bedenkzeit verbraucht: Das Fallblatt ist gefallen.",
    "ruling.flag.brief": "{player}: Fallblatt gefallen.",
    "ending.flag": "Die Bedenkzeit war verbraucht: ein Fallblatt ist gefallen.",
    "player.left": "Links",
    "player.right": "Rechts",
    "button.left": "die linke Taste",
    "button.right": "die rechte Taste",
    "turn.clock.press": "{player} beendet den Zug.",
    "turn.clock.press.brief": "{player} beendet den Zug",
    "due.clock": "Ziehen und die Taste der eigenen Seite drücken.",
    "due.clock.start": "Wer nicht beginnt, drückt und startet die Uhr.",
    "corrected.clock": "Uhr von {player} gestellt: {setting}",
    "corrected.clock.pressed": "Uhr für {player} gedrückt",
    "corrected.given.clock": "{to} {seconds} s auf der Uhr gegeben",
    "corrected.taken.clock": "{of} {seconds} s auf der Uhr genommen",
    "told.clock.none": "diese Partie hat keine Schachuhr",
    "told.clock.start": "die Uhr ist nicht gestartet: Zuerst drückt, wer nicht beginnt",
    "told.clock.not_running": "die Uhr von {player} läuft nicht: Drücken kann nur, wer nachdenkt",
    "told.clock.to_move": "{player} ist schon am Zug",
    "told.clock.no_side": "{player} hat keine Seite der Uhr: Es spielen {players}",
    "told.clock.no_flag": "kein Fallblatt ist gefallen, das {player} reklamieren könnte",
    "told.clock.by_itself": "ein Zug in TAMSK drückt die Uhr von selbst: den Zug eingeben",
}
