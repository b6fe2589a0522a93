"""The command `gnomond`: what it refuses with one sentence, and how it starts and stops as a process."""

import asyncio
import os
import re
import shlex
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus
from importlib import resources
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from click.testing import CliRunner, Result

from gnomon.records.journal.folders import state_folder
from gnomon.records.journal.writer import Journal
from gnomon.web.server.signals import ENDS, on_end
from gnomon_pi.cli._assembly import DaemonOptions
from gnomon_pi.cli.daemon import main
from gnomon_pi.config import bundled_text
from gnomon_pi.runtime.service import Orders
from gnomon_pi.runtime.system.process import note_address, noted_address
from gnomon_pi.runtime.system.randomness import SeededChance

COMMAND = [sys.executable, "-m", "gnomon_pi.cli.daemon"]


def gnomond(*arguments: str) -> Result:
    """Run the command in this process, as far as its refusal."""
    return CliRunner().invoke(main, arguments)


# Refusals


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--level=4"], "4 is not in the range 1<=x<=3"),
        (["--set", "ring"], "--set takes KEY=VALUE, not 'ring'"),
        (["--set", "ring=none"], "ring must be one of"),
        (["--set", "speed=9"], "speed"),
        (["--board=go"], "'go' is not one of"),
        (["--game=chess"], "'chess' is not one of"),
        (["--board=table", "--game=tamsk"], "TAMSK is played on its own board: --board tamsk."),
        (["--board=tayu", "--game=tamsk"], "TAMSK is played on its own board: --board tamsk."),
        (["--board=table", "--set", "size=6"], "--set needs --game at a table."),
        (["--board=table", "--game=tabik", "--level=1"], "--level is TAMSK's; tabik has none."),
        (["--board=table", "--level=1"], "--level is TAMSK's; this table has none."),
        (["--board=table", "--game=tabik", "--set", "pie=apple"], "pie must be one of"),
        (["--board=tayu", "--set", "players=9"], "players must be one of"),
        (["--let-it-play"], "--let-it-play needs --simulated"),
        (
            ["--variant=x"],
            "--variant of the board tamsk is one of: boards, expanders, no-lights, one-space, single-pole; not 'x'.",
        ),
        (["--board=tamsk", "--variant=no-lights", "--wiring=x.toml"], "--wiring is your own: choose one."),
    ],
)
def test_a_wrong_option_is_refused(arguments: list[str], said: str) -> None:
    result = gnomond("--simulated", *arguments) if "--let-it-play" not in arguments else gnomond(*arguments)
    assert result.exit_code == 2
    assert said in result.stderr
    assert "Traceback" not in result.output


def refused(*arguments: str) -> str:
    """The one sentence with which the daemon does not start."""
    result = gnomond(*arguments)
    assert result.exit_code == 1
    assert "Traceback" not in result.output
    (line,) = result.stderr.splitlines()
    return line


def test_a_port_that_is_taken_is_said_in_one_sentence(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        said = refused("--simulated", f"--port={port}", f"--journal={tmp_path / 'journal'}")
    assert said == (
        f"gnomond: The page cannot be served at 127.0.0.1:{port}: Address already in use; choose another --port."
    )


@pytest.mark.parametrize("how", ["variant", "wiring"])
def test_a_part_of_a_board_is_not_played_on(tmp_path: Path, how: str) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(bundled_text("tamsk", variant="one-space")[1], encoding="utf-8")
    board = "--variant=one-space" if how == "variant" else f"--wiring={file}"
    said = refused("--simulated", "--no-page", board, f"--journal={tmp_path / 'journal'}")
    assert said == (
        "gnomond: only A1 of this board is wired: gnomond doctor and gnomond walk examine it, and no game can be played"
    )
    assert not (tmp_path / "journal").exists()


def test_a_journal_that_is_open_elsewhere_is_said_in_one_sentence(tmp_path: Path) -> None:
    with Journal.open(tmp_path / "journal"):
        said = refused("--simulated", "--no-page", f"--journal={tmp_path / 'journal'}")
    assert "is open in another process" in said


def test_who_starts_a_second_one_is_told_where_the_first_one_is(tmp_path: Path) -> None:
    journal = tmp_path / "journal"
    told = (
        "Gnomon is running already: http://127.0.0.1:8765/. To start a second one beside it: --journal FILE --port 0."
    )
    with Journal.open(journal):
        note_address(journal, "http://127.0.0.1:8765/")
        assert refused("--simulated", "--no-page", f"--journal={journal}") == f"gnomond: {told}"
        quiet = gnomond("--simulated", "--no-page", f"--journal={journal}", "--unless-running")
    assert (quiet.exit_code, quiet.stdout, quiet.stderr) == (0, f"{told}\n", "")


@pytest.mark.parametrize(
    ("target", "command"),
    [("run", 'make run ARGS="--journal FILE --port 0"'), ("hall", 'make hall ARGS="--demo 12 --port 0"')],
)
def test_who_starts_a_second_one_with_make_is_told_what_to_give_make(
    tmp_path: Path, target: str, command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    recipe = re.search(
        rf"^{target}: .*\n\t@(.*)$", (Path(__file__).parents[2] / "Makefile").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert recipe is not None
    set_before, *_ = shlex.split(recipe[1])
    monkeypatch.setenv(*set_before.split("=", 1))
    told = f"Gnomon is running already: http://127.0.0.1:8765/. To start a second one beside it: {command}"
    journal = tmp_path / "journal"
    with Journal.open(journal):
        note_address(journal, "http://127.0.0.1:8765/")
        assert refused("--simulated", "--no-page", f"--journal={journal}") == f"gnomond: {told}"
        quiet = gnomond("--simulated", "--no-page", f"--journal={journal}", "--unless-running")
    assert (quiet.exit_code, quiet.stdout, quiet.stderr) == (0, f"{told}\n", "")


def test_a_journal_where_there_can_be_none_is_said_in_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    said = refused("--simulated", "--no-page", f"--journal={tmp_path / 'file' / 'journal'}")
    assert said.startswith("gnomond: ")


def test_a_description_that_is_not_there_is_said_in_one_sentence(tmp_path: Path) -> None:
    assert "cannot be read" in refused(f"--wiring={tmp_path / 'none.toml'}")


def test_a_description_of_another_board_is_said_in_one_sentence(tmp_path: Path) -> None:
    wiring = tmp_path / "mine.toml"
    wiring.write_text((resources.files("gnomon_pi") / "boards" / "table.toml").read_text(encoding="utf-8"))
    journal = f"--journal={tmp_path / 'journal'}"
    said = refused("--simulated", "--no-page", "--board=tamsk", f"--wiring={wiring}", journal)
    assert said == f"gnomond: {wiring} describes the board table: start with --board table"


def test_hands_at_a_table_must_be_told_which_game(tmp_path: Path) -> None:
    said = refused("--board=table", "--simulated", "--no-page", "--let-it-play", f"--journal={tmp_path / 'journal'}")
    assert said == "gnomond: say which game: tabik, tau, tayu, twenty-squares"


def test_a_game_larger_than_the_board_is_said_in_one_sentence(tmp_path: Path) -> None:
    said = refused("--board=tayu", "--simulated", "--no-page", "--set=size=21", f"--journal={tmp_path / 'journal'}")
    assert said.startswith("gnomond: this game needs a larger board than this one, which lacks a18 and ")


def test_missing_drivers_are_said_in_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "gpiozero.pins.lgpio", None)  # as where the library is not installed
    said = refused("--no-page", f"--journal={tmp_path / 'journal'}")
    assert "The library lgpio is missing" in said


def test_what_nobody_expected_ends_the_daemon_with_its_reason(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def burn(_self: object) -> int:
        message = "smoke"
        raise ArithmeticError(message)

    monkeypatch.setattr("gnomon_pi.drivers._hc165.ShiftRegisters.scan", burn)
    result = gnomond("--simulated", "--no-page", f"--journal={tmp_path / 'journal'}")
    assert result.exit_code == 1
    assert result.stderr.splitlines()[-1] == "gnomond has to stop: ArithmeticError: smoke"


@pytest.mark.parametrize(
    ("environment", "folder"),
    [
        ({"STATE_DIRECTORY": "/var/lib/gnomond", "XDG_STATE_HOME": "/x"}, "/var/lib/gnomond"),
        ({"STATE_DIRECTORY": "/var/lib/one:/var/lib/two"}, "/var/lib/one"),
        ({"XDG_STATE_HOME": "/home/me/state"}, "/home/me/state/gnomon"),
        ({"XDG_STATE_HOME": "relative"}, "~/.local/state/gnomon"),
        ({}, "~/.local/state/gnomon"),
    ],
)
def test_state_is_kept_where_the_system_wants_it(environment: dict[str, str], folder: str) -> None:
    assert state_folder(environment) == Path(folder).expanduser()


# The process


@contextmanager
def started(*arguments: str, **environment: str) -> Iterator[subprocess.Popen[str]]:
    """The daemon as a process of its own; killed in the end if it still runs."""
    with subprocess.Popen(
        [*COMMAND, "--simulated", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | environment,
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def greeting(process: subprocess.Popen[str]) -> str:
    """The daemon's first line."""
    assert process.stdout is not None
    return process.stdout.readline()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT])
def test_it_stops_in_order_when_told_and_the_journal_is_whole(tmp_path: Path, number: int) -> None:
    with started("--no-page", "--level=1", f"--journal={tmp_path / 'journal'}") as process:
        assert greeting(process) == "TAMSK is ready on a simulated board\n"
        process.send_signal(number)
        out, errors = process.communicate(timeout=30)
    assert (process.returncode, out, errors) == (0, "", "")
    with Journal.open(tmp_path / "journal") as journal:
        game = journal.last_game()
        assert game is not None
        assert game.start.settings == {"level": 1}


def test_under_nohup_a_terminal_that_is_closed_ends_nothing() -> None:
    async def handled() -> set[int]:
        before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
        try:
            on_end(lambda: None)
            return {number for number in ENDS if asyncio.get_running_loop().remove_signal_handler(number)}
        finally:
            signal.signal(signal.SIGHUP, before)

    assert asyncio.run(handled()) == set(ENDS) - {signal.SIGHUP}


def test_hands_without_a_seed_play_another_game_each_time_and_say_how_to_play_it_again(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    ordered: list[tuple[DaemonOptions, Orders]] = []

    async def serve(where: DaemonOptions, orders: Orders, _describe: object) -> None:
        ordered.append((where, orders))

    monkeypatch.setattr("gnomon_pi.cli.daemon.serve", serve)
    play = ("--simulated", "--let-it-play", f"--journal={tmp_path / 'journal'}")
    for seed in ((), (), ("--seed=7",), ("--seed=0",)):
        assert gnomond(*play, *seed).exit_code == 0
    seeds = [where.play for where, _ in ordered if where.play is not None]
    assert len(set(seeds)) == 4
    assert seeds[2:] == [7, 0]
    assert all(orders.chance == SeededChance(seed) for (_, orders), seed in zip(ordered, seeds, strict=True))


@pytest.mark.parametrize(
    ("settings", "said", "kept"),
    [
        ((), "Engines choose the turns", {"level": 3, "opponent": "3", "opponent_plays": "all"}),
        (("--set=opponent=none",), "Simulated hands make legal turns at random", {"level": 3, "opponent": "none"}),
    ],
)
def test_engines_play_by_themselves_or_hands_by_chance_and_it_says_which(
    tmp_path: Path, settings: tuple[str, ...], said: str, kept: dict[str, object]
) -> None:
    journal = tmp_path / "journal"
    with started("--no-page", "--let-it-play", "--level=3", *settings, f"--journal={journal}") as process:
        assert greeting(process) == "TAMSK is ready on a simulated board\n"
        assert greeting(process).startswith(said)
        process.terminate()
        process.communicate(timeout=30)
    with Journal.open(journal) as opened:
        stored = opened.last_game()
    assert stored is not None
    assert stored.start.settings == kept


def test_a_tournament_and_warnings_are_the_board_s_with_and_without_a_page(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    ordered: list[Orders] = []

    async def serve(_where: DaemonOptions, orders: Orders, _describe: object) -> None:
        ordered.append(orders)

    monkeypatch.setattr("gnomon_pi.cli.daemon.serve", serve)
    board = ("--simulated", f"--journal={tmp_path / 'journal'}")
    for more in ((), ("--tournament",), ("--tournament", "--no-page", "--warnings")):
        assert gnomond(*board, *more).exit_code == 0
    assert [orders.is_tournament for orders in ordered] == [False, True, True]
    assert [orders.warns for orders in ordered] == [False, False, True]


def test_a_daemon_without_a_page_imports_nothing_that_only_pages_need(tmp_path: Path) -> None:
    arguments = ("--no-page", "--board=table", f"--journal={tmp_path / 'journal'}")
    with started(*arguments, PYTHONPROFILEIMPORTTIME="1") as process:
        assert greeting(process) == "The table is ready on a simulated board\n"
        process.terminate()
        _, said = process.communicate(timeout=30)
    imported = {line.rpartition("|")[2].strip() for line in said.splitlines()}
    assert {"gnomon_pi.runtime.runner", "gnomon_pi.simulated.board"} <= imported  # so the lines are read rightly
    for_pages = (
        "starlette",
        "uvicorn",
        "jinja2",
        "h11",
        "argon2",
        "segno",
        "gnomon_pi.pages.server",
        "gnomon_pi.tools.safe_mode.mode",
    )
    assert imported.isdisjoint(for_pages)


def test_pages_that_few_ask_for_are_imported_when_somebody_does(tmp_path: Path) -> None:
    with started("--port=0", f"--journal={tmp_path / 'journal'}", PYTHONPROFILEIMPORTTIME="1") as process:
        site = re.search(r"http://127\.0\.0\.1:\d+/", greeting(process))
        assert site is not None
        for path in ("help", "learn", "board"):
            with urllib.request.urlopen(f"{site[0]}{path}", timeout=30) as answer:
                assert answer.status == HTTPStatus.OK
        process.terminate()
        _, said = process.communicate(timeout=30)
    imported = {line.rpartition("|")[2].strip() for line in said.splitlines()}
    assert {"gnomon.web.pages.guide", "gnomon.lessons"} <= imported  # what was asked for, and what it needs
    for_few = (
        "gnomon.web.pages.new_game",
        "gnomon.analysis.chart",
        "gnomon.coaching",
        "gnomon.people.profiles",
        "argon2",
    )
    for_games_that_were_played = (
        "gnomon.records.formats.sgf",
        "gnomon.records.transcripts",
        "gnomon.web.arbiter.incidents",
    )
    # Letters of a picture are measured without Pillow's font, and its display needs no more than luma's wires.
    to_paint = ("PIL.ImageFont", "PIL.ImageDraw", "luma.oled.device")
    # At rest nobody has a tournament, an engine to play with, a damaged journal, or hands that play by themselves.
    at_rest = (
        "gnomon.tournament",
        "gnomon.engines.process",
        "gnomon.records.journal._raw_rows",
        "gnomon_pi.runtime.engine_play.opponent",
        "gnomon_pi.simulated.players.hands",
        "gnomon_pi.simulated.players.table_hands",
    )
    # Nor has a program asked for anything, and an address of numbers is no international name.
    for_programs = ("gnomon.web.api", "gnomon_pi.simulated.bench._operations")
    for_names = ("encodings.idna", "stringprep", "click.shell_completion")
    assert imported.isdisjoint((*for_few, *for_games_that_were_played, *to_paint, *at_rest, *for_programs, *for_names))


def test_the_daemon_is_loaded_without_the_simulated_board_of_which_a_wired_one_has_no_use() -> None:
    program = "import sys, gnomon_pi.cli.daemon; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.split()
    assert "gnomon_pi.drivers.devices" in loaded
    assert {"gnomon_pi.simulated.board", "gnomon_pi.simulated.autoplay"}.isdisjoint(loaded)
    of_few_boards = {"gnomon_pi.drivers._expander_bank", "gnomon_pi.drivers.pn532", "gnomon_pi.drivers.reader"}
    assert of_few_boards.isdisjoint(loaded)
    assert not [name for name in loaded if name.startswith("gnomon.games.tayu.")]  # nor a game that is not played


AGAINST = {"opponent": "1", "clock": "60"}


@pytest.mark.parametrize(
    ("arguments", "who", "game"),
    [
        (["--board=table", "--game=tabik", "--set=size=6"], "Tabik is", ("tabik", "table", {"size": "6"})),
        (["--board=table", "--game=tayu"], "Tayu is", ("tayu", "table", {})),
        (["--board=tayu", "--game=tayu"], "Tayu is", ("tayu", "tayu", {})),
        (["--board=tayu", "--set=edition=kosmos"], "Tayu is", ("tayu", "tayu", {"edition": "kosmos"})),
        (["--board=tayu", "--set=opponent=1", "--set=clock=60"], "Tayu is", ("tayu", "tayu", AGAINST)),
        (["--board=tamsk", "--game=twenty-squares"], "Tau (Twenty Squares) is", ("twenty-squares", "table", {})),
        (["--board=tamsk", "--game=tamsk"], "TAMSK is", ("tamsk", "tamsk", {})),
    ],
)
def test_every_game_is_started_and_gone_on_with(
    tmp_path: Path, arguments: list[str], who: str, game: tuple[str, str, dict[str, str]]
) -> None:
    journal = f"--journal={tmp_path / 'journal'}"
    for options in (arguments, arguments[:1]):  # the second time the journal says what is played, and on what
        with started("--no-page", *options, journal) as process:
            assert greeting(process) == f"{who} ready on a simulated board\n"
            process.terminate()
            out, errors = process.communicate(timeout=30)
        assert (process.returncode, out, errors) == (0, "", "")
    with Journal.open(tmp_path / "journal") as opened:
        (stored,) = opened.games()
        notes = [each.entry.body["note"] for each in opened.read(1)]
    assert (stored.start.game, stored.start.board, stored.start.settings) == game
    assert notes == ["begun", "resumed"]


@pytest.mark.parametrize("board", ["tamsk", "tayu", "table"])
def test_without_a_game_it_waits_for_the_page_to_start_one(tmp_path: Path, board: str) -> None:
    with started(f"--board={board}", "--port=0", f"--journal={tmp_path / 'journal'}") as process:
        assert greeting(process).endswith("(start a game there)\n")
        process.terminate()
        assert process.wait(30) == 0
    with Journal.open(tmp_path / "journal") as journal:
        assert journal.games() == []


def test_systemd_is_told_when_it_is_ready_and_when_it_stops(tmp_path: Path) -> None:
    address = str(tmp_path / "notify")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(address)
        manager.settimeout(30)
        with started("--no-page", f"--journal={tmp_path / 'journal'}", NOTIFY_SOCKET=address) as process:
            heard = [manager.recv(100)]
            heard.append(manager.recv(100))
            process.terminate()
            while heard[-1] == b"WATCHDOG=1":
                heard.append(manager.recv(100))
            assert process.wait(30) == 0
    assert heard[:2] == [b"READY=1", b"WATCHDOG=1"]
    assert heard[-1] == b"STOPPING=1"


def test_the_page_is_served_where_the_first_line_says_and_open_streams_do_not_hold_the_end_up(tmp_path: Path) -> None:
    with started("--port=0", f"--journal={tmp_path / 'journal'}") as process:
        match = re.fullmatch(
            r"TAMSK is ready on a simulated board: (http://127\.0\.0\.1:\d+/) \(start a game there\)\n",
            greeting(process),
        )
        assert match is not None
        with urllib.request.urlopen(match[1], timeout=30) as page:
            assert b"<html" in page.read().lower()
        # A person who starts a second one is told where the first one is, by its journal and by its port.
        beside = f"gnomond: Gnomon is running already: {match[1]}. To start a second one beside it"
        assert refused("--simulated", f"--journal={tmp_path / 'journal'}").startswith(beside)
        port = urlsplit(match[1]).port
        assert refused("--simulated", f"--port={port}", f"--journal={tmp_path / 'second'}").startswith(beside)
        with urllib.request.urlopen(match[1] + "board/events", timeout=30) as stream:
            assert stream.readline() == b"retry: 1000\n"
            process.terminate()
            assert process.wait(30) == 0
    assert noted_address(tmp_path / "journal") == ""


def test_a_folder_of_lessons_whose_words_cannot_be_used_is_refused(tmp_path: Path) -> None:
    (tmp_path / "words").mkdir()
    (tmp_path / "words" / "en.json").write_text("[]", encoding="utf-8")
    refused = gnomond("--board", "table", "--lessons", str(tmp_path))
    assert refused.exit_code == 2
    assert "no JSON object" in refused.output
    assert gnomond("--board", "table", "--lessons", str(tmp_path / "nowhere")).exit_code == 2
