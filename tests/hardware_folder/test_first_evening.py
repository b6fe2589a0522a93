"""The first evening: each step is done on a simulated one-space board, and the doctor says what the page promises."""

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest

from gnomon.timekeeping.instants import Instant
from gnomon_pi.config import load_bundled
from gnomon_pi.config.boot_lines import boot_lines
from gnomon_pi.config.description import BoardDescription, Chain
from gnomon_pi.simulated._virtual_watch import VirtualWatch
from gnomon_pi.simulated.board import SimulatedBoard
from gnomon_pi.simulated.chips.hc165_and_lights import RegisterChain
from gnomon_pi.tools.doctor._at_rest import SCANS, watch_at_rest
from gnomon_pi.tools.wiring._breadboard import one_space
from gnomon_pi.tools.wiring._catalogue import ARTICLES, EYE, HALL_POLE, HC165
from gnomon_pi.tools.wiring._tables import lines_of_magnets

PAGE: Final = (Path(__file__).parents[2] / "hardware/first-evening.md").read_text(encoding="utf-8")
BOARD: Final = load_bundled("tamsk", variant="one-space")
ROWS: Final = re.findall(r"^\| (.+) \| (.*\*.+\*.*) \|$", PAGE, re.MULTILINE)
"""What to do, and what the doctor must say, of all steps."""


class Evening:
    """The board in software, and what the doctor says of it."""

    def __init__(self, description: BoardDescription = BOARD) -> None:
        self.watch = VirtualWatch()
        self.board = SimulatedBoard(description, now=self.watch.now, later=self.watch.later)

    @property
    def chain(self) -> RegisterChain:
        assert self.board.chain is not None
        return self.board.chain

    def on(self, *names: str) -> None:
        for name in names:
            self.board.set_input(name, True)

    def look(self) -> str:
        def wait(instant: Instant) -> None:
            self.watch.go_to(instant)

        found = watch_at_rest(self.board.drivers, self.board.description, self.watch, wait)
        return "\n".join(f"{each.mark.name.lower()}: {each.sentence()}" for each in found)


def torch(evening: Evening) -> None:
    evening.chain.dazzle("A1.ring1")


DONE: Final[tuple[Callable[[Evening], object], ...]] = (
    lambda evening: evening.chain.hold_data(False),  # the Pi pulls an open MISO down
    lambda _evening: None,
    lambda evening: evening.chain.corrupt_canary(0x71),
    lambda evening: evening.on("A1.north"),
    lambda _evening: None,
    lambda evening: evening.on("A1.north"),
    lambda evening: evening.on("A1.south"),
    lambda _evening: None,
    lambda evening: evening.on("A1.ring1"),
    torch,
    lambda evening: evening.on("A1.ring1"),
)


@pytest.mark.parametrize(("row", "do"), list(zip(ROWS, DONE, strict=True)), ids=[row[0] for row in ROWS])
def test_the_doctor_says_what_the_page_promises(row: tuple[str, str], do: Callable[[Evening], object]) -> None:
    evening = Evening()
    do(evening)
    told = evening.look()
    promised = re.findall(r"\*(.+?)\*", row[1])
    assert promised
    for sentence in promised:
        assert sentence in told
    marks = {line.split(":")[0] for line in told.splitlines()} - {"ok", "note"}
    mark = row[1].partition(":")[0].lower() if ":" in row[1].partition("*")[0] else ""
    assert marks <= ({mark} if mark in {"fault", "warning"} else {"warning"})
    evening.board.close()


def test_exchanged_wires_of_the_canary_read_as_the_page_says() -> None:
    assert isinstance(BOARD.sensors, Chain)
    bits = [BOARD.sensors.canary >> bit & 1 for bit in range(8)]
    bits[6], bits[7] = bits[7], bits[6]  # G in row 17, H in row 18
    assert sum(bit << number for number, bit in enumerate(bits)) == 0x71


def test_the_number_of_scans_and_the_pause_are_those_of_the_program() -> None:
    assert f"All {SCANS} scans" in PAGE
    assert isinstance(BOARD.sensors, Chain)
    assert BOARD.sensors.settle_us == 850
    full = load_bundled("tamsk").sensors
    assert isinstance(full, Chain)
    clocked = [chain.registers * 8 / chain.clock_hz * 1e6 for chain in (full, BOARD.sensors)]
    assert f"T1 − {clocked[0] - clocked[1]:.0f} µs" in PAGE
    assert [each.line for each in boot_lines(BOARD, {}, "")] == ["dtparam=spi=on"]


def test_the_prices_are_those_of_the_parts_lists() -> None:
    for part, name in ((HC165, "74HC165"), (HALL_POLE, "DRV5032DULPG"), (EYE, "QRE1113")):
        (row,) = re.findall(rf"^\| {name}.*× (\d\.\d\d) EUR \|", PAGE, re.MULTILINE)
        assert round(float(row) * 100) == ARTICLES[part].cents


def test_the_pauses_of_both_boards_follow_from_what_is_measured() -> None:
    assert isinstance(BOARD.sensors, Chain)
    here = BOARD.sensors.registers * 8
    for variant in ("", "boards"):
        chain = load_bundled("tamsk", variant=variant).sensors
        assert isinstance(chain, Chain)
        clocked = chain.registers * 8 * 1_000_000 // chain.clock_hz
        row = f"| {clocked} µs | T1 − {clocked - here} µs | twice T1, less {clocked - 2 * here} µs |"
        assert f", {chain.registers} registers {row}" in PAGE


def test_the_magnets_are_those_of_the_glasses() -> None:
    (magnets,) = (line for line in lines_of_magnets(load_bundled("tamsk")) if line.value == "magnet")
    size = magnets.package.removeprefix("disc ")
    assert f"| disc magnets of {size} | 2 × {magnets.cents / 100:.2f} EUR |" in PAGE


def test_the_wires_are_counted() -> None:
    to_the_pi = [
        wire for wire in one_space(BOARD).wires if {leg.hole[:4] for leg in wire.legs} & {"GPIO", "3V3", "GND"}
    ]
    others = len(one_space(BOARD).wires) - len(to_the_pi)
    assert f"jumper wires: {others} for the breadboard, {len(to_the_pi)} with a socket" in PAGE


def test_a_slower_pause_is_heeded_by_the_board() -> None:
    assert isinstance(BOARD.sensors, Chain)
    evening = Evening(replace(BOARD, sensors=replace(BOARD.sensors, settle_us=20)))
    evening.on("A1.ring1")
    assert "A1.ring1 (register 0, pin C) is on" in evening.look()
    evening.board.close()
