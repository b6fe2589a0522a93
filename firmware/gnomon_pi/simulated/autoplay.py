"""Keep the simulated table and board in sync, and play on them with simulated hands."""

import asyncio
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from random import Random
from typing import TYPE_CHECKING, Final, assert_never

from gnomon.games.tamsk.sensing.game import TamskGame
from gnomon.referee.events import ClockPressed, InputChanged, TurnEntered
from gnomon.referee.evidence import Sensing
from gnomon.referee.game import Game
from gnomon.referee.judgement import Action, Phase, Repair
from gnomon.referee.opponents import is_engines_turn, steps_due
from gnomon.referee.table import TABLE_BUTTONS
from gnomon.refusals import statement
from gnomon.rules.protocol import RulesError
from gnomon.rules.registry import kind_of
from gnomon.timekeeping.instants import MILLISECOND, SECOND, Instant
from gnomon_pi.config.description import TAMSK
from gnomon_pi.runtime.live_game import LiveGame
from gnomon_pi.runtime.runner import Runner, RunnerError
from gnomon_pi.simulated._chance import pick
from gnomon_pi.simulated._surface import TILE, Surface
from gnomon_pi.simulated._table import ImpossibleActError, TableAct, TamskTable, Verb, changes, next_to_tidy
from gnomon_pi.simulated.board import SimulatedBoard
from gnomon_pi.simulated.players.input_actions import DRAW, HANDS, CodeRead, Deed
from gnomon_pi.simulated.players.player_timing import FINGER, Habits, RandomSpan, TableHabits

if TYPE_CHECKING:
    from gnomon_pi.runtime.engine_play.advice import Adviser
    from gnomon_pi.simulated.players.hands import Stroke  # what plays is loaded when it plays
    from gnomon_pi.simulated.players.table_hands import PlayingManner

LOOK: Final = 0.15  # seconds from an act to the next look at the game: longer than any bounce takes to settle
PRESS: Final = 0.1  # seconds for which a button is held
_UNDER_WAY: Final = 300 * MILLISECOND
"""What follows so soon belongs to what hands have just done: a pressed button is let go after at most 250 ms."""


@dataclass(frozen=True, slots=True)
class AutoplayPace:
    """How hands go about a game: their habits, and after how many seconds they look at it again.

    `follow` is how many seconds they let pass before they make what an engine has announced.
    """

    habits: Habits = field(default_factory=Habits)
    look: float = LOOK
    follow: float = 1.2
    table: TableHabits = field(default_factory=TableHabits)


PACES: Final = {
    "slow": AutoplayPace(
        Habits(think=RandomSpan(SECOND, 12 * SECOND, 2.0)),
        table=TableHabits(think=RandomSpan(SECOND, 12 * SECOND, 2.0)),
        follow=2.5,
    ),
    "usual": AutoplayPace(
        Habits(think=RandomSpan(400 * MILLISECOND, 5 * SECOND, 2.0), comes_late=0.1, loses_turn=0.0),
        table=TableHabits(think=RandomSpan(900 * MILLISECOND, 5 * SECOND, 2.0)),
    ),
    "fast": AutoplayPace(
        Habits(
            think=RandomSpan(100 * MILLISECOND, 900 * MILLISECOND),
            carry=RandomSpan(250 * MILLISECOND, 700 * MILLISECOND),
            ring=RandomSpan(150 * MILLISECOND, 400 * MILLISECOND),
            comes_late=0.0,
            loses_turn=0.0,
        ),
        table=TableHabits(think=RandomSpan(900 * MILLISECOND, 1500 * MILLISECOND)),
        follow=0.3,
    ),
}
"""How fast hands can be asked to play: people who look on must never think that the hands have stopped."""
USUAL: Final = "usual"

HURRIED: Final = AutoplayPace(
    Habits(
        think=RandomSpan(0, 50 * MILLISECOND),
        react=RandomSpan(0, 20 * MILLISECOND),
        carry=RandomSpan(2 * FINGER + 10 * MILLISECOND, 2 * FINGER + 50 * MILLISECOND),  # room for a forgotten ring
        ring=RandomSpan(40 * MILLISECOND, 80 * MILLISECOND),
        button=RandomSpan(40 * MILLISECOND, 80 * MILLISECOND),
        hesitates=0.0,
        hovers=0.0,
    ),
    look=0.04,
    follow=0.0,
    table=TableHabits(
        think=RandomSpan(0, 50 * MILLISECOND),
        settle=RandomSpan(0, 20 * MILLISECOND),
        answer=RandomSpan(0, 50 * MILLISECOND),
        picks=0.1,
    ),
)
"""Hands that hardly think, for drills."""


class Playground:
    """What is on the simulated table, on its simulated board; to be used in one thread."""

    def __init__(self, board: SimulatedBoard, pace: AutoplayPace | None = None) -> None:
        self.board = board
        self._sensing = Sensing(kind_of(TAMSK).single_places(board.description.inputs))
        self.table = TamskTable.set_out(1, self._sensing) if board.description.board == TAMSK else None
        self.surface = Surface.of(board.description)
        self._pace = pace or PACES[USUAL]
        self._hands: asyncio.Task[None] | None = None
        self._adviser: Adviser | None = None  # of the hands that play, unless they play by chance
        self._meant = ""  # the turn that hands made last at a table, should it be asked which it is
        self._show_all()

    @property
    def tiles(self) -> frozenset[str] | None:
        """The squares on which tiles lie, None on a board without such."""
        return self.surface.covered if self.surface.squares else None

    def set_out_for(self, game: Game) -> None:
        """Set the table out for a new game."""
        if game.board.name == TAMSK:
            self.table = TamskTable.set_out(game.rules.settings.level, self._sensing)
        else:
            self.surface = self.surface.with_tiles(())
        self._show_all()

    def restore(self, live_game: LiveGame) -> None:
        """Put everything where a game that was brought back last sensed it."""
        if (game := TamskGame.of(live_game.game)) is not None:
            self.table = TamskTable.of(game, live_game.on)
        else:
            tiles = (name.removesuffix(TILE) for name in live_game.on if name.endswith(TILE))
            self.surface = self.surface.with_tiles(tiles)
        self._show_all()

    # What hands can do

    def act(self, act: TableAct) -> None:
        """Do one act at the TAMSK table, and let the board sense it. Raises ImpossibleActError."""
        before = self._tamsk()
        self.table = before.after(act)
        for name, value in changes(before, self.table):
            self.board.set_input(name, bool(value))

    def press(self, button: str) -> None:
        """Press a button, named by its input. Raises ImpossibleActError."""
        if self.table is not None:
            self.act(TableAct(Verb.PRESS, button))
        else:
            self._put(self.surface.press(button))

    def release(self, button: str) -> None:
        """Let a button go. Raises ImpossibleActError."""
        if self.table is not None:
            self.act(TableAct(Verb.RELEASE, button))
        else:
            self._put(self.surface.release(button))

    def lay(self, squares: Sequence[str]) -> None:
        """Lay a tile on squares. Raises ImpossibleActError."""
        self._put(self.surface.lay(squares))

    def lift(self, squares: Sequence[str]) -> None:
        """Take a tile off squares. Raises ImpossibleActError."""
        self._put(self.surface.lift(squares))

    # Hands that play by themselves

    @property
    def pace(self) -> str:
        """How fast hands play, by its name; empty for a pace without one."""
        return next((name for name, pace in PACES.items() if pace == self._pace), "")

    def set_pace(self, name: str) -> None:
        """Let hands play at a pace of `PACES` from their next turn on. Raises KeyError for another name."""
        self._pace = PACES[name]

    @property
    def is_playing(self) -> bool:
        """Whether hands are playing by themselves."""
        return self._hands is not None and not self._hands.done()

    @property
    def is_by_chance(self) -> bool:
        """Whether hands that play would choose turns by chance, where no engine plays."""
        return self._adviser is None

    def let_play(self, runner: Runner, seed: int, adviser: "Adviser | None" = None) -> None:
        """Let hands play in the running loop, in the place of those that play already.

        Where no engine plays, they make the turns that `adviser` would, or without one turns by chance.
        """
        self.stop_playing()
        self._adviser = adviser
        self._hands = asyncio.create_task(self.play(runner, seed, adviser), name="hands")
        self._hands.add_done_callback(_report_failure)

    def stop_playing(self) -> None:
        """The hands let go of the board; a glass in the air stays there."""
        if self._hands is not None:
            self._hands.cancel()

    async def hands_gone(self) -> None:
        """Wait until no hands play. Raises what they failed with."""
        if self._hands is not None:
            with suppress(asyncio.CancelledError):
                await asyncio.shield(self._hands)

    async def play(self, runner: Runner, seed: int, adviser: "Adviser | None" = None) -> None:
        """Let hands go on with the runner's game, at human speed, until it is over or put away.

        In a pause they rest.
        """
        chooser = TurnChooser(runner, Random(seed), adviser)
        try:
            while not runner.may_begin:
                live_game = runner.live_game
                if live_game is not None and live_game.game.paused_at is None:
                    # Someone else touched the table, or entered a turn; the next look sees how it is.
                    with suppress(ImpossibleActError, RunnerError):
                        await self._go_on(runner, live_game.game, chooser)
                await asyncio.sleep(self._pace.look)
        finally:
            if adviser is not None:
                await adviser.close()

    async def _go_on(self, runner: Runner, game: Game, chooser: "TurnChooser") -> None:
        if (tamsk := TamskGame.of(game)) is not None:
            await self._go_on_with_tamsk(runner, tamsk, chooser)
        else:
            await self._go_on_at_a_table(runner, game, chooser)

    async def _go_on_with_tamsk(self, runner: Runner, game: TamskGame, chooser: "TurnChooser") -> None:
        """Take a turn when the table is as the game believes; otherwise end the turn that stands there, or tidy up.

        What was touched is waited for until it is evidence: before that nobody has said what it comes to.
        """
        if game.debouncer.began() is not None:
            return
        if is_engines_turn(game) and game.judgement.phase is not Phase.WRONG:
            await self._carry_out(runner, game)
            return
        if game.judgement.phase in (Phase.MAY_GO_ON, Phase.ASKING):
            await self._press(f"button.{game.rules.players[game.position.mover]}")
            return
        mending = next_to_tidy(self._tamsk(), game)
        if mending is not None:
            self.act(mending)
        elif game.judgement.phase is Phase.AGREED:
            await self._take_a_turn(runner, game, chooser)

    async def _carry_out(self, runner: Runner, game: TamskGame) -> None:
        """Do the next step of what the engine has announced; while it thinks, hands rest."""
        step = next(iter(steps_due(game)), None)
        if step is None:
            return
        if not self._tamsk().in_hand:
            await asyncio.sleep(self._pace.follow)
            if _pause_of(runner) is not None:
                return
        self.act(_act_for(step, game.rules.players[game.position.mover]))

    async def _press(self, button: str) -> None:
        self.press(button)
        await asyncio.sleep(PRESS)
        self.release(button)

    async def _take_a_turn(self, runner: Runner, game: TamskGame, chooser: "TurnChooser") -> None:
        # Few boards in software play by themselves.
        from gnomon_pi.simulated.players.game_script import planned_score, random_score
        from gnomon_pi.simulated.players.hands import play

        text = await chooser.choose(game)
        if text is None:
            return
        now, random = runner.now(), chooser.random
        position = game.position_at(now)
        if text:
            score = planned_score(game.rules, random, self._pace.habits, position, text)
        else:
            score = random_score(game.rules, random, self._pace.habits, position=position, turns=1)
        level = game.rules.settings.level
        strokes = play(score, random, level=level, table=self._tamsk(), habits=self._pace.habits)
        # Positions without sand know no time: what counts is how long after this one a stroke is made.
        await self._make(strokes, runner, Instant(now - position.now))

    async def _make(self, strokes: "Iterable[Stroke]", runner: Runner, shift: Instant) -> None:
        beat = _Beat(runner, shift)
        for stroke in strokes:
            due = await beat.reach(stroke.at)
            self.table = self._tamsk().after(stroke.act)
            for edge in stroke.edges:  # they are over in a moment
                await _until(Instant(due + edge.at - stroke.at), runner)
                self.board.set_input(edge.input, edge.value)

    async def _go_on_at_a_table(self, runner: Runner, game: Game, chooser: "TurnChooser") -> None:
        """Make a move when the board is as the game believes; otherwise answer what is asked, or tidy up."""
        if game.clock is not None and not game.clock.has_started:
            runner.correct(ClockPressed(runner.now(), game.rules.players[-1], HANDS))
            return
        if game.question is not None:
            choices = game.question.asked.choices
            text = self._meant if self._meant in choices else pick(chooser.random, choices)
            runner.correct(TurnEntered(runner.now(), text, HANDS))
            return
        if game.debouncer.began() is not None or game.judgement.phase is Phase.MAY_GO_ON:
            return  # the tile is about to be accepted
        rules = game.rules if game.board.is_sensed else None
        if rules is not None:
            laid = frozenset(square for move in game.position.laid for square in rules.squares_of(move))
            if laid != self.surface.covered:
                self._put(self.surface.with_tiles(laid))
                return
        if is_engines_turn(game):
            await self._carry_out_at_a_table(runner, game)
        elif game.judgement.phase is Phase.AGREED:
            await self._make_a_move(runner, game, chooser)

    async def _make_a_move(self, runner: Runner, game: Game, chooser: "TurnChooser") -> None:
        from gnomon_pi.simulated.players.table_hands import make_at_a_table, play_at_a_table  # as above

        text = await chooser.choose(game)
        if text is None:
            return
        now, random, beat = runner.now(), chooser.random, _Beat(runner)
        if text:
            handled = make_at_a_table(game, text, random, now, self._manner())
        else:
            handled = play_at_a_table(game, random, now, self._manner(), moves=1)
        self._meant = handled.score[-1].text if handled.score else ""
        for deed in handled.deeds:
            self._do(_at(deed, await beat.reach(deed.at)), runner)

    async def _carry_out_at_a_table(self, runner: Runner, game: Game) -> None:
        """Make what the engine has announced: lay the tile, or say that it was made; while it thinks, hands rest."""
        told = game.announced
        if told is None:
            return
        await asyncio.sleep(self._pace.follow)
        if runner.live_game is None or runner.live_game.game.announced != told or _pause_of(runner) is not None:
            return
        laid = [step.space.split() for step in steps_due(game) if step.action is Action.LAY_TILE]
        if laid:
            self.lay(laid[0])
        else:
            runner.correct(TurnEntered(runner.now(), told.text, HANDS))

    def _manner(self) -> "PlayingManner":
        """How moves are made here: on a board without the four buttons none is picked with them."""
        from gnomon_pi.simulated.players.table_hands import PlayingManner  # as above

        habits = self._pace.table
        can_pick = set(TABLE_BUTTONS) <= set(self.surface.buttons)
        return PlayingManner(habits if can_pick else replace(habits, picks=0.0))

    def _do(self, deed: Deed, runner: Runner) -> None:
        match deed:
            case TurnEntered():
                runner.correct(deed)
            case CodeRead():
                self._read(deed, runner)
            case InputChanged():
                self.surface = self.surface.with_change(deed.input, value=deed.value)
                self.board.set_input(deed.input, deed.value)
            case _:
                assert_never(deed)

    def _read(self, deed: CodeRead, runner: Runner) -> None:
        """Hold a tile to the reader; one whose tag no description names is entered, as people would."""
        try:
            self.board.read_code(deed.code)
        except KeyError:
            runner.correct(TurnEntered(deed.at, f"{DRAW}{deed.code}", HANDS))

    # What is there

    def _tamsk(self) -> TamskTable:
        if self.table is None:
            raise ImpossibleActError(statement("told.hands.no_glasses"))
        return self.table

    def _put(self, surface: Surface) -> None:
        """Let the board sense what has changed."""
        before, self.surface = self.surface.inputs(), surface
        for name, value in surface.inputs().items():
            if value != before[name]:
                self.board.set_input(name, value)

    def _show_all(self) -> None:
        inputs = self.surface.inputs() if self.table is None else self.table.inputs()
        for name, value in inputs.items():
            self.board.set_input(name, bool(value))


@dataclass(frozen=True, slots=True)
class TurnChooser:
    """What hands that play by themselves mean to do next."""

    runner: Runner
    random: Random
    adviser: "Adviser | None" = None

    async def choose(self, game: Game) -> str | None:
        """The turn to make, in canonical text; empty: one by chance. None: the game has changed meanwhile."""
        if self.adviser is None or game.turn not in game.rules.players or game.rules.ends_by_press:
            return ""
        from gnomon.engines.process import EngineFailedError  # where hands play by chance, no engine is known

        try:
            text = await self.adviser.advise(game, game.game_time(self.runner.now()))
        except (EngineFailedError, RulesError):
            return ""  # chance will do: nobody at this board waits for the engine
        live_game = self.runner.live_game
        return text if live_game is not None and live_game.game is game else None


def _act_for(step: Repair, player: str) -> TableAct:
    """What a hand does for a step of an announced turn."""
    if step.action is Action.TAKE_GLASS:
        return TableAct(Verb.LIFT, step.space)
    if step.action is Action.PUT_RING:
        return TableAct(Verb.DROP_RING, step.space, player)
    if step.action is Action.TAKE_RING:
        return TableAct(Verb.TAKE_RING, step.space)
    return TableAct(Verb.PLACE, step.space, turned=step.action is Action.PUT_TURNED)


def _report_failure(hands: asyncio.Task[None]) -> None:
    """Let what failed the hands be known: nobody waits for them."""
    if not hands.cancelled():
        hands.result()


async def _until(at: Instant, runner: Runner) -> None:
    left = at - runner.now()
    if left > 0:
        await asyncio.sleep(left / 1_000_000)


def _at(deed: Deed, at: Instant) -> Deed:
    """The same thing done at another time."""
    return deed._replace(at=at) if isinstance(deed, CodeRead) else replace(deed, at=at)


def _pause_of(runner: Runner) -> Instant | None:
    """Board time since which the game of a runner is paused; None while it goes on."""
    return None if runner.live_game is None else runner.live_game.game.paused_at


class _Beat:
    """When hands act, as it was planned in board time: in a pause they rest, and everything after it is as much later.

    What they have just begun they finish, such as to let go of a button.
    """

    def __init__(self, runner: Runner, shift: Instant = Instant(0)) -> None:
        """`shift` is by how much later than planned everything is from the start."""
        self._runner = runner
        self._shift = int(shift)
        self._last: Instant | None = None  # planned time of the last act

    async def reach(self, planned: Instant) -> Instant:
        """Wait until something is due, and answer when that was. Raises RunnerError when the game is put away."""
        is_under_way = self._last is not None and planned - self._last < _UNDER_WAY
        self._last = planned
        await _until(self._due(planned), self._runner)
        while not is_under_way and (since := _pause_of(self._runner)) is not None:
            if self._runner.may_begin:
                raise RunnerError(statement("told.paused"))
            await asyncio.sleep(LOOK)
            if _pause_of(self._runner) != since:
                self._shift += self._runner.now() - since
                await _until(self._due(planned), self._runner)
        return self._due(planned)

    def _due(self, planned: Instant) -> Instant:
        return Instant(planned + self._shift)
