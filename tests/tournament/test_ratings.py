"""Test what events do to Elo ratings: FIDE's rules with published examples, lists, histories."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import permutations

import pytest

from gnomon.tournament.errors import TournamentError
from gnomon.tournament.events import (
    ByeGranted,
    EntrantCorrected,
    EntrantRegistered,
    HeadingTold,
    PersonTold,
    PlacesEntered,
    TablesSeated,
)
from gnomon.tournament.ratings.history import games_of, rating_histories
from gnomon.tournament.ratings.rating_list import (
    ListedPlayer,
    ListKind,
    fold_name,
    look_up,
    person_key,
    read_rating_list,
)
from gnomon.tournament.ratings.report import RatingChange, away_from_zero, rated_games, rating_report
from gnomon.tournament.scoring.multiplayer import places_of
from gnomon.tournament.state import Tournament
from gnomon.tournament.state.particulars import Heading, PersonalData
from gnomon.tournament.state.results import Points
from gnomon.tournament.state.rounds import Table
from gnomon.tournament.state.settings import Bye, GradeRules, System
from gnomon.tournament.strength.elo import expected_score
from tests.tournament._evening import after, by_hand, gathered, settings


def round_robin(ratings: Sequence[int | None], *results: tuple[int, int, str], starts: str = "") -> Tournament:
    """The first against each of the others, in as many rounds; players who are not named are absent."""
    table = gathered(
        len(ratings), replace(settings(rounds=max(1, len(results)), balance=False, grades=GradeRules()), name="Open")
    )
    for number, rating in enumerate(ratings, start=1):
        table = after(table, EntrantCorrected(number, f"Entrant {number}", rating))
    if starts:
        table = after(table, HeadingTold(Heading(starts=starts)))
    return table if not results else _played(table, results)


def _played(table: Tournament, results: Sequence[tuple[int, int, str]]) -> Tournament:
    for first, second, result in results:
        idle = [number for number in table.entrants if number not in {first, second}]
        table = after(table, *(ByeGranted(number, table.next_round, Bye.ZERO) for number in idle))
        table = by_hand(table, [(first, second, result)])
    return table


def change_of(table: Tournament, number: int = 1) -> RatingChange:
    return next(one for one in rating_report(table) if one.number == number)


def test_the_table_expects_what_published_examples_say() -> None:
    # B.02, 8.1.2. Elo, "The Rating of Chessplayers": 35 points more make 0.55, for Portisch against Hort.
    assert expected_score(2635, 2600) == 55
    # With the rule of 400 points the stronger is expected to score 0.92, the weaker 0.08.
    assert [expected_score(2000, other, 400) for other in (1400, 2450)] == [92, 8]
    assert [expected_score(2000, other) for other in (1400, 2736, 1264, 1265)] == [98, 0, 100, 99]
    assert [expected_score(2400, 2300), expected_score(2300, 2400)] == [64, 36]
    assert all(expected_score(2000, 2000 + by) + expected_score(2000 + by, 2000) == 100 for by in range(1, 900))


def test_a_change_is_k_times_what_was_scored_beyond_expectation() -> None:
    # A player of 2200 against 2300 and 1950 is expected to score 0.36 and 0.81.
    table = round_robin([2200, 2300, 1950], (1, 2, "½-½"), (1, 3, "1-0"))
    assert change_of(table) == RatingChange(
        1, 2200, Fraction(2), Fraction("1.5"), 2125, 2125 + 193, Fraction("1.17"), 20, Fraction("6.6"), 2207
    )
    # Portisch, from Elo's book: 10½ where 9.66 were expected, with K 10, make 8.4 points.
    assert away_from_zero(10 * (Fraction("10.5") - Fraction("9.66"))) == 8
    assert [away_from_zero(Fraction(half, 2)) for half in (-3, -1, 0, 1, 3)] == [-2, -1, 0, 1, 2]


@pytest.mark.parametrize(
    ("rating", "born", "k"),
    [(2399, "", 20), (2400, "", 10), (2299, "2008", 40), (2300, "2008", 20), (1500, "2007/12/31", 20)],
)
def test_k_goes_by_rating_and_age(rating: int, born: str, k: int) -> None:
    table = round_robin([rating, 2000], (1, 2, "1-0"), starts="2026/11/20")
    assert change_of(after(table, PersonTold(1, PersonalData(born=born)))).k == k


def test_k_times_the_games_is_never_more_than_seven_hundred() -> None:
    opponents = [2000] * 36
    table = round_robin([2000, *opponents], *((1, number, "½-½") for number in range(2, 38)))
    assert change_of(table).k == 700 // 36
    assert [one.k for one in rating_report(table, None, {1: 40}) if one.number == 1] == [19]


def test_large_differences_count_as_four_hundred_for_all_but_the_strongest() -> None:
    results = (1, 2, "1-0")
    assert change_of(round_robin([2649, 2000], results)).expected == Fraction("0.92")
    assert change_of(round_robin([2650, 2000], results)).expected == Fraction("0.99")
    assert change_of(round_robin([2650, 2000], results, starts="2025/09/30")).expected == Fraction("0.92")
    assert change_of(round_robin([2650, 2000], results, starts="2025/10/01")).expected == Fraction("0.99")


def test_who_had_no_rating_gets_one_with_two_draws_against_1800() -> None:
    # 3 of 5 against 1900 on average, and two draws against 1800: 4 of 7 against 1871, which is 50 more by 0.57.
    ratings = [None, 1900, 1900, 1900, 1900, 1900]
    won = [(1, number, "1-0") for number in (2, 3, 4)]
    lost = [(1, number, "0-1") for number in (5, 6)]
    report = change_of(round_robin(ratings, *won, *lost))
    assert (report.before, report.k, report.after) == (None, 0, 1871 + 50)
    assert (report.average, report.performance) == (1900, 1900 + 72)
    assert change_of(round_robin(ratings[:5], *won)).after is None  # fewer than five games
    assert change_of(round_robin(ratings, *((1, n, "0-1") for n in range(2, 7)))).after is None  # nothing at all
    strong = [None, *[2700] * 5]
    assert change_of(round_robin(strong, *((1, n, "1-0") for n in range(2, 7)))).after == 2200
    weak = [None, *[1401] * 5]
    assert change_of(round_robin(weak, *((1, n, "0-1") for n in range(2, 6)), (1, 6, "½-½"))).after is None


def test_only_games_at_the_board_between_people_with_a_rating_count() -> None:
    table = round_robin([2000, 1900, None, 1800], (1, 2, "+/-"), (1, 3, "1-0"), (1, 4, "1-1"))
    assert [one.number for one in rating_report(table)] == [3]
    twice = by_hand(gathered(2, settings(System.ROUND_ROBIN, 1, games=2, match_score=True)), [(1, 2, "1-0 ½-½")])
    assert [(one.games, one.score) for one in rating_report(twice)] == [
        (Fraction(2), Fraction("1.5")),
        (Fraction(2), Fraction("0.5")),
    ]


# Tables of three and four


def at_tables(ratings: Sequence[int | None], *rounds: Sequence[tuple[tuple[int, ...], str]]) -> Tournament:
    """Rounds of tables, each with its seats and the order in which they ended, such as `2 1=3`."""
    table = gathered(len(ratings), settings(System.TABLES, rounds=len(rounds)))
    for number, rating in enumerate(ratings, start=1):
        table = after(table, EntrantCorrected(number, f"Entrant {number}", rating))
    for in_round, told in enumerate(rounds, start=1):
        tables = tuple(Table(board, seats) for board, (seats, _) in enumerate(told, start=1))
        table = after(table, TablesSeated(in_round, tables))
        for one, (_, order) in zip(tables, told, strict=True):
            table = after(table, PlacesEntered(in_round, one.board, places_of(one, order)))
    return table


def test_a_table_of_four_has_the_figures_of_a_published_example() -> None:
    # https://github.com/qwhex/multi_elo, test_4_players: every pair counts with K 16 there, which is a third of 48.
    ratings = [1200, 1100, 1000, 1300]
    report = rating_report(at_tables(ratings, [((1, 2, 3, 4), "1 2 3 4")]), None, dict.fromkeys(range(1, 5), 48))
    assert [one.after for one in report] == [1220, 1112, 1004, 1264]
    # test_2_teams: those of one team share a place, as those do who are level.
    level = rating_report(at_tables(ratings, [((1, 2, 3, 4), "1=2 3=4")]), None, dict.fromkeys(range(1, 5), 48))
    assert [one.after for one in level] == [1212, 1120, 996, 1272]


def test_a_table_of_three_has_the_expectations_of_a_published_example() -> None:
    # https://github.com/djcunningham0/multielo: K 32, of which a pair of three gets 2/3; the curve there has no steps.
    report = rating_report(at_tables([1200, 900, 1000], [((1, 2, 3), "1 2 3")]), None, dict.fromkeys((1, 2, 3), 32))
    theirs = (1208.34629612 - 1200, 910.43382278 - 900, 981.21988111 - 1000)
    scale = Fraction(1, 2) / Fraction(2, 3)
    assert [float(one.change) for one in report] == pytest.approx([float(scale) * one for one in theirs], abs=0.16)


def test_a_table_is_one_game_for_everybody_at_it() -> None:
    four = at_tables([2000, 1900, 1800, 1700], [((1, 2, 3, 4), "2 1=3 4")])
    first, second, third, fourth = rating_report(four)
    assert [one.games for one in (first, second, third, fourth)] == [Fraction(1)] * 4
    assert [one.score for one in (first, second, third, fourth)] == [Fraction(1, 2), 1, Fraction(1, 2), 0]
    assert (first.average, first.expected) == (1800, (Fraction("0.64") + Fraction("0.76") + Fraction("0.85")) / 3)
    assert sum(one.change for one in (first, second, third, fourth)) == 0
    # The same two at a table of two have what a game of two brings.
    two = rating_report(at_tables([2000, 1900], [((1, 2), "2 1")]))
    assert two == rating_report(round_robin([2000, 1900], (1, 2, "0-1")))


def test_at_a_table_only_opponents_with_a_rating_count_and_who_has_none_gets_one_after_five_tables() -> None:
    once = at_tables([2000, None, 1800, None], [((1, 2, 3, 4), "1 2 3 4")])
    report = {one.number: one for one in rating_report(once)}
    assert [report[number].games for number in (1, 2, 3, 4)] == [
        Fraction(1, 3),
        Fraction(2, 3),
        Fraction(1, 3),
        Fraction(2, 3),
    ]
    assert (report[2].score, report[2].average, report[2].after) == (Fraction(1, 3), 1900, None)
    often = at_tables([None, 1900, 1900], *[[((1, 2, 3), "1 2 3")]] * 3, *[[((1, 2, 3), "2 3 1")]] * 2)
    assert (change_of(often).games, change_of(often).after) == (Fraction(5), 1871 + 50)  # as in five games of two


def test_a_table_without_places_yet_counts_for_nobody() -> None:
    table = gathered(3, settings(System.TABLES, rounds=1))
    assert rating_report(after(table, TablesSeated(1, (Table(1, (1, 2, 3)),)))) == ()


# Mixed events


def mixed(games: Sequence[str], *results: tuple[int, int, str], ratings: Sequence[int | None]) -> Tournament:
    table = round_robin(ratings, *results)
    return replace(table, settings=replace(table.settings, round_games=tuple(games)))


def test_each_game_of_a_mixed_event_counts_for_its_own_ratings() -> None:
    ratings, results = [2000, 1900, 2100, 1800], ((1, 2, "1-0"), (4, 1, "0-1"), (1, 3, "½-½"), (2, 3, "0-1"))
    event = mixed(("Tabik", "Twenty  Squares"), *results, ratings=ratings)
    assert rated_games(event) == ("tabik", "twenty-squares")
    tabik, squares = (rating_report(event, game=game) for game in rated_games(event))
    assert tabik == rating_report(round_robin(ratings, results[0], results[2]))
    assert squares == rating_report(round_robin(ratings, results[1], results[3]))
    assert rating_report(event) == rating_report(event, game="tamsk") == ()
    assert rated_games(gathered(2, settings())) == ()


def test_histories_follow_one_game_through_mixed_events() -> None:
    def told(name: str, day: str, games: Sequence[str], *results: tuple[int, int, str]) -> Tournament:
        table = replace(mixed(games, *results, ratings=(2000, 1900, 1800)), heading=Heading(starts=day))
        return replace(table, settings=replace(table.settings, name=name))

    events = [
        told("Spring", "2026/03/01", ("Tabik", "Tayu"), (1, 2, "0-1"), (1, 3, "1-0")),
        told("Summer", "2026/06/01", ("tabik",), (2, 1, "½-½")),
        told("Autumn", "2026/09/01", (), (1, 2, "1-0")),
    ]
    assert games_of(events) == ("", "tabik", "tayu")
    ratings = {
        game: [(one.rating, one.games) for one in rating_histories(events, (), game).values()]
        for game in games_of(events)
    }
    # Tabik: 1987 after the loss, and 1985 after the draw. All other games begin with the 2000 of the entry.
    assert ratings == {
        "": [(2007, Fraction(1)), (1893, Fraction(1))],
        "tabik": [(1985, Fraction(2)), (1915, Fraction(2))],
        "tayu": [(2005, Fraction(1)), (1795, Fraction(1))],
    }
    assert repr(rating_histories(events[::-1], (), "tabik")) == repr(rating_histories(events, (), "tabik"))
    listed = [ListedPlayer("Entrant 1", 1500)]
    assert rating_histories(events, listed, "tayu")[fold_name("Entrant 1")].events[0].change.before == 1500


# Histories


def event(
    name: str, day: str, *results: tuple[int, int, str], ratings: Sequence[int | None] = (2000, 1900)
) -> Tournament:
    table = round_robin(ratings, *results, starts=day)
    return replace(table, settings=replace(table.settings, name=name))


def test_the_rating_after_one_event_is_the_rating_before_the_next() -> None:
    events = [
        event("Spring", "2026/03/01", (1, 2, "0-1")),
        event("Summer", "2026/06/01", (2, 1, "½-½"), ratings=(1990, None)),
        event("Autumn", "2026/09/01", (1, 2, "1-0")),
    ]
    found = rating_histories(events)
    one = found[fold_name("Entrant 1")]
    # 2000 loses 0.64 · 20 = 12.8 points; 1987 draws with 1913, for whom 0.4 were expected; 1985 beats 1915.
    assert [(told.event, told.change.before, told.change.after) for told in one.events] == [
        ("Spring", 2000, 1987),
        ("Summer", 1987, 1985),
        ("Autumn", 1985, 1993),
    ]
    assert (one.rating, one.games) == (1993, Fraction(3))
    assert list(found) == [fold_name("Entrant 1"), fold_name("Entrant 2")]
    assert all(repr(rating_histories(list(order))) == repr(found) for order in permutations(events))


def test_a_list_says_what_people_begin_with_and_numbers_tell_them_apart() -> None:
    spring = event("Spring", "2026/03/01", (1, 2, "1-0"), ratings=(2000, None))
    spring = after(spring, PersonTold(1, PersonalData(fide_number="77")), PersonTold(2, PersonalData(fide_number="78")))
    listed = [
        ListedPlayer("Somebody Else", 1800, "78", k=40),
        ListedPlayer("Who Never Came", 2500, "79"),
        ListedPlayer("Nobody", None),
    ]
    found = rating_histories([spring], listed)
    assert [(key, one.rating, one.games) for key, one in found.items()] == [
        ("#79", 2500, Fraction(0)),
        ("#77", 2000 + 5, Fraction(1)),
        ("#78", 1800 - 10, Fraction(1)),
        ("nobody", None, Fraction(0)),
    ]
    assert found["#78"].events[0].change.k == 40


def test_who_has_no_rating_keeps_none_until_an_event_gives_one() -> None:
    found = rating_histories([event("Spring", "", (1, 2, "1-0"), ratings=(None, 1900))])
    assert found[fold_name("Entrant 1")].rating is None
    assert [len(one.events) for one in found.values()] == [1]


# Lists

HEADER = (
    "ID Number      Name                                                         Fed Sex Tit  WTit OTit           FOA "
)
COMBINED = HEADER + "SRtng SGm SK RRtng RGm Rk BRtng BGm BK B-day Flag"
SINGLE = HEADER + "FEB26 Gms K  B-day Flag"


def line(number: str, name: str, rest: str, who: str = "M", born: str = "1990") -> str:
    """Sex and title stand beside each other; the columns are those of FIDE's list of July 2026."""
    return f"{number:<15}{name:<61}{'IND':<4}{who:<9}{'':<5}{'':<15}{'':<4}{rest}{born:<6}"


@pytest.mark.parametrize(
    ("kind", "rating", "k"), [(ListKind.STANDARD, 2100, 20), (ListKind.RAPID, 2050, 40), (ListKind.BLITZ, None, 0)]
)
def test_lists_in_fides_columns_are_read(kind: ListKind, rating: int | None, k: int) -> None:
    rest = f"{'2100':<6}{'9':<4}{'20':<3}{'2050':<6}{'0':<4}{'40':<3}{'0':<6}{'0':<4}{'0':<3}"
    lines = [COMBINED + "\n", line("25121731", "John, A C J", rest, "F   FM") + "\n", "\n"]
    (player,) = read_rating_list(lines, kind)
    person = PersonalData(sex="w", title="FM", federation="IND", born="1990")
    assert player == ListedPlayer("John, A C J", rating, "25121731", person, k)


def test_a_list_of_one_kind_has_its_month_over_the_ratings() -> None:
    lines = ["\ufeff" + SINGLE, line("5045886", "A K, Kalshyan", f"{'1671':<6}{'0':<4}{'20':<3}", born="0000")]
    (player,) = read_rating_list(lines, ListKind.BLITZ)
    assert (player.name, player.rating, player.k, player.person.born) == ("A K, Kalshyan", 1671, 20, "")
    for header in (HEADER, SINGLE.replace("Name ", "Names"), SINGLE.replace("Fed", "fed?")):
        with pytest.raises(TournamentError, match="the list has no column of rapid ratings"):
            list(read_rating_list([header], ListKind.RAPID))


def test_lines_of_a_report_file_are_a_list() -> None:
    lines = [
        "012 A list\n",
        "001    1 m GM Lovelace, Ada                     2150 ENG      400123 1815/12/10  0.0    1\n",
        "001    2                                             \n",
        "001    3      Nobody                               0               0 0000/00/00\n",
    ]
    ada, blank, nobody = read_rating_list(lines)
    known = PersonalData(sex="m", title="GM", federation="ENG", born="1815/12/10")
    assert ada == ListedPlayer("Lovelace, Ada", 2150, "400123", known)
    assert (blank.name, nobody) == ("", ListedPlayer("Nobody", None))


def test_a_table_is_a_list() -> None:
    players = list(read_rating_list(["\n", "Name;Elo;FIDE-ID\n", "Ada;1850;400123\n", "Ben;;\n"]))
    assert players == [
        ListedPlayer("Ada", 1850, "400123", PersonalData(fide_number="400123")),
        ListedPlayer("Ben", None),
    ]


def test_entrants_are_looked_up_by_number_and_else_by_name() -> None:
    players = [
        ListedPlayer("Lovelace, Ada", 2150, "400123", PersonalData(title="GM", federation="ENG")),
        ListedPlayer("Müller, Jörg", 1900, "5"),
        ListedPlayer("Smith, John", 1800, "6"),
        ListedPlayer("Smith, John", 1700, "7"),
        ListedPlayer("Katz, Dov", 1650, "8"),
    ]
    entries = [
        EntrantRegistered(1, "A. Lovelace"),
        EntrantRegistered(2, "Jorg Muller"),
        EntrantRegistered(3, "John Smith", None, "North", 2),
        EntrantRegistered(4, "Dov Katz", 1666),
        EntrantRegistered(5, "Nobody"),
    ]
    found = look_up(players, entries, [PersonTold(1, PersonalData(fide_number="400123", title="WGM"))])
    assert [one.rating for one in found.registrations] == [2150, 1900, None, 1666, None]
    assert found.registrations[2] == entries[2]
    assert found.persons == (
        PersonTold(1, PersonalData(fide_number="400123", title="WGM", federation="ENG")),
        PersonTold(2, PersonalData(fide_number="5")),
        PersonTold(4, PersonalData(fide_number="8")),
    )
    assert (found.missing, found.ambiguous) == (("Nobody",), ("John Smith",))
    assert person_key("5", "Ada") == "#5"
    assert person_key("", "Lovelace, Ada") == person_key("", "ada lovelace") == "ada lovelace"


def test_a_share_of_points_is_exact() -> None:
    assert isinstance(change_of(round_robin([2200, 2300], (1, 2, "1-0"))).change, Points)
