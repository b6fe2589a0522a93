"""The only place where people reach the running daemon: what they may ask of it, enter by hand and start."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from gnomon.referee.events import Correction, ResultDeclared
from gnomon.referee.game import Game
from gnomon.referee.judgement import Temperament
from gnomon.referee.rulings import Ruling
from gnomon.rules.protocol import RulesError
from gnomon.rules.tamsk import TamskSettings
from gnomon.timekeeping.instants import Instant
from gnomon_pi.runner import Receipt, Runner, RunnerError

if TYPE_CHECKING:
    from gnomon_pi.simulated.board import SimulatedBoard
    from gnomon_pi.simulated.playground import Playground
    from gnomon_pi.simulated.table import Act, Table

BEAT: Final = 1.0  # seconds between summaries when nothing changes, so that a lost page notices it is lost
SPACING: Final = 0.1  # seconds at least between two summaries: ten pictures a second are enough for people


class DeskError(RuntimeError):
    """What was asked cannot be done now; the message is one sentence for people."""


class Desk:
    """The daemon as people at the page see it. All methods are called in the daemon's asyncio loop."""

    def __init__(self, runner: Runner, playground: "Playground | None" = None) -> None:
        self._runner = runner
        self._playground = playground
        self._changed = asyncio.Event()
        self._hands: asyncio.Task[None] | None = None
        runner.on_change(self._tell)

    # What is true now

    @property
    def board(self) -> "SimulatedBoard | None":
        """The board in software, or None when the daemon runs on a wired one."""
        return None if self._playground is None else self._playground.board

    @property
    def table(self) -> "Table | None":
        """What is physically on the simulated table, or None on a wired board."""
        return None if self._playground is None else self._playground.table

    def now(self) -> Instant:
        """Board time of the present game in microseconds; 0 without a game."""
        return self._runner.now()

    def game(self) -> Game | None:
        """The game as everyone may see it (everything in it is durable), or None when there is none yet."""
        return self._runner.shown

    def summary(self) -> Mapping[str, object]:
        """What is true now, ready for JSON: the summary view, with the daemon's health in it."""
        return self._runner.summary()

    async def subscribe(self) -> AsyncIterator[Mapping[str, object]]:
        """A summary at once, after every change (at most ten a second, the newest only) and at least each second."""
        while True:
            changed = self._changed
            yield self.summary()
            await asyncio.sleep(SPACING)
            with suppress(TimeoutError):
                await asyncio.wait_for(changed.wait(), BEAT - SPACING)

    # What may be entered by hand

    async def correct(self, correction: Correction) -> tuple[Ruling, ...]:
        """Enter an event by hand and return the rulings it led to, once they are durable.

        The event happens now: whatever instant it carries is replaced. Raises DeskError when there is no game,
        when the referee refuses it, and when the journal cannot be written.
        """
        try:
            return await self._durable(self._runner.correct(replace(correction, at=self.now())))
        except RunnerError as error:
            raise DeskError(str(error)) from error

    async def new_game(
        self,
        settings: Mapping[str, object],
        temperament: Temperament = Temperament.ASSISTANT,
        abandoned_by: str = "",
    ) -> None:
        """Start a new game of TAMSK; on a simulated board the glasses are set out first.

        An unfinished game is abandoned only when `abandoned_by` says who wants it so; that is recorded as its
        result. Raises DeskError when a game is unfinished, a setting is wrong or the journal cannot be written.
        """
        try:
            if self._runner.is_unfinished:
                if not abandoned_by:
                    message = "The present game is not finished: say who abandons it."
                    raise DeskError(message)
                await self.correct(ResultDeclared(self.now(), None, "abandoned", abandoned_by))
            await self._begin(settings, temperament)
        except (RunnerError, RulesError) as error:
            raise DeskError(str(error)) from error

    # The board in software

    def act(self, act: "Act") -> None:
        """Do with a mouse what a hand does on the table. Raises DeskError on a wired board.

        Raises ImpossibleActError, a ValueError with one sentence, for what no hand can do.
        """
        self._simulated().act(act)

    async def let_it_play(self, level: int, seed: int) -> None:
        """Let hands play by themselves on the simulated board, from the present position on.

        Without an unfinished game a new one is started at `level`. Raises DeskError on a wired board.
        """
        playground = self._simulated()
        if not self._runner.is_unfinished:
            await self.new_game({"level": level})
        self.stop_playing()
        self._hands = asyncio.create_task(playground.play(self._runner, seed), name="hands")
        self._hands.add_done_callback(_hands_ended)

    def stop_playing(self) -> None:
        """The hands let go of the simulated board; a glass in the air stays there."""
        if self._hands is not None:
            self._hands.cancel()

    async def hands_gone(self) -> None:
        """Wait until no hands play. Raises what they failed with."""
        if self._hands is not None:
            with suppress(asyncio.CancelledError):
                await asyncio.shield(self._hands)

    @property
    def is_playing(self) -> bool:
        """Whether hands are playing by themselves."""
        return self._hands is not None and not self._hands.done()

    def _simulated(self) -> "Playground":
        if self._playground is None:
            message = "This is a wired board: move the pieces by hand."
            raise DeskError(message)
        return self._playground

    def _tell(self) -> None:
        self._changed.set()
        self._changed = asyncio.Event()

    async def _begin(self, settings: Mapping[str, object], temperament: Temperament) -> None:
        self.stop_playing()
        if self._playground is not None:
            # Before the game begins: its first scan is compared with the start.
            self._playground.set_out(TamskSettings.from_mapping(settings).level)
        await self._durable(self._runner.new_game(settings, temperament))

    async def _durable(self, receipt: Receipt) -> tuple[Ruling, ...]:
        answer: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._runner.when_durable(receipt, lambda durable: None if answer.done() else answer.set_result(durable))
        if not await answer:
            message = "It was not accepted: the journal cannot be written."
            raise DeskError(message)
        return receipt.rulings


def _hands_ended(hands: asyncio.Task[None]) -> None:
    """Let what failed the hands be known: nobody waits for them."""
    if not hands.cancelled():
        hands.result()
