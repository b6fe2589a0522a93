"""The players' page: what is told of a board, its pictures, and what players say of it."""

import json
import re
from typing import Any

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon.referee.events import DeadlineReached, Paused, ResultDeclared, Resumed, TurnEntered
from gnomon.referee.game import Game
from gnomon.referee.games import begin, tell
from gnomon.timekeeping.instants import SECOND, Instant, seconds
from gnomon.views.summary import summary
from gnomon.web._pictures import picture_name, sheet
from gnomon.web.access import Role
from gnomon.web.live.streams import for_pages, thinker, time_used
from gnomon.words import LANGUAGES, words
from tests.views.tables import scenes
from tests.web.api_house import PaperBoard
from tests.web.visitors import Browser, Reception


def at(second: float) -> Instant:
    return Instant(round(second * SECOND))


def after(name: str, *turns: tuple[float, str]) -> Game:
    """A game after turns that were entered at some seconds."""
    game = begin(name, {"level": 1} if name == "tamsk" else {})
    for second, text in turns:
        game, _ = tell(game, TurnEntered(at(second), text, "test"))
    return game


@pytest.fixture
def board() -> PaperBoard:
    return PaperBoard(after("tabik", (5, "d4e4")), at(7))


@pytest.fixture
def reception(board: PaperBoard) -> Reception:
    return Reception(open_to=Role.PLAYER, board=board)


@pytest.fixture
def browser(reception: Reception) -> Browser:
    return reception.browser()


def post(browser: Browser, path: str, body: object) -> httpx.Response:
    """Send JSON as the page does."""
    return browser.ask("POST", path, headers={"x-csrf-token": browser.csrf("/board")}, json=body)


# What is told


def test_the_time_of_a_turn_is_its_players() -> None:
    game = after("tabik", (5, "d4e4"), (12, "d5e5"))
    assert dict(time_used(game, at(15))) == {"black": at(5 + 3), "white": at(7)}
    assert thinker(game) == "black"


def test_a_throw_takes_the_time_of_the_player_who_moves_by_it() -> None:
    turns = ((2, "throw:1"), (3, "convert"), (10, "throw:4"), (11, "in-a1"), (12, "throw:2"), (15, "a1-b2"))
    assert dict(time_used(after("twenty-squares", *turns), at(17))) == {"p1": at(15), "p2": at(2)}


def test_a_pause_is_nobodys_time() -> None:
    game, _ = tell(after("tabik", (5, "d4e4")), Paused(at(8), "arbiter"))
    assert dict(time_used(game, at(500))) == {"black": at(5), "white": at(3)}
    assert thinker(game) == ""


@pytest.mark.parametrize("level", [1, 2])
def test_a_pause_between_turns_is_not_counted_at_any_level(level: int) -> None:
    game: Game = begin("tamsk", {"level": level})
    for event in (
        TurnEntered(at(5), "D1-D2", "test"),
        Paused(at(8), "arbiter"),
        Resumed(at(100), "arbiter"),
        TurnEntered(at(104), "G1-F2", "test"),
    ):
        game, _ = tell(game, event)
    assert dict(time_used(game, at(105))) == {"red": at(6), "black": at(7)}


@pytest.mark.parametrize(
    ("game", "turn", "used"),
    [
        ("tamsk", "D1-D2", {"red": at(5), "black": at(4)}),
        ("tabik", "d4e4", {"black": at(5), "white": at(4)}),
        ("twenty-squares", "throw:1", {"p1": at(9)}),
    ],
)
def test_nobody_thinks_when_the_game_is_over(game: str, turn: str, used: dict[str, Instant]) -> None:
    played = after(game, (5, turn))
    over, _ = tell(played, ResultDeclared(at(9), played.rules.players[0], "resigned", "arbiter"))
    assert dict(time_used(over, at(60))) == used
    assert thinker(over) == ""


def test_a_turn_that_ends_the_game_leaves_nobody_to_think() -> None:
    game: Game = begin("tabik", {"size": 3, "pie": "no"})
    for number in range(1, 100):
        if game.outcome is None:
            game, _ = tell(game, TurnEntered(at(number), game.texts()[0], "test"))
    used = time_used(game, at(500))
    assert sum(used.values()) == game.plies[-1].at


def test_who_thinks_as_a_flag_falls_has_used_that_time() -> None:
    game: Game = begin("tabik", {"size": 4, "clock": "0:10"})
    for text in game.texts()[:1]:
        game, _ = tell(game, TurnEntered(at(5), text, "test"))
    while game.outcome is None and (deadline := game.deadline()) is not None:
        game, _ = tell(game, DeadlineReached(deadline))
    assert game.outcome is not None
    assert dict(time_used(game, at(500))) == {"black": at(5), "white": at(10)}


@given(st.lists(st.floats(0.1, 900), min_size=1, max_size=4), st.floats(0, 900))
def test_the_times_of_all_players_together_are_the_time_of_the_game(gaps: list[float], rest: float) -> None:
    turns, now = [], 0.0
    for gap, text in zip(gaps, ("D1-D2", "G1-F2", "A4-B4", "D7-D6"), strict=False):
        now += gap
        turns.append((now, text))
    used = time_used(after("tamsk", *turns), at(now + rest))
    assert sum(used.values()) == at(now + rest)


def test_pages_are_told_the_name_of_a_picture_and_where_its_board_lies(board: PaperBoard) -> None:
    told = summary(board.game(), board.now())
    news: Any = for_pages(told, board.game(), board.now())
    assert news["picture"] == picture_name(str(told["picture"]))
    assert len(json.dumps(news)) < 16_000
    first, last = news["corners"]
    assert first[0] < last[0]
    assert first[1] < last[1]


def test_tamsk_has_no_picture_and_no_game_has_no_times() -> None:
    game = after("tamsk")
    assert "picture" not in for_pages(summary(game, at(1)), game, at(1))
    assert for_pages(summary(None, at(0)), None, at(0)) == {"game": None, "health": [], "now": 0}


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_choices_of_a_question_are_told_in_plain_words(language: str) -> None:
    game = scenes()["question-of-three"].game
    assert game is not None
    say = words(language)
    said: Any = for_pages(summary(game, at(61)), game, at(61), say)["said"]
    assert said["B4-C4"] == say(
        "turn.tamsk.move", player=say("player.red"), origin="B4", target="C4", ring=say("turn.tamsk.ring")
    )
    # Whether to take back is no turn, and has words of its own.
    back = scenes()["question-take-back"].game
    assert for_pages({}, back, at(61), say)["said"] == {}


# The page


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_is_there_in_every_language_and_without_a_game(reception: Reception, language: str) -> None:
    page = reception.browser().get(f"/board?language={language}")
    assert page.status_code == 200
    assert words(language)("players.noscript") in page.text
    assert Reception(board=PaperBoard()).browser().get("/board").status_code == 200


def test_the_page_asks_nobody_else_and_brings_no_style_or_program_inside(browser: Browser) -> None:
    for path in ("/board", "/board/new?game=tamsk", "/clock", "/not-live"):
        text = browser.get(path).text.replace("http://www.w3.org", "")
        assert not re.search(r"https?://|<style|style=|<script(?! type=\"module\" src)|\son\w+=", text), path


def test_every_file_that_a_page_names_is_there(browser: Browser) -> None:
    for path in ("/board", "/board/new?game=tabik", "/clock", "/not-live"):
        for name in re.findall(r'(?:src|href)="(/(?:static|board/|app)[^"?]*)"', browser.get(path).text):
            assert browser.get(name).status_code == 200, name


def test_only_those_who_may_enter_turns_see_how(board: PaperBoard) -> None:
    assert "turn-form" not in Reception(board=board).browser().get("/board").text
    assert "turn-form" in Reception(open_to=Role.PLAYER, board=board).browser().get("/board").text


def test_the_picture_is_given_by_its_name_and_no_longer_when_another_is_shown(
    browser: Browser, board: PaperBoard
) -> None:
    name = picture_name(str(summary(board.game(), board.now())["picture"]))
    picture = browser.get(f"/board/pictures/{name}.svg")
    assert picture.headers["content-type"].startswith("image/svg+xml")
    assert "immutable" in picture.headers["cache-control"]
    assert "<style" not in picture.text
    board.present = after("tabik", (5, "d4e4"), (9, "d5e5"))
    assert browser.get(f"/board/pictures/{name}.svg").status_code == 204
    board.present = None
    assert browser.get(f"/board/pictures/{name}.svg").status_code == 204


def test_colours_and_looks_of_the_games_are_given(browser: Browser) -> None:
    assert browser.get("/board/pictures.css").text == sheet()
    assert browser.get("/board/looks/tayu.svg").text.startswith("<svg")
    assert browser.get("/board/looks/chess.svg").json()["error"].startswith("There is no game 'chess'; the games are ")
    german = {"accept-language": "de"}
    assert browser.get("/board/looks/chess.svg", **german).json()["error"].startswith("Es gibt kein Spiel 'chess'; ")
    assert browser.get("/board/drawings/tamsk/none-x.svg", **german).json()["error"] == "Diese Zeichnung gibt es nicht."


# What players enter


def test_a_turn_is_entered_by_people_who_may(reception: Reception, board: PaperBoard) -> None:
    browser = reception.signed_in(Role.PLAYER, "Grace")
    assert post(browser, "/board/turn", {"text": " d5e5 "}).json()["ruled"] == ["turn"]
    assert board.present is not None
    assert board.present.plies[-1].text == "d5e5"


def test_a_turn_is_entered_by_a_plain_form_too(browser: Browser, board: PaperBoard) -> None:
    answer = browser.send("/board/turn", text="d5e5")
    assert (answer.status_code, answer.headers["location"]) == (303, "/board")
    assert board.present is not None
    assert len(board.present.plies) == 2


@pytest.mark.parametrize(
    ("path", "body", "status", "said"),
    [
        ("/board/turn", {}, 422, "Say the text, in at most 4000 letters."),
        ("/board/turn", {"text": "x" * 4001}, 422, "Say the text, in at most 4000 letters."),
        ("/board/turn", ["d5e5"], 422, "Say the text, in at most 4000 letters."),
        ("/board/turn", {"text": 7}, 422, "Say the text, in at most 4000 letters."),
        ("/board/answer", {"choice": " "}, 422, "Say the choice, in at most 4000 letters."),
        ("/board/throw", {}, 409, "Nothing is to be thrown or drawn now."),
    ],
)
def test_what_makes_no_sense_is_refused_in_a_sentence(
    browser: Browser, path: str, body: object, status: int, said: str
) -> None:
    answer = post(browser, path, body)
    assert (answer.status_code, answer.json()["error"]) == (status, said)


def test_an_answer_to_a_question_that_nobody_asked_is_refused(browser: Browser) -> None:
    answer = post(browser, "/board/answer", {"choice": "yes"})
    assert answer.status_code == 409
    assert answer.json()["error"].endswith(".")


def test_what_is_not_json_says_nothing(browser: Browser) -> None:
    headers = {"x-csrf-token": browser.csrf("/board"), "content-type": "application/json"}
    assert browser.ask("POST", "/board/turn", headers=headers, content=b"{").status_code == 422


def test_a_throw_is_made_for_those_who_ask(browser: Browser, board: PaperBoard) -> None:
    board.present = begin("twenty-squares", {})
    assert post(browser, "/board/throw", {}).status_code == 200
    assert board.present.plies[0].text.startswith("throw:")


@pytest.mark.parametrize(
    ("turns", "count"),
    [(("throw:1",), 1), (("throw:1", "convert"), 1), (("throw:1", "convert", "throw:4"), 2)],
)
def test_a_turn_is_taken_back_with_the_throws_since(turns: tuple[str, ...], count: int) -> None:
    board = PaperBoard(after("twenty-squares", *((number, turn) for number, turn in enumerate(turns, 1))), at(9))
    browser = Reception(open_to=Role.PLAYER, board=board).browser()
    assert post(browser, "/board/take-back", {"plies": str(len(turns))}).status_code == 200
    assert board.present is not None
    assert [ply.text for ply in board.present.plies] == list(turns[: len(turns) - count])


def test_of_two_who_take_back_at_once_one_does(browser: Browser, board: PaperBoard) -> None:
    assert post(browser, "/board/take-back", {"plies": "1"}).status_code == 200
    late = post(browser, "/board/take-back", {"plies": "1"})
    assert late.status_code == 409
    assert late.json() == {"error": "There is no turn to take back."}
    assert post(browser, "/board/turn", {"text": "a1b1"}).status_code == 200
    assert "another turn" in post(browser, "/board/take-back", {"plies": "7"}).json()["error"]
    assert board.present is not None
    assert [ply.text for ply in board.present.plies] == ["a1b1"]


def test_those_who_look_on_enter_nothing(board: PaperBoard) -> None:
    browser = Reception(board=board).browser()
    for name in ("turn", "answer", "throw"):
        assert post(browser, f"/board/{name}", {"text": "d5e5", "choice": "yes"}).status_code == 401
    assert board.present is not None
    assert len(board.present.plies) == 1
    assert seconds(board.now()) == 7
