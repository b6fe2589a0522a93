"""The commands about engines: `gnomon engine` as a process, the check, the list, matches and the ladder."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter

import pytest
from click.testing import CliRunner, Result

from gnomon.cli import main
from gnomon.records.formats.sheets import Sheet, SheetLine, sheet_text
from tests.engines.foreign import TABIK_IN_C

PROGRAM = (sys.executable, "-c", "from gnomon.cli import main; main()", "engine")


class Engine:
    """A process, and the lines to it and from it."""

    def __init__(self, *arguments: str) -> None:
        self.process = subprocess.Popen([*PROGRAM, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def send(self, *lines: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write("".join(f"{line}\n" for line in lines).encode())
        self.process.stdin.flush()

    def read_to(self, first: str) -> list[str]:
        """The lines up to the first that begins so."""
        assert self.process.stdout is not None
        lines: list[str] = []
        while not lines or not lines[-1].startswith(first):
            line = self.process.stdout.readline()
            assert line, "it has ended"
            lines.append(line.decode().rstrip("\n"))
        return lines


@pytest.fixture
def engine() -> Iterator[Engine]:
    engine = Engine("tabik")
    yield engine
    engine.process.kill()
    engine.process.communicate()


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["engine", *arguments])


@pytest.fixture(scope="module")
def folder(c_compiler: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of plugged-in engines: a good one, and one that lies."""
    folder = tmp_path_factory.mktemp("engines.d")
    subprocess.run([c_compiler, "-o", folder / "tabik", TABIK_IN_C], check=True)
    (folder / "inc.toml").write_text('command = ["./tabik"]\ngames = ["tabik"]\n', "utf-8")
    liar = "read x; echo ugiok; while read x y; do case $x in isready) echo readyok;; go) echo bestmove z9;; esac; done"
    (folder / "liar.toml").write_text(f'command = ["sh", "-c", "{liar}"]\ngames = ["tabik"]\n', "utf-8")
    return folder


# The engine


def test_an_engine_is_a_process_that_stops_at_once(engine: Engine) -> None:
    engine.send("ugi", "isready")
    assert engine.read_to("readyok")[0].startswith("id name Gnomon tabik ")
    took = []
    for _ in range(5):
        engine.send("go infinite", "isready")
        engine.read_to("readyok")
        began = perf_counter()
        engine.send("stop")
        engine.read_to("bestmove")
        took.append(perf_counter() - began)
    assert min(took) < 0.05  # the others may have waited for a busy machine
    engine.send("quit")
    assert engine.process.wait(10) == 0


def test_the_end_of_the_input_brings_a_search_to_its_end() -> None:
    lines = "setoption name Level value 1\nposition startpos moves a1b1\ngo"
    ran = subprocess.run([*PROGRAM, "tabik"], input=lines.encode(), capture_output=True, check=True, timeout=60)
    assert ran.stdout.decode().splitlines()[-1].startswith("bestmove ")
    endless = subprocess.run([*PROGRAM, "tabik"], input=b"go infinite\n", capture_output=True, check=True, timeout=60)
    assert b"bestmove" not in endless.stdout


def test_bytes_of_any_kind_end_nothing(engine: Engine) -> None:
    assert engine.process.stdin is not None
    engine.process.stdin.write(b"\xff\xfe\x00\n" + b"x" * 3_000_000 + b"\ngo \xff depth 1\n")
    engine.send("isready")
    engine.read_to("readyok")
    engine.send("go depth 1")
    engine.read_to("bestmove")


def test_an_engine_starts_quickly() -> None:
    """A bound for what is imported, which is measured in processor time: under 0.5 s wherever nothing else runs."""
    asked = "import resource, sys; sys.argv[1:] = ['engine', 'tamsk']\nfrom gnomon.cli import main\n"
    asked += "try: main()\nfinally: print(resource.getrusage(resource.RUSAGE_SELF).ru_utime)"
    ran = subprocess.run(
        [sys.executable, "-c", asked], input=b"ugi\nisready\nquit\n", capture_output=True, check=True, timeout=60
    )
    *_, ready, took = ran.stdout.split()
    assert ready == b"readyok"
    assert float(took) < 0.4
    heavy = ("asyncio", "starlette", "PIL", "gnomon.views", "gnomon.web")
    listed = subprocess.run(
        [sys.executable, "-X", "importtime", *PROGRAM[1:], "tamsk"], input=b"isready\n", capture_output=True, check=True
    )
    imported = {line.rpartition("|")[2].strip() for line in listed.stderr.decode().splitlines()}
    assert [name for name in heavy if name in imported] == []


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["chess"], "Error: there is no game 'chess'"),
        (["clock"], "Error: clock has no rules"),
        (["tabik", "--set", "size"], "Error: a setting is written KEY=VALUE, not 'size'"),
        (["tabik", "--set", "size=99"], "Error: size must be "),
    ],
)
def test_what_cannot_be_played_is_refused(arguments: list[str], told: str) -> None:
    result = run(*arguments)
    assert result.exit_code != 0
    assert result.stderr.startswith(told)


# The others


def test_an_engine_is_checked_by_its_name_or_by_its_command(folder: Path) -> None:
    result = run("check", "--set", "size=3", "--engines", str(folder), "inc")
    assert result.exit_code == 0, result.output
    assert result.stdout.splitlines()[0] == "ok      it answers ugi with its name and ugiok"
    unknown = run("check", str(folder / "tabik"))
    assert (unknown.exit_code, unknown.stderr) == (1, "Error: say with --game which game it plays\n")
    nothing = run("check", "--game", "tabik", "no-such-program")
    assert (nothing.exit_code, nothing.stderr) == (1, "Error: there is no program 'no-such-program' that can be run\n")


def test_engines_are_listed_and_bad_files_reported(folder: Path, tmp_path: Path) -> None:
    listed = run("list", "--engines", str(folder))
    assert listed.exit_code == 0
    assert "tamsk: Gnomon’s engine" in listed.stdout
    assert f"inc: tabik ({folder / 'tabik'})" in listed.stdout
    (tmp_path / "bad.toml").write_text("command = [\n", "utf-8")
    bad = run("list", "--engines", str(tmp_path))
    assert bad.exit_code == 1
    assert bad.stderr.startswith(f"{tmp_path / 'bad.toml'}, line ")


def test_a_match_is_played_with_colours_changed(folder: Path) -> None:
    result = run("match", "2", "inc", "--game", "tabik", "--set", "size=3", "--games", "4", "--engines", str(folder))
    assert result.exit_code == 0, result.output
    first, second = result.stdout.splitlines()
    assert first.startswith("2 – inc: ")
    won, drawn, lost = (int(part.split()[0]) for part in first.removeprefix("2 – inc: ").split(","))
    assert won + drawn + lost == 4
    assert " % of the points [" in second


def test_an_engine_that_plays_no_further_loses_the_game_and_not_the_match(folder: Path) -> None:
    result = run("match", "liar", "1", "--game", "tabik", "--set", "size=3", "--games", "2", "--engines", str(folder))
    assert result.exit_code == 0, result.output
    assert result.stdout.startswith("liar – 1: 0 won, 0 drawn, 2 lost\n")
    assert result.stderr.count("it was started again") == 2
    assert result.stderr.count("it no longer plays in this game") == 2


@pytest.mark.parametrize(
    ("sides", "told"),
    [
        (("14", "1"), "the levels are 1 to 13; '14' is none"),
        (("1", "nobody"), "there is no engine 'nobody': give a level, or the name of a file in engines.d"),
    ],
)
def test_a_match_needs_two_that_there_are(sides: tuple[str, str], told: str, folder: Path) -> None:
    result = run("match", *sides, "--game", "tabik", "--engines", str(folder))
    assert (result.exit_code, result.stderr) == (1, f"Error: {told}\n")
    if sides[1] == "1":
        other = run("match", "inc", "1", "--game", "tau", "--engines", str(folder))
        assert other.stderr == "Error: inc does not play tau\n"


def test_the_levels_are_a_ladder() -> None:
    result = run("ladder", "tabik", "--set", "size=3", "--levels", "1,3,8", "--games", "2", "--nodes", "300")
    assert result.exit_code == 0, result.output
    heading, *rows = result.stdout.splitlines()
    assert heading == "tabik: 6 games; Elo above the lowest level, with 95 % intervals"
    assert [row.split(":")[0] for row in rows] == ["level 1", "level 3", "level 8"]
    assert rows[0].split()[2] == "+0"
    wrong = run("ladder", "tabik", "--levels", "0,3")
    assert wrong.stderr == "Error: the levels are 1 to 13; '0,3' is none\n"


def test_a_ladder_of_one_level_is_refused() -> None:
    alone = run("ladder", "tabik", "--levels", "1,1")
    assert (alone.exit_code, alone.stderr) == (1, "Error: a ladder takes two levels or more\n")


def test_a_ladder_of_neighbours_prints_each_step() -> None:
    result = run("ladder", "tabik", "--set", "size=3", "--levels", "1,3,8", "--neighbours", "--nodes", "300")
    assert result.exit_code == 0, result.output
    heading, *steps = result.stdout.splitlines()
    assert heading == "tabik: 4 games; each level against the one below it, with 95 % intervals"
    assert [step.split(":")[0] for step in steps] == ["level 3 against 1", "level 8 against 3"]
    again = run("match", "3", "1", "--game", "tabik", "--set", "size=3", "--games", "2", "--nodes", "300")
    won, points = again.stdout.splitlines()
    assert won.split(": ")[1] in steps[0]
    assert points.split(", ")[-1] in steps[0]


def test_a_small_board_is_solved_turn_by_turn() -> None:
    result = run("solve", "tabik", "--set", "size=3", "--set", "pie=no", "a1b1")
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[0] == "With best play, White wins; White is on turn."
    assert lines[1].startswith("Winning turns (")
    assert lines[-1].startswith("Positions searched: ")
    told = [line for line in result.stderr.splitlines() if "/" in line]
    assert told[-1].split("/")[0] == told[-1].split("/")[1].split()[0]
    result = run("solve", "tabik", "--set", "size=2")
    assert "White wins; Black is on turn" in result.stdout


def test_a_solution_is_printed_for_programs_and_found_for_a_recorded_game(tmp_path: Path) -> None:
    sheet = tmp_path / "game.sheet"
    game = Sheet("tabik", {"size": "2", "pie": "no"}, lines=(SheetLine("a1b1", "black"),))
    sheet.write_text(sheet_text(game), "utf-8")
    told = json.loads(run("solve", str(sheet), "--json").stdout)
    assert (told["turn"], told["whole"], sorted(told["wins"])) == ("white", True, ["a2b2", "b2a2"])


def test_what_cannot_be_solved_is_refused_in_one_sentence(tmp_path: Path) -> None:
    for arguments, why in (
        (("tabik",), "cannot be solved turn by turn"),
        (("tayu",), "cannot be solved turn by turn"),
        (("tabik", "z9"), "z9"),
        ((str(tmp_path / "none.sheet"),), "none.sheet"),
        ((str(tmp_path / "none.sheet"), "a1b1"), "moves are given with the name of a game"),
    ):
        result = run("solve", *arguments)
        assert result.exit_code
        assert why in result.output


def test_a_search_that_takes_too_long_says_what_it_has(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GNOMON_NO_COMPILER", "1")
    result = run("solve", "tabik", "--set", "size=4", "--set", "pie=no", "--seconds", "1")
    assert result.exit_code == 1
    assert "Turns not solved (48): " in result.stdout
