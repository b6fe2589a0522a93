"""Compute draft pairings in the background, with progress, cancellation and manual swaps.

A draft is not official: it is kept in memory, names the event as of which it was made, and is lost in a restart.
"""

import asyncio
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from gnomon.hall.hall import Hall
from gnomon.hall.pairing.bbp import Bbp, find_bbp
from gnomon.hall.pairing.errors import EngineError
from gnomon.hall.pairing.worker import PairingWorker
from gnomon.refusals import Statement, statement
from gnomon.tournament.errors import TournamentError
from gnomon.tournament.pairing.engines import PairingEngine, pair
from gnomon.tournament.state import Tournament
from gnomon.tournament.state.notation import swap
from gnomon.tournament.state.rounds import Pairing
from gnomon.tournament.state.settings import System
from gnomon.tournament.teams.matches import as_shown

OWN: Final = "matching"
BBP: Final = "bbp"
FEW: Final = 80
"""Players who are paired in less time than a process takes to begin; more get one of their own."""

Changed = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class RoundDraft:
    """A round as it would be paired: for which round, as of which event, by which engine, at whose wish.

    `compared` is what stood there before: the round that is published, or the draft before this one. `said` is how far
    it has come, and what was wrong where it has `failed`. `by_hand` tells that two were swapped since.
    """

    round: int
    last: int
    engine: str
    who: str
    said: Statement | None = None
    works: bool = True
    failed: bool = False
    pairings: tuple[Pairing, ...] = ()
    compared: tuple[Pairing, ...] = ()
    by_hand: bool = False


@dataclass(slots=True)
class _Job:
    draft: RoundDraft
    worker: PairingWorker | None = None
    task: asyncio.Task[None] | None = field(default=None, repr=False)


class Drafts:
    """The drafts of all tournaments, one each. To be used in one loop."""

    def __init__(self, hall: Hall, changed: Changed) -> None:
        self._hall = hall
        self._changed = changed
        self._jobs: dict[str, _Job] = {}

    def of(self, name: str) -> RoundDraft | None:
        """The draft of a tournament, or None."""
        job = self._jobs.get(name)
        return None if job is None else job.draft

    def begin(self, name: str, tournament: Tournament, last: int, engine: str, who: str) -> None:
        """Pair the next round of a tournament, or the last one again; the answer follows. Raises TournamentError."""
        base = before(tournament)
        chosen = _engine(engine, base)
        self.drop(name)
        stands = as_shown(tournament).rounds[-1].pairings if base is not tournament else ()
        draft = RoundDraft(base.next_round, last, engine, who, compared=stands)
        is_quick = chosen is None and len(base.players(base.next_round)) <= FEW
        worker = None if is_quick else PairingWorker(base, chosen)
        job = self._jobs[name] = _Job(draft, worker)
        job.task = asyncio.create_task(self._pair(name, job, base, chosen), name=f"pair {name}")

    def stop(self, name: str) -> None:
        """End the pairing of a tournament; its draft then says so."""
        job = self._jobs.get(name)
        if job is not None and job.draft.works and job.worker is not None:
            job.worker.stop()

    def drop(self, name: str) -> None:
        """Forget the draft of a tournament."""
        self.stop(name)
        self._jobs.pop(name, None)

    def swap(self, name: str, one: int, other: int, who: str) -> None:
        """Put two into each other's places. Raises TournamentError without a draft that has them both."""
        job = self._jobs.get(name)
        if job is None or not job.draft.pairings:
            raise TournamentError(statement("director.refused.no_preview"))
        draft = job.draft
        now = swap(draft.pairings, one, other)
        job.draft = replace(draft, pairings=now, compared=draft.pairings, who=who, by_hand=True)
        self._changed(name)

    async def _pair(self, name: str, job: _Job, base: Tournament, engine: PairingEngine | None) -> None:
        loop = asyncio.get_running_loop()

        def report(what: Statement) -> None:
            loop.call_soon_threadsafe(self._report, name, job, what)

        worker = job.worker
        try:
            found = await asyncio.to_thread(lambda: pair(base, engine) if worker is None else worker.run(report))
        except asyncio.CancelledError:
            self.stop(name)  # the hall ends: nothing is waited for
            raise
        except TournamentError as error:
            job.draft = replace(job.draft, said=error.statement, works=False, failed=True)
        else:
            job.draft = replace(job.draft, said=None, works=False, pairings=found)
        self._changed(name)

    def _report(self, name: str, job: _Job, what: Statement) -> None:
        if job.draft.works:
            job.draft = replace(job.draft, said=what)
            self._changed(name)


def before(tournament: Tournament) -> Tournament:
    """The tournament before a round that can only be paired again; as it is where the next round can be paired."""
    if tournament.has_room or not is_unplayed(tournament):
        return tournament
    return replace(tournament, rounds=tournament.rounds[:-1])


def is_unplayed(tournament: Tournament) -> bool:
    """Whether nothing was played yet in the round that was published last."""
    if not tournament.rounds or not tournament.waiting:
        return False
    results = tournament.rounds[-1].results.values()
    return not any(game.played for result in results for game in result)


def players_to_pair(tournament: Tournament) -> Collection[int]:
    """Who plays in the next round; in an arena and on a ladder only those whose games have ended."""
    there = tournament.players(tournament.next_round)
    if tournament.settings.system not in {System.ARENA, System.LADDER}:
        return there
    rounds = tournament.open_rounds
    playing = {one for each in rounds for board in each.waiting for one in each.at(board).entrants}
    return [one for one in there if one not in playing]


def engines(tournament: Tournament) -> Sequence[str]:
    """The engines that can pair a tournament on this machine, the default first."""
    settings = tournament.settings
    if settings.system not in {System.SWISS, System.MCMAHON} or not settings.balances or tournament.teams is not None:
        return (OWN,)
    try:
        find_bbp()
    except EngineError:
        return (OWN,)
    return (OWN, BBP)


def _engine(name: str, tournament: Tournament) -> PairingEngine | None:
    """The engine of a name, None for the system's own. Raises TournamentError where it is not there."""
    if name not in engines(tournament):
        known = [*engines(tournament)]
        raise TournamentError(statement("director.refused.no_engine", engine=name, known=known))
    return Bbp(find_bbp()) if name == BBP else None
