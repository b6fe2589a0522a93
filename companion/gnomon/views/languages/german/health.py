"""German words for faults of the machine.

The English entries of this area are the patterns with which `gnomon.views.retelling` recognizes recorded sentences.
"""

from collections.abc import Mapping
from typing import Final

ENTRIES: Final[Mapping[str, str]] = {
    "health.display": "Das Display antwortet nicht: {detail}",
    "health.display.plain": "Das Display antwortet nicht.",
    "health.lights": "Die Lichter antworten nicht: {detail}",
    "health.lights.plain": "Die Lichter antworten nicht.",
    "health.sensors": "Die Sensoren antworten nicht: {detail}",
    "health.sensors.zeros": "Die Sensoren lesen nur Nullen: Strom, Daten und Takt der Kette prüfen.",
    "health.sensors.ones": "Die Sensoren lesen nur Einsen: Strom, Daten und Takt der Kette prüfen.",
    "health.sensors.zeros.broken": (
        "Die Sensoren lesen ab Register {register} nur Nullen: dort oder dahinter ist ein Draht gebrochen."
    ),
    "health.sensors.ones.broken": (
        "Die Sensoren lesen ab Register {register} nur Einsen: dort oder dahinter ist ein Draht gebrochen."
    ),
    "health.sensors.step.early": (
        "Die Sensoren sind um {bits} Bits zu früh aus dem Tritt: Drähte kürzen oder clock_hz senken."
    ),
    "health.sensors.step.late": (
        "Die Sensoren sind um {bits} Bits zu spät aus dem Tritt: Drähte kürzen oder clock_hz senken."
    ),
    "health.sensors.canary": "Das letzte Register der Sensoren liest {read} statt {canary}: seine Drähte prüfen.",
    "health.light": "Zu viel Licht fällt auf {input}: das Brett abschatten.",
    "health.light.more": "Zu viel Licht fällt auf {input} und {number} weitere: das Brett abschatten.",
    "health.button.unheard": "{input} an GPIO {pin} ist nicht zu hören: {detail}",
    "health.button.lost": "Eine Flanke von {input} ging verloren: {detail}.",
    "health.buzzer": "Der Summer an GPIO {pin} antwortet nicht: {detail}",
    "health.buzzer.level": (
        "Der Summer bleibt stumm und GPIO {pin} unberührt: in [buzzer] sagen, welcher Pegel ihn einschaltet (on = "
        "high oder low)."
    ),
    "health.expander.pins": "Die Pins der Expander antworten nicht: {detail}",
    "health.expander.silent": (
        "Expander {address} am I2C-Bus {bus} antwortet nicht: Strom, Adresspins und Drähte prüfen."
    ),
    "health.expander.silent.one": (
        "Expander {address} am I2C-Bus {bus} antwortet nicht: Strom, Adresspins und Drähte prüfen. Von {input} "
        "ist nichts Neues zu sehen."
    ),
    "health.expander.silent.many": (
        "Expander {address} am I2C-Bus {bus} antwortet nicht: Strom, Adresspins und Drähte prüfen. Von {input} "
        "und {number} weiteren ist nichts Neues zu sehen."
    ),
    "health.expander.none": "Keiner der {number} Expander am I2C-Bus {bus} antwortet: Strom, SDA und SCL prüfen.",
    "health.expander.settings": (
        "Expander {address} am I2C-Bus {bus} verlor kurz seine Einstellungen: seine Versorgung prüfen."
    ),
    "health.bus": "I2C-Bus {bus} hängt: nach einem Kurzschluss von SDA oder SCL suchen.",
    "health.reader.opened": "Der Leser {device} lässt sich nicht öffnen: {detail}.",
    "health.reader.pulled": "Der Leser {device} wurde abgezogen.",
    "health.reader.lost": "Der Leser {device} ging verloren: {detail}.",
    "health.reader.tags": "Der Tag-Leser auf {address} antwortet nicht: {detail}.",
    "health.code.unknown": "Der Code {code} ist auf keinem Plättchen: ihm in [reader.codes] eine Art geben.",
    "health.code.nothing": "Der Code {code} wurde umsonst gelesen: {told}.",
    "health.busy": "Überlastet: {late} von {scans} Abfragen kamen zu spät.",
    "health.date": "Das Datum ist falsch; die Zeit der Partie braucht es nicht.",
    "health.scanning": "Das Brett wird nicht abgefragt.",
    "health.buttons": "Die Tasten werden nicht mehr gehört.",
    "health.journal": "Nichts kann angenommen werden: {told}.",
    "health.damage.before": (
        "Das Journal {file} ist beschädigt: {told}; mit dem, was davor steht, geht es weiter, und die beschädigte "
        "Datei bleibt als {aside} erhalten."
    ),
    "health.damage.whole": (
        "Das Journal {file} ist beschädigt: {told}; nichts ist verloren, und die beschädigte Datei bleibt als "
        "{aside} erhalten."
    ),
    "health.damage.new": (
        "Das Journal {file} ist beschädigt: {told}; ein neues ist angefangen, und die beschädigte Datei bleibt als "
        "{aside} erhalten."
    ),
    "health.damage.gone": "Das Journal {file} ist beschädigt: {told}; ein neues ist angefangen.",
    "health.journal.deleted": (
        "Das Journal {file} wurde im laufenden Betrieb gelöscht: Alles steht an seiner Stelle in einer neuen Datei."
    ),
    "health.journal.replaced": (
        "Das Journal {file} wurde im laufenden Betrieb ersetzt: Alles steht an seiner Stelle in einer neuen Datei, "
        "und was dort lag, bleibt als {aside} erhalten."
    ),
    "health.witness": "Der Zeuge des Journals: {detail}.",
    "health.recovery": "Diese Regeln beurteilen Eintrag {entry} des Journals anders als damals.",
    "health.recovery.back": "Partie {game} des Journals kann nicht wiederhergestellt werden: {detail}.",
    "health.recovery.on": "Partie {game} des Journals kann nicht fortgesetzt werden: {detail}.",
    "health.hall": "Seit {spell} kein Wort aus dem Saal: einfach weiterspielen. {number} Einträge warten.",
    "health.hall.fault": "Dem Saal kann nichts gesagt werden: {detail}.",
    "health.hall.more": "Der Saal hat {there} Einträge des Journals, in dem nur {number} stehen.",
    "health.hall.notice": "Aus dem Saal: {detail}",
    "health.result.own": "Das Ergebnis bestätigen, jeder mit der eigenen Taste: {players}.",
    "health.result.shared": "Das Ergebnis bestätigen, mit PREVIOUS und mit NEXT: {players}.",
    "health.result.confirmed": "Das Ergebnis ist am Brett bestätigt.",
}
