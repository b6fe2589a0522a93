"""A warning before a turn counts: what is weighed, when it is said, and that a game is never held up for it."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from gnomon.coaching import coach_of
from gnomon.engines.protocol import Candidate, Report, Score
from gnomon.records.journal.writer import Journal
from gnomon.referee.events import Paused, ResultDeclared, RingsSet
from gnomon.referee.game import Game
from gnomon.referee.judgement import Phase
from gnomon.referee.setup import GameSetup
from gnomon.timekeeping.instants import MILLISECOND, SECOND, Instant
from gnomon_pi.runtime.engine_play.coach import REST, TurnCoach, Weighing
from gnomon_pi.runtime.service import Orders, usual_settings
from gnomon_pi.simulated._table import TableAct, TamskTable, Verb
from gnomon_pi.simulated._virtual_watch import VirtualWatch
from tests.daemon.test_opponent import present, until
from tests.daemon.test_service import SimulatedService, run
from tests.virtual_daemon import Notebook, VirtualDaemon, virtual_board

BAD, GOOD, BEST = 0.2, 0.62, 0.7


@dataclass
class Scripted:
    """An engine that has weighed what it is told to, and notes what it was asked."""

    asked: list[Weighing] = field(default_factory=list)
    leaves: int = 0

    def weigh(self, weighing: Weighing) -> None:
        self.asked.append(weighing)

    def leave(self) -> None:
        self.leaves += 1


@dataclass
class Evening:
    """People at a board whose game warns of blunders, with its real buttons."""

    daemon: VirtualDaemon
    engine: Scripted
    coach: TurnCoach

    @classmethod
    def begin(cls, game: str, board: str = "table", **settings: object) -> "Evening":
        watch = VirtualWatch()
        daemon = VirtualDaemon(watch, Notebook(), virtual_board(watch, board), with_display=True)
        daemon.new_game(GameSetup(game, {"warnings": "on", **settings}))
        engine = Scripted()
        evening = cls(daemon, engine, TurnCoach(daemon.runner, engine))
        evening.wait(0.1)
        return evening

    @property
    def game(self) -> Game:
        live = self.daemon.runner.live_game
        assert live is not None
        return live.game

    @property
    def warned(self) -> str:
        """The turn of which somebody is warned; empty where nobody is."""
        return "" if self.game.warned is None else self.game.warned.text

    @property
    def warnings(self) -> int:
        """How many warnings have been written down."""
        store = self.daemon.store
        assert isinstance(store, Notebook)
        return sum(each.entry.body.get("event") == "player_warned" for each in store.records)

    def wait(self, seconds: float) -> None:
        """Let time pass; the coach looks at the game at each change and when it wants to."""
        end = Instant(self.daemon.watch.now() + round(seconds * SECOND))
        while self.daemon.watch.now() < end:
            self.daemon.pass_to(min(end, Instant(self.daemon.watch.now() + 50 * MILLISECOND)))
            self.coach.look()

    def press(self, *buttons: str) -> None:
        for button in buttons:
            self.daemon.touch(f"button.{button}", value=True)
            self.wait(0.1)
            self.daemon.touch(f"button.{button}", value=False)
            self.wait(0.1)

    def weigh(self, chances: Mapping[str, float], *, deep: bool = True, proven: bool = False) -> None:
        """Let the engine find what moves are worth; every other one is as good as the best."""
        asked = self.engine.asked[-1]
        rules, position = asked.moves.rules, asked.moves.position
        texts = [rules.text(position, move) for move in rules.legal_moves(position)]
        weighed = [Candidate(text, Score(chances.get(text, BEST), None, proven)) for text in texts]
        self.coach.take_report(asked, Report(weighed, 3, 1000), deep=deep)
        self.coach.look()


def at_the_last_press(evening: Evening) -> str:
    """Step to a turn that Enter would play, and its text."""
    evening.press("next")
    while (text := evening.game.board.turn_to_confirm(evening.game)) is None:
        evening.press("enter")
    return str(text)


def test_a_bad_turn_is_warned_of_once_and_before_enter_plays_it() -> None:
    evening = Evening.begin("tabik", size=3)
    assert len(evening.engine.asked) == 1
    text = at_the_last_press(evening)
    evening.weigh({text: BAD})
    assert not evening.warned
    evening.wait(REST / SECOND + 0.1)
    assert evening.warned == text
    assert str(evening.game.warned and evening.game.warned.said).startswith("there is a much better move")
    evening.wait(10)
    assert evening.warnings == 1
    evening.press("enter")
    assert [ply.text for ply in evening.game.plies] == [text]
    assert evening.game.warned is None


def test_a_warning_goes_with_the_turn_and_is_not_said_twice() -> None:
    evening = Evening.begin("tabik", size=3)
    text = at_the_last_press(evening)
    evening.weigh({text: BAD})
    evening.wait(1)
    evening.press("next")
    assert not evening.warned
    evening.press("previous")
    evening.wait(5)
    assert evening.game.board.turn_to_confirm(evening.game) == text
    assert evening.warnings == 1


@pytest.mark.parametrize(("chance", "deep"), [(GOOD, True), (BAD, False)])
def test_what_is_nearly_as_good_or_not_searched_deep_enough_is_not_spoken_of(chance: float, *, deep: bool) -> None:
    evening = Evening.begin("tabik", size=3)
    text = at_the_last_press(evening)
    evening.weigh({text: chance}, deep=deep)
    evening.wait(5)
    assert evening.warnings == 0


def test_without_a_verdict_in_time_nothing_is_said_and_the_turn_counts() -> None:
    evening = Evening.begin("tabik", size=3)
    text = at_the_last_press(evening)
    evening.wait(3)
    evening.press("enter")
    late = evening.engine.asked[0]
    evening.coach.take_report(
        late, Report([Candidate(text, Score(BAD)), Candidate("b1b2", Score(BEST))], 3, 1000), deep=True
    )
    evening.wait(3)
    assert [ply.text for ply in evening.game.plies] == [text]
    assert evening.warnings == 0
    assert len(evening.engine.asked) == 2


def test_hands_that_step_through_the_turns_are_left_alone() -> None:
    evening = Evening.begin("tau", rows=3, columns=3)
    evening.weigh(dict.fromkeys(("bid:1", "bid:2", "bid:3", "bid:4"), BAD))
    evening.press(*["next"] * 8)
    assert evening.warnings == 0


def test_where_nobody_asked_for_it_nothing_is_weighed() -> None:
    assert Evening.begin("tabik", warnings="off").engine.asked == []
    assert Evening.begin("clock", clock="5").engine.asked == []


def test_in_a_pause_and_while_an_engine_is_on_turn_nothing_is_weighed() -> None:
    evening = Evening.begin("tabik", size=3)
    text = at_the_last_press(evening)
    evening.weigh({text: BAD})
    evening.daemon.runner.correct(Paused(Instant(0), "Ann"))
    evening.wait(3)
    assert evening.warnings == 0
    assert Evening.begin("tabik", size=3, opponent="1", opponent_plays="black").engine.asked == []


def test_the_engine_ends_with_the_game() -> None:
    evening = Evening.begin("tabik", size=3)
    evening.daemon.runner.correct(ResultDeclared(Instant(0), "black", "resigned", "Ann"))
    evening.wait(1)
    assert evening.engine.leaves == 1


def test_the_display_and_every_dark_light_say_it_for_a_moment() -> None:
    watch = VirtualWatch()
    daemon = VirtualDaemon(watch, Notebook(), virtual_board(watch), with_display=True)
    daemon.new_game(GameSetup("tamsk", {"level": 1, "ring": "optional", "warnings": "on"}))
    engine = Scripted()
    evening = Evening(daemon, engine, TurnCoach(daemon.runner, engine))
    table = TamskTable.set_out(1, daemon.host.sensing)
    evening.wait(1)

    def do(act: TableAct) -> None:
        nonlocal table
        before, table = table.inputs(), table.after(act)
        for name, value in table.inputs().items():
            if before[name] != value:
                daemon.touch(name, value=bool(value))
        evening.wait(2)

    do(TableAct(Verb.LIFT, "D1"))
    do(TableAct(Verb.PLACE, "D2", turned=True))
    assert evening.game.judgement.phase is Phase.MAY_GO_ON
    text = evening.game.board.turn_to_confirm(evening.game)
    assert text is not None
    evening.weigh({text: BAD})
    evening.wait(2)
    assert not evening.warned  # so early an estimate of this game is worth nothing
    evening.coach._said.clear()
    evening.weigh({text: 0.0}, proven=True)
    lit: set[tuple[int, int, int]] = set()
    for _ in range(30):
        evening.wait(0.05)
        lit.update(daemon.board.lights())
    assert evening.warned == text
    # The driver has its own cap: amber is what is more red than green, and not blue.
    assert any(red > green > blue == 0 for red, green, blue in lit)
    picture = daemon.board.display_image()
    evening.wait(8)
    assert daemon.board.display_image().tobytes() != picture.tobytes()


def test_a_position_that_no_turns_lead_to_is_not_weighed() -> None:
    evening = Evening.begin("tamsk", "tamsk", level=1)
    asked = len(evening.engine.asked)
    for space in ("B2", "C2", "D2"):
        evening.daemon.runner.correct(RingsSet(Instant(0), space, 2, "red", "Ann"))
    evening.wait(1)
    assert [each for each in evening.engine.asked[asked:] if not each.go.moves] == []


def test_who_begins_games_with_warnings_unless_this_is_a_tournament() -> None:
    assert usual_settings(Orders(warns=True)) == {"warnings": "on"}
    assert usual_settings(Orders(warns=True, is_tournament=True)) == {}
    assert usual_settings(Orders()) == {}


def test_a_real_engine_warns_through_the_whole_daemon_and_the_turn_is_played_all_the_same(tmp_path: Path) -> None:
    text = "b1a1"  # on nine points after a2b2 others are proven to win, and this one is not

    async def play(service: SimulatedService) -> None:
        await service.controller.enter("a2b2")
        for _ in range(60):
            game = present(service)
            if game.board.turn_to_confirm(game) == text:
                break
            on = game.chooser is not None and text.startswith(game.chooser.preview)
            name = "button.enter" if on else "button.next"
            for value in (True, False):
                service.remote.playground.board.set_input(name, value)
                await asyncio.sleep(0.1)
        game = await until(service, lambda game: game.warned is not None)
        assert game.warned is not None
        assert game.warned.text == text
        await service.controller.enter(text)
        assert present(service).warned is None

    run(tmp_path, Orders(GameSetup("tabik", {"size": 3, "warnings": "on"})), play, "table")
    with Journal.open(tmp_path / "journal") as journal:
        (warned,) = [each.entry.body for each in journal.read(1) if each.entry.body.get("event") == "player_warned"]
    assert (warned["text"], warned["who"]) == (text, "Gnomon")


def test_in_a_tournament_nobody_is_warned(tmp_path: Path) -> None:
    async def play(service: SimulatedService) -> None:
        await service.controller.enter("a2b2")
        assert service._coach is not None
        assert service._coach.coach._weighing is None
        assert await service.controller.doubt("b1a1") is None

    run(tmp_path, Orders(GameSetup("tabik", {"size": 3, "warnings": "on"}), is_tournament=True), play, "table")


def test_a_turn_that_is_picked_on_a_page_is_doubted_and_that_is_written_down(tmp_path: Path) -> None:
    async def play(service: SimulatedService) -> None:
        await service.controller.enter("a2b2")
        told = None
        for _ in range(100):
            told = await service.controller.doubt("b1a1")
            if told is not None:
                break
            await asyncio.sleep(0.1)
        assert told is not None
        assert [await service.controller.doubt("b1a1") for _ in range(20)] == [told] * 20
        assert await service.controller.doubt("nonsense") is None

    run(tmp_path, Orders(GameSetup("tabik", {"size": 3, "warnings": "on"})), play, "table")
    with Journal.open(tmp_path / "journal") as journal:
        notes = [each.entry.body for each in journal.read(1) if each.entry.body.get("note") == "warning"]
    assert notes == [{"note": "warning", "player": "white", "text": "b1a1"}]


def test_what_is_begun_on_a_page_is_judged_and_that_is_written_down_once(tmp_path: Path) -> None:
    texts = ["b1a1"]

    async def play(service: SimulatedService) -> None:
        await service.controller.enter("a2b2")
        told = None
        for _ in range(100):
            told = await service.controller.judge_picked(texts)
            if told is not None:
                break
            await asyncio.sleep(0.1)
        assert str(told) == "no: every good turn uses something else"
        assert [await service.controller.judge_picked(texts) for _ in range(20)] == [told] * 20

    run(tmp_path, Orders(GameSetup("tabik", {"size": 3, "help": "hand"})), play, "table")
    with Journal.open(tmp_path / "journal") as journal:
        notes = [each.entry.body for each in journal.read(1) if each.entry.body.get("note") == "hand"]
    assert notes == [{"note": "hand", "player": "white", "texts": texts}]


def test_in_a_tournament_and_without_that_wish_nothing_that_is_begun_is_judged(tmp_path: Path) -> None:
    async def play(service: SimulatedService) -> None:
        await service.controller.enter("a2b2")
        assert await service.controller.judge_picked(["b1a1"]) is None

    for folder, wish, is_tournament in ((tmp_path / "one", "hand", True), (tmp_path / "two", "brain", False)):
        folder.mkdir()
        setup = GameSetup("tabik", {"size": 3, "help": wish})
        run(folder, Orders(setup, is_tournament=is_tournament), play, "table")


def test_where_no_warnings_are_wanted_nothing_is_doubted(tmp_path: Path) -> None:
    async def play(service: SimulatedService) -> None:
        await service.controller.enter("a2b2")
        assert await service.controller.doubt("b1a1") is None

    run(tmp_path, Orders(GameSetup("tabik", {"size": 3})), play, "table")


@pytest.mark.parametrize("first", ["brain", "hint"])
def test_brain_and_hint_are_about_one_turn(tmp_path: Path, first: str) -> None:
    async def play(service: SimulatedService) -> None:
        if first == "brain":
            await until(service, lambda game: game.helped is not None)
        text = await service.controller.advise()
        game = await until(service, lambda game: game.helped is not None)
        assert game.helped is not None
        move = game.rules.parse(game.position, text)
        assert game.helped.said == coach_of(game.rules).piece(game.position, move)
        assert await service.controller.advise() == text  # a player who asks again is told the same

    run(tmp_path, Orders(GameSetup("tamsk", {"level": 1, "help": "brain"})), play)
