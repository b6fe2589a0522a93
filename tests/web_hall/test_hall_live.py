"""A board of the hall on its own page: the same game that the board has, folded from what it has written."""

import asyncio
from dataclasses import replace

import pytest

from gnomon.hall.demo._board import Casual
from gnomon.records.journal.store import JournalError
from gnomon.referee.events import Paused
from gnomon.referee.game import Game
from gnomon.timekeeping.instants import SECOND, Instant
from gnomon.views.summary import summary
from gnomon.web.hall._live import Folded, FoldError, HallBoard, fold
from gnomon.web.live.interfaces import RefusedError
from gnomon.web.server.workers import Shelf
from tests.web_hall.party import Party

PLAYED = (
    Casual("tabik", {"size": 8, "clock": "3+2"}, ("Ada", "Ben")),
    Casual("twenty-squares", {}, ("Cleo", "Dan")),
    Casual("tamsk", {"level": 2}, ("Eve", "Fred")),
)


def seen(board: HallBoard) -> Game:
    """The game as the hall sees it now."""
    asyncio.run(board.look())
    game = board.game()
    assert game is not None
    return game


@pytest.mark.parametrize("casual", PLAYED, ids=lambda casual: casual.game)
def test_the_hall_has_the_game_that_the_board_has(party: Party, casual: Casual) -> None:
    board = party.board("t01", casual)
    here = HallBoard(party.hall, "t01", Shelf())
    party.run(40)
    for _ in range(3):  # the later looks go on from the earlier ones
        party.run(5)
        party.run(5, until=lambda: party.hall.place("t01").told == party.clock.at)
        game, sitting = seen(here), board._sitting
        assert sitting is not None
        assert len(game.plies) > 0
        assert (game.plies, game.rulings, game.people) == (
            sitting.game.plies,
            sitting.game.rulings,
            sitting.game.people,
        )
        told, own = (summary(each, here.now(), ()) for each in (game, sitting.game))
        assert told == own
        assert abs(here.now() - board._time(board._raw())) < SECOND


def test_a_board_without_a_game_shows_none(party: Party) -> None:
    party.board("t01")
    party.run(3)
    here = HallBoard(party.hall, "t01", Shelf())
    asyncio.run(here.look())
    assert (here.game(), here.now(), here.number, here.wrong) == (None, 0, 0, None)
    assert "tabik" in here.games


def test_time_stands_still_at_a_board_that_was_switched_off(party: Party) -> None:
    board = party.board("t01", PLAYED[0])
    party.run(30)
    here = HallBoard(party.hall, "t01", Shelf())
    seen(here)
    board.leave()
    party.boards.clear()
    party.run(2)
    before = here.now()
    party.run(20)
    assert here.now() == before


def test_after_a_restart_of_the_board_time_is_at_least_that_of_what_is_written(party: Party) -> None:
    board = party.board("t01", PLAYED[0])
    party.run(30)
    here = HallBoard(party.hall, "t01", Shelf())
    game = seen(here)
    board._boot = "another"
    party.run(10)
    assert here.now() >= game.rulings[-1].at


def test_records_that_make_no_game_are_told_of_and_do_no_harm(party: Party) -> None:
    party.board("t01", PLAYED[0])
    party.run(20)
    archive = party.hall.archive("t01")
    (stored, *_) = archive.games()
    records = archive.read(stored.id)
    broken = replace(stored, start=replace(stored.start, game="chess"))
    with pytest.raises(FoldError, match=r"the records of game 1 cannot be replayed"):
        fold(broken, records)
    unread = [replace(record, entry=replace(record.entry, body={})) for record in records]
    with pytest.raises(FoldError, match="holds no event"):
        fold(stored, unread)
    whole = fold(stored, records)
    assert isinstance(whole, Folded)
    assert fold(stored, records, whole).game == whole.game
    assert fold(stored, records[:-4], whole).game == fold(stored, records[:-4]).game


def test_nothing_is_entered_in_the_place_of_a_board(party: Party) -> None:
    here = HallBoard(party.hall, "t01", Shelf())
    for asked in (here.correct(Paused(Instant(0), "Anna")), here.enter("a1", "Anna"), here.throw()):
        with pytest.raises(RefusedError, match="send it a request"):
            asyncio.run(asked)


def test_news_of_a_board_come_with_each_change_and_not_of_others(party: Party) -> None:
    party.board("t01", PLAYED[0])
    party.board("t02", PLAYED[0])
    party.run(30)

    async def plies() -> list[int]:
        here = HallBoard(party.hall, "t01", Shelf())
        changes = here.changes()
        counts = []
        for _ in range(2):
            await anext(changes)
            game = here.game()
            counts.append(0 if game is None else len(game.plies))
            await asyncio.to_thread(party.run, 20)
        await changes.aclose()  # type: ignore[attr-defined]  # it is a generator
        return counts

    first, second = asyncio.run(plies())
    assert second > first


def test_a_database_that_fails_is_told_to_who_looks(party: Party) -> None:
    party.board("t01", PLAYED[0])
    party.run(20)
    here = HallBoard(party.hall, "t01", Shelf())
    (party.where / "hall.db").unlink()
    (party.where / "hall.db").mkdir()
    party.hall._database._pool.close()  # type: ignore[attr-defined]  # of SQLite
    with pytest.raises(JournalError):
        asyncio.run(here.look())
