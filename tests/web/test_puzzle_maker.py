"""Puzzles that a board makes of its own games: in the background, from which games, and who sees them when."""

import asyncio
import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import httpx
import pytest
from click.testing import CliRunner

from gnomon.analysis import Effort, analyse
from gnomon.analysis.codec import dump_analysis
from gnomon.analysis.puzzle_folder import read_puzzles
from gnomon.analysis.puzzles import Puzzle, dump_puzzles, find_puzzles
from gnomon.engines import engine_of
from gnomon.records.bundles import bundle
from gnomon.records.files import read_sheets
from gnomon.records.journal.store import JournalError
from gnomon.records.journal.writer import Journal
from gnomon.records.transcripts import transcript
from gnomon.rules.registry import rules_of
from gnomon.web.access import Authenticator
from gnomon.web.games.analyses import Analyses, key_of_game
from gnomon.web.games.puzzle_maker import PuzzleMaker, source_of
from gnomon.words import words
from gnomon_pi.cli._assembly import DaemonOptions
from gnomon_pi.cli._web_options import PageOptions, page_of
from gnomon_pi.cli.daemon import main
from gnomon_pi.pages import server
from gnomon_pi.pages.server import PageServer, Room
from gnomon_pi.runtime.exercises import puzzles_of
from gnomon_pi.runtime.service import Orders
from tests.bench._live_daemon import live
from tests.web.spectators import SHEETS, Shelfful, fill
from tests.web.test_analysis_pages import wait
from tests.web.visitors import Browser, Reception

RECORDED = (Path(__file__).parents[1] / "records" / "v0_1_0" / "tables-1.sheet").read_text()
PATIENCE = 300.0  # seconds; a process has what others leave over of a busy machine


def archive_of(folder: Path, *sheets: str) -> Shelfful:
    with Journal.open(folder / "club.journal") as journal:
        fill(journal, sheets)
        archive = Shelfful.of(journal)
    archive.durable_seq = max(archive.last_of(game.id) for game in archive.games_)
    return archive


class Board:
    """A maker of puzzles, at a board at which somebody plays or not."""

    def __init__(self, folder: Path, *sheets: str) -> None:
        self.archive = archive_of(folder, *sheets)
        self.folder = puzzles_of(folder / "club.journal")
        self.is_played = False
        self.maker = PuzzleMaker.into(self.folder, self.archive, lambda: self.is_played)

    def make_all(self) -> None:
        while self.maker.look():
            wait(lambda: not self.maker.made.is_at_work)

    def sources(self) -> list[str]:
        return sorted(path.name.rpartition("-")[0] for path in self.folder.glob("*.json"))


def test_puzzles_are_made_of_each_finished_game_once(tmp_path: Path) -> None:
    unfinished = "Sheet: 1\nGame: tabik\nSettings: size=3\n\n1. a1b1 3\n"
    board = Board(tmp_path, RECORDED, unfinished, SHEETS[0])
    board.maker.made.command += ("--nodes", "300")  # quickly
    board.make_all()
    finished = [game for game in board.archive.games_ if game.ended is not None]
    assert board.sources() == sorted(map(source_of, finished))
    kept = read_puzzles(board.folder)
    assert kept
    assert {each.source for each in kept.values()} == {source_of(finished[0])}
    # The same that the command finds, and no more of one game than is good.
    (sheet,) = read_sheets(RECORDED.encode())
    engine = engine_of(rules_of(sheet.game, sheet.settings))
    found = [each for each in find_puzzles(sheet, engine, Effort(nodes=300)) if each is not None]
    assert [each.puzzle for each in kept.values()] == found[:3]
    another = PuzzleMaker.into(board.folder, board.archive, lambda: False)
    assert not another.look()


def test_nothing_is_begun_while_somebody_plays(tmp_path: Path) -> None:
    board = Board(tmp_path, SHEETS[0])
    board.is_played = True
    assert not board.maker.look()
    board.is_played = False
    assert board.maker.look()
    wait(board.sources)


def test_what_fails_is_not_tried_again(tmp_path: Path) -> None:
    board = Board(tmp_path, SHEETS[0])
    board.maker = PuzzleMaker(board.archive, Analyses(board.folder, lambda: False, ("false",)))
    assert board.maker.look()
    wait(lambda: not board.maker.made.is_at_work)
    assert not board.maker.look()
    assert not board.sources()


def test_a_journal_that_cannot_be_read_is_looked_at_again(tmp_path: Path) -> None:
    board = Board(tmp_path, SHEETS[0])
    board.archive.failing = JournalError("the disk fails")
    assert not board.maker.look()
    board.archive.failing = None
    assert board.maker.look()


@pytest.fixture
def puzzles() -> Sequence[Puzzle]:
    (sheet,) = read_sheets(RECORDED.encode())
    engine = engine_of(rules_of(sheet.game, sheet.settings))
    return [each for each in find_puzzles(sheet, engine, Effort(nodes=300)) if each is not None]


def house(folder: Path, puzzles: Sequence[Puzzle]) -> tuple[Shelfful, Browser]:
    """A board with one puzzle of its first game, and one from elsewhere."""
    archive, own = archive_of(folder, RECORDED, SHEETS[0]), puzzles_of(folder / "club.journal")
    own.mkdir(parents=True)
    (own / f"{source_of(archive.games_[0])}-0.json").write_text(json.dumps(dump_puzzles(puzzles[:1])))
    (own.parent / "club.json").write_text(json.dumps(dump_puzzles(puzzles[:2])))
    return archive, Reception(archive=archive, puzzles=own).browser()


def test_a_puzzle_says_of_which_game_it_was_made(tmp_path: Path, puzzles: Sequence[Puzzle]) -> None:
    _, browser = house(tmp_path, puzzles)
    listed = browser.get("/puzzles").text
    own, others = listed.split("From the games of this board")[1].split("More puzzles")
    assert f'href="/puzzles/{puzzles[0].number}"' in own
    assert "Game #1" in own
    assert f'href="/puzzles/{puzzles[1].number}"' in others
    assert "Game #" not in others
    assert 'href="/games/1"' in browser.get(f"/puzzles/{puzzles[0].number}").text
    assert 'href="/games/' not in browser.get(f"/puzzles/{puzzles[1].number}").text
    assert "Partie #1" in browser.get("/puzzles", **{"accept-language": "de"}).text
    assert "Partie n° 1" in browser.get("/puzzles", **{"accept-language": "fr"}).text


def test_a_puzzle_is_not_seen_before_the_end_of_its_game(tmp_path: Path, puzzles: Sequence[Puzzle]) -> None:
    archive, browser = house(tmp_path, puzzles[:1])
    (puzzles_of(tmp_path / "club.journal").parent / "club.json").unlink()
    own = f"/puzzles/{puzzles[0].number}"
    assert browser.get(own).status_code == 200
    archive.durable_seq = archive.last_of(1) - 1  # so much is shown to spectators who see the board later
    assert browser.get(own).status_code == 404
    assert browser.get(f"{own}/position.svg").status_code == 404
    assert "There are no puzzles yet" in browser.get("/puzzles").text
    archive.failing = JournalError("the disk fails")
    assert browser.get(own).status_code == 404


def test_the_analysis_of_a_game_leads_to_its_puzzles(tmp_path: Path, puzzles: Sequence[Puzzle]) -> None:
    archive, _ = house(tmp_path, puzzles)
    analyses = Analyses(tmp_path / "analyses", lambda: False)
    analyses.folder.mkdir()
    for stored in archive.games_:
        sheet = transcript(bundle(stored, archive.read(stored.id)).trace)
        engine = engine_of(rules_of(sheet.game, sheet.settings))
        found = json.dumps(dump_analysis(analyse(sheet, engine, Effort(nodes=10), lambda *_: None))).encode()
        analyses._path(key_of_game(stored.id, sheet), found).write_bytes(found)
    own = puzzles_of(tmp_path / "club.journal")
    browser = Reception(archive=archive, analyses=analyses, puzzles=own).browser()
    leads = f'href="/puzzles/{puzzles[0].number}"'
    assert leads in browser.get("/games/1/analysis").text
    assert 'href="/puzzles/' not in browser.get("/games/2/analysis").text


def test_the_game_of_that_number_in_another_journal_is_another_one(tmp_path: Path) -> None:
    (game,) = archive_of(tmp_path, SHEETS[0]).games_
    assert source_of(game) == source_of(replace(game, start=replace(game.start, players={"black": "Player 1"})))
    assert source_of(game) != source_of(replace(game, start=replace(game.start, boot="another")))


async def _daemon_makes_puzzles() -> str:
    async with live(Orders()) as daemon:
        journal = daemon.service._parts.journal
        fill(journal, [RECORDED])
        page = PageServer("127.0.0.1", 0, room=Room(looked_each=0.1))
        serving = daemon.serve(page, Authenticator.without_accounts())
        made = puzzles_of(journal.path)
        async with asyncio.timeout(PATIENCE):
            while not list(made.glob("*.json")):  # noqa: ASYNC110 - a process of its own writes it
                await asyncio.sleep(0.05)
        async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{page.port}", timeout=PATIENCE) as client:
            text = (await client.get("/puzzles")).text
        serving.cancel()
        await asyncio.gather(serving, return_exceptions=True)
        page.close()
    return text


def test_a_daemon_makes_them_by_itself() -> None:
    assert "Game #1" in asyncio.run(_daemon_makes_puzzles())


def test_a_daemon_that_is_to_make_none_looks_for_no_games(monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[bool] = []

    async def look(*_: object) -> None:
        looked.append(True)

    monkeypatch.setattr(server, "_make_puzzles", look)

    async def serve(room: Room) -> None:
        async with live(Orders()) as daemon:
            page = PageServer("127.0.0.1", 0, room=room)
            serving = daemon.serve(page, Authenticator.without_accounts())
            async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{page.port}", timeout=PATIENCE) as client:
                page_of_none = (await client.get("/puzzles")).text
            assert (words()("puzzles.none.off") in page_of_none) is not room.makes_puzzles
            assert (words()("puzzles.none.hint") in page_of_none) is room.makes_puzzles
            serving.cancel()
            await asyncio.gather(serving, return_exceptions=True)
            page.close()

    asyncio.run(serve(Room(makes_puzzles=False)))
    assert looked == []
    asyncio.run(serve(Room()))
    assert looked == [True]


@pytest.mark.parametrize(("given", "makes"), [((), True), (("--puzzles",), True), (("--no-puzzles",), False)])
def test_a_board_is_told_whether_to_make_them(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, given: tuple[str, ...], *, makes: bool
) -> None:
    ordered: list[PageOptions | None] = []

    async def serve(where: DaemonOptions, _orders: object, _describe: object) -> None:
        ordered.append(where.front)

    monkeypatch.setattr("gnomon_pi.cli.daemon.serve", serve)
    CliRunner().invoke(main, ["--simulated", f"--journal={tmp_path / 'journal'}", *given], catch_exceptions=False)
    (front,) = ordered
    assert front is not None
    assert front.makes_puzzles is makes
    with page_of(replace(front, port=0)) as page:
        assert page is not None
        assert page._room.makes_puzzles is makes
