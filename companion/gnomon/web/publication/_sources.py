"""Open what is published: a running hall, the data of one, the file of a tournament, or the journal of a board."""

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from starlette.applications import Starlette
from starlette.routing import Mount
from starlette.staticfiles import StaticFiles

from gnomon.hall.clock import wall
from gnomon.hall.hall import Hall
from gnomon.hall.messaging.memory_bus import MemoryBroker
from gnomon.hall.rounds.event_log import BookError
from gnomon.hall.rounds.event_log_file import SUFFIX, FileBook
from gnomon.hall.store.backend import POSTGRESQL, file_of
from gnomon.hall.store.database import StoreError
from gnomon.records.files import is_journal_file, stored_games
from gnomon.records.journal.folders import journals_in
from gnomon.records.journal.store import JournalError
from gnomon.refusals import statement
from gnomon.tournament.errors import TournamentError
from gnomon.web import director
from gnomon.web._templates import STATIC
from gnomon.web.pages import spoken
from gnomon.web.publication._hall_client import SCHEMES, HallClient
from gnomon.web.publication._journal_pages import journal_pages
from gnomon.web.publication._links import GAMES
from gnomon.web.publication._page_client import PublicationError, Source, page_client

DATABASE: Final = "hall.db"
JOURNAL: Final = ".journal"


@contextmanager
def open_source(source: str, languages: Sequence[str]) -> Iterator[Source]:
    """What answers for the pages of a source.

    Raises PublicationError where nothing stands there.
    """
    if source.startswith(SCHEMES):
        with closing(HallClient(source, languages)) as client:
            yield Source(client.ask)
        return
    journal = _journal_at(source)
    if journal is not None:
        yield Source(page_client(journal_pages(journal), languages), GAMES)
        return
    with _open_data(source) as app:
        yield Source(page_client(app, languages))


def _journal_at(source: str) -> Path | None:
    """The journal that a source names, its file or a folder with no other; None where the source is none.

    Raises PublicationError for one that cannot be read.
    """
    path = Path(source)
    if path.is_dir() and not (path / DATABASE).exists():
        journals = journals_in(path)
        path = journals[0] if len(journals) == 1 else path
    if path.suffix != JOURNAL and not is_journal_file(path):
        return None
    try:
        stored_games(path)
    except JournalError as error:
        raise PublicationError(error) from error
    return path


@contextmanager
def _open_data(source: str) -> Iterator[Starlette]:
    if source.endswith(SUFFIX):
        with TemporaryDirectory(prefix="gnomon-publication-") as folder, _hall(f"{folder}/{DATABASE}") as hall:
            _copy(Path(source), hall)
            yield _pages(hall, director.LuckFile())
        return
    where, luck = source, director.LuckFile(waits=True)
    if not source.startswith(POSTGRESQL):
        where = str(Path(source) / DATABASE) if Path(source).is_dir() else source
        try:
            file = file_of(where)
        except StoreError as error:
            raise PublicationError(error) from error
        if file is None or not file.is_file():
            raise PublicationError(statement("publication.failed.source", source=source))
        luck = director.LuckFile(file.with_name(director.LUCK), waits=True)
    with _hall(where) as hall:
        yield _pages(hall, luck)


@contextmanager
def _hall(where: str) -> Iterator[Hall]:
    """A hall that hears no boards: its books and records are read. Raises PublicationError."""
    try:
        hall = Hall.open(where, MemoryBroker().connect())
    except StoreError as error:
        raise PublicationError(error) from error
    with closing(hall):
        yield hall


def _pages(hall: Hall, luck: director.LuckFile) -> Starlette:
    # Nobody says how much later spectators see a board that is not heard; its games are over, and their results public.
    routes = director.routes(director.TournamentApp(hall, archive=hall.archive, luck=luck))
    app = Starlette(routes=[*routes, *spoken.routes(hall), Mount("/static", StaticFiles(directory=STATIC))])
    app.state.hall = ""
    return app


def _copy(file: Path, hall: Hall) -> None:
    """Copy the tournament of a file into a hall. Raises PublicationError."""
    try:
        told = FileBook(file, wall).read()
        if not told:
            raise PublicationError(statement("publication.failed.source", source=str(file)))
        name = director.slug(file.name.removesuffix(SUFFIX))
        hall.book(name).extend([each.event for each in told], told[-1].who, after=0)
        hall.set_plan(name, hall.plan(name))
    except (BookError, TournamentError) as error:
        raise PublicationError(error) from error
