"""What a wall is told of a board: little, only what can be shown, and again only when it could not know by itself."""

import json

from hypothesis import given
from hypothesis import strategies as st

from gnomon.hall.board_registry import RegisteredBoard, with_state, with_status
from gnomon.hall.messaging.messages import State, Status
from gnomon.timekeeping.instants import SECOND, Instant
from gnomon.web.hall._tiles import Tile, tile

CARD = {
    "game": "tabik",
    "title": "Tabik",
    "number": 3,
    "phase": "running",
    "plies": 4,
    "last": "e4e3",
    "players": [
        {"player": "black", "name": "Ada", "on_turn": True, "score": 2, "remaining_us": 90 * SECOND, "running": True},
        {"player": "white", "name": "Ben", "on_turn": False, "score": 1, "remaining_us": 80 * SECOND, "running": False},
    ],
    "urgent_us": 90 * SECOND,
    "timer15_us": None,
    "outcome": None,
}
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=300),
    lambda inner: st.lists(inner, max_size=9) | st.dictionaries(st.sampled_from([*CARD, "player", "name"]), inner),
    max_leaves=30,
)


def place(card: dict[str, object], told: int = 0) -> RegisteredBoard:
    """A board that has told a card at an instant."""
    here = with_status(RegisteredBoard("t01"), Status("t01", online=True, epoch="e", session="s"), Instant(told))
    return with_state(here, State("t01", "e", "s", "boot", Instant(5), 9, card), Instant(told))


def at(seconds: float, card: dict[str, object] = CARD, told: float = 0) -> Tile:
    return tile(place(card, round(told * SECOND)), Instant(round(seconds * SECOND)))


def test_a_tile_says_who_plays_and_what_is_left() -> None:
    assert at(10).payload() == {
        "board": "t01",
        "presence": "online",
        "phase": "running",
        "players": [
            {"player": "black", "name": "Ada", "turn": True, "score": 2, "left": 80_000, "runs": True},
            {"player": "white", "name": "Ben", "score": 1, "left": 80_000, "runs": False},
        ],
        "game": "tabik",
        "last": "e4e3",
        "plies": 4,
        "urgent": 80_000,
        "stale": True,
    }


def test_a_clock_that_runs_as_it_should_is_no_news() -> None:
    later = {**CARD, "urgent_us": 88 * SECOND}
    later["players"] = [{**CARD["players"][0], "remaining_us": 88 * SECOND}, CARD["players"][1]]  # type: ignore[index]  # a list
    assert not at(2, later, told=2).is_news(at(0))


def test_a_word_that_came_late_changes_no_clock_and_one_that_came_sooner_does() -> None:
    def left(seconds: float) -> Tile:
        card = {**CARD, "urgent_us": round(seconds * SECOND)}
        players = [{**CARD["players"][0], "remaining_us": round(seconds * SECOND)}, CARD["players"][1]]  # type: ignore[index]  # a list
        return at(2, {**card, "players": players}, told=2)

    assert not left(88 + 1.5).is_news(at(0))
    assert left(88 - 0.5).is_news(at(0))


def test_a_clock_that_was_given_time_is_news() -> None:
    later = {**CARD, "urgent_us": 95 * SECOND}
    assert at(2, later, told=2).is_news(at(0))


def test_a_move_is_news_and_so_is_a_board_that_falls_silent() -> None:
    assert at(1, {**CARD, "last": "a1a2"}, told=1).is_news(at(0))
    assert at(3.5).is_news(at(2.5))
    assert not at(2.5).is_news(at(0))


def test_how_a_game_has_ended_is_told_with_who_has_confirmed_it() -> None:
    over = {**CARD, "phase": "over", "outcome": {"winner": "black", "reason": "points"}, "confirmed": ["black"]}
    said = at(0, over).payload()
    assert (said["winner"], said["reason"], said["confirmed"]) == ("black", "points", ["black"])


def test_a_board_that_was_lost_runs_no_clock() -> None:
    gone = with_status(place(CARD), Status("t01", online=False, epoch="e", session="s"), Instant(SECOND))
    told = tile(gone, Instant(60 * SECOND))
    said = told.payload()
    assert said["presence"] == "lost"
    assert not tile(gone, Instant(90 * SECOND)).is_news(told)
    assert "urgent" not in said
    assert [player["runs"] for player in said["players"]] == [False, False]  # type: ignore[attr-defined]  # a list


@given(JSON)
def test_whatever_a_board_says_a_tile_stays_small_and_can_be_sent(value: object) -> None:
    card = value if isinstance(value, dict) else {"players": value, "outcome": value, "urgent_us": value}
    said = at(1, card)
    assert len(json.dumps(said.payload())) < 6_000
    assert said.is_news(at(0)) in {True, False}
