"""The first start of a machine from the image: its page, its settings, and what they mean to the system."""

import asyncio
import stat
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import httpx
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from gnomon.words import LANGUAGES
from gnomon_pi.cli.daemon import main
from gnomon_pi.cli.first_boot import ANSWERS
from gnomon_pi.config import parse_board
from gnomon_pi.config.checked_toml import MistakeError
from gnomon_pi.config.image_overlays import KNOWN, overlays_of
from gnomon_pi.config.image_overlays import dump as dump_overlays
from gnomon_pi.tools.first_boot import settings
from gnomon_pi.tools.first_boot.page import application
from gnomon_pi.tools.first_boot.settings import MachineSettings, Wifi, board_text, bundled_boards, dump, parse
from gnomon_pi.tools.first_boot.system_files import SETTLED, apply_settings, network_name, system_files

PLAIN = MachineSettings("board-7", "Europe/Berlin", "tamsk")
KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIKqo board"
RADIO = MachineSettings("board-7", "UTC", "tayu19", True, "fr", Wifi("FR", 'l’été "7"', "a\\b\"c d'e"), KEY)
SENT = {"name": "Board-7", "time_zone": "Europe/Berlin", "board": "tamsk", "language": "de"}


class Phone:
    """A browser in the machine's network."""

    def __init__(self, keep: Callable[[str], None], language: str = "en") -> None:
        self._page = application(keep)
        self._language = language

    def get(self) -> httpx.Response:
        """The form."""
        return asyncio.run(self._ask("GET", {}, ""))

    def send(self, fields: dict[str, str], origin: str = "http://localhost") -> httpx.Response:
        """The answer to a form that was filled in."""
        return asyncio.run(self._ask("POST", fields, origin))

    async def _ask(self, method: str, fields: dict[str, str], origin: str) -> httpx.Response:
        transport = httpx.ASGITransport(self._page)
        headers = {"Accept-Language": self._language, **({"Origin": origin} if origin else {})}
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost", headers=headers) as client:
            return await client.request(method, "/", data=fields or None)


names = st.from_regex(r"[a-z0-9]([a-z0-9-]{0,30}[a-z0-9])?", fullmatch=True)
networks = st.text(min_size=1).filter(lambda text: text.isprintable() and len(text.encode()) <= 32)
passphrases = st.just("") | st.text(st.characters(min_codepoint=32, max_codepoint=126), min_size=8, max_size=63)
wifis = st.builds(Wifi, st.from_regex(r"[A-Z]{2}", fullmatch=True), networks, passphrases)


@given(
    st.builds(
        MachineSettings,
        names,
        st.sampled_from(settings.time_zones()),
        st.sampled_from(bundled_boards()),
        st.booleans(),
        st.sampled_from(LANGUAGES),
        st.none() | wifis,
        st.sampled_from(["", KEY]),
        st.booleans(),
    )
)
def test_what_is_written_is_read_again(told: MachineSettings) -> None:
    assert parse(dump(told), "gnomon.toml") == told


@pytest.mark.parametrize(
    ("text", "line", "about"),
    [
        (dump(PLAIN).replace("board-7", "Board 7"), 2, "lower-case letters"),
        (dump(PLAIN).replace("board-7", "-7"), 2, "hyphen"),
        (dump(PLAIN).replace("Europe/Berlin", "Berlin"), 3, "Europe/Berlin"),
        (dump(PLAIN).replace('"tamsk"', '"chess"'), 4, "tamsk"),
        (dump(PLAIN).replace("false", "0"), 5, "true or false"),
        (dump(PLAIN).replace('"en"', '"la"'), 6, "en"),
        (f"{dump(PLAIN)}hostname = 'x'\n", 7, "hostname"),
        (dump(RADIO).replace("AAAAC3", "…"), 7, "one line"),
        (dump(RADIO).replace('"FR"', '"fr"'), 10, "two capital letters"),
        (dump(RADIO).replace("l’été", "l’été" * 9), 11, "32 bytes"),
        (dump(RADIO).replace("a\\\\b", ""), 12, "8 to 63"),
        ("name = ", 1, "Invalid value"),
    ],
)
def test_a_file_that_is_wrong_is_refused_by_its_line(text: str, line: int, about: str) -> None:
    with pytest.raises(MistakeError) as refused:
        parse(text, "gnomon.toml")
    assert str(refused.value).startswith(f"gnomon.toml:{line}") or f"line {line}" in str(refused.value)
    assert about in str(refused.value)


def test_the_network_is_joined_whatever_signs_its_name_and_passphrase_hold() -> None:
    """The key is that of wpa_passphrase (IEEE 802.11, J.4: the example there)."""
    told = MachineSettings("x", "UTC", "tamsk", wifi=Wifi("DE", "IEEE", "password"))
    text = system_files(told, "1")["etc/wpa_supplicant/wpa_supplicant-wlan0.conf"].text
    assert "psk=f42c6fc52df0ebef9ebb4b90b38a5f902e83fe1b135a70e23aed762e9710a12e\n" in text
    assert "ssid=49454545\n" in text
    open_one = MachineSettings("x", "UTC", "tamsk", wifi=Wifi("DE", "IEEE"))
    assert "key_mgmt=NONE" in system_files(open_one, "1")["etc/wpa_supplicant/wpa_supplicant-wlan0.conf"].text


def test_without_settings_the_machine_offers_a_network_of_its_own() -> None:
    files = system_files(None, "0000abcd")
    assert network_name("0000abcd") in files["etc/wpa_supplicant/wpa_supplicant-wlan0.conf"].text
    assert files["etc/wpa_supplicant/wpa_supplicant-wlan0.conf"].mode == 0o600
    assert "DHCPServer=yes" in files["etc/systemd/network/20-wlan0.network"].text
    assert network_name("0000abcd") != network_name("0000abce")


def test_settings_become_the_system_s_files(tmp_path: Path) -> None:
    apply_settings(RADIO, tmp_path, "1")
    assert (tmp_path / "etc/hostname").read_text(encoding="utf-8") == "board-7\n"
    assert str((tmp_path / "etc/localtime").readlink()) == "/usr/share/zoneinfo/UTC"
    assert stat.S_IMODE((tmp_path / "etc/wpa_supplicant/wpa_supplicant-wlan0.conf").stat().st_mode) == 0o600
    assert (tmp_path / "etc/ssh/authorized_keys").read_text(encoding="utf-8") == f"{KEY}\n"
    assert (tmp_path / SETTLED).exists()
    described = (tmp_path / "etc/gnomon/board.toml").read_text(encoding="utf-8")
    assert parse_board(described, "board.toml").board == "tayu"
    assert "GNOMON_OPTIONS=--simulated --language fr\n" in (tmp_path / "etc/gnomon/gnomond.env").read_text(
        encoding="utf-8"
    )


def test_a_description_that_its_owner_changed_stays_until_another_board_is_chosen(tmp_path: Path) -> None:
    board = tmp_path / "etc/gnomon/board.toml"
    apply_settings(PLAIN, tmp_path, "1")
    board.write_text(f"{board.read_text(encoding='utf-8')}# mine\n", encoding="utf-8")
    for told in (PLAIN, replace(PLAIN, language="fr", is_simulated=True)):
        apply_settings(told, tmp_path, "1")
        assert board.read_text(encoding="utf-8").endswith("# mine\n")
    assert "--simulated --language fr\n" in (board.parent / "gnomond.env").read_text(encoding="utf-8")
    apply_settings(RADIO, tmp_path, "1")
    assert not board.read_text(encoding="utf-8").endswith("# mine\n")
    assert (board.parent / "board.toml.before").read_text(encoding="utf-8").endswith("# mine\n")


def test_who_wants_no_puzzles_says_so_on_the_page_or_on_the_card(tmp_path: Path) -> None:
    saved: list[str] = []
    for sent in ({"puzzles": ""}, {"puzzles": "no"}):
        assert Phone(saved.append).send({**SENT, **sent}).status_code == 200
    made, not_made = (parse(text, "gnomon.toml") for text in saved)
    assert (made.makes_puzzles, not_made.makes_puzzles) == (True, False)
    assert parse("puzzles = true\n" + saved[0], "gnomon.toml") == made
    apply_settings(not_made, tmp_path, "1")
    assert "--no-puzzles\n" in (tmp_path / "etc/gnomon/gnomond.env").read_text(encoding="utf-8")


def test_settings_that_stood_on_the_card_bring_their_overlays_by_one_more_start(tmp_path: Path) -> None:
    boot, root, serial = tmp_path / "boot", tmp_path / "root", tmp_path / "serial"
    serial.write_text("1\n", encoding="utf-8")
    boot.mkdir()
    (boot / "gnomon.toml").write_text(dump(PLAIN), encoding="utf-8")
    places = ["--boot", str(boot), "--root", str(root), "--serial", str(serial)]
    assert CliRunner().invoke(main, ["first-boot", "apply", *places]).exit_code == 0
    answers = root / ANSWERS
    keep = ["first-boot", "keep", str(answers), "--boot", str(boot), "--root", str(root)]
    assert CliRunner().invoke(main, keep).exit_code == 0
    answers.unlink()
    assert CliRunner().invoke(main, ["first-boot", "apply", *places]).exit_code == 0
    assert not answers.exists()


def test_overlays_follow_from_the_owner_s_description_and_those_of_the_owner_stay(tmp_path: Path) -> None:
    boot, root, serial = tmp_path / "boot", tmp_path / "root", tmp_path / "serial"
    serial.write_text("1\n", encoding="utf-8")
    boot.mkdir()
    (boot / "gnomon.toml").write_text(dump(PLAIN), encoding="utf-8")
    told, answers = boot / "gnomon-overlays.txt", root / ANSWERS
    told.write_text("# mine\ndtoverlay=my-clock\n", encoding="utf-8")
    apply = ["first-boot", "apply", "--boot", str(boot), "--root", str(root), "--serial", str(serial)]
    keep = ["first-boot", "keep", str(answers), "--boot", str(boot), "--root", str(root)]

    def start() -> bool:
        """Start the machine, and say whether it starts once more to have other overlays."""
        assert CliRunner().invoke(main, apply).exit_code == 0
        if not answers.exists():
            return False
        assert CliRunner().invoke(main, keep).exit_code == 0
        answers.unlink()
        return True

    assert [start(), start()] == [True, False]
    described = root / "etc/gnomon/board.toml"
    described.write_text(board_text("tamsk-expanders").replace("clock_hz = 400_000", "clock_hz = 100_000", 1), "utf-8")
    assert [start(), start()] == [True, False]
    assert told.read_text(encoding="utf-8").splitlines() == [
        "# Written by Gnomon from the board's description.",
        "dtoverlay=gnomon-spi1",
        "dtoverlay=gnomon-i2c1",
        "dtoverlay=gnomon-i2c4,baudrate=100000",
        "dtoverlay=gnomon-i2c6",
        "# mine",
        "dtoverlay=my-clock",
    ]
    described.write_text("board = 7\n", encoding="utf-8")
    assert not start()  # nothing follows from a mistake
    (boot / "gnomon.toml").write_text(dump(replace(PLAIN, board="table")), encoding="utf-8")
    assert [start(), start()] == [True, False]
    assert "dtoverlay=gnomon-i2c1\n# mine\n" in told.read_text(encoding="utf-8")


def test_an_overlay_that_is_named_by_somebody_else_is_the_owner_s() -> None:
    text = dump_overlays(("gnomon-spi0",), "dtoverlay=gnomon-i2c1\ndtoverlay=gnomon-horn\n")
    assert text.endswith("dtoverlay=gnomon-spi0\ndtoverlay=gnomon-horn\n")
    assert dump_overlays(("gnomon-spi0",), text) == text


def test_a_bus_on_other_pins_than_the_card_has_is_not_switched_on() -> None:
    text = board_text("tamsk-expanders").replace("scl = 23", "scl = 24", 1)
    assert "gnomon-i2c6" not in overlays_of(parse_board(text, "x"))


def test_every_bus_of_a_bundled_board_has_an_overlay_on_the_card() -> None:
    sources = Path(__file__).parents[2] / "image" / "overlays"
    assert {file.stem for file in sources.glob("*.dtso")} == set(KNOWN)
    assert "tamsk-one-space" not in bundled_boards()  # nothing is played there
    found = {board: overlays_of(parse_board(board_text(board), board)) for board in bundled_boards()}
    assert found["tamsk"] == ("gnomon-spi0", "gnomon-spi1", "gnomon-i2c1")
    assert found["tamsk-expanders"] == ("gnomon-spi1", "gnomon-i2c1", "gnomon-i2c4", "gnomon-i2c6")
    assert found["table"] == ("gnomon-i2c1",)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_asks_and_keeps_what_was_answered(language: str) -> None:
    kept: list[str] = []
    page = Phone(kept.append, language)
    form = page.get()
    assert form.status_code == 200
    assert f'<html lang="{language}">' in form.text
    assert [board for board in bundled_boards() if f"<option>{board}</option>" not in form.text] == []
    answer = page.send(SENT)
    assert answer.status_code == 200
    assert "http://board-7.local:8765/" in answer.text
    assert [parse(text, "gnomon.toml") for text in kept] == [
        MachineSettings("board-7", "Europe/Berlin", "tamsk", language="de")
    ]
    assert page.send(SENT).status_code == 409
    assert len(kept) == 1


@pytest.mark.parametrize(
    ("change", "about"),
    [
        ({"name": "my board"}, "lower-case letters"),
        ({"time_zone": "Atlantis"}, "time zone"),
        ({"board": "chess"}, "tamsk"),
        ({"network": "Club", "country": "Germany"}, "two capital letters"),
        ({"network": "Club", "country": "DE", "passphrase": "short"}, "8 to 63"),
    ],
)
def test_the_page_says_what_is_wrong_and_keeps_the_rest_of_the_form(change: dict[str, str], about: str) -> None:
    kept: list[str] = []
    answer = Phone(kept.append).send({**SENT, **change})
    assert answer.status_code == 422
    assert about in answer.text
    assert "gnomon.toml:" not in answer.text
    assert 'value="Board-7"' in answer.text or "name" in change
    assert kept == []


def test_a_foreign_page_cannot_set_a_machine_up() -> None:
    kept: list[str] = []
    assert Phone(kept.append).send(SENT, "http://evil.example").status_code == 403
    assert kept == []


def test_settings_that_cannot_be_kept_are_asked_for_again() -> None:
    def full(_: str) -> None:
        raise OSError(28, "No space left on device")

    answer = Phone(full).send(SENT)
    assert answer.status_code == 500
    assert "No space left on device" in answer.text
    assert 'value="Board-7"' in answer.text


def test_commands_keep_and_apply(tmp_path: Path) -> None:
    boot, root, serial = tmp_path / "boot", tmp_path / "root", tmp_path / "serial"
    serial.write_text("1\n", encoding="utf-8")
    places = ["--boot", str(boot), "--root", str(root), "--serial", str(serial)]
    ran = CliRunner().invoke(main, ["first-boot", "apply", *places])
    assert (ran.exit_code, network_name("1") in ran.output) == (0, True)
    assert not (root / SETTLED).exists()
    answers = tmp_path / "answers.toml"
    answers.write_text(dump(PLAIN), encoding="utf-8")
    assert CliRunner().invoke(main, ["first-boot", "keep", str(answers), *places[:4]]).exit_code == 0
    ran = CliRunner().invoke(main, ["first-boot", "apply", *places])
    assert (ran.exit_code, ran.output) == (0, "Applied the settings of board-7.\n")
    assert "dtoverlay=gnomon-spi1\n" in (boot / "gnomon-overlays.txt").read_text(encoding="utf-8")
    assert not (root / ANSWERS).exists()
    (boot / "gnomon.toml").write_text("name = 7\n", encoding="utf-8")
    ran = CliRunner().invoke(main, ["first-boot", "apply", *places])
    assert ran.exit_code == 1
    assert "gnomon.toml" in ran.output
    assert network_name("1") in ran.output
    ran = CliRunner().invoke(main, ["first-boot", "keep", str(boot / "gnomon.toml"), *places[:4]])
    assert ran.exit_code == 1
