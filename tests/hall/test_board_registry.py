"""The tests of what a hall knows of its boards: who is there, how old that is, and what needs an eye."""

import sys
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon.hall.board_alarms import BEHIND, LASTING, PATIENCE, Trouble, alarms, alarms_of
from gnomon.hall.board_registry import (
    SLOWEST,
    STALE_RESTING,
    Floor,
    Presence,
    RegisteredBoard,
    counts,
    for_wall,
    natural,
    with_mark,
    with_public,
    with_records,
    with_refused,
    with_state,
    with_status,
)
from gnomon.hall.messaging.messages import BEAT, State, Status
from gnomon.timekeeping.instants import MINUTE, SECOND, Duration, Instant

T0 = Instant(1000 * SECOND)


def later(seconds: float) -> Instant:
    return Instant(T0 + round(seconds * SECOND))


def state(now: int = 0, *, session: str = "s1", epoch: str = "e1", through: int = 0, **card: object) -> State:
    """What a board says when its own clock is at `now` seconds."""
    return State("t01", epoch, session, "boot", Instant(now * SECOND), through, {"phase": "running", **card})


def status(*, online: bool = True, session: str = "s1", epoch: str = "e1", goodbye: bool = False) -> Status:
    return Status("t01", online=online, epoch=epoch, session=session, goodbye=goodbye)


def troubles(place: RegisteredBoard, now: Instant) -> list[Trouble]:
    return [alarm.trouble for alarm in alarms_of(place, now)]


AT_PLAY = with_state(with_status(RegisteredBoard("t01"), status(), T0), state(urgent_us=90 * SECOND), T0)


# What time it is there


def test_the_urgent_time_is_counted_on_from_when_it_was_told() -> None:
    assert AT_PLAY.urgent(later(2.5)) == 87.5 * SECOND
    assert AT_PLAY.urgent(later(200)) == 0


def test_a_players_time_is_counted_on_only_while_it_runs() -> None:
    players = [
        {"player": "red", "remaining_us": 60 * SECOND, "running": True},
        {"player": "black", "remaining_us": 50 * SECOND, "running": False},
        {"player": "nobody", "remaining_us": None, "running": False},
    ]
    place = with_state(AT_PLAY, state(1, players=players), T0)
    left = {player: place.remaining(player, later(5)) for player in ("red", "black", "nobody", "green")}
    assert left == {"red": 55 * SECOND, "black": 50 * SECOND, "nobody": None, "green": None}


@pytest.mark.parametrize("odd", ["90", 1.5, True, None, [], {}])
def test_what_is_no_time_is_none(odd: object) -> None:
    place = with_state(AT_PLAY, state(1, urgent_us=odd, players=odd, phase=odd), T0)
    assert (place.urgent(T0), place.players, place.phase) == (None, (), "empty")


def test_a_board_that_tells_its_state_seldom_is_stale_later_and_one_that_says_never_after_minutes() -> None:
    slow = with_state(AT_PLAY, replace(state(1), beat=Duration(20 * SECOND)), T0)
    assert [slow.is_stale(Instant(T0 + 30 * SECOND + more)) for more in (0, 1)] == [False, True]
    never = with_state(AT_PLAY, replace(state(1), beat=Duration(2**53 - 1)), T0)
    assert never.is_stale(Instant(T0 + SLOWEST * 3 // 2 + 1))
    resting = with_state(AT_PLAY, replace(state(1, phase="over"), beat=Duration(20 * SECOND)), T0)
    assert [resting.is_stale(Instant(T0 + 50 * SECOND + more)) for more in (0, 1)] == [False, True]


def test_a_board_at_play_is_stale_after_three_seconds_and_another_later() -> None:
    resting = with_state(AT_PLAY, state(1, phase="over"), T0)
    assert [AT_PLAY.is_stale(Instant(T0 + BEAT * 3 // 2 + more)) for more in (0, 1)] == [False, True]
    assert [resting.is_stale(Instant(T0 + STALE_RESTING + more)) for more in (0, 1)] == [False, True]
    assert Trouble.STALE in troubles(AT_PLAY, later(4))


def test_what_was_retained_is_of_unknown_age_until_the_board_speaks() -> None:
    place = with_state(with_status(RegisteredBoard("t01"), status(), T0), state(5, urgent_us=7), T0, retained=True)
    assert (place.age(T0), place.is_stale(T0), place.board_time(T0), place.urgent(T0)) == (None, True, None, 7)
    assert with_state(AT_PLAY, state(99), T0, retained=True) == AT_PLAY
    spoken = with_state(place, state(6), later(1))
    assert (spoken.is_stale(later(1)), spoken.board_time(later(3))) == (False, 8 * SECOND)


def test_what_comes_late_changes_nothing() -> None:
    place = with_state(AT_PLAY, state(9, urgent_us=1), later(9))
    assert with_state(place, state(8, urgent_us=2), later(9)) == place


# Who is there


def test_a_board_that_says_goodbye_has_gone_and_one_that_does_not_is_lost() -> None:
    gone = with_status(AT_PLAY, status(online=False, goodbye=True), later(5))
    lost = with_status(AT_PLAY, status(online=False), later(5))
    assert (gone.presence, lost.presence, lost.since) == (Presence.GONE, Presence.LOST, later(5))
    assert (troubles(gone, later(6)), troubles(lost, later(6))) == ([], [Trouble.LOST])


def test_a_will_of_a_session_that_is_over_says_nothing() -> None:
    again = with_status(AT_PLAY, status(session="s2"), later(1))
    assert with_status(again, status(online=False, session="s1"), later(10)) == again


def test_a_board_that_speaks_is_there_whatever_its_will_said() -> None:
    lost = with_status(AT_PLAY, status(online=False), later(5))
    assert with_state(lost, state(6), later(6)).is_online


def test_two_devices_under_one_name_are_found_by_their_sessions() -> None:
    both = with_state(with_state(AT_PLAY, state(1, session="s2"), later(1)), state(2, session="s1"), later(2))
    assert troubles(both, later(2)) == [Trouble.FIGHTING]
    assert Trouble.FIGHTING not in troubles(both, Instant(later(2) + LASTING))
    restarted = with_state(AT_PLAY, state(1, session="s2"), later(1))
    assert troubles(restarted, later(1)) == []


def test_a_card_that_was_changed_begins_a_new_journal() -> None:
    before = with_mark(with_records(AT_PLAY, "e1", 40, T0), "e1", 40)
    swapped = with_state(before, state(1, session="s2", epoch="e2", through=3), later(1))
    assert (swapped.through, swapped.lag, troubles(swapped, later(1))) == (0, 3, [Trouble.SWAPPED])


def test_a_clock_that_stands_still_while_the_board_talks_is_told() -> None:
    still = with_state(AT_PLAY, state(0), later(1))
    assert troubles(still, later(1)) == []
    still = with_state(AT_PLAY, state(0), later(2))
    assert (still.stopped, troubles(still, later(2))) == (T0, [Trouble.CLOCK_STOPPED])
    assert with_state(still, state(0), later(4)).stopped == T0
    assert with_state(still, state(1), later(4)).stopped is None


# What needs an eye


def test_a_question_that_waits_is_told_after_a_while() -> None:
    asked = with_state(AT_PLAY, state(1, phase="question"), later(1))
    asked = with_state(asked, state(40, phase="question"), Instant(later(1) + PATIENCE))
    assert troubles(asked, Instant(later(1) + PATIENCE)) == []
    assert troubles(asked, Instant(later(1) + PATIENCE + 1)) == [Trouble.QUESTION]


def test_every_other_trouble_is_told() -> None:
    assert troubles(AT_PLAY, later(1)) == []
    flagged = with_state(AT_PLAY, state(2, urgent_us=SECOND), later(2))
    assert troubles(flagged, later(3)) == [Trouble.FLAG]
    ailing = with_state(AT_PLAY, state(1, health=["The disk is full."]), T0)
    assert troubles(ailing, T0) == [Trouble.HEALTH]
    ended = with_state(AT_PLAY, state(1, phase="over", health=["Confirm the result: red."]), T0)
    assert troubles(ended, T0) == []
    behind = with_records(AT_PLAY, "e1", BEHIND + 1, T0)
    assert troubles(behind, T0) == [Trouble.BEHIND]
    odd = replace(with_refused(AT_PLAY, T0), conflicts=1)
    assert troubles(odd, T0) == [Trouble.CONFLICT, Trouble.REFUSED]
    assert troubles(odd, Instant(T0 + LASTING)) == [Trouble.STALE, Trouble.CONFLICT]


def test_the_worst_comes_first_and_boards_in_the_order_of_their_numbers() -> None:
    lost = [replace(with_status(AT_PLAY, status(online=False), T0), board=board) for board in ("t10", "t9")]
    flagged = replace(with_state(AT_PLAY, state(2, urgent_us=0), T0), board="t11")
    told = [(alarm.board, alarm.trouble) for alarm in alarms([*lost, flagged], T0)]
    assert told == [("t11", Trouble.FLAG), ("t9", Trouble.LOST), ("t10", Trouble.LOST)]


def test_a_wall_shows_where_time_is_short_first() -> None:
    def shown(board: str, phase: str, urgent: int | None) -> RegisteredBoard:
        return replace(with_state(AT_PLAY, state(1, phase=phase, urgent_us=urgent), T0), board=board)

    places = [
        shown("t1", "over", None),
        shown("t2", "running", 10 * MINUTE),
        shown("t10", "running", 50 * SECOND),
        shown("t3", "running", 5 * MINUTE),
        shown("t4", "question", None),
        shown("t5", "running", 5 * SECOND),
        replace(shown("t6", "running", SECOND), presence=Presence.LOST),
        RegisteredBoard("t7"),
        shown("t8", "adjourned", None),
    ]
    assert [place.board for place in for_wall(places, T0)] == ["t5", "t10", "t4", "t6", "t3", "t2", "t1", "t8", "t7"]


@given(st.lists(st.text(st.sampled_from("t-0123456789"), max_size=6)))
def test_any_names_have_an_order(names: list[str]) -> None:
    assert [natural(name) for name in sorted(names, key=natural)] == sorted(natural(name) for name in reversed(names))


# Many boards


def test_the_floor_tells_what_has_changed_since_a_version() -> None:
    floor = Floor()
    floor.expect(["t01", "t02", "t01"])
    seen = floor.version
    assert floor.update(with_status(floor.place("t02"), Status("t02", online=True, epoch="e", session="s"), T0))
    assert not floor.update(floor.place("t02"))
    assert [place.board for place in floor.changed_since(seen)] == ["t02"]
    assert counts(floor.places.values(), T0) == {"unheard": 1, "empty": 1, "stale": 1}
    floor.remove("t02")
    floor.remove("t02")
    assert not floor.place("t02").is_online


def calls(floor: Floor, place: RegisteredBoard) -> int:
    """How many functions are called until a change has been taken: a measure that no other program disturbs."""
    count = 0

    def count_one(*_: object) -> None:
        nonlocal count
        count += 1

    sys.setprofile(count_one)
    try:
        floor.update(place)
    finally:
        sys.setprofile(None)
    return count


def test_one_change_costs_the_same_among_a_thousand_boards() -> None:
    small, large = Floor(), Floor()
    small.expect(["t1"])
    large.expect(f"t{number}" for number in range(1000))
    changed = replace(AT_PLAY, board="t1")
    calls(Floor(), changed)  # what is done once for all, a module imported or a cache filled, is nobody's cost
    assert calls(small, changed) == calls(large, changed) > 0


# What spectators may see

DELAY = Duration(300 * SECOND)
HELD_BACK = replace(status(), delay=DELAY)
TOLD = st.tuples(
    st.sampled_from(["status", "live", "public", "retained", "restarted", "will", "records"]), st.integers(0, 200)
)


@given(st.lists(TOLD, max_size=12))
def test_spectators_never_see_what_a_board_told_the_hall_alone(messages: list[tuple[str, int]]) -> None:
    place, session, now = RegisteredBoard("t01"), 1, T0
    for kind, seconds in messages:
        now = Instant(now + seconds * SECOND)
        said = replace(HELD_BACK, session=f"s{session}")
        then = replace(state(session=f"s{session}", last="then", through=1), delay=DELAY)
        live = replace(state(session=f"s{session}", last="now", through=9), delay=DELAY)
        if kind == "status":
            place = with_status(place, said, now)
        elif kind == "live":
            place = with_mark(with_state(place, live, now), "e1", 9)
        elif kind in ("public", "retained"):
            place = with_public(place, then, now, retained=kind == "retained")
        elif kind == "restarted":
            session += 1
            place = with_status(place, replace(said, session=f"s{session}"), now)
        elif kind == "will":
            place = with_status(place, replace(said, online=False), now)
        else:
            place = with_records(place, "e1", 9, now)
        seen = place.for_spectators(now)
        is_long_gone = not place.is_online and now - place.since >= DELAY
        assert is_long_gone or (seen.card.get("last") != "now" and seen.through <= 1)


def test_a_board_without_a_delay_is_shown_as_it_is_and_one_that_says_nothing_of_it_too() -> None:
    assert AT_PLAY.for_spectators(T0) is AT_PLAY
    assert with_status(RegisteredBoard("t01"), status(), T0).delay == 0


def test_a_board_that_is_started_anew_without_a_delay_holds_nothing_back_any_more() -> None:
    held = with_state(with_status(RegisteredBoard("t01"), HELD_BACK, T0), replace(state(), delay=DELAY), T0)
    assert held.for_spectators(T0).state is None
    again = with_state(with_status(held, status(session="s2"), T0), state(session="s2"), T0)
    assert again.for_spectators(T0) is again
    late = with_public(again, replace(state(session="s1", last="then"), delay=DELAY), T0, retained=True)
    assert late.for_spectators(T0).card.get("last") is None
