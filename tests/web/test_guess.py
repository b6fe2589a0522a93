"""Guess-the-move: what is asked, what a guess gets, and what comes at the end."""

import re
import sys
from collections.abc import Sequence
from html import unescape
from pathlib import Path

import pytest

from gnomon.engines.protocol import Score
from gnomon.records.journal.writer import Journal
from gnomon.web.access import Role
from gnomon.web.games.move_values import MoveValues, UnvaluedError
from tests.web.spectators import SHEETS, Shelfful, fill
from tests.web.visitors import Browser, Reception

WON_BY_WHITE = SHEETS[0].replace("Result: black", "Result: white")
WON_BY_BLACK = SHEETS[1].replace("Result: red", "Result: black")
UNFINISHED = SHEETS[0].replace("Result: black resigned\n", "")


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Shelfful:
    with Journal.open(tmp_path_factory.mktemp("guess") / "journal") as journal:
        fill(journal, (WON_BY_WHITE, WON_BY_BLACK, UNFINISHED))
        archive = Shelfful.of(journal)
    archive.durable_seq = archive.last_of(3)
    return archive


@pytest.fixture
def browser_of_a_player(archive: Shelfful) -> Browser:
    return Reception(archive=archive, open_to=Role.PLAYER).browser()


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """After how many turns values were asked for; the engine says that one move is better."""
    asked: list[int] = []

    def find(_self: MoveValues, _sheet: bytes, ply: int, moves: Sequence[str] = ()) -> dict[str, Score]:
        asked.append(ply)
        if moves == ("c1c2", "d4d3"):
            return {"c1c2": Score(0.6), "d4d3": Score(0.55)}
        return {"c1c2": Score(0.6), "a2a3": Score(0.5), "a3a2": Score(0.65)}

    monkeypatch.setattr(MoveValues, "find", find)
    return asked


def test_the_list_leads_to_finished_games_of_those_who_may_play(
    archive: Shelfful, browser_of_a_player: Browser
) -> None:
    assert re.findall(r'href="/guess/(\d+)"', browser_of_a_player.get("/games").text) == ["2", "1"]
    onlooker = Reception(archive=archive).browser()
    assert "/guess/" not in onlooker.get("/games").text
    assert onlooker.get("/guess/1").status_code in {302, 303, 401, 403}
    assert browser_of_a_player.get("/guess").headers["location"] == "/games"


def test_the_winners_turn_is_asked_for_with_all_legal_moves(browser_of_a_player: Browser) -> None:
    text = unescape(browser_of_a_player.get("/guess/1").text)
    assert "Turn 2, White: which move?" in text
    assert "Before it: a1b1." in text
    choices = re.findall(r'<option value="([^"]+)" data-places="([^"]*)"', text)
    assert ("c1c2", "c1 c2") in choices
    assert len(choices) > 20
    assert "Guess 1 of 1; points so far: 0" in text


@pytest.mark.parametrize(
    ("move", "said", "values"),
    [
        ("c1c2", "10 points: that is what was played.", ""),
        ("a2a3", "6 points. Played: c1c2.", "about 50 % with your move, and 60 %"),
        ("a3a2", "10 points. Played: c1c2.", "about 65 % with your move, and 60 %"),
        ("a4b4", "does not count. Played: c1c2.", ""),
        ("d4d3", "8 points. Played: c1c2.", "about 55 % with your move, and 60 %"),
    ],
)
def test_a_guess_is_compared_with_the_move_that_was_played(
    browser_of_a_player: Browser, told: list[int], move: str, said: str, values: str
) -> None:
    text = unescape(browser_of_a_player.get(f"/guess/1?turn=1&points=&move={move}").text)
    assert said in text
    assert f"You guessed {move}." in text
    assert values in text
    assert told == {"c1c2": [], "a4b4": [1, 1], "d4d3": [1, 1]}.get(move, [1])
    points = {"c1c2": "10", "a2a3": "6", "a3a2": "10", "a4b4": "x", "d4d3": "8"}[move]
    assert f'href="/guess/1?turn=2&points={points}"' in text


def test_a_move_that_is_not_legal_is_refused_and_asked_for_again(browser_of_a_player: Browser) -> None:
    text = unescape(browser_of_a_player.get("/guess/1?turn=1&move=a1b1").text)
    assert 'role="alert">Rule 4: a stone stands on a1.' in text
    assert "which move?" in text


def test_the_piece_is_told_to_who_asks_for_it(browser_of_a_player: Browser) -> None:
    text = unescape(browser_of_a_player.get("/guess/1?turn=1&points=&brain=1").text)
    assert "Place two new stones." in text
    assert '<input type="hidden" name="brain" value="1">' in text


@pytest.mark.parametrize(
    ("move", "said"),
    [
        ("c1c2", "Yes: a good turn uses it."),
        ("pie", "The engine did not evaluate a turn with it."),
    ],
)
def test_a_piece_is_told_to_be_part_of_a_good_turn_or_not(
    browser_of_a_player: Browser, told: list[int], move: str, said: str
) -> None:
    text = unescape(browser_of_a_player.get(f"/guess/1?turn=1&points=&move={move}&hand=1").text)
    assert said in text
    assert re.search(rf'<option value="{move}" data-places="[^"]*" selected>', text)
    assert "which move?" in text
    assert told == [1]


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "6 of 10 points (60 %): good play with some slips."),
        ("de", "6 von 10 Punkten (60 %): gut gespielt, mit einigen Ausrutschern."),
        ("fr", "6 points sur 10 (60\xa0%)\xa0: un bon jeu, avec quelques écarts."),
    ],
)
def test_the_result_comes_at_the_end(browser_of_a_player: Browser, language: str, said: str) -> None:
    text = unescape(browser_of_a_player.get(f"/guess/1?turn=2&points=6&language={language}").text)
    assert said.lower() in text.lower()


def test_what_an_address_claims_is_bounded(browser_of_a_player: Browser) -> None:
    text = unescape(browser_of_a_player.get("/guess/1?turn=99999&points=99.x.y.7").text)
    assert "10 of 10 points" in text
    assert browser_of_a_player.get("/guess/1?turn=x").status_code == 200


def test_the_board_is_drawn_before_and_after_the_turn(browser_of_a_player: Browser) -> None:
    before, after = (browser_of_a_player.get(f"/guess/1/position.svg?turn=1&after={each}").text for each in "01")
    assert before.startswith("<svg")
    assert before != after
    assert browser_of_a_player.get("/guess/1/position.svg?turn=9").text.startswith("<svg")


@pytest.mark.parametrize(
    ("path", "status", "told"),
    [("/guess/99", 404, "There is nothing here"), ("/guess/3", 409, "The game has no turn to guess.")],
)
def test_a_game_that_is_not_there_or_not_over_is_not_guessed(
    browser_of_a_player: Browser, path: str, status: int, told: str
) -> None:
    answer = browser_of_a_player.get(path)
    assert answer.status_code == status
    assert f'<p class="number">{status}</p>' in answer.text
    assert told in answer.text


def test_a_turn_with_sand_is_guessed_too(browser_of_a_player: Browser, told: list[int]) -> None:
    text = unescape(browser_of_a_player.get("/guess/2").text)
    assert "Turn 2, Black: which move?" in text
    text = unescape(browser_of_a_player.get("/guess/2?turn=1&move=A1-B2").text)
    assert "10 points: that is what was played." in text
    assert "Ways to move afterwards" in text
    assert told == []


# The process that values moves


def test_values_come_from_a_process_of_its_own() -> None:
    found = MoveValues((*MoveValues().command, "--nodes", "50")).find(SHEETS[0].encode(), 1)
    assert len(found) > 20
    assert all(0 <= score.chance <= 1 for score in found.values())


def test_a_process_weighs_two_moves_alone_or_says_that_it_cannot() -> None:
    quick = MoveValues((*MoveValues().command, "--nodes", "50"))
    assert quick.find(SHEETS[0].encode(), 1, ("c1c2", "a2a3")).keys() == {"c1c2", "a2a3"}
    with pytest.raises(UnvaluedError):
        quick.find(SHEETS[0].encode(), 1, ("z9z8",))


def test_a_process_that_fails_gives_no_values(tmp_path: Path) -> None:
    for command in ((str(tmp_path / "none"),), (sys.executable, "-c", "print('{}')"), (sys.executable, "-c", "1/0")):
        with pytest.raises(UnvaluedError):
            MoveValues(command).find(b"", 0)


def test_a_guess_without_values_does_not_count(browser_of_a_player: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_self: MoveValues, _sheet: bytes, _ply: int) -> dict[str, Score]:
        raise UnvaluedError

    monkeypatch.setattr(MoveValues, "find", fail)
    assert "does not count" in browser_of_a_player.get("/guess/1?turn=1&move=a2a3").text
