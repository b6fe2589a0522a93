"""List the pages of a hall as different people see them, and photograph them.

    python -m tests.web_hall.shots [--into FOLDER] [part of a name …]

visits every one, says what is wrong with it, and writes the pictures of docs/hall-pages.md, or all of them to a folder.
"""

import socket
import threading
from collections.abc import Callable, Collection, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import uvicorn

from gnomon.hall.demo._board import Casual
from gnomon.hall.messaging.messages import Topic, encode
from gnomon.web.access import Role
from tests.web.shots import Shot, visit_all
from tests.web_hall.party import Party

PICTURES: Final = Path(__file__).parents[2] / "docs" / "pictures" / "hall"
LOCAL: Final = "127.0.0.1"
PATIENCE: Final = 60.0  # seconds; a bound for a machine in trouble, never waited for
TAMSK: Final = Casual("tamsk", {"level": 2}, ("Émile Roux", "Zoë Kaya"))
TABIK: Final = Casual("tabik", {"size": 8, "clock": "3+2"}, ("Jonas Brandt", "Li Wei"))

DIRECTOR: Final = Role.DIRECTOR
SHOTS: Final = (
    Shot("first", "/", "evening", "desk", in_docs=True),
    Shot("first-empty", "/", "empty", "phone", in_docs=True),
    Shot("first-empty-dark", "/", "empty", "wall", "dark", "de"),
    Shot("wall", "/wall?seconds=600", "evening", "wall", in_docs=True),
    Shot("wall-dark", "/wall?seconds=600", "evening", "wall", "dark", "de", in_docs=True),
    Shot("wall-few", "/wall", "few", "wall", "light", "fr"),
    Shot("wall-many", "/wall?seconds=600", "many", "wall", in_docs=True),
    Shot("wall-many-tablet", "/wall?seconds=600", "many", "tablet", "dark", "fr"),
    Shot("wall-phone", "/wall", "evening", "phone", "dark", "en"),
    Shot("wall-empty", "/wall", "empty", "desk", "dark"),
    Shot("wall-not-live", "/wall?seconds=600", "evening", "desk", "light", "de", is_live=False),
    Shot("boards", "/boards", "evening", "desk", role=DIRECTOR, in_docs=True),
    Shot("boards-dark", "/boards", "evening", "tablet", "dark", "de", DIRECTOR),
    Shot("boards-phone", "/boards", "evening", "phone", "light", "fr", Role.ARBITER, in_docs=True),
    Shot("boards-many", "/boards", "many", "desk", "dark", "fr"),
    Shot("boards-empty", "/boards", "empty", "phone", "dark", "de"),
    Shot("board", "/boards/t01", "evening", "desk", role=DIRECTOR, in_docs=True),
    Shot("board-dark", "/boards/d1", "evening", "tablet", "dark", "fr", Role.ARBITER),
    Shot("board-phone", "/boards/t01", "evening", "phone", "light", "de", DIRECTOR, "#ask summary", in_docs=True),
    Shot("board-wall", "/boards/d2", "evening", "wall", "dark"),
    Shot("board-lost", "/boards/t03", "evening", "phone", "dark", "en", Role.ARBITER),
    Shot("board-empty", "/boards/t05", "evening", "desk", "light", "de"),
)
"""Every page, and every state in which it looks different; the sizes, schemes and languages are dealt out over them."""


@dataclass
class Served:
    """Halls behind their ports, and the cookies of the people who are expected there."""

    sites: Mapping[str, str]
    cookies: Mapping[tuple[str, Role], Mapping[str, str]]

    def address(self, state: str) -> str:
        """Where the hall in a state is."""
        return self.sites[state]


def empty(folder: Path) -> Party:
    """A hall that no board has joined."""
    return Party(folder)


def few(folder: Path) -> Party:
    """Three boards."""
    party = Party(folder)
    party.demonstrate(3)
    party.run(40)
    return party


def evening(folder: Path) -> Party:
    """A club evening: a tournament, other games, short time, a board that was lost and one that was switched off."""
    party = Party(folder)
    party.demonstrate(24)
    for name, casual in (("t01", TAMSK), ("t02", TABIK), ("t03", TABIK), ("t04", TABIK), ("t05", None), ("t06", TABIK)):
        party.board(name, casual)
    party.run(150, until=lambda: party.hall.counts().get("over", 0) > 3)
    lost = replace(party.boards["t03"]._status(), online=False)
    party.boards.pop("t03")._bus.publish(Topic.STATUS.of("t03"), encode(lost), retain=True)
    party.boards.pop("t04").leave()
    party.hall.request("t02", {"do": "correct", "event": {"event": "paused", "at_us": 0, "who": "", "why": ""}}, "Anna")
    party.hall.notice("t01", "Ten minutes to the end of the round", "Anna")
    silent = party.boards.pop("t06")
    party.run(40)
    assert silent.name == "t06"
    return party


def many(folder: Path) -> Party:
    """A thousand boards."""
    party = Party(folder)
    party.demonstrate(1000)
    party.run(12)
    return party


STATES: Final[Mapping[str, Callable[[Path], Party]]] = {
    "empty": empty,
    "few": few,
    "evening": evening,
    "many": many,
}


@contextmanager
def served(folder: Path, guests: Collection[tuple[str, Role]]) -> Iterator[Served]:
    """Serve the halls in the states that are asked for until the block ends."""
    sites: dict[str, str] = {}
    cookies: dict[tuple[str, Role], Mapping[str, str]] = {}
    with ExitStack() as stack, ThreadPoolExecutor(1) as pool:
        for state in sorted({state for state, _ in guests}):
            (folder / state).mkdir()
            party = STATES[state](folder / state)
            stack.callback(party.hall.close)
            for role in {role for where, role in guests if where == state}:
                known = None if role is Role.SPECTATOR else role
                # Playwright keeps a loop running in this thread, and no other can run beside it.
                cookies[state, role] = pool.submit(party.visitor, known).result().cookies
            sites[state] = stack.enter_context(_behind_a_port(party))
        yield Served(sites, cookies)


@contextmanager
def _behind_a_port(party: Party) -> Iterator[str]:
    with socket.socket() as listening:
        listening.bind((LOCAL, 0))
        listening.listen()  # a client that comes before the server runs waits for it
        config = uvicorn.Config(party.app, log_level="critical", timeout_graceful_shutdown=1, lifespan="off")
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, args=([listening],), daemon=True)
        thread.start()
        try:
            yield f"http://{LOCAL}:{listening.getsockname()[1]}"
        finally:
            server.should_exit = server.force_exit = True
            thread.join(PATIENCE)


if __name__ == "__main__":
    visit_all("every page of a hall", SHOTS, PICTURES, served)
