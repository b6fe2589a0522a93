"""What must not leave a machine: properties of the redaction, and a report of a machine with secrets everywhere."""

import ipaddress
import json
import re
import string
import uuid
import zipfile
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from gnomon.records.journal.entries import GameStart
from gnomon.records.journal.writer import Journal
from gnomon.refusals import Statement, statement
from gnomon.timekeeping.instants import Instant
from gnomon_pi.config import bundled_text
from gnomon_pi.tools.doctor import bundle
from gnomon_pi.tools.doctor.bundle import Known, collect_known, redact
from gnomon_pi.tools.doctor.finding import Severity, note, warning
from tests.doctor.machines import GOOD_CONFIG, VERSIONS, Planted

NOBODY = Known()
NAMES = st.from_regex(r"[a-z][a-z0-9_-]{2,15}[a-z0-9]", fullmatch=True)
AROUND = st.sampled_from(["", " ", "x = ", "[ 3.14] ", "(", "/", '"', ","])
HEX = "0123456789abcdef"
TOKENS = st.text(string.ascii_letters + string.digits, min_size=24, max_size=60).filter(
    lambda text: any(map(str.isdigit, text)) and any(map(str.isalpha, text))
)
PLAIN = st.text(st.sampled_from(string.ascii_letters + string.digits + " .,:;=/@-_#\"'<>()\n"), max_size=200)


@given(st.ip_addresses(), AROUND, st.sampled_from(["", " ", ")", ", up", "/24"]))
def test_no_address_of_the_network_is_left(
    address: ipaddress.IPv4Address | ipaddress.IPv6Address, before: str, after: str
) -> None:
    assume(not address.is_unspecified and not str(address).startswith("0."))
    assert str(address) not in redact(f"{before}{address}{after}", NOBODY)


@given(st.binary(min_size=6, max_size=6), st.sampled_from(":-"), st.booleans(), AROUND)
def test_no_number_of_a_network_card_is_left(number: bytes, between: str, upper: bool, before: str) -> None:
    written = number.hex(between)
    written = written.upper() if upper else written
    assert written not in redact(f"{before}{written} is up", NOBODY)


@given(st.uuids(), AROUND)
def test_no_number_of_a_disk_is_left(number: uuid.UUID, before: str) -> None:
    assert str(number) not in redact(f"{before}{number} /", NOBODY)
    assert number.hex not in redact(f"{before}{number.hex} /", NOBODY)


@given(
    TOKENS, st.sampled_from(["psk=", "  wpa_passphrase: ", "password = ", "API_KEY=", "Bearer ", "token ", "auth ", ""])
)
def test_no_token_is_left(token: str, before: str) -> None:
    assert token not in redact(f"{before}{token}\nnext", NOBODY)


@given(st.text(string.ascii_letters + string.digits + "!$%&/()=? ", min_size=8).map(str.strip).filter(len))
@example("correct horse battery")
def test_what_stands_behind_the_name_of_a_secret_is_gone_to_the_end_of_the_line(secret: str) -> None:
    for key in ("psk", "wifi.password", "PASSWORD", "client_secret", "ssid", "Serial"):
        assert redact(f"{key}={secret}\n[all]", NOBODY) == f"{key}=<secret>\n[all]"


@given(NAMES, NAMES, AROUND)
def test_names_of_this_machine_and_its_people_are_gone(host: str, user: str, before: str) -> None:
    assume(host != user and not re.search(r"home|host|user", f"{host}{user}"))
    known = Known(frozenset({host}), frozenset({user}), frozenset({f"/home/{user}"}))
    left = redact(f"{before}{user} on {host.upper()} wrote /home/{user}/x and {user}@{host}", known)
    words = re.findall(r"[a-z0-9_-]+", re.sub(r"<\w+>", " ", left.lower()))
    assert user not in words
    assert host not in words


@given(PLAIN, NAMES)
def test_what_was_redacted_once_stays_as_it_is(text: str, name: str) -> None:
    known = Known(frozenset({name}), frozenset({"ada"}), frozenset({"/home/ada"}), frozenset({"100000003d1d1c1b"}))
    once = redact(text, known)
    assert redact(once, known) == once


@pytest.mark.parametrize(
    "line",
    [
        "dtoverlay=spi1-1cs,cs0_pin=18",
        "dtparam=i2c_arm=on,i2c_arm_baudrate=400000",
        "[    2.345678] i2c-bcm2835 fe804000.i2c: i2c transfer timed out",
        "[    0.9] spi-bcm2835 fe204000.spi: registered host spi0",
        "soc@107c000000 1f000d0000.gpiomem",
        "Linux 6.12.25+rpt-rpi-2712 on aarch64, gpiozero 2.0.1.post3, lgpio 0.2.2.0, SQLite 3.40.1",
        "2026-11-20T12:34:56+00:00 and 12:34:56",
        '"D4.north" = 140',
        "GPIO 26, button.arbiter, is held by gpiomon.",
        "Raspberry Pi Zero 2 W Rev 1.0, revision 902120",
    ],
)
def test_what_helps_is_left(line: str) -> None:
    assert redact(line, Known(users=frozenset({"ada"}))) == line


def test_names_that_are_everybodys_are_left(pi: Planted) -> None:
    pi.plant(
        {
            "/etc/hostname": "raspberrypi\n",
            "/proc/sys/kernel/hostname": "raspberrypi",
            "/etc/passwd": "pi:x:1000:1000:::\n",
        }
    )
    machine = pi.machine(environment={"USER": "root"})
    known = collect_known(machine)
    assert (
        redact("A Raspberry Pi 4, raspberrypi, of pi and root", known)
        == "A Raspberry Pi 4, raspberrypi, of pi and root"
    )


# The whole report

SECRETS = {
    "adas-board": "its name",
    "ada": "her account",
    "Lovelace": "her name",
    "/home/ada": "her folder",
    "100000003d1d1c1b": "the number of the Pi",
    "0123456789abcdef0123456789abcdef": "the number of the installation",
    "0x5f3759df": "the number of the card",
    "b8:27:eb:12:34:56": "the network card",
    "192.168.178.23": "an address",
    "fe80::ba27:ebff:fe12:3456": "another",
    "hunter2hunter": "a password",
    "FRITZ!Box 7590": "a network",
    "ghp_16C7e42F292c6912E7710c838347Ae178B4a": "a token",
    "ada@example.org": "her address",
    "1b2c3d4e-02": "a partition",
    "ACME_Scanner_00A1B2C3D4": "a scanner",
    "Grace": "a player",
}


ALL_OF_THEM = """\
adas-board ada@adas-board: Ada Lovelace in /home/ada/games, PARTUUID=1b2c3d4e-02
Serial: 100000003d1d1c1b, machine 0123456789abcdef0123456789abcdef
wlan0: b8:27:eb:12:34:56 has 192.168.178.23 and fe80::ba27:ebff:fe12:3456
psk=hunter2hunter
ssid: FRITZ!Box 7590
cloned https://ada:hunter2hunter@example.org/x with ghp_16C7e42F292c6912E7710c838347Ae178B4a
mail ada@example.org about /dev/input/by-id/usb-ACME_Scanner_00A1B2C3D4-event-kbd"""


@pytest.fixture
def secretive(pi: Planted) -> Planted:
    """A Raspberry Pi that says secrets wherever it may speak."""
    gpio = "\n".join(f"gpio i2c spi {line}" for line in ALL_OF_THEM.splitlines())
    pi.plant(
        {
            "/boot/firmware/config.txt": f"{GOOD_CONFIG}\n{ALL_OF_THEM}\n",
            "/sys/block/mmcblk0/device/serial": "0x5f3759df\n",
            "/etc/hosts": "127.0.0.1 localhost\n127.0.1.1 adas-board.fritz.box adas-board # mine\n",
            "/proc/cpuinfo": "Serial\t\t: 100000003d1d1c1b\n",
        }
    )
    pi.commands["dmesg",] = f"{gpio}\nmmc0: card 0x5f3759df\nhwmon: Undervoltage detected!\n"
    pi.commands["journalctl", "-u", "gnomond.service"] = f"The display does not answer.\n{ALL_OF_THEM}\n"
    return pi


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    """A journal in which a player's name stands in a setting."""
    path = tmp_path / "journal"
    with Journal.open(path) as opened:
        opened.begin(GameStart("tamsk", {"red": "Grace"}, "coach", Instant(0), "boot", "2026-11-20", "0.1.0"))
    return path


def test_a_report_holds_no_secret_and_still_what_helps(secretive: Planted, journal: Path) -> None:
    machine = secretive.machine()
    findings = [
        warning(
            "reader",
            Statement.plain("/dev/input/by-id/usb-ACME_Scanner_00A1B2C3D4-event-kbd of ada cannot be opened."),
            Statement.plain("As ada."),
        ),
        note("journal", statement("doctor.journal.none", file="/home/ada/.local/state/gnomon/tamsk.journal")),
    ]
    scanner = 'device = "/dev/serial/by-id/usb-ACME_Scanner_00A1B2C3D4-if0"'
    description = f"# Ada's board\n{bundled_text('tamsk')[1]}\n[reader] # Grace made it\n{scanner}\n"
    files = bundle.files(machine, findings, version="0.1.0", description=description, journal=journal)
    everything = "\n".join(files.values())
    # The words "Ada" and "ada" alone; any other secret anywhere.
    leaked = [
        secret for secret in SECRETS if re.search(rf"(?i)(?<![a-z0-9]){re.escape(secret)}(?![a-z0-9])", everything)
    ]
    assert leaked == []
    assert "dtoverlay=spi1-1cs" in files["config.txt"]
    assert "i2c_arm_baudrate=400000" in files["config.txt"]
    assert "latch = 25" in files["description.toml"]
    assert "Undervoltage detected!" in files["kernel.txt"]
    assert "The display does not answer." in files["health.txt"]
    assert json.loads(files["versions.json"])["lgpio"] == VERSIONS["lgpio"]
    assert json.loads(files["journal.json"])["last_games"][0]["game"] == "tamsk"
    assert json.loads(files["report.json"])["findings"][0]["mark"] == "warning"
    assert files["table.txt"].startswith(
        "warning  reader         /dev/input/by-id/<device> of <user> cannot be opened."
    )
    assert "\x1b" not in files["table.txt"]


def test_a_report_of_a_machine_that_tells_nothing_says_so(tmp_path: Path) -> None:
    machine = Planted(tmp_path).machine()
    files = bundle.files(machine, [], version="0.1.0", description="", journal=tmp_path / "none")
    assert files["config.txt"] == "there is none\n"
    assert files["kernel.txt"] == "it may not be read\n"
    assert files["health.txt"] == "there is no log of a service\n"
    assert json.loads(files["journal.json"]) == {"journal": "there is none"}
    (tmp_path / "broken").write_text("broken" * 100)
    files = bundle.files(machine, [], version="0.1.0", description="", journal=tmp_path / "broken")
    assert "nothing in it can be read" in json.loads(files["journal.json"])["journal"]


@pytest.mark.parametrize("year", [1970, 2026, 2200])
def test_a_report_is_a_new_zip(tmp_path: Path, year: int) -> None:
    path = tmp_path / "report.zip"
    bundle.write(path, {"table.txt": "ok\n", "µ.txt": "°"}, datetime(year, 1, 2, tzinfo=UTC))
    with zipfile.ZipFile(path) as packed:
        assert packed.testzip() is None
        assert packed.read("gnomon-report/table.txt") == b"ok\n"
        assert {entry.date_time[0] for entry in packed.infolist()} == {year if year == 2026 else 1980}
    with pytest.raises(FileExistsError):
        bundle.write(path, {}, datetime(year, 1, 2, tzinfo=UTC))


def test_a_mark_is_no_secret() -> None:
    assert [redact(mark.word, NOBODY) for mark in Severity] == ["ok", "note", "warning", "FAULT"]
