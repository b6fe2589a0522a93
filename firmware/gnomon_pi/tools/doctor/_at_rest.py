"""Exercise a board's drivers at rest for a few seconds: scans, buttons, display, lights and reader.

One cause is one finding: what only follows from another fault is not told.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from PIL import Image

from gnomon.refusals import Statement, statement
from gnomon.timekeeping.instants import SECOND, Instant
from gnomon_pi.config.description import BoardDescription, Chain, Expanders, Sensors
from gnomon_pi.drivers.assembly import Drivers
from gnomon_pi.drivers.protocols import DiagnosticDriver, DriverError
from gnomon_pi.runtime.system.clock import Watch
from gnomon_pi.tools.doctor._levels import check_levels, name_place, seems_inverted
from gnomon_pi.tools.doctor.finding import Finding, fault, ok, warning

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
        closer = () if drivers.sensors is None else _look_closer(drivers.sensors)
        yield from _scans(record, SECOND // hertz, _SURE[type(sensors)], closer)
        if record.levels:
            yield from check_levels(record.levels, sensors)
            is_inverted = seems_inverted(record.levels[-1], sensors)
            if drivers.sensors is not None and not is_inverted:
                yield from _health((*closer, *drivers.sensors.health()), sensors, has_failed=bool(record.failures))
    if description.buttons:  # a board that is tried in parts may have none
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
        yield fault("buttons", error.statement, statement("doctor.buttons.deaf.do"))
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


def _look_closer(sensors: DiagnosticDriver) -> tuple[Statement, ...]:
    """What the driver finds by trying; a chain whose bus fails has told that by its scans."""
    try:
        return sensors.diagnose()
    except DriverError:
        return ()


def _health(told: Iterable[Statement], sensors: Sensors, *, has_failed: bool) -> Iterator[Finding]:
    """What the driver says of its chips and of light, each once."""
    for each in {said.key: said for said in told}.values():
        if each.key == "health.light":  # light seldom falls on one of them alone
            name = str(each.values["input"])
            yield warning("light", statement("doctor.light.single", input=name_place(name, sensors)))
        elif each.key == "health.light.more":
            yield warning("light", each, statement("doctor.light.do"))
        elif each.key.startswith("health.interrupt"):
            yield warning("interrupt", each)
        elif not has_failed:
            yield warning("sensors", each)


def _scans(record: ScanRecord, period: int, sure: Statement, closer: Sequence[Statement]) -> Iterator[Finding]:
    count = len(record.taken)
    if record.failures:
        said = max(record.failures, key=record.failures.count)
        failed = len(record.failures)
        if failed == count:
            chain = [each for each in closer if each.key.startswith("health.sensors")]
            yield fault("sensors", statement("doctor.scans.none", why=chain[0] if chain else said))
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
        yield fault("buttons", error.statement, statement("doctor.buttons.deaf.do"))
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
