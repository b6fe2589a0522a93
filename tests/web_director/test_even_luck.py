"""What the points of a tournament would be with even luck, beside its standings."""

import os
import re
import signal
import time
from multiprocessing import active_children
from pathlib import Path
from typing import Any

import pytest

from gnomon.engines import engine_of
from gnomon.engines.tables import make_table, tables_folder
from gnomon.hall.luck import LuckWorker, games_with_luck, has_luck
from gnomon.hall.rounds.board_assignment import Accept, BoardAssignment
from gnomon.records.formats.sheets import Sheet
from gnomon.records.formats.turns import played_turns
from gnomon.rules.registry import rules_of
from gnomon.tournament.events import ResultCorrected
from gnomon.tournament.state.results import GameResult
from gnomon.tournament.state.settings import System
from gnomon.web.access import Role
from gnomon.web.director import LuckFile, TournamentApp
from tests.analysis.test_game_analysis import random_sheet
from tests.hall.playing_boards import PlayingBoard
from tests.web_director.houses import DirectorHouse, application

SETTINGS = {"counters": "2"}
FEWER = {"counters": "1"}  # whose table is made in no time
PATIENCE = 300.0  # seconds; a process has what others leave over of a busy machine
OPEN = "/tournaments/open/standings"


@pytest.fixture(autouse=True)
def no_tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))


def played(house: DirectorHouse, settings: dict[str, str] = SETTINGS) -> list[Sheet]:
    """Let four people play a round at two boards; the sheets of their games."""
    house.tournament(count=4, system=System.ROUND_ROBIN, tie_breaks=("DE",))
    house.publish()
    plan = BoardAssignment("twenty-squares", settings, accept=Accept.AT_ONCE, boards={1: "t01", 2: "t02"})
    house.hall.set_plan("open", plan)
    sheets = [random_sheet("twenty-squares", settings, seed) for seed in (1, 2)]
    boards = []
    for name, sheet in zip(("t01", "t02"), sheets, strict=True):
        board = PlayingBoard(name, house.broker.connect(), house.clock)
        board.expect(sheet)
        board.tell_state("empty")
        house.boards[name] = board
        boards.append(board)
    house.run()
    house.hall.send_round("open", "Dora")
    house.run()
    for board, sheet in zip(boards, sheets, strict=True):
        board.play(sheet)
    house.run()
    assert house.hall.book("open").tournament().waiting == ()
    return sheets


def settled(house: DirectorHouse, path: str = OPEN) -> str:
    """The page, once nothing is being worked out any more."""
    end = time.monotonic() + PATIENCE
    while "still being worked out" in (text := house.anybody().page(path)):
        assert time.monotonic() < end
        time.sleep(0.05)
    return text


def rows(page: str) -> dict[str, list[str]]:
    """The table with even luck, by name."""
    found = page.split('<table class="even-luck">')[1].split("</table>", maxsplit=1)[0]
    cells = [re.findall(r"<td[^>]*>(?:<a[^>]*>)?([^<]*)", row) for row in found.split("<tr>")[2:]]
    return {name: rest for name, *rest in cells}


def gained(sheet: Sheet) -> float:
    """What luck gave the first player, worked out here."""
    rules = rules_of(sheet.game, sheet.settings)
    engine = engine_of(rules)
    account = engine.estimate_account([turn.move for turn in played_turns(sheet)])
    first, second = account.luck
    return float(first - second)


def test_the_page_tells_what_luck_gave_and_what_is_left(house: DirectorHouse) -> None:
    sheets = played(house)
    before = house.anybody().page(OPEN)
    assert "2 games are still being worked out." in before
    page = settled(house)
    assert "this never decides places" in page
    assert "An estimate: there is no table" in page
    told = rows(page)
    tournament = house.hall.book("open").tournament()
    for one in house.hall.proposals("open"):
        (game,) = one.games
        luck = gained(sheets[one.board - 1]) * (1 if game.seating.player == "p1" else -1)
        for number, gain in ((game.seating.first, luck), (game.seating.second, -luck)):
            points, shown, even, games = told[tournament.entrants[number].name]
            assert games == "1"
            assert float(shown.replace("−", "-")) == pytest.approx(gain, abs=0.006)
            assert float(even) == pytest.approx(float(points) - gain, abs=0.006)
    # The player with less luck comes first, and the standings are as they were.
    assert [float(each[2]) for each in told.values()] == sorted(
        (float(each[2]) for each in told.values()), reverse=True
    )
    assert page.split("<h2>")[0].split("<table")[1] == before.split("<h2>")[0].split("<table")[1]


@pytest.mark.parametrize(("language", "said"), [("de", "entscheidet nie"), ("fr", "ne décide jamais")])
def test_it_is_said_in_every_language_that_it_decides_nothing(house: DirectorHouse, language: str, said: str) -> None:
    played(house)
    settled(house)
    assert said in house.anybody().page(f"{OPEN}?language={language}")


def test_with_a_table_it_is_exact(house: DirectorHouse, tmp_path: Path) -> None:
    solver = engine_of(rules_of("twenty-squares", FEWER)).solver
    for _ in make_table(solver, tables_folder({"XDG_CACHE_HOME": str(tmp_path)}), None):
        pass
    played(house, FEWER)
    page = settled(house)
    assert "Exact, by a table" in page
    assert "An estimate" not in page


def test_a_result_that_the_book_has_otherwise_does_not_count(house: DirectorHouse) -> None:
    played(house)
    (result,) = house.hall.book("open").tournament().rounds[0].results[1]
    other = GameResult.SECOND_WON if result is GameResult.FIRST_WON else GameResult.FIRST_WON
    book = house.hall.book("open")
    book.extend([ResultCorrected(1, 1, (other,), "the wrong sides")], "Dora", after=len(book.read()))
    games = list(games_with_luck(house.hall.proposals("open")))
    assert [game.seating.board for game in games] == [2]
    assert sorted(each[-1] for each in rows(settled(house)).values()) == ["0", "0", "1", "1"]


def test_a_tournament_without_throws_has_nothing_of_it(house: DirectorHouse) -> None:
    assert not has_luck("tamsk")
    assert not has_luck("a game that is not here")
    house.tournament()
    house.publish()
    house.play()
    assert "even-luck" not in house.anybody().page(OPEN)


def test_what_was_worked_out_is_kept_in_a_file(
    house: DirectorHouse, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    played(house)
    file = tmp_path / "luck.jsonl"
    house.office = TournamentApp(house.hall, luck=LuckFile(file))
    house.app = application(house.office, house.door)
    page = settled(house)
    assert len(file.read_text().splitlines()) == 2
    file.write_text(f'{file.read_text()}["torn')
    monkeypatch.setattr(LuckWorker, "__init__", lambda _: pytest.fail("nothing is to be worked out"))
    house.office = TournamentApp(house.hall, luck=LuckFile(file))
    house.app = application(house.office, house.door)
    again = house.anybody().page(OPEN)
    assert rows(again) == rows(page)
    assert "still being worked out" not in again
    # An estimate is made again once there is a table.
    tables = tables_folder({"XDG_CACHE_HOME": str(tmp_path)})
    tables.mkdir(parents=True)
    (tables / "some-1.table").touch()
    house.office = TournamentApp(house.hall, luck=LuckFile(file))
    assert house.office.luck._read() == {}


def test_a_game_that_kills_the_process_says_nothing(house: DirectorHouse, monkeypatch: pytest.MonkeyPatch) -> None:
    played(house)
    asked = LuckWorker.ask

    def ask(worker: LuckWorker, *given: Any) -> object:
        worker.close()
        return asked(worker, *given)

    monkeypatch.setattr(LuckWorker, "ask", ask)
    page = settled(house)
    assert "even-luck" not in page


def test_a_process_answers_every_game() -> None:
    others = {child.pid for child in active_children()}
    worker = LuckWorker()
    try:
        assert worker.ask(b"no game", "p1") is None
        sheet = "Sheet: 1\nGame: tabik\nSettings: size=3\n\n1. a1b1 3\n"
        assert worker.ask(sheet.encode(), "black") is None
        (process,) = {child.pid for child in active_children()} - others
        assert process is not None
        os.kill(process, signal.SIGSTOP)  # so that it cannot be quicker than who waits
        with pytest.raises(TimeoutError):
            worker.ask(b"no game", "p1", patience=0.0)
    finally:
        worker.close()


def test_a_director_sees_the_same(house: DirectorHouse) -> None:
    played(house)
    settled(house)
    assert rows(house.person(Role.DIRECTOR, "Dora").page(OPEN)) == rows(house.anybody().page(OPEN))
