"""What comes from outside is read in time that grows with its size, and no number in it is too long to be refused."""

import time
from collections.abc import Callable
from contextlib import suppress

import pytest

from gnomon.numbers import natural_order, parse_whole
from gnomon.records.files import read_sheets
from gnomon.records.formats.sgf import read_collection
from gnomon.records.formats.sheets import read_sheet
from gnomon.tournament.errors import TournamentError
from gnomon.tournament.event_log.reducer import open_tournament
from gnomon.tournament.events import TournamentOpened
from gnomon.tournament.formats.tables.csv import CsvError, CsvRow
from gnomon.tournament.formats.tables.entrants import MOST_NUMBER, read_entrants, read_row_by_row
from gnomon.tournament.formats.trf import TrfError, read_trf
from gnomon.tournament.state.notation import parse_points
from gnomon.tournament.state.results import parse_result
from gnomon.tournament.state.round_history import histories
from gnomon.tournament.state.settings import System, TournamentSettings
from gnomon.web.director.entrants import _imports as entrant_import

LONG = "9" * 5_000
ENOUGH = 10.0  # seconds of the processor: each case took minutes, or no end was to be seen


@pytest.mark.parametrize(
    ("text", "most", "number"),
    [("0", 9, 0), ("007", 9, 7), ("9", 9, 9), ("10", 9, None), ("", 9, None), ("-1", 9, None), ("٣", 9, None)],
)
def test_a_whole_number_is_digits_up_to_a_bound(text: str, most: int, number: int | None) -> None:
    assert parse_whole(text, most) == number


def test_no_number_is_too_long_to_be_refused_or_to_be_put_in_order() -> None:
    assert parse_whole(LONG, 10**9) is None
    assert parse_whole("0" * 5_000, 9) == 0
    assert sorted([LONG, "t", "10", "9", "010"], key=natural_order) == ["9", "10", "010", LONG, "t"]


@pytest.mark.parametrize("column", ["number", "rating", "since", "FIDE number", "born", "sex", "title", "federation"])
def test_a_table_of_entrants_refuses_a_number_of_thousands_of_digits_with_its_row(column: str) -> None:
    with pytest.raises(CsvError, match=f"^row 2, column {column}: 9999") as caught:
        read_entrants(f"name,{column}\nAda,{LONG}\n")
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize("line", [f"XXR {LONG}", f"142 {LONG}", f"XXP {LONG} 2", f"XXZ {LONG}", f"XXS W={LONG}"])
def test_a_report_file_refuses_a_number_of_thousands_of_digits_with_its_line(line: str) -> None:
    with pytest.raises(TrfError, match=r"^line 2, column 5: .*9999"):
        read_trf(f"012 Open\n{line}\n")


@pytest.mark.parametrize("text", [LONG, "1e999999999", "1/" + LONG, "1/0", "½½", "0x1", "1_0", ""])
def test_points_that_are_none_are_refused_at_once(text: str) -> None:
    with pytest.raises(TournamentError, match="is not a number of points"):
        parse_points(text)


def test_a_result_that_is_none_is_quoted_in_part() -> None:
    with pytest.raises(TournamentError) as caught:
        parse_result(LONG)
    assert len(str(caught.value)) < 300


def table(rows: int) -> str:
    """A table of which every other row is wrong."""
    return "name;rating\n" + "".join(f"Player {row};{'18OO' if row % 2 else 1800}\n" for row in range(rows))


@pytest.mark.parametrize("rows", [100, 200])
def test_each_row_of_a_table_is_read_once_however_many_are_wrong(rows: int, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[int] = []
    globals_ = read_row_by_row.__globals__
    one_row = globals_["_entry"]

    def counted(row: CsvRow, *told: object) -> object:
        read.append(row.line)
        return one_row(row, *told)

    monkeypatch.setitem(globals_, "_entry", counted)
    found = entrant_import.read_entrants(
        table(rows).encode(), open_tournament(TournamentOpened(TournamentSettings("Open", System.SWISS, 5)))
    )
    assert (len(found.registrations), len(found.mistakes), len(read)) == (rows // 2, rows // 2, rows)
    line, said, why = found.mistakes[0]
    assert (line, said) == (3, "Player 1, 18OO")
    assert why.message == "column rating: 18OO cannot be the rating: write a number from 1 to 9999, or nothing"


def test_a_table_that_no_tournament_holds_is_refused_before_a_row_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(read_row_by_row.__globals__, "_entry", pytest.fail)
    for read in (read_entrants, read_row_by_row):
        with pytest.raises(CsvError, match=f"60000 rows, but a tournament holds {MOST_NUMBER} entrants"):
            read("name\n" + "a\n" * 60_000)
        with pytest.raises(CsvError, match="there are 201 columns, but 200 are the most"):
            read("name" + ",a" * 200 + "\nAda\n")


PLAYER = f"001    1      {'Ada':<33}"


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("112 x\n" * 30_000, "the file has 30001 lines"),
        (PLAYER.ljust(91) + "   2 w 1  " * 100, "line 1, column 1082: there are entries for more than 99 rounds"),
        ("XXP " + " ".join(map(str, range(1, 200))), "line 1: 19701 pairs would be kept apart so far, but 5000"),
    ],
)
def test_a_report_file_that_no_tournament_fills_is_refused_first(text: str, fault: str) -> None:
    with pytest.raises(TrfError, match=f"^{fault}"):
        read_trf(text)


@pytest.mark.parametrize(
    ("read", "data"),
    [
        (read_sheets, b"#" * 50_000),
        (read_sheets, b"# " * 25_000),
        (read_sheets, b"#" + b" " * 50_000 + b"!"),
        (lambda data: read_collection(data.decode()), b"(;GM[38])" + b"[" * 200_000),
        (lambda data: read_collection(data.decode()), b"(;GM[38])" + b"[\\" * 100_000),
        (lambda data: read_collection(data.decode()), b"(;GM[38]C" + b"[]" * 200_000 + b")"),
        (read_sheet, b"Sheet: 1\nGame: tamsk\n" + b"#\n" * 100_000),
        (read_sheet, b"Sheet: 1\nGame: tamsk\nD1-D2\n" + b"#\n" * 100_000),
    ],
    ids=["hashes", "hashes apart", "blanks", "brackets", "escapes", "values", "remarks", "comments"],
)
def test_a_hostile_record_is_read_or_refused_in_time(read: Callable[[bytes], object], data: bytes) -> None:
    begun = time.process_time()
    with suppress(ValueError):
        read(data)
    assert time.process_time() - begun < ENOUGH


def report(rounds: int, players: int = 12) -> str:
    """A report of so many rounds in which nobody meets anybody twice, all drawn."""
    cells, seats = dict.fromkeys(range(1, players + 1), ""), [*range(1, players + 1)]
    for number in range(rounds):
        half = players // 2
        for one, other in zip(seats[:half], reversed(seats[half:]), strict=True):
            first, second = (one, other) if number % 2 else (other, one)
            cells[first] += f"  {second:4d} w ="
            cells[second] += f"  {first:4d} b ="
        seats = [seats[0], seats[-1], *seats[1:-1]]
    lines = (f"001 {one:4d}      P{one}".ljust(80) + f"{rounds / 2:4.1f} {one:4d}{told}" for one, told in cells.items())
    return f"012 Long\nXXR {rounds + 1}\n" + "\n".join(lines) + "\n"


def test_twice_as_many_rounds_of_a_report_are_twice_as_much_to_look_at(monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[int] = []
    one_turn = histories.__globals__["_turn"]

    def counted(*told: object) -> object:
        looked.append(1)
        return one_turn(*told)

    monkeypatch.setitem(histories.__globals__, "_turn", counted)
    counts = []
    for rounds in (5, 10):
        looked.clear()
        assert len(read_trf(report(rounds)).tournament.rounds) == rounds
        counts.append(len(looked))
    assert counts[1] <= 2 * counts[0]
