"""Spectators see nothing sooner than they may: whatever they can ask for is the same whatever has happened since."""

import asyncio
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import inf
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.routing import BaseRoute, Mount, Route
from starlette.types import ASGIApp

from gnomon.analysis import Analysis
from gnomon.analysis.codec import load_analysis
from gnomon.records.bundles import bundle
from gnomon.records.formats.sheets import read_sheet
from gnomon.records.journal.entries import StoredGame
from gnomon.records.journal.people_file import NAME, PeopleFile
from gnomon.records.journal.store import JournalError
from gnomon.records.journal.writer import Journal
from gnomon.records.replay import Replay, film
from gnomon.referee.events import Paused
from gnomon.referee.setup import GameSetup
from gnomon.timekeeping.instants import SECOND, Instant
from gnomon.web._later_pages import LaterPages
from gnomon.web.access import Role, Visitor
from gnomon.web.app import application
from gnomon.web.games import exports
from gnomon.web.games.analyses import Analyses, AnalysisProgress
from gnomon.web.games.exports import FORMATS
from gnomon.web.live.delayed_feed import DelayedBoard
from gnomon.web.live.interfaces import RefusedError
from tests.analysis.test_game_analysis import analysis_of
from tests.web.spectators import DELAY, SHEETS, Answer, HandClock, Reader, Shelfful, World, fill, settle
from tests.web.visitors import PIN

STREAMS = ("/watch/events", "/board/events", "/api/v1/board/stream")


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Shelfful:
    with Journal.open(tmp_path_factory.mktemp("watch") / "journal") as journal:
        fill(journal)
        return Shelfful.of(journal)


@pytest.fixture(scope="module")
def films(written: Shelfful) -> tuple[Replay, ...]:
    written.durable_seq = written.last_of(2)
    games = [film(bundle(game, written.read(game.id))) for game in written.games()]
    written.durable_seq = 0
    return tuple(games)


def copy(written: Shelfful) -> Shelfful:
    return Shelfful(written.games_, written.records)


def readable(app: ASGIApp) -> Iterator[str]:
    """Every address that can be read, whatever page it belongs to."""
    assert isinstance(app, Starlette)
    for path in _paths(app.routes):
        numbers = ("1", "2") if "{number" in path else ("x",)
        for number in numbers:
            filled = re.sub(r"{number[^}]*}", number, path)
            for kind in FORMATS if "{format}" in filled else ("x",):
                yield re.sub(r"{[^}]*}", "x", filled.replace("{format}", kind).replace("{language}", "en"))


def _paths(routes: list[BaseRoute], under: str = "") -> Iterator[str]:
    for route in routes:
        if isinstance(route, Mount):
            yield from _paths(route.routes, under + route.path)
        elif isinstance(route, Route) and "GET" in (route.methods or ()):
            yield under + route.path
        elif isinstance(route, LaterPages):
            yield from _paths([*route.routes], under)


async def begun(archive: Shelfful, films: tuple[Replay, ...]) -> World:
    """A world in which the second game has come to its third turn at clock 100, and been begun at clock 20."""
    world = World(archive)
    archive.durable_seq = archive.last_of(1)
    world.stage.put(films[0].last)
    await world.clock.go_to(20)
    frames = films[1].frames
    archive.durable_seq += 2
    world.stage.put(frames[0].game, origin=20)
    await world.clock.go_to(100)
    archive.durable_seq += 12
    world.stage.put(frames[3].game, origin=20)
    await settle()
    return world


async def ended(world: World, films: tuple[Replay, ...]) -> None:
    """What nobody may know of before its time: more turns, an end, a fault of the machine, another game."""
    await world.clock.go_to(130)
    world.archive.durable_seq = world.archive.last_of(2)
    world.stage.put(films[1].last, origin=20, wrong=("The display does not answer.",))
    await world.clock.go_to(140)
    world.stage.put(films[0].frames[0].game, origin=140)
    await settle()


async def everything(world: World) -> dict[str, Answer]:
    """What a spectator can fetch, by address."""
    answers = {path: (await world.ask(path)).told() for path in readable(world.app)}
    told = answers["/api/v1/board"].text
    for name in re.findall(r'"picture": ?"(\w+)"', told):
        answers[name] = (await world.ask(f"/watch/pictures/{name}.svg")).told()
    return answers


@pytest.mark.long
def test_everything_that_a_spectator_can_fetch_is_the_same_whatever_has_happened_since(
    written: Shelfful, films: tuple[Replay, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exports, "WIDE", 24)  # of a picture as of a stamp it can be said as well whether it is the same
    monkeypatch.setattr(exports, "FILM_WIDE", 24)

    async def see() -> None:
        calm, busy = await begun(copy(written), films), await begun(copy(written), films)
        readers = [[Reader(world, path) for path in STREAMS] for world in (calm, busy)]
        await ended(busy, films)
        for world in (calm, busy):
            await world.clock.go_to(100 + DELAY + 29.8)
        before, since = await everything(calm), await everything(busy)
        assert before == since
        assert len(before) > 40
        assert "D7-D6" not in before["/api/v1/games/2/records"].text
        for quiet, loud in zip(*readers, strict=True):
            assert quiet.answer.told() == loud.answer.told()
            assert len(quiet.answer.pieces) > 80  # at least each second, from clock 100 on
        for world in (calm, busy):
            await world.clock.go_to(130 + DELAY + 0.2)
        late = await everything(calm), await everything(busy)
        differing = {path for path in late[0] if late[0][path] != late[1].get(path)}
        assert {"/watch", "/board", "/api/v1/board", "/games", "/games/2", "/api/v1/games/2/records"} <= differing
        assert '"well":false' in late[1]["/api/v1/health"].text
        for world, mine in zip((calm, busy), readers, strict=True):
            for reader in mine:
                reader.go()
            world.close()

    asyncio.run(see())


class DatedAnalyses(Analyses):
    """One analysis of the first game, made at a moment of the hand clock; of the second, one that is at work."""

    def __init__(self, analysis: Analysis | None, clock: HandClock, at: float = 0) -> None:
        super().__init__(Path("nowhere"), lambda: True)
        self._analysis = analysis
        self._clock = clock
        self._at = at

    def age(self, key: str) -> float:
        return self._clock.seconds - self._at if self._at and key else inf

    def find(self, key: str) -> Analysis | None:
        return self._analysis if key.startswith("1-") else None

    def progress(self, key: str) -> AnalysisProgress | None:
        return AnalysisProgress(3, 9) if self._at and key.startswith("2-") else None

    def failure(self, key: str) -> str:
        return "no engine" if self._at and key.startswith("2-") else ""


def test_an_analysis_tells_spectators_nothing_of_when_the_board_was_free(
    written: Shelfful, films: tuple[Replay, ...]
) -> None:
    analysis = analysis_of(read_sheet(SHEETS[0].encode()), 20)
    pages = [f"/games/{number}/analysis{end}" for number in (1, 2) for end in ("", "/progress.json", "/analysis.json")]

    async def ask(world: World, analyses: Analyses) -> list[str]:
        world.app = application(replace(world.house, analyses=analyses))
        return [(await world.ask(page)).told().text for page in pages]

    async def see() -> None:
        world = await begun(copy(written), films)
        world.archive.durable_seq = world.archive.last_of(2)
        world.stage.put(films[1].last, origin=20)
        await world.clock.go_to(130 + DELAY)
        calm, busy = DatedAnalyses(None, world.clock), DatedAnalyses(analysis, world.clock, 150)
        before = await ask(world, calm)
        assert await ask(world, busy) == before
        await world.clock.go_to(150 + DELAY)
        found, _, as_json, at_work, progress, _ = await ask(world, busy)
        assert 'class="chart"' in found
        assert load_analysis(json.loads(as_json)) == analysis
        assert "no engine" in at_work
        assert json.loads(progress) == {"runs": False}, "it stands still while somebody plays"
        world.close()

    asyncio.run(see())


def test_what_an_arbiter_has_read_of_people_is_not_shown_to_spectators_before_its_time(
    written: Shelfful, films: tuple[Replay, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A game ends while the arbiter's page is made: between the list of games and what was played in them."""
    register = PeopleFile(tmp_path / NAME)
    register.change(lambda now: now.publish("Ömer"))
    page = "/players/person?name=%C3%96mer"

    async def see() -> None:
        world = await begun(copy(written), films)
        world.house = replace(world.house, people=register)
        world.app = application(world.house)
        door, archive = world.house.door, world.archive
        person = await door.add_person("Ada", Role.ARBITER, PIN)
        token = await door.make_token(Visitor(Role.ARBITER, person.name, person.id), "a program", Role.ARBITER, 1)
        await world.clock.go_to(110 + DELAY)
        assert (await world.ask(page)).status == 404
        before = archive.games()

        def list_games() -> Sequence[StoredGame]:
            monkeypatch.undo()
            archive.durable_seq = archive.last_of(2)
            return before

        monkeypatch.setattr(archive, "games", list_games)
        assert (await world.ask(page, authorization=f"Bearer {token}")).status == 200
        assert (await world.ask(page)).status == 404
        world.close()

    asyncio.run(see())


def test_hands_in_software_are_seen_as_late_as_what_they_do(written: Shelfful, films: tuple[Replay, ...]) -> None:
    async def see() -> None:
        world = await begun(copy(written), films)
        world.stage.is_demonstrated = True
        world.stage.put(films[1].frames[3].game, origin=20)
        await world.clock.go_to(100 + DELAY - 1)
        assert [world.house.public_board.is_demonstrated] == [False]
        assert '"demonstration":false' in (await world.ask("/watch/events")).text
        await world.clock.go_to(101 + DELAY)
        assert [world.house.public_board.is_demonstrated] == [True]
        world.close()

    asyncio.run(see())


def test_nothing_is_known_until_the_board_has_been_followed_for_so_long(
    written: Shelfful, films: tuple[Replay, ...]
) -> None:
    async def see() -> None:
        world = World(copy(written))
        world.archive.durable_seq = world.archive.last_of(1)
        world.stage.put(films[0].last)
        await world.clock.go_to(DELAY - 0.5)
        assert '"game":null' in (await world.ask("/api/v1/board")).text
        assert (await world.ask("/games/1")).status == 404
        assert f"{DELAY:.0f} s" in (await world.ask("/games")).text
        await world.clock.go_to(DELAY)
        assert '"game":"tabik"' in (await world.ask("/api/v1/board")).text
        assert (await world.ask("/games/1")).status == 200
        world.close()

    asyncio.run(see())


def test_players_see_the_board_as_it_is_and_the_screen_in_the_hall_is_late_for_everybody(
    written: Shelfful, films: tuple[Replay, ...]
) -> None:
    async def see() -> None:
        world = World(copy(written), open_to=Role.PLAYER)
        world.archive.durable_seq = world.archive.last_of(1)
        world.stage.put(films[1].last)
        await world.clock.go_to(DELAY / 2)
        assert '"game":"tamsk"' in (await world.ask("/api/v1/board")).text
        assert (await world.ask("/games/1")).status == 200
        assert f"{DELAY:.0f} s" not in (await world.ask("/games")).text
        assert '"game":"tamsk"' in (await world.ask("/board/events")).text
        assert '"game":null' in (await world.ask("/watch/events")).text
        world.close()

    asyncio.run(see())


def test_board_time_is_that_of_the_moment_which_is_shown(films: tuple[Replay, ...], written: Shelfful) -> None:
    async def see() -> None:
        world = World(copy(written))
        world.stage.put(films[1].frames[2].game, origin=-5)
        await world.clock.go_to(3 * DELAY + 0.25)
        board = world.house.public_board
        assert board.game() is films[1].frames[2].game
        assert board.now() == (2 * DELAY + 5.25) * SECOND
        assert world.house.board.now() == board.now() + DELAY * SECOND
        assert (board.games, board.buttons) == (world.stage.games, world.stage.buttons)
        world.close()

    asyncio.run(see())


def test_a_game_given_up_for_another_between_two_news_is_noticed(written: Shelfful, films: tuple[Replay, ...]) -> None:
    async def see() -> None:
        world = World(copy(written))
        world.archive.durable_seq = 3
        world.stage.put(films[1].frames[2].game, origin=-50)
        await world.clock.go_to(1)
        world.archive.durable_seq = world.archive.last_of(1) + 1
        world.stage.put(films[1].frames[0].game, origin=1)
        await world.clock.go_to(DELAY + 0.5)
        assert world.past is not None
        assert [game.id for game in world.past.archive.games()] == [1]
        await world.clock.go_to(DELAY + 1.5)
        assert [game.id for game in world.past.archive.games()] == [1, 2]
        world.close()

    asyncio.run(see())


def test_games_that_cannot_be_read_for_a_while_are_read_with_the_next_news(
    written: Shelfful, films: tuple[Replay, ...]
) -> None:
    async def see() -> None:
        archive = copy(written)
        archive.durable_seq, archive.failing = archive.last_of(1), JournalError("the disk refuses it")
        world = World(archive)
        world.stage.put(films[0].last)
        await world.clock.go_to(1)
        archive.failing = None
        world.stage.put(films[0].last)
        await world.clock.go_to(1 + DELAY)
        assert world.past is not None
        late = world.past.archive
        assert [game.id for game in late.games()] == [1]
        assert list(late.read(1)) == archive.read(1)
        assert late.read(2) == ()
        assert late.endings().keys() == {1}
        assert late.endings(last=3) == {}
        world.close()

    asyncio.run(see())


def test_an_unchanged_board_is_kept_once_in_a_while_and_what_was_shown_is_forgotten(
    written: Shelfful, films: tuple[Replay, ...]
) -> None:
    async def see() -> None:
        world = World(copy(written))
        world.stage.put(films[0].last)
        assert world.past is not None
        for second in range(1, 500):
            await world.clock.go_to(second)
            world.stage.put(films[0].last)
        await settle()
        assert len(world.past._samples) <= DELAY / 10 + 2
        world.close()

    asyncio.run(see())


@pytest.mark.parametrize(
    "enter",
    [
        lambda board: board.correct(Paused(Instant(0), "the arbiter", "")),
        lambda board: board.enter("D1-D2", "Ada"),
        lambda board: board.throw(),
        lambda board: board.new_game(GameSetup()),
    ],
    ids=["correct", "enter", "throw", "new_game"],
)
def test_nothing_can_be_entered_at_what_has_been(enter: object, written: Shelfful) -> None:
    async def do() -> None:
        world = World(copy(written))
        board = world.house.public_board
        assert isinstance(board, DelayedBoard)
        with pytest.raises(
            RefusedError, match=r"^This page shows the board as it was a while ago: nothing can be entered"
        ):
            await enter(board)  # type: ignore[operator]  # one of the calls above
        world.close()

    asyncio.run(do())


@pytest.mark.parametrize(("role", "status"), [(Role.SPECTATOR, 303), (Role.PLAYER, 200)])  # 303: to where one signs in
def test_the_bench_is_closed_to_those_who_only_look_on(role: Role, status: int, written: Shelfful) -> None:
    async def do() -> int:
        world = World(copy(written), open_to=role)
        world.app = application(replace(world.house, simulated="/bench/"))
        answer = await world.ask("/bench/")
        world.close()
        return answer.status

    assert asyncio.run(do()) == status
