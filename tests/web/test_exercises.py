"""Lessons and puzzles that are set out on the board, from their pages and for programs."""

import json
from pathlib import Path

import pytest

from gnomon.analysis.puzzles import Puzzle, dump_puzzles
from gnomon.records.formats.sheets import Sheet, SheetLine
from gnomon.referee.game import Exercise
from gnomon.referee.games import game_of
from gnomon.referee.setup import GameSetup
from gnomon.web.access import Role
from tests.web.api_house import ApiHouse, PaperBoard, written
from tests.web.spectators import Shelfful
from tests.web.visitors import Browser, Reception


@pytest.fixture
def puzzle(tmp_path: Path) -> Puzzle:
    sheet = Sheet("tabik", {"size": "3"}, lines=(SheetLine("a1b1"),))
    puzzle = Puzzle(sheet, "white", ("b2b3",), proven=False, value=0.9, second=0.2)
    (tmp_path / "club.json").write_text(json.dumps(dump_puzzles([puzzle])))
    return puzzle


def shown(board: PaperBoard) -> Exercise | None:
    return None if board.present is None else board.present.exercise


def test_a_lesson_is_set_out_from_its_page(board: PaperBoard, visitor: Browser) -> None:
    assert "Do it on the board" in visitor.get("/learn/tabik/first?step=3").text
    answer = visitor.send("/learn/tabik/first/board", step="3")
    assert answer.headers["location"] == "/board"
    assert shown(board) == Exercise("lesson", "first", 2)
    assert board.present is not None
    assert board.present.rules.settings.size == 3
    # One exercise makes room for another.
    visitor.send("/learn/tamsk/first/board", step="1")
    assert board.present.rules.name == "tamsk"


def test_nobody_resigns_in_an_exercise(board: PaperBoard, visitor: Browser) -> None:
    visitor.send("/learn/tabik/first/board", step="3")
    answer = visitor.ask(
        "POST", "/board/resign", headers={"x-csrf-token": visitor.csrf("/board")}, json={"player": "black"}
    )
    assert (answer.status_code, answer.json()["error"][:43]) == (409, "You can resign here only in a game for two;")
    assert board.present is not None
    assert board.present.outcome is None


def test_no_draw_is_offered_in_an_exercise(board: PaperBoard, visitor: Browser) -> None:
    visitor.send("/learn/tabik/first/board", step="3")
    answer = visitor.ask(
        "POST", "/board/offer-draw", headers={"x-csrf-token": visitor.csrf("/board")}, json={"player": "white"}
    )
    assert (answer.status_code, answer.json()["error"]) == (409, "A lesson or a puzzle cannot end in a draw.")
    assert board.present is not None
    assert board.present.draw is None


def test_a_lesson_in_which_time_passes_begins_on_the_board_with_its_first_step(
    board: PaperBoard, visitor: Browser
) -> None:
    page = visitor.get("/learn/tamsk/sand?step=4").text
    assert "Do it on the board" in page
    assert "From the first step, with real sand" in page
    visitor.send("/learn/tamsk/sand/board", step="4")
    assert shown(board) == Exercise("lesson", "sand", 0)


def test_a_lesson_is_done_on_a_board_of_its_game(board: PaperBoard, visitor: Browser) -> None:
    board.games = ("tamsk",)
    assert "Do it on the board" not in visitor.get("/learn/tabik/first").text
    assert "Do it on the board" in visitor.get("/learn/tamsk/first").text


def test_a_game_that_goes_on_is_not_replaced(board: PaperBoard, visitor: Browser) -> None:
    board.present = game_of(GameSetup("tau"))
    answer = visitor.send("/learn/tabik/first/board", step="1")
    assert answer.status_code == 409
    assert "A game is going on at the board" in answer.text
    assert board.present.rules.name == "tau"


def test_spectators_set_nothing_out(board: PaperBoard) -> None:
    visitor = Reception(board=board).browser()
    assert visitor.send("/learn/tabik/first/board", step="1").status_code in {303, 401, 403}
    assert board.present is None


def test_a_puzzle_is_set_out_from_its_page(board: PaperBoard, puzzle: Puzzle, tmp_path: Path) -> None:
    reception = Reception(open_to=Role.PLAYER, board=board, archive=Shelfful([], []), puzzles=tmp_path / "own")
    visitor, own = reception.browser(), f"/puzzles/{puzzle.number}"
    assert "Do it on the board" in visitor.get(own).text
    assert visitor.send(f"{own}/board").headers["location"] == "/board"
    assert shown(board) == Exercise("puzzle", puzzle.number)
    assert visitor.send("/puzzles/0000/board").status_code == 404
    in_tournament = Reception(open_to=Role.PLAYER, board=board, puzzles=tmp_path / "own", is_tournament=True).browser()
    assert "Do it on the board" not in in_tournament.get(own).text
    assert "Do it on the board" not in in_tournament.get("/learn/tabik/first").text


def test_programs_begin_a_lesson(tmp_path: Path) -> None:
    journal = written(tmp_path)
    house = ApiHouse(journal)
    try:
        token = house.token(Role.PLAYER)
        answer = house.ask("POST", "/board/lessons", token, json={"game": "tabik", "lesson": "first", "step": 2})
        assert answer.status_code == 201, answer.text
        told = answer.json()["exercise"]
        assert (told["kind"], told["step"], told["steps"]) == ("lesson", 2, 7)
        assert house.ask("POST", "/board/lessons", token, json={"game": "tabik", "lesson": "none"}).status_code == 404
        late = {"game": "tabik", "lesson": "first", "step": 8}
        assert house.ask("POST", "/board/lessons", token, json=late).status_code == 404
        assert house.ask("POST", "/board/puzzles", token, json={"puzzle": "0123"}).status_code == 404
        watching = house.token(Role.SPECTATOR)
        assert house.ask("POST", "/board/lessons", watching, json=late).status_code == 403
    finally:
        journal.close()
