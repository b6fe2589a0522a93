"""The wires of a board against config.txt, the files in /dev, rights, and other users of the pins."""

import re
import struct
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gnomon_pi.config import load_bundled
from gnomon_pi.config.description import (
    BoardDescription,
    Button,
    DisplayWiring,
    Expanders,
    I2cWires,
    OnI2c,
    OnSpi,
    Output,
    Reader,
    SpiDisplay,
)
from gnomon_pi.config.image_overlays import dump as dump_overlays
from gnomon_pi.config.image_overlays import overlays_of
from gnomon_pi.tools.doctor import _buses as buses
from gnomon_pi.tools.doctor import _pins as pins
from gnomon_pi.tools.doctor._boot_config import BootConfig, boot_config
from gnomon_pi.tools.doctor._pins import check_rights, claims
from gnomon_pi.tools.doctor._wires import nodes, wires
from gnomon_pi.tools.doctor.finding import Severity
from gnomon_pi.tools.doctor.machine import UsedLine, UserAccount, debug_lines, used_lines
from tests.conftest import examples
from tests.doctor.machines import PIS, Planted, pc, said, worse


def config_of(planted: Planted, text: str) -> BootConfig:
    """What a config.txt comes to on a machine."""
    planted.plant({"/boot/firmware/config.txt": text})
    return boot_config(planted.machine())


def taken(planted: Planted, text: str) -> dict[str, set[int]]:
    """The pins that the lines of a config.txt take."""
    return {claim.line: set(claim.pins) for claim in claims(config_of(planted, text))}


def display_of(description: BoardDescription) -> DisplayWiring:
    """The display that a board has."""
    assert description.display is not None
    return description.display


# config.txt


def test_only_what_holds_on_this_model_is_read(pi: Planted) -> None:
    config = config_of(
        pi,
        "dtparam=spi=on\n[pi5]\ndtoverlay=gpio-fan\n[pi4]\ndtoverlay=w1-gpio # a thermometer\n"
        "[EDID=BNQ-BenQ]\ndtoverlay=gpio-ir\n[all]\narm_64bit=1\n[none]\ndtparam=i2s=on\n",
    )
    assert [overlay.name for overlay in config.overlays] == ["w1-gpio"]
    assert config.is_on("spi")
    assert not config.is_on("i2s")
    assert config.settings == {"arm_64bit": "1"}


def test_a_zero_2_w_heeds_the_filters_of_a_zero(tmp_path: Path) -> None:
    planted = PIS["Zero 2 W"](tmp_path)
    config = config_of(planted, "[pi0]\ndtparam=spi=on\n[pi02]\ndtparam=i2s=on\n[pi3]\ndtparam=audio=on\n")
    assert config.parameters == {"spi": "on", "i2s": "on"}


def test_parameters_after_an_overlay_are_the_overlays_but_for_those_of_the_board(pi: Planted) -> None:
    config = config_of(
        pi, "dtoverlay=i2c-gpio\ndtparam=i2c_gpio_sda=5,bus=4\ndtparam=spi=on\ndtoverlay=\ndtparam=x=1\n"
    )
    assert [overlay.line() for overlay in config.overlays] == ["dtoverlay=i2c-gpio,i2c_gpio_sda=5,bus=4"]
    assert config.parameters == {"spi": "on", "x": "1"}


def test_included_files_are_read_and_one_that_includes_itself_ends(pi: Planted) -> None:
    pi.plant({"/boot/firmware/more.txt": "include more.txt\ndtparam=spi=on\n"})
    assert config_of(pi, "include more.txt\n").is_on("spi")


def test_the_older_place_is_found_too(pi: Planted) -> None:
    pi.remove("/boot/firmware")
    pi.plant({"/boot/config.txt": "dtparam=spi=on\n"})
    assert boot_config(pi.machine()).path == "/boot/config.txt"


@settings(max_examples=examples(50))
@given(text=st.text(st.sampled_from("[]pi5al=,-:#\n \t0dtoverlayspi1gpio"), max_size=200))
def test_whatever_config_txt_says_it_is_read(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    root = Planted(tmp_path_factory.getbasetemp() / "strange")
    root.plant({"/proc/device-tree/model": "Raspberry Pi 5"})
    assert all(pin >= 0 for claim in claims(config_of(root, text)) for pin in claim.pins)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("dtoverlay=spi1-1cs", {18, 19, 20, 21}),
        ("dtoverlay=spi1-3cs,cs0_pin=7", {7, 17, 16, 19, 20, 21}),
        ("dtoverlay=spi0-1cs,no_miso", {8, 10, 11}),
        ("dtoverlay=spi4-1cs", {4, 5, 6, 7}),
        ("dtoverlay=spi3-1cs-pi5", {4, 5, 6, 7}),
        ("dtoverlay=spi2-1cs", set()),
        ("dtoverlay=gpio-fan", {12}),
        ("dtoverlay=gpio-fan,gpiopin=14,temp=60000", {14}),
        ("dtoverlay=gpio-shutdown", {3}),
        ("dtoverlay=gpio-led,gpio=22", {22}),
        ("dtoverlay=w1-gpio", {4}),
        ("dtoverlay=w1-gpio-pullup", {4, 5}),
        ("dtoverlay=i2c-gpio", {23, 24}),
        ("dtoverlay=i2c3", {4, 5}),
        ("dtoverlay=i2c6,pins_0_1", {0, 1}),
        ("dtoverlay=uart3,ctsrts", {4, 5, 6, 7}),
        ("dtoverlay=uart2-pi5", {4, 5}),
        ("dtoverlay=audremap", {12, 13}),
        ("dtoverlay=audremap,pins_18_19", {18, 19}),
        ("dtoverlay=pwm-2chan", {18, 19}),
        ("dtoverlay=pwm,pin=13,func=4", {13}),
        ("dtoverlay=hifiberry-dacplus", {18, 19, 20, 21}),
        ("dtoverlay=i2s-mmap", set()),
        ("dtoverlay=disable-bt", {14, 15}),
        ("dtoverlay=i2c-rtc,ds3231", set()),
        ("dtoverlay=vc4-kms-v3d", set()),
        ("dtparam=i2s=on", {18, 19, 20, 21}),
        ("enable_uart=1", {14, 15}),
        ("gpio=4,5-6=op,dh", {4, 5, 6}),
        ("dtparam=act_led_gpio=16", {16}),
    ],
)
def test_each_line_takes_its_pins(bare: Planted, line: str, expected: set[int]) -> None:
    assert set().union(*taken(bare, line + "\n").values()) == expected


@pytest.mark.parametrize(
    ("model", "sections"),
    [
        ("Raspberry Pi 3 Model B Plus Rev 1.3", {"pi3", "pi3+"}),
        ("Raspberry Pi Zero W Rev 1.1", {"pi0", "pi0w"}),
        ("Raspberry Pi 400 Rev 1.0", {"pi4", "pi400"}),
        ("Raspberry Pi Compute Module 4 Rev 1.1", {"pi4", "cm4"}),
        ("Raspberry Pi Compute Module 3 Plus Rev 1.0", {"pi3", "cm3", "cm3+", "pi3+"}),
    ],
)
def test_the_filters_of_other_models_are_known(bare: Planted, model: str, sections: set[str]) -> None:
    bare.plant({"/proc/device-tree/model": model})
    every = ("pi0", "pi0w", "pi3", "pi3+", "pi4", "pi400", "pi5", "cm3", "cm3+", "cm4", "cm5")
    config = config_of(bare, "".join(f"[{section}]\n{section}=1\n" for section in every))
    assert set(config.settings) == sections


# Pins


def test_the_bundled_boards_and_their_config_do_not_collide(pi: Planted, tamsk: BoardDescription) -> None:
    assert said(pins.check_pins(pi.machine(), tamsk)) == "ok: pins: Nobody else uses any of the board's 16 pins. > "


@pytest.mark.parametrize(
    ("line", "pin", "purpose"),
    [
        ("dtoverlay=gpio-fan", 12, "the buzzer"),
        ("dtoverlay=gpio-shutdown", 3, "I2C1 of the display"),
        ("dtoverlay=uart3", 5, "button.red"),
        ("dtoverlay=hifiberry-dac", 18, "SPI1 of the lights"),
        ("dtoverlay=spi1-2cs", 17, "the emitters of the sensors"),
        ("dtoverlay=mcp2515-can0", 25, "the latch of the sensors"),
        ("gpio=26=op,dh", 26, "button.arbiter"),
    ],
)
def test_a_line_that_takes_a_pin_of_the_board_is_a_fault(
    bare: Planted, tamsk: BoardDescription, line: str, pin: int, purpose: str
) -> None:
    config_of(bare, line + "\n")
    told = said(worse(pins.check_pins(bare.machine(), tamsk)))
    assert f"FAULT: pins: {line} in config.txt takes " in told
    assert re.search(rf"GPIO [\d/]*\b{pin}\b[\d/]*, which is {purpose}", told)


def test_the_second_chip_select_of_spi0_takes_a_pin_too(pi: Planted, tamsk: BoardDescription) -> None:
    board = replace(tamsk, buttons=(*tamsk.buttons, Button("button.more", 7)))
    assert "Put dtoverlay=spi0-1cs beside" in said(pins.check_pins(pi.machine(), board))
    config_of(pi, "dtparam=spi=on\ndtoverlay=spi0-1cs\n")
    assert worse(pins.check_pins(pi.machine(lines=list), board)) == []


def test_a_software_bus_of_the_board_is_no_collision(pi: Planted, tamsk: BoardDescription) -> None:
    board = replace(
        tamsk,
        display=replace(display_of(tamsk), wires=OnI2c(4, 0x3C)),
        buses=(I2cWires(4, 23, 24, 400_000),),
    )
    config_of(pi, "dtparam=spi=on\ndtoverlay=i2c-gpio,bus=4\n")
    assert {wire.pin for wire in wires(board) if wire.bus == "i2c4"} == {23, 24}
    assert worse(pins.check_pins(pi.machine(), board)) == []
    assert "although config.txt turns the bus on" in said(buses.check_i2c(pi.machine(), board))


def test_a_pin_that_a_program_holds_is_warned_of(pi: Planted, tamsk: BoardDescription) -> None:
    held = (
        UsedLine(26, "lg"),
        UsedLine(6, "lg"),
        UsedLine(5, "gpiomon"),
        UsedLine(8, "spi0 CS0"),
        UsedLine(4, "onewire@0"),
    )
    told = said(worse(pins.check_pins(pi.machine(lines=lambda: held), tamsk)))
    assert (
        "Held by a program that uses lgpio, perhaps gnomond: GPIO 26 (button.arbiter), GPIO 6 (button.black)." in told
    )
    assert "Held by gpiomon: GPIO 5 (button.red)." in told
    assert len(told.splitlines()) == 2


def test_a_kernel_that_does_not_tell_is_a_note(pi: Planted, tamsk: BoardDescription) -> None:
    findings = list(pins.check_pins(pi.machine(lines=lambda: None), tamsk))
    assert [finding.mark for finding in findings] == [Severity.NOTE]


def test_the_lines_of_the_kernel_are_read_from_its_own_structures(tmp_path: Path) -> None:
    chip, other = tmp_path / "gpiochip0", tmp_path / "gpiochip1"
    chip.touch()
    other.touch()
    used = {7: b"spi0 CS1", 17: b""}
    asked: list[int] = []

    def kernel(_number: int, request: int, answer: bytearray) -> int:
        asked.append(request)
        if request == 0x8044B401:
            label = b"raspberrypi-exp-gpio" if asked.count(request) == 1 else b"pinctrl-bcm2711"
            struct.pack_into("32s32sI", answer, 0, b"gpiochip", label, 58)
        else:
            assert len(answer) == request >> 16 & 0x3FFF == 256
            (pin,) = struct.unpack_from("I", answer, 64)
            struct.pack_into("32s32sIIQ", answer, 0, b"GPIO", used.get(pin, b""), pin, 0, int(pin in used))
        return 0

    assert used_lines([other, chip], kernel) == [UsedLine(7, "spi0 CS1"), UsedLine(17, "the kernel")]


def test_devices_that_may_not_be_asked_tell_nothing(tmp_path: Path) -> None:
    (tmp_path / "gpiochip0").touch()
    # A plain file knows no such question.
    assert used_lines([tmp_path / "gpiochip0", tmp_path / "missing"]) is None


def test_the_lines_in_the_debugging_file_are_counted_from_the_chips_first() -> None:
    text = """\
gpiochip0: GPIOs 512-565, parent: platform/fe200000.gpio, pinctrl-bcm2711:
 gpio-519 (GPIO7               |spi0 CS1            ) out hi ACTIVE LOW
 gpio-529 (GPIO17              )
 gpio-554 (RGMII_MDIO          |ethernet            ) in  hi

gpiochip1: GPIOs 566-573, parent: platform/soc:firmware:gpio, raspberrypi-exp-gpio, can sleep:
 gpio-568 (PWR_LED_OFF         |PWR                 ) out hi ACTIVE LOW
"""
    assert debug_lines(text) == [UsedLine(7, "spi0 CS1")]
    assert debug_lines("gpiochip0: GPIOs 0-31, parent: pci, gpio-mock:\n") is None


# Buses


@pytest.mark.parametrize("name", PIS)
@pytest.mark.parametrize("board", ["tamsk", "tayu", "table"])
def test_on_a_pi_that_is_set_up_every_bus_is_there(tmp_path: Path, name: str, board: str) -> None:
    machine, description = PIS[name](tmp_path).machine(), load_bundled(board)
    findings = [*buses.check_i2c(machine, description), *buses.check_spi(machine, description)]
    assert {finding.mark for finding in findings} == {Severity.OK}


def test_a_bus_that_nobody_turned_on_names_the_line(pi: Planted, tamsk: BoardDescription) -> None:
    pi.remove("/dev/i2c-1", "/dev/spidev0.0", "/dev/spidev1.0")
    config_of(pi, "")
    told = said([*buses.check_i2c(pi.machine(), tamsk), *buses.check_spi(pi.machine(), tamsk)])
    assert "Put dtparam=i2c_arm=on,i2c_arm_baudrate=400000 into /boot/firmware/config.txt" in told
    assert "Put dtparam=spi=on into /boot/firmware/config.txt" in told
    assert "Put dtoverlay=spi1-1cs into /boot/firmware/config.txt" in told


def test_a_bus_that_was_turned_on_and_is_not_there_wants_a_restart(pi: Planted, tamsk: BoardDescription) -> None:
    pi.remove("/dev/i2c-1", "/dev/spidev0.0", "/dev/spidev1.0")
    findings = [*buses.check_i2c(pi.machine(), tamsk), *buses.check_spi(pi.machine(), tamsk)]
    assert {finding.advice().split(";")[0] for finding in findings} == {"Restart"}


def image(planted: Planted, overlays: str) -> None:
    """Let a machine have been started from Gnomon's image, with these overlays."""
    planted.plant({"/boot/firmware/gnomon-overlays.txt": overlays})
    config_of(planted, "arm_64bit=1\ninclude gnomon-overlays.txt\n")


@pytest.mark.parametrize("board", ["tamsk", "tamsk-expanders", "tayu", "table"])
def test_on_the_image_the_overlays_of_a_board_are_all_that_it_needs(pi: Planted, board: str) -> None:
    name, _, variant = board.partition("-")
    description = load_bundled(name, None, variant)
    image(pi, dump_overlays(overlays_of(description)))
    pi.plant(
        {f"/sys/class/i2c-adapter/i2c-{bus}/of_node/clock-frequency": (400_000).to_bytes(4, "big") for bus in (4, 6)}
    )
    pi.plant({node.path: "" for node in nodes(description)})
    machine = pi.machine()
    findings = [*buses.check_i2c(machine, description), *buses.check_spi(machine, description)]
    assert {finding.mark for finding in findings} == {Severity.OK}
    assert worse(pins.check_pins(machine, description)) == []
    pi.remove(*(node.path for node in nodes(description)))
    findings = [*buses.check_i2c(machine, description), *buses.check_spi(machine, description)]
    assert {finding.advice().split(";")[0] for finding in findings} == {"Restart"}


def test_on_the_image_an_overlay_takes_pins_as_any_other(pi: Planted, tamsk: BoardDescription) -> None:
    image(pi, "dtoverlay=gnomon-i2c6\ndtoverlay=gnomon-spi0\n")
    assert taken(pi, "include gnomon-overlays.txt\n") == {
        "dtoverlay=gnomon-i2c6": {22, 23},
        "dtoverlay=gnomon-spi0": {7, 8, 9, 10, 11},
    }
    board = replace(tamsk, buttons=(*tamsk.buttons, Button("button.more", 22)))
    assert "dtoverlay=gnomon-i2c6 in config.txt takes GPIO 22" in said(pins.check_pins(pi.machine(), board))


def test_on_the_image_a_bus_is_switched_on_by_the_image_s_own_overlay(pi: Planted, tamsk: BoardDescription) -> None:
    pi.remove("/dev/i2c-1", "/dev/spidev0.0", "/dev/spidev1.0")
    image(pi, "")
    told = said([*buses.check_i2c(pi.machine(), tamsk), *buses.check_spi(pi.machine(), tamsk)])
    for overlay in ("gnomon-i2c1", "gnomon-spi0", "gnomon-spi1"):
        assert f"Put dtoverlay={overlay} into /boot/firmware/gnomon-overlays.txt" in told
    assert "dtparam" not in told
    board = replace(
        tamsk, display=replace(display_of(tamsk), wires=OnI2c(3, 0x3C)), buses=(I2cWires(3, 4, 5, 100_000),)
    )
    assert "The image has no overlay for this bus" in said(buses.check_i2c(pi.machine(), board))


def test_on_the_image_a_clock_is_a_parameter_of_the_overlay(pi: Planted, tamsk: BoardDescription) -> None:
    image(pi, "dtoverlay=gnomon-i2c1\n")
    board = replace(tamsk, buses=(I2cWires(1, 2, 3, 100_000),))
    told = said(worse(buses.check_i2c(pi.machine(), board)))
    assert "Put dtoverlay=gnomon-i2c1,baudrate=100000 into /boot/firmware/gnomon-overlays.txt" in told
    pi.remove("/sys/class/i2c-adapter")
    assert "at 400 kHz" in said(buses.check_i2c(pi.machine(), tamsk))
    image(pi, "dtoverlay=gnomon-i2c1,baudrate=100000\n")
    assert [finding.mark for finding in buses.check_i2c(pi.machine(), board)] == [Severity.OK]


def test_a_slow_bus_is_a_note_for_a_picture_and_a_warning_for_scans(pi: Planted, tamsk: BoardDescription) -> None:
    pi.remove("/sys/class/i2c-adapter")
    config_of(pi, "dtparam=i2c_arm=on\n")
    assert "at 100 kHz: a whole picture takes 93 ms, and 23" in said(buses.check_i2c(pi.machine(), tamsk))
    chips = Expanders((OnI2c(1, 0x20),), 4, Output(17), True, 100, (), (), ())
    board = replace(tamsk, sensors=chips)
    assert "too slow to scan the expanders 100 times" in said(worse(buses.check_i2c(pi.machine(), board)))
    assert "the interrupt of the sensors" in {str(wire.purpose) for wire in wires(board)}


def test_a_bus_that_is_faster_than_described_is_warned_of(pi: Planted, tamsk: BoardDescription) -> None:
    board = replace(tamsk, buses=(I2cWires(1, 2, 3, 100_000),))
    assert "a device may not follow" in said(worse(buses.check_i2c(pi.machine(), board)))


def test_a_display_on_spi_has_its_wires(tamsk: BoardDescription) -> None:
    board = replace(tamsk, display=DisplayWiring("sh1106", SpiDisplay(OnSpi(0, 1, 4_000_000), 24, 23)))
    purposes = {wire.pin: str(wire.purpose) for wire in wires(board)}
    assert purposes[24] == "data or command of the display"
    assert purposes[23] == "the reset of the display"
    assert purposes[7] == "SPI0 of the display"
    assert [node.path for node in nodes(board)] == ["/dev/spidev0.0", "/dev/spidev1.0", "/dev/spidev0.1"]


def test_each_bus_is_told_with_its_own_users(pi: Planted, tamsk: BoardDescription) -> None:
    chips = Expanders((OnI2c(5, 0x20), OnI2c(5, 0x21)), None, None, True, 100, (), (), ())
    board = replace(tamsk, sensors=chips, reader=Reader("pn532", "", {}, OnI2c(1, 0x24)))
    told = said(buses.check_i2c(pi.machine(), board))
    assert "/dev/i2c-1 of the display and the reader is there" in told
    assert "/dev/i2c-5 of the sensors is missing. > Put dtoverlay=i2c5 (or i2c-gpio,bus=5)" in told
    config_of(pi, "dtparam=i2c_vc=on\ndtoverlay=i2c5\n")
    assert "although config.txt turns the bus on" in said(buses.check_i2c(pi.machine(), board))
    assert {wire.pin for wire in wires(board) if wire.bus == "i2c5"} == set()
    zero = replace(board, reader=Reader("pn532", "", {}, OnI2c(0, 0x24)))
    assert "/dev/i2c-0 of the reader is missing although" in said(buses.check_i2c(pi.machine(), zero))


def test_a_chip_select_that_is_missing_names_its_overlay(pi: Planted, tamsk: BoardDescription) -> None:
    display = DisplayWiring("sh1106", SpiDisplay(OnSpi(0, 1, 4_000_000), 24, None))
    pi.remove("/dev/spidev0.1")
    config_of(pi, "dtparam=spi=on\ndtoverlay=spi0-1cs\ndtoverlay=spi1-1cs\n")
    told = said(buses.check_spi(pi.machine(), replace(tamsk, display=display)))
    assert "/dev/spidev0.1 of the display is missing. > Put dtoverlay=spi0-2cs into" in told


# Rights


def test_a_user_in_every_group_may_use_the_board(pi: Planted, tamsk: BoardDescription) -> None:
    told = said(check_rights(pi.machine(), tamsk))
    assert told == "ok: rights: The user may use every device (groups: gpio, i2c, spi). > "


def test_a_device_that_may_not_be_used_names_the_group(pi: Planted, tamsk: BoardDescription) -> None:
    closed = pi.machine(
        may=lambda path, _what: "spidev" not in path.name, account=UserAccount(frozenset({"gpio", "i2c"}))
    )
    told = said(check_rights(closed, tamsk))
    assert "The user may not use /dev/spidev0.0 of the sensors. > Run sudo usermod -aG spi $USER" in told
    assert "/dev/i2c-1" not in told


def test_a_member_of_the_group_is_sent_to_the_file(pi: Planted, tamsk: BoardDescription) -> None:
    closed = pi.machine(may=lambda path, _what: path.name != "gpiochip0")
    assert "look at the file with ls -l /dev/gpiochip0" in said(check_rights(closed, tamsk))


def test_a_reader_is_only_read(pi: Planted, tamsk: BoardDescription) -> None:
    reader = "/dev/input/by-id/usb-SCANNER-event-kbd"
    pi.plant({reader: ""})
    board = replace(tamsk, reader=Reader("keyboard", reader, {}))
    assert (
        worse(check_rights(pi.machine(may=lambda path, what: "SCANNER" not in path.name or what == "read"), board))
        == []
    )
    blind = pi.machine(may=lambda path, _what: "SCANNER" not in path.name, account=UserAccount(frozenset()))
    assert "usermod -aG input" in said(worse(check_rights(blind, board)))


def test_without_pins_there_is_no_board(tmp_path: Path, tamsk: BoardDescription) -> None:
    assert "There is no /dev/gpiochip0" in said(worse(check_rights(pc(tmp_path).machine(), tamsk)))


def test_root_is_told_that_the_service_is_not(pi: Planted, tamsk: BoardDescription) -> None:
    root = pi.machine(account=UserAccount(frozenset({"root"}), is_root=True))
    assert said(check_rights(root, tamsk)).startswith("note: rights: This runs as root")
