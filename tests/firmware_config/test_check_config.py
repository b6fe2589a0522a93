"""The command that looks a description over: a short table, or every mistake, with the right exit status."""

import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from gnomon_pi.cli.check_config import check_config
from gnomon_pi.cli.daemon import main
from gnomon_pi.config import image_overlays, variants
from tests.firmware_config.files import text_of


def check(*arguments: str) -> Result:
    result = CliRunner().invoke(check_config, arguments)
    assert result.exception is None or isinstance(result.exception, SystemExit)
    return result


def test_it_is_a_command_of_the_daemon() -> None:
    assert CliRunner().invoke(main, ["check-config", "--board=table"]).exit_code == 0


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a full device is a thing of Linux")
def test_an_output_that_is_full_is_one_sentence() -> None:
    with Path("/dev/full").open("wb") as full:
        ended = subprocess.run(
            [sys.executable, "-c", "from gnomon_pi.cli.daemon import main; main()", "check-config", "--board=table"],
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
        )
    assert (ended.returncode, ended.stderr.decode()) == (1, "Error: the output: No space left on device\n")


def test_a_board_in_order_is_shown_in_a_short_table(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(text_of("tamsk-expanders"), encoding="utf-8-sig")
    result = check(str(path))
    assert (result.exit_code, result.stderr) == (0, "")
    lines = result.stdout.splitlines()
    assert lines[0] == f"{path} describes a TAMSK board."
    assert lines[-1] == f"{path} is in order."
    assert max(map(len, lines[1:-1])) <= 110
    for line in (
        "   140  on 10 expanders MCP23017, 64 read by strobed light",
        "     3  buttons: red, black, arbiter",
        "     4  the interrupt of the sensors",
        "     8  I2C4 data",
        "  SPI1  device 0 at 4000 kHz: lights",
        "  I2C1  data 2, clock 3, 400 kHz: 0x3C display",
        "  I2C4  data 8, clock 9, 400 kHz: 0x20 chip 0, 0x21 chip 1, 0x22 chip 2, 0x23 chip 3, 0x24 chip 4",
        "  A scan takes 3.4 ms of every 10 ms.",
        "config.txt",
        "  dtparam=spi=off",
        "  dtoverlay=i2c-gpio,bus=4,i2c_gpio_sda=8,i2c_gpio_scl=9,i2c_gpio_delay_us=1",
        "    64  emitters QRE1113           20.00 mA   1280.0 mA      275.2 mA",
        "  together at 5 V                             1889.9 mA of 3000 mA",
    ):
        assert line in lines


def test_on_the_image_its_own_overlays_are_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / image_overlays.NAME).touch()
    monkeypatch.setattr(image_overlays, "FILE", tmp_path / image_overlays.NAME)
    lines = check("--board", "tamsk").stdout.splitlines()
    at = lines.index("gnomon-overlays.txt")
    assert lines[at + 1 : at + 4] == [f"  dtoverlay=gnomon-{bus}" for bus in ("spi0", "spi1", "i2c1")]
    assert not any("dtparam" in line for line in lines)


def test_a_board_without_a_supply_is_shown_with_what_it_draws(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    text = text_of("table-pn532")
    supply, reader = text.index("# What the supplies"), text.index("# A PN532")
    bus = "[[i2c]]\nnumber = 3\nsda = 22\nscl = 23\n"
    display = text[:supply].replace(
        "i2c_bus = 1\naddress = 0x3C", "spi_port = 0\nspi_device = 0\nclock_hz = 8_000_000\ndata_command = 24"
    )
    path.write_text(display + text[reader:] + bus, encoding="utf-8")
    lines = check(str(path)).stdout.splitlines()
    assert "  together at 3.3 V                            355.0 mA" in lines
    assert "  SPI0  device 0 at 8000 kHz: display" in lines
    assert "  I2C1  data 2, clock 3, 400 kHz: 0x24 reader" in lines
    assert "  I2C3  data 22, clock 23, 400 kHz: nothing" in lines
    assert not [line for line in lines if "scan" in line]


@pytest.mark.parametrize("variant", ["", *variants("tamsk")])
def test_a_bundled_board_is_checked_by_its_name(variant: str) -> None:
    result = check("--board=tamsk", f"--variant={variant}")
    assert result.exit_code == 0
    assert result.stdout.endswith(f"\ntamsk{'-' if variant else ''}{variant}.toml is in order.\n")


def test_a_board_of_tayu_is_checked_in_its_size() -> None:
    assert "361  on 47 registers" in check("--board=tayu", "--size=19", "--variant=pn532").stdout


def test_a_size_is_for_boards_that_come_in_sizes() -> None:
    result = check("--board=tamsk", "--size=19")
    assert (result.exit_code, result.stderr.splitlines()[-1]) == (
        2,
        "Error: the board tamsk comes in one size only: leave the size out.",
    )


def test_every_mistake_is_one_line_with_its_place_in_the_order_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    text = text_of("tamsk").replace("latch = 25", "latch = 28").replace("brightness = 8", "brightness = 80")
    path.write_text(text.replace('"button.red" = 5', '"button.red" = 6'), encoding="utf-8")
    result = check(str(path))
    assert (result.exit_code, result.stdout) == (1, "")
    *mistakes, last = result.stderr.splitlines()
    assert last == f"{path} has 3 mistakes."
    places = [int(mistake.removeprefix(f"{path}:").partition(":")[0]) for mistake in mistakes]
    assert places == sorted(places)
    assert [mistake.partition(": ")[2][:20] for mistake in mistakes] == [
        "latch must be a whol",
        "pin 6 cannot be butt",
        "brightness must be a",
    ]


def test_one_mistake_is_counted_as_one(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('board = "chess"\n[buttons]\n', encoding="utf-8")
    assert check(str(path)).stderr.splitlines()[-1] == f"{path} has 2 mistakes."
    path.write_text(text_of("table").replace("i2c_bus = 1", "i2c_bus = 0"), encoding="utf-8")
    assert check(str(path)).stderr.splitlines()[-1] == f"{path} has one mistake."


@pytest.mark.parametrize("content", [b"board = ", b"board = \xe4\n"])
def test_what_is_no_description_at_all_is_one_sentence(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "mine.toml"
    path.write_bytes(content)
    result = check(str(path))
    assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (1, "", 1)
    assert result.stderr.startswith(f"{path}:")
    assert check(str(tmp_path / "none.toml")).exit_code == 1


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "Name one: the FILE of a description, or --board"),
        (["my.toml", "--board=tamsk"], "Name one: the FILE of a description, or --board"),
        (["my.toml", "--variant=x"], "--variant and --size choose among the boards that come with the program"),
        (
            ["--board=tamsk", "--variant=x"],
            "the board tamsk has no variant 'x'; there are: boards, expanders, no-lights, one-space, single",
        ),
        (["--board=tayu", "--size=18"], "the program has no board of 18 squares a side"),
        (["--board=chess"], "'chess' is not one of"),
    ],
)
def test_a_wrong_option_is_refused(arguments: list[str], said: str) -> None:
    result = check(*arguments)
    assert result.exit_code == 2
    assert said in " ".join(result.stderr.split())


def test_of_buttons_that_a_board_in_parts_does_not_have_nothing_is_said() -> None:
    result = check("--board=tamsk", "--variant=one-space")
    assert result.exit_code == 0
    assert "buttons" not in result.stdout
