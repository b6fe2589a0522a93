"""Open what a hall needs according to its command line: message bus, database, accounts.

An unreachable broker is waited for, since boards play on without it; an unreachable database prevents the start,
since nothing could be acknowledged.
"""

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from errno import EADDRNOTAVAIL
from pathlib import Path
from threading import Event, Thread
from typing import Final, NamedTuple

from gnomon.hall.connections import HallConnectionError, Say, check_halls, over_mqtt, read_credentials
from gnomon.hall.exposure import database_warning, is_this_machine
from gnomon.hall.hall import Hall
from gnomon.hall.hub.hub import EVERYBODY, HubTerms
from gnomon.hall.messaging.bus import Bus
from gnomon.hall.messaging.memory_bus import MemoryBroker, MemoryBus
from gnomon.hall.store.backend import POSTGRESQL
from gnomon.hall.store.database import StoreError
from gnomon.refusals import NOTHING, Statement, clause, statement
from gnomon.words import ENGLISH, Words

DATABASE: Final = "hall.db"
"""In the folder of data, where no other database is named."""
_JOIN: Final = 2.0


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a hall is opened with.

    `mqtt` is an address or a file, `database` an address or a file, empty for what is usual; `broker` is the folder of
    a club evening's broker. `credentials` is a file with the secret ones of them, `terms` say which boards belong here.
    `forgets`: the files are kept elsewhere, and only while the hall runs.
    """

    data: Path
    mqtt: str = ""
    database: str = ""
    broker: Path | None = None
    credentials: Path | None = None
    demo: int = 0
    terms: HubTerms = EVERYBODY
    forgets: bool = False


class Opened(NamedTuple):
    """A hall at work, and the bus of this process where boards of this program can be put."""

    hall: Hall
    here: MemoryBus | None
    carried: Statement


@contextmanager
def open_hall(wanted: Wanted, say: Say, words: Words = ENGLISH) -> Iterator[Opened]:
    """A hall that is at work until the block ends; `say` is told what hinders it, in the language of `words`.

    Raises HallConnectionError.
    """
    wanted = _with_credentials(wanted)
    check_halls(wanted.mqtt, wanted.database, others=bool(wanted.terms.other_halls))
    with ExitStack() as stack:
        bus, here, carried = _bus(wanted, stack, say, words)
        try:
            wanted.data.mkdir(mode=0o700, parents=True, exist_ok=True)
            hall = Hall.open(wanted.database or str(wanted.data / DATABASE), bus, terms=wanted.terms)
        except OSError as error:
            raise HallConnectionError(
                statement("hall.opening.folder", folder=str(wanted.data), text=str(error.strerror))
            ) from error
        except StoreError as error:
            raise HallConnectionError(error) from error
        stack.callback(hall.close)
        if wanted.database.startswith(POSTGRESQL) and (warning := database_warning(wanted.database, os.environ)):
            say(clause(warning, words))
        hall.start()
        yield Opened(hall, here, carried)


def _with_credentials(wanted: Wanted) -> Wanted:
    """What is wanted, with what stands in the file of secrets. Raises HallConnectionError."""
    if wanted.credentials is None:
        return wanted
    mqtt, database = read_credentials(wanted.credentials)
    return replace(wanted, mqtt=wanted.mqtt or mqtt, database=wanted.database or database)


def _bus(wanted: Wanted, stack: ExitStack, say: Say, words: Words) -> tuple[Bus, MemoryBus | None, Statement]:
    """How boards and hall speak, the connection for boards of this program, and a description of it.

    Raises HallConnectionError.
    """
    ways = [bool(wanted.mqtt), wanted.broker is not None, bool(wanted.demo)]
    if sum(ways) > 1:
        raise HallConnectionError(statement("hall.opening.ways"))
    if (wanted.terms.has_recorders or wanted.terms.has_others) and not (wanted.mqtt and wanted.database):
        raise HallConnectionError(statement("hall.opening.recorders"))
    if wanted.mqtt:
        bus, carried = over_mqtt(wanted.mqtt, stack, say, words)
        return bus, None, carried
    if wanted.broker is not None:
        return _with_boards_of(wanted.broker, stack)
    broker = MemoryBroker()
    stop = Event()
    carrier = Thread(target=broker.run, args=(stop,), name="bus", daemon=True)
    carrier.start()

    def end() -> None:
        stop.set()
        broker.wake()
        carrier.join(_JOIN)

    stack.callback(end)
    return broker.connect(), broker.connect(), NOTHING


def _with_boards_of(folder: Path, stack: ExitStack) -> tuple[Bus, None, Statement]:
    from gnomon.hall.broker.folder import BrokerFolder, FolderError  # noqa: PLC0415 - a hall without a folder needs none
    from gnomon.hall.local_hall import LocalHall  # noqa: PLC0415 - as above

    here = BrokerFolder(folder)
    try:
        hosts = here.settings().hosts
        evening = LocalHall(here)
    except FolderError as error:
        raise HallConnectionError(error) from error
    except OSError as error:
        raise HallConnectionError(_not_listening(folder, error)) from error
    stack.callback(evening.close)
    alone = all(map(is_this_machine, hosts))
    heard = statement("cli.hall.heard.alone" if alone else "cli.hall.heard", host=hosts[0], port=evening.port)
    return evening.hub, None, heard


def _not_listening(folder: Path, error: OSError) -> Statement:
    if error.errno == EADDRNOTAVAIL:
        return statement("hall.opening.other_address", folder=str(folder))
    return statement("hall.opening.port", folder=str(folder), text=str(error.strerror))
