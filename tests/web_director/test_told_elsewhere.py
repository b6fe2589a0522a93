"""What a command or another program tells the database of a hall at work is seen on its pages."""

import asyncio
from pathlib import Path

from gnomon.hall.clock import wall
from gnomon.hall.rounds.event_log_rows import SqlBook
from gnomon.hall.store import backend
from gnomon.tournament.events import EntrantRegistered
from gnomon.web.director._stream import News
from tests.web_director.test_tournament_news import hall_in, told


def elsewhere(folder: Path, name: str, after: int) -> None:
    """Another program registers somebody, and ends."""
    database = backend.open_database(str(folder / "hall.db"))
    SqlBook(database, "open", wall).append(EntrantRegistered(after, name), "Ada", after=after)
    database.close()


def test_a_hall_lets_know_of_what_others_told_once(tmp_path: Path) -> None:
    hall = hall_in(tmp_path)
    listener = hall.listen(lambda: None)
    hall.look_elsewhere()
    assert listener.take().tournaments == set()
    elsewhere(tmp_path, "Ben", 1)
    hall.look_elsewhere()
    assert listener.take().tournaments == {"open"}
    hall.look_elsewhere()
    assert listener.take().tournaments == set()
    hall.close()


def test_an_open_page_hears_of_it(tmp_path: Path) -> None:
    hall = hall_in(tmp_path)
    hall.look_elsewhere()
    elsewhere(tmp_path, "Ben", 1)

    async def read() -> dict[str, object]:
        news = News(hall, at_most_each=0)
        events = news.events("open")
        await anext(events)
        first = await told(events)
        assert first["told"] == "1.0"
        second = await told(events)
        await events.aclose()
        return second

    assert asyncio.run(read())["told"] == "1.1"
    hall.close()


def test_a_database_that_fails_ends_no_stream(tmp_path: Path) -> None:
    hall = hall_in(tmp_path)
    with hall._database.write_transaction() as session:
        session.run("ALTER TABLE hall_tournament_events RENAME TO away")

    async def read() -> dict[str, object]:
        news = News(hall, at_most_each=0, looked_each=0)
        events = news.events("open")
        await anext(events)
        await told(events)
        news.desk_changed("open")
        found = await told(events)
        await events.aclose()
        return found

    assert asyncio.run(read())["desk"] == "1.1"
    hall.close()
