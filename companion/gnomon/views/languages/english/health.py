"""English words for faults of the machine.

The English entries are also the patterns with which `gnomon.views.retelling` recognizes recorded sentences.
"""

from collections.abc import Mapping
from typing import Final

ENTRIES: Final[Mapping[str, str]] = {
    "health.display": "The display does not answer: {detail}",
    "health.display.plain": "The display does not answer.",
    "health.lights": "The lights do not answer: {detail}",
    "health.lights.plain": "The lights do not answer.",
    "health.sensors": "The sensors do not answer: {detail}",
    "health.sensors.zeros": "The sensors read only zeros: look at the power, the data and the clock of the chain.",
    "health.sensors.ones": "The sensors read only ones: look at the power, the data and the clock of the chain.",
    "health.sensors.zeros.broken": (
        "The sensors read only zeros from register {register} on: a wire is broken there or behind it."
    ),
    "health.sensors.ones.broken": (
        "The sensors read only ones from register {register} on: a wire is broken there or behind it."
    ),
    "health.sensors.step.early": (
        "The sensors came out of step by {bits} bits, too early: shorten the wires or lower clock_hz."
    ),
    "health.sensors.step.late": (
        "The sensors came out of step by {bits} bits, too late: shorten the wires or lower clock_hz."
    ),
    "health.sensors.canary": "The sensors' last register reads {read} instead of {canary}: look at its wires.",
    "health.light": "Too much light falls on {input}: shade the board.",
    "health.light.more": "Too much light falls on {input} and {number} more: shade the board.",
    "health.button.unheard": "{input} on GPIO {pin} cannot be heard: {detail}",
    "health.button.lost": "An edge of {input} was lost: {detail}.",
    "health.buzzer": "The buzzer on GPIO {pin} does not answer: {detail}",
    "health.buzzer.level": (
        "The buzzer stays silent and GPIO {pin} untouched: say in [buzzer] which level switches it on (on = high "
        "or low)."
    ),
    "health.expander.pins": "The pins of the expanders do not answer: {detail}",
    "health.expander.silent": (
        "Expander {address} on I2C bus {bus} does not answer: look at its power, its address pins and its wires."
    ),
    "health.expander.silent.one": (
        "Expander {address} on I2C bus {bus} does not answer: look at its power, its address pins and its wires. "
        "Nothing new is seen of {input}."
    ),
    "health.expander.silent.many": (
        "Expander {address} on I2C bus {bus} does not answer: look at its power, its address pins and its wires. "
        "Nothing new is seen of {input} and {number} more."
    ),
    "health.expander.none": (
        "None of the {number} expanders on I2C bus {bus} answers: look at their power, SDA and SCL."
    ),
    "health.expander.settings": (
        "Expander {address} on I2C bus {bus} lost its settings for a moment: look at its supply."
    ),
    "health.bus": "I2C bus {bus} hangs: look for a short circuit of SDA or SCL.",
    "health.reader.opened": "The reader {device} cannot be opened: {detail}.",
    "health.reader.pulled": "The reader {device} was pulled out.",
    "health.reader.lost": "The reader {device} was lost: {detail}.",
    "health.reader.tags": "The tag reader at {address} does not answer: {detail}.",
    "health.code.unknown": "The code {code} is on no tile: give it a kind in [reader.codes].",
    "health.code.nothing": "The code {code} was read for nothing: {told}.",
    "health.busy": "Too busy: {late} of {scans} scans came late.",
    "health.date": "The date is wrong; the game's time does not need it.",
    "health.scanning": "The board is not being scanned.",
    "health.buttons": "The buttons are not heard any more.",
    "health.journal": "Nothing can be accepted: {told}.",
    "health.damage.before": (
        "The journal {file} is damaged: {told}; what stands before it goes on, and the damaged file is kept as {aside}."
    ),
    "health.damage.whole": (
        "The journal {file} is damaged: {told}; nothing is lost, and the damaged file is kept as {aside}."
    ),
    "health.damage.new": (
        "The journal {file} is damaged: {told}; a new one is begun, and the damaged file is kept as {aside}."
    ),
    "health.damage.gone": "The journal {file} is damaged: {told}; a new one is begun.",
    "health.journal.deleted": (
        "The journal {file} was deleted while the board ran: everything stands in a new file in its place."
    ),
    "health.journal.replaced": (
        "The journal {file} was replaced while the board ran: everything stands in a new file in its place, and "
        "what was put there is kept as {aside}."
    ),
    "health.witness": "The journal's witness {detail}.",
    "health.recovery": "These rules judge entry {entry} of the journal otherwise than was judged then.",
    "health.recovery.back": "game {game} of the journal cannot be brought back: {detail}.",
    "health.recovery.on": "game {game} of the journal cannot be gone on with: {detail}.",
    "health.hall": "No word from the hall for {spell}: play on. {number} records wait.",
    "health.hall.fault": "The hall cannot be told anything: {detail}.",
    "health.hall.more": "The hall has {there} entries of the journal, which holds {number}.",
    "health.hall.notice": "From the hall: {detail}",
    "health.result.own": "Confirm the result, each with the own button: {players}.",
    "health.result.shared": "Confirm the result, with PREVIOUS and with NEXT: {players}.",
    "health.result.confirmed": "The result has been confirmed at the board.",
}
