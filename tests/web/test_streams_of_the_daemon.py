"""The daemon's pages in their thread: what they show and what is entered there, and the bounds of their connections."""

import asyncio
import json
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
import pytest
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from gnomon.referee.setup import GameSetup
from gnomon.web.access import Authenticator, Role, Visitor
from gnomon.web.access.authenticator import AccessTerms
from gnomon.web.access.password_hashes import argon2
from gnomon.web.access.store import AccountStore
from gnomon.web.server.connections import Bounds
from gnomon.web.server.listener import Listener
from gnomon_pi.pages.live_board import LoopBridge, PageBoard
from gnomon_pi.pages.server import PageServer
from gnomon_pi.runtime.service import Orders
from tests.bench._live_daemon import Live, live
from tests.web.visitors import PIN, SetClock

LOCAL = "127.0.0.1"
PATIENCE = 60.0  # seconds; a bound for a machine in trouble, never waited for


@asynccontextmanager
async def served(daemon: Live) -> AsyncIterator[httpx.AsyncClient]:
    """A program of an admin that asks the daemon's pages, which are served meanwhile."""
    door = Authenticator(AccountStore.in_memory(), SetClock(), AccessTerms(), hasher=argon2(memory=8, passes=1))
    person = await door.add_person("Ada", Role.ADMIN, PIN)
    token = await door.make_token(Visitor(Role.ADMIN, person.name, person.id), "a program", Role.ADMIN, 1)
    page = PageServer(LOCAL, 0)
    serving = daemon.serve(page, door)
    address, headers = f"http://{LOCAL}:{page.port}", {"Authorization": f"Bearer {token}"}
    async with httpx.AsyncClient(base_url=address, headers=headers, timeout=PATIENCE) as client:
        yield client
    serving.cancel()
    await asyncio.gather(serving, return_exceptions=True)
    page.close()


async def heard(lines: AsyncIterator[str]) -> dict[str, Any]:
    """The next event of a stream."""
    async for line in lines:
        if line.startswith("data: "):
            value: dict[str, Any] = json.loads(line.removeprefix("data: "))
            return value
    message = "the stream has ended"
    raise AssertionError(message)


async def a_visit() -> dict[str, Any]:
    """Everything that one who visits a running daemon sees and does."""
    found: dict[str, Any] = {}
    async with live(Orders(GameSetup(settings={"level": 2}))) as daemon:
        async with served(daemon) as client, client.stream("GET", "/board/events") as stream:
            found["threads"] = [thread.name for thread in threading.enumerate()]
            lines = stream.aiter_lines()
            found["at once"] = await heard(lines)
            found["entered"] = (await client.post("/api/v1/board/turns", json={"text": "D1-D2"})).json()
            found["read"] = (await client.get("/api/v1/board")).json()
            found["told"] = found["at once"]
            while not found["told"]["plies"]:
                found["told"] = await heard(lines)
            refused = await client.post("/api/v1/board/games", json={"game": "tamsk"})
            found["refused"] = (refused.status_code, refused.json())
            lifted = await client.post("/api/v1/simulation/hands", json={"verb": "lift", "space": "A4"})
            found["bench"] = lifted.json()["table"]["in_hand"]
            table = daemon.playground.table
            found["table"] = None if table is None else list(table.in_hand)
            found["sheet"] = (await client.get("/api/v1/games/1/sheet")).text
        found["left"] = [thread.name for thread in threading.enumerate()]
    return found


def test_the_pages_show_and_enter_from_a_thread_of_their_own() -> None:
    found = asyncio.run(a_visit())
    assert "pages" in found["threads"]
    assert "pages" not in found["left"]
    assert found["at once"]["game"] == "tamsk"
    assert found["entered"]["accepted"]
    assert [ply["text"] for ply in found["read"]["plies"]] == ["D1-D2"]
    assert [ply["text"] for ply in found["told"]["plies"]] == ["D1-D2"]
    status, told = found["refused"]
    assert (status, told["error"]) == (409, "The current game is not finished: say who abandons it.")
    assert found["bench"] == found["table"] != []
    assert "red D1-D2" in found["sheet"]


def test_a_wired_board_has_no_bench_and_shows_none() -> None:
    async def visit() -> tuple[int, str]:
        async with live(Orders()) as daemon:
            page, journal = PageServer(LOCAL, 0), daemon.service._parts.journal
            serving = asyncio.create_task(
                page.serve(daemon.service.controller, journal, Authenticator.without_accounts())
            )
            async with httpx.AsyncClient(base_url=f"http://{LOCAL}:{page.port}", timeout=PATIENCE) as client:
                found = (await client.get("/bench/")).status_code, (await client.get("/")).text
            serving.cancel()
            await asyncio.gather(serving, return_exceptions=True)
            page.close()
        return found

    status, landing = asyncio.run(visit())
    assert status == 404
    assert "bench" not in landing


def test_pages_that_fail_end_their_serving_with_what_failed_them() -> None:
    class BrokenPage(PageServer):
        async def listen(self, page: object) -> None:
            del page
            message = "the address is gone"
            raise RuntimeError(message)

    async def serve() -> None:
        async with live(Orders()) as daemon:
            page = BrokenPage(LOCAL, 0)
            with pytest.raises(RuntimeError, match="the address is gone"):
                await daemon.serve(page, Authenticator.without_accounts())
            page.close()

    asyncio.run(serve())


def test_what_has_begun_in_the_daemon_is_finished_also_when_nobody_waits_for_it() -> None:
    async def work() -> list[str]:
        done: list[str] = []
        has_begun, goes_on, is_done = asyncio.Event(), asyncio.Event(), asyncio.Event()

        async def two_steps() -> None:
            done.append("given up")
            has_begun.set()
            await goes_on.wait()
            done.append("begun")
            is_done.set()

        asking = asyncio.create_task(LoopBridge(asyncio.get_running_loop())(two_steps()))
        await has_begun.wait()
        asking.cancel()
        await asyncio.gather(asking, return_exceptions=True)
        goes_on.set()
        await is_done.wait()
        return done

    assert asyncio.run(work()) == ["given up", "begun"]


def test_a_board_shows_one_moment_until_its_loop_goes_on() -> None:
    async def look() -> tuple[object, object, object]:
        async with live(Orders()) as daemon:
            board = await PageBoard.of(daemon.service.controller, LoopBridge(asyncio.get_running_loop()))
            before = board.game(), board.now()
            await daemon.service.controller.new_game(GameSetup(settings={"level": 1}))
            await asyncio.sleep(0)
            game = board.game()
            return before, None if game is None else game.rules.name, daemon.service.controller.game() is game

    assert asyncio.run(look()) == ((None, 0), "tamsk", True)


# Connections


@asynccontextmanager
async def listening(bounds: Bounds, body: bytes = b"well") -> AsyncIterator[int]:
    async def answer(_request: object) -> Response:
        return PlainTextResponse(body)

    listener = Listener(LOCAL, 0, bounds=bounds)
    serving = asyncio.create_task(listener.listen(Starlette(routes=[Route("/", answer)])))
    yield listener.port
    serving.cancel()
    await asyncio.gather(serving, return_exceptions=True)


ASK = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"


def test_one_connection_too_many_is_told_so_and_closed() -> None:
    async def ask() -> list[bytes]:
        async with listening(Bounds(at_most_of_one=1)) as port:
            reader, writer = await asyncio.open_connection(LOCAL, port)
            writer.write(ASK)
            first = await reader.readuntil(b"well")
            second_reader, second = await asyncio.open_connection(LOCAL, port)
            refused = await second_reader.read()
            elsewhere_reader, elsewhere = await asyncio.open_connection(LOCAL, port, local_addr=("127.0.0.2", 0))
            elsewhere.write(ASK)
            third = await elsewhere_reader.readuntil(b"well")
            for each in (writer, second, elsewhere):
                each.close()
        return [answer.split(b"\r\n")[0] for answer in (first, refused, third)]

    assert asyncio.run(ask()) == [b"HTTP/1.1 200 OK", b"HTTP/1.1 503 Service Unavailable", b"HTTP/1.1 200 OK"]


@pytest.mark.parametrize("sent", [b"", b"GET / HTTP/1.1\r\nHost: loc"])
def test_a_request_that_never_ends_is_not_waited_for(sent: bytes) -> None:
    async def ask() -> bytes:
        async with listening(Bounds(head=0.05)) as port:
            reader, writer = await asyncio.open_connection(LOCAL, port)
            writer.write(sent)
            heard = b""
            try:
                async with asyncio.timeout(PATIENCE):
                    while chunk := await reader.read(4096):
                        heard += chunk
            except ConnectionResetError:
                pass
            writer.close()
            return heard

    assert asyncio.run(ask()) == b""


def test_who_never_reads_an_answer_is_let_go() -> None:
    async def ask() -> None:
        async with listening(Bounds(stuck=0.05), bytes(20_000_000)) as port:
            reader, writer = await asyncio.open_connection(LOCAL, port, limit=1024)
            writer.write(ASK)
            await reader.readexactly(10)
            try:
                async with asyncio.timeout(PATIENCE):
                    await write_for_good(writer)
            finally:
                writer.close()

    with pytest.raises(ConnectionError):
        asyncio.run(ask())


async def write_for_good(writer: asyncio.StreamWriter) -> None:
    """Write until the other side has let go. Raises ConnectionError then."""
    while True:
        writer.write(b"x")
        await writer.drain()
        await asyncio.sleep(0.01)
