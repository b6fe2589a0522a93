"""Evaluate turns where a game warns or helps: warn before a blunder is confirmed, and help to find a good turn.

`TurnCoach` decides what is to be weighed and said, and waits for nothing; `CoachDesk` has the engine's process, which
thinks at the lowest priority from the moment a person is on turn. A game is never held up: where there is no verdict
in time, nothing is said.
"""

import asyncio
from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import replace
from typing import Any, Final, NamedTuple, Protocol

from gnomon.engines.move_list import MoveList
from gnomon.engines.plugins import own_plugin
from gnomon.engines.process import Answer, EngineFailedError, EngineProcess, Go
from gnomon.engines.protocol import Candidate, Report
from gnomon.referee.events import PlayerHelped, PlayerWarned
from gnomon.referee.game import Game, Held
from gnomon.referee.help import BRAIN, HAND, held_by_person
from gnomon.referee.opponents import WHO, is_engines_turn
from gnomon.referee.warnings import pending_turn
from gnomon.refusals import Statement, statement
from gnomon.rules.protocol import RulesError
from gnomon.rules.registry import kind_of
from gnomon.timekeeping.instants import MILLISECOND, SECOND, Duration, Instant
from gnomon_pi.runtime.engine_play.opponent import MoveLists, open_moves, state_of
from gnomon_pi.runtime.runner import Runner, RunnerError

REST: Final = Duration(700 * MILLISECOND)
"""For so long a turn has to stay as it is before it is judged: a player who steps through moves confirms none of them.

So has what is in hand.
"""
_ANSWERS: Final = {True: statement("coach.hand.yes"), False: statement("coach.hand.no")}
_MOST: Final = "500"  # moves that are weighed, as many as the protocol has


class Weighing(NamedTuple):
    """What is weighed: the moves of which state of the game, under which settings."""

    moves: MoveList
    go: Go
    of: tuple[object, ...]
    given: tuple[tuple[str, str], ...]


class CoachShell(Protocol):
    """What asks an engine, and brings what it has found back to the coach."""

    def weigh(self, weighing: Weighing) -> None:
        """Begin to weigh; what was weighed before is not wanted any more."""
        ...

    def leave(self) -> None:
        """Weigh nothing more, and end the engine."""
        ...


class TurnCoach:
    """What is said of the turn that is due, of what is in hand, and of what is about to be confirmed, at each look."""

    def __init__(self, runner: Runner, shell: CoachShell, is_tournament: Callable[[], bool] = bool) -> None:
        """In a tournament nobody is warned or helped; whether this is one is asked at each look."""
        self._runner = runner
        self._is_tournament = is_tournament
        self._shell = shell
        self._weighing: Weighing | None = None
        self._report: Report | None = None
        self._is_deep = False
        self._pending: tuple[str, Instant] | None = None  # since a board time
        self._held: tuple[Held, Instant] | None = None  # as above
        self._is_judged = False  # what is held
        self._said: set[str] = set()
        self._lists = MoveLists()
        self._is_present = False
        self._is_told = False  # with what a good turn is made
        self._hinted: tuple[tuple[object, ...], str] | None = None  # in which state of the game, and which turn

    def look(self) -> None:
        """Do what is due: weigh the moves of a person who has come on turn, help, or warn."""
        live = self._runner.live_game
        game = None if live is None else live.game
        is_wanted = game is not None and bool(game.warns or game.help) and not self._is_tournament()
        if live is None or game is None or not is_wanted or game.outcome is not None:
            self._forget()
            if self._is_present:
                self._is_present = False
                self._shell.leave()
            return
        self._is_present = True
        if game.turn not in game.rules.players or is_engines_turn(game) or game.paused_at is not None:
            self._pending = self._held = None
            return
        of = state_of(live.origin, game)
        if self._weighing is None or self._weighing.of != of:
            self._begin(game, of)
        self._note_pending(game)
        self._help(game)
        self._warn(game)

    def due(self) -> Instant | None:
        """Board time at which to look again though nothing has changed; None: never."""
        if self._report is None:
            return None
        since = [] if self._pending is None or self._pending[0] in self._said else [self._pending[1]]
        if self._held is not None and not self._is_judged:
            since.append(self._held[1])
        return Instant(min(since) + REST) if since else None

    def take_report(self, weighing: Weighing, report: Report, *, deep: bool) -> None:
        """Take in what has been found, with texts as moves."""
        if weighing is self._weighing:
            self._report, self._is_deep = report, deep

    def advice(self) -> str:
        """The turn that every advice in this position is about; empty where there is none yet.

        That of the first hint, or else the best that has been weighed.
        """
        live = self._runner.live_game
        if live is None:
            return ""
        game, of = live.game, state_of(live.origin, live.game)
        if self._hinted is not None and self._hinted[0] == of:
            text = self._hinted[1]
        elif self._weighing is not None and self._weighing.of == of and self._report and self._report.candidates:
            text = self._report.candidates[0].move
        else:
            return ""
        try:
            game.rules.parse(game.position_at(self._runner.now()), text)
        except RulesError:  # time has passed, and the move is none any more
            return ""
        return text

    def note_hint(self, text: str) -> None:
        """Somebody was advised to make a turn: what is said in this position from now on is about that one."""
        live = self._runner.live_game
        if live is not None:
            self._hinted = state_of(live.origin, live.game), text

    def doubt(self, text: str) -> Statement | None:
        """The warning of a turn that somebody has picked on a page and not entered yet; None where there is none."""
        live, weighing = self._runner.live_game, self._weighing
        if live is None or weighing is None or self._report is None or weighing.of != state_of(live.origin, live.game):
            return None
        return self._warning(live.game, self._report, text)

    def judge_picked(self, texts: Collection[str]) -> Statement | None:
        """Whether a good turn is among those that somebody has begun on a page; None where that is not known."""
        live, weighing = self._runner.live_game, self._weighing
        if live is None or weighing is None or self._report is None or weighing.of != state_of(live.origin, live.game):
            return None
        fits = self._fits(live.game, self._report, texts)
        return None if fits is None else _ANSWERS[fits]

    def _fits(self, game: Game, report: Report, texts: Collection[str]) -> bool | None:
        """Whether a good turn is among some; None where the engine has not weighed them, or not looked deep enough."""
        from gnomon.coaching import coach_of, judge_held  # few games help

        if self._hinted is not None and self._hinted[1] in texts:
            return True
        return judge_held(coach_of(game.rules), game.position, report, texts, deep=self._is_deep)

    def _warning(self, game: Game, report: Report, text: str) -> Statement | None:
        """What is said of a turn; nothing of an estimate where none is worth anything yet."""
        from gnomon.coaching import VerdictKind, coach_of, judge  # few games warn

        coach = coach_of(game.rules)
        verdict = judge(coach, game.position, report, text, deep=self._is_deep)
        is_guess = verdict.kind is VerdictKind.BLUNDER and not coach.predicts(game.position)
        return verdict.said if verdict.warns and not is_guess else None

    def _begin(self, game: Game, of: tuple[object, ...]) -> None:
        self._forget()
        now = game.game_time(self._runner.now())
        try:
            moves = self._lists.moves(game, now)
            among = open_moves(game, moves, now)
        except RulesError:
            moves, among = None, ()  # a position that was set by hand: nobody can be asked about it
        # It is remembered that nothing is to be weighed here: it would be tried at each look.
        start = MoveList.begin(game.rules) if moves is None else moves
        position = game.rules.elapse(game.position, now)
        self._weighing = Weighing(replace(start, position=position), Go(moves=among), of, game.given)
        if moves is not None:
            self._shell.weigh(self._weighing)

    def _note_pending(self, game: Game) -> None:
        held = held_by_person(game) if game.help == HAND else None
        if held is None:
            self._held = None
        elif self._held is None or self._held[0].name != held.name:
            self._held, self._is_judged = (held, self._runner.now()), False
        text = pending_turn(game) if game.warns else None
        if text is None:
            self._pending = None
        elif self._pending is None or self._pending[0] != text:
            self._pending = text, self._runner.now()

    def _help(self, game: Game) -> None:
        """Say with what a good turn is made as soon as that is known, or what is to be said of what is in hand."""
        report = self._report
        if report is None or not report.candidates:
            return
        if game.help == BRAIN and not self._is_told:
            from gnomon.coaching import coach_of

            self._is_told = True
            if text := self.advice():
                move = game.rules.parse(game.position_at(self._runner.now()), text)
                self._tell(coach_of(game.rules).piece(game.position, move))
        if self._held is None or self._is_judged or self._runner.now() < self._held[1] + REST:
            return
        held, self._is_judged = self._held[0], True
        fits = self._fits(game, report, held.turns)
        if fits is not None:
            self._tell(_ANSWERS[fits], held.name, fits=fits)

    def _tell(self, said: Statement, held: str = "", *, fits: bool = False) -> None:
        with suppress(RunnerError):  # the turn has been made meanwhile, or it has been put down
            self._runner.correct(PlayerHelped(self._runner.now(), held, fits, WHO, said))

    def _warn(self, game: Game) -> None:
        if self._pending is None or self._report is None:
            return
        text, since = self._pending
        if text in self._said or self._runner.now() < since + REST:
            return
        self._said.add(text)
        told = self._warning(game, self._report, text)
        if told is not None:
            with suppress(RunnerError):  # the turn has been confirmed meanwhile
                self._runner.correct(PlayerWarned(self._runner.now(), text, WHO, told))

    def _forget(self) -> None:
        self._weighing, self._report, self._pending, self._held = None, None, None, None
        self._is_told = False
        self._said.clear()


class CoachDesk:
    """The engine as a process, and the task that looks after it, in the daemon's loop."""

    def __init__(self, runner: Runner, is_tournament: Callable[[], bool] = bool) -> None:
        self.coach = TurnCoach(runner, self, is_tournament)
        self._runner = runner
        self._stirred = asyncio.Event()
        self._wanted: Weighing | None = None
        self._process: tuple[object, EngineProcess] | None = None
        runner.on_change(self._stirred.set)

    async def work(self) -> None:
        """Look after what is to be judged for as long as the daemon runs."""
        thinking: asyncio.Task[None] | None = None
        try:
            while True:
                self._stirred.clear()
                self.coach.look()
                if self._wanted is not None and (thinking is None or thinking.done()):
                    thinking = asyncio.create_task(self._think(), name="coach")
                due = self.coach.due()
                wait = None if due is None else max(0.01, (due - self._runner.now()) / SECOND)
                with suppress(TimeoutError):
                    async with asyncio.timeout(wait):
                        await self._stirred.wait()
        finally:
            if thinking is not None:
                thinking.cancel()
                await asyncio.gather(thinking, return_exceptions=True)
            await self._close()

    def weigh(self, weighing: Weighing) -> None:
        """Begin to weigh, once what was weighed before has stopped."""
        self._wanted = weighing
        if self._process is not None:
            asyncio.create_task(_stop(self._process[1]), name="coach").add_done_callback(_take)

    def leave(self) -> None:
        """Weigh nothing more, and end the engine."""
        self._wanted = None
        if self._process is not None:
            asyncio.create_task(self._close(), name="coach").add_done_callback(_take)

    async def _think(self) -> None:
        """Weigh what is wanted, and what was wanted meanwhile."""
        while (weighing := self._wanted) is not None:
            self._wanted = None
            loop = asyncio.get_running_loop()
            process, began = await self._process_for(weighing), loop.time()
            try:
                answer: Answer = await process.move(weighing.moves, weighing.go)
            except EngineFailedError:
                continue  # without a verdict nothing is said
            if self._wanted is None:
                # An engine that was stopped before it had searched its level has not looked deep enough.
                is_deep = loop.time() - began < process.plugin.patience
                self.coach.take_report(weighing, _report(answer), deep=is_deep)
        self._stirred.set()

    async def _process_for(self, weighing: Weighing) -> EngineProcess:
        of = weighing.of[0], weighing.given
        if self._process is not None and self._process[0] == of:
            return self._process[1]
        await self._close()
        game = weighing.moves.rules.name
        level = str(kind_of(game).levels // 2 + 1)
        process = EngineProcess(own_plugin(game, {"Level": level, "MultiPV": _MOST}), dict(weighing.given))
        self._process = of, process
        return process

    async def _close(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            await process[1].close()


async def _stop(process: EngineProcess) -> None:
    with suppress(EngineFailedError):
        await process.stop()


def _take(task: "asyncio.Task[Any]") -> None:
    """Take what a task ended with, so that nobody complains of it."""
    if not task.cancelled():
        task.exception()


def _report(answer: Answer) -> Report:
    """What an engine has said of all moves, by their texts."""
    told = [info for info in answer.infos if info.score is not None and info.line]
    weighed = [Candidate(info.line[0], info.score) for info in told if info.score is not None]
    return Report(weighed, max((info.depth for info in told), default=0), max((info.nodes for info in told), default=0))
