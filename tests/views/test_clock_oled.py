"""Golden pictures: after a wanted change, `GNOMON_UPDATE_GOLDEN=1 pytest` this file draws them again; look at them."""

import re
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import given, settings

from gnomon.timekeeping.instants import SECOND, Instant
from gnomon.views.display import oled
from tests.conftest import examples
from tests.views.clock_scenes import TamskScene, clocked_games, scenes, tamsk_scenes
from tests.views.display import check_golden, check_texts, written
from tests.views.table_scenes import Scene

GOLDEN = Path(__file__).with_name("golden_clocks")
SCENES: Mapping[str, Scene | TamskScene] = {**scenes(), **tamsk_scenes()}


@pytest.mark.parametrize("name", SCENES)
def test_a_clock_looks_as_it_was_approved(name: str) -> None:
    check_golden(oled.screen(*SCENES[name]), GOLDEN / f"{name}.png")


def test_every_golden_picture_is_of_a_state_and_no_two_look_alike() -> None:
    assert sorted(path.stem for path in GOLDEN.glob("*.png")) == sorted(SCENES)
    assert len({oled.screen(*scene).tobytes() for scene in SCENES.values()}) == len(SCENES)


@settings(max_examples=examples(60))
@given(clocked_games())
def test_every_text_is_whole_and_stands_alone(scene: Scene) -> None:
    with written() as lines:
        picture = oled.screen(*scene)
    assert (picture.size, picture.mode) == ((128, 64), "1")
    check_texts(lines)


@settings(max_examples=examples(60))
@given(clocked_games())
def test_the_picture_does_not_change_before_it_was_said_to(scene: Scene) -> None:
    game, now, health = scene
    change = oled.changes_at(game, now, health)
    end = Instant(now + 60 * SECOND if change is None else change - 1)
    assert change is None or change > now
    for when in (end, Instant((now + end) // 2)):
        assert oled.screen(game, when, health).tobytes() == oled.screen(game, now, health).tobytes()


@pytest.mark.parametrize("name", ["alone-left", "alone-tenths", "alone-overtime", "beside-running", "tamsk-running"])
def test_a_running_clock_looks_otherwise_when_it_was_said_to(name: str) -> None:
    game, now, *_ = SCENES[name]
    change = oled.changes_at(game, now)
    assert change is not None
    assert oled.screen(game, change).tobytes() != oled.screen(game, now).tobytes()
    assert change - now <= SECOND


@pytest.mark.parametrize("name", ["alone-start", "alone-paused", "alone-flag", "beside-start", "beside-flag"])
def test_a_clock_that_stands_is_not_drawn_again(name: str) -> None:
    assert oled.changes_at(*SCENES[name]) is None


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("alone-start", "Press to start"),
        ("alone-paused", r"PAUSED ARBITER: go on"),
        ("alone-paused-by-hand", r"PAUSED Power was away"),
        ("alone-flag", r"Game over Right wins .* FLAG"),
        ("alone-byo-yomi", "4 x 30 s"),
        ("alone-to-go", "P1 39 to go"),
        ("alone-delay", "delay 6"),
        ("alone-overtime", "P2 0 moves"),
        ("alone-right", "25[+]10 1 turn Left 1 move Right"),
        ("beside-running", "25:30 .*23:40"),
        ("beside-tenths", r"1:30:00 .*0:15\.0"),
        ("beside-flag", r"Black wins\. The time ran out: a flag fell\."),
        ("beside-refused", "Not allowed 25:20 .*25:10"),
        ("beside-notice", "25:20"),
        ("tamsk-running", "►4:38 4:45 R 31 {2}B 31"),
        ("tamsk-wrong", "Not allowed ►4:39 +4:45"),
        ("tamsk-flag", r"0:20 0:00\.0! Game over"),
        ("tamsk-paused", "4:45 4:45 PAUSED"),
    ],
)
def test_what_must_be_known_is_written_there(name: str, said: str) -> None:
    with written() as lines:
        oled.screen(*SCENES[name])
    assert re.search(said, " ".join(line[4] for line in lines if line[4]))
