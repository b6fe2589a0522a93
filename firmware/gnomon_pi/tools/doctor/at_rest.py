"""Exercise a board's drivers at rest for a few seconds, and check the levels of its sensors.

Scans, buttons, display, lights and reader are tried; inputs that chatter, are stuck or cannot be are found.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

from PIL import Image

from gnomon.games.tamsk.sensing.inputs import GLASS, POLES, TIMER, start_inputs
from gnomon.timekeeping.instants import SECOND, Instant
from gnomon_pi.config.description import BoardDescription, Chain, Expanders, Sensors
from gnomon_pi.drivers.assembly import Drivers
from gnomon_pi.drivers.protocols import DriverError
from gnomon_pi.runtime.clock import Watch
from gnomon_pi.tools.doctor.finding import Finding, fault, note, ok, quantity, warning

SCANS: Final = 300
"""Three seconds at the usual pace: ten hall switches of 20 Hz have looked sixty times each."""

_WIDTH, _HEIGHT = 128, 64
_DARK: Final = (0, 0, 0)
_SURE: Final = {Chain: ", and the last register told its fixed byte each time", Expanders: " by every expander"}
_LATE_SHARE: Final = 0.05  # of the scans that may come late before it is told

Wait = Callable[[Instant], None]
"""Lets time pass until an instant."""
_FLUTTER: Final = 3  # changes: a piece that is put down or taken off in those seconds makes one or two
_ODD: Final = 4  # inputs that may differ from a board that is set out before it is taken for another position
_NAMED: Final = 6  # in one sentence


@dataclass(slots=True)
class ScanRecord:
    """What was seen and measured; times in microseconds."""

    levels: list[int] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)
    taken: list[int] = field(default_factory=list)
    late: list[int] = field(default_factory=list)
    pressed: dict[str, bool] = field(default_factory=dict)
    edges: Counter[str] = field(default_factory=Counter)


def watch_at_rest(
    drivers: Drivers, description: BoardDescription, watch: Watch, wait: Wait, scans: int = SCANS
) -> Iterator[Finding]:
    """What a board does while nobody touches it; the drivers stay open."""
    record = ScanRecord()
    yield from _begin_buttons(drivers, record)
    yield from _answers(drivers, description)
    sensors = description.sensors
    hertz = 100 if sensors is None else sensors.scan_hz
    _scan(drivers, record, watch, wait, SECOND // hertz, scans)
    if sensors is not None:
        yield from _scans(record, SECOND // hertz, _SURE[type(sensors)])
        if record.levels:
            yield from check_levels(record.levels, sensors)
        if drivers.sensors is not None:
            yield from (
                warning("light", told.message, "Shade the board, or move the lamp.")
                for told in drivers.sensors.health()
            )
    yield from _buttons(drivers, record)


def _begin_buttons(drivers: Drivers, record: ScanRecord) -> Iterator[Finding]:
    def report(_stamp: int, name: str, value: bool) -> None:  # noqa: FBT001 - the contract of ButtonDriver
        record.pressed[name] = value
        record.edges[name] += 1

    try:
        drivers.buttons.start(report)
        for _ in range(2):  # It takes two looks to believe that one is down already.
            drivers.buttons.check()
    except DriverError as error:
        yield fault("buttons", f"{_sentence(error)}.", "End other programs that use the pin, or wire it to another.")
    record.edges.clear()  # what was down before we looked is no edge


def _scan(drivers: Drivers, record: ScanRecord, watch: Watch, wait: Wait, period: int, scans: int) -> None:  # noqa: PLR0913, PLR0917 - the world is handed over
    started = watch.now()
    for number in range(scans):
        due = Instant(started + number * period)
        wait(due)
        before = watch.now()
        if drivers.sensors is not None:
            try:
                record.levels.append(drivers.sensors.scan())
            except DriverError as error:
                record.failures.append(_sentence(error))
        record.taken.append(watch.now() - before)
        record.late.append(before - due)


def _scans(record: ScanRecord, period: int, sure: str) -> Iterator[Finding]:
    count = len(record.taken)
    if record.failures:
        said, times = Counter(record.failures).most_common(1)[0]
        share = "Every scan" if len(record.failures) == count else f"{len(record.failures)} of {count} scans"
        more = "" if times == len(record.failures) else " most often"
        yield fault(
            "sensors",
            f"{share} failed{more}: {said}.",
            "Follow the wires from the Pi with a meter: power, clock, data, and the latch of a chain.",
        )
        if len(record.failures) == count:
            return
    else:
        yield ok("sensors", f"All {count} scans were answered{sure}.")
    late = sum(1 for each in record.late if each > period // 2)
    usual, slow = percentile(record.taken, 50), percentile(record.taken, 99)
    beat = f"{usual / 1000:.2f} ms a scan, 99 of 100 within {slow / 1000:.2f} ms"
    jitter = f"they begin at most {percentile(record.late, 99) / 1000:.2f} ms late in 99 of 100"
    if slow > period // 2 or late > count * _LATE_SHARE:
        advice = "End other programs, and look at the clock of the bus: a change is stamped only when it is scanned."
        yield warning("scan time", f"{beat}; {jitter}, {late} of {count} too late.", advice)
    else:
        yield ok("scan time", f"{beat}; {jitter}.")


def _answers(drivers: Drivers, description: BoardDescription) -> Iterator[Finding]:
    """Whether what shows and reads is there."""
    if drivers.display is not None:
        try:
            drivers.display.show(Image.new("1", (_WIDTH, _HEIGHT)))
            yield ok("display", "It acknowledges a whole picture.")
        except DriverError as error:
            advice = "Look at its four wires and its address (sudo i2cdetect -y 1 lists those that answer)."
            yield warning("display", f"{_sentence(error)}.", advice)
    if drivers.lights is not None and description.lights is not None:
        try:
            drivers.lights.show([_DARK] * description.lights.count)
            yield ok("lights", "Their bus takes what is sent; a strip never answers, so look at it.")
        except DriverError as error:
            yield warning("lights", f"{_sentence(error)}.", "Look at their bus in config.txt and at their wires.")
    if drivers.reader is not None and description.reader is not None:
        drivers.reader.start(lambda _stamp, _code: None)
        wrong = drivers.reader.health()
        yield from (
            warning("reader", told.message, "Plug it in, or correct [reader] in the description.") for told in wrong
        )
        if not wrong:
            yield ok("reader", "It is there.")


def _buttons(drivers: Drivers, record: ScanRecord) -> Iterator[Finding]:
    try:
        for _ in range(2):
            drivers.buttons.check()
    except DriverError as error:
        yield fault("buttons", f"{_sentence(error)}.", "End other programs that use the pin, or wire it to another.")
        return
    held = sorted(name for name, is_down in record.pressed.items() if is_down)
    stirred = sorted((name, count) for name, count in record.edges.items() if count)
    for name in held:
        found = f"{name} is down although nobody presses anything."
        yield warning("buttons", found, "Let it go; if nobody holds it, its wire touches ground.")
    for name, count in stirred:
        advice = "If nobody pressed it: shorten its wire, or give it a pull-up of 10 kOhm."
        yield warning("buttons", f"{name} changed {quantity(count, 'time')}.", advice)
    if not held and not stirred:
        yield ok("buttons", "All are up.")


def percentile(values: Sequence[int], percent: int) -> int:
    """The smallest value that so many percent do not exceed; 0 of none."""
    ordered = sorted(values)
    return ordered[max(0, -(-len(ordered) * percent // 100) - 1)] if ordered else 0


def _sentence(error: DriverError) -> str:
    return str(error).rstrip(".")


# The levels of the inputs


def check_levels(levels: Sequence[int], sensors: Sensors) -> Iterator[Finding]:
    """What the scans of a few seconds say; each is one bit an input, in the order of the description."""
    changes = Counter(_changes(levels, sensors.inputs))
    flutter = {name: count for name, count in changes.items() if count >= _FLUTTER}
    if flutter:
        told = _join_words(f"{_name_place(name, sensors)} {count} times" for name, count in sorted(flutter.items()))
        yield warning(
            "chatter",
            f"What nobody touched changed: {told}.",
            "Nobody may touch the board meanwhile; else look for a loose wire or a magnet at the edge of its sensor.",
        )
    elif changes:
        yield note("chatter", f"{_join_words(sorted(changes))} changed: was the board touched?")
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
                f"Look at {_name_place(f'{place}.north', sensors)}, and at {_name_place(name, sensors)}.",
            )
        height = int(kind[4:]) if kind.startswith("ring") and kind[4:].isdecimal() else 1
        below = f"{place}.ring{height - 1}"
        if height > 1 and below not in on:
            yield warning(
                "sensors",
                f"{place} shows ring {height} and none below it.",
                f"Look at {_name_place(below, sensors)}, and at {_name_place(name, sensors)}.",
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
        said = _join_words(f"{_name_place(each, sensors)} is {'on' if each in on else 'off'}" for each in odd)
        advice = "If nothing lies there, the input is stuck: look at its sensor, its solder and its magnet."
        return warning("position", f"The board is {name}, but {said}.", advice)
    return note(
        "position", f"{len(on)} inputs are on: a game lies on the board.", "Clear it to have stuck inputs found."
    )


def _as_seen(on: frozenset[str], sensors: Sensors) -> frozenset[str]:
    """Inputs of the usual board as they are named where a sensor sees one pole only."""
    single = {f"{name.rpartition('.')[0]}.{GLASS}" for name in on}
    return frozenset((on | single) & set(sensors.inputs))


def _name_place(name: str, sensors: Sensors) -> str:
    """An input, and where it is soldered."""
    if name not in sensors.inputs:
        return name
    chip, pin = sensors.place(name)
    return f"{name} ({'chip' if isinstance(sensors, Expanders) else 'register'} {chip}, pin {pin})"


def _join_words(words: Iterator[str] | Sequence[str]) -> str:
    all_words = list(words)
    more = f" and {len(all_words) - _NAMED} more" if len(all_words) > _NAMED else ""
    return ", ".join(all_words[:_NAMED]) + more
