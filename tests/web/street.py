"""Serve a street of applications to a browser: behind each port a board in one state."""

import asyncio
import json
import socket
import threading
from collections.abc import AsyncIterator, Callable, Collection, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final, NamedTuple

import uvicorn
from starlette.types import ASGIApp, Receive, Scope, Send

from gnomon.analysis import Effort, analyse
from gnomon.analysis.codec import dump_analysis
from gnomon.analysis.puzzles import dump_puzzles, find_puzzles
from gnomon.engines import engine_of
from gnomon.engines.solutions import dump_solution, exact_solver, solve
from gnomon.records.bundles import bundle
from gnomon.records.files import read_sheets
from gnomon.records.journal.people_file import PeopleFile
from gnomon.records.journal.writer import Journal
from gnomon.records.transcripts import transcript
from gnomon.referee.game import Game
from gnomon.referee.people import Person
from gnomon.rules.registry import rules_of
from gnomon.timekeeping.instants import Instant
from gnomon.web.access import Role
from gnomon.web.app import application
from gnomon.web.app_context import AppContext
from gnomon.web.games.analyses import Analyses, key_of_game
from gnomon.web.games.puzzle_maker import source_of
from gnomon.web.pages.solved import _SolvedPosition as SolvedPosition
from tests.views.clock_scenes import TamskScene
from tests.views.clock_scenes import scenes as of_clocks
from tests.views.clock_scenes import tamsk_scenes as of_tamsk_clocks
from tests.views.table_scenes import Scene
from tests.views.table_scenes import scenes as of_tables
from tests.views.tables import scenes as of_tamsk
from tests.virtual_daemon import Notebook, play_virtual
from tests.web.api_house import PaperBoard
from tests.web.visitors import Reception

BEAT: Final = 1.0  # seconds: a board speaks at least so often
PATIENCE: Final = 60.0  # seconds; a bound for a machine in trouble, never waited for
LOCAL: Final = "127.0.0.1"
PEOPLE: Final = (("Zoë Kaya", "Émile Roux"), ("Jonas Brandt", "Li Wei"), ("Ann", ""), ("", ""))
NAMES: Final = {Role.PLAYER: "Émile Roux", Role.ARBITER: "Ann Lindqvist", Role.ADMIN: "Zoë Kaya"}
ANALYSES: Final = "analyses"
PUZZLES: Final = "puzzles"
SOLVED: Final = {"size": "3", "pie": "no"}
OTHER: Final = Path(__file__).parents[1] / "records" / "v0_1_0" / "tables-1.sheet"
NODES: Final = 1_000
WORN: Final = "The sensor chain does not answer: look at its plug."

Guest = tuple[str, Role]
"""Somebody who is expected: in the house of which state, and as what."""


@dataclass
class StandingBoard(PaperBoard):
    """A board of paper on which nothing moves, and which says so each second."""

    def __hash__(self) -> int:
        return id(self)

    async def changes(self) -> AsyncIterator[None]:
        while True:
            yield
            await asyncio.sleep(BEAT)


class State(NamedTuple):
    """What stands on a board: the game, what time it is in it, and what ails the machine."""

    game: Game | None
    now: Instant
    health: tuple[str, ...] = ()


def states() -> Mapping[str, State]:
    """Every state that the views are tested with, with people at the seats, and two of a machine that is ill."""
    tamsk = {name: State(each.game, each.now, each.health) for name, each in of_tamsk().items()}
    tables = {name: State(each.game, each.now) for name, each in of_tables().items()}
    clocks = {f"clock-{name}": State(each.game, each.now) for name, each in _clocks().items()}
    every = {**tamsk, **tables, **clocks}
    both = {name: state._replace(game=_seated(state.game)) for name, state in every.items()}
    return {"empty": State(None, Instant(0)), "ill": State(None, Instant(0), (WORN,)), **both}


def _clocks() -> Mapping[str, Scene | TamskScene]:
    return {**of_clocks(), **of_tamsk_clocks()}


def _seated(game: Game | None) -> Game | None:
    if game is None or game.people:
        return game
    return replace(game, people=tuple(map(Person, game.rules.players, PEOPLE[0] + PEOPLE[1])))


@dataclass
class Street:
    """Houses by the name of their state; each has its own port, and all one server."""

    journal: Journal
    folder: Path
    cookies: dict[tuple[str, Role], Mapping[str, str]] = field(default_factory=dict)
    ports: dict[str, int] = field(default_factory=dict)
    _apps: dict[int, ASGIApp] = field(default_factory=dict)
    _states: Mapping[str, State] = field(default_factory=states)

    def address(self, state: str) -> str:
        """Where the house of a state stands."""
        return f"http://{LOCAL}:{self.ports[state]}"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Lead a request to the house whose port it came to."""
        if scope["type"] == "http":
            await self._apps[scope["server"][1]](scope, receive, send)

    def build(self, guests: Collection[Guest], stack: ExitStack) -> Iterator[socket.socket]:
        """Build the houses of some states, take their ports, and sign in who is expected there."""
        for name in dict.fromkeys(state for state, _ in guests):
            state = self._states[name]
            board = StandingBoard(state.game, state.now, state.health)
            house = Reception(board=board, archive=self.journal)
            taken = stack.enter_context(socket.create_server((LOCAL, 0)))
            self.ports[name] = taken.getsockname()[1]
            for role in {role for state, role in guests if state == name}:
                guest = house.browser() if role is Role.SPECTATOR else house.signed_in(role, NAMES[role])
                self.cookies[name, role] = guest.cookies
            self._apps[self.ports[name]] = application(
                AppContext(
                    board,
                    self.journal,
                    door=house.door,
                    simulated="/bench/" if name == "empty" else None,
                    people=PeopleFile.beside(self.journal.path),
                    analyses=Analyses(self.folder / ANALYSES, lambda: True),
                    puzzles=self.folder / PUZZLES / self.journal.path.stem,
                    solutions=Analyses.of_positions(self.journal.path, lambda: True),
                )
            )
            yield taken


@contextmanager
def opened(folder: Path, guests: Collection[Guest]) -> Iterator[Street]:
    """A street that is served meanwhile, with a journal of some games in a folder."""
    with ExitStack() as stack:
        journal = stack.enter_context(Journal.open(folder / "journal.db"))
        write_games(journal)
        write_analysis(journal, folder)
        street = Street(journal, folder)
        with ThreadPoolExecutor(1) as aside:  # a browser's loop may be running in this thread
            sockets = aside.submit(list, street.build(guests, stack)).result()
        server = uvicorn.Server(
            uvicorn.Config(street, log_level="critical", lifespan="off", timeout_graceful_shutdown=0, ws="none")
        )
        ready = threading.Event()
        thread = threading.Thread(target=_serve, args=(server, sockets, ready.set), name="street")
        thread.start()
        stack.callback(thread.join, PATIENCE)
        stack.callback(setattr, server, "should_exit", True)
        assert ready.wait(PATIENCE), "the street was not opened"
        yield street


def _serve(server: uvicorn.Server, sockets: list[socket.socket], ready: Callable[[], None]) -> None:
    async def serve() -> None:
        serving = asyncio.create_task(server.serve(sockets))
        while not server.started and not serving.done():  # noqa: ASYNC110 - uvicorn has no event for it
            await asyncio.sleep(0.01)
        ready()
        await serving

    asyncio.run(serve())


def write_games(journal: Journal) -> None:
    """Write games of four pairs into a journal, played by hands in virtual time: two whole ones of each level."""
    last = 0
    for day, (level, people) in enumerate(zip((1, 2, 3, 1), PEOPLE, strict=True)):
        played = play_virtual({"level": level}, seed=day)
        notes = played.daemon.store
        assert isinstance(notes, Notebook)
        [stored] = notes.games
        names = {player: name for player, name in zip(("red", "black"), people, strict=True) if name}
        wall = f"2026-11-{14 + day}T19:30:00+00:00"
        number = journal.begin(replace(stored.start, players=names, wall=wall))
        numbers: dict[int, int] = {}
        for record in notes.records:
            entry = replace(record.entry, game=number, cause=numbers.get(record.entry.cause or 0), wall=wall)
            is_end = stored.ended is not None and record is notes.records[-1]
            last = numbers[record.seq] = journal.end(entry) if is_end else journal.append(entry)
    assert journal.wait_durable(last, PATIENCE)


def write_analysis(journal: Journal, folder: Path) -> None:
    """Analyse the first game of a journal, and make puzzles of another game, where the pages look for them."""
    stored = journal.games()[0]
    sheet = transcript(bundle(stored, journal.read(stored.id)).trace)
    engine = engine_of(rules_of(sheet.game, sheet.settings))
    (folder / ANALYSES).mkdir()
    own = folder / PUZZLES / journal.path.stem
    own.mkdir(parents=True)
    found = dump_analysis(analyse(sheet, engine, Effort(nodes=NODES), lambda _done, _of: None))
    key = key_of_game(stored.id, sheet)
    (folder / ANALYSES / f"{key}.json").write_text(json.dumps(found), encoding="utf-8")
    (other,) = read_sheets(OTHER.read_bytes())
    engine = engine_of(rules_of(other.game, other.settings))
    puzzles = [each for each in find_puzzles(other, engine, Effort(nodes=NODES)) if each is not None]
    rules = rules_of("tabik", SOLVED)
    solver = exact_solver(engine_of(rules))
    assert solver is not None
    solved = solve(rules, solver, rules.start(), lambda *_: None, lambda: False)
    solutions = Analyses.of_positions(folder / "journal.db", lambda: True)
    solutions.folder.mkdir()
    told = json.dumps(dump_solution(solved)).encode()
    solutions._path(SolvedPosition(SOLVED, rules, rules.start(), ()).key, told).write_bytes(told)
    (own / f"{source_of(stored)}-0.json").write_text(json.dumps(dump_puzzles(puzzles[:1])), encoding="utf-8")
    (own.parent / "some.json").write_text(json.dumps(dump_puzzles(puzzles[1:])), encoding="utf-8")
