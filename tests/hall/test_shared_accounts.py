"""The tests of people and sign-ins that all processes of a hall share in its database."""

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from starlette.datastructures import Headers

from gnomon.hall.store.backend import open_database
from gnomon.hall.store.database import Database, StoreError
from gnomon.timekeeping.instants import SECOND, Duration, Instant, after
from gnomon.web.access import Authenticator, Role, Visitor, _shared
from gnomon.web.access._identity import LASTING, BadTokenError
from gnomon.web.access.authenticator import AccessTerms
from gnomon.web.access.reasons import AccessError
from gnomon.web.access.store import (
    AccountConflictError,
    AccountsAwayError,
    AccountStore,
    BrowserSession,
    LastAdminError,
    NameTakenError,
    SavedTime,
    Token,
)
from gnomon.web.hall._accounts import AWAY, open_accounts
from tests.web.visitors import PIN, QUICK, SetClock

STRANGER = Visitor(Role.SPECTATOR, address="10.6.6.6")
Open = Callable[[], AccountStore]


@pytest.fixture(params=["postgresql", "pgbouncer"])
def shared(request: pytest.FixtureRequest, hall_url: str) -> Iterator[Open]:
    """Opens the people of one hall, as another process would."""
    is_pool = request.param == "pgbouncer"
    where = request.getfixturevalue("pgbouncer").url(hall_url) if is_pool else hall_url
    opened: list[Database] = []

    def open_again() -> AccountStore:
        opened.append(open_database(where))
        return open_accounts(opened[-1])

    yield open_again
    for database in opened:
        database.close()


@pytest.fixture(params=["file", "postgresql"])
def two_doors(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator["TwoDoors"]:
    """The doors of two processes of a hall, whose people are in a file or in its database."""
    opened: list[Database] = []

    def store() -> AccountStore:
        if request.param == "file":
            return AccountStore.open(tmp_path / "people.sqlite")
        opened.append(open_database(request.getfixturevalue("hall_url")))
        return open_accounts(opened[-1])

    clock = SetClock()
    one, other = (Authenticator(store(), clock, AccessTerms(is_shared=True), hasher=QUICK) for _ in range(2))
    yield one, other, clock
    for each in (one, other):
        each.close()
        each.store.close()
    for database in opened:
        database.close()


def door(store: AccountStore, clock: SetClock) -> Authenticator:
    return Authenticator(store, clock, AccessTerms(), hasher=QUICK)


def seen(at: Authenticator, session: str) -> Visitor:
    return asyncio.run(at.visitor(Headers({"cookie": f"gnomon_session={session}"}), "10.0.0.1", secure=False))


def test_who_signs_in_at_one_process_is_known_at_all_and_signed_out_at_all(shared: Open) -> None:
    clock = SetClock()
    one, other = door(shared(), clock), door(shared(), clock)
    asyncio.run(one.add_person("Ada", Role.ADMIN, PIN))
    ada = asyncio.run(other.add_person("Ben", Role.ARBITER, PIN))
    session = asyncio.run(one.sign_in("Ben", PIN, STRANGER))
    assert [seen(each, session).role for each in (one, other)] == [Role.ARBITER, Role.ARBITER]
    asyncio.run(other.sign_out(seen(other, session)))
    assert [seen(each, session).role for each in (one, other)] == [Role.SPECTATOR, Role.SPECTATOR]
    sessions = [asyncio.run(each.sign_in("Ben", PIN, STRANGER)) for each in (one, other)]
    asyncio.run(one.change_secret(ada.id, "602214"))
    assert {seen(each, session).role for each in (one, other) for session in sessions} == {Role.SPECTATOR}
    with pytest.raises(AccessError):
        asyncio.run(other.sign_in("Ben", PIN, STRANGER))
    last = asyncio.run(other.sign_in("Ben", "602214", STRANGER))
    asyncio.run(one.remove(ada.id))
    assert seen(other, last).role is Role.SPECTATOR
    for each in (one, other):
        each.close()


TABLES = ("person", "session", "token", "device", "code", "attempt")
TwoDoors = tuple[Authenticator, Authenticator, SetClock]


def test_a_code_of_one_process_is_good_at_every_other_and_once(two_doors: TwoDoors) -> None:
    one, other, clock = two_doors
    code = one.show_code()
    assert one.show_code().text == code.text, "while it is valid"
    session = asyncio.run(other.pair(code.readable.lower(), "Ada", PIN, STRANGER))
    assert seen(one, session).role is Role.ADMIN
    with pytest.raises(AccessError):
        asyncio.run(one.pair(code.text, "Ben", PIN, STRANGER))
    made = [one.make_code(Role.PLAYER), other.make_code(Role.ARBITER)]
    assert one.store.has_admin()
    assert one.show_code().role is Role.PLAYER, "the used one is shown no more"
    clock.seconds += 601
    for late in made:
        with pytest.raises(AccessError):
            asyncio.run(one.pair(late.text, "Cleo", PIN, STRANGER))


def test_a_hundred_wrong_codes_withdraw_a_code_no_matter_which_process_is_asked(two_doors: TwoDoors) -> None:
    one, other, _ = two_doors
    code = one.make_code(Role.PLAYER)
    for number in range(50):
        for each in (one, other):
            assert each._codes.find(b"%d" % number, each.now()) is None
    assert one._codes.find(code.key, one.now()) is None
    codes = [one.make_code(Role.PLAYER) for _ in range(17)]
    valid = [other._codes.is_valid(each, other.now()) for each in codes]
    assert valid.count(True) == 16


def test_failures_at_one_process_count_at_every_other(two_doors: TwoDoors) -> None:
    one, other, clock = two_doors
    asyncio.run(one.add_person("Ada", Role.ADMIN, PIN))

    def fail(at: Authenticator) -> int:
        with pytest.raises(AccessError) as failed:
            asyncio.run(at.sign_in("Ada", "111111", STRANGER))
        return failed.value.wait

    assert [fail(each) for each in (one, other, one, other, one)] == [0] * 5
    assert fail(other) > 0
    with pytest.raises(AccessError):
        asyncio.run(other.sign_in("Ada", PIN, STRANGER))
    clock.seconds += 2
    assert asyncio.run(other.sign_in("Ada", PIN, STRANGER))
    assert fail(one) > 0, "the address keeps its other failures"


def test_failures_are_bounded_and_forgotten(two_doors: TwoDoors, monkeypatch: pytest.MonkeyPatch) -> None:
    one, other, clock = two_doors
    monkeypatch.setattr(_shared, "REMEMBERED", 3)
    counts = [each.attempts("player", Duration(30 * SECOND), free=1) for each in (one, other)]
    for number in range(4):
        clock.seconds += 1
        assert counts[0].attempt(number, one.now()) == 0
    assert [counts[1].times(number, other.now()) for number in range(4)] == [0, 1, 1, 1]
    assert (counts[1].attempt(3, other.now()) > 0, counts[1].times(3, other.now())) == (True, 1)
    counts[1].forgiven(3)
    assert (counts[0].times(3, one.now()), counts[0].wait(3, one.now())) == (0, 0)
    counts[0].forget(2)
    assert counts[1].times(2, other.now()) == 0
    assert one.attempts("address", Duration(SECOND)).times(1, one.now()) == 0, "of another kind"
    clock.seconds += 3601
    assert (counts[0].times(1, one.now()), counts[0].wait(1, one.now())) == (0, 0)


def test_a_sign_in_lasts_as_long_at_every_process(shared: Open) -> None:
    clock = SetClock()
    one, other = door(shared(), clock), door(shared(), clock)
    ada = asyncio.run(one.add_person("Ada", Role.ADMIN, PIN))
    session = asyncio.run(one.sign_in("Ada", PIN, STRANGER))
    token = asyncio.run(other.make_token(Visitor(Role.ADMIN, "Ada", ada.id), "scores", Role.PLAYER, 7))
    clock.seconds += LASTING[Role.ADMIN].idle - 10
    assert seen(other, session).role is Role.ADMIN, "and this use counts for all"
    clock.seconds += LASTING[Role.ADMIN].idle - 10
    assert seen(one, session).role is Role.ADMIN
    clock.seconds += LASTING[Role.ADMIN].idle
    assert seen(other, session).role is Role.SPECTATOR
    assert one.store.sessions() == []
    clock.seconds += 7 * 24 * 3600
    with pytest.raises(BadTokenError):
        asyncio.run(one.visitor(Headers({"authorization": f"Bearer {token}"}), "10.0.0.1", secure=False))


def test_nothing_that_opens_anything_stands_in_the_database(hall_url: str) -> None:
    database = open_database(hall_url)
    store = open_accounts(database)
    one = Authenticator(store, SetClock(), AccessTerms(is_shared=True), hasher=QUICK)
    asyncio.run(one.add_person("Ada", Role.ADMIN, PIN))
    session, code = asyncio.run(one.sign_in("Ada", PIN, STRANGER)), one.make_code(Role.PLAYER)
    asyncio.run(one.remember(session, ""))
    asyncio.run(one.make_token(seen(one, session), "scores", Role.PLAYER, 7))
    with pytest.raises(AccessError):
        asyncio.run(one.sign_in("Ada", "111111", STRANGER))
    with database.read_transaction() as looked:
        schema = f"gnomon-people-{database.hall}"
        looked.rows("SELECT set_config('search_path', ?, true)", (f'"{schema}"',))
        told = [looked.rows(f"SELECT * FROM {table}") for table in TABLES]  # noqa: S608 - constants
    assert session not in str(told)
    assert PIN not in str(told)
    assert code.text not in str(told)
    assert all(told), "each table has something"
    database.close()


def test_people_of_before_get_the_tables_of_codes_and_failures(hall_url: str) -> None:
    database = open_database(hall_url)
    open_accounts(database).add_person("Ada", "ada", Role.ADMIN, "hash", 1.0)
    with database.write_transaction() as session:
        for table in ("code", "attempt"):
            session.run(f'DROP TABLE "gnomon-people-{database.hall}".{table}')
    store = open_accounts(database)
    door = Authenticator(store, SetClock(), AccessTerms(is_shared=True), hasher=QUICK)
    assert door.show_code().role is Role.PLAYER, "Ada is still there"
    database.close()


def test_halls_of_one_database_have_people_of_their_own(hall_url: str) -> None:
    database = open_database(hall_url)
    one, other = open_accounts(database), open_accounts(database.within(f"{database.hall}-b"))
    one.add_person("Ada", "ada", Role.ADMIN, "hash", 1.0)
    assert ([each.name for each in one.people()], other.people()) == (["Ada"], [])
    other.add_person("Ada", "ada", Role.PLAYER, "", 1.0)
    with pytest.raises(NameTakenError):
        one.add_person("ADA", "ada", Role.PLAYER, "", 1.0)
    database.close()


@pytest.mark.parametrize("kind", ["file", "database"])
def test_people_are_kept_alike_in_a_file_and_in_a_database(kind: str, hall_url: str) -> None:
    database = open_database(hall_url)
    store = AccountStore.in_memory() if kind == "file" else open_accounts(database)
    assert (store.newest(), store.time(), store.has_admin()) == (0.0, None, False)
    ada = store.add_person("Ada", "ada", Role.ADMIN, "hash", 10.0)
    ben = store.add_person("Ben", "ben", Role.PLAYER, "", 11.0)
    assert (ada.id, ben.id, ben.is_device) == (1, 2, True)
    with pytest.raises(LastAdminError):
        store.change_role(ada.id, Role.PLAYER)
    with pytest.raises(LastAdminError):
        store.remove_person(ada.id)
    session = BrowserSession("s1", ada.id, 20.0, 20.0, "Firefox")
    store.add_session(b"d1", session)
    store.add_session(b"d2", session._replace(id="s2", person=ben.id), instead_of=b"d0")
    with pytest.raises(AccountConflictError):
        store.add_session(b"d3", session._replace(id="s3", person=99))
    assert store.session(b"d1") == (session, store.person(ada.id))
    store.session_seen(b"d2", 30.0)
    assert [each.id for each in store.sessions()] == ["s2", "s1"]
    store.add_token(b"t1", Token("k1", ada.id, "scores", Role.PLAYER, 40.0, 99.0, None))
    store.token_seen(b"t1", 50.0)
    assert (store.newest(), store.tokens()[0].seen) == (50.0, 50.0)
    for number in range(25):
        store.add_device(b"v%d" % number, ada.id, float(number))
    assert (store.device(b"v3"), store.device(b"v24")) == (None, ada.id)
    store.age(25.0, 5.0)
    assert [each.seen for each in store.sessions()] == [30.0, 15.0]
    for seconds in (1.0, 2.0):
        store.save_time(SavedTime(seconds, 0.5, "boot", 7, 3.0))
    assert store.time() == SavedTime(2.0, 0.5, "boot", 7, 3.0)
    store.sweep(seen_before=16.0, made_before=0.0, now=100.0)
    assert ([each.id for each in store.sessions()], store.tokens()) == (["s2"], [])
    store.refresh_secret(ada.id, "hash", "other")
    store.remove_person(ben.id)
    assert (store.sessions(), store.by_name("ada")) == ([], (ada.id, "Ada", Role.ADMIN, "other", 10.0, 20.0))
    store.forget_everyone()
    assert store.people() == []
    store.close()
    database.close()


def test_who_was_in_a_file_is_taken_over_once(hall_url: str, tmp_path: Path) -> None:
    before = AccountStore.open(tmp_path / "people.sqlite")
    clock = SetClock()
    asyncio.run(door(before, clock).add_person("Ada", Role.ADMIN, PIN))
    session = asyncio.run(door(before, clock).sign_in("Ada", PIN, STRANGER))
    database = open_database(hall_url)
    store = open_accounts(database)
    for _ in range(2):
        store.copy_from(before)
    assert seen(door(store, clock), session).name == "Ada"
    assert store.people() == before.people()
    before.close()
    database.close()


def test_a_database_that_is_away_is_not_waited_for_by_everybody(hall_url: str) -> None:
    database, now = open_database(hall_url), [Instant(0)]
    store = open_accounts(database, lambda: now[0])

    class Away:
        hall, asked = database.hall, 0

        def write_transaction(self) -> object:
            self.asked += 1
            message = "away"
            raise StoreError(message)

    there, away = store.tables, Away()
    one = door(store, SetClock())
    asyncio.run(one.add_person("Ada", Role.ADMIN, PIN))
    session = asyncio.run(one.sign_in("Ada", PIN, STRANGER))
    there._database = away  # type: ignore[attr-defined]  # as much of a database as is needed
    for _ in range(3):
        with pytest.raises(AccountsAwayError):
            store.people()
    assert away.asked == 1
    assert seen(one, session).role is Role.SPECTATOR, "who has signed in looks on meanwhile"
    assert one.who(Headers({"cookie": f"gnomon_session={session}"}), secure=False) is None
    with pytest.raises(AccountsAwayError):
        asyncio.run(one.visitor(Headers({"authorization": "Bearer any"}), "10.0.0.1", secure=False))
    assert away.asked == 1
    now[0] = after(now[0], AWAY)
    with pytest.raises(AccountsAwayError):
        store.people()
    there._database = database  # type: ignore[attr-defined]  # likewise
    now[0] = Instant(now[0] + 10 * SECOND)
    assert seen(one, session).role is Role.ADMIN
    database.close()
