"""The tests of the commands `gnomon sheet` and `gnomon journal`: what they print where, and how they exit."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from gnomon.cli import main

EXAMPLES = Path(__file__).parents[1] / "records" / "examples"
GNOMON = str(Path(sys.executable).with_name("gnomon"))


SHEET = """\
Sheet: 1
Game: tamsk
Settings: level=3
Event: Club evening
Player red: Ada Lovelace
Player black: Charles Babbage
Result: black resignation

# Both had slept well.
1. black flip15     2
2. red   D1-D2      19 lift=15 down=18.5  # late
3. black A1-B2,+D2  27 lift=25 down=25.8
"""


def gnomon(*words: str | Path, stdin: str = "") -> tuple[int, str, str]:
    """The exit status of the command, and what it said on standard output and standard error."""
    told = CliRunner().invoke(main, list(map(str, words)), input=stdin.encode(), prog_name="gnomon")
    assert told.exception is None or isinstance(told.exception, SystemExit)
    return told.exit_code, told.stdout_bytes.decode(), told.stderr_bytes.decode()


@pytest.fixture
def sheet(tmp_path: Path) -> Path:
    path = tmp_path / "game.sheet"
    path.write_text(SHEET, "utf-8")
    return path


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    path = tmp_path / "journal.db"
    assert gnomon("journal", "import", EXAMPLES / "level3.jsonl", path) == (0, f"game 1 of {path}\n", "")
    return path


def test_the_command_says_the_same_in_a_process_of_its_own() -> None:
    for text in (SHEET, SHEET.replace("A1-B2", "A1-B3"), ""):
        command = [GNOMON, "sheet", "check", "-"]
        told = subprocess.run(command, input=text.encode(), capture_output=True, check=False)
        alone = (told.returncode, told.stdout.decode(), told.stderr.decode())
        assert alone == gnomon("sheet", "check", "-", stdin=text)


# Checking


def test_a_legal_sheet_exits_0(sheet: Path) -> None:
    said = f"{sheet}: 3 turns, all legal; Black won (by resignation, as the sheet says)\n"
    assert gnomon("sheet", "check", sheet) == (0, said, "")


def test_the_first_illegal_turn_is_named_with_its_rule_and_exits_1() -> None:
    said = "-: line 12, turn 3, A1-B3,+D2: rule 1: B3 is not next to A1\n"
    assert gnomon("sheet", "check", "-", stdin=SHEET.replace("A1-B2", "A1-B3")) == (1, said, "")


def test_a_wrong_result_exits_1() -> None:
    lines = "Sheet: 1\nGame: tau\nSettings: rows=1 columns=2 limit=1\nResult: {}\nca"
    status, right, _ = gnomon("sheet", "check", "-", stdin=lines.format("low"))
    assert (status, right) == (0, "-: 1 turn, all legal; LOW won (the product is not above the LIMIT)\n")
    status, wrong, _ = gnomon("sheet", "check", "-", stdin=lines.format("high"))
    assert (status, wrong) == (
        1,
        "-: the sheet says that the result is high, but by its turns it is LOW (within_limit)\n",
    )


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "line 1: the sheet does not name its game"),
        (SHEET.replace("A1-B2", "A1xB2"), "line 12, turn 3: 'A1xB2,+D2' is not a TAMSK move such as"),
        (SHEET.replace("tamsk", "chess"), "there is no game 'chess'"),
        (SHEET.replace("level=3", "level=4"), "level must be one of 1, 2, 3"),
        (SHEET.replace("3. black", "4. black"), "line 12: this is turn 3, and it is numbered 4"),
        (SHEET.replace("Event", "event"), "line 4: 'event' is no header: one begins with a capital letter"),
        (SHEET.replace("Event", "Événement"), "line 4: 'Événement' is no header"),
        ("(;GM[1];B[aa])", "line 1: the game GM[1] is not one of ours"),
        ('{"trace": 2}', "line 1: "),
    ],
)
@pytest.mark.parametrize("command", ["check", "show", "convert"])
def test_what_cannot_be_read_exits_2_with_one_sentence(command: str, text: str, sentence: str) -> None:
    words = ("--to", "trace") if command == "convert" else ()
    status, _, said = gnomon("sheet", command, "-", *words, stdin=text)
    assert (status, said.count("\n")) == (2, 1)
    assert said.startswith(f"Error: -: {sentence}")


@pytest.mark.parametrize("command", ["check", "show", "convert"])
def test_a_file_that_is_not_there_exits_2(command: str, tmp_path: Path) -> None:
    missing = tmp_path / "missing"
    assert gnomon("sheet", command, missing) == (2, "", f"Error: {missing} cannot be read: No such file or directory\n")


# Showing


def test_a_sheet_is_shown_turn_by_turn(sheet: Path) -> None:
    status, said, _ = gnomon("sheet", "show", sheet)
    assert status == 0
    assert said.splitlines() == [
        "tamsk (level 3)",
        "  Event  Club evening",
        "  red    Ada Lovelace",
        "  black  Charles Babbage",
        "",
        "  Both had slept well.",
        "   1  black  flip15            0:02.0",
        "   2  red    D1-D2             0:19.0   late",
        "   3  black  A1-B2,+D2         0:27.0",
        "",
        "  Black won (by resignation, as the sheet says); score Red 31, Black 30",
    ]


@pytest.mark.parametrize(
    ("language", "result", "start", "turn"),
    [
        (
            "de",
            "  Schwarz hat gewonnen (durch Aufgabe, nach dem Formular); Stand Rot 31, Schwarz 30",
            "tamsk, Anfang",
            "tamsk nach Zug 2, Rot D1-D2",
        ),
        (
            "fr",
            "  Noir a gagné (par abandon, selon la feuille)\xa0; score Rouge 31, Noir 30",
            "tamsk, début",
            "tamsk après le coup 2, Rouge D1-D2",
        ),
    ],
)
def test_a_sheet_is_shown_in_the_language_of_the_run(
    sheet: Path, language: str, result: str, start: str, turn: str
) -> None:
    assert gnomon("--language", language, "sheet", "show", sheet)[1].splitlines()[-1] == result
    for ply, head in (("0", start), ("2", turn)):
        assert gnomon("--language", language, "sheet", "show", sheet, "--ply", ply)[1].splitlines()[0] == head


def test_times_stand_below_each_other_behind_long_moves() -> None:
    bid = "1234567890123456789"
    lines = f"Sheet: 1\nGame: tau\nSettings: rows=4 columns=5\n1. p1 bid:{bid} 5\n2. p2 pass 9\n"
    _, said, _ = gnomon("sheet", "show", "-", stdin=lines)
    turns = [line for line in said.splitlines() if line.endswith((" 0:05.0", " 0:09.0"))]
    assert [len(line) for line in turns] == [len(turns[0])] * 2


def test_an_illegal_sheet_is_shown_as_far_as_it_is_legal() -> None:
    status, said, _ = gnomon("sheet", "show", "-", stdin=SHEET.replace("A1-B2", "A1-B3"))
    assert status == 0
    assert said.splitlines()[-2:] == [
        "   2  red    D1-D2             0:19.0   late",
        "      line 12, turn 3, A1-B3,+D2: rule 1: B3 is not next to A1",
    ]


@pytest.mark.parametrize(
    ("ply", "after"), [("2", "turn 2, Red D1-D2"), ("-2", "turn 2, Red D1-D2"), ("0", "the start")]
)
def test_a_position_is_shown(sheet: Path, ply: str, after: str) -> None:
    status, said, _ = gnomon("sheet", "show", sheet, "--ply", ply)
    first, *lines = said.splitlines()
    assert (status, first) == (0, f"tamsk after {after}")
    assert ("  rings       D2:1" in lines) == (after != "the start")
    assert "  rings_left  red:31 black:32" in lines or after == "the start"
    assert any(line.endswith("player black, space A1, remaining 0, running no") for line in lines)


@pytest.mark.parametrize("ply", ["4", "-5"])
def test_a_ply_that_is_not_there_exits_2(sheet: Path, ply: str) -> None:
    said = f"Error: {sheet}: there is no ply {ply}: there are 3 turns\n"
    assert gnomon("sheet", "show", sheet, "--ply", ply) == (2, "", said)


@pytest.mark.parametrize("game", ["tamsk", "tayu", "tabik", "tau", "twenty-squares"])
def test_the_start_of_every_game_is_shown(game: str) -> None:
    text = f"Sheet: 1\nGame: {game}\n"
    status, said, _ = gnomon("sheet", "show", "-", "--ply", "0", stdin=text)
    assert (status, said.splitlines()[0]) == (0, f"{game} after the start")
    assert gnomon("sheet", "check", "-", stdin=text) == (0, "-: 0 turns, all legal; no result\n", "")


# Converting


def test_a_sheet_goes_through_sgf_and_comes_back(sheet: Path, tmp_path: Path) -> None:
    sgf = tmp_path / "game.sgf"
    assert gnomon("sheet", "convert", sheet, "--to", "sgf", "-o", sgf) == (0, "", "")
    assert sgf.read_text("utf-8").startswith("(;FF[4]GM[38]")
    assert gnomon("sheet", "convert", sgf) == (0, SHEET.replace("\n\n#", "\n#").replace("well.\n", "well.\n\n"), "")


def test_a_sheet_goes_through_a_trace_and_is_ruled_the_same(sheet: Path) -> None:
    status, trace, _ = gnomon("sheet", "convert", sheet, "--to", "trace")
    assert status == 0
    _, rulings, _ = gnomon("replay", "-", stdin=trace)
    turns = [json.loads(line) for line in rulings.splitlines()]
    assert [ruling["text"] for ruling in turns if ruling["ruling"] == "turn"] == ["D1-D2", "A1-B2,+D2"]
    _, again, _ = gnomon("sheet", "convert", "-", stdin=trace)
    assert [line.split("  #")[0] for line in again.splitlines()[-3:]] == [
        line.split("  #")[0] for line in SHEET.splitlines()[-3:]
    ]


def test_a_record_of_boardspace_becomes_a_sheet() -> None:
    rows = "P0 1 Pickb A 1 1000\nP0 2 Dropb A 2 2000\nP0 3 Done  2500\n"
    status, said, _ = gnomon("sheet", "convert", "-", stdin=rows)
    assert (status, said.splitlines()[-1]) == (0, "1. red G4-G3x  2.5 lift=1 down=2")


def test_of_many_games_one_must_be_named() -> None:
    games = "(;GM[38];W[D1-D2])(;GM[38];W[D1-E1])"
    assert gnomon("sheet", "check", "-", stdin=games)[2] == "Error: - holds 2 games: say which with --game\n"
    assert gnomon("sheet", "convert", "-", "--game", "2", stdin=games)[1].splitlines()[-1] == "1. red D1-E1"
    assert gnomon("sheet", "convert", "-", "--game", "3", stdin=games)[2] == "Error: - has no game 3: it holds 2\n"


def test_a_file_that_cannot_be_written_exits_2(sheet: Path, tmp_path: Path) -> None:
    status, _, said = gnomon("sheet", "convert", sheet, "-o", tmp_path)
    assert (status, said) == (2, f"Error: {tmp_path} cannot be written: Is a directory\n")


# Journals


def test_a_game_is_listed_bundled_compared_and_shown(journal: Path, tmp_path: Path) -> None:
    assert gnomon("journal", "games", journal) == (0, "   1  unknown  tamsk  level=3\n", "")
    made = tmp_path / "bundle.jsonl"
    assert gnomon("journal", "bundle", journal, "--player", "red=Ada", "-o", made) == (0, "", "")
    assert gnomon("journal", "compare", made) == (0, f"{made}: all 7 rulings agree\n", "")
    assert gnomon("replay", made) == gnomon("replay", EXAMPLES / "level3.jsonl")
    _, sheet, _ = gnomon("sheet", "convert", made)
    assert "Player red: Ada" in sheet
    assert gnomon("sheet", "convert", journal)[1] == sheet.replace("Player red: Ada\n", "")


def test_a_bundle_has_the_names_of_the_journal(journal: Path, tmp_path: Path) -> None:
    made, again, other = tmp_path / "bundle.jsonl", tmp_path / "again.journal", tmp_path / "other.jsonl"
    gnomon("journal", "bundle", journal, "--player", "red=Ada", "-o", made)
    assert gnomon("journal", "import", made, again)[0] == 0
    for players in ((), ("--player", "black=Bo"), ("--player", "red=Ada")):
        assert gnomon("journal", "bundle", again, *players, "-o", other) == (0, "", "")
        assert "Player red: Ada" in gnomon("sheet", "convert", other)[1]
    assert gnomon("journal", "bundle", again, "--player", "red=Eve") == (2, "", "Error: the journal names Red: Ada\n")


def test_a_game_at_a_table_is_listed_with_its_game(journal: Path) -> None:
    _, trace, _ = gnomon("sheet", "convert", "-", "--to", "trace", stdin="Sheet: 1\nGame: tabik\na1b1")
    made = journal.with_name("table.jsonl")
    made.write_text(trace, "utf-8")
    assert gnomon("journal", "import", made, journal)[0] == 0
    assert gnomon("journal", "games", journal)[1].splitlines() == [
        "   1  unknown  tamsk          level=3",
        "   2  unknown  tabik (table)",
    ]
    assert gnomon("sheet", "convert", journal)[1].splitlines()[-1] == "1. black a1b1  3"
    assert gnomon("sheet", "convert", journal, "--game", "1")[1].splitlines()[1] == "Game: tamsk"


def test_a_ruling_that_differs_is_shown_and_exits_1(journal: Path) -> None:
    _, trace, _ = gnomon("journal", "bundle", journal)
    status, said, _ = gnomon("journal", "compare", "-", stdin=trace.replace('"text": "A1-B2,+D2"', '"text": "A1-B2"'))
    assert (status, said.splitlines()[0]) == (1, "-: ruling 4 differs")
    assert [line.split()[0] for line in said.splitlines()[1:]] == ["at", "replayed"]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("journal", "bundle", "{journal}", "--game", "7"), "the journal {journal} has no game 7"),
        (("journal", "bundle", "{journal}", "--player", "Ada"), "a player is written SIDE=NAME, not 'Ada'"),
        (("journal", "bundle", "{journal}", "-o", "{folder}"), "{folder} cannot be written: Is a directory"),
        (("journal", "games", "{folder}/none"), "there is no journal {folder}/none"),
        (("journal", "games", "{text}"), "the journal {text} cannot be used: it is not a journal, or damaged"),
        (("journal", "compare", "{folder}"), "{folder} cannot be read: Is a directory"),
        (("journal", "compare", "{text}"), "{text}: line 1: this is not JSON"),
        (
            ("journal", "import", "{folder}/none", "{journal}"),
            "{folder}/none cannot be read: No such file or directory",
        ),
        (("journal", "import", "{text}", "{journal}"), "{text}: line 1: this is not JSON"),
        (("journal", "import", "{trace}", "{text}"), "the journal {text} is damaged: nothing in it can be read"),
        (("sheet", "check", "{journal}", "--game", "7"), "{journal}: the journal {journal} has no game 7"),
    ],
)
def test_what_cannot_be_done_is_one_sentence_and_exits_2(
    words: tuple[str, ...], sentence: str, journal: Path, tmp_path: Path
) -> None:
    text = tmp_path / "text"
    text.write_text("This is a letter, long enough to be taken for a file of some size. " * 4)
    places = {"journal": journal, "folder": tmp_path, "text": text, "trace": EXAMPLES / "level1.jsonl"}
    status, _, said = gnomon(*(word.format(**places) for word in words))
    assert (status, said.count("\n")) == (2, 1)
    assert said.startswith(f"Error: {sentence.format(**places)}")


def test_a_trace_that_does_not_say_what_was_ruled_cannot_be_compared() -> None:
    status, _, said = gnomon("journal", "compare", EXAMPLES / "level1.jsonl")
    assert status == 2
    assert "does not say what was ruled at the table" in said


def test_another_programs_database_is_refused(tmp_path: Path) -> None:
    stranger = tmp_path / "stranger.db"
    subprocess.run(
        [sys.executable, "-c", f"import sqlite3; sqlite3.connect({str(stranger)!r}).execute('CREATE TABLE t (x)')"],
        check=True,
    )
    said = f"Error: {stranger}: {stranger} is not a journal of Gnomon\n"
    assert gnomon("sheet", "check", stranger) == (2, "", said)
