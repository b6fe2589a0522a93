"""Whatever hands and arbiters do to a match clock, no time is lost or made, and a replay gives the same game again."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gnomon.records.formats.trace_rulings import rulings as replayed
from gnomon.records.formats.traces import TraceHeader, read_trace, trace_lines
from gnomon.referee.errors import CorrectionError
from gnomon.referee.events import (
    ClockCorrected,
    ClockPressed,
    Correction,
    CorrectionUndone,
    DeadlineReached,
    InputChanged,
    TimeGiven,
    TimeTaken,
    TurnEntered,
    TurnSet,
    TurnsVoided,
)
from gnomon.referee.rulings import Ruling
from gnomon.referee.table import CLOCK_BUTTONS, TABLE_BUTTONS
from gnomon.timekeeping.controls import SIDES
from gnomon.timekeeping.instants import MINUTE, SECOND, Duration, Instant
from tests.conftest import examples
from tests.referee.clocked_table import ANN, ClockedTable

CONTROLS = [
    "0:30",
    "0:20+2",
    "0:20b3",
    "0:20d3",
    "3/0:30+1 then 0:20",
    "0:05 then byo-yomi 3x5",
    "hourglass 0:40",
    "up",
]
GAPS = st.one_of(st.integers(0, 30_000), st.integers(0, 4 * SECOND), st.integers(0, 15 * SECOND))
BUTTONS = st.sampled_from((*CLOCK_BUTTONS, *CLOCK_BUTTONS, TABLE_BUTTONS[-1]))
EDGES = st.lists(st.tuples(GAPS, BUTTONS), max_size=40)
GAMES = [("clock", {}), ("tabik", {"size": "3", "pie": "no"})]


def pressed(control: str, edges: list[tuple[int, str]], game: str = "clock", **more: object) -> ClockedTable:
    """A table at which buttons went down and up, none bounced, until nothing is left to be ruled on."""
    table = ClockedTable(game, clock=control, **more)
    at = 0
    for gap, button in edges:
        at += gap + 600_000
        for later, value in ((0, True), (80_000, False)):
            table.tell(InputChanged(Instant(at + later), button, value))
    table.tell(DeadlineReached(Instant(at + 2 * MINUTE)))
    return table


@pytest.mark.untraced
@settings(max_examples=examples(60))
@given(st.sampled_from(CONTROLS), EDGES, st.booleans())
def test_the_time_that_both_used_is_the_time_of_the_game(
    control: str, edges: list[tuple[int, str]], is_shown: bool
) -> None:
    table = pressed(control, edges, flag="shown" if is_shown else "ends")
    flags = [ruling.at for ruling in table.rulings if ruling.kind == "flag"]
    assert len(flags) <= 1
    end = flags[0] if flags else table.events[-1].at
    now = table.match.clock.at(table.game.game_time(table.events[-1].at))
    assert sum(account.used for account in now.accounts) == thought(table.rulings, end)
    assert sum(account.moves for account in now.accounts) == len(table.game.plies)


def thought(rulings: Sequence[Ruling], end: Instant) -> int:
    """For how long the clock ran up to an instant, by what was ruled."""
    total, since, has_started = 0, None, False
    for ruling in rulings:
        if ruling.kind == "clock":
            since, has_started = ruling.at, True
        elif ruling.kind == "paused" and since is not None:
            total, since = total + max(0, min(ruling.at, end) - since), None
        elif ruling.kind == "resumed" and has_started:
            since = ruling.at
    return total + (max(0, end - since) if since is not None else 0)


@pytest.mark.untraced
@settings(max_examples=examples(60))
@given(st.sampled_from(["0:30", "0:20+2"]), EDGES)
def test_what_is_left_is_what_was_granted_without_what_was_used(control: str, edges: list[tuple[int, str]]) -> None:
    table = pressed(control, edges)
    clock = table.match.clock.at(table.game.game_time(table.events[-1].at))
    extra = 2 * SECOND if "+" in control else 0
    granted = (20 if extra else 30) * SECOND
    for side in SIDES:
        account = clock.accounts[side]
        assert account.left + account.used == granted + extra * (1 + account.moves)
        assert (account.left == 0) == (account.fallen is not None)


@pytest.mark.untraced
@settings(max_examples=examples(60))
@given(st.sampled_from(CONTROLS), EDGES, st.sampled_from(GAMES))
def test_a_replay_gives_the_same_rulings_and_however_deadlines_are_handed_over(
    control: str, edges: list[tuple[int, str]], played: tuple[str, dict[str, object]]
) -> None:
    game, more = played
    table = pressed(control, edges, game, warning="5", **more)
    other = ClockedTable(game, clock=control, warning="5", **more)
    other.hands_over = False
    other.tell(*table.events)
    assert (other.rulings, other.game) == (table.rulings, table.game)
    header = TraceHeader.of("table", game, {"clock": control, "warning": "5", **more})
    happened = [event for event in table.events if not isinstance(event, DeadlineReached)]
    lines = trace_lines(header, happened, table.events[-1].at)
    assert list(replayed(read_trace(line.encode() for line in lines))) == table.rulings


NOW = st.just(Instant(0))  # the event is stamped when it is told
WHO = st.just(ANN)
PLAYER = st.sampled_from(["black", "white"])
AMOUNT = st.integers(0, MINUTE).map(Duration)
CORRECTIONS = st.one_of(
    st.builds(ClockCorrected, NOW, PLAYER, WHO, WHO, st.none() | AMOUNT, st.none() | st.integers(0, 9)),
    st.builds(TimeGiven, NOW, PLAYER, AMOUNT, WHO),
    st.builds(TimeTaken, NOW, PLAYER, AMOUNT, WHO),
    st.builds(TurnSet, NOW, PLAYER, WHO),
    st.builds(TurnsVoided, NOW, st.integers(1, 3), st.booleans(), WHO),
    st.builds(ClockPressed, NOW, PLAYER, WHO),
    st.builds(CorrectionUndone, NOW, WHO),
    st.builds(TurnEntered, NOW, st.sampled_from(["a1b1", "b2c2", "c3b3", "a2a3", "c1b1"]), WHO),
)
DEEDS = st.lists(st.tuples(GAPS, st.one_of(BUTTONS, CORRECTIONS)), max_size=25)


@pytest.mark.parametrize("press", ["turn", "button"])
@settings(max_examples=examples(50))
@given(control=st.sampled_from(CONTROLS), deeds=DEEDS, is_shown=st.booleans())
def test_whatever_is_corrected_the_clock_stands_and_a_replay_gives_it_again(
    press: str, control: str, deeds: list[tuple[int, str | Correction]], is_shown: bool
) -> None:
    terms: dict[str, object] = {"clock": control, "press": press, "flag": "shown" if is_shown else "ends"}
    table = ClockedTable("tabik", size="3", pie="no", **terms)
    at = 0
    for gap, deed in deeds:
        at += gap + 600_000
        if isinstance(deed, str):
            table.tell(InputChanged(Instant(at), deed, True), InputChanged(Instant(at + 80_000), deed, False))
            continue
        with suppress(CorrectionError):
            before = len(table.events)
            table.tell(replace(deed, at=Instant(at)))
            before += 1
        del table.events[before:]  # what was refused is no event of the game
        for account in table.match.clock.at(table.game.game_time(Instant(at))).accounts:
            assert account.left >= 0
            assert account.fallen is None or account.left == 0
    table.tell(DeadlineReached(Instant(at + 2 * MINUTE)))
    again = ClockedTable("tabik", size="3", pie="no", **terms)
    again.tell(*table.events)
    assert (again.rulings, again.game) == (table.rulings, table.game)
