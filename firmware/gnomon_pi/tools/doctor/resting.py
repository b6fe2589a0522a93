"""Check the sensor levels of a board at rest: chatter, stuck inputs and impossible combinations."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from gnomon.referee.tamsk_inputs import GLASS, POLES, TIMER, start_inputs
from gnomon_pi.config.description import Expanders, Sensors
from gnomon_pi.tools.doctor.finding import Finding, note, ok, warning

_FLUTTER: Final = 3  # changes: a piece that is put down or taken off in those seconds makes one or two
_ODD: Final = 4  # inputs that may differ from a board that is set out before it is taken for another position
_NAMED: Final = 6  # in one sentence


def check_levels(levels: Sequence[int], sensors: Sensors) -> Iterator[Finding]:
    """What the scans of a few seconds say; each is one bit an input, in the order of the description."""
    changes = Counter(_changes(levels, sensors.inputs))
    flutter = {name: count for name, count in changes.items() if count >= _FLUTTER}
    if flutter:
        told = _listed(f"{_placed(name, sensors)} {count} times" for name, count in sorted(flutter.items()))
        yield warning(
            "chatter",
            f"What nobody touched changed: {told}.",
            "Nobody may touch the board meanwhile; else look for a loose wire or a magnet at the edge of its sensor.",
        )
    elif changes:
        yield note("chatter", f"{_listed(sorted(changes))} changed: was the board touched?")
    else:
        yield ok("chatter", f"None of {len([name for name in sensors.inputs if name])} inputs changed at rest.")
    on = {name for bit, name in enumerate(sensors.inputs) if name and levels[-1] >> bit & 1} - set(flutter)
    yield from _impossible(on, sensors)
    yield _position(on, sensors)


def _changes(levels: Sequence[int], inputs: Sequence[str]) -> Iterator[str]:
    for before, after in pairwise(levels):
        differ = before ^ after
        while differ:
            bit = (differ & -differ).bit_length() - 1
            differ &= differ - 1
            if inputs[bit]:
                yield inputs[bit]


def _impossible(on: set[str], sensors: Sensors) -> Iterator[Finding]:
    """What no piece can cause: two poles under one glass, a ring above nothing."""
    for name in sorted(on):
        place, _, kind = name.rpartition(".")
        if kind == "south" and f"{place}.north" in on:
            yield warning(
                "sensors",
                f"{place} shows north and south at once, which no glass can.",
                f"Look at {_placed(f'{place}.north', sensors)}, and at {_placed(name, sensors)}.",
            )
        height = int(kind[4:]) if kind.startswith("ring") and kind[4:].isdecimal() else 1
        below = f"{place}.ring{height - 1}"
        if height > 1 and below not in on:
            yield warning(
                "sensors",
                f"{place} shows ring {height} and none below it.",
                f"Look at {_placed(below, sensors)}, and at {_placed(name, sensors)}.",
            )


def _position(on: set[str], sensors: Sensors) -> Finding:
    """Whether the board looks empty or set out, and which inputs do not fit that."""
    known = {"empty": frozenset[str]()}
    if f"{TIMER}.{POLES[0]}" in sensors.inputs or f"{TIMER}.{GLASS}" in sensors.inputs:
        known |= {
            "set out for level 1 or 2": _as_seen(start_inputs(1), sensors),
            "set out for level 3": _as_seen(start_inputs(3), sensors),
        }
    name, wanted = min(known.items(), key=lambda item: (len(item[1] ^ on), len(item[1])))
    odd = sorted(wanted ^ on)
    if not odd:
        return ok("position", f"The board is {name}.")
    if len(odd) <= _ODD:
        said = _listed(f"{_placed(each, sensors)} is {'on' if each in on else 'off'}" for each in odd)
        advice = "If nothing lies there, the input is stuck: look at its sensor, its solder and its magnet."
        return warning("position", f"The board is {name}, but {said}.", advice)
    return note(
        "position", f"{len(on)} inputs are on: a game lies on the board.", "Clear it to have stuck inputs found."
    )


def _as_seen(on: frozenset[str], sensors: Sensors) -> frozenset[str]:
    """Inputs of the usual board as they are named where a sensor sees one pole only."""
    single = {f"{name.rpartition('.')[0]}.{GLASS}" for name in on}
    return frozenset((on | single) & set(sensors.inputs))


def _placed(name: str, sensors: Sensors) -> str:
    """An input, and where it is soldered."""
    if name not in sensors.inputs:
        return name
    chip, pin = sensors.place(name)
    return f"{name} ({'chip' if isinstance(sensors, Expanders) else 'register'} {chip}, pin {pin})"


def _listed(words: Iterator[str] | Sequence[str]) -> str:
    all_words = list(words)
    more = f" and {len(all_words) - _NAMED} more" if len(all_words) > _NAMED else ""
    return ", ".join(all_words[:_NAMED]) + more
