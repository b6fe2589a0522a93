"""What is told of an event and its people: read as people write it, replaced by what is told later, kept private."""

import re
from collections.abc import Callable
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon.tournament.errors import TournamentError
from gnomon.tournament.event_log.codec import event_from, event_value
from gnomon.tournament.events import EntrantCorrected, HeadingTold, LotDrawn, PersonTold
from gnomon.tournament.formats.tables.entrants import read_entrants, write_entrants
from gnomon.tournament.formats.trf import by_seeds
from gnomon.tournament.state.particulars import (
    READERS,
    Heading,
    PersonalData,
    birth_of,
    check_heading,
    day_of,
    federation_of,
    fide_number_of,
    in_public,
    line_of,
    round_day_of,
    sex_of,
    shown_day,
    title_of,
)
from tests.tournament._evening import after, gathered, settings

ADA = PersonalData("w", "WGM", "ENG", "400123", "1815/12/10", "SC Bonn")
TWO = gathered(2, settings())


@pytest.mark.parametrize(
    ("read", "text", "kept"),
    [
        (sex_of, " Weiblich", "w"),
        (sex_of, "H", "m"),
        (sex_of, "", ""),
        (federation_of, " ger ", "GER"),
        (title_of, "Dr.", "Dr."),
        (fide_number_of, "400123.0", "400123"),
        (fide_number_of, "000", ""),
        (birth_of, "1815", "1815"),
        (birth_of, "1990/00/00", "1990"),
        (birth_of, "3.2.1990", "1990/02/03"),
        (day_of, "2026-11-20", "2026/11/20"),
        (day_of, "", ""),
        (round_day_of, "20.11.2026", "26/11/20"),
        (round_day_of, "", ""),
        (line_of, " Bad \n Ems ", "Bad Ems"),
        (shown_day, "26/11/20", "2026-11-20"),
        (shown_day, "20 November", "20 November"),
    ],
)
def test_what_people_write_becomes_what_a_report_file_has(read: Callable[[str], str], text: str, kept: str) -> None:
    assert read(text) == kept


@pytest.mark.parametrize(
    ("read", "text", "sentence"),
    [
        (sex_of, "yes", "yes is not a sex that a report file knows: write m or w, or nothing"),
        (
            federation_of,
            "Germany",
            "Germany is not the code of a federation: write its three letters such as GER, or nothing",
        ),
        (title_of, "Prof", "Prof is not a title: write up to three letters or digits such as WGM or 5d, or nothing"),
        (fide_number_of, "4-7", "4-7 is not a FIDE number: write up to 11 digits, or nothing"),
        (birth_of, "90", "90 is not a date: write it as 2026-11-20"),
        (day_of, "2026-02-30", "2026-02-30 is not a date: write it as 2026-11-20"),
        (day_of, "2026-11/20", "2026-11/20 is not a date"),
        (line_of, "A" * 201, "AAAAAAAAAAAAAAAAAAAA… has more than 200 characters: write it shorter"),
    ],
)
def test_what_no_report_file_has_is_refused_in_a_sentence(read: Callable[[str], str], text: str, sentence: str) -> None:
    with pytest.raises(TournamentError, match=f"^{re.escape(sentence)}"):
        read(text)


@given(st.sampled_from(sorted(READERS)), st.text(max_size=14))
def test_what_was_read_once_is_read_again_as_it_is(thing: str, text: str) -> None:
    try:
        kept = READERS[thing](text)
    except TournamentError:
        return
    assert READERS[thing](kept) == kept


@given(st.dates(date(1000, 1, 1)))
def test_a_day_is_read_however_it_is_written_and_shown_in_one_way(day: date) -> None:
    for written in (day.isoformat(), f"{day:%Y/%m/%d}", f"{day.day}.{day.month}.{day.year}"):
        assert shown_day(day_of(written)) == day.isoformat()


def test_what_is_told_later_replaces_what_was_told_before() -> None:
    told = after(TWO, HeadingTold(Heading("Ely")), PersonTold(1, ADA), HeadingTold(Heading("Bonn")))
    assert (told.heading, told.persons, told.person(2)) == (Heading("Bonn"), {1: ADA}, PersonalData())
    assert after(told, EntrantCorrected(1, "Augusta", 1800)).person(1) == ADA
    nothing = after(told, PersonTold(1, PersonalData()), HeadingTold(Heading()))
    assert nothing == TWO


def test_days_that_cannot_be_are_refused() -> None:
    assert (
        check_heading(Heading(starts="2026/11/20", ends="2026/11/20", dates=("26/11/20",)), settings()).starts
        == "2026/11/20"
    )
    with pytest.raises(TournamentError, match="ends on 2026-11-19, before it starts on 2026-11-20: give both"):
        check_heading(Heading(starts="2026/11/20", ends="2026/11/19"), settings())
    with pytest.raises(TournamentError, match="2 days were given, but there are 1 rounds: give one day for each"):
        check_heading(Heading(dates=("26/11/20", "26/11/21")), settings(rounds=1))


def test_nothing_is_told_of_who_is_not_there() -> None:
    with pytest.raises(TournamentError, match="there is no entrant 9"):
        after(TWO, PersonTold(9, ADA))


def test_sex_and_birth_are_nobodys_business() -> None:
    told = after(TWO, PersonTold(1, ADA), PersonTold(2, PersonalData("m", born="1990")))
    assert in_public(ADA) == PersonalData(title="WGM", federation="ENG", fide_number="400123", club="SC Bonn")
    assert told.in_public().persons == {1: in_public(ADA)}


def test_who_gets_another_number_keeps_what_is_known_of_them() -> None:
    told = after(TWO, PersonTold(2, ADA), EntrantCorrected(2, "Ada", 2500), LotDrawn((1, 2)))
    again, had = by_seeds(told)
    assert (again.persons, again.lots, had) == ({1: ADA}, ((2, 1),), {1: 2, 2: 1})


def test_an_event_that_came_later_may_have_fewer_fields() -> None:
    assert event_from({"kind": "PersonTold", "number": 1, "person": {"title": "FM"}}) == PersonTold(
        1, PersonalData(title="FM")
    )
    assert event_value(HeadingTold(Heading("Ely")))["heading"]["city"] == "Ely"  # type: ignore[index]  # an object


@pytest.mark.parametrize(
    "text",
    [
        "name,team,club,title,federation,FIDE number,born,sex\nAda,North,SC Bonn,WGM,ENG,400123,1815-12-10,w\n",
        "Mannschaft;Verein;Titel;Land;FIDE-ID;Geburtsdatum;m/w;Name\nNorth;SC Bonn;WGM;eng;400123.0;10.12.1815;W;Ada\n",
        "Équipe\tClub\tTitre\tFéd.\tIdFIDE\tNé(e)\tSexe\tNom\nNorth\tSC Bonn\tWGM\tENG\t400123\t1815/12/10\tf\tAda\n",
    ],
)
def test_a_table_tells_of_people_under_many_headings(text: str) -> None:
    read = read_entrants(text)
    assert (read.registrations[0].team, read.persons, read.left_out) == ("North", (PersonTold(1, ADA),), ())


def test_a_club_is_the_team_where_nothing_else_is() -> None:
    read = read_entrants("name,club,title,born\nAda,Rooks,-,0\nBen\n")
    assert ([one.team for one in read.registrations], read.persons) == (["Rooks", ""], ())


def test_a_mistake_about_a_person_is_named_with_its_row_and_column() -> None:
    with pytest.raises(TournamentError, match=r"^row 3, column Land: Germany is not the code of a federation"):
        read_entrants("name,Land\nAda,GER\nBen,Germany\n")


def test_people_come_back_from_their_table() -> None:
    told = after(TWO, PersonTold(1, ADA), PersonTold(2, PersonalData(club="=Rooks")))
    assert read_entrants(write_entrants(told, private=True)).persons == (
        PersonTold(1, ADA),
        PersonTold(2, PersonalData(club="=Rooks")),
    )
    header, *rows = write_entrants(told, ";").splitlines()
    assert header == "number;name;rating;team;since;club;title;federation;FIDE number"
    assert not any("1815" in row or ";w" in row for row in rows)
    assert "club" not in write_entrants(after(TWO, PersonTold(1, PersonalData("w", born="1815"))))
