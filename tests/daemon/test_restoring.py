"""The simulated table after a restart: as the game last sensed it, and tidied up piece by piece."""

import asyncio
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gnomon.games.tamsk.sensing.inputs import BUTTONS
from gnomon.referee.judgement import Phase
from gnomon_pi.simulated._table import TableAct, TamskTable, Verb, next_to_tidy
from gnomon_pi.simulated.autoplay import Playground, TurnChooser
from gnomon_pi.simulated.players._noise import CLEAN
from tests.conftest import examples
from tests.daemon.halves import begun, edges_of_a_game, let_pass, live_game, tamsk
from tests.virtual_daemon import VirtualDaemon

GAMES = {level: edges_of_a_game(level, seed=3, turns=14, noise=CLEAN) for level in (1, 2, 3)}
MOST_STEPS = 12


def stopped_at(level: int, share: float) -> VirtualDaemon:
    """A daemon at some moment of a game, with everything that was touched at rest."""
    daemon = begun(level)
    edges = GAMES[level]
    daemon.play(edges[: round(share * len(edges))])
    let_pass(daemon, 0.1)
    return daemon


def shown(table: TamskTable) -> set[str]:
    """The inputs that the table makes 1."""
    return {name for name, value in table.inputs().items() if value}


@pytest.mark.untraced
@settings(max_examples=examples(60))
@given(st.sampled_from((1, 2, 3)), st.floats(0, 1))
def test_the_table_shows_again_what_the_game_was_told(level: int, share: float) -> None:
    game = live_game(stopped_at(level, share).runner)
    table = TamskTable.of(tamsk(game.game), game.on)
    assert shown(table) == game.on - set(BUTTONS)
    assert sorted([*table.standing.values(), *table.in_hand]) == list(range(6))
    assert sum(table.holders.values()) + sum(map(len, table.stacks.values())) == 64


@settings(max_examples=examples(60))
@given(st.sampled_from((1, 2, 3)), st.floats(0, 1))
def test_tidying_leads_to_the_table_that_the_game_believes(level: int, share: float) -> None:
    stopped = live_game(stopped_at(level, share).runner)
    game = tamsk(stopped.game)
    table = TamskTable.of(game, stopped.on)
    steps = 0
    while (act := next_to_tidy(table, game)) is not None:
        table = table.after(act)
        steps += 1
        assert steps <= MOST_STEPS
    for space, glass in table.standing.items():
        assert game.position.glasses[glass] == [*table.stacks].index(space)
    assert [len(stack) for stack in table.stacks.values()] == [game.position.rings_on(space) for space in range(37)]
    assert not table.in_hand
    assert not table.timer15_in_hand


@pytest.mark.parametrize("level", [1, 2, 3])
def test_a_table_as_the_game_believes_it_needs_no_tidying(level: int) -> None:
    daemon = begun(level)
    let_pass(daemon, 1)
    begun_game = live_game(daemon.runner)
    game = tamsk(begun_game.game)
    assert game.judgement.phase is Phase.AGREED
    assert TamskTable.of(game, begun_game.on) == TamskTable.set_out(level)
    assert next_to_tidy(TamskTable.of(game, begun_game.on), game) is None


def test_a_glass_knocked_over_is_set_up_again() -> None:
    daemon = begun(2)
    let_pass(daemon, 1)
    game = tamsk(live_game(daemon.runner).game)
    table = TamskTable.set_out(2).knock_over("D1")
    act = next_to_tidy(table, game)
    assert act is not None
    assert table.after(act) == TamskTable.set_out(2)


def test_a_finger_left_on_a_button_is_lifted() -> None:
    daemon = begun(2)
    let_pass(daemon, 1)
    table = TamskTable.set_out(2).press("button.red")
    act = next_to_tidy(table, tamsk(live_game(daemon.runner).game))
    assert act is not None
    assert table.after(act) == TamskTable.set_out(2)


def test_hands_take_back_nothing_before_the_referee_has_said_what_it_comes_to() -> None:
    daemon = begun(1)
    playground = Playground(daemon.board)
    playground.set_out_for(tamsk(live_game(daemon.runner).game))
    for act in (TableAct(Verb.LIFT, "D1"), TableAct(Verb.PLACE, "D2"), TableAct(Verb.DROP_RING, "D2", "red")):
        playground.act(act)
        daemon.look()
        let_pass(daemon, 0.1)
    asyncio.run(playground._go_on(daemon.runner, live_game(daemon.runner).game, TurnChooser(daemon.runner, Random(1))))
    assert playground.table is not None
    assert "D2" in playground.table.standing
