"""Golden pictures of the display with large letters: `GNOMON_UPDATE_GOLDEN=1 pytest tests/views` draws them again."""

from pathlib import Path

import pytest
from hypothesis import given

from gnomon.timekeeping.instants import Instant
from gnomon.views import fonts
from gnomon.views.display import large_oled, oled
from tests.views.clock_scenes import TamskScene
from tests.views.clock_scenes import scenes as clock_scenes
from tests.views.clock_scenes import tamsk_scenes as tamsk_clock_scenes
from tests.views.display import check_golden, written
from tests.views.table_scenes import Scene
from tests.views.table_scenes import scenes as table_scenes
from tests.views.tables import Table, scenes, tables

GOLDEN = Path(__file__).with_name("golden_large")
OF_TAMSK = (
    *("waiting", "level1-play", "level1-in-hand", "level1-ring-may-fall", "level2-play", "level2-nothing-to-end"),
    *("level3-countdown", "refused", "glass-away", "question-take-back", "paused", "paused-put-right", "over-red"),
    *("level1-two-in-hand", "level1-no-ring-left", "level1-ring-must-fall", "level2-nowhere-to-go"),
    "paused-as-the-game-is-not-over",
)
AT_TABLES = (
    *("tabik-play", "tabik-paused", "tau-bidding-far", "tayu-play", "tayu-wrong", "counters-four"),
    *("tayu-tile-away", "tayu-question"),
)
WITH_A_CLOCK = ("beside-running", "beside-picking-last", "beside-refused", "beside-to-go")
SCENES: dict[str, Table | Scene | TamskScene] = {
    **{name: scenes()[name] for name in OF_TAMSK},
    **{name: table_scenes()[name] for name in AT_TABLES},
    **{name: clock_scenes()[name] for name in WITH_A_CLOCK},
    "tamsk-running": tamsk_clock_scenes()["tamsk-running"],
}


@pytest.mark.parametrize("name", SCENES)
def test_a_state_looks_as_it_was_approved(name: str) -> None:
    scene = SCENES[name]
    check_golden(large_oled.screen(scene.game, scene.now), GOLDEN / f"{name}.png")


def test_every_golden_picture_is_of_a_state() -> None:
    assert sorted(path.stem for path in GOLDEN.glob("*.png")) == sorted(SCENES)


@pytest.mark.untraced
@given(tables())
def test_whatever_is_told_is_told_in_large_letters_within_the_display(table: Table) -> None:
    with written() as lines:
        picture = large_oled.screen(table.game, table.now)
    assert (picture.size, picture.mode) == ((128, 64), "1")
    if picture.tobytes() == oled.screen(table.game, table.now).tobytes():
        return  # what has no room in large letters
    assert {line.scale for line in lines} == {2}
    assert len([line for line in lines if line.text]) <= 4
    assert [line for line in lines if line.left < 0 or line.right > 128] == []


def test_a_notice_and_the_code_for_phones_keep_their_room() -> None:
    told = ("The sensor chain does not answer: look at its plug.",)
    at = Instant(5_000_000)
    game = scenes()["level2-play"].game
    assert large_oled.screen(game, at, told).tobytes() == oled.screen(game, at, told).tobytes()
    address = "http://gnomon.local:8765/"
    assert large_oled.screen(None, at, (), address).tobytes() == oled.screen(None, at, (), address).tobytes()


def test_answers_that_have_no_room_are_told_in_full() -> None:
    scene = scenes()["question"]
    assert large_oled.screen(scene.game, scene.now).tobytes() == oled.screen(scene.game, scene.now).tobytes()


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("level1-no-ring-left", ["Red", "", "No ring left:", "press button"]),
        ("level1-ring-must-fall", ["Red", "", "Ring on E3"]),
        ("level1-two-in-hand", ["Red", "", "Put one back:", "E2, E1"]),
        ("level2-nowhere-to-go", ["Red", "1:56", "Put B2 back."]),
        ("paused-as-the-game-is-not-over", ["PAUSED", "", "Correct the", "turns."]),
        ("tayu-tile-away", ["Put right", "1", "Tile back on h9", "i9 j9."]),
        ("tayu-question", ["Which?", "", "012@h9/E", "ENTER?"]),
        ("beside-picking-last", ["White moves", "", "a2a3", "25:30 ►23:39"]),
        ("beside-refused", ["White moves", "", "Not allowed", "25:20 ►25:10"]),
        ("beside-to-go", ["P1 moves", "", "5:00(10)", "5:00(10)"]),
        ("tamsk-running", ["Red", "2:32", "►4:38 4:45", "R 31 B 31"]),
    ],
)
def test_what_is_to_be_done_is_told_in_large_letters(
    name: str, told: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    written = []
    monkeypatch.setattr(fonts, "write", lambda _image, _at, text, **_how: written.append(text))
    large_oled.screen(SCENES[name].game, SCENES[name].now)
    assert written == told


def test_a_sensor_that_does_not_count_is_told_by_turns_as_on_every_display() -> None:
    text, notice = scenes()["quarantined-text"], scenes()["quarantined-notice"]
    assert large_oled.screen(*notice).tobytes() == oled.screen(*notice).tobytes()
    assert large_oled.screen(*text).getpixel((127, 63))
    assert not large_oled.screen(*scenes()["level2-play"]).getpixel((127, 63))
