"""The daemon keeps spectators behind when it is told to: the option, and the pages that it serves."""

import asyncio
import json
from typing import Any

import httpx
from click.testing import CliRunner

from gnomon.referee.setup import GameSetup
from gnomon.web.access import Authenticator, Role, Visitor
from gnomon.web.access.authenticator import AccessTerms
from gnomon.web.access.store import AccountStore
from gnomon_pi.cli._web_options import PageOptions, page_of
from gnomon_pi.cli.daemon import main
from gnomon_pi.pages.server import PageServer, Room
from gnomon_pi.runtime.service import Orders
from tests.bench._live_daemon import live
from tests.web.visitors import PIN, QUICK, SetClock

LOCAL = "127.0.0.1"
PATIENCE = 60.0  # seconds; a bound for a machine in trouble, never waited for
DELAY = 0.2  # seconds


async def an_evening() -> dict[str, Any]:
    """What a spectator and an admin get of one daemon."""
    found: dict[str, Any] = {}
    door = Authenticator(AccountStore.in_memory(), SetClock(), AccessTerms(), hasher=QUICK)
    person = await door.add_person("Ada", Role.ADMIN, PIN)
    token = await door.make_token(Visitor(Role.ADMIN, person.name, person.id), "a program", Role.ADMIN, 1)
    admin = {"Authorization": f"Bearer {token}"}
    async with live(Orders(GameSetup(settings={"level": 2}))) as daemon:
        page = PageServer(LOCAL, 0, room=Room(delay=DELAY))
        serving = daemon.serve(page, door)
        async with httpx.AsyncClient(base_url=f"http://{LOCAL}:{page.port}", timeout=PATIENCE) as client:
            found["admin"] = (await client.get("/api/v1/board", headers=admin)).json()["game"]
            found["bench"] = [(await client.get("/bench/", headers=each)).status_code for each in ({}, admin)]
            async with client.stream("GET", "/watch/events") as stream:
                async for line in stream.aiter_lines():
                    if line.startswith("data: ") and json.loads(line.removeprefix("data: "))["game"]:
                        break
            found["late"] = (await client.get("/api/v1/board")).json()["game"]
            found["written"] = [game["number"] for game in (await client.get("/api/v1/games")).json()["games"]]
            found["page"] = (await client.get("/games/1")).status_code
        serving.cancel()
        await asyncio.gather(serving, return_exceptions=True)
        page.close()
    return found


def test_a_daemon_shows_spectators_its_board_and_games_later_and_no_bench() -> None:
    assert asyncio.run(an_evening()) == {
        "admin": "tamsk",
        "bench": [401, 200],
        "late": "tamsk",
        "written": [1],
        "page": 200,
    }


def test_the_delay_is_what_the_command_line_says() -> None:
    with page_of(PageOptions(LOCAL, 0, delay=7.5)) as page:
        assert page is not None
        assert page._room.delay == 7.5


def test_a_delay_beyond_an_hour_is_refused() -> None:
    refused = CliRunner().invoke(main, ["--spectator-delay", "3601"])
    assert refused.exit_code == 2
    assert "3601" in refused.output
