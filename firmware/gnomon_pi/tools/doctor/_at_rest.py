"""Exercise a board's drivers at rest for a few seconds, and check the levels of its sensors.

Scans, buttons, display, lights and reader are tried; inputs that chatter, are stuck or cannot be are found.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

from PIL import Image

from gnomon.games.tamsk.sensing.inputs import GLASS, POLES, TIMER, start_inputs
from gnomon.refusals import Statement, statement
from gnomon.timekeeping.instants import SECOND, Instant
from gnomon_pi.config.description import BoardDescription, Chain, Expanders, Sensors
from gnomon_pi.drivers.assembly import Drivers
from gnomon_pi.drivers.protocols import DriverError
from gnomon_pi.runtime.clock import Watch
from gnomon_pi.tools.doctor.finding import Finding, fault, note, ok, warning

SCANS: Final = 300
"""Three seconds at the usual pace: ten hall switches of 20 Hz have looked sixty times each."""

_WIDTH, _HEIGHT = 128, 64
_DARK: Final = (0, 0, 0)
_SURE: Final[Mapping[type[Sensors], Statement]] = {
    Chain: statement("doctor.scans.all.chain"),
    Expanders: statement("doctor.scans.all.expanders"),
}
"""How sure it is that every scan was answered."""
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
    failures: list[Statement] = field(default_factory=list)
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
            yield from (warning("light", told, statement("doctor.light.do")) for told in drivers.sensors.health())
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
        yield fault("buttons", error.statement, statement("doctor.buttons.do"))
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
                record.failures.append(error.statement)
        record.taken.append(watch.now() - before)
        record.late.append(before - due)


def _scans(record: ScanRecord, period: int, sure: Statement) -> Iterator[Finding]:
    count = len(record.taken)
    if record.failures:
        said = max(record.failures, key=record.failures.count)
        failed = len(record.failures)
        if failed == count:
            yield fault("sensors", statement("doctor.scans.none", why=said))
            return
        always = record.failures.count(said) == failed
        key = "doctor.scans.failed" if always else "doctor.scans.failed.often"
        yield fault("sensors", Statement(key, {"failed": failed, "scans": count, "why": said}))
    else:
        yield ok("sensors", statement("doctor.scans.all", scans=count, sure=sure))
    late = sum(1 for each in record.late if each > period // 2)
    usual, slow = percentile(record.taken, 50), percentile(record.taken, 99)
    times = {"usual": _ms(usual), "slow": _ms(slow), "begins": _ms(percentile(record.late, 99))}
    if slow > period // 2 or late > count * _LATE_SHARE:
        yield warning("scan time", Statement("doctor.scan_time.late", {**times, "late": late, "scans": count}))
    else:
        yield ok("scan time", Statement("doctor.scan_time", times))


def _answers(drivers: Drivers, description: BoardDescription) -> Iterator[Finding]:
    """Whether what shows and reads is there."""
    if drivers.display is not None:
        try:
            drivers.display.show(Image.new("1", (_WIDTH, _HEIGHT)))
            yield ok("display", statement("doctor.display"))
        except DriverError as error:
            yield warning("display", error.statement, statement("doctor.display.mend"))
    if drivers.lights is not None and description.lights is not None:
        try:
            drivers.lights.show([_DARK] * len(description.lights.shown))
            yield ok("lights", statement("doctor.lights"))
        except DriverError as error:
            yield warning("lights", error.statement, statement("doctor.lights.mend"))
    if drivers.reader is not None and description.reader is not None:
        drivers.reader.start(lambda _stamp, _code: None)
        wrong = drivers.reader.health()
        yield from (warning("reader", told, statement("doctor.reader.mend")) for told in wrong)
        if not wrong:
            yield ok("reader", statement("doctor.reader"))


def _buttons(drivers: Drivers, record: ScanRecord) -> Iterator[Finding]:
    try:
        for _ in range(2):
            drivers.buttons.check()
    except DriverError as error:
        yield fault("buttons", error.statement, statement("doctor.buttons.do"))
        return
    held = sorted(name for name, is_down in record.pressed.items() if is_down)
    stirred = sorted((name, count) for name, count in record.edges.items() if count)
    for name in held:
        yield warning("buttons", statement("doctor.buttons.down", input=name))
    for name, count in stirred:
        key = "doctor.buttons.stirred.one" if count == 1 else "doctor.buttons.stirred.other"
        yield warning("buttons", Statement(key, {"input": name, "number": count}))
    if not held and not stirred:
        yield ok("buttons", statement("doctor.buttons"))


def percentile(values: Sequence[int], percent: int) -> int:
    """The smallest value that so many percent do not exceed; 0 of none."""
    ordered = sorted(values)
    return ordered[max(0, -(-len(ordered) * percent // 100) - 1)] if ordered else 0


def _ms(microseconds: int) -> str:
    return f"{microseconds / 1000:.2f}"


# The levels of the inputs


def check_levels(levels: Sequence[int], sensors: Sensors) -> Iterator[Finding]:
    """What the scans of a few seconds say; each is one bit an input, in the order of the description."""
    changes = Counter(_changes(levels, sensors.inputs))
    flutter = {name: count for name, count in changes.items() if count >= _FLUTTER}
    if flutter:
        told = _list_inputs(
            statement("doctor.chatter.input", input=_name_place(name, sensors), times=count)
            for name, count in sorted(flutter.items())
        )
        yield warning("chatter", statement("doctor.chatter", inputs=told))
    elif changes:
        yield note("chatter", statement("doctor.chatter.touched", inputs=_list_inputs(sorted(changes))))
    else:
        yield ok("chatter", statement("doctor.chatter.none", number=len([name for name in sensors.inputs if name])))
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
            north, south = _name_place(f"{place}.north", sensors), _name_place(name, sensors)
            yield warning("sensors", statement("doctor.sensors.poles", place=place, north=north, south=south))
        height = int(kind[4:]) if kind.startswith("ring") and kind[4:].isdecimal() else 1
        below = f"{place}.ring{height - 1}"
        if height > 1 and below not in on:
            lower, upper = _name_place(below, sensors), _name_place(name, sensors)
            yield warning(
                "sensors", statement("doctor.sensors.gap", place=place, ring=height, lower=lower, upper=upper)
            )


def _position(on: set[str], sensors: Sensors) -> Finding:
    """Whether the board looks empty or set out, and which inputs do not fit that."""
    known = {"empty": (statement("doctor.position.empty"), frozenset[str]())}
    if f"{TIMER}.{POLES[0]}" in sensors.inputs or f"{TIMER}.{GLASS}" in sensors.inputs:
        known |= {
            "start": (statement("doctor.position.start"), _as_seen(start_inputs(1), sensors)),
            "start3": (statement("doctor.position.start3"), _as_seen(start_inputs(3), sensors)),
        }
    told, wanted = min(known.values(), key=lambda each: (len(each[1] ^ on), len(each[1])))
    odd = sorted(wanted ^ on)
    if not odd:
        return ok("position", statement("doctor.position", how=told))
    if len(odd) <= _ODD:
        said = _list_inputs(
            statement("doctor.position.on" if each in on else "doctor.position.off", input=_name_place(each, sensors))
            for each in odd
        )
        return warning("position", statement("doctor.position.but", how=told, inputs=said))
    return note("position", statement("doctor.position.game", number=len(on)))


def _as_seen(on: frozenset[str], sensors: Sensors) -> frozenset[str]:
    """Inputs of the usual board as they are named where a sensor sees one pole only."""
    single = {f"{name.rpartition('.')[0]}.{GLASS}" for name in on}
    return frozenset((on | single) & set(sensors.inputs))


def _name_place(name: str, sensors: Sensors) -> Statement:
    """An input, and where it is soldered."""
    if name not in sensors.inputs:
        return Statement.plain(name)
    chip, pin = sensors.place(name)
    if isinstance(sensors, Expanders):
        return statement("doctor.place.chip", input=name, chip=chip, pin=pin)
    return statement("doctor.place.register", input=name, register=chip, pin=pin)


def _list_inputs(inputs: Iterable[object]) -> object:
    """Some inputs, of many the first ones and how many more there are."""
    every = list(inputs)
    named = every[:_NAMED]
    return named if every == named else statement("doctor.more", inputs=named, number=len(every) - _NAMED)
