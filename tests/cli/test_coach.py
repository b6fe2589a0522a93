"""The coach at the command line: `gnomon hint` and `gnomon guess`."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from gnomon.cli import main
from gnomon.engines.protocol import Chance, Limits, Report
from gnomon.games.tau.engine import TauEngine
from gnomon.games.tau.rules import Position

SHEET = (
    "Sheet: 1\nGame: tabik\nSettings: size=4\nPlayer black: Ada\nPlayer white: Bo\nResult: white resigned\n\n"
    "1. black a1b1\n2. white c1c2\n3. black d4c4\n4. white a3a2\n"
)
FEW = ("--nodes", "200")


def run(*arguments: str, text: str = "") -> Result:
    return CliRunner().invoke(main, arguments, input=text)


@pytest.fixture
def sheet(tmp_path: Path) -> str:
    path = tmp_path / "game.sheet"
    path.write_text(SHEET, "utf-8")
    return str(path)


def hint(*arguments: str) -> Result:
    return run("hint", *arguments, *FEW)


GOLDEN = {
    "en": (
        "Move the glass on A4.\n"
        "From A4 to B4, and a ring falls there (A4-B4).\n"
        "Ways to move afterwards: 12 for Red, 9 for Black.\n"
        "It is too early to say who will win; the next best move is G4-F4.\n"
    ),
    "de": (
        "Ziehen Sie mit der Sanduhr, die auf A4 steht.\n"
        "Von A4 nach B4, und dort fällt ein Ring (A4-B4).\n"
        "Zugmöglichkeiten danach: 12 für Rot, 9 für Schwarz.\n"
        "Es ist zu früh, um zu sagen, wer gewinnt; der nächstbeste Zug ist G4-F4.\n"
    ),
    "fr": (
        "Jouez le sablier en A4.\n"
        "De A4 à B4, avec un anneau (A4-B4).\n"
        "Possibilités de jeu ensuite\xa0: 12 pour Rouge, 9 pour Noir.\n"
        "Il est trop tôt pour dire qui gagnera\xa0; le deuxième meilleur coup est G4-F4.\n"
    ),
}


@pytest.mark.parametrize("language", GOLDEN)
def test_a_hint_is_the_same_every_time_in_every_language(language: str) -> None:
    for _ in range(2):
        told = run("--language", language, "hint", "tamsk", "--set", "level=1", "--nodes", "1000")
        assert (told.exit_code, told.output) == (0, GOLDEN[language])


def test_one_step_alone() -> None:
    everything = hint("tabik", "f5e5", "f3f2").output.splitlines()
    assert hint("tabik", "f5e5", "f3f2", "--step", "1").output.splitlines() == everything[:1]
    assert hint("tabik", "f5e5", "f3f2", "--step", "2").output.splitlines() == everything[1:2]
    assert hint("tabik", "f5e5", "f3f2", "--step", "3").output.splitlines() == everything[2:]


def test_a_recorded_game_up_to_a_turn(sheet: str) -> None:
    here = hint(sheet, "--ply", "2").output
    assert here == hint("tabik", "--set", "size=4", "a1b1", "c1c2").output
    assert hint(sheet, "--ply", "-3").output == here
    assert hint(sheet).output == hint("tabik", "--set", "size=4", "a1b1", "c1c2", "d4c4", "a3a2").output
    assert json.loads(hint(sheet, "--ply", "0", "--json").output)["ply"] == 0


def test_threats_instead_of_a_hint_or_after_a_step() -> None:
    told = hint("tabik", "f5e5", "f3f2", "d6d5", "f4g4", "--threats").output
    assert told.startswith("If it were White’s turn: ")
    both = hint("tabik", "f5e5", "f3f2", "d6d5", "f4g4", "--threats", "--step", "1").output
    assert both == f"Place two new stones.\n{told}"


def test_a_verdict_does_not_name_the_better_move() -> None:
    moves = ("tabik", "--set", "size=4", "a1b1", "c1c2", "d4c4")
    told = run("hint", *moves, "--json", "--check", "a3a2", "--nodes", "2000")
    found = json.loads(told.output)
    assert found["verdict"]["kind"] in {"sound", "mistake", "blunder", "missed_win", "loses"}
    said = run("hint", *moves, "--check", "a3a2", "--nodes", "2000").output
    assert found["verdict"]["best"] not in said


def test_json_has_codes_and_every_move_that_was_weighed() -> None:
    found = json.loads(hint("tabik", "f5e5", "f3f2", "d6d5", "f4g4", "--json", "--threats").output)
    assert found["steps"][0][0]["key"] == "coach.tabik.stones"
    assert found["steps"][0][0]["said"] == "Place two new stones."
    assert found["candidates"][0]["move"] == found["move"]
    assert len(found["candidates"]) > 100
    assert {"game", "player", "ply", "nodes", "depth"} <= found.keys()
    assert found["threat"]["said"][0]["key"] == "coach.threat.now"
    verdict = json.loads(hint("tamsk", "--json", "--check", "D1-D2=").output)["verdict"]
    assert (verdict["kind"], verdict["points"], verdict["warns"]) == ("unknown", None, False)


def test_some_moves_alone_are_weighed() -> None:
    found = json.loads(hint("tabik", "f5e5", "f3f2", "--weigh", "a1a2", "--weigh", "b1b2", "--json").output)
    assert {each["move"] for each in found["candidates"]} == {"a1a2", "b1b2"}
    assert found["move"] in {"a1a2", "b1b2"}


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("twenty-squares",), "nobody is on turn: a throw, or a tile to be drawn, comes first"),
        (("tabik", "--set", "size=2", "--set", "pie=no", "a1a2", "b1b2", "a1~b1", "a2~b2"), "the game is over"),
        (("tabik", "--ply", "3"), "--ply and --game go with a file"),
        (("clock",), "clock"),
        (("tabik", "--set", "size"), "size"),
        (("tabik", "--set", "size=99"), "size"),
        (("tabik", "z9z8"), "z9z8"),
        (("tabik", "--check", "z9z8"), "z9z8"),
        (("/nowhere", "a1a2"), "moves are given with the name of a game"),
        (("/nowhere", "--set", "size=4"), "--set goes with the name of a game"),
        (("/nowhere",), "/nowhere"),
        (("tabik", "f5e5", "--weigh", "z9z8"), "z9z8"),
    ],
)
def test_what_cannot_be_advised_is_refused_in_one_sentence(arguments: tuple[str, ...], why: str) -> None:
    told = hint(*arguments)
    assert told.exit_code in {1, 2}
    assert why in told.output
    assert len(told.output.splitlines()) == 1


@pytest.fixture
def deaf(monkeypatch: pytest.MonkeyPatch) -> None:
    """TAU's engine weighs what it likes, as an engine of another distribution may."""
    think = TauEngine.think

    def weigh(
        engine: TauEngine, position: Position, limits: Limits, chance: Chance, stopped: Callable[[], bool]
    ) -> Iterator[Report]:
        return think(engine, position, limits._replace(moves=()), chance, stopped)

    monkeypatch.setattr(TauEngine, "think", weigh)


@pytest.mark.usefixtures("deaf")
def test_a_move_that_an_engine_does_not_weigh_is_named() -> None:
    told = hint("tau", "bid:512", "--weigh", "bid:777777")
    assert (told.exit_code, "did not evaluate bid:777777" in told.output) == (2, True)


def test_a_turn_that_a_game_does_not_have_is_refused(sheet: str, tmp_path: Path) -> None:
    assert "5" in hint(sheet, "--ply", "5").output
    assert hint(sheet, "--ply", "5").exit_code == 2
    wrong = tmp_path / "wrong.sheet"
    wrong.write_text(SHEET.replace("c1c2", "a1a2"), "utf-8")
    assert hint(str(wrong)).exit_code == 2


# Guess the move


def test_the_winners_moves_are_guessed_on_standard_input(sheet: str) -> None:
    told = run("guess", sheet, *FEW, text="c1c2\na3a2\n")
    assert told.output == (
        "Before it: a1b1.\nTurn 2, White: which move?\n10 points: that is what was played.\n"
        "Before it: d4c4.\nTurn 4, White: which move?\n10 points: that is what was played.\n"
        "20 of 20 points (100 %): as well as the winner played, or nearly.\n"
    )


def test_a_list_a_mistake_a_skipped_turn_and_the_end_of_the_input(sheet: str) -> None:
    told = run("guess", sheet, *FEW, text="?\na1a2\n\n").output
    assert "Legal moves: " in told
    assert "Rule 4: a stone stands on a1." in told
    assert told.endswith("Turn 4, White: which move?\nNo move was guessed.\n")


def test_a_move_with_a_question_mark_asks_for_its_piece(sheet: str) -> None:
    told = run("guess", sheet, *FEW, text="a2a3?\nc1c2\n").output.splitlines()
    assert told[2] in {"Yes: a good turn uses it.", "No: every good turn uses something else."}
    assert told[3] == "10 points: that is what was played."


def test_another_player_or_all(sheet: str) -> None:
    assert "Turn 3, Black" in run("guess", sheet, "--player", "black", text="\n\n").output
    assert run("guess", sheet, "--player", "all", text="\n\n\n\n").output.count("which move?") == 4
    told = run("guess", sheet, "--player", "green")
    assert (told.exit_code, told.output) == (1, "Error: green does not play in this game; black, white, all do\n")


def test_each_guess_as_json(sheet: str) -> None:
    first, last = run("guess", sheet, *FEW, "--json", text="a2a3\n").output.splitlines()
    found = json.loads(first)
    assert (found["turn"], found["guess"], found["played"]) == (2, "a2a3", "c1c2")
    assert 0 <= found["points"] <= 10
    assert json.loads(last)["key"] == "coach.guess.sum"


@pytest.mark.usefixtures("deaf")
def test_a_guess_gets_points_or_cannot_be_judged(sheet: str, tmp_path: Path) -> None:
    assert "Played: c1c2." in run("guess", sheet, *FEW, text="a2a3\n").output
    bids = tmp_path / "bids.sheet"
    bids.write_text("Sheet: 1\nGame: tau\nResult: high resigned\n\n1. p1 bid:512\n2. p2 pass\n", "utf-8")
    told = run("guess", str(bids), "--player", "all", *FEW, text="\nbid:777\n").output
    assert "did not evaluate this move" in told


def test_a_game_without_a_choice_is_refused(tmp_path: Path) -> None:
    empty = tmp_path / "empty.sheet"
    empty.write_text("Sheet: 1\nGame: tabik\n\n", "utf-8")
    told = run("guess", str(empty))
    assert (told.exit_code, told.output) == (1, "Error: the game has no turn to guess\n")
    empty.write_text("Sheet: 1\nGame: tabik\n\n1. black z9z9\n", "utf-8")
    assert run("guess", str(empty)).exit_code in {1, 2}


def test_lines_that_are_no_turns_belong_to_the_turn_they_are_made_in() -> None:
    record = Path(__file__).parents[1] / "records/v0_1_0/tamsk-3.sheet"
    told = run("guess", str(record), "--player", "all", text="\n" * 40).output
    assert "Turn 1, Red: which move?" in told
    assert "lost" in told


def test_where_any_higher_bid_is_legal_a_hint_compares_two_of_them() -> None:
    told = hint("tau").output
    assert "no other legal move" not in told
    assert "bid:" in told


@pytest.mark.parametrize("move", ["a1b1", "d4e4", "f5e5"])
def test_of_moves_that_are_alike_each_is_judged(move: str) -> None:
    told = run("hint", "tabik", "--check", move, "--nodes", "4000")
    assert told.exit_code == 0
    assert "cannot be judged" not in told.output
