"""Give the pages access to the running daemon: its state, corrections, turns, new games and simulated hands.

Everything that people ask of the daemon, enter by hand or start goes through here.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from gnomon.games.protocol import RulesError
from gnomon.records.entries import Record, StoredGame
from gnomon.referee.events import Correction, ResultDeclared, TurnEntered, TurnsVoided
from gnomon.referee.game import Game
from gnomon.referee.games import AnyGame
from gnomon.referee.judgement import Temperament
from gnomon.referee.rulings import Ruling
from gnomon.timekeeping.instants import Instant
from gnomon.web.live import RefusedError
from gnomon.words import ENGLISH, Words
from gnomon_pi.config.description import TAMSK
from gnomon_pi.runtime.randomness import SYSTEM, Chance, thrown
from gnomon_pi.runtime.runner import Receipt, Runner, RunnerError
from gnomon_pi.runtime.tag_input import READER, ReadingError, draw_of
from gnomon_pi.simulated.table import ImpossibleActError
from gnomon_pi.tools.calibration.files import NAME, CalibrationError
from gnomon_pi.tools.calibration.policy import completed

if TYPE_CHECKING:
    from gnomon_pi.simulated.autoplay import Playground
    from gnomon_pi.simulated.board import SimulatedBoard
    from gnomon_pi.simulated.table import Act, Table

BEAT: Final = 1.0  # seconds between summaries when nothing changes, so that a lost page notices it is lost
SPACING: Final = 0.1  # seconds at least between two summaries: ten pictures a second are enough for people

PAGE: Final = "page"


_FORESEEN: Final = 2.0
"""Seconds for which a turn is waited for that is shown and no evidence yet; evidence takes 0.6."""
_LOOK_AGAIN: Final = 0.05


class DeskError(RefusedError):
    """What was asked cannot be done now; the message is one sentence for people."""


class Shown(NamedTuple):
    """What everyone may see at one moment: the game, the raw instant of its board time 0, and what is wrong."""

    game: AnyGame | None
    origin: Instant
    health: tuple[str, ...]
    number: int = 0  # of the game in the journal
    notices: tuple[str, ...] = ()  # what those at the board are told of what is wrong


class BoardController:
    """The daemon as people at the page see it. All methods are called in the daemon's asyncio loop."""

    def __init__(
        self,
        runner: Runner,
        playground: "Playground | None" = None,
        chance: Chance = SYSTEM,
        codes: Mapping[str, str] | None = None,
        calibration: Path | None = None,
    ) -> None:
        """`codes` are the kinds of tiles by the codes on them, where those are not the kinds themselves.

        `calibration` is the file of the measured durations, for games that they decide.
        """
        self._runner = runner
        self._playground = playground
        self._chance = chance
        self._codes = codes or {}
        self._calibration = calibration or Path(NAME)
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
        """What is physically on the simulated TAMSK board, or None on a wired board or another one."""
        return None if self._playground is None else self._playground.table

    @property
    def tiles(self) -> frozenset[str] | None:
        """The squares on which tiles lie on the simulated Tayu board, or None on a wired board or another one."""
        return None if self._playground is None else self._playground.tiles

    @property
    def buttons(self) -> Sequence[str]:
        """The inputs of the board's buttons, `button.enter` and so on."""
        return self._runner.host.buttons

    @property
    def games(self) -> Sequence[str]:
        """The games that can be started here."""
        return self._runner.host.games

    def now(self) -> Instant:
        """Board time of the present game in microseconds; 0 without a game."""
        return self._runner.now()

    def game(self) -> AnyGame | None:
        """The game as everyone may see it (everything in it is durable), or None when there is none yet."""
        return self._runner.shown

    def shown_now(self) -> Instant:
        """Board time of the game that is shown, in microseconds; 0 without one."""
        return self._runner.shown_now()

    def shown(self) -> Shown:
        """What everyone may see, all of one moment."""
        runner = self._runner
        return Shown(runner.shown, runner.shown_origin, runner.health(), runner.shown_number, runner.notices())

    def time_since(self, origin: Instant) -> Instant:
        """Board time now of a game whose board time 0 was that raw instant. Any thread may ask."""
        return self._runner.time_since(origin)

    def on_change(self, call: Callable[[], None]) -> None:
        """From now on call `call`, in the daemon's loop, whenever what is shown has changed."""
        self._runner.on_change(call)

    def health(self) -> tuple[str, ...]:
        """What is wrong with the machine, in short sentences."""
        return self._runner.health()

    def notices(self) -> tuple[str, ...]:
        """What those at the board are told of it."""
        return self._runner.notices()

    def summary(self, words: Words = ENGLISH) -> Mapping[str, object]:
        """What is true now, ready for JSON: the summary view, with what those at the board are told of its health."""
        return self._runner.summary(words)

    async def subscribe(self, words: Words = ENGLISH) -> AsyncIterator[Mapping[str, object]]:
        """A summary at once, after every change (at most ten a second, the newest only) and at least each second."""
        while True:
            changed = self._changed
            yield self.summary(words)
            await asyncio.sleep(SPACING)
            with suppress(TimeoutError):
                # `wait_for` of Python 3.11 may swallow being cancelled when the event comes at that moment.
                async with asyncio.timeout(BEAT - SPACING):
                    await changed.wait()

    # What may be entered by hand

    async def correct(self, correction: Correction) -> tuple[Ruling, ...]:
        """Enter an event by hand and return the rulings it led to, once they are durable.

        The event happens now: whatever instant it carries is replaced. Raises DeskError when there is no game,
        when the referee refuses it, and when the journal cannot be written.
        """
        return (await self._correct(correction)).rulings

    async def fulfil(self, correction: Correction, wish: Mapping[str, object]) -> int:
        """Enter an event that somebody elsewhere wants, and answer the number of the remark that says so.

        `wish` is that remark. Raises DeskError as `correct` does.
        """
        return (await self._correct(correction, wish)).remark

    async def remark(self, what: Mapping[str, object]) -> int:
        """Write down a remark on the present game and answer its number. Raises DeskError."""
        try:
            return (await self._durable(self._runner.remark(what))).remark
        except RunnerError as error:
            raise DeskError(str(error)) from error

    async def enter(self, text: str, who: str = PAGE, why: str = "") -> tuple[Ruling, ...]:
        """Enter the next turn, or what was thrown or drawn, in canonical text; return what was ruled, once durable.

        An illegal turn is refused by a ruling with its rule. Raises DeskError for text that is no move of the game,
        without a game, in a pause, after the end, and when the journal cannot be written.
        """
        return await self.correct(TurnEntered(self.now(), text, who, why))

    async def throw(self) -> tuple[Ruling, ...]:
        """Let the companion throw or draw for nature, by the exact odds; return what was ruled, once durable.

        The source of chance is recorded. Raises DeskError when nothing is to be thrown or drawn, and as `enter` does.
        """
        sitting = self._runner.sitting
        if sitting is None:
            message = "There is no game yet."
            raise DeskError(message)
        try:
            entered = thrown(sitting.game, self.now(), self._chance)
        except RulesError as error:
            message = "Nothing is to be thrown or drawn now."
            raise DeskError(message) from error
        return await self.correct(entered)

    async def read(self, code: str) -> tuple[Ruling, ...]:
        """Draw the tile that bears a code, as a reader does; return what was ruled, once durable.

        Raises DeskError for a code that is on no tile, and as `enter` does.
        """
        try:
            return await self.enter(draw_of(code, self._codes), READER)
        except ReadingError as error:
            raise DeskError(str(error)) from error

    async def new_game(  # noqa: PLR0913 - a game has so many sides, and all but one have a default
        self,
        settings: Mapping[str, object],
        temperament: Temperament = Temperament.ASSISTANT,
        abandoned_by: str = "",
        game: str = "",
        players: Mapping[str, str] | None = None,
        *,
        wish: Mapping[str, object] | None = None,
    ) -> int:
        """Start a new game; without a name, that of the board. A simulated board is set out first.

        `players` are the people's names by the players of the rules. `wish` is a remark on who elsewhere wants it;
        the answer is the number of its entry, 0 without one.

        A game that measured durations decide is given those of this board. An unfinished game is abandoned only when
        `abandoned_by` says who wants it so; that is recorded as its result. Raises DeskError when a game is
        unfinished, the game cannot be played here, a setting is wrong, a glass has not been measured, or the journal
        cannot be written.
        """
        try:
            settings = completed(game or self._runner.host.own_game, settings, self._calibration)
            self._runner.host.seat(game, settings)  # before anything is abandoned
            if not self._runner.may_begin:
                if not abandoned_by:
                    message = "The present game is not finished: say who abandons it."
                    raise DeskError(message)
                await self.correct(ResultDeclared(self.now(), None, "abandoned", abandoned_by))
            return await self._begin(settings, temperament, game, players or {}, wish)
        except (CalibrationError, RunnerError, RulesError) as error:
            raise DeskError(str(error)) from error

    async def take_up(self, stored: StoredGame, records: Sequence[Record]) -> None:
        """Bring a game of the journal that was put away back to the board, paused. Raises DeskError.

        On the simulated board everything then stands where that game last sensed it.
        """
        try:
            recovered = self._runner.bring_back(stored, records)
        except RunnerError as error:
            raise DeskError(str(error)) from error
        self.stop_playing()
        if self._playground is not None:
            self._playground.restore(recovered.sitting)
        self._runner.resume(recovered)
        await self._durable(Receipt(recovered.sequence))

    # The board in software

    def act(self, act: "Act") -> None:
        """Do with a mouse what a hand does on the TAMSK table. Raises DeskError on a wired board and on another one.

        Raises ImpossibleActError, a ValueError with one sentence, for what no hand can do.
        """
        self._simulated().act(act)

    def press(self, button: str) -> None:
        """Press a button of the simulated board, named by its input, and keep it down.

        Raises DeskError on a wired board, for a button that it lacks and for one that is down.
        """
        self._on_the_board(lambda playground: playground.press(button))

    def release(self, button: str) -> None:
        """Let a button of the simulated board go. Raises DeskError as `press` does, and for one that is not down."""
        self._on_the_board(lambda playground: playground.release(button))

    def lay(self, squares: Sequence[str]) -> None:
        """Lay a tile on squares of the simulated Tayu board, legal or not.

        Raises DeskError on a wired board, on a board without squares, and where a tile lies already.
        """
        self._on_the_board(lambda playground: playground.lay(squares))

    def lift(self, squares: Sequence[str]) -> None:
        """Take what lies on squares of the simulated Tayu board off it. Raises DeskError as `lay` does."""
        self._on_the_board(lambda playground: playground.lift(squares))

    async def let_it_play(
        self, level: int, seed: int, game: str = "", settings: Mapping[str, object] | None = None
    ) -> None:
        """Let hands play by themselves on the simulated board, from the present position on.

        Without an unfinished game a new one is started: TAMSK at `level`, or `game` with `settings`. Raises DeskError
        on a wired board, where the players' eyes decide, and as `new_game` does.
        """
        playground = self._simulated()
        if not self._runner.is_unfinished:
            name = game or self._runner.host.own_game
            await self.new_game(settings or ({"level": level} if name == TAMSK else {}), game=name)
        sitting = self._runner.sitting
        if sitting is not None and isinstance(sitting.game, Game) and sitting.game.rules.by_eye:
            message = "Hands see no sand: a game with time=sand is played by people."
            raise DeskError(message)
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

    @property
    def pace(self) -> str:
        """How fast hands play on the simulated board; empty on a wired one."""
        return "" if self._playground is None else self._playground.pace

    def set_pace(self, name: str) -> None:
        """Let hands play at another pace from their next turn on. Raises DeskError on a wired board, or for no pace."""
        try:
            self._simulated().set_pace(name)
        except KeyError as error:
            message = f"Hands know no pace {name!r}."
            raise DeskError(message) from error

    def _simulated(self) -> "Playground":
        if self._playground is None:
            message = "This is a wired board: move the pieces by hand."
            raise DeskError(message)
        return self._playground

    def _on_the_board(self, do: "Callable[[Playground], None]") -> None:
        try:
            do(self._simulated())
        except ImpossibleActError as error:
            raise DeskError(str(error)) from error

    def _tell(self) -> None:
        self._changed.set()
        self._changed = asyncio.Event()

    async def _begin(
        self,
        settings: Mapping[str, object],
        temperament: Temperament,
        game: str,
        players: Mapping[str, str],
        wish: Mapping[str, object] | None,
    ) -> int:
        self.stop_playing()
        if self._playground is not None:
            # Before the game begins: its first scan is compared with the start.
            self._playground.set_out_for(self._runner.host.begin(game, settings, temperament))
        return (await self._durable(self._runner.new_game(settings, temperament, game, players, wish))).remark

    async def _correct(self, correction: Correction, wish: Mapping[str, object] | None = None) -> Receipt:
        if isinstance(correction, TurnsVoided):
            await self._shown_is_ruled()
        try:
            return await self._durable(self._runner.correct(replace(correction, at=self.now()), wish))
        except RunnerError as error:
            raise DeskError(str(error)) from error

    async def _shown_is_ruled(self) -> None:
        """Wait, for at most `_FORESEEN` seconds, until the turns that people are shown have been ruled upon."""
        end = asyncio.get_running_loop().time() + _FORESEEN
        while asyncio.get_running_loop().time() < end:
            live, shown = self._runner.sitting, self._runner.shown
            if live is None or shown is None or len(shown.plies) <= len(live.game.plies):
                return
            await asyncio.sleep(_LOOK_AGAIN)

    async def _durable(self, receipt: Receipt) -> Receipt:
        answer: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._runner.when_durable(receipt, lambda durable: None if answer.done() else answer.set_result(durable))
        if not await answer:
            message = "It was not accepted: the journal cannot be written."
            raise DeskError(message)
        return receipt


def _hands_ended(hands: asyncio.Task[None]) -> None:
    """Let what failed the hands be known: nobody waits for them."""
    if not hands.cancelled():
        hands.result()
