"""Tables as people's programs write them are read, every mistake with its row and column; ours are read back."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon.tournament.errors import TournamentError
from gnomon.tournament.event_log.reducer import fold
from gnomon.tournament.events import (
    EntrantRegistered,
    PlacesEntered,
    RoundPublished,
    TablesSeated,
    TournamentOpened,
)
from gnomon.tournament.formats.tables.csv import CsvError, decode, rows_of, text_of
from gnomon.tournament.formats.tables.entrants import read_entrants, read_row_by_row, write_entrants
from gnomon.tournament.formats.tables.results import decimal, write_pairings, write_results, write_standings
from gnomon.tournament.state.results import Points
from gnomon.tournament.state.rounds import Table, at_boards
from gnomon.tournament.state.settings import System
from tests.tournament._evening import after, by_hand, gathered, settings

ADA = EntrantRegistered(1, "Ada", 1800, "Rooks", 1)
CELLS = st.text(st.characters(blacklist_categories=["Cs", "Cc"]), max_size=12).map(lambda text: text.strip())


@pytest.mark.parametrize(
    "text",
    [
        "name,rating,team,number,since\nAda,1800,Rooks,1,1\n",
        "Number;Team;Name;Rating\r\n1;Rooks;Ada;1800\r\n",
        "NAME\tElo\tClub\r  Ada \t1800\t Rooks\r",
        "\n\nSpieler; DWZ ;Verein;ab Runde\n\n Ada;1800;Rooks;\n",
        'Nom;Élo;"Équipe";N°\n"Ada";"1800";"Rooks";1\n',
        "\ufeffname,rating,team\nAda,1800.0,Rooks\n",
    ],
)
def test_columns_come_in_any_order_under_many_names(text: str) -> None:
    assert read_entrants(text).registrations == (ADA,)


@given(st.text(), st.sampled_from(["", "name;elo\n", "name,number\nAda,1\n"]))
def test_any_text_is_a_table_or_is_refused_in_a_sentence(text: str, before: str) -> None:
    sentence = "row "
    try:
        read = read_entrants(before + text)
    except CsvError as refusal:
        sentence = str(refusal)
    else:
        assert all(entry.number and entry.name for entry in read.registrations)
    assert sentence.startswith(("row ", "the table "))


def test_first_and_last_names_may_have_columns_of_their_own() -> None:
    (entry,) = read_entrants("First name,Last name,Rating\nAda,Byron,-\n").registrations
    assert entry == EntrantRegistered(1, "Byron, Ada")


def test_who_has_no_number_gets_the_first_that_is_free() -> None:
    read = read_entrants("name,number,since\nAda,\nBen,2,3\nCleo\n", taken=[1, 4])
    assert [(entry.number, entry.name, entry.since) for entry in read.registrations] == [
        (3, "Ada", 1),
        (2, "Ben", 3),
        (5, "Cleo", 1),
    ]


@pytest.mark.parametrize("heading", ["Rank", "Rang", "Go rank"])
def test_a_column_of_grades_is_read_under_the_name_of_a_rank(heading: str) -> None:
    found = read_entrants(f"Name;{heading};Elo\nAda;4d;\nBen;25k;0\nCleo;12k;1850\nDov;;\n")
    assert [(one.name, one.rating) for one in found.registrations] == [
        ("Ada", 2400),
        ("Ben", 1),
        ("Cleo", 1850),
        ("Dov", None),
    ]
    assert [(told.number, told.person.title) for told in found.persons] == [(1, "4d"), (2, "25k"), (3, "12k")]
    assert found.left_out == ()


@pytest.mark.parametrize("rows", ["Ada;1\nBen;2", "Ada;4d\nBen;2", "Ada;\nBen"])
def test_a_column_of_places_is_no_column_of_grades(rows: str) -> None:
    found = read_entrants(f"Name;Rank\n{rows}\n")
    assert (found.left_out, found.persons) == (("Rank",), ())


def test_where_only_a_table_will_do_an_empty_one_wants_headings() -> None:
    with pytest.raises(CsvError, match=r"^the table is empty: write a row of headings") as raised:
        read_row_by_row("", headed=True)
    assert raised.value.code == "empty"


def test_columns_that_are_not_kept_are_named() -> None:
    assert read_entrants("name,phone,,e-mail\nAda,1815,,\n").left_out == ("phone", "e-mail")


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (
            "",
            "the table is empty: write a name on each line, or a row of headings, name at least",
        ),
        ("name\n", "the table has headings but no entrant: write a row for each entrant after row 1"),
        (
            "born,city\n1815,London\n",
            "row 1: none of the headings born, city is name: call the column",
        ),
        ("name,Elo,DWZ\nAda,1,2\n", "row 1: Elo and DWZ say the same thing: leave one of them out"),
        (
            "name,elo\nAda,12x\n",
            "row 2, column elo: 12x cannot be the rating: write a number from 1 to 9999, or nothing",
        ),
        ("name,elo\n\nAda,10000\n", "row 3, column elo: 10000 cannot be the rating"),
        ("name,nr\nAda,-1\n", "row 2, column nr: -1 cannot be the number: write a number from 1 to 9999, or nothing"),
        ("name,since\nAda,²\n", "row 2, column since: ² cannot be the round: write a number from 1 to 99, or nothing"),
        ("elo,name\n1800,\n", "row 2, column name: the name is missing: write the name of the entrant"),
        ("surname,elo\n,5\n", "row 2, column surname: the name is missing"),
        (f"name\n{'A' * 201}\n", "row 2, column name: the name has more than 200 characters"),
        ("name,nr\nAda,1\nBen,1\n", "row 3: number 1 of Ben belongs to Ada in row 2: give each their own, or none"),
        ("name,nr\nAda,7\n", "row 2: number 7 of Ada belongs to somebody who is registered: give each their own"),
        ("name,elo\nAda,1800,Rooks\n", "row 2: there are more cells than headings: put quotes around a cell"),
        ('name\n"Ada\n', "row 2: a cell does not end where it should: close its quotation mark, and double every"),
        ('name\nBen\n"Ada" B\n', "row 3: a cell does not end where it should"),
    ],
)
def test_a_mistake_is_named_with_its_row_and_column(text: str, fault: str) -> None:
    with pytest.raises(CsvError, match=f"^{re.escape(fault)}"):
        read_entrants(text, taken=[7])


@pytest.mark.parametrize(
    ("line", "name", "rating"),
    [
        ("Ada Lovelace", "Ada Lovelace", None),
        ("Lovelace, Ada", "Lovelace, Ada", None),
        ('"Lovelace, Ada"', "Lovelace, Ada", None),
        ('Ada "the Countess" Lovelace', 'Ada "the Countess" Lovelace', None),
        ("3. Ada Lovelace 1850", "Ada Lovelace", 1850),
        ("12) Lovelace, Ada, 1850", "Lovelace, Ada", 1850),
        ("Ada,790", "Ada", 790),
        ("Ada : 790", "Ada", 790),
        ("HAL 9000", "HAL 9000", None),
        ("Louis 14", "Louis 14", None),
        (f"{'A' * 150} {'B' * 40} 1850", f"{'A' * 150} {'B' * 40}", 1850),
        ("Finn (1500)", "Finn", 1500),
        ("1. Ann (1900)", "Ann", 1900),
        ("Kim [950]", "Kim", 950),
        ("Go Seigen (9d)", "Go Seigen", 2900),
        ("Finn (Rooks)", "Finn (Rooks)", None),
        ("Finn (Rooks) 1500", "Finn (Rooks)", 1500),
        ("Finn (Rooks) (1500)", "Finn (Rooks)", 1500),
        ("Finn (Rooks 1500)", "Finn (Rooks 1500)", None),
        ("Finn (born 1990", "Finn (born 1990", None),
        ("Finn [(1500)", "Finn [(1500)", None),
        ("=HYP(1)", "=HYP(1)", None),
        ("Ann\t1900", "Ann", 1900),
        ("Ann;1900", "Ann", 1900),
        ("Ann;-", "Ann", None),
        ("Ann;", "Ann", None),
        ('"Lovelace, Ada";1850', "Lovelace, Ada", 1850),
    ],
)
def test_a_list_of_names_needs_no_headings(line: str, name: str, rating: int | None) -> None:
    read = read_entrants(f"\ufeff{line}\r\n\n  Ben \n", taken=[1])
    assert read.registrations == (EntrantRegistered(2, name, rating), EntrantRegistered(3, "Ben"))
    assert (read.is_list, read.left_out) == (True, ())


@pytest.mark.parametrize("text", ["Ada\n\n---\n", f"Ada\n\n{'A' * 300}\n"])
def test_a_list_names_the_line_that_is_no_name(text: str) -> None:
    with pytest.raises(CsvError, match=r"^row 3, column name: the name"):
        read_entrants(text)


@pytest.mark.parametrize("text", ["Ada 1850\nBen;Rooks\n", "Ada;1850\nBen;1900;Rooks\n", "Ada\nBen\tx\n"])
def test_a_mixed_list_names_the_line_that_has_more_than_a_name_and_a_rating(text: str) -> None:
    with pytest.raises(CsvError, match=r"^row 2: this is not a name with a rating: write one player on each line"):
        read_entrants(text)
    assert [one.line for one in read_row_by_row(text).mistakes] == [2]


def test_a_title_above_the_headings_is_nobody_s_name() -> None:
    with pytest.raises(CsvError, match=r"^row 1: none of the headings"):
        read_entrants("Club open 2024\nName;Elo\nAda;1800\n")


@pytest.mark.parametrize("text", ["Wer;Wo\nAda;Rom\n", "Wer\tWo\nAda\tRom\n", "<b>Ada</b>\n"])
def test_a_table_with_other_headings_is_no_list_of_names(text: str) -> None:
    with pytest.raises(CsvError, match=r"^row 1: none of the headings"):
        read_entrants(text)
    assert not read_entrants("Name\nAda\n").is_list


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "latin-1", "cp1252"])
def test_bytes_of_many_programs_are_text(encoding: str) -> None:
    assert decode("Name\nZoë Müßig\n".encode(encoding)) == "Name\nZoë Müßig\n"


def test_a_spreadsheet_of_another_format_is_refused() -> None:
    with pytest.raises(CsvError, match="not a text but another program's own file: save it there as CSV"):
        decode(b"PK\x03\x04\0\0")


@given(st.lists(st.lists(CELLS, min_size=2, max_size=2).filter(any), min_size=1), st.sampled_from(",;\t"))
def test_a_table_comes_back_as_it_was_written(rows: list[list[str]], separator: str) -> None:
    read = rows_of(text_of(["one", "other"], rows, separator))
    assert [list(row.cells) for row in read[1:]] == rows


def test_no_cell_is_a_formula_of_a_spreadsheet() -> None:
    text = text_of(["name"], [["=1+1"], ["-/+"], ["-2"], ["+SUM(A1)"], ["@home"], ["'=1"]])
    assert text.split() == ["name", "'=1+1", "-/+", "-2", "'+SUM(A1)", "'@home", "''=1"]


def test_entrants_come_back_from_their_table() -> None:
    events = [ADA, EntrantRegistered(5, 'Ben "Bo" O’Dea; jr, 2', None, "", 3), EntrantRegistered(2, "=Cleo", 1)]
    tournament = fold([TournamentOpened(settings()), *events])
    read = read_entrants(write_entrants(tournament, ";"))
    assert sorted(read.registrations, key=lambda one: one.number) == sorted(events, key=lambda one: one.number)


EVENING = by_hand(gathered(5, settings(tie_breaks=("BH",))), [(1, 3, "1-0"), (2, 4, "½-½"), (5, None, "")])
PLAYING = after(EVENING, RoundPublished(2, at_boards([(5, 1), (4, 3), (2, None)])))


def test_pairings_and_results_are_tables() -> None:
    assert write_pairings(PLAYING, 2).splitlines() == [
        "round,board,first number,first,second number,second,result",
        "2,1,5,Eva,1,Ada,",
        "2,2,4,Dov,3,Cleo,",
        "2,3,2,Ben,,bye,",
    ]
    assert write_results(PLAYING, ";").splitlines()[1:4] == [
        "1;1;1;Ada;3;Cleo;1-0",
        "1;2;2;Ben;4;Dov;½-½",
        "1;3;5;Eva;;bye;",
    ]
    with pytest.raises(TournamentError, match="round 3 is not published"):
        write_pairings(PLAYING, 3)


def test_tables_of_three_and_four_have_a_row_for_each_seat() -> None:
    four = gathered(4, settings(System.TABLES, rounds=2, tie_breaks=()))
    seated = after(four, TablesSeated(1, (Table(1, (3, 1, 4, 2)),)))
    ended = after(seated, PlacesEntered(1, 1, (3, 1, 4, 1)))
    assert write_pairings(seated, 1).splitlines() == [
        "round,table,seat,number,name,place,points",
        "1,1,1,3,Cleo,,",
        "1,1,2,1,Ada,,",
        "1,1,3,4,Dov,,",
        "1,1,4,2,Ben,,",
    ]
    assert write_results(ended).splitlines()[1:] == [
        "1,1,1,3,Cleo,3,0.333333",
        "1,1,2,1,Ada,1,0.833333",
        "1,1,3,4,Dov,4,0",
        "1,1,4,2,Ben,1,0.833333",
    ]


def test_standings_are_a_table_with_their_tie_breaks() -> None:
    lines = write_standings(EVENING).splitlines()
    assert lines[0] == "place,number,name,rating,team,points,BH"
    assert lines[3] == "3,2,Ben,1998,,0.5,0.5"


@pytest.mark.parametrize(("points", "text"), [(Points(3), "3"), (Points(5, 2), "2.5"), (Points(1, 3), "0.333333")])
def test_points_are_decimals_for_programs(points: Points, text: str) -> None:
    assert decimal(points) == text


def test_the_page_about_files_says_a_mistake_as_it_is_said() -> None:
    page = (Path(__file__).parents[2] / "docs" / "tournament-files.md").read_text(encoding="utf-8")
    with pytest.raises(CsvError) as refusal:
        read_entrants("Name;Elo\nAda;1800\nBen;18OO\n")
    assert f"\n{refusal.value}\n" in page
