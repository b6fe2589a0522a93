"""Games at a table, and Tayu on its board, under a daemon that is killed or loses its power."""

from datetime import timedelta
from functools import cache
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gnomon.records.formats.traces import ruling_record
from gnomon.records.journal.entries import EntryKind
from gnomon.referee.judgement import Phase
from gnomon.referee.rulings import GamePaused, Ruling
from gnomon.timekeeping.instants import SECOND, Instant
from gnomon_pi.simulated.players.input_actions import Deed
from tests.conftest import examples
from tests.daemon.halves import entries, let_pass, notebook, restarted
from tests.daemon.places import PLACES, SENSED, at_a_table, turns
from tests.virtual_daemon import VirtualDaemon, do_all, hands_at

# In the same boot

KILLED = ("tabik", "twenty squares", "tayu, sensed")
TURNS = 14


class Course(NamedTuple):
    """The first deeds of a game, until when they are watched, and what is ruled when nobody is killed."""

    deeds: tuple[Deed, ...]
    end: Instant
    rulings: list[Ruling]


@cache
def course(name: str) -> Course:
    """The beginning of a game."""
    daemon = PLACES[name].begun()
    handled = hands_at(daemon, 8)
    until = handled.score[TURNS].at
    deeds = tuple(deed for deed in handled.deeds if deed.at < until)
    end = Instant(deeds[-1].at + 4 * SECOND)
    do_all(daemon, deeds)
    daemon.pass_to(end)
    return Course(deeds, end, daemon.rulings)


def killed(name: str, kills: list[float]) -> tuple[VirtualDaemon, list[Ruling]]:
    """A daemon killed and started again just before some of the deeds, as shares of them, and all that was shown."""
    deeds, end, _ = course(name)
    numbers = {round(share * (len(deeds) - 1)) for share in kills}
    daemon, shown = PLACES[name].begun(), []
    for number, deed in enumerate(deeds):
        if number in numbers:
            daemon.pass_to(deed.at)
            shown += daemon.rulings
            daemon = restarted(daemon)
        do_all(daemon, [deed])
    daemon.pass_to(end)
    return daemon, [*shown, *daemon.rulings]


@pytest.mark.untraced
@settings(max_examples=examples(40))
@given(st.sampled_from(KILLED), st.lists(st.floats(0, 1), min_size=1, max_size=3))
def test_a_daemon_that_is_killed_anywhere_rules_the_same_turns(name: str, kills: list[float]) -> None:
    daemon, shown = killed(name, kills)
    assert turns(shown) == turns(course(name).rulings)
    written = [record.entry.body for record in entries(daemon, EntryKind.RULING)]
    assert written == [ruling_record(ruling) for ruling in shown]


@pytest.mark.untraced
@settings(max_examples=examples(40))
@given(st.sampled_from(KILLED), st.floats(0, 1))
def test_wherever_the_journal_was_cut_every_ruling_stands_in_it_exactly_once(name: str, share: float) -> None:
    deeds, end, rulings = course(name)
    daemon = PLACES[name].begun()
    do_all(daemon, deeds)
    daemon.pass_to(end)
    notebook(daemon).lose(max(1, round(share * len(notebook(daemon).records))))
    kept = len(entries(daemon, EntryKind.RULING))
    following = restarted(daemon)
    following.pass_to(Instant(end + SECOND))
    game = at_a_table(following)
    assert [record.entry.body for record in entries(following, EntryKind.RULING)] == [
        ruling_record(ruling) for ruling in game.rulings
    ]
    assert list(game.rulings[:kept]) == rulings[:kept]


def test_a_tile_that_was_laid_while_the_daemon_was_dead_is_found() -> None:
    daemon = SENSED.begun()
    daemon.board.read_code("013")
    let_pass(daemon, 1)
    for square in ("g9", "h9", "i9"):
        daemon.board.set_input(f"{square}.tile", True)
    daemon.watch.go_to(Instant(daemon.watch.now() + 3 * SECOND))
    following = restarted(daemon)
    let_pass(following, 2)
    assert at_a_table(following).judgement.phase is Phase.ASKING
    assert [ruling.kind for ruling in following.rulings] == ["ask"]


# After a reboot


@pytest.mark.untraced
@pytest.mark.parametrize("name", KILLED)
def test_after_a_power_cut_the_game_is_paused_with_the_outage_and_goes_on_when_the_arbiter_says_so(name: str) -> None:
    daemon = PLACES[name].begun()
    handled = hands_at(daemon, 8)
    half = handled.score[TURNS].at
    do_all(daemon, [deed for deed in handled.deeds if deed.at <= half])
    daemon.pass_to(Instant(half + 2 * SECOND))
    before, boot = at_a_table(daemon), daemon.watch.boot
    daemon.watch.reboot(timedelta(minutes=3))
    following = restarted(daemon)
    let_pass(following, 1)
    game = at_a_table(following)
    assert daemon.watch.boot != boot
    assert game.paused_at is not None
    assert (game.position, game.plies) == (before.position, before.plies)
    assert isinstance(following.rulings[-1], GamePaused)
    assert "power was away for 3 min" in str([record.entry.body for record in entries(following, EntryKind.EVENT)][-1])
    following.touch("button.arbiter", value=True)
    let_pass(following, 0.2)
    following.touch("button.arbiter", value=False)
    let_pass(following, 0.2)
    assert at_a_table(following).paused_at is None
    rest = hands_at(following, 9)
    do_all(following, rest.deeds)
    let_pass(following, 2)
    assert turns(following.rulings) == [(move.player, move.text) for move in rest.score]
