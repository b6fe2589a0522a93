"""Codes stay out of everything that a reader who has not signed in can fetch from a simulated board."""

import asyncio
import base64
import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import httpx
import pytest
from starlette.routing import BaseRoute, Mount, Route

from gnomon.timekeeping.instants import Instant
from gnomon.views.display import oled
from gnomon.web._later_pages import LaterPages
from gnomon.web.access import Role
from gnomon_pi.cli._web_options import PageOptions, door_of
from gnomon_pi.pages.server import Room
from gnomon_pi.runtime.outputs import POSTED
from gnomon_pi.runtime.service import Orders
from tests.bench._live_daemon import live
from tests.daemon.kept_page import KeptPage

LOCAL = "127.0.0.1"
VALUES = {"number": "1", "name": "tamsk", "language": "en", "ply": "0", "kind": "json", "game": "tamsk", "path": "x"}


class Read(NamedTuple):
    """What was answered at one address."""

    status: int
    kind: str
    body: bytes


def paths(routes: Sequence[BaseRoute], under: str = "") -> Iterator[str]:
    """Every address that can be read, with something in the place of each parameter."""
    for route in routes:
        if isinstance(route, Mount):
            yield from paths(getattr(route.app, "routes", []), under + route.path)
        elif isinstance(route, Route) and "GET" in (route.methods or {"GET"}):
            path = re.sub(r"{(\w+)(:\w+)?}", lambda found: VALUES.get(found[1], "1"), under + route.path)
            yield path
        elif isinstance(route, LaterPages):
            yield from paths(route.routes, under)


async def read(client: httpx.AsyncClient, path: str) -> Read:
    """What is answered; of a stream the events that come at once, the picture of the display among them."""
    body = bytearray()
    last = b"event: display" if "/simulation/" in path else b"data: "
    async with client.stream("GET", path) as answer:
        kind = answer.headers.get("content-type", "")
        async for chunk in answer.aiter_bytes():
            body += chunk
            if kind.startswith("text/event-stream") and last in body and body.endswith(b"\n\n"):
                break
    return Read(answer.status_code, kind, bytes(body))


def displays(found: Read) -> list[bytes]:
    """The pictures of the display that an event stream told."""
    told = re.findall(r"event: display\ndata: (.*)\n", found.body.decode(errors="replace"))
    return [base64.b64decode(json.loads(each)) for each in told]


@pytest.mark.parametrize("has_admin", [False, True])
def test_nothing_that_anybody_may_read_of_a_simulated_board_holds_a_code(tmp_path: Path, has_admin: bool) -> None:
    said: list[str] = []

    async def visit() -> tuple[list[str], list[dict[str, Read]], list[set[bytes]], bytes]:
        codes, answers, drawn = [], [], []
        menu = b""
        front = PageOptions("0.0.0.0", 0)
        async with live(Orders()) as daemon:
            with door_of(front, tmp_path, daemon.service, daemon.watch, said.append, is_simulated=True) as door:
                assert door is not None
                if has_admin:
                    door.store.add_person("Ada", "ada", Role.ADMIN, "hash", 0.0)
                page = KeptPage(LOCAL, 0, room=Room(allowance=None))
                serving = daemon.serve(page, door)
                async with httpx.AsyncClient(base_url=f"http://{LOCAL}:{page.port}", timeout=60) as client:
                    assert (await client.get("/")).status_code == 200
                    for _ in range(2):
                        code = door.show_code()
                        await asyncio.sleep(0)
                        every = dict.fromkeys(paths(page.app.routes))
                        found = await asyncio.gather(*(read(client, path) for path in every))
                        codes.append(code.text)
                        answers.append(dict(zip(every, found, strict=True)))
                        turns = range(0, 2 * POSTED, POSTED)
                        show = daemon.service._show
                        assert show._offer is not None
                        menu = show._offer.tobytes()
                        drawn.append({show._picture(None, Instant(turn))[0].tobytes() for turn in turns})
                        assert door._codes.spend(code)
                        door._show_next()
                serving.cancel()
                await asyncio.gather(serving, return_exceptions=True)
                page.close()
        return codes, answers, drawn, menu

    codes, answers, drawn, menu = asyncio.run(visit())
    waiting = oled.screen(None, Instant(0)).tobytes()
    assert drawn[0] == drawn[1] == {waiting, menu}  # the menu says that a button opens it
    assert len({path for path, each in answers[0].items() if each.status == 200}) > 20
    assert set(displays(answers[0]["/api/v1/simulation/stream"])) <= {waiting, menu, bytes(len(waiting))}
    for code in codes:
        assert any(f"{code[:4]}-{code[4:]}" in line for line in said), "who sits at the machine is told"
        for found in answers:
            for path, each in found.items():
                letters = re.sub(rb"[^A-Z0-9]", b"", each.body.upper())
                assert code.encode() not in letters, path
    pictures = [path for path, each in answers[0].items() if each.kind.startswith("image/")]
    assert pictures
    assert all(answers[0][path] == answers[1][path] for path in pictures)
