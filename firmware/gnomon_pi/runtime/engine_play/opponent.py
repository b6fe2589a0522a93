"""Ask an engine for the turns of the side that it plays, announce them, and let them count when their time is up.

`OpponentPlayer` decides what is to be asked and entered, and waits for nothing. `EngineDesk` has the engine's process,
which thinks at the lowest priority; the daemon's loop never waits for it. Whatever the engine does, the game goes on:
one that fails for the second time no longer plays, and people play its side.
"""

import asyncio
import os
from collections.abc import Coroutine
from contextlib import suppress
from dataclasses import replace
from typing import Any, Final, NamedTuple, Protocol

from gnomon.engines.move_list import MoveList
from gnomon.engines.plugins import EnginePlugin, own_plugin, plugin_folders, read_plugins
from gnomon.engines.process import Answer, EngineFailedError, EngineProcess, Go
from gnomon.referee.draws import is_of_a_draw
from gnomon.referee.events import Correction, MoveAnnounced, OpponentLeft, TurnEntered
from gnomon.referee.game import Game, Opponent, Ply
from gnomon.referee.judgement import Phase
from gnomon.referee.opponents import (
    WHO,
    hands_left,
    is_carried_out_in_time,
    is_engines_turn,
    player_off_turn,
    seat_at_table,
)
from gnomon.referee.player_roles import side_of
from gnomon.referee.rulings import Corrected, TimerTurned
from gnomon.refusals import Statement, statement
from gnomon.rules.protocol import RulesError
from gnomon.timekeeping.instants import MILLISECOND, SECOND, Duration, Instant
from gnomon.views.show import show_of
from gnomon_pi.runtime.engine_play._turn_times import TurnTimes
from gnomon_pi.runtime.health import Audience, Health
from gnomon_pi.runtime.runner import Runner, RunnerError

HEALTH: Final = "engine"
_IN_SAND: Final = Duration(5 * SECOND)
"""For so long an engine may think while sand runs: it is its own sand, and that of the waiting player."""
_OF_A_CLOCK: Final = 20  # an engine thinks for that part of what is left on its clock
_LONGEST: Final = Duration(20 * SECOND)
_SHORTEST: Final = Duration(300 * MILLISECOND)
_SPARE: Final = Duration(SECOND)  # before the 15-second glass is empty, besides what the hands need

_OFF_TURN: Final = Duration(SECOND)
"""For so long an engine may think whether to do something while a person is on turn."""
_AGAIN: Final = Duration(10 * SECOND)
"""After so long it is asked again."""
_NEVER: Final = Instant(1 << 62)


class Inquiry(NamedTuple):
    """What an engine is asked: the game so far and how long it may think; of which state, under which settings."""

    opponent: Opponent
    moves: MoveList
    go: Go
    of: tuple[object, ...]
    given: tuple[tuple[str, str], ...]


class EngineShell(Protocol):
    """What asks an engine, and brings its answers back to the player."""

    def ask(self, inquiry: Inquiry) -> None:
        """Begin to ask; what was asked before is not to be answered any more."""
        ...

    def stop(self) -> None:
        """Let the engine answer with what it has found."""
        ...

    def leave(self) -> None:
        """Ask nothing more, and end the engine."""
        ...


def plugin_of(opponent: Opponent, game: str) -> EnginePlugin | None:
    """The program that plays; None for an engine that is not there, or does not play the game."""
    if opponent.level:
        return own_plugin(game, {"Level": opponent.engine})
    found = read_plugins(plugin_folders(os.environ))[0].get(opponent.engine)
    return found if found is not None and game in found.games else None


class MoveLists:
    """The game as an engine is told it; what was told before is kept, for a long game is long to play again."""

    def __init__(self) -> None:
        self._kept: list[tuple[Ply, MoveList]] = []

    def moves(self, game: Game, now: Instant) -> MoveList:
        """The game up to a game time. Raises RulesError for one that was set by hand to what no moves lead to."""
        kept = self._kept
        if kept and kept[0][1].rules != game.rules:
            kept.clear()
        pairs = zip(kept, game.plies, strict=False)
        same = next((number for number, (each, ply) in enumerate(pairs) if each[0] is not ply), None)
        del kept[min(len(kept), len(game.plies)) if same is None else same :]
        moves = kept[-1][1] if kept else MoveList.begin(game.rules)
        for ply in game.plies[len(kept) :]:
            moves = _add_turn(_with_turned_timer(game, moves, ply.at), ply)
            kept.append((ply, moves))
        return _with_turned_timer(game, moves, game.board_time(now)).elapse(now)


def _with_turned_timer(game: Game, moves: MoveList, until: Instant) -> MoveList:
    """The game as it is told, with the turns of the 15-second glass since, up to a board time."""
    since = game.board_time(moves.now)
    for ruling in game.rulings:
        if isinstance(ruling, TimerTurned) and since <= ruling.at < until:
            moves = moves.elapse(game.game_time(ruling.at))
            for move in moves.rules.off_turn(moves.position)[:1]:
                moves = moves.add(moves.rules.text(moves.position, move))
    return moves


def _add_turn(moves: MoveList, ply: Ply) -> MoveList:
    """The game with one more turn, which may have begun when the 15-second glass was turned. Raises RulesError."""
    rules, at = moves.rules, ply.when if ply.placed is None else ply.placed
    try:
        return moves.elapse(at).add(ply.text)
    except RulesError:
        for begun in (each for each in rules.legal_moves(moves.position) if not rules.is_turn(each)):
            with suppress(RulesError):
                return moves.add(rules.text(moves.position, begun)).elapse(at).add(ply.text)
        raise


class OpponentPlayer:
    """The side that an engine plays: what is due for it, at each look at the game."""

    def __init__(self, runner: Runner, shell: EngineShell) -> None:
        self._runner = runner
        self._shell = shell
        self._asked: Inquiry | None = None
        self._held: tuple[str, Instant] | None = None  # an answer that is to be given later, at a game time
        self._is_stopped = False
        self._again = _NEVER  # game time at which an engine that is not on turn is asked again
        self._lists = MoveLists()
        self._times = TurnTimes()
        self._is_present = False

    def look(self) -> None:
        """Do what is due: ask, announce, or let count what has been announced for long enough."""
        live = self._runner.live_game
        game = None if live is None else live.game
        if live is None or game is None or game.opponent is None or game.outcome is not None:
            self._forget()
            if self._is_present and (game is None or game.opponent is None):
                self._is_present = False
                self._shell.leave()
            return
        self._is_present = True
        self._times.note(game)
        if not is_engines_turn(game) and not player_off_turn(game, self._runner.now()):
            self._forget()
        elif game.paused_at is None:
            self._act(live.origin, game)

    def _act(self, origin: Instant, game: Game) -> None:
        """Do what is due for an engine that is on turn, or that may do something meanwhile."""
        now, of, is_on_turn = game.game_time(self._runner.now()), state_of(origin, game), is_engines_turn(game)
        if game.announced is not None:
            self._forget()
            left = hands_left(game, self._runner.now())
            if left is not None and left <= 0 and _may_count(game):
                self._enter(TurnEntered(self._runner.now(), game.announced.text, WHO))
        elif game.opponent is not None and game.opponent.is_distant:
            pass  # its turns come from the other board
        elif self._asked is None or self._asked.of != of or now >= self._again:
            if is_on_turn or game.judgement.phase is Phase.AGREED:
                self._ask(game, of, now)
        elif is_on_turn:
            self._hurry(game, now)

    def _hurry(self, game: Game, now: Instant) -> None:
        """Announce what was held back long enough, or let the engine answer before the 15-second glass is empty."""
        end = _must_answer(game, self._runner.now())
        is_late = end is not None and now >= end
        if self._held is not None and (is_late or now >= self._held[1]):
            self._announce(self._held[0])
        elif self._held is None and is_late and not self._is_stopped:
            self._is_stopped = True
            self._shell.stop()

    def due(self) -> Instant | None:
        """Board time at which to look again though nothing has changed; None: never."""
        live = self._runner.live_game
        if live is None or live.game.opponent is None or live.game.paused_at is not None:
            return None
        game, now = live.game, self._runner.now()
        left = hands_left(game, now) if _may_count(game) else None
        times: list[Instant | None] = []
        if is_engines_turn(game):
            times.append(None if self._held is None else self._held[1])
            if self._asked is not None and not self._is_stopped:
                times.append(_must_answer(game, now))
        elif self._asked is not None and self._again != _NEVER and game.judgement.phase is Phase.AGREED:
            times.append(self._again)
        elif self._asked is None and (runs := show_of(game).timer_left(game, now)) is not None:
            times.append(Instant(game.game_time(now) + runs))  # then it may be turned again
        found = [game.board_time(when) for when in times if when is not None]
        return min([*found, *([] if left is None else [Instant(now + left)])], default=None)

    def answer(self, inquiry: Inquiry, text: str, wait: Duration = Duration(0)) -> None:
        """Take an answer of the engine: it is announced, after as long as the engine wants to wait."""
        if inquiry is not self._asked:
            return
        live = self._runner.live_game
        if live is None or state_of(live.origin, live.game) != inquiry.of:
            return  # it is asked again
        if inquiry.go.is_off_turn:
            if not (text and self._enter(MoveAnnounced(self._runner.now(), text, WHO))):
                # The person may still wait for longer than is good for the engine.
                self._again = Instant(live.game.game_time(self._runner.now()) + _AGAIN)
            return
        # People who look on at an exhibition would think that it has stopped.
        is_exhibition = len(inquiry.opponent.seats) == len(live.game.rules.seats)
        if wait > 0 and is_carried_out_in_time(live.game) and not is_exhibition:
            self._held = text, Instant(live.game.game_time(self._runner.now()) + wait)
        elif live.game.paused_at is not None:  # it is said once the game goes on
            self._held = text, live.game.game_time(self._runner.now())
        else:
            self._announce(text)

    def fail(self, inquiry: Inquiry, why: Statement) -> None:
        """Take in that the engine no longer plays."""
        if inquiry is self._asked:
            self._drop(inquiry.opponent, why)

    def _ask(self, game: Game, of: tuple[object, ...], now: Instant) -> None:
        player = game.turn if is_engines_turn(game) else player_off_turn(game, self._runner.now())
        if game.opponent is None or not player:
            return
        opponent = game.opponent.at(seat_at_table(game, player, game.position))
        self._held, self._is_stopped, self._again = None, False, _NEVER
        try:
            moves = self._lists.moves(game, now)
            choices = open_moves(game, moves, now)
        except RulesError:
            if is_engines_turn(game):
                self._drop(opponent, statement("told.opponent.position"))
            return
        moves = replace(moves, position=game.rules.elapse(game.position, now))
        inquiry = Inquiry(opponent, moves, _go(game, self._runner.now(), choices, self._times), of, game.given)
        self._asked = inquiry
        self._shell.ask(inquiry)

    def _announce(self, text: str) -> None:
        self._held = None
        if not self._enter(MoveAnnounced(self._runner.now(), text, WHO)) and self._asked is not None:
            self._drop(self._asked.opponent, statement("told.opponent.position"))

    def _drop(self, opponent: Opponent, why: Statement) -> None:
        self._forget()
        self._enter(OpponentLeft(self._runner.now(), opponent.name, why))

    def _enter(self, event: Correction) -> bool:
        """Enter an event; answer whether the referee took it."""
        try:
            self._runner.correct(event)
        except RunnerError:
            return False
        return True

    def _forget(self) -> None:
        self._asked, self._held, self._is_stopped, self._again = None, None, False, _NEVER


def state_of(origin: Instant, game: Game) -> tuple[object, ...]:
    """What an answer is for: turns and corrections since make it void."""
    corrected = sum(isinstance(ruling, Corrected) and not is_of_a_draw(ruling) for ruling in game.rulings)
    return origin, len(game.plies), game.plies[-1:], corrected


def open_moves(game: Game, moves: MoveList, now: Instant) -> tuple[str, ...]:
    """The moves among which to choose, where what was played does not lead to the position; none where it does.

    Raises RulesError where no move is known to both.
    """
    position = game.rules.elapse(game.position, now)
    if moves.position == position:
        return ()
    told, true = set(game.rules.entries(moves.position)), set(game.rules.entries(position))
    if told == true:
        return ()
    if not told & true or game.rules.turn(moves.position) != game.turn:
        raise RulesError(statement("told.opponent.position"))
    return tuple(sorted(told & true))


def _go(game: Game, at: Instant, choices: tuple[str, ...], times_of: TurnTimes) -> Go:
    """How the engine is to think: by its level, and no longer than its clock and its sand allow."""
    if game.opponent is not None and not is_engines_turn(game):
        own = times_of.hands(game.opponent.hands)
        return Go(time=_OFF_TURN, hands=(own, times_of.usual(game)), is_off_turn=True)
    opponent, times = game.opponent, []
    if game.clock is not None:
        side = side_of(game.rules, game.clock.teams, game.position, game.turn)
        left = None if side is None else game.clock.clock.available(side, game.game_time(at))
        if left is not None:
            times.append(Duration(min(_LONGEST, left // _OF_A_CLOCK)))
    is_sand = is_carried_out_in_time(game)
    if is_sand:
        times.append(_IN_SAND)
    end = _must_answer(game, at)
    if end is not None:
        times.append(Duration(end - game.game_time(at)))
    hands = (times_of.hands(opponent.hands), times_of.at_least(game)) if is_sand and opponent is not None else None
    return Go(time=max(_SHORTEST, min(times)) if times else None, hands=hands, moves=choices)


def _may_count(game: Game) -> bool:
    """Whether what was announced may count unmade: off turn not while the board is in doubt, or wrong."""
    return is_engines_turn(game) or game.judgement.phase in {Phase.AGREED, Phase.IN_HAND, Phase.MAY_GO_ON}


def _must_answer(game: Game, at: Instant) -> Instant | None:
    """Game time at which the engine has to answer, or the 15-second glass is empty before hands have made its turn."""
    shown = show_of(game)
    if game.opponent is None or not shown.timer_binds(game):
        return None
    left = shown.timer_left(game, at)
    return None if left is None else Instant(game.game_time(at) + left - game.opponent.hands - _SPARE)


class EngineDesk:
    """The engine as a process, and the task that looks after it, in the daemon's loop."""

    def __init__(self, runner: Runner, health: Health) -> None:
        self.player = OpponentPlayer(runner, self)
        self._runner = runner
        self._health = health
        self._stirred = asyncio.Event()
        self._process: tuple[object, EngineProcess] | None = None
        self._other: tuple[object, EngineProcess] | None = None  # that waits for its turn in an exhibition of two
        self._asking: asyncio.Task[None] | None = None
        self._ending: set[asyncio.Task[None]] = set()  # what goes on beside, and has an end
        runner.on_change(self._stirred.set)

    async def work(self) -> None:
        """Look after the engine's side for as long as the daemon runs."""
        try:
            while True:
                self._stirred.clear()
                self.player.look()
                due = self.player.due()
                wait = None if due is None else max(0.01, (due - self._runner.now()) / SECOND)
                with suppress(TimeoutError):
                    async with asyncio.timeout(wait):
                        await self._stirred.wait()
        finally:
            self._let_go()
            while self._ending:
                await asyncio.gather(*self._ending, return_exceptions=True)

    def ask(self, inquiry: Inquiry) -> None:
        """Begin to ask; an answer to what was asked before is not waited for."""
        before = self._cancel()
        self._asking = self._beside(self._think(inquiry, before))

    def stop(self) -> None:
        """Let the engine answer with what it has found."""
        if self._process is not None:
            self._beside(_stop(self._process[1]))

    def leave(self) -> None:
        """Ask nothing more, and end the engine."""
        self._health.well(HEALTH)
        self._let_go()

    async def _think(self, inquiry: Inquiry, before: "asyncio.Task[None] | None") -> None:
        if before is not None:
            await asyncio.wait({before})
        process = self._process_for(inquiry)
        if process is None:
            opponent, game = inquiry.opponent, inquiry.moves.rules.name
            self.player.fail(inquiry, statement("told.opponent.unknown", engine=opponent.engine, game=game))
            return
        try:
            answer: Answer = await process.move(inquiry.moves, inquiry.go)
        except EngineFailedError as error:
            self.player.fail(inquiry, error.statement)
        else:
            self.player.answer(inquiry, answer.text, answer.wait)
        self._stirred.set()

    def _process_for(self, inquiry: Inquiry) -> EngineProcess | None:
        """The process that plays this game; None for an engine that is not there."""
        opponent, rules = inquiry.opponent, inquiry.moves.rules
        of = inquiry.of[0], opponent
        if self._process is not None and self._process[0] == of:
            return self._process[1]
        self._process, self._other = self._other, self._process
        if self._process is not None and self._process[0] == of:
            return self._process[1]
        self._end(everything=not opponent.second)
        plugin = plugin_of(opponent, rules.name)
        if plugin is None:
            return None
        process = EngineProcess(plugin, dict(inquiry.given), self._tell)
        self._process = of, process
        return process

    def _tell(self, what: Statement) -> None:
        """Say what went wrong with an engine that goes on."""
        self._health.wrong(HEALTH, what, Audience.PLAYERS)

    def _let_go(self) -> None:
        """Ask nothing more, and end the program."""
        self._end(self._cancel())

    def _end(self, before: "asyncio.Task[None] | None" = None, *, everything: bool = True) -> None:
        """Let the program end beside, once nobody asks it any more, and the one that waits with it."""
        ended, self._process = [self._process], None
        if everything:
            ended.append(self._other)
            self._other = None
        for each in ended:
            if each is not None:
                self._beside(_close(each[1], before))

    def _cancel(self) -> "asyncio.Task[None] | None":
        asking, self._asking = self._asking, None
        if asking is not None:
            asking.cancel()
        return asking

    def _beside(self, work: Coroutine[Any, Any, None]) -> "asyncio.Task[None]":
        task = asyncio.create_task(work, name="engine")
        self._ending.add(task)
        task.add_done_callback(self._ending.discard)
        return task


async def _close(process: EngineProcess, before: "asyncio.Task[None] | None") -> None:
    if before is not None:
        await asyncio.wait({before})
    await process.close()


async def _stop(process: EngineProcess) -> None:
    with suppress(EngineFailedError):
        await process.stop()
