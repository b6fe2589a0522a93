"""Run all checks in the order of the report, each with a time limit."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from threading import Thread
from typing import Final, NamedTuple

from gnomon.refusals import NOTHING, Statement, statement, statement_of
from gnomon.timekeeping.instants import Instant
from gnomon_pi.config import BoardError
from gnomon_pi.config.description import BoardDescription
from gnomon_pi.drivers.assembly import Drivers
from gnomon_pi.drivers.protocols import DriverError
from gnomon_pi.tools.doctor import _at_rest as at_rest
from gnomon_pi.tools.doctor import _buses as buses
from gnomon_pi.tools.doctor import _installation as installation
from gnomon_pi.tools.doctor import _pins as pins
from gnomon_pi.tools.doctor import _storage as storage
from gnomon_pi.tools.doctor import _system as system
from gnomon_pi.tools.doctor.finding import BoardCheck, Check, Finding, Findings, Severity, fault, note
from gnomon_pi.tools.doctor.machine import Machine

PATIENCE: Final = 20.0
"""Seconds for a check: more than its commands may take together."""

OF_THE_MACHINE: Final[Sequence[tuple[str, Check]]] = (
    ("model", system.check_model),
    ("kernel", system.check_kernel),
    ("system", system.check_release),
    ("Python", system.check_python),
    ("libraries", installation.check_versions),
    ("memory", system.check_memory),
    ("load", system.check_load),
    ("supply", system.check_supply),
    ("heat", system.check_heat),
    ("kernel log", system.check_kernel_log),
    ("raw clock", system.check_raw_clock),
    ("date", system.check_wall_clock),
    ("disk", storage.check_wear),
    ("service", installation.check_service),
    ("safe mode", installation.check_safe_mode),
)
OF_THE_WIRES: Final[Sequence[tuple[str, BoardCheck]]] = (
    ("pin library", installation.check_pin_library),
    ("spidev", installation.check_spidev),
    ("I2C", buses.check_i2c),
    ("SPI", buses.check_spi),
    ("pins", pins.check_pins),
    ("rights", pins.check_rights),
)


class ScanPace(NamedTuple):
    """How a board is watched: how many scans, and what lets time pass between them."""

    scans: int
    wait: Callable[[Instant], None]


@dataclass(frozen=True, slots=True)
class Order:
    """What is to be examined; `describe` raises BoardError, and `open_board` DriverError."""

    journal: Path
    simulated: bool
    describe: Callable[[], BoardDescription]
    open_board: Callable[[BoardDescription], Drivers]
    pace: ScanPace


def examine(machine: Machine, order: Order, patience: float = PATIENCE) -> Iterator[Finding]:
    """Every finding, as each check ends."""
    for subject, check in OF_THE_MACHINE:
        yield from within(patience, subject, partial(check, machine))
    for subject, check_disk in (("file system", storage.check_file_system), ("space", storage.check_space)):
        yield from within(patience, subject, partial(check_disk, machine, order.journal))
    yield from within(patience, "journal", partial(storage.check_journal, order.journal))
    try:
        description = order.describe()
    except BoardError as error:
        yield fault("description", statement_of(error), statement("doctor.description.do"))
        return
    wires: list[Finding] = []
    if not order.simulated:
        yield from within(patience, "config.txt", partial(buses.check_config_file, machine))
        who = installation.holder(machine, order.journal)
        is_held = who is not NOTHING
        seen = replace(machine, lines=lambda: pins.beside_lgpio(machine.lines())) if is_held else machine
        for subject, check_wires in OF_THE_WIRES:
            found = within(patience, subject, partial(check_wires, seen, description))
            wires += found
            yield from found
        if is_held:
            by_hand = statement("doctor.board.stop.hand")
            service = statement("doctor.board.stop.service", unit=installation.UNIT)
            stop = by_hand if who.key else service
            yield note("board", statement("doctor.board.held", who=who, stop=stop))
            return
    # What keeps the board closed is then known already: one cause is one fault.
    closed = note if any(finding.mark is Severity.FAULT for finding in wires) else fault
    look = partial(_board, machine, description, order, closed)
    yield from within(patience + _length(description, order.pace), "board", look)


def within(patience: float, subject: str, check: Callable[[], Findings]) -> Sequence[Finding]:
    """What a check finds in so many seconds; one that fails or takes longer is a note, and the others go on.

    A check that hangs keeps its thread: the command ends all the same.
    """
    found: list[Finding] = []
    failure: list[Exception] = []

    def look() -> None:
        try:
            found.extend(check())
        except Exception as error:  # noqa: BLE001 - whatever a strange machine makes of a check, the others go on
            failure.append(error)

    thread = Thread(target=look, name=f"check {subject}", daemon=True)
    thread.start()
    thread.join(patience)
    if thread.is_alive():
        return [note(subject, statement("doctor.check.late", seconds=f"{patience:.0f}"))]
    broken = [
        note(subject, statement("doctor.check.failed", detail=f"{type(each).__name__}: {each}")) for each in failure
    ]
    return [*found, *broken]


def _length(description: BoardDescription, pace: ScanPace) -> float:
    return pace.scans / (100 if description.sensors is None else description.sensors.scan_hz)


def _board(
    machine: Machine, description: BoardDescription, order: Order, closed: Callable[[str, Statement], Finding]
) -> Iterator[Finding]:
    try:
        drivers = order.open_board(description)
    except DriverError as error:
        yield closed("board", statement("doctor.board.closed", why=error.statement))
        return
    try:
        yield from at_rest.watch_at_rest(drivers, description, machine.watch, order.pace.wait, order.pace.scans)
    finally:
        drivers.close()
