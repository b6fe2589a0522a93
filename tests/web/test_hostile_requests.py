"""What nobody of good will sends is refused in one sentence, and leaves no traceback in the log."""

import asyncio
import json
import re
import socket
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from itertools import product
from random import Random
from typing import Any, Final, NamedTuple
from urllib.parse import quote_from_bytes

import httpx
import pytest
from starlette.routing import BaseRoute, Mount, Route

from gnomon.web._later_pages import LaterPages
from gnomon.web.access import Authenticator, Role, Visitor
from gnomon.web.access.authenticator import AccessTerms
from gnomon.web.access.store import AccountStore
from gnomon.web.api._description import describe_api
from gnomon.web.api._routing import OPERATIONS
from gnomon_pi.pages.server import Room
from gnomon_pi.runtime.service import Orders
from tests.bench._live_daemon import live
from tests.daemon.kept_page import KeptPage
from tests.web.visitors import PIN, QUICK, SetClock

LOCAL: Final = "127.0.0.1"
OF_EACH: Final = 1
"""Requests to each route of a run in the suite, drawn from all that there are."""

# What stands in the place of a value: each has once broken something, here or elsewhere.
VALUES: Final[Sequence[Any]] = (
    None, True, -1, 0, 10**18, 10**400, 1.5e308, "", "x" * 600, "9" * 600, "\ud800", "\x00", "../../etc/passwd",
    "D1-D2", "a1b1", "red", "tamsk", "١٢", "½", "-0", "1e999", [], [[]], {}, {"a": {}}, ["a", 1, None],
)  # fmt: skip
NAMES: Final = (
    "abandon", "account", "after", "again", "annul", "answer", "back", "board", "brain", "choice", "claim", "clock",
    "code", "cycles", "days", "draw", "event", "find", "from", "game", "give_back", "glass", "ground", "hand",
    "hint", "how", "input", "label", "level", "minutes", "move", "moves", "name", "name-1", "now", "number",
    "opponent", "opponent-hands", "opponent-side", "opponent_hands", "opponent_plays", "other", "pace", "page",
    "paper", "period", "person", "place", "player", "plies", "ply", "points", "reason", "result", "role", "round",
    "scale", "second", "seconds", "secret", "seed", "seen", "session", "settings", "since", "solution", "space",
    "spells", "state", "step", "temperament", "text", "time", "to", "token", "turn", "turned", "turns", "undo",
    "upheld", "verb", "who", "why", "winner",
)  # fmt: skip
RAW: Final = (
    b"", b"\xff\xfe\x00", b"{", b"[" * 20_000, b'{"a":' * 5_000, b"null", b"NaN", b'{"text": "\\ud800"}', b"%", b"=&=;",
    b"a=%ff%fe", b"--x\r\n\r\n--x--",
    b'--x\r\nContent-Disposition: form-data; name="a"; filename="b"\r\n\r\n\xff\r\n--x--',
)  # fmt: skip
TYPES: Final = (
    "application/json", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "multipart/form-data",
    "text/plain", "application/json; charset=utf-7", "\xff",
)  # fmt: skip
ORDERS: Final = ("new", "correct", "enter", "throw", "read")


class Hostile(NamedTuple):
    """A request of somebody of ill will."""

    method: str
    path: str
    body: bytes = b""
    kind: str = ""


def routes_of(routes: Sequence[BaseRoute], under: str = "") -> Iterator[tuple[str, str]]:
    """Every method and path; parameters are left in braces."""
    for route in routes:
        if isinstance(route, Mount):
            yield from routes_of(getattr(route.app, "routes", []), under + route.path)
        elif isinstance(route, Route):
            for method in sorted((route.methods or {"GET"}) - {"HEAD"}):
                yield method, under + route.path
        elif isinstance(route, LaterPages):
            yield from routes_of(route.routes, under)


def requests_to(method: str, path: str) -> Iterator[Hostile]:
    """Everything hostile that is sent to one route."""
    places = re.findall(r"{[^}]+}", path)
    for value in ("1", "0", "-1", "9" * 400, "%ff", "..%2f..", "%00", "tamsk", "\u0661") if places else ("",):
        plain = re.sub(r"{[^}]+}", value, path)
        if "events" not in plain and "stream" not in plain:
            yield Hostile(method, plain)
    plain = re.sub(r"{[^}]+}", "1", path)
    if method != "GET":
        yield from bodies_to(method, plain)
        yield from misshapen(path, method, plain)
    elif "events" not in plain and "stream" not in plain:
        for value, name in product(map(as_text, VALUES), NAMES):
            yield Hostile(method, f"{plain}?{name}={value}")
        yield Hostile(method, plain + "?" + "&".join(f"{name}=%ff" for name in NAMES))


def bodies_to(method: str, path: str) -> Iterator[Hostile]:
    """What is no body of any of our pages, and what has a wrong value everywhere."""
    for kind, body in product(TYPES, RAW):
        yield Hostile(method, path, body, kind)
    for value in VALUES:
        yield Hostile(method, path, as_json(dict.fromkeys(NAMES, value)), TYPES[0])
        yield Hostile(method, path, "&".join(f"{name}={as_text(value)}" for name in NAMES).encode(), TYPES[1])
        for order in ORDERS if "/simulation/" in path else ():
            yield Hostile(method, path, as_json({order: value}), TYPES[0])
    for first in range(0, len(NAMES), 10):
        numbers = dict.fromkeys(NAMES[first : first + 10], "9" * 4400)  # more digits than Python reads
        yield Hostile(method, path, as_json(numbers), TYPES[0])
        yield Hostile(method, path, "&".join(f"{name}={value}" for name, value in numbers.items()).encode(), TYPES[1])


def misshapen(path: str, method: str, plain: str) -> Iterator[Hostile]:
    """Bodies of the right shape with one wrong value, for what the interface describes."""
    found = describe_api(OPERATIONS)["paths"].get(path.removeprefix("/api/v1"), {}).get(method.lower(), {})
    shape = found.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {})
    names = list(shape.get("properties", {}))
    usual = dict.fromkeys(names, "1")
    for name, value in product(names, VALUES):
        yield Hostile(method, plain, as_json({**usual, name: value}), TYPES[0])
        yield Hostile(method, plain, as_json({name: value}), TYPES[0])


def as_json(value: object) -> bytes:
    return json.dumps(value).encode()


def as_text(value: object) -> str:
    text = value if isinstance(value, str) else json.dumps(value) if not isinstance(value, int) else hex(value)
    return quote_from_bytes(text.encode("utf-8", "surrogatepass"), safe="")


@asynccontextmanager
async def served() -> AsyncIterator[tuple[KeptPage, httpx.AsyncClient]]:
    """The pages of a daemon, and an admin's program that asks there."""
    door = Authenticator(AccountStore.in_memory(), SetClock(), AccessTerms(), hasher=QUICK)
    person = await door.add_person("Ada", Role.ADMIN, PIN)
    token = await door.make_token(Visitor(Role.ADMIN, person.name, person.id), "a program", Role.ADMIN, 1)
    async with live(Orders()) as daemon:
        page = KeptPage(LOCAL, 0, room=Room(allowance=None))
        serving = daemon.serve(page, door)
        headers = {"Authorization": f"Bearer {token}", "Host": "localhost"}
        async with httpx.AsyncClient(base_url=f"http://{LOCAL}:{page.port}", headers=headers, timeout=60) as client:
            assert (await client.get("/")).status_code == 200
            await record_game(client)
            yield page, client
        serving.cancel()
        await asyncio.gather(serving, return_exceptions=True)
        page.close()


async def record_game(client: httpx.AsyncClient) -> None:
    """Have a game played and ended, so that there is one to replay, to analyse and to guess; and then another begun."""
    for turn in ({"game": "tabik", "settings": {"size": 4}, "abandon": True}, "a1b1", "c1c2", "d4c4"):
        where, body = ("turns", {"text": turn}) if isinstance(turn, str) else ("games", turn)
        assert (await client.post(f"/api/v1/board/{where}", json=body)).is_success
    ended = {"event": "result_declared", "winner": "black", "reason": "resigned"}
    assert (await client.post("/api/v1/board/corrections", json=ended)).is_success
    assert (await client.post("/api/v1/board/games", json={"game": "tamsk", "settings": {"level": 1}})).is_success
    assert (await client.get("/guess/1")).is_success


def is_sentence(answer: httpx.Response) -> bool:
    """Whether an answer refuses in one sentence, or with a page for people."""
    if "html" in answer.headers.get("content-type", ""):
        return True
    try:
        told = answer.json()
    except ValueError:
        return False
    return isinstance(told, dict) and "\n" not in str(told["error"])


async def attack(of_each: int, seed: int = 11) -> list[tuple[Hostile, int, str]]:
    """What broke the pages, with so many requests to each route: the request, the status and the answer."""
    broken = []
    async with served() as (page, client):
        random = Random(seed)
        for route in routes_of(page.app.routes):
            every = list(requests_to(*route))
            for each in random.sample(every, min(of_each, len(every))):
                headers = [(b"content-type", each.kind.encode("latin-1"))]
                answer = await client.request(each.method, each.path, content=each.body, headers=headers)
                if answer.status_code >= 500 or (answer.status_code >= 400 and not is_sentence(answer)):
                    broken.append((each, answer.status_code, answer.text[:300]))
    return broken


def test_no_request_breaks_a_page(capfd: pytest.CaptureFixture[str]) -> None:
    assert asyncio.run(attack(OF_EACH)) == []
    assert "Traceback" not in capfd.readouterr().err


# Below the requests

HOST: Final = b"Host: localhost\r\n"
BROKEN: Final[Mapping[str, bytes]] = {
    "no protocol": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
    "no request": b"HELLO\r\n\r\n",
    "no number": b"POST /x HTTP/1.1\r\n" + HOST + b"Content-Length: many\r\n\r\n",
    "two numbers": b"POST /x HTTP/1.1\r\n" + HOST + b"Content-Length: 1\r\nContent-Length: 2\r\n\r\nab",
    "no chunks": b"POST /x HTTP/1.1\r\n" + HOST + b"Transfer-Encoding: chunked\r\n\r\nthis is none\r\n",
    "endless chunk": b"POST /x HTTP/1.1\r\n" + HOST + b"Transfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\n",
    "half a chunk": b"POST /x HTTP/1.1\r\n" + HOST + b"Transfer-Encoding: chunked\r\n\r\n5\r\nabcdeXX\r\n",
    "other coding": b"POST /x HTTP/1.1\r\n" + HOST + b"Transfer-Encoding: gzip\r\n\r\n",
    "bad second": b"GET / HTTP/1.1\r\n" + HOST + b"\r\nRUBBISH\r\n\r\n",
    "body behind": b"GET / HTTP/1.1\r\n" + HOST + b"\r\n\x00\xff\x00",
    "bad third": (b"GET / HTTP/1.1\r\n" + HOST + b"\r\n") * 2 + b"POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
    "upgrade": b"GET / HTTP/1.1\r\n" + HOST + b"Connection: upgrade\r\nUpgrade: websocket\r\n\r\n",
    "long head": b"GET / HTTP/1.1\r\n" + HOST + b"X: " + b"x" * 70_000 + b"\r\n\r\n",
    "no host": b"GET / HTTP/1.1\r\n\r\n",
    "address": b"GET http://elsewhere/ HTTP/1.1\r\n" + HOST + b"\r\n",
    "large body": b"POST /sign-in HTTP/1.1\r\n" + HOST + b"Content-Length: 1000000\r\n\r\n" + bytes(1_000_000),
    "half a body": b"POST /sign-in HTTP/1.1\r\n" + HOST + b"Content-Length: 100\r\n\r\nname=Ada",
}


def answered(port: int, sent: bytes) -> bytes:
    """What is answered to bytes, until the other side has ended."""
    heard = b""
    with socket.create_connection((LOCAL, port), timeout=60) as connection:
        try:
            connection.sendall(sent)
            connection.shutdown(socket.SHUT_WR)
            while chunk := connection.recv(65536):
                heard += chunk
        except ConnectionError:  # it was let go at once
            pass
    return heard


def test_what_is_no_request_is_let_go_without_a_word_in_the_log(capfd: pytest.CaptureFixture[str]) -> None:
    async def ask() -> dict[str, bytes]:
        async with served() as (page, client):
            found = {name: await asyncio.to_thread(answered, page.port, sent) for name, sent in BROKEN.items()}
            assert (await client.get("/")).status_code == 200
            return found

    found = asyncio.run(ask())
    assert capfd.readouterr().err == ""
    for name, heard in found.items():
        statuses = [int(status) for status in re.findall(rb"HTTP/1.1 (\d+) ", heard)]
        assert all(status < 500 for status in statuses), name
    assert found["no request"].endswith(b'{"error": "This is not a request that can be understood."}')
    assert b" 200 OK" in found["bad second"]
    assert found["half a body"] == b""
    assert b"This takes at most 65536 bytes." in found["large body"]
