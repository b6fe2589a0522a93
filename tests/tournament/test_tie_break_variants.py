"""Test the tie-breaks of C.07 that have modifiers or look at what opponents have, against FIDE's own program."""

from fractions import Fraction

import pytest

from gnomon.tournament.errors import TournamentError
from gnomon.tournament.standings import standings
from gnomon.tournament.state.results import Points
from gnomon.tournament.state.settings import Scoring, System
from gnomon.tournament.strength.elo import expected_score, least_rating
from gnomon.tournament.tiebreaks.direct_encounter import GROUP_TIE_BREAKS, direct_encounter
from gnomon.tournament.tiebreaks.rule_sets import rule_set
from gnomon.tournament.tiebreaks.values import (
    MODIFIERS,
    NAMES,
    TIE_BREAKS,
    check_tie_break,
    is_tie_break,
    modifiers_of,
    name_of,
    values_of,
)
from tests.tournament._cross_tables import MANY_UNPLAYED, TEC_ROUND_ROBIN, TEC_SWISS, field, hundredths
from tests.tournament._evening import by_hand, gathered, settings

# What gacrux, the program of FIDE's technical commission, has among its own tests for them, by the rules of both years.
UNPLAYED = {
    ("FIDE_2024", "WIN"): "2 4 2 1 3 1 2 1 2 3 4 3 1 3 2",
    ("FIDE_2024", "WON"): "1 4 1 0 2 0 1 1 2 3 3 1 0 2 1",
    ("FIDE_2024", "PSC1"): "17.5 16 18.5 7 19 10.5 11.5 6.5 18 11.5 14 18 5.5 12 8",
    ("FIDE_2024", "KS"): "2.5 2 2 0 3.5 .5 .5 .5 2.5 1 1.5 1 .5 0 1",
    ("FIDE_2024", "BH"): "26.5 27.5 27.5 17 26.5 23.5 25 17.5 29 21.5 25.5 27.5 20.5 22.5 21.5",
    ("FIDE_2024", "BHC2"): "22 21 19.5 12 22 18.5 20 13.5 20 14.5 19.5 19.5 17.5 17 17.5",
    ("FIDE_2024", "BHM2"): "12.5 11.5 11 7 12.5 10 10.5 6 10.5 6.5 10 11.5 8 9 9",
    ("FIDE_2024", "AOB"): "25.25 25.67 26.83 20.83 25.67 23.58 24.83 21.63 26.3 22.7 23.5 22.5 22.5 23 22.83",
    ("FIDE_2024", "FB"): "27 26.5 27.5 17 26.5 23.5 24 19 29 21.5 25 27 21 22.5 22",
    ("FIDE_2024", "SBC1"): "13.5 11.5 12.25 5 17 5.75 8 3.25 15.25 8.5 13 12 3.25 7.75 3.75",
    ("FIDE_2024", "SBC2"): "11 8.5 12.25 5 15.5 3.25 5.5 3.25 13 6 10.5 12 1.75 6.5 2.5",
    ("FIDE_2026", "BH"): "26 27.5 25.5 16 25.5 23.5 25 17.5 27 20.5 22.5 24.5 20.5 21 21.5",
    ("FIDE_2026", "BHC2"): "21.5 21 18.5 12 21 18.5 20 13.5 20 14.5 18.5 17.5 17.5 15.5 17.5",
    ("FIDE_2026", "BHM2"): "12 11.5 10 7 12 10 10.5 6 10.5 6.5 9.5 10.5 8 7.5 9",
    ("FIDE_2026", "AOB"): "24.42 24.58 26 20.83 24.75 22.58 24.08 20.88 25.6 21.8 23.1 21 21.5 22.2 22",
    ("FIDE_2026", "FB"): "26 26.5 26 16.5 26.5 23.5 24 19 27 19.5 23 24 21 22 22",
    ("FIDE_2026", "SBC1"): "13 11.5 11.25 6 16 5.75 8 3.25 14.25 8.5 12 14 3.25 6.25 3.75",
    ("FIDE_2026", "SBC2"): "10.5 8.5 11.25 5 14.5 3.25 5.5 3.25 12.5 8.5 12 14 1.75 4.25 2.5",
}


@pytest.mark.parametrize(("rules", "name"), UNPLAYED)
def test_many_unplayed_rounds_count_as_in_the_program_of_the_commission(rules: str, name: str) -> None:
    table = field(MANY_UNPLAYED, rule_set(rules))
    ours = [hundredths(value) for value in values_of(table, name, MANY_UNPLAYED).values()]
    assert ours == [Fraction(told) for told in UNPLAYED[rules, name].split()]


def test_of_rounds_that_were_given_up_the_cut_takes_the_one_that_brings_least() -> None:
    # 1 has 3½ points: 2 brings 2 for a win, 3 nothing for a loss, and 5, who has 4, brings 4. The pairing's bye counts
    # no more than six draws, which is 3, the bye of their own half of that, and the forfeit to 4, who has 4, nothing.
    table = field(
        {
            1: "+W2 -B3 -F4 =BYE +BYE +B5",
            2: "-B1 +BYE +BYE -W3 -W4 -W5",
            3: "+BYE +W1 =W5 -B2 -W5 -W2",
            4: "+BYE +BYE +F1 +BYE -B2 -W5",
            5: "+BYE +BYE +BYE +BYE -B2 -W1",
        }
    )
    # The first cut takes the 2, more than the forfeit brings; the second the forfeit, which brings as much as the loss.
    assert [TIE_BREAKS[name](table, 1) for name in ("SB", "SBC1", "SBC2")] == [10.5, 8.5, 8.5]


def test_the_perfect_performance_is_the_lowest_rating_from_which_a_score_is_to_be_expected() -> None:
    # Exercise 22: 3½ of 5 against these is to be expected of 2112, and not of 2111.
    met = (1700, 1950, 1850, 2050, 2150)
    assert sum(expected_score(2112, one) for one in met) >= 350 > sum(expected_score(2111, one) for one in met)
    assert least_rating(Points(0), met) == 900
    assert least_rating(Points(5), met) == 2150 + 736  # the difference from which on everything is expected
    assert [expected_score(2000, other, 400) for other in (2004, 1996, 1000, 3000, 2000)] == [49, 51, 92, 8, 50]


def test_averages_of_opponents_leave_out_whom_nothing_is_known_of() -> None:
    # 2 has met 1 only, who has no rating: their performance is nothing, and no part of the average.
    table = field({1: "+W2 +B3 -BYE", 2: "-B1", 3: "-W1 +W4", 4: "-B3"})._replace(ratings={2: 1900, 4: 1800})
    assert [TIE_BREAKS[name](table, 1) for name in ("APRO", "APPO")] == [2600, 1800 + 736]
    assert [TIE_BREAKS[name](table, 2) for name in ("APRO", "APPO")] == [1900 + 800, 1900 + 736]
    nobody = field({1: "+BYE", 2: "-BYE"})
    assert [values_of(nobody, name, [1]) for name in ("AOB", "AOBF", "APRO", "APPO", "PTP")] == [{1: 0}] * 5


def test_what_an_entrant_brings_along_ranks_both_ways() -> None:
    table = field({1: "", 2: "", 3: ""} | {1: "+W2", 2: "-B1"})._replace(ratings={2: 1900})
    assert [TIE_BREAKS["TPN"](table, one) for one in (1, 2, 3)] == [3, 2, 1]
    assert [TIE_BREAKS["TPNR"](table, one) for one in (1, 2, 3)] == [1, 2, 3]
    assert [TIE_BREAKS["RTNG"](table, one) for one in (1, 2)] == [0, 1900]
    assert [TIE_BREAKS["RTNGR"](table._replace(unrated=1400), one) for one in (1, 2)] == [-1400, -1900]


def test_the_limit_of_koya_moves_by_half_points() -> None:
    table = field(TEC_ROUND_ROBIN)._replace(scheduled=True)
    everybody = table.told
    # 3½ 3½ 3½ 1½ 1½ 1½ of five: two half points below the half everybody counts, three above it nobody.
    assert values_of(table, "KSL-2", everybody) == {one: table.total(one) for one in everybody}
    assert values_of(table, "KSL+2", everybody) == values_of(table, "KS", everybody)
    assert values_of(table, "KSL+3", everybody) == dict.fromkeys(everybody, 0)


def test_a_forfeit_may_count_as_a_game_against_whom_was_paired() -> None:
    # 9 forfeits to 11 in the fourth round: with P that is a game against 11, who has 2½, instead of 1½ of their own.
    table = field(TEC_SWISS)
    assert TIE_BREAKS["BHP"](table, 9) - TIE_BREAKS["BH"](table, 9) == 1
    assert TIE_BREAKS["BHC1P"](table, 9) - TIE_BREAKS["BHC1"](table, 9) == 1
    level = field({1: "+F2", 2: "-F1"})
    assert [GROUP_TIE_BREAKS[name](level, [1, 2], []) for name in ("DE", "DEP")] == [{1: 0, 2: 0}, {1: 1, 2: 0}]


def test_two_who_met_twice_count_the_average_of_it() -> None:
    # 6.1.2: 1 and 2 beat each other, which is half a point for each; 2 beat 3, and 1 drew with them. Of the sums, 1½
    # and 2, nobody would be sure of the lead.
    table = field({1: "+W2 -B2 =W3", 2: "-B1 +W1 +W3", 3: "=B1 -B2"})
    assert direct_encounter(table, [1, 2, 3], []) == {2: 2, 1: 1, 3: 0}
    twice = field({1: "+W2 +B2 -W3", 2: "-B1 -W1 +W3", 3: "+B1 -B2"})
    assert direct_encounter(twice, [1, 2, 3], []) == {1: 0, 2: 0, 3: 0}


def test_standard_points_are_the_same_however_results_are_scored() -> None:
    worth = {Points(0): Points(0), Fraction(1, 2): Points(1), Points(1): Points(3)}
    told = field({1: "+W2 =B3 -W4 +BYE", 2: "-B1 +F3", 3: "=W1 -F2", 4: "+B1 =BYE"}).told
    scored = {one: tuple(turn._replace(points=worth[turn.points]) for turn in turns) for one, turns in told.items()}
    table = field({1: "+BYE"})._replace(scoring=Scoring(Points(3), Points(1), Points(0), Points(3)), told=scored)
    assert [TIE_BREAKS["STD"](table, one) for one in (1, 2, 3, 4)] == [Fraction(n, 2) for n in (5, 2, 1, 3)]


def test_every_variant_has_a_name_that_is_read_back() -> None:
    for name in TIE_BREAKS:
        plain, modifiers = modifiers_of(name)
        assert plain in NAMES
        assert "".join((plain, *modifiers)) == name == name_of("/".join((plain, *modifiers)))
        assert all(plain in MODIFIERS[one[0]] for one in modifiers)
    assert [name_of(text) for text in (" bh/c1 ", "SB-C2", "ks/l-1", "KS/L2", "ge", "DE/P", "KS/L+3")] == [
        *("BHC1", "SBC2", "KSL-1", "KSL+2", "REP", "DEP", "KSL+3")
    ]
    assert [is_tie_break(name) for name in ("DEP", "BHC9", "BHC0", "SBM1", "KSL+0")] == [
        True,
        True,
        False,
        False,
        False,
    ]
    assert modifiers_of("COIN") == ("COIN", ())
    with pytest.raises(TournamentError, match="BHC0 is not a tie-break"):
        check_tie_break("BHC0")


def test_standard_points_of_rounds_of_two_games_are_those_of_the_games() -> None:
    scored = Scoring(Points(3), Points(1), Points(0), Points(3))
    like = settings(System.SWISS, 2, games=2, scoring=scored, tie_breaks=("STD",))
    table = by_hand(gathered(3, like), [(1, 2, "1-0 ½-½"), (3, None, "")])
    assert {one.number: one.values for one in standings(table)} == {
        1: (Fraction(3, 2),),
        2: (Fraction(1, 2),),
        3: (Points(2),),
    }
