"""Find the games of a tournament whose luck can be measured, and measure it in a process of its own."""

import os
import signal
from collections.abc import Iterable, Iterator
from functools import cache
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import Final, NamedTuple

from gnomon.engines.process import lower_priority
from gnomon.engines.tables import tables_folder
from gnomon.hall.rounds.results import PairingGame, Proposal, outcome
from gnomon.hall.store.archive import BoardArchive
from gnomon.records.bundles import bundle
from gnomon.refusals import statement
from gnomon.rules.kinds import load
from gnomon.rules.protocol import SettingsError
from gnomon.rules.registry import kind_of

PATIENCE: Final = 1800.0
"""Seconds for one game: one of seven counters takes one on a desktop computer, but others may leave nothing over."""
_LONGEST: Final = 10_000  # records of a game


class GainedByLuck(NamedTuple):
    """What luck gave of a game to the player who moves first there, in games won; whether it is exact."""

    gained: float
    exact: bool


@cache
def has_luck(game: str) -> bool:
    """Whether the engine of a game tells luck from play."""
    try:
        engine = kind_of(game).engine
    except SettingsError:
        return False
    return bool(engine) and hasattr(load(engine), "estimate_account")


def games_with_luck(proposals: Iterable[Proposal]) -> Iterator[PairingGame]:
    """The games with the result that the book has for them, in which luck can be told from play."""
    for one in proposals:
        entered = one.entered or ()
        for game in one.games:
            number = game.seating.number
            if number <= len(entered) and outcome(one.pairing, game) is entered[number - 1] and has_luck(game.kind):
                yield game


def trace_of(archive: BoardArchive, game: PairingGame) -> bytes:
    """A game as its board has told it, as a trace. Raises JournalError, and ValueError for one that is not there."""
    records = archive.read(game.game)
    stored = next((one for one in archive.games() if one.id == game.game), None)
    if stored is None or len(records) > _LONGEST:
        raise ValueError(statement("hall.fold.many", game=game.game, count=len(records)))
    return "".join(bundle(stored, records).lines()).encode()


class LuckWorker:
    """A process that is told one game after the other, with what others leave over of the machine."""

    def __init__(self) -> None:
        context = get_context("spawn")  # to fork a process that has threads may leave their locks taken for ever
        self._told, theirs = context.Pipe()
        self._process = context.Process(target=_work, args=(theirs,), daemon=True)
        self._process.start()
        theirs.close()  # or the end of the process would not show
        if self._process.pid is not None:
            lower_priority(self._process.pid, 0)

    def ask(self, trace: bytes, player: str, patience: float = PATIENCE) -> GainedByLuck | None:
        """What luck gave that player of a game; None where nothing can be said. Raises OSError if the process ends."""
        self._told.send((trace, player))
        if not self._told.poll(patience):
            self.close()
            raise TimeoutError
        try:
            answer: GainedByLuck | None = self._told.recv()
        except EOFError as error:
            raise ConnectionError from error
        return answer

    def close(self) -> None:
        """End the process."""
        self._process.kill()


def _work(asked: Connection) -> None:
    """What the process does, until nobody asks any more."""
    from gnomon.analysis.luck import luck_of  # noqa: PLC0415 - the process that asks does not need it
    from gnomon.records.files import read_sheets  # noqa: PLC0415 - as above

    # A break at the terminal reaches both processes: the one that asks decides what follows.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    tables = tables_folder(os.environ)
    while True:
        try:
            trace, player = asked.recv()
        except EOFError:
            return
        answer = None
        try:
            (sheet,) = read_sheets(trace)
            luck = luck_of(sheet, tables)
            if luck is not None and player in luck.gained:
                answer = GainedByLuck(luck.gained[player], luck.exact)
        except ValueError:
            pass  # a game that cannot be followed says nothing of luck
        asked.send(answer)
