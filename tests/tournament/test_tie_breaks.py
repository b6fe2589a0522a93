"""Test tie-breaks against published tables and values."""

from fractions import Fraction

import pytest

from gnomon.tournament.state.results import Points
from gnomon.tournament.tiebreaks.direct_encounter import direct_encounter
from gnomon.tournament.tiebreaks.fields import adjusted_score
from gnomon.tournament.tiebreaks.rule_sets import FIDE_2024, FIDE_2026, GO
from gnomon.tournament.tiebreaks.values import TIE_BREAKS, values_of
from tests.tournament._cross_tables import (
    ROUND_ROBIN_RATINGS,
    TEC_LONG,
    TEC_RATINGS,
    TEC_ROUND_ROBIN,
    TEC_SWISS,
    field,
    hundredths,
)

# What the exercises of FIDE's technical commission come to, for their players 1 to 16 in order; "-" is not asked.
SOLUTIONS = {
    "WIN": "2 3 2 2 2 3 1 2 1 1 2 2 1 2 2 3",
    "WON": "2 3 2 2 2 2 1 2 0 1 1 0 1 2 2 3",
    "BPG": "2 3 2 2 2 2 3 2 1 3 2 0 3 2 3 2",
    "BWG": "1 1 1 1 0 1 0 0 0 1 0 0 1 1 1 1",
    "PS": "11 13 11 11.5 5 6 6 8.5 2.5 4 5.5 7 7 6 7 10.5",
    "PSC1": "10 12 10.5 10.5 5 6 5 8 2.5 4 5 7 6 5 7 10",
    "BH": "12.5 13 15.5 15 8.5 12 14.5 13.5 9 13 13.5 11.5 14 11 12 12.5",
    "BHC1": "11 - 13 11.5 7.5 - 12.5 12 7.5 - 12 9.5 12 9 11 11",
    "FB": "13.5 13.5 15 15.5 10 12 13.5 12.5 9.5 12.5 12.5 11.5 13.5 10.5 12 13.5",
    "SB": "8 9.5 10.5 9.75 4.25 6.5 3.25 5.25 2.25 1.5 5.75 4 4.25 4.5 3.5 7.25",
    "SBC1": "7.25 8.5 9.25 8 3.25 5.5 1.25 3.75 2.25 0 4.25 4 4.25 3 2.5 5.75",
    "ARO": "1820 1880 1940 1888 1690 1813 1760 1730 1975 1880 1863 2050 1930 1800 1860 1820",
    "AROC1": "1900 1988 2000 1983 1738 1900 1838 1800 2200 1975 2000 0 2025 1900 1963 1900",
    "REP": "5 5 5 4 5 5 5 5 3 5 5 3 5 3 5 5",
    "AOB": "12.6 13.6 13.4 13.38 13.4 13.25 11.9 13 12.75 10.9 12.75 15 12.1 13.17 12.2 13.3",
    "APRO": "1789 - 1904 1772 - - - - - - - - - - - 1805",
    "PTP": "- - 2112 - - - - - - - - - - - - -",
    "TPR": "1969 2120 2089 2081 1690 1813 1611 1730 1175 1640 1776 1250 1781 1925 1788 1969",
}
# What the caps of March 2026 change in them: no more than 2½ for a bye in five rounds, or than a forfeit's opponent.
SINCE_2026 = {
    "BH": {4: "14", 6: "11.5", 11: "12.5"},
    "BHC1": {11: "11"},
    "AOB": {
        1: "12.4",
        3: "12.9",
        5: "13.2",
        7: "11.7",
        8: "12.9",
        10: "10.8",
        12: "14",
        13: "11.9",
        14: "13",
        16: "13.1",
    },
    "FB": {4: "14.5", 11: "12", 12: "11"},
    "SB": {4: "9.25", 6: "6", 11: "4.75"},
    "SBC1": {4: "7.75", 6: "5", 11: "3.25"},
}


@pytest.mark.parametrize("name", SOLUTIONS)
def test_the_exercises_of_the_technical_commission_come_to_their_solutions(name: str) -> None:
    asked = {number: text for number, text in enumerate(SOLUTIONS[name].split(), start=1) if text != "-"}
    for rules, other in ((FIDE_2024, {}), (FIDE_2026, SINCE_2026.get(name, {}))):
        table = field(TEC_SWISS, rules)._replace(ratings=TEC_RATINGS)
        expected = {number: Fraction(text) for number, text in (asked | other).items()}
        assert {one: hundredths(TIE_BREAKS[name](table, one)) for one in expected} == expected
        assert {one: hundredths(value) for one, value in values_of(table, name, expected).items()} == expected


ROUND_ROBIN = {
    "SB": "9.25 6.25 6.25 4.25 3.25 2.25",
    "SBC1": "9.25 4.75 4.75 4.25 3.25 1.5",
    "TPR": "2199 2209 2219 1931 2038 1803",
    "KS": "2 0.5 0.5 1 0.5 0",
}


@pytest.mark.parametrize("name", ROUND_ROBIN)
def test_the_round_robin_of_the_exercises_comes_to_its_solutions(name: str) -> None:
    table = field(TEC_ROUND_ROBIN)._replace(ratings=ROUND_ROBIN_RATINGS, scheduled=True)
    assert [TIE_BREAKS[name](table, number) for number in table.told] == list(map(Fraction, ROUND_ROBIN[name].split()))


def test_direct_encounters_of_the_exercises_part_those_who_are_level() -> None:
    table = field(TEC_ROUND_ROBIN)._replace(scheduled=True)
    assert direct_encounter(table, [1, 2, 3], []) == {1: 2, 2: 0, 3: 0}
    assert direct_encounter(table, [4, 5, 6], []) == {6: 2, 5: 1, 4: 0}
    # Page 43: four with 6 points have all met; one is first, one is last, and the two between drew.
    assert direct_encounter(field(TEC_LONG), [1, 2, 4, 6], []) == {6: 3, 1: 1, 4: 1, 2: 0}


def test_the_last_round_counts_as_drawn_where_it_was_forfeited() -> None:
    # Sharly Chess's own example of 8.3: 4 forfeits the last round to 5, and 1, who had asked for the second, to 3.
    table = field(
        {
            1: "-B2 -BYE -F3",
            2: "+W1 +W3 =B7",
            3: "+W4 -B2 +F1",
            4: "-B3 -W5 -F5",
            5: "+W6 +B4 +F4",
            6: "-B5 -B7 -BYE",
            7: "+W8 +W6 =W2",
            8: "-B7 =BYE -BYE",
        }
    )
    assert [adjusted_score(table._replace(fore=True), number) for number in (1, 3, 4, 5)] == [
        Fraction(n, 2) for n in (1, 3, 1, 5)
    ]
    assert [TIE_BREAKS["FB"](table, number) for number in (3, 4)] == [Fraction(7, 2), Fraction(13, 2)]
    assert TIE_BREAKS["FBC1"](table, 4) == 5


def test_the_koya_of_a_round_robin_that_was_played() -> None:
    # Grande-Synthe 2026, as Sharly Chess has it among its tests: half of seven points is reached by four.
    table = field(
        {
            1: "+B3 -W4 -B2 =W7 +B5 =B6 -W8",
            2: "=W7 +B5 +W1 +B8 +W3 =B4 +W6",
            3: "-W1 -B8 =W6 -W4 -B2 -W7 =B5",
            4: "-W5 +B1 +W8 +B3 +W6 =W2 =B7",
            5: "+B4 -W2 =B7 +B6 -W1 -B8 =W3",
            6: "=B8 -W7 =B3 -W5 -B4 =W1 -B2",
            7: "=B2 +B6 =W5 =B1 +W8 +B3 =W4",
            8: "=W6 +W3 -B4 -W2 -B7 +W5 +B1",
        }
    )
    koya = [TIE_BREAKS["KS"](table, number) for number in table.told]
    assert koya == [Fraction(half_points, 2) for half_points in (1, 4, 0, 4, 3, 1, 4, 0)]


@pytest.mark.parametrize(("origin", "alan", "juliet"), [(0, 2, 2), (20, 42, 62)])
def test_defeated_opponents_count_what_they_began_with(origin: int, alan: int, juliet: int) -> None:
    # Sensei's Library, SODOS, discussion: the same three rounds by the British and by the European McMahon scores.
    wins = {"Alan": 2, "Juliet": 3, "Bob": 2, "Cath": 1, "Dave": 2, "Karen": 0, "Lionel": 2, "Martin": 2}
    strangers = {"Bob": 1, "Cath": 1, "Dave": 2, "Karen": 0, "Lionel": 2, "Martin": 2}  # won against others
    lines = {
        1: "-W3 +W4 +W5",
        2: "+W6 +W7 +W8",
        3: "+B1" + " +B9" * strangers["Bob"],
        4: "-B1" + " +B9" * strangers["Cath"],
        5: "-B1" + " +B9" * strangers["Dave"],
        6: "-B2",
        7: "-B2" + " +B9" * strangers["Lionel"],
        8: "-B2" + " +B9" * strangers["Martin"],
        9: "-W3",
    }
    ranks = {1: 0, 2: -1, 3: -1, 4: 0, 5: -1, 6: 0, 7: -1, 8: -1, 9: 0}  # a shodan begins with nothing
    table = field(lines, GO)._replace(start={number: Points(rank + origin) for number, rank in ranks.items()})
    made = [int(table.total(number) - table.start[number]) for number in range(1, 9)]
    assert made == list(wins.values())
    assert [TIE_BREAKS["SODOS"](table, number) for number in (1, 2)] == [alan, juliet]


def test_who_has_no_rating_counts_what_was_announced_or_is_left_out() -> None:
    table = field({1: "+W2 =B3 -BYE", 2: "-B1", 3: "=W1"})._replace(ratings={2: 1900})
    assert [TIE_BREAKS[name](table, 1) for name in ("ARO", "AROC1", "TPR")] == [1900, 0, 2700]
    counted = table._replace(unrated=1401)
    assert [TIE_BREAKS[name](counted, 1) for name in ("ARO", "AROC1", "TPR")] == [1651, 1900, 1651 + 193]
    assert [TIE_BREAKS[name](table, 2) for name in ("ARO", "TPR")] == [0, 0]
