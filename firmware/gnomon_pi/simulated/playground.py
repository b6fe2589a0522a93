"""The only place that keeps the table and the board in software alike, and lets hands play on it by themselves."""

import asyncio
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from random import Random
from typing import Final

from gnomon.referee.game import Game
from gnomon.referee.judgement import Phase
from gnomon.rules.tamsk import PLAYERS
from gnomon.timekeeping.instants import MILLISECOND, Instant
from gnomon_pi.runner import Runner
from gnomon_pi.simulated.board import SimulatedBoard
from gnomon_pi.simulated.habits import Habits, Span
from gnomon_pi.simulated.hands import Stroke, play
from gnomon_pi.simulated.restoring import table_of, tidying
from gnomon_pi.simulated.scores import FINGER, random_score
from gnomon_pi.simulated.table import Act, ImpossibleActError, Table, Verb, changes
from gnomon_pi.sitting import Sitting

LOOK: Final = 0.15  # seconds from an act to the next look at the game: longer than any bounce takes to settle
PRESS: Final = 0.1  # seconds for which a button is held


@dataclass(frozen=True, slots=True)
class Pace:
    """How hands go about a game: their habits, and after how many seconds they look at it again."""

    habits: Habits = field(default_factory=Habits)
    look: float = LOOK


HURRIED: Final = Pace(
    Habits(
        think=Span(0, 50 * MILLISECOND),
        react=Span(0, 20 * MILLISECOND),
        carry=Span(2 * FINGER + 10 * MILLISECOND, 2 * FINGER + 50 * MILLISECOND),  # room for a forgotten ring
        ring=Span(40 * MILLISECOND, 80 * MILLISECOND),
        button=Span(40 * MILLISECOND, 80 * MILLISECOND),
        hesitates=0.0,
        hovers=0.0,
    ),
    look=0.04,
)
"""Hands that hardly think, for drills."""


class Playground:
    """The simulated table on its simulated board; to be used in one thread."""

    def __init__(self, board: SimulatedBoard, pace: Pace | None = None) -> None:
        self.board = board
        self.table = Table.set_out(1)
        self._pace = pace or Pace()
        self._show_all()

    def set_out(self, level: int) -> None:
        """Set the table out for a new game."""
        self.table = Table.set_out(level)
        self._show_all()

    def restore(self, sitting: Sitting) -> None:
        """Put everything where a game that was brought back last sensed it."""
        self.table = table_of(sitting)
        self._show_all()

    def act(self, act: Act) -> None:
        """Do one act at the table, and let the board sense it. Raises ImpossibleActError."""
        before, self.table = self.table, self.table.after(act)
        for name, value in changes(before, self.table):
            self.board.set_input(name, bool(value))

    async def play(self, runner: Runner, seed: int) -> None:
        """Let hands go on with the runner's game, at human speed, until it is over."""
        random = Random(seed)
        while runner.is_unfinished:
            sitting = runner.sitting
            if sitting is not None and sitting.game.paused_at is None:
                with suppress(ImpossibleActError):  # Someone else touched the table; the next look sees how it is.
                    await self._go_on(runner, sitting.game, random)
            await asyncio.sleep(self._pace.look)

    async def _go_on(self, runner: Runner, game: Game, random: Random) -> None:
        """Take a turn when the table is as the game believes; otherwise end the turn that stands there, or tidy up."""
        if game.judgement.phase in (Phase.MAY_GO_ON, Phase.ASKING):
            await self._press(f"button.{PLAYERS[game.position.mover]}")
            return
        mending = tidying(self.table, game)
        if mending is not None:
            self.act(mending)
        elif game.judgement.phase is Phase.AGREED:
            await self._take_a_turn(runner, game, random)

    async def _press(self, button: str) -> None:
        self.act(Act(Verb.PRESS, button))
        await asyncio.sleep(PRESS)
        self.act(Act(Verb.RELEASE, button))

    async def _take_a_turn(self, runner: Runner, game: Game, random: Random) -> None:
        now = runner.now()
        position = game.position_at(now)
        score = random_score(game.rules, random, self._pace.habits, position=position, turns=1)
        level = game.rules.settings.level
        strokes = play(score, random, level=level, table=self.table, habits=self._pace.habits)
        # Positions without sand know no time: what counts is how long after this one a stroke is made.
        await self._make(strokes, runner, Instant(now - position.now))

    async def _make(self, strokes: Iterable[Stroke], runner: Runner, shift: Instant) -> None:
        for stroke in strokes:
            await _until(Instant(stroke.at + shift), runner)
            self.table = self.table.after(stroke.act)
            for edge in stroke.edges:
                await _until(Instant(edge.at + shift), runner)
                self.board.set_input(edge.input, edge.value)

    def _show_all(self) -> None:
        for name, value in self.table.inputs().items():
            self.board.set_input(name, bool(value))


async def _until(at: Instant, runner: Runner) -> None:
    left = at - runner.now()
    if left > 0:
        await asyncio.sleep(left / 1_000_000)
