"""Run a pairing engine in a process of its own, with a deadline and progress reports."""

import signal
from collections.abc import Callable
from datetime import timedelta
from multiprocessing import get_context
from multiprocessing.connection import Connection
from threading import Event, Timer
from typing import Final

from gnomon.hall.pairing.errors import EngineError
from gnomon.refusals import Statement, statement
from gnomon.tournament.errors import TournamentError
from gnomon.tournament.pairing.engines import PairingEngine, pair
from gnomon.tournament.pairing.readiness import ready
from gnomon.tournament.pairing.swiss import MEETINGS, PairingProgress
from gnomon.tournament.state import Tournament
from gnomon.tournament.state.rounds import Pairing

DEADLINE: Final = timedelta(minutes=10)

Teller = Callable[[Statement], None]
_Answer = tuple[Pairing, ...] | TournamentError | PairingProgress


class PairingWorker:
    """One round to be paired by an engine in a process of its own; `run` waits for it, `stop` may come from elsewhere.

    The engine is the system's own unless another is given; it is sent to the process, so it must be a function of a
    module or a value, such as `gnomon.hall.pairing.bbp.Bbp`.
    """

    def __init__(
        self, tournament: Tournament, engine: PairingEngine | None = None, deadline: timedelta = DEADLINE
    ) -> None:
        self._tournament = tournament
        self._engine = engine
        self._deadline = deadline
        self._stopped = Event()
        self._late = Event()
        # A fresh process: to fork one that has threads may leave their locks taken for ever.
        context = get_context("spawn")
        self._answers, self._asked = context.Pipe(duplex=False)
        self._process = context.Process(target=_work, args=(self._asked, tournament, engine), daemon=True)

    def run(self, tell: Teller = lambda _: None) -> tuple[Pairing, ...]:
        """The pairings; `tell` is given a statement whenever there is something to say of how far it has come.

        Raises TournamentError as `gnomon.tournament.pairing.engines.pair` does, and EngineError when the deadline
        passes, the worker is stopped, or its process ends without an answer.
        """
        ready(self._tournament)
        in_round = self._tournament.next_round
        players = len(self._tournament.players(in_round))
        tell(statement("hall.pairing.begins", round=in_round, players=players))
        self._process.start()
        self._asked.close()  # or the end of the process would not show
        timer = Timer(self._deadline.total_seconds(), self._give_up)
        timer.daemon = True
        timer.start()
        try:
            return self._answer(in_round, tell)
        finally:
            timer.cancel()
            self._process.kill()
            self._process.join()
            self._answers.close()

    def stop(self) -> None:
        """End the pairing: `run` raises EngineError."""
        self._stopped.set()
        if self._process.pid is not None:
            self._process.kill()

    def _give_up(self) -> None:
        self._late.set()
        self._process.kill()

    def _answer(self, in_round: int, tell: Teller) -> tuple[Pairing, ...]:
        while not self._stopped.is_set():
            try:
                answer: _Answer = self._answers.recv()
            except EOFError:
                break
            if isinstance(answer, TournamentError):
                raise answer
            if not isinstance(answer, PairingProgress):
                return answer
            tell(progress_of(in_round, answer))
        raise EngineError(self._why(in_round))

    def _why(self, in_round: int) -> Statement:
        if self._stopped.is_set():
            return statement("hall.pairing.stopped", round=in_round)
        if self._late.is_set():
            return statement("hall.pairing.late", round=in_round, seconds=self._deadline.total_seconds())
        self._process.join()
        return statement("hall.pairing.ended", round=in_round, exit=self._process.exitcode)


def pair_in_worker(
    tournament: Tournament,
    engine: PairingEngine | None = None,
    deadline: timedelta = DEADLINE,
    tell: Teller = lambda _: None,
) -> tuple[Pairing, ...]:
    """The next round, paired in a process of its own. Raises as `PairingWorker.run` does."""
    return PairingWorker(tournament, engine, deadline).run(tell)


def progress_of(in_round: int, progress: PairingProgress) -> Statement:
    """How far a pairing has come."""
    if progress.doing == MEETINGS:
        return statement("hall.pairing.meetings", round=in_round, done=progress.done, count=progress.of)
    return statement("hall.pairing.searches", round=in_round, done=progress.done)


def _work(asked: Connection, tournament: Tournament, engine: PairingEngine | None) -> None:
    """What the process does: pair, telling how far it has come, and answer."""
    # A break at the terminal reaches both processes: the one that waits decides what follows.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    answer: _Answer
    try:
        answer = pair(tournament, engine, asked.send)
    except TournamentError as error:
        answer = error
    asked.send(answer)
