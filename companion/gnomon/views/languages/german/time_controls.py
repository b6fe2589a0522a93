"""German words for time controls: what they mean, and the errors in one."""

from collections.abc import Mapping
from typing import Final

ENTRIES: Final[Mapping[str, str]] = {
    "control.with": "{period}, {each}",
    "control.moves.one": "{number} Zug in {time}",
    "control.moves.other": "{number} Züge in {time}",
    "control.fischer": "{seconds} s mehr für jeden Zug",
    "control.bronstein": "bis zu {seconds} s jedes Zuges werden zurückgegeben",
    "control.delay": "in jedem Zug läuft die Zeit erst nach {seconds} s",
    "control.spells.one": "{number} Byoyomi-Periode von {time}: in einem Zug verbraucht, war sie die letzte",
    "control.spells.other": (
        "{number} Byoyomi-Perioden von {time}: Eine, die in einem Zug verbraucht wird, ist verloren"
    ),
    "control.block.one": "je {number} Zug in {time}",
    "control.block.other": "je {number} Züge in {time}",
    "control.hourglass": "eine Sanduhr von {time}: Was der eine verbraucht, bekommt der andere",
    "control.up": "aufwärts gezählte Zeit, ohne Fallblatt",
    "control.then": "{first}, danach {last}",
    "control.versus": "erster Spieler: {first}; zweiter Spieler: {second}",
    "control.runs_on": "{control}; das erste Fallblatt hält die andere Uhr nicht an",
    "control.preset.bullet": "das Kürzeste, was sich von Hand spielen lässt",
    "control.preset.blitz": "wie bei der Blitz-WM der FIDE",
    "control.preset.rapid": "wie bei der Schnellschach-WM der FIDE",
    "control.preset.club": "ein Vereinsabend",
    "control.preset.gipf": "GIPF-Weltmeisterschaft",
    "control.preset.standard": "ein offenes Turnier",
    "control.preset.long": "eine lange Partie in zwei Abschnitten",
    "control.preset.classical": "drei Kontrollen, keine Zeit je Zug",
    "control.preset.us-rapid": "USA: fünf Sekunden Verzögerung",
    "control.preset.bronstein": "Sekunden eines Zuges werden zurückgegeben",
    "control.preset.go": "Go und Shogi: japanisches Byoyomi",
    "control.preset.go-canadian": "Go: kanadisches Byoyomi",
    "control.preset.hourglass": "was der eine verbraucht, bekommt der andere",
    "control.preset.overtime": "Überzeit kostet Punkte, wie beim Scrabble",
    "control.preset.casual": "niemand verliert nach Zeit",
    "told.control.two": (
        "{text} hat mehr als zwei Seiten: Schreiben Sie, was der erste Spieler hat, vs, was der zweite hat"
    ),
    "told.control.none": "{text} ist keine Bedenkzeit: {cause}",
    "told.control.no_period": "{text} ist kein Zeitabschnitt: {cause}",
    "told.control.unknown": "{text} ist kein Abschnitt einer Bedenkzeit; solche sind: {examples}",
    "told.control.sides": (
        "eine Schachuhr hat zwei Seiten, und {game} wird mit diesen Einstellungen zu {number} gespielt"
    ),
    "cause.control.sixty": "{text} hat 60 Sekunden oder Minuten oder mehr hinter einem Doppelpunkt",
    "cause.control.order": "{text} ist keine Zeit: Stunden stehen vor Minuten und Minuten vor Sekunden",
    "cause.control.nothing": "ein Abschnitt gibt Zeit, oder Zeit für jeden Zug: 0 und 0 ist keins von beiden",
    "cause.control.week.period": "ein Abschnitt dauert höchstens eine Woche",
    "cause.control.week.move": "was ein Zug bekommt, dauert höchstens eine Woche",
    "cause.control.week.spell": "eine Byoyomi-Periode dauert höchstens eine Woche",
    "cause.control.week.block": "ein kanadischer Block dauert höchstens eine Woche",
    "cause.control.week.glass": "eine Sanduhr dauert höchstens eine Woche",
    "cause.control.longer.spell": "eine Byoyomi-Periode ist länger als nichts",
    "cause.control.longer.block": "ein kanadischer Block ist länger als nichts",
    "cause.control.longer.glass": "eine Sanduhr ist länger als nichts",
    "cause.control.moves": "ein Abschnitt hat 1 bis {most} Züge, nicht {number}",
    "cause.control.spells": "Byoyomi hat 1 bis {most} Perioden, nicht {number}",
    "cause.control.block": "ein kanadischer Block hat 1 bis {most} Züge, nicht {number}",
    "cause.control.both": "eine Sanduhr gibt der anderen Seite, was eine verbraucht: Beide brauchen eine",
    "cause.control.glass_on": "eine abgelaufene Sanduhr kann nicht weiterlaufen",
    "cause.control.whole": "eine Sanduhr ist die ganze Bedenkzeit: Kein Abschnitt steht davor oder danach",
    "cause.control.last.spells": "nach Byoyomi kommt nichts: Es ist der letzte Abschnitt",
    "cause.control.last.blocks": "nach kanadischen Blöcken kommt nichts: Sie sind der letzte Abschnitt",
    "cause.control.last.up": "nach dem Aufwärtszählen kommt nichts: Es ist der letzte Abschnitt",
    "cause.control.more": (
        "ein Abschnitt, der nach abgelaufener Zeit beginnt, gibt Zeit, oder mehr für jeden Zug als vorher"
    ),
}
