"""What a clock shows in text, what programs are told of it, and what lights and sounds say."""

import json
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gnomon.games.tamsk.show import _lights as lights
from gnomon.games.tamsk.show._lights import UNDER_SPACES, Word
from gnomon.rules.protocol import NotationError
from gnomon.timekeeping.instants import MINUTE, SECOND, Instant
from gnomon.views.clock_faces import changes_at, faces, summary, time_text
from gnomon.views.lights import DARK, FLAG, NOTHING, PAUSED, READY, RUNS_LOW, THINKS, LightsView, along
from gnomon.views.lights import lights as shown
from gnomon.views.pictures import picture
from gnomon.views.pictures.drawing import groups, texts
from gnomon.views.summary import summary as summary_of_the_game
from gnomon.words import words
from tests.conftest import examples
from tests.referee.scripted_board import instant
from tests.referee.test_tamsk_clock import two_turns
from tests.views.clock_scenes import clocked_games, running, scenes
from tests.views.table_scenes import Hands, Scene, _paused

SCENES = scenes()


# Times


@pytest.mark.parametrize(
    ("time", "text"),
    [
        (0, "0:00.0"),
        (1, "0:00.1"),
        (100_000, "0:00.1"),
        (100_001, "0:00.2"),
        (19_900_001, "0:20.0"),
        (20 * SECOND - 1, "0:20.0"),
        (20 * SECOND, "0:20"),
        (20 * SECOND + 1, "0:21"),
        (59 * SECOND + 1, "1:00"),
        (60 * MINUTE, "1:00:00"),
        (60 * MINUTE - 1, "1:00:00"),
        (60 * MINUTE - SECOND, "59:59"),
        (168 * 60 * MINUTE, "168:00:00"),
    ],
)
def test_a_time_is_rounded_up_so_that_nothing_is_shown_only_when_nothing_is_left(time: int, text: str) -> None:
    assert time_text(time) == text


def test_what_is_counted_up_is_rounded_down() -> None:
    hands = running(10, clock="up")
    assert [faces(hands.game, Instant(hands.now + later))[0].text for later in (0, 699_999, 700_000)] == [
        "0:10",
        "0:10",
        "0:11",
    ]


@settings(max_examples=examples(60))
@given(clocked_games())
def test_every_text_stays_until_it_was_said_to_change(scene: Scene) -> None:
    game, now, _ = scene
    for _ in range(12):
        change = changes_at(game, now)
        if change is None:
            return
        assert now < change <= now + SECOND
        last = Instant(change - 1)
        assert [(face.text, face.remark()) for face in faces(game, last)] == [
            (face.text, face.remark()) for face in faces(game, now)
        ]
        now = change


def test_a_clock_is_drawn_ten_times_a_second_only_when_tenths_are_shown() -> None:
    hands = running(8.6, clock="0:30")
    instants = [hands.now]
    for _ in range(25):
        change = changes_at(hands.game, instants[-1])
        assert change is not None
        instants.append(change)
    steps = [after - before for before, after in pairwise(instants)]
    assert set(steps[1:]) == {SECOND, 1, 99_999, 100_000}
    assert steps[-1] == 100_000


# Programs


@settings(max_examples=examples(60))
@given(clocked_games())
def test_programs_are_told_what_the_clock_shows(scene: Scene) -> None:
    game, now, _ = scene
    told = summary_of_the_game(game, now)
    assert json.loads(json.dumps(told["clock"])) == json.loads(json.dumps(summary(game, now)))
    clock = told["clock"]
    assert isinstance(clock, dict)
    first, second = clock["sides"]
    assert [side["text"] for side in (first, second)] == [face.text for face in faces(game, now)]
    assert [side["running"] for side in (first, second)].count(True) == (clock["running"] is not None)
    assert (clock["first_flag"] is None) == (not first["flagged"] and not second["flagged"])


def test_a_page_can_go_on_from_what_it_is_told() -> None:
    hands = running(8, clock="0:25 then byo-yomi 5x30")
    clock = summary(hands.game, hands.now, words("de"))
    assert clock is not None
    sides = clock["sides"]
    assert isinstance(sides, list)
    left, right = sides
    assert (clock["control"], clock["running"], clock["started"]) == ("0:25 then byo-yomi 5x30", "left", True)
    assert (left["name"], left["remaining"], left["available"], left["used"]) == ("Links", 16.7, 166.7, 8.3)
    assert (left["period"], left["periods"], left["kind"], left["moves"]) == (1, 2, "main", 0)
    assert clock["deadline"] == 25.1
    assert (right["running"], right["text"], right["players"]) == (False, "0:25", ["right"])


def test_without_a_clock_nothing_is_told_of_one() -> None:
    hands = Hands("tabik")
    assert "clock" not in summary_of_the_game(hands.game, hands.now)
    assert summary(hands.game, hands.now) is None
    assert faces(hands.game, hands.now) == ()
    assert changes_at(hands.game, hands.now) is None


def test_tamsk_tells_its_clock_beside_its_glasses() -> None:
    board = two_turns()
    clock = summary_of_the_game(board.game, board.game.rulings[-1].at)["clock"]
    assert isinstance(clock, dict)
    assert [side["player"] for side in clock["sides"]] == ["red", "black"]
    assert clock["running"] == "red"


# Lights


def lit(hands: Hands, later: int = 0, count: int = 5) -> list[tuple[int, int, int]]:
    """What each half shows, and the light between them."""
    now = Instant(hands.now + later)
    colours = shown(hands.game, now, along(count)).colours(now)
    return [colours[0], colours[count // 2], colours[-1]]


def test_who_thinks_has_the_light() -> None:
    assert lit(running(5)) == [THINKS, DARK, DARK]
    assert lit(running(5, "left")) == [DARK, DARK, THINKS]
    assert lit(Hands("clock", clock="5")) == [READY, DARK, READY]
    assert lit(_paused(running(5))) == [PAUSED, DARK, PAUSED]


def test_the_last_seconds_blink_and_a_flag_flashes() -> None:
    low = running(12, clock="0:30")
    assert {lit(low, later)[0] for later in range(0, 2 * SECOND, 100_000)} == {RUNS_LOW, DARK}
    flag = running(40, clock="0:30")
    assert {lit(flag, later)[0] for later in range(0, 2 * SECOND, 100_000)} == {FLAG, DARK}
    assert lit(flag)[2] == DARK
    declared = replace(running(5).game, declared=flag.game.declared)
    assert shown(declared, Instant(10 * SECOND), along(4)).signals == (NOTHING,)


def test_the_last_seconds_of_the_second_side_show_though_the_flag_of_the_first_has_fallen() -> None:
    hands = running(40, clock="0:30, runs on", flag="shown").press("left")
    view = shown(hands.game, hands.now, along(2))
    assert [signal.colour for signal in view.signals] == [FLAG, THINKS]
    assert view.until is not None
    assert view.until - hands.now <= 10 * SECOND
    later = shown(hands.game, view.until, along(2))
    assert [signal.colour for signal in later.signals] == [FLAG, RUNS_LOW]
    # Its end shows as nothing more, for only the first flag is shown.
    assert later.until == view.until + 20 * SECOND


@settings(max_examples=examples(60))
@given(clocked_games(), st.floats(0, 1))
def test_lights_do_not_change_before_they_were_said_to(scene: Scene, part: float) -> None:
    game, now, _ = scene
    view = shown(game, now, along(8))
    until = view.until
    end = Instant(now + MINUTE if until is None else until - 1)
    assert until is None or until > now
    for when in (end, Instant(now + round((end - now) * part))):
        assert shown(game, when, along(8)) == view


def test_under_the_spaces_of_the_tamsk_board_each_half_has_its_side() -> None:
    assert [UNDER_SPACES.count(side) for side in (0, None, 1)] == [15, 7, 15]
    assert (along(2), along(3), along(0)) == ((0, 1), (0, None, 1), ())


def test_without_a_clock_lights_are_dark() -> None:
    hands = Hands("tabik")
    assert shown(hands.game, hands.now, along(2)) == LightsView.of((NOTHING, NOTHING), None)


@pytest.mark.parametrize("at", [5.0, 15.0, 37.0, 60.0, 400.0])
def test_in_tamsk_the_glasses_of_who_thinks_and_of_whose_flag_fell_are_lit(at: float) -> None:
    board = two_turns(3, clock="1", flag="shown")
    board.until(max(at, 36))
    words_at = {word for word in lights.words(board.game, instant(max(at, 36))) if word is not None}
    assert (Word.TO_MOVE in words_at, Word.FLAG in words_at) == (at < 80, at > 80)
    seen = lights.lights_view(board.game, instant(max(at, 36)))
    end = Instant(instant(max(at, 36)) + MINUTE) if seen.until is None else Instant(seen.until - 1)
    assert lights.lights_view(board.game, end) == seen


def test_in_a_pause_of_tamsk_nobodys_time_runs() -> None:
    board = two_turns()
    board.press(40, "arbiter")
    board.until(41)
    assert Word.TO_MOVE not in lights.words(board.game, instant(41))


# The picture of a game that is not known


def test_the_picture_says_whose_turn_it_is_in_every_language() -> None:
    hands = running(5, "left", "right", "left")
    for language, said in (("en", "Right to move"), ("de", "Rechts ist am Zug"), ("fr", "À Droite de jouer")):
        drawing = picture(hands.game.rules, hands.game.position, last_move="press", words=words(language))
        assert said in drawing.title
        assert said in drawing.description
        assert "press" not in " ".join([drawing.description, *(text.text for text in texts(drawing.shapes))])
        buttons = {group.key: [text.text for text in texts(group.shapes)] for group in groups(drawing.shapes)}
        assert list(buttons) == ["left", "right"]
        assert ["2" in buttons["left"][1], "1" in buttons["right"][1]] == [True, True]
    with pytest.raises(NotationError, match="'e2e4' is not a move here"):
        picture(hands.game.rules, hands.game.position, last_move="e2e4")
