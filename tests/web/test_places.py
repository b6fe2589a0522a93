"""Who has a place among the connections of the pages, and what it takes to keep others out."""

import asyncio
import errno
import resource
import socket
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from gnomon.web.access import Authenticator, Gate, Role, Visitor
from gnomon.web.access.authenticator import AccessTerms
from gnomon.web.access.store import AccountStore
from gnomon.web.server._slots import (
    GRACE,
    GUESTS_OF_ONE,
    REMEMBERED,
    Bounds,
    ConnectionSlot,
    ConnectionSlots,
    SlotTerms,
)
from gnomon.web.server.listener import (
    EVERY,
    KINDS,
    LONGEST,
    SPARE,
    Acceptor,
    ErrorLog,
    Listener,
    raise_descriptor_limit,
    within,
)
from tests.web.visitors import PIN, QUICK, SetClock

LOCAL = "127.0.0.1"
FEW = Bounds(at_most=12, at_most_of_one=5, at_most_of_network=8, kept=4, opened_at_once=1e6)
STEPS = st.lists(
    st.tuples(st.sampled_from(["enter", "leave", "know"]), st.integers(0, 7), st.floats(0, 2)), max_size=80
)


@given(STEPS)
def test_whatever_comes_nobody_holds_more_than_is_theirs_and_the_known_are_never_put_out(
    steps: list[tuple[str, int, float]],
) -> None:
    places, held, now = ConnectionSlots(FEW), list[ConnectionSlot](), 0.0
    for what, which, passed in steps:
        now += passed
        if what == "enter":
            evicted: list[ConnectionSlot] = []
            before = Counter(place.network for place in held)
            place = places.enter(f"10.0.0.{which}", now)
            gone = [each for each in held if each not in places._taken]
            held = [each for each in held if each in places._taken]
            assert all(each.standing is not SlotTerms.KNOWN for each in gone)
            assert all(
                before[each.network] > before[f"10.0.0.{which}"] + 1 or now - each.since >= GRACE for each in gone
            )
            assert not evicted
            if place is not None:
                held.append(place)
        elif held and what == "leave":
            places.leave(held.pop(which % len(held)))
        elif held:
            held[which % len(held)].know()
        assert places.number == len(held) <= FEW.at_most
        of_one = Counter(place.address for place in held)
        assert max(of_one.values(), default=0) <= FEW.at_most_of_one + GUESTS_OF_ONE
        public = sum(place.standing is SlotTerms.PUBLIC for place in held)
        assert public <= FEW.at_most - FEW.kept


def filled(places: ConnectionSlots, networks: int, each: int) -> list[ConnectionSlot]:
    """Connections of strangers, as many as they get."""
    found = [places.enter(f"10.9.{number}.1", 0.0) for _ in range(each) for number in range(networks)]
    return [place for place in found if place is not None]


def test_a_newcomer_is_given_a_place_of_those_who_hold_most() -> None:
    places = ConnectionSlots(FEW)
    closed: list[str] = []
    for place in filled(places, 2, 4):
        place.close = lambda place=place: closed.append(place.address)  # type: ignore[misc]  # mypy infers no default
    assert places.number == FEW.at_most - FEW.kept
    arbiter = places.enter("10.0.0.1", 0.0)
    assert arbiter is not None
    assert arbiter.standing is SlotTerms.PUBLIC
    assert closed == ["10.9.0.1"]


def test_where_everybody_holds_as_little_newcomers_are_guests_for_a_moment() -> None:
    places = ConnectionSlots(FEW)
    filled(places, 8, 1)
    guests = [places.enter(f"10.0.0.{number}", 0.0) for number in range(FEW.kept)]
    assert [guest.standing for guest in guests if guest is not None] == [SlotTerms.GUEST] * FEW.kept
    assert places.is_full(0.5)
    assert not places.is_full(GRACE)
    assert places.enter("10.0.0.99", 0.5) is None
    assert places.enter("10.0.0.99", GRACE) is not None
    assert guests[0] is not None
    guests[0].know()  # it has gone: nothing happens to anybody
    assert places.number == FEW.at_most


def test_a_guest_who_has_signed_in_stays_and_is_remembered() -> None:
    places = ConnectionSlots(FEW)
    filled(places, 8, 1)
    arbiter = places.enter("10.0.0.1", 0.0)
    assert arbiter is not None
    arbiter.know()
    assert arbiter.standing is SlotTerms.KNOWN
    for _ in range(FEW.at_most_of_one - 1):
        place = places.enter("10.0.0.1", 0.0)
        assert place is not None
        places.leave(place)
    for number in range(REMEMBERED + 1):
        places.know(ConnectionSlot(f"10.1.{number // 256}.{number % 256}", f"n{number}", 0.0, SlotTerms.PUBLIC, places))
    assert len(places._signed_in) == REMEMBERED


def test_who_shares_an_address_with_a_flood_gets_in_where_somebody_there_has_signed_in() -> None:
    places = ConnectionSlots(FEW)
    first = places.enter("10.0.0.1", 0.0)
    assert first is not None
    first.know()
    while places.number < FEW.at_most_of_one:
        assert places.enter("10.0.0.1", 0.0) is not None
    late = places.enter("10.0.0.1", 0.0)
    assert late is not None
    assert late.standing is SlotTerms.GUEST


def test_all_addresses_of_a_telephone_are_one_network_and_those_of_ipv4_each_their_own() -> None:
    places = ConnectionSlots(FEW)
    taken = [places.enter(f"2001:db8::{number:x}", 0.0) for number in range(20)]
    assert sum(place is not None for place in taken) == FEW.at_most_of_network
    assert places.enter("2001:db8:0:1::1", 0.0) is not None


def test_who_opens_one_after_the_other_is_refused_before_it_costs_anything() -> None:
    places = ConnectionSlots(Bounds(opened=1.0, opened_at_once=3.0))
    for _ in range(3):
        place = places.enter("10.0.0.1", 0.0)
        assert place is not None
        places.leave(place)
    assert places.enter("10.0.0.1", 0.5) is None
    assert places.enter("10.0.0.2", 0.5) is not None
    assert places.enter("10.0.0.1", 1.5) is not None
    proxied = ConnectionSlots(Bounds(opened=1.0, opened_at_once=1.0), ["10.0.0.1"])
    assert all(proxied.enter("10.0.0.1", 0.0) is not None for _ in range(10))


def test_what_repeats_is_written_once_a_minute() -> None:
    written: list[str] = []
    now = 0.0
    log = ErrorLog(lambda: now, written.append)
    for _ in range(1000):
        log.report("a", "It failed.", "details\n")
    now = EVERY
    log.report("a", "It failed.", "details\n")
    log.report("b", "Something else.")
    assert written == [
        "It failed.\ndetails\n",
        "It failed. (1000 times since this was last written)\n",
        "Something else.\n",
    ]
    for number in range(2 * KINDS):
        log.report(str(number), "So many.")
    assert len(log._kinds) == KINDS


def test_connections_stay_below_the_descriptors_of_the_process() -> None:
    soft = raise_descriptor_limit()
    assert soft == resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    for descriptors in (64, 512, 1024, 4096):
        bounds = within(Bounds(), descriptors)
        assert bounds.at_most <= max(16, descriptors - SPARE)
        assert bounds.kept < bounds.at_most


def test_without_descriptors_it_is_said_once_and_nobody_is_accepted_for_a_while() -> None:
    written: list[str] = []

    class Exhausted(socket.socket):
        times = 0

        def accept(self) -> tuple[socket.socket, object]:
            Exhausted.times += 1
            raise OSError(errno.EMFILE, "Too many open files")

    async def accept() -> None:
        with Exhausted() as listening:
            listening.bind((LOCAL, 0))
            listening.listen()
            acceptor = Acceptor(
                listening,
                ConnectionSlots(FEW),
                lambda _: asyncio.Protocol(),
                None,
                ErrorLog(lambda: 0.0, written.append),
            )
            acceptor.start()
            for _ in range(3):
                acceptor._accept()
            acceptor.stop()

    asyncio.run(accept())
    assert written == ["No connection to the pages can be accepted now: Too many open files.\n"]


def test_no_piece_of_an_answer_waits_until_the_one_before_was_acknowledged() -> None:
    async def accept() -> int:
        made: asyncio.Future[int] = asyncio.get_running_loop().create_future()

        class Looking(asyncio.Protocol):
            def connection_made(self, transport: asyncio.BaseTransport) -> None:
                accepted = transport.get_extra_info("socket")
                made.set_result(accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
                transport.close()

        with socket.create_server((LOCAL, 0)) as listening:
            listening.settimeout(0)
            acceptor = Acceptor(listening, ConnectionSlots(FEW), lambda _: Looking(), None, ErrorLog(lambda: 0.0))
            acceptor.start()
            with socket.create_connection(listening.getsockname()):
                async with asyncio.timeout(60):
                    option = await made
            acceptor.stop()
        return option

    assert asyncio.run(accept())


ASK = b"GET /%s HTTP/1.1\r\nHost: localhost\r\n\r\n"


@asynccontextmanager
async def house(bounds: Bounds) -> AsyncIterator[tuple[int, bytes]]:
    """Pages behind a door, their port, and the header of an arbiter's program."""
    door = Authenticator(AccountStore.in_memory(), SetClock(), AccessTerms(), hasher=QUICK)
    person = await door.add_person("Ada", Role.ARBITER, PIN)
    token = await door.make_token(Visitor(Role.ARBITER, person.name, person.id), "a program", Role.ARBITER, 1)

    async def answer(_request: Request) -> Response:
        return PlainTextResponse("well")

    listener = Listener(LOCAL, 0, bounds=bounds)
    app = Starlette(routes=[Route("/", answer)], middleware=[Middleware(Gate, door=door)])
    serving = asyncio.create_task(listener.listen(app))
    yield listener.port, f"Authorization: Bearer {token}".encode()
    serving.cancel()
    await asyncio.gather(serving, return_exceptions=True)


@pytest.mark.long
def test_ten_addresses_that_open_all_they_can_do_not_keep_the_arbiter_out(capfd: pytest.CaptureFixture[str]) -> None:
    bounds = Bounds(at_most=60, at_most_of_one=10, kept=12, opened_at_once=1e6)

    async def attack() -> list[bytes]:
        answers: list[bytes] = []
        async with house(bounds) as (port, token):
            flood = [socket.socket() for _ in range(300)]
            for number, each in enumerate(flood):
                each.setblocking(False)
                each.bind((f"127.0.0.{10 + number % 10}", 0))
                assert each.connect_ex((LOCAL, port)) in {0, errno.EINPROGRESS}
            async with asyncio.timeout(60):
                for number in range(3):
                    where = (f"127.0.0.{100 + number}", 0)
                    reader, writer = await asyncio.open_connection(LOCAL, port, local_addr=where)
                    for _ in range(2):
                        writer.write(b"GET / HTTP/1.1\r\nHost: localhost\r\n%s\r\n\r\n" % token)
                        answers.append((await reader.readuntil(b"well")).split(b"\r\n")[0])
                    writer.close()
            for each in flood:
                each.close()
        return answers

    assert asyncio.run(attack()) == [b"HTTP/1.1 200 OK"] * 6
    said = capfd.readouterr().err
    assert "Traceback" not in said
    assert len(said.splitlines()) <= 2  # that all is full, and that some are refused


def test_pages_that_are_cancelled_while_nobody_is_accepted_leave_nothing_behind() -> None:
    unexpected: list[object] = []

    async def serve() -> None:
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(lambda _, context: unexpected.append(context))
        async with house(Bounds()) as (port, _):
            reader, writer = await asyncio.open_connection(LOCAL, port)
            writer.write(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
            await reader.readuntil(b"well")  # so that somebody has been accepted, and a pause has begun
            writer.close()
        await asyncio.sleep(2 * LONGEST)

    asyncio.run(serve())
    assert unexpected == []
