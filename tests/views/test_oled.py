"""Golden pictures: after a change, `GNOMON_UPDATE_GOLDEN=1 pytest tests/views` draws them again; look at them."""

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon.referee.judgement import Phase
from gnomon.timekeeping.instants import SECOND, Instant
from gnomon.views.display import oled
from tests.views.display import check_golden, check_texts, written
from tests.views.tables import LINE, Table, at, judged, new_game, played, scenes, tables

GOLDEN = Path(__file__).with_name("golden")
SCENES = scenes()


@pytest.mark.parametrize("name", SCENES)
def test_a_state_looks_as_it_was_approved(name: str) -> None:
    check_golden(oled.screen(*SCENES[name]), GOLDEN / f"{name}.png")


def test_every_golden_picture_is_of_a_state() -> None:
    assert sorted(path.stem for path in GOLDEN.glob("*.png")) == sorted(SCENES)


def test_no_two_states_look_alike() -> None:
    pictures = {name: oled.screen(*table).tobytes() for name, table in SCENES.items()}
    assert len(set(pictures.values())) == len(SCENES)


@pytest.mark.untraced
@given(tables())
def test_every_text_is_whole_and_stands_alone(table: Table) -> None:
    with written() as lines:
        picture = oled.screen(*table)
    assert (picture.size, picture.mode) == ((128, 64), "1")
    check_texts(lines)


@given(st.text(max_size=300))
def test_a_notice_of_any_length_stays_on_the_display(notice: str) -> None:
    with written() as lines:
        oled.screen(new_game(2), at(5), (notice,))
    assert all(line.right <= 128 and line.bottom <= 64 for line in lines)


@pytest.mark.untraced
@given(tables(), st.floats(0, 1))
def test_the_picture_does_not_change_before_it_was_said_to(table: Table, part: float) -> None:
    game, now, health = table
    change = oled.changes_at(game, now, health)
    end = Instant(now + 500 * SECOND) if change is None else Instant(change - 1)
    assert change is None or change > now
    for when in (end, Instant(now + round((end - now) * part))):
        assert oled.screen(game, when, health).tobytes() == oled.screen(game, now, health).tobytes()


def test_running_sand_changes_the_picture_at_whole_seconds_only() -> None:
    game = played(new_game(2), "D1-D2", every=10)
    assert oled.changes_at(game, at(10)) == at(11)
    assert oled.changes_at(game, at(10.000_001)) == at(11)
    assert oled.changes_at(game, at(10.999_999)) == at(11)
    assert oled.screen(game, at(11)).tobytes() != oled.screen(game, at(10.999_999)).tobytes()


def test_glasses_turned_at_different_times_change_one_after_the_other() -> None:
    game = played(new_game(2), "D1-D2 G1-F2", every=10.25)
    assert oled.changes_at(game, at(20.5)) == at(21.25)
    assert oled.changes_at(game, at(21.25)) == at(21.5)


def test_a_standstill_moves_the_whole_seconds() -> None:
    game = replace(played(new_game(2), "D1-D2", every=10), standstill=at(0.3))
    assert oled.changes_at(game, at(12)) == at(12.3)


def test_without_time_nothing_changes_by_itself() -> None:
    assert oled.changes_at(played(new_game(1), "D1-D2"), at(60)) is None
    assert oled.changes_at(replace(played(new_game(3), LINE), paused_at=at(60)), at(90)) is None
    assert oled.changes_at(None, at(90)) is None


def test_notices_take_turns_with_the_text() -> None:
    health = ("One.", "Two.")
    game = new_game(1)
    pictures = [oled.screen(game, at(seconds), health).tobytes() for seconds in (0, 4, 8, 12)]
    assert len(set(pictures[:3])) == 3
    assert pictures[3] == pictures[0]
    assert oled.changes_at(game, at(3), health) == at(4)
    assert oled.changes_at(None, at(4), health) == at(8)


def test_the_15_seconds_are_shown_big_only_while_they_bind() -> None:
    # Left over from the turn before, they bind nobody (rule 20).
    game = played(played(new_game(3), "D1-D2", every=5), "flip15 G1-F2", every=5)
    assert game.position.timer15 is not None
    assert game.position.timer15.is_running(at(12))
    free = replace(game, position=game.position._replace(timer15=None))
    assert oled.screen(game, at(12)).tobytes() == oled.screen(free, at(12)).tobytes()


@pytest.mark.parametrize(("name", "step"), [("refused", "1 of 2"), ("refused-second-step", "2 of 2")])
def test_a_repair_counts_its_steps(name: str, step: str) -> None:
    with written() as lines:
        oled.screen(*SCENES[name])
    assert step in {line.text for line in lines}


def test_a_question_without_its_text_still_asks() -> None:
    lone = judged(new_game(1), Phase.ASKING)
    assert oled.screen(lone, at(0)).getbbox() is not None
