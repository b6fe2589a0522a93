"""The lines of config.txt for each board: the doctor finds every bus with them, and no pin that is taken."""

from pathlib import Path

import pytest

from gnomon_pi.config import examine_board
from gnomon_pi.config.boot_lines import BootLine, boot_lines, model_of, print_lines
from gnomon_pi.tools.doctor._boot_config import boot_config
from gnomon_pi.tools.doctor._buses import check_i2c, check_spi
from gnomon_pi.tools.doctor._pins import check_pins
from tests.doctor.machines import PIS, worse
from tests.firmware_config.files import FOLDER, edited, text_of
from tests.firmware_config.wirings import table

PI_3, PI_4 = "Raspberry Pi 3 Model B Rev 1.2", "Raspberry Pi 4 Model B Rev 1.4"


def lines_of(text: str, model: str = PI_3) -> tuple[BootLine, ...]:
    found = examine_board(text, "x")
    assert found.description is not None, found.mistakes
    return boot_lines(found.description, found.pins, model)


def said(text: str, model: str = PI_3) -> list[str]:
    return [each.line for each in lines_of(text, model)]


def test_the_usual_board_has_its_buses() -> None:
    assert said(text_of("tamsk")) == [
        "dtparam=i2c_arm=on",
        "dtparam=i2c_arm_baudrate=400000",
        "dtparam=spi=on",
        "dtoverlay=spi1-1cs",
    ]
    files = [device for each in lines_of(text_of("tamsk")) for device in each.devices]
    assert files == ["/dev/i2c-1", "/dev/spidev0.0", "/dev/spidev1.0"]


def test_expanders_have_buses_of_their_own_and_no_spi_on_their_pins() -> None:
    text = text_of("tamsk-expanders")
    assert said(text, PI_4) == [
        "dtparam=i2c_arm=on",
        "dtparam=i2c_arm_baudrate=400000",
        "dtparam=spi=off",
        "dtoverlay=i2c4,pins_8_9,baudrate=400000",
        "dtoverlay=i2c6,pins_22_23,baudrate=400000",
        "dtoverlay=spi1-1cs",
    ]
    assert said(text, PI_3)[3:5] == [
        "dtoverlay=i2c-gpio,bus=4,i2c_gpio_sda=8,i2c_gpio_scl=9,i2c_gpio_delay_us=1",
        "dtoverlay=i2c-gpio,bus=6,i2c_gpio_sda=22,i2c_gpio_scl=23,i2c_gpio_delay_us=1",
    ]
    for line in ("dtoverlay=i2c4,pins_8_9,baudrate=400000", "dtoverlay=i2c-gpio,bus=4,i2c_gpio_sda=8"):
        assert line in text  # which the description says too


def test_buses_follow_their_clocks_pins_and_devices() -> None:
    display = '\n[display]\nkind = "ssd1306"\ni2c_bus = 1\naddress = 0x3C\n'
    assert said(table(f"\n[[i2c]]\nnumber = 1\nclock_hz = 100_000\n{display}")) == ["dtparam=i2c_arm=on"]
    other = table("\n[[i2c]]\nnumber = 3\nsda = 22\nscl = 23\nclock_hz = 100_000\n")
    line = "dtoverlay=i2c-gpio,bus=3,i2c_gpio_sda=22,i2c_gpio_scl=23,i2c_gpio_delay_us=2"
    assert said(other, PI_4) == said(other) == [line]
    spi = edited(text_of("tamsk"), "spi_port = 1\nspi_device = 0", "spi_port = 1\nspi_device = 1")
    assert said(edited(spi, "emitters = 17", "emitters = 22"))[-1] == "dtoverlay=spi1-2cs"
    on_spi = '\n[display]\nkind = "ssd1306"\nspi_port = 0\nspi_device = 1\nclock_hz = 4_000_000\ndata_command = 24\n'
    assert lines_of(table(on_spi))[0].devices == ("/dev/spidev0.1",)
    assert said(table("")) == []


@pytest.mark.parametrize("pi", PIS)
@pytest.mark.parametrize("board", sorted(path.name.removesuffix(".toml") for path in FOLDER.iterdir()))
def test_with_these_lines_the_doctor_has_nothing_to_ask_for(tmp_path: Path, pi: str, board: str) -> None:
    planted = PIS[pi](tmp_path)
    found = examine_board(text_of(board), board)
    assert found.description is not None
    lines = boot_lines(found.description, found.pins, model_of(tmp_path / "proc/device-tree/model"))
    planted.plant({"/boot/firmware/config.txt": "\n".join(["dtparam=spi=on", *(each.line for each in lines)])})
    planted.plant({device: "" for each in lines for device in each.devices})
    machine = planted.machine()
    for check in (check_i2c, check_spi, check_pins):
        assert worse(check(machine, found.description)) == []
    planted.remove(*(device for each in lines for device in each.devices))
    # Everything that is missing comes with a restart, and no line is asked for.
    told = [finding.found.key for check in (check_i2c, check_spi) for finding in check(machine, found.description)]
    assert set(told) <= {"doctor.i2c.on", "doctor.spi.on"}
    assert boot_config(machine).is_on("spi") == ("dtparam=spi=off" not in [each.line for each in lines])


def test_a_computer_that_is_no_pi_has_no_name_and_a_wrong_description_no_lines(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert model_of(tmp_path / "none") == ""
    (tmp_path / "wrong.toml").write_text('board = "chess"\n', encoding="utf-8")
    print_lines(str(tmp_path / "wrong.toml"))
    assert capsys.readouterr().out == ""
    print_lines(str(FOLDER / "table-clock.toml"))
    line, same, undone, holds, devices = capsys.readouterr().out.splitlines()[0].split(";")
    assert (line, holds, devices) == ("dtparam=i2c_arm=on", "0", "/dev/i2c-1")
    assert same != undone
