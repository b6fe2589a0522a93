"""What is shown where the players' eyes decide: that a glass runs, and no number that nobody has measured."""

import json
from typing import Any

import pytest

from gnomon.games.tamsk.show import _lights as lights
from gnomon.games.tamsk.show import _moments as moments
from gnomon.games.tamsk.show import _picture as tamsk
from gnomon.referee.events import StopDeclared
from gnomon.timekeeping.instants import Instant
from gnomon.views import fonts, sentences
from gnomon.views.display import oled
from gnomon.views.pictures.frame import Annotations
from gnomon.views.pictures.svg import to_svg
from gnomon.views.summary import summary
from tests.referee.scripted_board import ScriptedBoard, instant
from tests.referee.test_sand_by_eye import pressed_for_time, table

LATE = instant(1_000)


def words(board: ScriptedBoard, now: Instant, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Every text on the display."""
    said: list[str] = []
    write = fonts.write

    def noted(*arguments: Any, **options: Any) -> None:
        said.append(str(arguments[2]))
        write(*arguments, **options)

    monkeypatch.setattr(fonts, "write", noted)
    oled.screen(board.game, now)
    return said


def test_a_watched_glass_says_that_it_runs_and_nothing_changes_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    board = table()
    said = words(board, LATE, monkeypatch)
    assert said.count("runs") == 6
    assert not [text for text in said if text.isdigit()]
    assert oled.changes_at(board.game, LATE) is None


def test_one_that_was_seen_to_run_out_says_that_it_has_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    board = table()
    board.correct(StopDeclared(instant(100), "A3", "arbiter"))
    said = words(board, LATE, monkeypatch)
    assert (said.count("runs"), said.count("stopped")) == (5, 1)


def test_the_question_shows_which_button_agrees_and_which_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    board = table()
    board.press(195, "black")
    board.until(196)
    assert words(board, instant(196), monkeypatch)[-4:] == ["Red", "Yes: D2", "Black", "No, another one"]
    first, *others = moments.answers(board.game)
    assert first == ("D2", "red")
    assert {answer.button for answer in others} == {""}
    assert sentences.choice(others[-1].choice) == "None of them"


def test_the_15_seconds_are_not_counted_down_where_nobody_measures_them(monkeypatch: pytest.MonkeyPatch) -> None:
    board = pressed_for_time()
    said: list[str] = []
    monkeypatch.setattr(fonts, "write_digits", lambda _image, _at, digits, **_options: said.append(digits))
    oled.screen(board.game, instant(75))
    assert said == []


def test_equal_rings_and_nobody_to_move_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    board = table()
    monkeypatch.setattr(type(board.game.rules), "is_lined_up", lambda *_: True)
    assert "stops last" in " ".join(words(board, instant(100), monkeypatch))


def test_no_light_warns_of_what_is_only_an_estimate() -> None:
    board = pressed_for_time()
    for second in (80, 200, 235, 300):
        assert lights.Word.RUNNING_OUT not in lights.words(board.game, instant(second))
    shown = lights.lights_view(board.game, instant(80))
    assert shown.until is None


def test_programs_are_told_that_what_is_left_is_an_estimate_and_by_which_settings_it_is_played() -> None:
    board = pressed_for_time()
    told = json.loads(json.dumps(summary(board.game, LATE)))
    assert told["settings"]["time"] == "sand"
    assert all(glass["running"] and glass["estimate"] for glass in told["glasses"])
    assert told["timer15"]["estimate"]
    assert [glass["remaining"] for glass in told["glasses"]] == [0] * 6


def test_an_ordinary_game_is_told_as_ever() -> None:
    told = summary(ScriptedBoard(level=3).game, Instant(0))
    assert list(told["settings"]) == ["level", "ring", "full_space", "late", "stall"]  # type: ignore[call-overload]  # JSON
    assert "estimate" not in json.dumps(told)


def test_a_picture_marks_an_estimate_and_says_only_that_a_glass_runs_beyond_it() -> None:
    board = pressed_for_time()
    rules, position = board.game.rules, board.game.position_at(instant(75))
    early, late = (
        to_svg(tamsk.picture(rules, each, Annotations())) for each in (position, rules.elapse(position, LATE))
    )
    assert "~1:56" in early
    assert "~10 s" in early
    assert "runs" in late
    assert "~" not in late
