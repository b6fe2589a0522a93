"""The tests of several hubs of one hall: parts of the boards, requests that another sends, and one that takes over."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from gnomon.hall.hall import Hall, HallError
from gnomon.hall.hub.hub import HubTerms
from gnomon.hall.hub.parts import named_by, with_part
from gnomon.hall.store.records import RecordStore, WriteBatch
from gnomon.hall.store.requests import UNSET, RequestSharing, take_up
from gnomon.timekeeping.instants import Instant
from tests.hall.evenings import Evening
from tests.hall.hall_databases import Reopen
from tests.hall.test_store import WISH


class ManyHubs:
    """Several hubs of one hall on one bus and one database."""

    def __init__(self, folder: Path) -> None:
        self.evening = Evening(folder)
        self.evening.hall.close()
        self.halls: list[Hall] = []

    def open(self, terms: HubTerms) -> Hall:
        self.halls.append(self.evening.open(terms))
        self.evening.hall = self.halls[0]
        return self.halls[-1]

    def run(self, seconds: int = 1) -> None:
        """Let time pass for everybody who is there."""
        for _ in range(seconds):
            self.evening.clock.wait(1)
            for _ in range(4):
                for board in self.evening.boards.values():
                    board.run()
                self.evening.broker.deliver()
                for hall in self.halls:
                    hall.thread.step()
                    self.evening.broker.deliver()

    def kill(self, hall: Hall) -> None:
        """One is gone for good."""
        hall._thread._bus.close()
        hall._database.close()
        self.halls.remove(hall)


@pytest.fixture
def many(tmp_path: Path) -> Iterator[ManyHubs]:
    hubs = ManyHubs(tmp_path)
    yield hubs
    for hall in hubs.halls:
        hall.close()


def test_boards_are_divided_by_their_names() -> None:
    is_named = named_by(("a*", "t0[1-3]"))
    assert [name for name in ("a1", "b1", "t03", "t04") if is_named(name)] == ["a1", "t03"]
    assert with_part(HubTerms()) == HubTerms()
    assert with_part(HubTerms(), ("a*",)).has_others


def test_each_hub_hears_and_serves_its_part_and_another_sends_what_is_wanted_of_the_rest(many: ManyHubs) -> None:
    one, two = many.open(with_part(HubTerms(), ("a*",))), many.open(with_part(HubTerms(), ("b*",)))
    boards = {name: many.evening.board(name) for name in ("a1", "b1")}
    many.run(2)
    assert [[place.board for place in hall.places()] for hall in (one, two)] == [["a1"], ["b1"]]
    request = one.notice("b1", "Hello", "Anna")
    many.run(3)
    assert list(boards["b1"].answers) == [request]
    kept = one.request_status(request)
    assert kept is not None
    assert (kept.outcome, kept.board) == ("done", "b1")
    boards["a1"].begin()
    many.run(2)
    assert boards["a1"].outbox.mark == len(boards["a1"].journal)


def test_a_page_process_shows_every_board_and_leaves_them_to_the_hubs(many: ManyHubs) -> None:
    hub, pages = many.open(HubTerms(has_others=True)), many.open(with_part(HubTerms(), only_pages=True))
    board = many.evening.board("t01")
    board.begin()
    many.run(3)
    assert pages.place("t01").is_online
    assert pages.place("t01").through == hub.place("t01").through == 1
    request = pages.notice("t01", "Hello", "Anna")
    assert list(board.answers) == []
    many.run(3)
    assert list(board.answers) == [request]


def test_what_a_hub_was_asked_before_it_died_is_sent_by_another(many: ManyHubs) -> None:
    first, spare = many.open(HubTerms(has_others=True)), many.open(HubTerms(has_others=True))
    board = many.evening.board("t01")
    many.run(2)
    request = first.notice("t01", "Hello", "Anna")
    pile = first._hub.pile("", many.evening.clock())
    assert [wish.request.id for wish in pile.wishes] == [request]
    RecordStore(first._database).save(pile)
    many.kill(first)
    many.run(7)
    assert list(board.answers) == [request]
    kept = spare.request_status(request)
    assert kept is not None
    assert kept.outcome == "done"
    board.begin()
    many.run(3)
    assert board.outbox.mark == len(board.journal)


def test_a_board_that_nobody_serves_does_not_answer_and_that_is_said(many: ManyHubs) -> None:
    hall = many.open(with_part(HubTerms(), ("a*",)))
    request = hall.notice("b1", "Hello", "Anna")
    many.run(25)
    kept = hall.request_status(request)
    assert kept is not None
    assert kept.outcome == "unanswered"
    with pytest.raises(HallError, match="a1"):
        hall.notice("a1", "Hello", "Anna")


def test_one_hub_alone_takes_what_nobody_has_sent(reopen: Reopen) -> None:
    databases = [reopen(), reopen()]
    unsent = WISH._replace(request=replace(WISH.request, session="", until=UNSET))
    RecordStore(databases[0]).save(WriteBatch(wishes=(unsent,)))
    sharing = RequestSharing(frozenset(), lambda board: ("s9", Instant(77)) if board == "t01" else None)
    with databases[0].write_transaction() as one:
        (taken,) = take_up(one, sharing)
        assert (taken.is_unsent, taken.wish.request.session, taken.wish.request.until) == (True, "s9", 77)
        if "postgresql" in databases[1].name:
            with databases[1].write_transaction() as other:
                assert take_up(other, sharing) == (), "it does not even wait"
    with databases[1].write_transaction() as other:
        (again,) = take_up(other, sharing)
        assert (again.is_unsent, again.wish) == (False, taken.wish)
        assert take_up(other, sharing._replace(known=frozenset({"r1"}))) == ()
        assert take_up(other, sharing._replace(until=lambda _: ("s10", Instant(9)))) == (), "it is for another session"
