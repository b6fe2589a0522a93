"""An engine at TAMSK with running sand, in virtual time: its turn counts when the hands' time is up (decision 31)."""

from dataclasses import dataclass, field

import pytest

from gnomon.games.tamsk.sensing.game import TamskGame
from gnomon.records.bundles import bundle, difference
from gnomon.referee.events import Paused, Resumed
from gnomon.referee.judgement import BY_HAND, Action, Phase
from gnomon.referee.opponents import steps_due
from gnomon.referee.setup import GameSetup
from gnomon.refusals import statement
from gnomon.timekeeping.instants import MILLISECOND, SECOND, Duration, Instant
from gnomon_pi.runtime.engine_play.opponent import Inquiry, OpponentPlayer
from gnomon_pi.simulated._table import TableAct, TamskTable, Verb
from gnomon_pi.simulated._virtual_watch import VirtualWatch
from tests.virtual_daemon import Notebook, VirtualDaemon, virtual_board

STEP = Duration(100 * MILLISECOND)


@dataclass
class Scripted:
    """An engine that answers when it is told to, and notes what it was asked."""

    asked: list[Inquiry] = field(default_factory=list)
    stops: int = 0
    has_left: bool = False

    def ask(self, inquiry: Inquiry) -> None:
        self.asked.append(inquiry)

    def stop(self) -> None:
        self.stops += 1

    def leave(self) -> None:
        self.has_left = True


@dataclass
class Evening:
    """A daemon at the TAMSK board, an engine that plays Black, and the glasses on the table."""

    daemon: VirtualDaemon
    engine: Scripted
    player: OpponentPlayer
    table: TamskTable

    @classmethod
    def begin(cls, level: int, **settings: object) -> "Evening":
        """A game in which Red has moved D1 to D2, and the engine is on turn."""
        watch = VirtualWatch()
        daemon = VirtualDaemon(watch, Notebook(), virtual_board(watch))
        daemon.new_game(GameSetup("tamsk", {"level": level, "opponent": "4", **settings}))
        engine = Scripted()
        evening = cls(
            daemon, engine, OpponentPlayer(daemon.runner, engine), TamskTable.set_out(level, daemon.host.sensing)
        )
        evening.wait(1)
        if settings.get("opponent_plays") == "all":
            evening.answer("D1-D2")
        evening.make("D1", "D2", "red")
        evening.wait(3)
        assert [ply.text for ply in evening.game.plies] == ["D1-D2"]
        return evening

    @property
    def game(self) -> TamskGame:
        game = TamskGame.of(None if self.daemon.runner.live_game is None else self.daemon.runner.live_game.game)
        assert game is not None
        return game

    def announced(self) -> str:
        """What is announced; empty where nothing is."""
        return "" if self.game.announced is None else self.game.announced.text

    def wait(self, seconds: float) -> None:
        """Let time pass, and the engine's side look at the game as often as its daemon does."""
        end = Instant(self.daemon.watch.now() + round(seconds * SECOND))
        while self.daemon.watch.now() < end:
            self.player.look()
            self.daemon.pass_to(min(end, Instant(self.daemon.watch.now() + STEP)))
        self.player.look()

    def do(self, act: TableAct, seconds: float = 0.7) -> None:
        """Do what a hand does, and let a moment pass."""
        before, self.table = self.table.inputs(), self.table.after(act)
        for name, value in self.table.inputs().items():
            if before[name] != value:
                self.daemon.touch(name, value=bool(value))
        self.wait(seconds)

    def make(self, origin: str, target: str, player: str, *, turned: bool = True) -> None:
        """Make a turn by hand: the glass is turned over on its way, and a ring dropped."""
        self.do(TableAct(Verb.LIFT, origin))
        self.do(TableAct(Verb.PLACE, target, turned=turned))
        self.do(TableAct(Verb.DROP_RING, target, player))

    def answer(self, text: str = "A1-B2", wait: float = 0) -> None:
        """Let the engine answer what it was asked last."""
        self.player.answer(self.engine.asked[-1], text, Duration(round(wait * SECOND)))

    def turn_timer(self) -> None:
        """Turn the 15-second glass."""
        self.do(TableAct(Verb.LIFT_TIMER15))
        self.do(TableAct(Verb.PUT_TIMER15, turned=True))


def actions(evening: Evening) -> list[tuple[Action, str]]:
    """What hands have yet to do for the announced turn."""
    return [(step.action, step.space) for step in steps_due(evening.game)]


def test_a_turn_that_hands_make_in_time_counts_as_they_make_it() -> None:
    evening = Evening.begin(2)
    evening.answer()
    assert actions(evening) == [(Action.TAKE_GLASS, "A1"), (Action.PUT_TURNED, "B2"), (Action.PUT_RING, "B2")]
    evening.do(TableAct(Verb.LIFT, "A1"))
    assert actions(evening) == [(Action.PUT_TURNED, "B2"), (Action.PUT_RING, "B2")]
    evening.do(TableAct(Verb.PLACE, "B2", turned=True))
    assert actions(evening) == [(Action.PUT_RING, "B2")]
    evening.do(TableAct(Verb.DROP_RING, "B2", "black"), 2)
    game = evening.game
    assert [ply.text for ply in game.plies] == ["D1-D2", "A1-B2"]
    assert (game.announced, game.judgement.phase, game.turn) == (None, Phase.AGREED, "red")


def test_a_turn_that_hands_do_not_make_counts_five_seconds_after_it_was_announced() -> None:
    evening = Evening.begin(2)
    evening.answer()
    told = evening.game.announced
    assert told is not None
    evening.wait(4.8)
    assert len(evening.game.plies) == 1
    evening.wait(0.4)
    game = evening.game
    assert game.plies[-1].text == "A1-B2"
    assert 0 <= game.plies[-1].when - told.when - 5 * SECOND <= STEP
    assert game.turn == "red"
    steps = [(step.action, step.space) for step in game.judgement.repairs]
    assert (game.judgement.phase, game.judgement.code) == (Phase.WRONG, BY_HAND)
    assert steps == [(Action.TAKE_GLASS, "A1"), (Action.PUT_GLASS, "B2"), (Action.PUT_RING, "B2")]
    evening.make("A1", "B2", "black", turned=False)
    assert [step.action for step in evening.game.judgement.repairs] == [Action.TURN_GLASS]
    evening.do(TableAct(Verb.LIFT, "B2"))
    evening.do(TableAct(Verb.PLACE, "B2", turned=True), 2)
    assert evening.game.judgement.phase is Phase.AGREED
    evening.make("G4", "G3", "red")
    evening.wait(2)
    assert [ply.text for ply in evening.game.plies][1:] == ["A1-B2", "G4-G3x"]
    assert len(evening.engine.asked) == 2


@pytest.mark.parametrize(("hands", "seconds"), [("0", 0.3), ("12.5", 12.7)])
def test_how_long_it_waits_is_a_setting(hands: str, seconds: float) -> None:
    evening = Evening.begin(2, opponent_hands=hands)
    evening.answer()
    evening.wait(seconds - 0.3)
    assert len(evening.game.plies) == 1 + (hands == "0")
    evening.wait(0.5)
    assert len(evening.game.plies) == 2


def test_no_time_passes_for_the_hands_in_a_pause() -> None:
    evening = Evening.begin(2)
    evening.answer()
    evening.wait(2)
    evening.daemon.runner.correct(Paused(evening.daemon.runner.now(), "Ann"))
    evening.wait(60)
    assert len(evening.game.plies) == 1
    evening.daemon.runner.correct(Resumed(evening.daemon.runner.now(), "Ann"))
    evening.wait(2.5)
    assert len(evening.game.plies) == 1
    evening.wait(1)
    assert len(evening.game.plies) == 2


def test_without_sand_a_turn_waits_for_the_hands() -> None:
    evening = Evening.begin(1)
    evening.answer()
    evening.wait(600)
    assert len(evening.game.plies) == 1
    assert actions(evening) == [(Action.TAKE_GLASS, "A1"), (Action.PUT_GLASS, "B2"), (Action.PUT_RING, "B2")]


def test_a_turn_of_the_engine_that_it_has_not_announced_is_put_back() -> None:
    evening = Evening.begin(2)
    evening.make("A1", "B2", "black")
    evening.wait(1)
    game = evening.game
    assert [ply.text for ply in game.plies] == ["D1-D2"]
    assert [step.action for step in game.judgement.repairs] == [
        *(Action.TAKE_RING, Action.TAKE_GLASS, Action.PUT_GLASS),
    ]
    assert game.rulings[-1].kind == "illegal"


def test_the_fifteen_second_glass_works_against_the_engine() -> None:
    evening = Evening.begin(3)
    evening.turn_timer()
    assert evening.game.position.timer15_binds
    evening.wait(7)
    assert evening.engine.stops == 0
    evening.wait(3)
    assert evening.engine.stops == 1
    evening.wait(8)
    assert [ply.text for ply in evening.game.plies] == ["D1-D2", "lost"]
    assert evening.game.turn == "red"


def test_an_engine_that_has_lost_a_turn_plays_on() -> None:
    evening = Evening.begin(3)
    evening.turn_timer()
    evening.wait(18)
    evening.make("G4", "G3", "red")
    evening.wait(2)
    evening.answer()
    assert [ply.text for ply in evening.game.plies] == ["D1-D2", "lost", "G4-G3x"]
    assert evening.announced() == "A1-B2"
    told = [text for text in evening.engine.asked[-1].moves.texts if not text.startswith("@")]
    assert told == ["D1-D2", "flip15", "lost", "G4-G3x"]


def test_a_15_second_glass_that_is_turned_withdraws_nothing() -> None:
    evening = Evening.begin(3)
    evening.answer()
    evening.turn_timer()
    assert evening.game.announced is not None
    evening.wait(5)
    assert evening.game.plies[-1].text == "A1-B2"


def test_an_engine_is_told_how_much_time_there_is() -> None:
    evening = Evening.begin(2)
    asked = evening.engine.asked[-1]
    assert asked.go.hands is not None
    assert (asked.go.time, asked.go.hands[0]) == (Duration(5 * SECOND), Duration(5 * SECOND))
    assert asked.moves.texts[-2:] != ("D1-D2",)
    assert asked.moves.position.glasses == evening.game.position.glasses


def test_an_engine_learns_how_long_hands_need() -> None:
    evening = Evening.begin(2)
    turns = [("A1", "B2", "G4", "G3"), ("G1", "F2", "A4", "A3"), ("D7", "D6", "D2", "E2"), ("B2", "C3", "G3", "F3")]
    told = []
    for origin, target, reply, place in turns:
        hands = evening.engine.asked[-1].go.hands
        assert hands is not None
        told.append(hands[0])
        evening.answer(f"{origin}-{target}")
        evening.wait(1)
        evening.make(origin, target, "black")
        evening.wait(2)
        evening.make(reply, place, "red")
        evening.wait(2)
    assert told[0] == 5 * SECOND
    assert told[0] > told[1] > told[2] > told[3]
    assert 1.5 * SECOND < told[3] < 3.5 * SECOND
    evening.answer("C3-C4")
    evening.wait(6)  # it counts though nobody has made it
    evening.make("C3", "C4", "black")
    evening.wait(2)
    evening.make("F3", "E4", "red")
    evening.wait(2)
    hands = evening.engine.asked[-1].go.hands
    assert hands is not None
    assert hands[0] > told[3]


def test_an_engine_may_wait_on_purpose() -> None:
    evening = Evening.begin(2)
    evening.answer(wait=3)
    evening.wait(2.5)
    assert not evening.announced()
    evening.wait(0.7)
    assert evening.announced()


def test_an_engine_that_waits_on_purpose_does_not_wait_for_the_fifteen_second_glass() -> None:
    evening = Evening.begin(3)
    evening.answer(wait=60)
    evening.turn_timer()
    evening.wait(7)
    assert not evening.announced()
    evening.wait(3)
    assert evening.announced()
    assert evening.engine.stops == 0
    evening.wait(5.5)
    assert evening.game.plies[-1].text == "A1-B2"


def test_in_an_exhibition_nobody_waits_on_purpose() -> None:
    evening = Evening.begin(2, opponent_plays="all")
    evening.answer(wait=60)
    assert evening.announced()


def test_what_was_ruled_is_ruled_by_a_replay_too() -> None:
    evening = Evening.begin(2)
    evening.answer()
    evening.make("G1", "F1", "black")  # which was not announced
    evening.wait(6)
    for act in (
        TableAct(Verb.TAKE_RING, "F1"),
        TableAct(Verb.LIFT, "F1"),
        TableAct(Verb.PLACE, "G1", turned=True),
    ):
        evening.do(act)
    evening.make("A1", "B2", "black")
    evening.wait(2)
    assert evening.game.judgement.phase is Phase.AGREED
    evening.make("G4", "G3", "red")
    evening.wait(2)
    evening.answer("G1-F1x")
    evening.make("D7", "D6", "black")  # nor was this, and the recording ends with it
    assert [ply.text for ply in evening.game.plies] == ["D1-D2", "A1-B2", "G4-G3x", "G1-F1x"]
    store = evening.daemon.store
    assert isinstance(store, Notebook)
    assert difference(bundle(store.games[0], store.read(1)).trace) is None


def test_a_killed_daemon_goes_on_with_what_was_announced() -> None:
    evening = Evening.begin(2)
    evening.answer()
    evening.wait(1)
    told = evening.game.announced
    before = evening.daemon
    evening.daemon = VirtualDaemon(before.watch, before.store, before.board)
    evening.daemon.recover()
    evening.player = OpponentPlayer(evening.daemon.runner, evening.engine)
    assert evening.game.announced == told
    evening.wait(4.5)
    assert [ply.text for ply in evening.game.plies] == ["D1-D2", "A1-B2"]


def test_an_answer_that_comes_too_late_is_not_announced() -> None:
    evening = Evening.begin(2)
    late = evening.engine.asked[-1]
    evening.daemon.runner.correct(Paused(evening.daemon.runner.now(), "Ann"))
    evening.daemon.runner.correct(Resumed(evening.daemon.runner.now(), "Ann"))
    evening.wait(0.2)
    evening.player.answer(late, "A1-B2")
    assert not evening.announced()
    assert len(evening.engine.asked) == 2
    evening.answer()
    assert evening.announced()


def test_an_engine_that_fails_leaves_its_side_to_people() -> None:
    evening = Evening.begin(2)
    evening.player.fail(evening.engine.asked[-1], statement("engine.closed", engine="Gnomon"))
    evening.wait(0.2)
    assert evening.game.opponent is None
    assert evening.engine.has_left
    evening.make("A1", "B2", "black")
    evening.wait(2)
    assert evening.game.plies[-1].text == "A1-B2"
