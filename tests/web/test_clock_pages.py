"""The match clock on the players' pages: chosen with a new game, read while it is written, pressed, paused."""

import asyncio
import json
import re
from html import unescape
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon.referee.clock_settings import terms_of
from gnomon.referee.events import Adjourned
from gnomon.referee.games import begin
from gnomon.referee.rulings import Corrected
from gnomon.rules.registry import GAMES
from gnomon.timekeeping.instants import SECOND, Instant
from gnomon.timekeeping.notation import format_time_control
from gnomon.timekeeping.presets import PRESETS
from gnomon.views.clock_faces import LOOK_AHEAD, faces, summary
from gnomon.web.access import Role
from gnomon.web.games.clock_choices import ClockWishError, choose_clock, offers, parse_control
from gnomon.words import LANGUAGES, words
from tests.views.clock_scenes import running
from tests.web.api_house import PaperBoard
from tests.web.visitors import Browser, Reception


def wrong_of(page: str) -> dict[str, str]:
    return {name: unescape(text) for name, text in re.findall(r'id="([\w-]+)-wrong">([^<]*)<', page)}


# Chosen with a new game


@pytest.mark.parametrize("game", sorted(GAMES))
def test_any_game_begins_with_a_clock_of_a_name(visitor: Browser, board: PaperBoard, game: str) -> None:
    sent = {"game": game, "clock": "go", "clock-flag": "shown", "clock-warning": " 30 ", "level": "2"}
    assert visitor.send("/board/new", **sent).headers["location"] == "/board"
    assert board.present is not None
    assert board.present.clock is not None
    terms = board.present.clock.terms
    assert format_time_control(terms.control) == PRESETS["go"].text
    assert (terms.flag_ends, terms.by_button, terms.warning) == (False, False, 30 * SECOND)


def test_a_game_has_no_clock_unless_one_is_chosen(visitor: Browser, board: PaperBoard) -> None:
    visitor.send("/board/new", game="tabik")
    assert board.present is not None
    assert board.present.clock is None
    assert choose_clock("tabik", {}) == choose_clock("tabik", {"clock": "none", "clock-own": "25+10"}) == {}


def test_the_clock_alone_begins_for_any_game_and_leads_to_its_page(visitor: Browser, board: PaperBoard) -> None:
    page = visitor.get("/board/new?game=clock").text
    assert 'name="temperament"' not in page
    assert '<option value="none"' not in page
    answer = visitor.send("/board/new", **{"game": "clock", "clock": "own", "clock-own": "90 s", "name-2": "Ada"})
    assert answer.headers["location"] == "/clock"
    assert board.present is not None
    assert board.present.rules.name == "clock"
    assert dict(board.present.people) == {"right": "Ada"}


def test_a_handicap_gives_the_second_player_something_else(visitor: Browser, board: PaperBoard) -> None:
    visitor.send("/board/new", **{"game": "tabik", "clock": "club", "clock-second": "blitz", "clock-press": "button"})
    assert board.present is not None
    assert board.present.clock is not None
    assert format_time_control(board.present.clock.terms.control) == "25+10 vs 3+2"
    assert board.present.clock.terms.by_button


@pytest.mark.parametrize(
    ("game", "sent", "field", "sentence"),
    [
        ("tabik", {"clock": "own"}, "clock-own", "Write a time control here, such as 25+10."),
        ("tabik", {"clock": "own", "clock-own": "25+"}, "clock-own", "'25+' is not a period of a time control"),
        ("tabik", {"clock": "own", "clock-own": "5" * 121}, "clock-own", "That is too long"),
        ("tabik", {"clock": "quick"}, "clock", "Choose one of the options."),
        ("tabik", {"clock": "club", "clock-second": "99:99"}, "clock-second", "60 or more seconds or minutes"),
        ("tabik", {"clock": "own", "clock-own": "5 vs 3", "clock-second": "2"}, "clock-second", "in one place only"),
        ("tabik", {"clock": "hourglass", "clock-second": "5"}, "clock-second", "both sides need one"),
        ("tabik", {"clock": "club", "clock-flag": "?"}, "clock-flag", "Choose one of the options."),
        ("tabik", {"clock": "club", "clock-press": "?"}, "clock-press", "Choose one of the options."),
        ("tabik", {"clock": "club", "clock-warning": "soon"}, "clock-warning", "Write a whole number of seconds"),
        ("clock", {"clock": "none"}, "clock", "The clock alone needs a time control"),
        ("tayu", {"clock": "club", "players": "3"}, "clock", "A match clock has two sides"),
    ],
)
def test_what_is_no_clock_is_said_beside_its_field(
    visitor: Browser, game: str, sent: dict[str, str], field: str, sentence: str
) -> None:
    answer = visitor.send("/board/new", game=game, **sent)
    assert answer.status_code == 422
    said = wrong_of(answer.text)
    assert list(said) == [field]
    assert sentence in said[field]
    assert said[field].endswith(".")
    assert visitor.reception.board.game() is None  # type: ignore[union-attr]  # it has a board


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_preset_is_offered_with_what_it_is_for(visitor: Browser, language: str) -> None:
    page = unescape(visitor.get(f"/board/new?game=tabik&language={language}").text)
    for offer in offers(words(language)):
        assert f"{offer.text} · {offer.purpose}" in page


@given(st.sampled_from(sorted(PRESETS)), st.sampled_from(["", "5", "1:30+7", "blitz"]))
def test_what_is_chosen_is_read_back_as_it_was_meant(name: str, second: str) -> None:
    sent = {"clock": name, "clock-second": second}
    if name == "hourglass" and second:
        with pytest.raises(ClockWishError, match="both sides need one"):
            choose_clock("tau", sent)
        return
    terms = terms_of(choose_clock("tau", sent))
    assert terms is not None
    assert terms.control == parse_control(name, second)
    assert terms.control.sides[0] == PRESETS[name].control.sides[0]


# Read while it is written


def test_the_page_is_told_what_a_time_control_means(visitor: Browser) -> None:
    told = visitor.get("/clock/control?text=%2040/90%2B30%20THEN%2030%2B30&second=15").json()
    assert told["written"] == "40/90+30 then 30+30 vs 15"
    assert told["means"] == (
        "First player: 40 moves in 90 min, 30 s more for each move, then 30 min, 30 s more for each move; "
        "second player: 15 min."
    )
    assert visitor.get("/clock/control?text=gipf").json()["written"] == "25"


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_is_told_in_one_sentence_why_a_text_is_none(visitor: Browser, language: str) -> None:
    told = visitor.get(f"/clock/control?language={language}&text=0/5&second=").json()
    assert told["field"] == "clock-own"
    assert told["error"].endswith(".")
    assert "999" in told["error"]
    assert visitor.get(f"/clock/control?language={language}").json()["error"] == words(language)(
        "clock.new.wrong.empty"
    )


# Pressed


def pressing(visitor: Browser, what: str = "press", **sent: str) -> tuple[int, Any]:
    headers = {"content-type": "application/json", "origin": visitor.address, "x-csrf-token": visitor.csrf()}
    answer = visitor.ask("POST", f"/clock/{what}", headers=headers, content=json.dumps(sent))
    return answer.status_code, answer.json()


def test_a_tap_is_a_press_stamped_on_its_arrival(visitor: Browser, board: PaperBoard) -> None:
    board.present = begin("clock", {"clock": "5+3"})
    assert pressing(visitor, player="right") == (200, {"ruled": ["clock"]})
    board.at = Instant(60 * SECOND)
    assert pressing(visitor, player="left") == (200, {"ruled": ["turn"]})
    left, right = faces(board.present, board.at)
    assert (left.text, left.runs, right.runs) == ("4:06", False, True)  # 5:03, 60 s of thought, 3 s more


def test_a_tap_of_who_does_not_think_is_refused_in_one_sentence(visitor: Browser, board: PaperBoard) -> None:
    board.present = begin("clock", {"clock": "5+3"})
    pressing(visitor, player="right")
    status, told = pressing(visitor, player="right")
    assert status == 409
    assert told["error"] == "The clock of Right is not running: only the player whose clock runs can press."
    assert "Rechts" in browser_said(visitor, "de", player="right")
    assert pressing(visitor, player="nobody")[0] == 409


def browser_said(visitor: Browser, language: str, **sent: str) -> str:
    status, told = pressing(visitor, f"press?language={language}", **sent)
    assert status == 409
    return str(told["error"])


def test_a_player_of_a_game_at_a_table_ends_the_turn_before_it_is_entered(visitor: Browser, board: PaperBoard) -> None:
    board.present = begin("tabik", {"clock": "5", "press": "button"})
    pressing(visitor, player="white")
    board.at = Instant(30 * SECOND)
    assert pressing(visitor, player="black")[0] == 200
    told = summary(board.present, board.at)
    assert told is not None
    assert (told["ahead"], told["running"]) == (1, "white")


def test_players_pause_a_clock_and_let_it_go_on_and_their_names_are_written_down(board: PaperBoard) -> None:
    visitor = Reception(board=board).signed_in(Role.PLAYER, "Ada")
    board.present = begin("clock", {"clock": "5"})
    pressing(visitor, player="right")
    assert pressing(visitor, "pause")[0] == 200
    assert board.present.paused_at is not None
    assert pressing(visitor, "pause")[1]["error"] == "The game is paused already."
    assert pressing(visitor, "resume")[0] == 200
    who = {ruling.who for ruling in board.present.rulings if isinstance(ruling, Corrected)}
    assert who == {"Ada"}


def test_what_has_no_match_clock_is_not_paused_by_players(visitor: Browser, board: PaperBoard) -> None:
    assert pressing(visitor, "pause") == (409, {"error": "There is no game yet."})
    board.present = begin("tamsk", {"level": 2})
    assert pressing(visitor, "pause") == (409, {"error": "This game has no match clock."})
    assert board.present.paused_at is None


def test_a_game_that_was_put_away_waits_for_the_arbiter(visitor: Browser, board: PaperBoard) -> None:
    board.present = begin("clock", {"clock": "5"})
    pressing(visitor, player="right")
    asyncio.run(board.correct(Adjourned(Instant(0), "Ann")))
    assert pressing(visitor, "resume") == (
        409,
        {"error": "The game has been adjourned: the arbiter takes it up again."},
    )


def test_a_spectator_neither_presses_nor_sees_where_to(board: PaperBoard) -> None:
    board.present = begin("clock", {"clock": "5"})
    visitor = Reception(board=board).browser()
    assert pressing(visitor, player="right")[0] == 401
    assert 'data-may="no"' in visitor.get("/clock").text
    assert not board.present.clock.has_started  # type: ignore[union-attr]  # it has a clock


# What pages go on from


def test_pages_are_told_shortly_before_how_a_period_goes_on() -> None:
    hands = running(23.5, clock="0:25 then byo-yomi 5x30")
    told = summary(hands.game, hands.now)
    assert told is not None
    after: Any = told["after"]
    assert (after[0]["kind"], after[0]["remaining"], after[0]["spells"]) == ("byo-yomi", 30, 5)
    assert after[1] == told["sides"][1]  # type: ignore[index]  # two sides
    before = running(25 - LOOK_AHEAD / SECOND - 0.5, clock="0:25 then byo-yomi 5x30")
    assert summary(before.game, before.now)["after"] is None  # type: ignore[index]  # as above


# For programs


def test_a_program_reads_presses_and_pauses(board: PaperBoard) -> None:
    reception = Reception(board=board)
    visitor, headers = reception.browser(), {"authorization": f"Bearer {reception.token(Role.PLAYER)}"}

    def send(path: str, **body: Any) -> Any:  # noqa: ANN401 - what JSON holds
        return visitor.ask("POST", f"/api/v1/board/{path}", headers=headers, json=body).json()

    send("games", game="clock", settings={"clock": "hourglass"})
    assert [ruling["ruling"] for ruling in send("clock/presses", player="right")["rulings"]] == ["clock"]
    assert send("clock/pauses", why="the telephone")["accepted"]
    assert board.present is not None
    assert board.present.paused_at is not None
    assert send("clock/resumptions")["accepted"]
    assert send("clock/presses", player="right")["error"].startswith("The clock of Right is not running")
    told = visitor.ask("GET", "/api/v1/time-controls").json()["controls"]
    assert [each["name"] for each in told] == list(PRESETS)
    read = visitor.ask("GET", "/api/v1/time-controls/reading?text=25d5").json()
    assert read == {"text": "25d5", "means": "25 min, in each move the time runs only after 5 s.", "wrong": None}
    assert visitor.ask("GET", "/api/v1/time-controls/reading?text=x").json()["wrong"].startswith("'x' is not a period")
