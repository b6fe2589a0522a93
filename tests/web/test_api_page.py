"""The page about the interface: every command is run as it is written, every operation and every bound is told."""

import asyncio
import json
import re
import shlex
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from gnomon.web.access import Role
from gnomon.web.api._routing import OPERATIONS
from gnomon.web.live.streams import AT_MOST, AT_MOST_OF_ONE, KEPT
from gnomon.web.middleware.bodies import LARGEST, PATIENCE
from gnomon.web.middleware.limits import FILES, Allowance
from gnomon.web.server.connections import Bounds
from gnomon.web.server.listener import Listener
from tests.web.api_house import ApiHouse, written

PAGE = (Path(__file__).parents[2] / "docs" / "api.md").read_text(encoding="utf-8")
COMMANDS = re.findall(r"^    (curl (?:.*\\\n)*.*)$", PAGE, re.MULTILINE)


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[int, str]]:
    """The port of a house and a token of its admin."""
    with written(tmp_path_factory.mktemp("api")) as journal:
        house, listener = ApiHouse(journal, allowance=Allowance()), Listener("127.0.0.1", 0)
        token = house.token(Role.ADMIN)
        thread = threading.Thread(target=lambda: asyncio.run(listener.listen(house.app)))
        thread.start()
        yield listener.port, token
        listener.stop()
        thread.join()


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_of_the_page_is_answered(served: tuple[int, str], command: str) -> None:
    port, token = served
    words = [word.replace("$TOKEN", token).replace(":8765", f":{port}") for word in shlex.split(command)]
    is_stream = words[-1].endswith("/stream")
    asked = [words[0], "--fail-with-body", "--silent", "--show-error", "--max-time", "60", *words[1:]]
    if is_stream:
        with subprocess.Popen([*asked, "--no-buffer"], stdout=subprocess.PIPE, text=True) as run:
            assert run.stdout is not None
            told = "".join(run.stdout.readline() for _ in range(4))
            run.terminate()
        assert told.startswith("retry: 1000\n\nevent: summary\ndata: {")
        return
    done = subprocess.run(asked, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    if not words[-1].endswith(("sheet", "trace")):
        assert "error" not in json.loads(done.stdout)


def test_the_page_tells_every_operation_where_it_is_and_who_may() -> None:
    told = re.findall(r"^\| `(\w+)`: (.+) \| `(\w+) /(.+)` \| (\w+) \|$", PAGE, re.MULTILINE)
    there = [(each.name, each.what.rstrip("."), each.method, each.address, each.role.value) for each in OPERATIONS]
    assert told == there


def test_the_page_tells_the_bounds_that_hold() -> None:
    usual, wide = Allowance(), Bounds()
    assert usual.file == 0.25
    for told in (
        f"{usual.rate:g} times a second",
        f"{usual.burst:g} times at once (a file of the pages below `{FILES}` counts a quarter)",
        f"{usual.at_once_of_one} requests answered",
        f"read {AT_MOST_OF_ONE} streams",
        f"{usual.at_once} requests and {AT_MOST} streams",
        f"{wide.at_most} connections",
        f"{wide.head:g} seconds for its headers and {PATIENCE:g} for its body",
        f"read within {wide.stuck:g}",
        f"{LARGEST // 1024} KiB",
        f"{usual.kept} requests, {KEPT} streams and {wide.kept} connections are reserved",
        f"at most {wide.at_most_of_network} connections",
    ):
        assert told in PAGE
