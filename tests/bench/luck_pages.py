"""How long the pages of a hall take to answer while the luck in a tournament's games is worked out.

A hall whose tournament has been played at its boards, the game of twenty squares at each, with its pages served. They
are asked for one after the other, in a process of their own: before anybody has asked for the standings, while the
luck is worked out, which the first look at them begins, and afterwards.
"""

import asyncio
import http.client
import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final
from urllib.parse import urlsplit

from gnomon.hall.hall import Hall
from gnomon.hall.rounds.board_assignment import Accept, BoardAssignment
from gnomon.tournament.state.settings import System
from gnomon.web.hall._app import application
from gnomon.web.hall._app_context import HallContext
from gnomon.web.server.listener import Listener
from gnomon.web.server.workers import Workers
from tests.analysis.test_game_analysis import random_sheet
from tests.bench._figures import Spread, parser, say, say_machine
from tests.hall.playing_boards import PlayingBoard
from tests.web_director.houses import DirectorHouse

STANDINGS: Final = "/tournaments/open/standings"
OTHERS: Final = ("/", "/tournaments/open", "/boards/t01")
LEFT: Final = "still being worked out"
PAUSE: Final = 0.02  # seconds between two questions
MOST: Final = 600.0  # seconds until the luck is known


def play(house: DirectorHouse, games: int, settings: Mapping[str, str]) -> None:
    """Let a round of so many games be played, each at a board of its own."""
    house.tournament(count=2 * games, system=System.SWISS, tie_breaks=("DE",))
    house.publish()
    names = {number: f"t{number:02}" for number in range(1, games + 1)}
    house.hall.set_plan("open", BoardAssignment("twenty-squares", settings, accept=Accept.AT_ONCE, boards=names))
    boards = []
    for number, name in names.items():
        sheet = random_sheet("twenty-squares", dict(settings), number)
        board = PlayingBoard(name, house.broker.connect(), house.clock)
        board.expect(sheet)
        board.tell_state("empty")
        house.boards[name] = board
        boards.append((board, sheet))
    house.run()
    house.hall.send_round("open", "Dora")
    house.run()
    for board, sheet in boards:
        board.play(sheet)
    house.run()


@contextmanager
def served(hall: Hall) -> Iterator[str]:
    """The address of the hall's pages, served as a hall serves them, in a thread."""
    listener, pages = Listener("127.0.0.1", 0), application(HallContext(hall))

    async def serve() -> None:
        asyncio.get_running_loop().set_default_executor(Workers())
        await listener.listen(pages)

    serving = threading.Thread(target=lambda: asyncio.run(serve()), daemon=True)
    serving.start()
    yield f"http://127.0.0.1:{listener.port}"
    listener.stop()
    serving.join()


def read(site: str, paths: Sequence[str], seconds: float) -> dict[str, list[float]]:
    """Ask for pages in turn for so many seconds, or until no luck is worked out; µs of each answer, by page."""
    where = urlsplit(site)
    connection = http.client.HTTPConnection(where.hostname or "", where.port or 0, timeout=60)
    took: dict[str, list[float]] = {path: [] for path in paths}
    end = time.monotonic() + (seconds or MOST)
    while time.monotonic() < end:
        for path in paths:
            begun = time.monotonic()
            connection.request("GET", path)
            text = connection.getresponse().read().decode()
            took[path].append(1e6 * (time.monotonic() - begun))
            if not seconds and path == STANDINGS and LEFT not in text:
                return took
            time.sleep(PAUSE)
    return took


def ask(site: str, paths: Sequence[str], seconds: float) -> dict[str, list[float]]:
    """The same in a process of its own."""
    words = [sys.executable, "-m", "tests.bench.luck_pages", "--read", site, str(seconds), *paths]
    told: dict[str, list[float]] = json.loads(subprocess.run(words, check=True, capture_output=True).stdout)
    return told


def measure(games: int, seconds: float, settings: Mapping[str, str]) -> None:
    """Play, serve, ask, and print."""
    with TemporaryDirectory(prefix="gnomon-luck-") as folder:
        os.environ["XDG_CACHE_HOME"] = folder  # without a table of exact values
        house = DirectorHouse(Path(folder))
        play(house, games, settings)
        with served(house.hall) as site:
            before = ask(site, OTHERS, seconds)
            begun = time.monotonic()
            meanwhile = ask(site, (STANDINGS, *OTHERS), 0)
            lasted = time.monotonic() - begun
            after = ask(site, (STANDINGS, *OTHERS), seconds)
        house.close()
    say("the luck in all games", f"{lasted:.1f} s")
    for when, took in (("before", before), ("meanwhile", meanwhile), ("afterwards", after)):
        for path, times in took.items():
            say(f"{path} {when}", Spread.of(times))


def main() -> None:
    """Measure, or ask for pages."""
    options = parser("How long a hall's pages take to answer while luck is worked out.")
    options.add_argument("--games", type=int, default=32)
    options.add_argument("--counters", default="7")
    options.add_argument("--seconds", type=float, default=10)
    options.add_argument("--read", nargs="+", help="be who asks: SITE SECONDS PATH…")
    given = options.parse_args()
    if given.read:
        site, seconds, *paths = given.read
        print(json.dumps(read(site, paths, float(seconds))))
        return
    say_machine()
    if given.quick:
        measure(2, 0.5, {"counters": "2"})
    else:
        measure(given.games, given.seconds, {"counters": given.counters})


if __name__ == "__main__":
    main()
