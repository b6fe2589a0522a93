from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gnomon.games.tamsk.rules import BOARD, START, Tamsk
from gnomon.games.tamsk.sensing.board import new_game as begin
from gnomon.games.tamsk.sensing.game import TamskGame
from gnomon.games.tamsk.sensing.inputs import BUTTONS, POLES, RING_INPUTS
from gnomon.games.tamsk.show import _lights as lights
from gnomon.referee.events import DeadlineReached, InputChanged
from gnomon.referee.step import step
from gnomon.timekeeping.instants import SECOND, Instant
from gnomon.views import summary
from gnomon.views.display import oled
from tests.conftest import examples
from tests.views.tables import TEMPERAMENTS, Table, tables
from tests.words.statements import as_stated

VIEWS: dict[str, Callable[[Table], Any]] = {
    "oled": lambda table: oled.screen(*table).tobytes(),
    "oled, next": lambda table: oled.changes_at(*table),
    "lights": lambda table: lights.lights(table.game, table.now),
    "lights, next": lambda table: lights.changes_at(table.game, table.now),
    "summary": lambda table: summary.summary(*as_stated(table)),
}
EACH = pytest.mark.parametrize("view", VIEWS)
NEAR = [BOARD.names[space] for start in START for space in (start, *BOARD.neighbours[start])]
INPUTS = [f"{name}.{pole}" for name in NEAR for pole in POLES]
RINGS = [name for name in RING_INPUTS if name.partition(".")[0] in NEAR]


LEVELS = st.sampled_from([1, 2, 3])
NUMBERS = st.integers(0, 14)
GAPS = st.sampled_from([50_000, 400_000, 3_500_000, 20 * SECOND])
TOUCHED = st.sampled_from([*INPUTS, *RINGS, *BUTTONS, "timer15.north", "timer15.south"])
LATER = st.sampled_from([0, 300_000, 4 * SECOND, 200 * SECOND])


@st.composite
def watched(draw: st.DrawFn) -> Table:
    """A board on which anything happens: the referee has seen it all, and this is what he makes of it."""
    rules = Tamsk.from_settings({"level": draw(LEVELS)})
    game = begin(rules, draw(TEMPERAMENTS))
    now = 0
    for _ in range(draw(NUMBERS)):
        now += draw(GAPS)
        game = _seen(game, Instant(now), draw(TOUCHED))
    now += draw(LATER)
    game, _ = step(game, DeadlineReached(Instant(now)))
    return Table(game, Instant(now))


def _seen(game: TamskGame, at: Instant, name: str) -> TamskGame:
    return step(game, InputChanged(at, name, name not in game.debouncer.on))[0]


@pytest.mark.untraced
@given(table=tables())
def test_every_view_is_a_function(table: Table) -> None:
    before = repr(table)
    for name, view in VIEWS.items():
        assert view(table) == view(table), name
        assert repr(table) == before, name


@pytest.mark.untraced
@settings(max_examples=examples(200))
@given(table=watched())
def test_every_view_shows_whatever_the_referee_makes_of_the_board(table: Table) -> None:
    for view in VIEWS.values():
        view(table)
    assert table.game is not None
    change = oled.changes_at(*table)
    if change is not None:
        assert oled.screen(table.game, Instant(change - 1)).tobytes() == oled.screen(*table).tobytes()


@EACH
def test_every_view_waits_for_a_game(view: str) -> None:
    VIEWS[view](Table(None, Instant(0), ("Trouble.",)))


def test_a_turn_belongs_to_its_player_until_it_is_complete() -> None:
    game = begin(Tamsk.from_settings({"level": 2}))
    for at, name in ((1, "D1.north"), (2, "D2.south")):
        game = _seen(game, Instant(at * SECOND), name)
    game, _ = step(game, DeadlineReached(Instant(12 * SECOND)))
    seen: Any = summary.summary(game, Instant(12 * SECOND))
    assert (seen["phase"], seen["turn"]) == ("may go on", "red")
    # Turned when it was put down (rule 10), it has run for ten seconds.
    assert (seen["glasses"][0]["space"], seen["glasses"][0]["remaining"]) == ("D2", 170)
    assert not any(glass["in_hand"] for glass in seen["glasses"])
