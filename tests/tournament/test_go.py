"""Test what Go wants: grades, McMahon by grades, stones, both-win, rounding, OpenGotha's files and two reports."""

import re
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon.tournament.errors import TournamentError
from gnomon.tournament.event_log.codec import event_of, event_text
from gnomon.tournament.event_log.reducer import fold
from gnomon.tournament.events import (
    ByeGranted,
    EntrantRegistered,
    Event,
    HeadingTold,
    PersonTold,
    RoundPublished,
    TournamentOpened,
)
from gnomon.tournament.formats.go.opengotha import MOST_DEPTH, MOST_LETTERS, is_opengotha, read_opengotha
from gnomon.tournament.formats.go.reports import write_aga, write_h9
from gnomon.tournament.formats.tables.entrants import read_entrants
from gnomon.tournament.formats.tables.results import write_pairings
from gnomon.tournament.formats.trf import TrfError, write_trf
from gnomon.tournament.pairing.engines import pair
from gnomon.tournament.standings import standings
from gnomon.tournament.state import Tournament
from gnomon.tournament.state.particulars import Heading, PersonalData
from gnomon.tournament.state.results import GameResult, Points, parse_result
from gnomon.tournament.state.settings import Bye, GradeRules, Rounding, System, TournamentSettings
from gnomon.tournament.strength.given_points import starting_points
from gnomon.tournament.strength.grades import (
    grade_of,
    grade_of_rating,
    grade_text,
    is_grade,
    parse_grade,
    rating_of_grade,
)
from gnomon.tournament.strength.stones import handicaps
from tests.tournament._evening import after, by_hand, gathered, pairs, settings
from tests.tournament._teams import gathered as gathered_teams
from tests.tournament._teams import published, told

GRADES = {1: "4d", 2: "2d", 3: "1k", 4: "5k", 5: "5k", 6: "20k"}


def go_evening(rules: GradeRules, system: System = System.MCMAHON, **others: object) -> Tournament:
    """Six who are graded, the strongest first."""
    like = settings(system, 3, grades=rules, rule_set="GO", tie_breaks=("SOS",), **others)
    events: list[Event] = [TournamentOpened(like)]
    for number, grade in GRADES.items():
        events += [
            EntrantRegistered(number, f"Entrant {number}", max(1, rating_of_grade(parse_grade(grade)))),
            PersonTold(number, PersonalData(title=grade)),
        ]
    return fold(events)


@pytest.mark.parametrize(
    ("text", "grade", "short"),
    [
        ("30k", -30, "30k"),
        ("1 kyu", -1, "1k"),
        ("1D", 0, "1d"),
        ("9 dan", 8, "9d"),
        ("1p", 9, "1p"),
        ("9 pro", 17, "9p"),
    ],
)
def test_grades_are_read_and_printed(text: str, grade: int, short: str) -> None:
    assert parse_grade(text) == grade
    assert grade_text(grade) == short
    assert parse_grade(short) == grade


@pytest.mark.parametrize("text", ["", "0k", "31k", "10d", "10p", "dan", "5", "5x", "1kk"])
def test_what_is_no_grade_is_refused(text: str) -> None:
    assert not is_grade(text)
    with pytest.raises(TournamentError, match="is not a grade: write 12k, 3d or 1p"):
        parse_grade(text)


def test_a_grade_has_the_hundred_ratings_around_its_own() -> None:
    # OpenGotha: 2050 to 2149 are 1 dan.
    assert [grade_of_rating(rating) for rating in (2049, 2050, 2149, 2150)] == [-1, 0, 0, 1]
    assert [grade_of_rating(rating) for rating in (1, -5000, 9000)] == [-21, -30, 8]
    assert all(grade_of_rating(rating_of_grade(grade)) == grade for grade in range(-30, 9))
    assert rating_of_grade(parse_grade("5p")) == rating_of_grade(parse_grade("9d")) == 2900


def test_the_grade_that_is_borne_goes_before_that_of_the_rating() -> None:
    table = go_evening(GradeRules())
    assert grade_of(table, 4) == -5
    assert grade_of(after(table, PersonTold(4, PersonalData(title="FM"))), 4) == -5  # by the rating
    nobody = after(table, EntrantRegistered(7, "Nobody"))
    assert grade_of(nobody, 7) is None
    assert starting_points(nobody, 7) == 0


def test_everybody_begins_with_a_point_for_each_grade_between_floor_and_bar() -> None:
    table = go_evening(GradeRules(bar=parse_grade("2d"), floor=parse_grade("10k")))
    assert [starting_points(table, number) for number in GRADES] == [11, 11, 9, 5, 5, 0]
    with pytest.raises(TournamentError, match="the floor must not be above the bar"):
        GradeRules(bar=-5, floor=0)
    with pytest.raises(TournamentError, match="reduced by 0 to 9 stones, not 10"):
        GradeRules(handicap=10)


def test_the_weaker_gets_stones_and_moves_first() -> None:
    table = go_evening(GradeRules(bar=parse_grade("2d"), floor=parse_grade("20k"), handicap=2))
    assert not table.settings.balances
    pairings = pair(table)
    assert pairs(pairings) == [(1, 2), (4, 3), (6, 5)]
    # 4 apart less 2, and 15 apart less 2, of which nine are given.
    assert handicaps(table, 1, pairings) == {2: 2, 3: 9}
    published = after(table, RoundPublished(1, pairings))
    assert [line.rpartition(",")[2] for line in write_pairings(published, 1).splitlines()] == ["stones", "0", "2", "9"]
    assert handicaps(go_evening(GradeRules()), 1, pairings) == {}


def test_elsewhere_stones_go_by_grades() -> None:
    # A player without a grade counts as the weakest of the others.
    table = after(go_evening(GradeRules(handicap=0), System.ROUND_ROBIN), EntrantRegistered(7, "Nobody"))
    pairings = pair(table)
    stones = handicaps(table, 1, pairings)
    ranks = {number: parse_grade(grade) for number, grade in GRADES.items()} | {7: parse_grade("20k")}
    for pairing in pairings:
        if pairing.second is not None:
            assert ranks[pairing.first] <= ranks[pairing.second]
            assert stones.get(pairing.board, 0) == min(9, ranks[pairing.second] - ranks[pairing.first])


def test_both_may_win_or_lose() -> None:
    table = by_hand(go_evening(GradeRules()), [(1, 2, "1-1"), (3, 4, "0-0"), (5, 6, "1-0")])
    scored = {one.number: one.points - starting_points(table, one.number) for one in standings(table)}
    assert scored == {1: 1, 2: 1, 3: 0, 4: 0, 5: 1, 6: 0}
    assert parse_result("1-1") == (GameResult.BOTH_WON,)
    assert GameResult.BOTH_WON.from_other_side is GameResult.BOTH_WON
    swiss = fold([TournamentOpened(settings(rounds=1)), *map(entered, (1, 2))])
    with pytest.raises(TournamentError, match="round 1, board 1: both players can win only where they are graded"):
        by_hand(swiss, [(1, 2, "1-1")])
    # A report file has no letters for it, and says so.
    (told,) = map(str, write_trf(table).left_out)
    assert (
        "cannot read this file back: line 10, column 92: 1 Entrant 1 and 2 Entrant 2 have the results 1 and 1" in told
    )
    notes = map(str, write_trf(go_evening(GradeRules(handicap=1))).left_out)
    assert "McMahon by grades (floor and bar): 30k 9d handicap=1 here, but none when the file is read" in notes


def entered(number: int) -> EntrantRegistered:
    return EntrantRegistered(number, f"Entrant {number}")


@pytest.mark.parametrize(("rounding", "points"), [("none", Fraction(1, 2)), ("down", 0), ("up", 1)])
def test_half_points_are_rounded_for_pairing_and_standings(rounding: str, points: Points) -> None:
    rules = GradeRules(bar=parse_grade("20k"), floor=parse_grade("20k"), rounding=Rounding(rounding))
    table = after(go_evening(rules), ByeGranted(1, 1, Bye.HALF))
    table = by_hand(table, [(2, 3, "½-½"), (4, 5, "½-½"), (6, None, "")])
    assert {one.number: one.points for one in standings(table)} == dict.fromkeys(range(1, 6), points) | {6: 1}
    # Rounded up, everybody is level, and the first meets the fourth; else 6 leads alone.
    meets = next(pairing for pairing in pair(table) if 6 in pairing.entrants)
    assert (6 in pair(table)[0].entrants) is (rounding != "up" or meets.board == 1)


def test_the_rules_are_kept_in_the_book() -> None:
    opened = TournamentOpened(
        TournamentSettings("Open", System.MCMAHON, 5, grades=GradeRules(3, -20, 1, Rounding.DOWN))
    )
    assert event_of(event_text(opened)) == opened
    plain = TournamentOpened(TournamentSettings("Open", System.MCMAHON, 5))
    assert event_of(event_text(plain)) == plain


def test_grades_stand_in_tables() -> None:
    found = read_entrants("Name;Grade;Title\nAnn;2 dan;\nBob;25k;\nCy;5k;FM\nDee;;\n")
    assert [one.rating for one in found.registrations] == [2200, 1, 1600, None]
    assert [told.person.title for told in found.persons] == ["2d", "25k", "FM"]
    with pytest.raises(TournamentError, match="5x cannot be the rating"):
        read_entrants("Name;Grade\nAnn;5x\n")
    assert read_entrants("Name\nAnn\n").persons == ()


# OpenGotha

PLAYER = (
    '<Player agaId="" club="{club}" country="{country}" egfPin="{pin}" firstName="{first}" grade="{rank}" name="{name}"'
    ' participating="11111111111111111111" rank="{rank}" rating="{rating}" registeringStatus="FIN"'
    ' smmsCorrection="{correction}"/>'
)


def player(name: str, rank: str, rating: str = "2100", correction: str = "0", pin: str = "10401138") -> str:
    last, first = name.split()
    return PLAYER.format(
        name=last, first=first, rank=rank, rating=rating, correction=correction, pin=pin, club="Wars", country="PL"
    )


def game(in_round: int, black: str, white: str, result: str, stones: int = 0) -> str:
    return (
        f'<Game blackPlayer="{black}" handicap="{stones}" knownColor="true" result="RESULT_{result}"'
        f' roundNumber="{in_round}" tableNumber="1" whitePlayer="{white}"/>'
    )


PLAYERS = [
    player("Fan Hui", "7D", "2750"),
    player("Surma Mateusz", "6D", "2680", "1"),
    player("Kay Andrew", "1K", "2000", pin=""),
    player("Imai Umi", "15K", "600"),
    player("Kondo Kimiyo", "25K", "-400"),
]
GAMES = [
    game(1, "SURMAMATEUSZ", "FANHUI", "WHITEWINS"),
    game(1, "IMAIUMI", "KAYANDREW", "BLACKWINS", 9),
    game(2, "KAYANDREW", "FANHUI", "WHITEWINS_BYDEF", 2),
    game(2, "KONDOKIMIYO", "SURMAMATEUSZ", "BOTHWIN", 9),
    game(3, "KAYANDREW", "SURMAMATEUSZ", "UNKNOWN", 2),
]
GENERAL = (
    '<GeneralParameterSet beginDate="2013-07-28" director="Krzysztof Grabowski" endDate="2013-08-10" genMMBar="4D"'
    ' genMMFloor="20K" genMMS2ValueAbsent="1" genMMS2ValueBye="2" genNBW2ValueAbsent="0" genNBW2ValueBye="1"'
    ' genRoundDownNBWMMS="true" location="Olsztyn" name="EGC 2013" numberOfRounds="4"/>'
)
HANDICAP = '<HandicapParameterSet hdBasedOnMMS="true" hdCeiling="9" hdCorrection="3" hdNoHdRankThreshold="1D"/>'


SOME = [game(1, "SURMAMATEUSZ", "FANHUI", "WHITEWINS"), game(2, "IMAIUMI", "KAYANDREW", "EQUAL")]


def xml(  # noqa: PLR0913, PLR0917 - what there is in a file
    players: list[str] | None = None,
    games: list[str] | None = None,
    general: str = GENERAL,
    handicap: str = HANDICAP,
    criteria: tuple[str, ...] = ("MMS", "SOSM", "SOSOSM", "NULL"),
    head: str = '<?xml version="1.0" encoding="UTF-8" standalone="no"?>\n',
) -> str:
    byes = '<ByePlayer player="KONDOKIMIYO" roundNumber="1"/><ByePlayer player="IMAIUMI" roundNumber="3"/>'
    placed = "".join(f'<PlacementCriterion name="{name}" number="1"/>' for name in criteria)
    return (
        f'{head}<Tournament dataVersion="201"><Players>{"".join(PLAYERS if players is None else players)}</Players>'
        f"<Games>{''.join(GAMES if games is None else games)}</Games><ByePlayers>{byes}</ByePlayers>"
        f"<TournamentParameterSet>{general}{handicap}<PlacementParameterSet><PlacementCriteria>{placed}"
        "</PlacementCriteria></PlacementParameterSet></TournamentParameterSet></Tournament>"
    )


def test_a_file_of_opengotha_becomes_a_tournament() -> None:
    text = xml()
    assert is_opengotha(text)
    found = read_opengotha(text)
    table = found.tournament
    assert fold(found.events) == table
    assert table.settings == TournamentSettings(
        "EGC 2013",
        System.MCMAHON,
        4,
        balance=False,
        rule_set="GO",
        tie_breaks=("SOS", "SOSOS"),
        grades=GradeRules(parse_grade("4d"), parse_grade("20k"), 3, Rounding.DOWN),
    )
    assert table.heading == Heading(
        city="Olsztyn", starts="2013/07/28", ends="2013/08/10", arbiter="Krzysztof Grabowski"
    )
    assert [(one.name, one.rating, table.person(number).title) for number, one in table.entrants.items()] == [
        ("Fan, Hui", 2750, "7d"),
        ("Surma, Mateusz", 2680, "6d"),
        ("Kay, Andrew", 2000, "1k"),
        ("Imai, Umi", 600, "15k"),
        ("Kondo, Kimiyo", None, "25k"),
    ]
    assert table.person(1) == PersonalData(title="7d", federation="PL", fide_number="10401138", club="Wars")
    assert [starting_points(table, number) for number in table.entrants] == [23, 23, 19, 5, 0]
    assert [pairs(round_.pairings) for round_ in table.rounds] == [
        [(2, 1), (4, 3), (5, None)],
        [(3, 1), (5, 2)],
        [(3, 2), (4, None)],
    ]
    assert table.byes[4, 2] is Bye.HALF
    assert table.rounds[1].results == {1: (GameResult.SECOND_BY_FORFEIT,), 2: (GameResult.BOTH_WON,)}
    assert table.waiting == (1,)
    assert [str(remark) for remark in found.left_out] == [
        "the correction 1 of the starting score of Surma, Mateusz is left out"
    ]


def test_a_swiss_of_opengotha_and_what_it_ranks_by() -> None:
    found = read_opengotha(xml(criteria=("NBW", "SOSW", "EXR", "SDC"), handicap="", games=SOME))
    like = found.tournament.settings
    assert (like.system, like.tie_breaks, like.scoring.bye) == (System.SWISS, ("SOS", "DE"), Fraction(1, 2))
    assert like.grades is not None
    assert like.grades.handicap is None
    assert [str(remark) for remark in found.left_out][:1] == [
        "the tie-break EXR is left out: Gnomon does not compute it"
    ]


@pytest.mark.parametrize(
    ("handicap", "reduced"),
    [
        (HANDICAP.replace("1D", "30K"), None),
        (HANDICAP.replace('hdCorrection="3"', 'hdCorrection="-1"'), 0),
        (HANDICAP.replace(' hdCorrection="3"', ""), 0),
        (HANDICAP.replace("1D", "?"), 3),
    ],
)
def test_how_many_stones_fewer_a_file_gives(handicap: str, reduced: int | None) -> None:
    grades = read_opengotha(xml(handicap=handicap)).tournament.settings.grades
    assert grades is not None
    assert grades.handicap == reduced


def test_a_file_whose_stones_are_others_says_so_or_has_none() -> None:
    even = [re.sub(r'handicap="\d"', 'handicap="0"', one) for one in GAMES]
    grades = read_opengotha(xml(games=even)).tournament.settings.grades
    assert grades == GradeRules(parse_grade("4d"), parse_grade("20k"), None, Rounding.DOWN)
    found = read_opengotha(xml(games=[even[0], *GAMES[1:4], GAMES[4].replace('handicap="2"', 'handicap="3"')]))
    told = "games with other stones than in the file: 1; Gnomon computes stones from the scores"
    assert told in map(str, found.left_out)


ENTITIES = "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 12))


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (xml(head=f'<?xml version="1.0"?><!DOCTYPE t [<!ENTITY a0 "ha">{ENTITIES}]>'), "document type or entities"),
        (xml(head='<!DOCTYPE t SYSTEM "file:///etc/passwd">'), "document type or entities"),
        ("<Tournament>" + " " * MOST_LETTERS, "larger than any tournament"),
        ("<Tournament>" + "<a>" * MOST_DEPTH, "larger than any tournament"),
        ("<Tournament>" + "<a/>" * 100_001 + "</Tournament>", "larger than any tournament"),
        ("<Tournament>", "it is not XML in line 1"),
        ("<Tournament>&a;</Tournament>", "it is not XML in line 1"),
        ("<Other/>", "holds no tournament of OpenGotha"),
        ("<Tournament/>", "names no players"),
        (xml(general=""), "numberOfRounds cannot be"),
        (xml(general=GENERAL.replace('Rounds="4"', 'Rounds="0"')), "rounds"),
        (xml(general=GENERAL.replace("4D", "44")), "'44' is not a grade"),
        (xml(general=GENERAL.replace("2013-07-28", "soon")), "soon"),
        (xml(players=[*PLAYERS, PLAYERS[0]]), "names the player FANHUI twice"),
        (xml(players=PLAYERS[:3]), "a game names the player 'IMAIUMI'"),
        (xml(games=[game(1, "FANHUI", "KAYANDREW", "MAYBE")]), "'RESULT_MAYBE' is not a result"),
        (xml(games=[game(9, "FANHUI", "KAYANDREW", "EQUAL")]), "roundNumber cannot be '9'"),
        (
            xml(
                games=[*GAMES[:2], game(2, "FANHUI", "SURMAMATEUSZ", "EQUAL"), game(2, "IMAIUMI", "KAYANDREW", "EQUAL")]
            ),
            "have met",
        ),
    ],
)
def test_what_is_no_tournament_or_hostile_is_refused(text: str, why: str) -> None:
    with pytest.raises(TrfError, match=why):
        read_opengotha(text)


def test_what_a_file_says_of_its_letters_does_not_matter() -> None:
    for name in ("UTF-16", "TF-8"):
        table = read_opengotha(xml(head=f'<?xml version="1.0" encoding="{name}"?>')).tournament
        assert table == read_opengotha(xml()).tournament


@pytest.mark.untraced
@given(st.integers(0, len(xml()) - 1), st.text(max_size=5), st.integers(0, 40))
def test_a_damaged_file_is_refused_in_a_sentence_or_read(at: int, instead: str, cut: int) -> None:
    text = xml()
    with suppress(TrfError):
        read_opengotha(text[:at] + instead + text[at + cut :])


def test_only_what_begins_like_a_tournament_is_taken_for_one() -> None:
    assert not is_opengotha("name;rating\nTournament;5")
    assert not is_opengotha('<?xml version="1.0"?><html/>')
    assert is_opengotha("\ufeff<Tournament/>")


# Reports

H9 = """\
; CL[A]
; EV[EGC 2013]
; PC[POL,Olsztyn]
; DT[2013-07-28,2013-08-10]
; HA[h3]
; Generated by Gnomon
;
; Pl Name                             Rk  Co Club    Pts   SOS SOSOS
"""


def test_the_table_for_europe() -> None:
    found = read_opengotha(xml()).tournament
    table = replace(found, rounds=found.rounds[:2], heading=replace(found.heading, federation="POL"))
    text = write_h9(table)
    assert text.startswith(H9)
    rows = [line.split() for line in text.removeprefix(H9).splitlines()]
    assert [(*row[:6], *row[-2:]) for row in rows] == [
        ("1", "Fan", "Hui", "7D", "PL", "Wars", "2+/w0", "3+!w2"),
        ("2", "Surma", "Mateusz", "6D", "PL", "Wars", "1-/b0", "5+/w9"),
        ("3", "Kay", "Andrew", "1K", "PL", "Wars", "4-/w9", "1-!b2"),
        ("4", "Imai", "Umi", "15K", "PL", "Wars", "3+/b9", "0="),
        ("5", "Kondo", "Kimiyo", "25K", "PL", "Wars", "0+", "2+/b9"),
    ]
    # The columns stand below each other.
    assert {len(line) for line in text.removeprefix(H9).splitlines() if not line.endswith(("=", "+"))} == {85}


def test_where_teams_play_the_table_is_that_of_their_players() -> None:
    one = told(published(gathered_teams(2, tie_breaks=("MPVGP", "EMGSB"))), lambda _: "1-0")
    rows = [line.split() for line in write_h9(one).splitlines()[8:]]
    assert [(row[1], row[2], *row[6:]) for row in rows] == [
        ("1", "North", "1", "5+/b0"),
        ("2", "South", "1", "3+/b0"),
        ("2", "North", "0", "2-/w0"),
        ("3", "North", "0", "0-"),
        ("1", "South", "0", "1-/w0"),
        ("3", "South", "0", "0-"),
    ]


def test_tables_of_three_and_four_are_not_reported() -> None:
    three = gathered(3, settings(System.TABLES, rounds=2, tie_breaks=()))
    for write in (write_h9, write_aga):
        with pytest.raises(TournamentError, match=re.escape("(tables) cannot be written to a report file")):
            write(three)


def test_a_table_for_europe_tells_every_result() -> None:
    table = by_hand(
        fold([TournamentOpened(settings(rounds=3, tie_breaks=(), grades=GradeRules())), *map(entered, range(1, 7))]),
        [(1, 2, "½-½"), (3, 4, "0-0"), (5, 6, "-/-")],
        [(2, 3, "1-1"), (4, 5, "0-1"), (6, 1, "1-0")],
    )
    table = after(table, RoundPublished(3, pair(table)))
    lines = [line.split() for line in write_h9(table).splitlines()[8:]]
    by_name = {line[1]: line[-3:-1] for line in lines}
    rows = {line[1]: line[0] for line in lines}
    assert by_name == {
        "1": [f"{rows['2']}=/b0", f"{rows['6']}-/w0"],
        "2": [f"{rows['1']}=/w0", f"{rows['3']}+/b0"],
        "3": [f"{rows['4']}-/b0", f"{rows['2']}+/w0"],
        "4": [f"{rows['3']}-/w0", f"{rows['5']}-/b0"],
        "5": [f"{rows['6']}-!b0", f"{rows['4']}+/w0"],
        "6": [f"{rows['5']}-!w0", f"{rows['1']}+/b0"],
    }
    assert all("?/" in line[-1] for line in lines)
    assert {tuple(line[3:6]) for line in lines} == {("30K", "XX", "xxxx")}


def test_the_report_for_america() -> None:
    # The example of the American Go Association's page: two even games at a club, with sides changed.
    like = replace(settings(rounds=1, games=2, rule_set="GO", tie_breaks=()), name="Princeton Go Club Rated Games")
    table = fold(
        [
            TournamentOpened(like),
            HeadingTold(Heading(city="Princeton", federation="NJ", starts="2004/06/15", ends="2004/06/30")),
            EntrantRegistered(1, "Matthews, Paul"),
            EntrantRegistered(2, "Mott, Rick"),
            PersonTold(1, PersonalData(title="4k", fide_number="489")),
            PersonTold(2, PersonalData(title="4k", fide_number="3199")),
        ]
    )
    text, left_out = write_aga(by_hand(table, [(2, 1, "1-0 1-0")]))
    assert text == AGA
    assert left_out == ()


AGA = """\
TOURNEY Princeton Go Club Rated Games, Princeton, NJ
        start=6/15/2004
        finish=6/30/2004
        rules=AGA
PLAYERS
 489 Matthews, Paul 4k
3199 Mott, Rick     4k
GAMES
489 3199 b 0 7
3199 489 w 0 7
"""


def test_a_report_for_america_has_stones_and_leaves_out_what_nobody_won() -> None:
    rules = GradeRules(bar=parse_grade("2d"), floor=parse_grade("20k"), handicap=1)
    table = by_hand(
        go_evening(rules),
        [(2, 1, "½-½"), (4, 3, "0-1"), (6, 5, "+/-")],
        [(3, 2, "1-0"), (4, 1, "0-1"), (5, 6, "1-0")],
    )
    text, left_out = write_aga(table)
    # 4 apart less 1; 1½ apart less 1 is nothing; 6½ apart less 1 are five whole stones; 13 apart, of which nine.
    assert text.partition("GAMES\n")[2].splitlines() == [
        *("99003 99004 w 3 0", "99002 99003 b 0 7", "99001 99004 w 5 0", "99006 99005 b 9 0")
    ]
    assert [str(remark) for remark in left_out] == ["round 1, board 1 is left out: the result ½-½ has no winner"]
    assert text.startswith("TOURNEY Club evening\n        rules=AGA\n")
