"""Whole games on the simulated board whose sensors see one pole: hands, mistakes, journal, replay and recovery."""

from functools import cache

import pytest

from gnomon.games.tamsk.sensing.declarations import TIMER_WAS_NOT
from gnomon.games.tamsk.sensing.game import TamskGame
from gnomon.games.tamsk.sensing.inputs import SINGLE_PLACES, inputs_of
from gnomon.records.bundles import bundle, difference, read_bundle
from gnomon.records.formats.sheet_play import steps
from gnomon.records.formats.sheets import read_sheet, sheet_text
from gnomon.records.formats.traces import SINGLE_POLE
from gnomon.records.transcripts import transcript
from gnomon.referee.evidence import BY_POLES, Sensing
from gnomon.referee.judgement import Action, Phase
from gnomon.referee.rulings import Corrected, IllegalRuled, Righted, TimerTurned, TurnRuled
from gnomon.referee.setup import GameSetup
from gnomon.rules.protocol import SettingsError
from gnomon.timekeeping.instants import MILLISECOND, SECOND, Instant
from gnomon_pi.runtime.live_game import LiveGame
from gnomon_pi.runtime.recovery import RecoveryError
from gnomon_pi.simulated._table import ImpossibleActError, TableAct, TamskTable, Verb, next_to_tidy
from gnomon_pi.simulated._virtual_watch import VirtualWatch
from gnomon_pi.simulated.autoplay import Playground
from gnomon_pi.simulated.players._noise import CLEAN
from gnomon_pi.simulated.players.player_timing import Habits, RandomSpan
from tests.player_mistakes import CAREFUL, Clumsiness, PlayerMistake
from tests.virtual_daemon import Notebook, VirtualDaemon, VirtualGame, play_virtual, virtual_board

ONE_POLE = Sensing(SINGLE_PLACES)
# Nobody turns the 15-second glass over faster than a nudge, nor acts within a scan of a deadline.
HABITS = Habits(cuts_it_fine=0.0, turns_timer15=0.6, turn_timer15=RandomSpan(250 * MILLISECOND, 500 * MILLISECOND))
LEVELS = pytest.mark.parametrize("level", [1, 2, 3])


@cache
def played(level: int, seed: int, kind: PlayerMistake | None = None, variant: str = "single-pole") -> VirtualGame:
    mistakes = CAREFUL if kind is None else Clumsiness(frozenset({kind}))
    return play_virtual({"level": level}, seed, habits=HABITS, mistakes=mistakes, noise=CLEAN, variant=variant)


def live_game(daemon: VirtualDaemon) -> LiveGame:
    assert daemon.runner.live_game is not None
    return daemon.runner.live_game


def game(daemon: VirtualDaemon) -> TamskGame:
    present = live_game(daemon).game
    assert isinstance(present, TamskGame)
    return present


def notebook(daemon: VirtualDaemon) -> Notebook:
    assert isinstance(daemon.store, Notebook)
    return daemon.store


def turns(daemon: VirtualDaemon) -> list[tuple[str, str]]:
    return [(ply.player, ply.text) for ply in game(daemon).plies]


@pytest.mark.untraced
@LEVELS
def test_one_pole_gives_the_rulings_that_two_give(level: int) -> None:
    one, two = played(level, 1), played(level, 1, variant="")
    assert one.rulings == two.rulings
    assert game(one.daemon).position == game(two.daemon).position
    assert turns(one.daemon) == [(turn.player, turn.text) for turn in one.score]


@pytest.mark.untraced
@pytest.mark.parametrize(
    ("level", "kind"),
    [
        (1, PlayerMistake.NOT_TURNED),
        (2, PlayerMistake.NOT_TURNED),
        (3, PlayerMistake.NOT_TURNED),
        (2, PlayerMistake.RING_FIRST),
        (3, PlayerMistake.RING_FIRST),
        (2, PlayerMistake.PUT_BACK),
        (2, PlayerMistake.KNOCKED_OVER),
    ],
)
def test_a_glass_that_was_not_turned_is_told_by_button_and_the_game_is_the_one_that_was_meant(
    level: int, kind: PlayerMistake
) -> None:
    # Not one in which something is to be said of the very last turn: then the game is over.
    seed = 3 if (level, kind) == (3, PlayerMistake.RING_FIRST) else 2
    daemon = played(level, seed, kind).daemon
    assert turns(daemon) == [(turn.player, turn.text) for turn in played(level, seed, kind).score]
    refused = [ruling for ruling in daemon.rulings if isinstance(ruling, IllegalRuled)]
    forgot = level > 1 and kind in (PlayerMistake.NOT_TURNED, PlayerMistake.RING_FIRST)
    assert {ruling.code for ruling in refused} == ({"not_turned"} if forgot else set())
    assert len(refused) == sum(isinstance(ruling, Righted) for ruling in daemon.rulings)
    taken_back = sum(isinstance(ruling, Corrected) for ruling in daemon.rulings)
    assert taken_back == (len(refused) if kind is PlayerMistake.RING_FIRST else 0)
    # As two poles measure it: the sand runs from when the glass was turned, and nobody gains by the mistake.
    assert game(daemon).position == game(played(level, seed, kind, variant="").daemon).position


@pytest.mark.untraced
@pytest.mark.parametrize("level", [2, 3])
def test_trace_and_sheet_of_such_a_game_give_it_again(level: int) -> None:
    daemon = played(level, 2, PlayerMistake.RING_FIRST).daemon
    made = bundle(notebook(daemon).games[0], notebook(daemon).records)
    assert made.header.extras[SINGLE_POLE] == ["glasses", "timer15"]
    again = read_bundle("".join(made.lines()).encode().splitlines())
    assert again.header.sensing.single == ONE_POLE.single
    assert difference(again.trace) is None
    sheet = read_sheet(sheet_text(transcript(made.trace)).encode())
    last, position = list(steps(sheet))[-1].position, game(daemon).position
    end = Instant(max(last.now, position.now))
    rules = game(daemon).rules
    assert rules.elapse(last, end) == rules.elapse(position, end)


# One game by hand, at level 3: D1-D2, the 15-second glass turned, A1-B2


def begun(notes: Notebook | None = None) -> VirtualDaemon:
    watch = VirtualWatch()
    daemon = VirtualDaemon(watch, notes or Notebook(), virtual_board(watch, variant="single-pole"))
    daemon.new_game(GameSetup(settings={"level": 3}))
    return daemon


def touch(daemon: VirtualDaemon, at: float, name: str, value: int) -> None:
    daemon.pass_to(Instant(live_game(daemon).origin + round(at * SECOND)))
    daemon.touch(name, value=bool(value))


def script(daemon: VirtualDaemon, *touches: tuple[float, str, int]) -> None:
    for at, name, value in touches:
        touch(daemon, at, name, value)
    daemon.pass_to(Instant(daemon.watch.now() + SECOND))


TURN = ((1, "D1.glass", 0), (2, "D2.glass", 1), (3, "D2.ring1", 1))
TIMER = ((4, "timer15.glass", 0), (4.5, "timer15.glass", 1))
SAID = ((6, "button.not_turned", 1), (6.2, "button.not_turned", 0))


def test_a_daemon_that_is_killed_knows_what_may_still_be_said_and_what_its_board_senses() -> None:
    daemon = begun()
    script(daemon, *TURN)
    after = VirtualDaemon(daemon.watch, daemon.store, daemon.board)
    after.recover()
    assert game(after).sensing.single == ONE_POLE.single
    assert game(after).trust == game(daemon).trust
    script(after, *SAID, (8, "D2.glass", 0))
    third = VirtualDaemon(daemon.watch, daemon.store, daemon.board)
    third.recover()
    script(third, (10, "D2.glass", 1))
    said = [type(ruling) for each in (daemon, after, third) for ruling in each.rulings]
    assert said == [TurnRuled, Corrected, IllegalRuled, Righted, TurnRuled]


def test_a_turning_that_was_none_is_not_on_the_sheet() -> None:
    daemon = begun()
    script(daemon, *TURN, (3.6, "A1.glass", 0), *TIMER, *SAID, (8, "B2.glass", 1), (9, "B2.ring1", 1))
    said = [type(ruling) for ruling in daemon.rulings]
    assert said == [TurnRuled, TimerTurned, Corrected, TurnRuled]
    sheet = transcript(bundle(notebook(daemon).games[0], notebook(daemon).records).trace)
    assert [line.text for line in sheet.lines] == ["D1-D2", "A1-B2"]
    assert len(list(steps(sheet))) == 2


def test_a_turning_back_that_was_none_leaves_the_first_on_the_sheet() -> None:
    daemon = begun()
    script(daemon, *TURN, *TIMER, (5, "timer15.glass", 0), (5.5, "timer15.glass", 1), *SAID)
    assert [ruling.what for ruling in daemon.rulings if isinstance(ruling, Corrected)] == [TIMER_WAS_NOT]
    sheet = transcript(bundle(notebook(daemon).games[0], notebook(daemon).records).trace)
    assert [line.text for line in sheet.lines] == ["D1-D2", "flip15"]


def test_a_game_goes_on_only_where_it_can_be_sensed() -> None:
    daemon = begun()
    script(daemon, *TURN)
    other = VirtualDaemon(daemon.watch, daemon.store, virtual_board(daemon.watch))
    with pytest.raises(RecoveryError, match="its sensors saw one pole of a glass: start gnomond with the description"):
        other.recover()
    two = VirtualDaemon.of_new_board()
    two.new_game(GameSetup(settings={"level": 2}))
    assert two.host.sensing.single == BY_POLES.single
    with pytest.raises(SettingsError, match="its sensors saw both poles of a glass"):
        daemon.host.check(game(two))


# The table, and hands at it


def test_a_table_shows_one_pole_whichever_way_up_its_glasses_stand() -> None:
    table = TamskTable.set_out(3, ONE_POLE)
    assert set(table.inputs()) == inputs_of(ONE_POLE)
    turned = table.lift("D1").place("D1", turned=True).lift_timer15().put_timer15(turned=True)
    assert turned.inputs() == table.inputs()
    assert table.press("button.not_turned").inputs()["button.not_turned"]
    with pytest.raises(ImpossibleActError):
        TamskTable.set_out(3).press("button.not_turned")
    with pytest.raises(ImpossibleActError):
        table.press("D1.glass")


def test_a_table_is_restored_as_the_game_has_it() -> None:
    daemon = begun()
    script(daemon, *TURN, *TIMER)
    table = TamskTable.of(game(daemon), live_game(daemon).on)
    assert table.sensing.single == ONE_POLE.single
    assert table.poles == game(daemon).poles
    assert table.timer15 == game(daemon).timer_pole == 1
    assert next_to_tidy(table, game(daemon)) is None
    # Once in the hand, it can only be told from a nudge by turning it.
    assert next_to_tidy(table.lift_timer15(), game(daemon)) == TableAct(Verb.PUT_TIMER15, turned=True)
    script(daemon, (6.5, "timer15.glass", 0), (7, "timer15.glass", 1))
    assert next_to_tidy(table, game(daemon)) == TableAct(Verb.LIFT_TIMER15)


def test_the_playground_plays_on_such_a_board() -> None:
    daemon = begun()
    playground = Playground(daemon.board)
    playground.set_out_for(game(daemon))
    playground.act(TableAct(Verb.LIFT, "D1"))
    daemon.look()
    daemon.pass_to(Instant(daemon.watch.now() + SECOND))
    playground.act(TableAct(Verb.PLACE, "D2"))
    daemon.look()
    daemon.pass_to(Instant(daemon.watch.now() + SECOND))
    assert game(daemon).judgement.phase is Phase.MAY_GO_ON
    playground.press("button.not_turned")
    daemon.pass_to(Instant(daemon.watch.now() + SECOND))
    assert [step.action for step in game(daemon).judgement.repairs] == [Action.TURN_GLASS]
