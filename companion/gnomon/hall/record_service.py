"""Run a recorder until it is told to stop: a process that keeps records of boards and does nothing else."""

import os
import signal
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from threading import Event
from types import FrameType
from typing import Final

from gnomon.hall.clock import monotonic_now, timestamp, wall
from gnomon.hall.connections import HallConnectionError, Say, check_halls, over_mqtt
from gnomon.hall.exposure import database_warning
from gnomon.hall.hub.hub import EVERYBODY, HubTerms
from gnomon.hall.hub.recorder import Recorder
from gnomon.hall.hub.thread import HubThread
from gnomon.hall.messaging.bus import Bus
from gnomon.hall.store.backend import POSTGRESQL, open_database
from gnomon.hall.store.database import StoreError
from gnomon.hall.store.records import RecordStore
from gnomon.refusals import clause, statement
from gnomon.words import ENGLISH, Words

_ALIVE: Final = 1.0
"""Seconds between two looks whether the recorder still works."""
_ENDS: Final = (signal.SIGTERM, signal.SIGINT)


@contextmanager
def open_recorder(database: str, bus: Bus, terms: HubTerms = EVERYBODY) -> Iterator[tuple[HubThread, Recorder]]:
    """A recorder at work until the block ends, in a thread of its own. Raises StoreError."""
    kept = open_database(database)
    try:
        recorder = Recorder(terms, monotonic_now())
        thread = HubThread(
            recorder, RecordStore(kept), bus, clock=monotonic_now, label=lambda: timestamp(wall()), judge=None
        )
        thread.start()
        try:
            yield thread, recorder
        finally:
            thread.close()
    finally:
        kept.close()


def run(mqtt: str, database: str, terms: HubTerms, say: Say, words: Words = ENGLISH) -> None:
    """Keep records until told to stop. Raises HallConnectionError, also when the recorder itself has ended."""
    stop = Event()
    with ExitStack() as stack:
        _end_by(_ENDS, stop, stack)
        check_halls(mqtt, database)
        bus, carried = over_mqtt(mqtt, stack, say, words)
        try:
            thread, recorder = stack.enter_context(open_recorder(database, bus, terms))
        except StoreError as error:
            raise HallConnectionError(error) from error
        if database.startswith(POSTGRESQL) and (warning := database_warning(database, os.environ)):
            say(clause(warning, words))
        say(clause(carried, words))
        say(words("cli.hall.stop"))
        while not stop.wait(_ALIVE):
            if not thread.is_alive:
                raise HallConnectionError(thread.failed or statement("hall.ended"))
    say(words.plural("cli.hall.recorded", recorder.kept))


def _end_by(signals: Sequence[signal.Signals], stop: Event, stack: ExitStack) -> None:
    """Have signals set an event until the stack is left."""

    def end(_number: int, _frame: FrameType | None) -> None:
        stop.set()

    for number in signals:
        stack.callback(signal.signal, number, signal.signal(number, end))
