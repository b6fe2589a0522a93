"""The checks together: whole machines, checks that fail or hang, and the board that a running daemon has."""

import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gnomon.refusals import Statement
from gnomon_pi.config import BoardError
from gnomon_pi.config.description import BoardDescription
from gnomon_pi.drivers.assembly import Drivers
from gnomon_pi.drivers.protocols import DriverError
from gnomon_pi.simulated._virtual_watch import VirtualWatch
from gnomon_pi.simulated.board import SimulatedBoard
from gnomon_pi.tools.doctor.examination import OF_THE_MACHINE, OF_THE_WIRES, Order, ScanPace, examine, within
from gnomon_pi.tools.doctor.finding import Finding, exit_code, ok
from gnomon_pi.tools.doctor.machine import UsedLine
from tests.conftest import examples
from tests.doctor.machines import PIS, Planted, Ticking, pc, said, worse


def order(tamsk: BoardDescription, journal: Path, *, simulated: bool = False) -> Order:
    """An order for the TAMSK board, whose drivers are the real ones on emulated chips."""
    watch = VirtualWatch()

    def open_board(description: BoardDescription) -> Drivers:
        return SimulatedBoard(description, now=watch.now, later=watch.later).drivers

    # The board is watched by the machine's watch, which goes on by itself.
    return Order(journal, simulated, lambda: tamsk, open_board, ScanPace(3, lambda _instant: None))


@pytest.mark.parametrize("name", PIS)
def test_a_healthy_raspberry_pi_has_nothing_worse_than_a_note(
    tmp_path: Path, tamsk: BoardDescription, name: str
) -> None:
    machine = PIS[name](tmp_path / "root").machine()
    found = list(examine(machine, order(tamsk, tmp_path / "journal")))
    assert worse(found) == []
    assert exit_code(found) == 0
    assert {"model", "supply", "raw clock", "journal", "I2C1", "SPI0.0", "pins", "rights", "sensors", "buttons"} <= {
        finding.subject for finding in found
    }


def test_on_a_pc_a_simulated_board_is_well_and_wires_are_not_looked_for(
    tmp_path: Path, tamsk: BoardDescription
) -> None:
    found = list(examine(pc(tmp_path / "root").machine(), order(tamsk, tmp_path / "journal", simulated=True)))
    assert worse(found) == []
    assert "ok: position: The board is empty." in said(found)
    assert "config.txt" not in said(found)


def test_on_a_pc_without_simulation_the_wires_are_faults(tmp_path: Path, tamsk: BoardDescription) -> None:
    def refuse(_description: BoardDescription) -> Drivers:
        message = "The pins cannot be opened: no chip."
        raise DriverError(message)

    wanted = replace(order(tamsk, tmp_path / "journal"), open_board=refuse)
    found = list(examine(pc(tmp_path / "root").machine(), wanted))
    assert exit_code(found) == 2
    assert "FAULT: pins: " in said(found)
    assert "note: board: It cannot be opened: The pins cannot be opened: no chip." in said(found)


def test_a_board_that_stays_closed_for_no_other_fault_is_a_fault(
    pi: Planted, tmp_path: Path, tamsk: BoardDescription
) -> None:
    def refuse(_description: BoardDescription) -> Drivers:
        message = "The pins cannot be opened: no chip."
        raise DriverError(message)

    found = list(examine(pi.machine(), replace(order(tamsk, tmp_path / "journal"), open_board=refuse)))
    assert [finding.subject for finding in worse(found)] == ["board"]
    assert exit_code(found) == 2


def test_a_description_that_is_wrong_is_a_fault_and_the_machine_is_still_looked_at(
    pi: Planted, tmp_path: Path, tamsk: BoardDescription
) -> None:
    def describe() -> BoardDescription:
        message = "mine.toml, line 3: pin 5 is taken"
        raise BoardError(message)

    found = list(examine(pi.machine(), replace(order(tamsk, tmp_path / "journal"), describe=describe)))
    assert said(worse(found)).startswith("FAULT: description: mine.toml, line 3: pin 5 is taken.")
    assert found[0].subject == "model"


def test_a_board_that_a_daemon_has_is_left_alone(pi: Planted, tmp_path: Path, tamsk: BoardDescription) -> None:
    pi.commands["systemctl", "show", "gnomond.service"] = (
        "LoadState=loaded\nUnitFileState=enabled\nActiveState=active\nSubState=running\nWatchdogUSec=10s\n"
    )

    def open_board(_description: BoardDescription) -> Drivers:
        pytest.fail("the daemon's pins were touched")

    machine = pi.machine(lines=lambda: (UsedLine(26, "lg"),))
    found = list(examine(machine, replace(order(tamsk, tmp_path / "journal"), open_board=open_board)))
    assert worse(found) == []
    assert "note: board: gnomond.service has the board" in said(found)
    assert "Stop it first (sudo systemctl stop gnomond.service)" in said(found)


def test_a_check_that_fails_is_a_note_and_keeps_what_it_found() -> None:
    def burn() -> Iterator[Finding]:
        yield ok("smoke", Statement.plain("some"))
        message = "fire"
        raise ArithmeticError(message)

    assert said(within(5, "smoke", burn)) == (
        "ok: smoke: some. > \nnote: smoke: This could not be checked: ArithmeticError: fire. > "
    )


def test_a_check_that_hangs_is_given_up() -> None:
    let_go = threading.Event()

    def hang() -> Iterator[Finding]:
        let_go.wait()
        yield ok("never", Statement.plain("told"))

    found = within(0, "disk", hang)
    let_go.set()
    assert said(found) == "note: disk: This check was given up after 0 s without an answer. > "


FILES = (
    "/proc/device-tree/model",
    "/proc/meminfo",
    "/proc/swaps",
    "/proc/loadavg",
    "/proc/mounts",
    "/proc/sys/kernel/osrelease",
    "/etc/os-release",
    "/boot/firmware/config.txt",
    "/sys/class/thermal/thermal_zone0/temp",
    "/sys/devices/platform/soc/soc:firmware/get_throttled",
    "/sys/class/hwmon/hwmon1/name",
    "/sys/class/rtc/rtc0/name",
    "/sys/fs/ext4/mmcblk0p2/errors_count",
    "/sys/block/mmcblk0/device/life_time",
    "/sys/class/i2c-adapter/i2c-1/of_node/clock-frequency",
)
WORDS = st.one_of(
    st.binary(max_size=60),
    st.lists(st.sampled_from(["MemAvailable:", " kB", "9" * 400, "-1", "0x", "=", "\n", "rpi_volt", "²", "1.5 "])).map(
        lambda words: "".join(words).encode()
    ),
)


@given(words=WORDS)
@settings(max_examples=examples(20), suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_whatever_a_machine_says_no_check_fails(
    tmp_path_factory: pytest.TempPathFactory, tamsk: BoardDescription, words: bytes
) -> None:
    root = Planted(tmp_path_factory.getbasetemp() / "mad")
    root.plant(dict.fromkeys(FILES, words))
    root.plant({"/dev/i2c-1": ""})
    text = words.decode("utf-8", "replace")
    machine = root.machine(command=lambda _command: text, watch=Ticking())
    for _, check in OF_THE_MACHINE:
        assert all(finding.sentence() for finding in check(machine))
    for _, wired in OF_THE_WIRES:
        assert all(finding.sentence() for finding in wired(machine, tamsk))


def test_an_unreadable_machine_is_a_list_of_notes(tmp_path: Path, tamsk: BoardDescription) -> None:
    machine = Planted(tmp_path / "nothing").machine(command=lambda _command: None)
    found = [finding for _, check in OF_THE_MACHINE for finding in check(machine)]
    assert worse(found) == []
    assert all(list(check(machine, tamsk)) is not None for _, check in OF_THE_WIRES)
