"""The computer itself: model, kernel, system, memory, load, supply, heat, clocks, and what the kernel logged."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from gnomon.timekeeping.instants import Instant
from gnomon_pi.tools.doctor import _system as system
from gnomon_pi.tools.doctor._system import (
    check_heat,
    check_kernel_log,
    check_raw_clock,
    check_supply,
    check_wall_clock,
    kernel_lines,
    throttling_flags,
)
from gnomon_pi.tools.doctor.finding import Severity
from tests.doctor.machines import PIS, Planted, Ticking, pc, pi_5, said, worse, zero_2w


@pytest.mark.parametrize(
    ("name", "family", "revision"),
    [("3B", "pi3", "a02082"), ("4B", "pi4", "c03114"), ("5", "pi5", "c04170"), ("Zero 2 W", "pi02", "902120")],
)
def test_each_raspberry_pi_is_known_by_its_name(tmp_path: Path, name: str, family: str, revision: str) -> None:
    machine = PIS[name](tmp_path).machine()
    assert system.family(machine) == family
    (finding,) = system.check_model(machine)
    assert finding.mark is Severity.OK
    assert f"Raspberry Pi {name[0]}" in finding.sentence()
    assert f"revision {revision}" in finding.sentence()


@pytest.mark.parametrize(
    ("model", "family"),
    [
        ("Raspberry Pi 400 Rev 1.0", "pi4"),
        ("Raspberry Pi 500 Rev 1.0", "pi5"),
        ("Raspberry Pi Compute Module 5 Rev 1.0", "pi5"),
        ("Raspberry Pi Zero W Rev 1.1", "pi0"),
        ("Raspberry Pi 2 Model B Rev 1.1", "pi2"),
        ("Raspberry Pi Model B Rev 2", "pi1"),
        ("Radxa ROCK 5B", ""),
    ],
)
def test_other_models_have_a_family_too(bare: Planted, model: str, family: str) -> None:
    bare.plant({"/proc/device-tree/model": model + "\0"})
    assert system.family(bare.machine()) == family


def test_a_pc_is_told_that_it_is_no_raspberry_pi(tmp_path: Path) -> None:
    machine = pc(tmp_path).machine()
    assert said(system.check_model(machine)).startswith("note: model: This computer is not a Raspberry Pi")
    assert "Linux 6.1.0-18-amd64 on x86_64, 64 bits" in said(system.check_kernel(machine))


def test_a_narrow_python_on_a_wide_kernel_is_noted(pi: Planted) -> None:
    assert "Python of 32 bits" in said(system.check_kernel(pi.machine(bits=32)))
    assert said(system.check_kernel(pi.machine())).startswith("ok")


@pytest.mark.parametrize(
    ("codename", "mark"), [("bookworm", Severity.OK), ("trixie", Severity.OK), ("bullseye", Severity.NOTE)]
)
def test_the_systems_that_were_tried_are_known(pi: Planted, codename: str, mark: Severity) -> None:
    pi.plant({"/etc/os-release": f'PRETTY_NAME="Raspbian ({codename})"\nVERSION_CODENAME={codename}\n'})
    assert [finding.mark for finding in system.check_release(pi.machine())] == [mark]


def test_little_memory_is_a_warning_and_swap_on_the_card_a_note(pi: Planted) -> None:
    assert "swap in compressed memory" in said(system.check_memory(pi.machine()))
    pi.plant({"/proc/swaps": "Filename Type\n/dev/mmcblk0p3 partition\n"})
    assert said(system.check_memory(pi.machine())).startswith("note")
    pi.plant({"/proc/meminfo": "MemTotal: 440000 kB\nMemAvailable: 61000 kB\n"})
    assert said(system.check_memory(pi.machine())).startswith("warning: memory: 59 of 429 MB are free")


def test_a_machine_that_is_busier_than_it_has_processors_is_warned_of(pi: Planted) -> None:
    assert said(system.check_load(pi.machine())) == (
        "ok: load: 0.20 over a minute and 0.15 over five, on 4 processors. > "
    )
    pi.plant({"/proc/loadavg": "0.30 4.20 3.00 1/150 900\n"})
    assert worse(system.check_load(pi.machine()))


# Supply and heat


@pytest.mark.parametrize(
    ("bits", "supply", "heat"),
    [
        ("0x0", Severity.OK, Severity.OK),
        ("0x50000", Severity.WARNING, Severity.NOTE),
        ("0x50005", Severity.FAULT, Severity.WARNING),
        ("0x80008", Severity.OK, Severity.WARNING),
        ("0x20000", Severity.OK, Severity.NOTE),
        ("0xe0000", Severity.OK, Severity.NOTE),
    ],
)
def test_the_bits_of_the_firmware_are_told_apart(pi: Planted, bits: str, supply: Severity, heat: Severity) -> None:
    pi.commands["vcgencmd", "get_throttled"] = f"throttled={bits}\n"
    machine = pi.machine()
    assert [finding.mark for finding in check_supply(machine)] == [supply]
    assert [finding.mark for finding in check_heat(machine)] == [heat]


def test_every_bit_has_its_words(pi: Planted) -> None:
    pi.commands["vcgencmd", "get_throttled"] = "throttled=0xe000e\n"
    told = said(check_heat(pi.machine()))
    assert "its clock is capped and it is throttled and it is at its soft limit of heat now" in told


def test_without_the_command_the_kernel_is_asked(pi: Planted) -> None:
    del pi.commands["vcgencmd", "get_throttled"]
    pi.plant({"/sys/devices/platform/soc/soc:firmware/get_throttled": "50000\n"})
    assert throttling_flags(pi.machine()) == 0x50000
    pi.remove("/sys/devices/platform/soc")
    path = "/sys/devices/platform/soc@107c000000/soc@107c000000:firmware/get_throttled"
    pi.plant({path: "1\n"})
    assert throttling_flags(pi.machine()) == 1
    pi.remove(path)
    assert throttling_flags(pi.machine()) is None
    pi.plant({"/sys/class/hwmon/hwmon1/in0_lcrit_alarm": "1\n"})
    assert said(check_supply(pi.machine())).startswith("FAULT: supply: The voltage is too low now.")
    pi.remove("/sys/class/hwmon")
    assert said(check_supply(pi.machine())).startswith("note")


@pytest.mark.parametrize(("told", "mark"), [("48312", "ok"), ("72000", "note"), ("80500", "warning"), ("hot", "note")])
def test_heat_is_judged_by_degrees(pi: Planted, told: str, mark: str) -> None:
    pi.plant({"/sys/class/thermal/thermal_zone0/temp": told})
    assert said(check_heat(pi.machine())).startswith(mark)


# Clocks


def test_a_clock_that_goes_on_evenly_is_well(pi: Planted) -> None:
    assert said(check_raw_clock(pi.machine())).startswith(
        "ok: raw clock: It runs forward in steps of 1 µs or less (clock source arch_sys_counter)"
    )


def test_a_clock_in_coarse_steps_is_warned_of(pi: Planted) -> None:
    assert worse(check_raw_clock(pi.machine(watch=Ticking(step=4_000))))
    pi.plant({"/sys/devices/system/clocksource/clocksource0/current_clocksource": "jiffies\n"})
    assert worse(check_raw_clock(pi.machine()))


class Backwards(Ticking):
    """A watch that once goes back."""

    def now(self) -> Instant:
        now = super().now()
        return Instant(now - 5) if now == 100 else now


def test_a_clock_that_goes_backwards_is_a_fault(pi: Planted) -> None:
    (finding,) = check_raw_clock(pi.machine(watch=Backwards()))
    assert finding.mark is Severity.FAULT


def test_a_date_before_this_program_is_wrong(pi: Planted) -> None:
    machine = pi.machine(watch=Ticking(wall=datetime(1970, 1, 2, tzinfo=UTC)))
    assert "1970-01-02" in said(worse(check_wall_clock(machine)))


def test_who_keeps_the_date_is_told(pi: Planted) -> None:
    assert "Set by a time server; a clock with a battery" in said(check_wall_clock(pi.machine()))
    pi.remove("/run/systemd", "/dev/rtc0", "/sys/class/rtc")
    told = said(check_wall_clock(pi.machine()))
    assert told.startswith("note: date: 2026-11-20 12:00 UTC, not set by a time server; nothing keeps the")
    pi.commands["timedatectl", "show", "-p"] = "yes\n"
    assert said(check_wall_clock(pi.machine())).startswith("ok")


# The kernel's log


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("hwmon hwmon1: Undervoltage detected!", "The voltage was too low, once"),
        ("i2c-bcm2835 fe804000.i2c: i2c transfer timed out", "An I2C bus did not answer, once"),
        ("spi-bcm2835 fe204000.spi: DMA transfer timeout", "An SPI bus failed"),
        ("mmc0: Timeout waiting for hardware interrupt - error", "The card or its file system failed"),
        ("EXT4-fs error (device mmcblk0p2): ext4_lookup", "The card or its file system failed"),
    ],
)
def test_what_the_kernel_complains_of_is_told(pi: Planted, line: str, words: str) -> None:
    pi.commands["dmesg",] = f"[   10.1] {line}\n[   11.0] usb 1-1: new device\n"
    assert words in said(worse(check_kernel_log(pi.machine())))


def test_a_log_that_may_not_be_read_is_a_note_and_the_other_one_is_tried(pi: Planted) -> None:
    del pi.commands["dmesg",]
    assert said(check_kernel_log(pi.machine())).startswith("note")
    pi.commands["journalctl", "-k", "-b"] = "hwmon hwmon1: Undervoltage detected!\n" * 3
    assert "3 times" in said(check_kernel_log(pi.machine()))


def test_only_lines_about_the_board_are_handed_on(tmp_path: Path) -> None:
    machine = pi_5(tmp_path)
    machine.commands["dmesg",] = "wlan0: associated\n" + "gpio stub\n" * 400
    assert kernel_lines(machine.machine()) == ["gpio stub"] * 300


def test_a_zero_2_w_is_a_zero_and_has_a_wireless_too(tmp_path: Path) -> None:
    planted = zero_2w(tmp_path)
    assert system.kernel_version(planted.machine()) == (6, 6, 51)
    planted.plant({"/proc/sys/kernel/osrelease": "strange"})
    assert system.kernel_version(planted.machine()) == (0, 0, 0)
