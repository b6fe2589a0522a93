"""The tests of a league: many halls in one book, and what is odd about one of them."""

import json
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from gnomon.cli import main
from gnomon.hall.clock import timestamp, wall
from gnomon.hall.league import HallRow, League, LeagueError, LeagueResult, read_hall
from gnomon.hall.rounds.board_assignment import Accept, BoardAssignment
from gnomon.tournament.event_log.codec import LoggedEvent
from gnomon.tournament.events import (
    EntrantRegistered,
    Event,
    PlacesEntered,
    ResultEntered,
    RoundPublished,
    TablesSeated,
    TournamentOpened,
)
from gnomon.tournament.state.results import parse_result
from gnomon.tournament.state.rounds import Pairing, Table
from gnomon.tournament.state.settings import System, TournamentSettings
from tests.hall.boards import ModelBoard
from tests.hall.evenings import Evening
from tests.tournament._evening import settings
from tests.tournament._teams import opening as team_opening

HALLS, BOARDS = 10, 30
TRAVELLER = "Zoe"
"""Plays in every hall."""
WINNERS = ("red", "black", None)
WRITTEN = {"red": "1-0", "black": "0-1", None: "½-½"}


def name(hall: int, number: int) -> str:
    return TRAVELLER if number == 1 else f"Player {hall}.{number:02}"


class LeagueHall:
    """A hall with thirty boards, on each of which one game of a round is played."""

    def __init__(self, number: int, folder: Path, boards: int) -> None:
        folder.mkdir()
        self.number, self.evening, self.where = number, Evening(folder), str(folder / "hall.db")
        names = [f"t{board:02}" for board in range(1, boards + 1)]
        for each in names:
            board = ModelBoard(each, self.evening.broker.connect(), self.evening.clock)
            self.evening.boards[each] = board
            board.tell_state("empty")
        self.evening.run()
        hall = self.evening.hall
        hall.open_tournament("open", TournamentSettings("League night", System.SWISS, 1), "Anna")
        entrants = [EntrantRegistered(each, name(number, each)) for each in range(1, 2 * boards + 1)]
        pairings = tuple(Pairing(board, 2 * board - 1, 2 * board) for board in range(1, boards + 1))
        hall.book("open").extend([*entrants, RoundPublished(1, pairings)], "Anna", after=1)
        plan = BoardAssignment("tamsk", accept=Accept.AT_ONCE, boards=dict(enumerate(names, start=1)))
        hall.set_plan("open", plan)

    def play(self, boards: int) -> None:
        """Have the first so many boards play their games to the end."""
        self.evening.hall.send_round("open", "Anna")
        self.evening.run(2)
        for number in range(1, boards + 1):
            self.evening.boards[f"t{number:02}"].end(self.winner(number))
        self.evening.run(2)

    def winner(self, board: int) -> str | None:
        return WINNERS[(self.number + board) % 3]


@pytest.fixture
def halls(tmp_path: Path) -> Iterator[list[LeagueHall]]:
    made = [LeagueHall(number, tmp_path / f"hall-{number}", BOARDS) for number in range(HALLS)]
    yield made
    for each in made:
        each.evening.hall.close()


@pytest.fixture
def small(tmp_path: Path) -> Iterator[LeagueHall]:
    hall = LeagueHall(0, tmp_path / "hall", 2)
    yield hall
    hall.evening.hall.close()


def run(*words: object) -> Result:
    return CliRunner().invoke(main, ["league", *map(str, words)])


def test_ten_halls_of_thirty_boards_are_one_league(halls: list[LeagueHall], tmp_path: Path) -> None:
    book, named = tmp_path / "league.json", [f"hall-{hall.number}={hall.where}" for hall in halls]
    for hall in halls:
        hall.play(BOARDS - 10)
    assert run(book, *named).exit_code == 0
    waiting = json.loads(run(book, "--json").output)["halls"]
    assert [(row["results"], row["waiting"]) for row in waiting] == [(BOARDS - 10, 10)] * HALLS
    for hall in halls:
        for number in range(BOARDS - 9, BOARDS + 1):
            hall.evening.boards[f"t{number:02}"].end(hall.winner(number))
        hall.evening.run(2)
    told = run(book, *named)
    assert (told.exit_code, told.stderr) == (0, "")
    league = League.load(book.read_text("utf-8"))
    expected = [
        LeagueResult(
            f"hall-{hall.number}",
            "open",
            1,
            board,
            name(hall.number, 2 * board - 1),
            name(hall.number, 2 * board),
            WRITTEN[hall.winner(board)],
        )
        for hall in halls
        for board in range(1, BOARDS + 1)
    ]
    assert league.results() == expected, "each result once, as the board has ruled"
    rows = league.standings()
    assert sum(row.points for row in rows) == HALLS * BOARDS
    assert len(rows) == HALLS * (2 * BOARDS - 1) + 1
    (traveller,) = (row for row in rows if row.name == TRAVELLER)
    points = {"red": 1, "black": 0, None: 0.5}
    assert (traveller.tournaments, len(traveller.halls)) == (HALLS, HALLS)
    assert traveller.points == sum(points[hall.winner(1)] for hall in halls)
    assert (rows[0], rows[1].place) == (traveller, 2)
    before = book.read_bytes()
    assert run(book, *named).exit_code == 0
    assert book.read_bytes() == before, "read again, nothing is new"


def test_a_hall_that_is_away_keeps_what_it_has_told(small: LeagueHall, tmp_path: Path) -> None:
    small.play(2)
    book = tmp_path / "league.json"
    assert run(book, f"one={small.where}").exit_code == 0
    told = run(book, f"one={tmp_path / 'nowhere.db'}", f"two={small.where}")
    assert (told.exit_code, "one: " in told.stderr, "no database of a hall" in told.stderr) == (1, True, True)
    league = League.load(book.read_text("utf-8"))
    assert [row.hall for row in league.overview()] == ["one", "two"]
    assert len(league.results()) == 4
    assert not (tmp_path / "nowhere.db").exists()
    assert "postgresql" in run(book, "three=postgresql://gnomon@127.0.0.1:9/gnomon").stderr


def test_what_a_hall_has_told_is_not_taken_back(small: LeagueHall) -> None:
    small.play(1)
    logs = read_hall(small.where)
    league, odd = League().with_hall("one", logs)
    assert odd == []
    shorter, (why,) = league.with_hall("one", {"open": logs["open"][:-1]})
    assert (shorter.halls, "only" in why.message) == (league.halls, True)
    last = logs["open"][-1]
    assert isinstance(last.event, ResultEntered)
    forged = (*logs["open"][:-1], last._replace(event=replace(last.event, result=())))
    differing, (why,) = league.with_hall("one", {"open": forged})
    assert (differing.halls, f"event {last.number}" in why.message) == (league.halls, True)
    small.play(2)
    longer, odd = league.with_hall("one", read_hall(small.where))
    assert (odd, len(longer.results())) == ([], 2)


def test_tables_are_printed(small: LeagueHall, tmp_path: Path) -> None:
    small.play(1)
    book = tmp_path / "league.json"
    first = run(book, f"one={small.where}").output.splitlines()
    assert first[0].split() == ["place", "name", "points", "tournaments", "halls"]
    assert len(first) == 5
    assert run(book, "--halls").output.splitlines()[1].split() == ["one", "1", "4", "1", "1"]
    assert run(book, "--results").output.splitlines()[1].split()[:4] == ["one", "open", "1", "1"]


def log_of(events: list[Event]) -> tuple[LoggedEvent, ...]:
    at = timestamp(wall())
    return tuple(LoggedEvent(number, at, "Anna", "", event) for number, event in enumerate(events, start=1))


def test_teams_and_tables_of_three_and_four_are_in_a_league() -> None:
    cup: list[Event] = [
        *team_opening(2),
        RoundPublished(1, (Pairing(1, 1, 2),)),
        *(ResultEntered(1, n, parse_result("1-0")) for n in (1, 2)),
    ]
    evening: list[Event] = [
        TournamentOpened(settings(System.TABLES, rounds=2, tie_breaks=())),
        *(EntrantRegistered(number, each) for number, each in enumerate(("Ada", "Ben", "Cleo"), start=1)),
        TablesSeated(1, (Table(1, (2, 1, 3)),)),
        PlacesEntered(1, 1, (1, 2, 3)),
    ]
    league, odd = League().with_hall("one", {"cup": log_of(cup), "tayu": log_of(evening)})
    assert odd == []
    assert [(row.name, row.points) for row in league.standings()] == [
        ("Ben", 1),
        ("North", 1),
        ("South", 1),
        ("Ada", Fraction(1, 2)),
        ("Cleo", 0),
    ]
    assert league.results()[-1] == LeagueResult("one", "tayu", 1, 1, "Ben, Ada, Cleo", "", "1 : ½ : 0")
    assert league.overview() == [HallRow("one", 2, 9, 3, 0)]


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"format": "gnomon-league", "version": 2, "halls": {}}', "{", '"x"'])
def test_what_is_no_book_of_a_league_is_said(text: str, tmp_path: Path) -> None:
    book = tmp_path / "league.json"
    book.write_text(text, "utf-8")
    with pytest.raises(LeagueError, match="no book of a league"):
        League.load(text)
    told = run(book)
    assert (told.exit_code, "no book of a league" in told.stderr) == (2, True)


def test_a_tournament_that_cannot_be_is_named(small: LeagueHall) -> None:
    logs = read_hall(small.where)
    league, _ = League().with_hall("one", {"open": logs["open"][1:]})
    with pytest.raises(LeagueError, match="one: open cannot be read"):
        league.standings()


def test_a_league_is_told_its_halls_by_name(tmp_path: Path) -> None:
    assert run(tmp_path / "league.json", "hall.db").exit_code == 2
    assert run(tmp_path / "nowhere.json").exit_code == 2
    assert run(tmp_path / "nowhere" / "league.json", "one=nowhere").exit_code == 2
