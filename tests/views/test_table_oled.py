"""Golden pictures: after a wanted change, `GNOMON_UPDATE_GOLDEN=1 pytest` this file draws them again; look at them."""

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from gnomon.referee.events import ResultDeclared, TurnEntered
from gnomon.timekeeping.instants import Instant
from gnomon.views import fonts
from gnomon.views.display import oled
from gnomon.views.display.table_oled import BLINK
from gnomon.words import ENGLISH
from tests.conftest import examples
from tests.views.display import check_golden, check_texts, written
from tests.views.table_scenes import ANN, Hands, Scene, scenes, table_games

GOLDEN = Path(__file__).with_name("golden_tables")
SCENES = scenes()
# The same picture on purpose: nothing but what the buttons would do differs.
ALIKE: set[str] = set()


@pytest.mark.parametrize("name", SCENES)
def test_a_state_looks_as_it_was_approved(name: str) -> None:
    check_golden(oled.screen(*SCENES[name]), GOLDEN / f"{name}.png")


def test_every_golden_picture_is_of_a_state() -> None:
    assert sorted(path.stem for path in GOLDEN.glob("*.png")) == sorted(SCENES)


def test_no_two_states_look_alike() -> None:
    pictures = {oled.screen(*table).tobytes(): name for name, table in SCENES.items()}
    assert set(SCENES) - set(pictures.values()) == ALIKE


@pytest.mark.untraced
@settings(max_examples=examples(150))
@given(table_games())
def test_every_text_is_whole_and_stands_alone(table: Scene) -> None:
    with written() as lines:
        picture = oled.screen(*table)
    assert (picture.size, picture.mode) == ((128, 64), "1")
    check_texts(lines)


@pytest.mark.untraced
@given(table_games(), st.floats(0, 1))
def test_the_picture_does_not_change_before_it_was_said_to(table: Scene, part: float) -> None:
    game, now, health = table
    change = oled.changes_at(game, now, health)
    end = Instant(now + 60_000_000) if change is None else Instant(change - 1)
    assert change is None or change > now
    for when in (end, Instant(now + round((end - now) * part))):
        assert oled.screen(game, when, health).tobytes() == oled.screen(game, now, health).tobytes()


@pytest.mark.parametrize("name", ["tabik-picking-last", "tau-picking-line", "tayu-picking-far", "tayu-question"])
def test_the_board_shows_by_turns_how_it_is_and_how_it_would_be(name: str) -> None:
    game, now, _ = SCENES[name]
    change = oled.changes_at(game, now)
    assert change is not None
    assert change % BLINK == 0
    before, after = oled.screen(game, now), oled.screen(game, change)
    assert before.crop((0, 0, 64, 64)).tobytes() != after.crop((0, 0, 64, 64)).tobytes()
    assert before.crop((64, 0, 128, 64)).tobytes() == after.crop((64, 0, 128, 64)).tobytes()


def test_a_table_that_waits_for_its_players_stays_as_it_is() -> None:
    assert oled.changes_at(*SCENES["tabik-play"]) is None
    assert oled.changes_at(*SCENES["tabik-picking-first"]) is None
    assert oled.changes_at(*SCENES["tabik-paused"]) is None


def words(name: str) -> str:
    with written() as lines:
        oled.screen(*SCENES[name])
    return " ".join(line[4] for line in lines if line[4])


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("tabik-pie", "White moves .* may swap sides"),
        ("tabik-picking-first", "c 3 of 8"),
        ("tabik-refused", r"Not allowed Rule 4 a1b1 A stone stands on a1\."),
        ("tabik-over", "Black wins. .* last move loses"),
        ("tau-play", "HIGH draws Limit 500 Product 172800 Player 2 is HIGH 3 left"),
        ("tau-bidding", "P2 bids Number 70 higher, or pass and be LOW"),
        ("tau-refused-bid", r"Name a number higher than 1\.23e19, or pass\."),
        ("tayu-saboteur", "P3 lays N-S 0x0=0 E-W 0x0=0 Player 3: saboteur below 24"),
        ("tayu-auction", "P3 bids saboteur: at most 25"),
        ("tayu-picking-far", r"067@j2/ E 1 of 2 ENTER: play it"),
        ("tayu-wrong", r"Rule 4 .* 1 of 1 Take the tile off a1 a2 a3\."),
        ("tayu-wrong-tiles", "Take the tile off a1 a2 a3 c1 c2 and 4 more"),
        ("counters-start", "P1 throws"),
        ("counters-move", "P1 moves Thrown: 2 In hand/home P1 4/0 P2 4/0"),
        ("counters-four", "P1 enters Thrown: 3"),
        ("counters-over-four", r"Player 1 and Player 3 win\. By resignation\."),
        ("tabik-paused-by-hand", "PAUSED Power was away for 3 min 20 s ARBITER: go on"),
    ],
)
def test_what_must_be_known_is_written_there(name: str, said: str) -> None:
    assert re.search(said, words(name))


def test_a_text_declared_by_hand_of_any_length_stays_on_the_display() -> None:
    hands = Hands("tabik")
    with written() as lines:
        oled.screen(hands.game, hands.now, ("Trouble without end " * 20,))
        oled.screen(hands.game, Instant(5_000_000), ("Trouble without end " * 20,))
    assert all(line[2] <= 128 and line[3] <= 64 for line in lines)


def test_a_refusal_is_gone_with_the_next_turn() -> None:
    hands = Hands("tabik").enter("a1b1 a1b1")
    refused = oled.screen(hands.game, hands.now).tobytes()
    hands.tell(TurnEntered(hands.after(500), "a2b2", "Ann"))
    assert oled.screen(hands.game, hands.now).tobytes() != refused


def test_nobody_is_asked_to_throw_once_a_game_was_ended_by_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []
    write = fonts.write

    def note(image: Image.Image, at: tuple[int, int], text: str, **looks: int) -> None:
        told.append(text)
        write(image, at, text, **looks)

    hands = Hands("twenty-squares")
    monkeypatch.setattr(fonts, "write", note)
    oled.screen(hands.game, hands.now)
    assert ENGLISH("oled.throw") in told
    told.clear()
    hands.tell(ResultDeclared(hands.after(10), "p1", "resigned", ANN))
    oled.screen(hands.game, hands.now)
    assert ENGLISH("oled.throw") not in told
    assert ENGLISH("oled.end") in told
