"""Give the pages access to the running daemon: its state, corrections, turns and new games.

Everything that people ask of the daemon, enter by hand or start goes through here.
"""

import asyncio
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final, NamedTuple, Protocol

from gnomon.records.journal.entries import Record, StoredGame
from gnomon.referee.events import Correction, ResultDeclared, TurnEntered, TurnsVoided
from gnomon.referee.game import ANOTHER_BOARD, Game
from gnomon.referee.help import HAND
from gnomon.referee.opponents import CODE, GUEST, OPPONENT, is_engines_turn
from gnomon.referee.rulings import Ruling
from gnomon.referee.setup import GameSetup
from gnomon.refusals import Statement, statement
from gnomon.rules.protocol import RulesError, SettingsError
from gnomon.timekeeping.instants import Instant
from gnomon.web.live.interfaces import RefusedError
from gnomon_pi.runtime.calibration import NAME, CalibrationError, with_durations
from gnomon_pi.runtime.exercises import tasks_of
from gnomon_pi.runtime.live_game import LiveGame
from gnomon_pi.runtime.runner import Receipt, Runner, RunnerError
from gnomon_pi.runtime.system.randomness import SYSTEM, Chance, throw

PAGE: Final = "page"
PAIRING: Final = "pairing"
"""The key of what the remark on a new game says of the pairing for which a hall wants it."""

_FORESEEN: Final = 2.0
"""Seconds for which a turn is waited for that is shown and no evidence yet; evidence takes 0.6."""
_LOOK_AGAIN: Final = 0.05


class ControllerError(RefusedError):
    """What was asked of this board cannot be done now."""


class BoardSnapshot(NamedTuple):
    """What everyone may see at one moment: the game, the raw instant of its board time 0, and what is wrong."""

    game: Game | None
    origin: Instant
    health: tuple[Statement, ...]
    number: int = 0  # of the game in the journal
    notices: tuple[Statement, ...] = ()  # what those at the board are told of what is wrong


class Simulation(Protocol):
    """A board in software, and the hands that may play on it."""

    @property
    def is_playing(self) -> bool:
        """Whether hands are playing by themselves."""
        ...

    def stop_playing(self) -> None:
        """The hands let go of the board; a glass in the air stays there."""
        ...

    def set_out_for(self, game: Game) -> None:
        """Set the board out for a new game."""
        ...

    def restore(self, live_game: LiveGame) -> None:
        """Put everything where a game that was brought back last sensed it."""
        ...


class OtherBoards(Protocol):
    """What finds another board over a relay."""

    def code(self) -> str:
        """A code by which another board is invited."""
        ...

    async def join(self, code: str, name: str = "") -> GameSetup:
        """The game to which another board invites by a code, with who plays here. Raises ControllerError."""
        ...

    async def chance(self) -> Chance | None:
        """What the next throw follows from, for both boards; None where the other one has no share in it.

        Raises ControllerError where its share does not come.
        """
        ...

    def refuse(self, why: Statement) -> None:
        """Tell the board that invites why its game cannot be played here."""
        ...


class TurnDoubts(Protocol):
    """What knows whether a turn is worth a warning, and which one was advised."""

    def advice(self) -> str:
        """The turn that every advice in this position is about; empty where there is none yet."""
        ...

    def note_hint(self, text: str) -> None:
        """Somebody was advised to make a turn."""
        ...

    def doubt(self, text: str) -> Statement | None:
        """The warning of a turn; None where there is none."""
        ...

    def judge_picked(self, texts: Collection[str]) -> Statement | None:
        """Whether a good turn is among some; None where that is not known."""
        ...


def _check_engine(game: Game) -> None:
    """Raise SettingsError for an engine that is not there, or does not play the game."""
    opponent, name = game.opponent, game.rules.name
    if opponent is None or opponent.is_distant:
        return
    from gnomon_pi.runtime.engine_play.opponent import plugin_of  # where only people play, no engine is known

    for engine in dict.fromkeys(map(opponent.at, opponent.seats)):
        if plugin_of(engine, name) is None:
            raise SettingsError(statement("told.opponent.unknown", engine=engine.engine, game=name))


class BoardController:
    """The daemon as people at the page see it. All methods are called in the daemon's asyncio loop."""

    def __init__(  # noqa: PLR0913 - what a daemon is told when it starts, each with a default
        self,
        runner: Runner,
        simulation: Simulation | None = None,
        chance: Chance = SYSTEM,
        calibration: Path | None = None,
        *,
        is_tournament: bool = False,
        puzzles: Path | None = None,
    ) -> None:
        """`simulation` is what stands in for a wired board; `calibration` is the file of the measured durations.

        `puzzles` is the folder of the puzzles that can be set out.

        In a tournament, and in a game for a hall's pairing, players have no help and no engine as an opponent.
        """
        self._runner = runner
        self._simulation = simulation
        self._chance = chance
        self._calibration = calibration or Path(NAME)
        self.usual: Mapping[str, object] = {}  # settings of every game that is begun here and does not say otherwise
        self._is_tournament = is_tournament
        self._puzzles = puzzles
        self._pairings: set[int] = set()  # the games in the journal that were begun for one
        self.coach: TurnDoubts | None = None
        self.other_boards: OtherBoards | None = None
        self._judged: tuple[tuple[Instant, int], set[tuple[str, ...]]] = ((Instant(0), 0), set())
        self._doubted: tuple[tuple[Instant, int], set[str]] = ((Instant(0), 0), set())
        self._is_advising = False
        self._threatened: tuple[Instant, int] | None = None  # in which game, after how many turns it was noted

    # What is true now

    @property
    def is_demonstrated(self) -> bool:
        """Whether nobody plays, but hands in software show a game."""
        return self._simulation is not None and self._simulation.is_playing

    @property
    def is_tournament(self) -> bool:
        """Whether the board is in a tournament, or the game that is shown is a hall's. Any thread may ask."""
        return self._is_tournament or self._runner.shown_number in self._pairings

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

    def game(self) -> Game | None:
        """The game as everyone may see it (everything in it is durable), or None when there is none yet."""
        return self._runner.shown

    def snapshot(self) -> BoardSnapshot:
        """What everyone may see, all of one moment."""
        runner = self._runner
        return BoardSnapshot(runner.shown, runner.shown_origin, runner.health(), runner.shown_number, runner.notices())

    def time_since(self, origin: Instant) -> Instant:
        """Board time now of a game whose board time 0 was that raw instant. Any thread may ask."""
        return self._runner.time_since(origin)

    def on_change(self, call: Callable[[], None]) -> None:
        """From now on call `call`, in the daemon's loop, whenever what is shown has changed."""
        self._runner.on_change(call)

    def health(self) -> tuple[Statement, ...]:
        """What is wrong with the machine, in short sentences."""
        return self._runner.health()

    def notices(self) -> tuple[Statement, ...]:
        """What those at the board are told of it."""
        return self._runner.notices()

    # What may be entered by hand

    async def correct(self, correction: Correction, after: int | None = None) -> tuple[Ruling, ...]:
        """Enter an event by hand and return the rulings it led to, once they are durable.

        The event happens now: whatever instant it carries is replaced. `after` is how many turns the sender knew of:
        a turn that has been made since leads to nothing. Raises ControllerError when there is no game, when the referee
        refuses it, when other turns have been made since, and when the journal cannot be written.
        """
        return (await self._correct(correction, after=after)).rulings

    async def fulfil(self, correction: Correction, wish: Mapping[str, object]) -> int:
        """Enter an event that somebody elsewhere wants, and answer the number of the remark that says so.

        `wish` is that remark. Raises ControllerError as `correct` does.
        """
        return (await self._correct(correction, wish)).remark

    async def remark(self, what: Mapping[str, object]) -> int:
        """Write down a remark on the present game and answer its number. Raises ControllerError."""
        try:
            return (await self._durable(self._runner.remark(what))).remark
        except RunnerError as error:
            raise ControllerError(error) from error

    async def enter(self, text: str, who: str = PAGE, why: str = "", after: int | None = None) -> tuple[Ruling, ...]:
        """Enter the next turn, or what was thrown or drawn, in canonical text; return what was ruled, once durable.

        An illegal turn is refused by a ruling with its rule. Raises ControllerError for text that is no move of the
        game, without a game, in a pause, after the end, and as `correct` does, which also says what `after` means.
        """
        return await self.correct(TurnEntered(self.now(), text, who, why), after)

    async def throw(self, after: int | None = None) -> tuple[Ruling, ...]:
        """Let the companion throw or draw for nature, by the exact odds; return what was ruled, once durable.

        The source of chance is recorded. `after` is how many turns the sender knew of: if there are others by now,
        nothing is thrown. Raises ControllerError when there is nothing to throw or draw, and as `enter`.
        """
        live_game = self._runner.live_game
        if live_game is None:
            raise ControllerError(statement("told.no_game"))
        game, shared = live_game.game, None
        if self.other_boards is not None and game.is_natures and game.opponent is not None and game.opponent.is_distant:
            if game.is_elsewhere:
                raise ControllerError(statement("told.distance.throws"))
            shared = await self.other_boards.chance()
            live_game = self._runner.live_game or live_game  # in which time may have passed
            game = live_game.game
        if after is not None and after != len(game.plies):
            return ()
        try:
            entered = throw(game, self.now(), shared or self._chance)
        except RulesError as error:
            raise ControllerError(statement("told.nothing_due")) from error
        return await self.correct(entered)

    async def advise(self) -> str:
        """What Gnomon would play for the player on turn; that it was asked is written down. Raises ControllerError.

        It is asked for one at a time: it has a process of its own. In a tournament nobody is advised.
        """
        live_game = self._runner.live_game
        if live_game is None:
            raise ControllerError(statement("told.no_game"))
        if self._is_tournament or self._runner.number in self._pairings:  # also before the game is shown
            raise ControllerError(statement("opponent.tournament"))
        game, origin = live_game.game, live_game.origin
        if game.opponent is not None and game.opponent.is_distant:
            raise ControllerError(statement("told.distance.help"))
        is_persons = game.turn in game.rules.players and not is_engines_turn(game)
        if self._is_advising:
            raise ControllerError(statement("told.opponent.advising"))
        if game.paused_at is not None:
            raise ControllerError(statement("told.paused"))
        if not is_persons:
            raise ControllerError(statement("told.opponent.thinks" if is_engines_turn(game) else "told.opponent.none"))
        from gnomon.engines.process import EngineFailedError  # few ask for advice
        from gnomon_pi.runtime.engine_play.advice import advise

        self._is_advising = True
        try:
            # In a game that helps or warns, all that is said of a position is about one turn.
            text = self._known_advice() or await advise(game, game.game_time(self.now()))
        except (EngineFailedError, RulesError) as error:
            raise ControllerError(error) from error
        finally:
            self._is_advising = False
        now = self._runner.live_game
        if now is None or now.origin != origin:  # another game has begun meanwhile, whose record it must not stand in
            raise ControllerError(statement("told.opponent.none"))
        if self.coach is not None and now.game.plies == game.plies:
            text = self._known_advice() or text  # that may have been said meanwhile
            self.coach.note_hint(text)
        await self.remark({"note": "hint", "player": game.turn, "text": text})
        return text

    def _known_advice(self) -> str:
        return "" if self.coach is None else self.coach.advice()

    async def note_threat(self) -> None:
        """Write down, once in each position, that the player on turn was told what is threatened.

        Raises ControllerError, also in a tournament: there nobody is told.
        """
        live_game = self._runner.live_game
        if live_game is None:
            raise ControllerError(statement("told.no_game"))
        if self.is_tournament:
            raise ControllerError(statement("opponent.tournament"))
        now = live_game.origin, len(live_game.game.plies)
        if self._threatened != now:
            await self.remark({"note": "threat", "player": live_game.game.turn})
            self._threatened = now

    async def doubt(self, text: str) -> Statement | None:
        """The warning of a turn that somebody has picked on a page; that it was given is written down.

        None where nobody wants warnings, the turn is none, or no verdict has been reached. Raises ControllerError.
        """
        live_game = self._runner.live_game
        if live_game is None or self.coach is None or not live_game.game.warns or self.is_tournament:
            return None
        told, now = self.coach.doubt(text), (live_game.origin, len(live_game.game.plies))
        if self._doubted[0] != now:
            self._doubted = now, set()
        if told is not None and text not in self._doubted[1]:
            self._doubted[1].add(text)  # told as often as it is asked for, and written down once
            await self.remark({"note": "warning", "player": live_game.game.turn, "text": text})
        return told

    async def judge_picked(self, texts: Collection[str]) -> Statement | None:
        """Whether a good turn is among those that somebody has begun on a page; that it was said is written down.

        None where nobody wants that, or it is not known. Raises ControllerError.
        """
        live_game = self._runner.live_game
        if live_game is None or self.coach is None or live_game.game.help != HAND or self.is_tournament:
            return None
        told, now = self.coach.judge_picked(texts), (live_game.origin, len(live_game.game.plies))
        if self._judged[0] != now:
            self._judged = now, set()
        picked = tuple(sorted(texts))
        if told is not None and picked not in self._judged[1]:
            self._judged[1].add(picked)
            await self.remark({"note": "hand", "player": live_game.game.turn, "texts": picked})
        return told

    async def new_game(
        self, setup: GameSetup, abandoned_by: str = "", *, wish: Mapping[str, object] | None = None
    ) -> int:
        """Start a new game; without a name, that of the board. A simulated board is set out first.

        `wish` is a remark on who elsewhere wants it; the answer is the number of its entry, 0 without one.

        A game that measured durations decide is given those of this board. An unfinished game is abandoned only when
        `abandoned_by` says who wants it so; that is recorded as its result. Raises ControllerError when a game is
        unfinished, the game cannot be played here, a setting is wrong, a glass has not been measured, or the journal
        cannot be written.
        """
        is_paired = wish is not None and PAIRING in wish
        setup, is_guest = await self._between_boards(setup, abandoned_by)
        try:
            host = self._runner.host
            settings = with_durations(setup.game or host.own_game, {**self.usual, **setup.settings}, self._calibration)
            setup = replace(setup, settings=settings)
            game = host.begin(setup)  # before anything is abandoned
            _check_engine(game)
            self._check_tournament(game, is_paired=is_paired)
            await self._check_exercise(game)
            self._check_free(abandoned_by)
            if not self._runner.may_begin:
                await self.correct(ResultDeclared(self.now(), None, "abandoned", abandoned_by))
            if self._simulation is not None:
                self._simulation.stop_playing()
                self._simulation.set_out_for(game)  # before the game begins: its first scan is compared with the start
            begun = self._runner.new_game(setup, wish)
            if is_paired:
                self.know_pairing(self._runner.number)
            return (await self._durable(begun)).remark
        except (CalibrationError, RunnerError, RulesError, ControllerError) as error:
            if is_guest and self.other_boards is not None:
                self.other_boards.refuse(error.statement)
            raise ControllerError(error) from error

    def _check_free(self, abandoned_by: str) -> None:
        """Raise ControllerError where a game is unfinished that nobody gives up."""
        if not self._runner.may_begin and not abandoned_by:
            raise ControllerError(statement("told.unfinished.who"))

    async def _between_boards(self, setup: GameSetup, abandoned_by: str) -> tuple[GameSetup, bool]:
        """The setup of a game with another board: with a code to invite it, or that of the board which has invited.

        The second answer is whether this board was invited. Raises ControllerError.
        """
        settings = {name: value for name, value in setup.settings.items() if name != GUEST}
        if settings.get(OPPONENT) != ANOTHER_BOARD:
            return setup, False
        if self.other_boards is None:
            raise ControllerError(statement("told.distance.no_relay"))
        self._check_free(abandoned_by)
        code = str(settings.get(CODE, "")).strip()
        if code:
            # On which side they play here says the invitation: of all names that are given the first is theirs.
            return await self.other_boards.join(code, next(filter(None, setup.players.values()), "")), True
        return replace(setup, settings={**settings, CODE: self.other_boards.code()}), False

    async def _check_exercise(self, game: Game) -> None:
        """Raise ControllerError for a lesson or a puzzle that is not there, or that no hands can set out."""
        exercise = game.exercise
        if exercise is None:
            return
        # Files are read, and the daemon's loop waits for none.
        if not await asyncio.to_thread(tasks_of, game.rules.name, exercise, self._puzzles):
            raise ControllerError(statement("told.exercise.none"))

    def know_pairing(self, number: int) -> None:
        """A game in the journal was begun for a pairing of a hall's tournament."""
        self._pairings.add(number)

    def _check_tournament(self, game: Game, *, is_paired: bool) -> None:
        """Raise ControllerError for an engine or an exercise in a tournament.

        An exhibition of engines alone is nobody's game.
        """
        if game.exercise is not None and (is_paired or self._is_tournament):
            raise ControllerError(statement("told.exercise.tournament"))
        opponent = game.opponent
        is_exhibition = opponent is not None and len(opponent.seats) == len(game.rules.seats)
        if opponent is not None and (is_paired or (self._is_tournament and not is_exhibition)):
            raise ControllerError(statement("told.opponent.tournament"))

    async def take_up(self, stored: StoredGame, records: Sequence[Record]) -> None:
        """Bring a game of the journal that was put away back to the board, paused. Raises ControllerError.

        On the simulated board everything then stands where that game last sensed it.
        """
        try:
            recovered = self._runner.bring_back(stored, records)
        except RunnerError as error:
            raise ControllerError(error) from error
        if self._simulation is not None:
            self._simulation.stop_playing()
            self._simulation.restore(recovered.live_game)
        self._runner.resume(recovered)
        await self._durable(Receipt(recovered.sequence))

    async def _correct(
        self, correction: Correction, wish: Mapping[str, object] | None = None, after: int | None = None
    ) -> Receipt:
        if isinstance(correction, TurnsVoided):
            await self._shown_is_ruled()
        try:
            return await self._durable(self._runner.correct(replace(correction, at=self.now()), wish, after))
        except RunnerError as error:
            raise ControllerError(error) from error

    async def _shown_is_ruled(self) -> None:
        """Wait, for at most `_FORESEEN` seconds, until the turns that people are shown have been ruled upon."""
        end = asyncio.get_running_loop().time() + _FORESEEN
        while asyncio.get_running_loop().time() < end:
            live, shown = self._runner.live_game, self._runner.shown
            if live is None or shown is None or len(shown.plies) <= len(live.game.plies):
                return
            await asyncio.sleep(_LOOK_AGAIN)

    async def _durable(self, receipt: Receipt) -> Receipt:
        answer: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._runner.when_durable(receipt, lambda durable: None if answer.done() else answer.set_result(durable))
        if not await answer:
            raise ControllerError(statement("told.not_accepted"))
        return receipt
