"""Test standings and tie-breaks against published examples, and for what must always hold."""

import re
from collections import Counter
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import settings as tried
from hypothesis import strategies as st

from gnomon.tournament.errors import NoPairingError, TournamentError
from gnomon.tournament.event_log.reducer import fold
from gnomon.tournament.events import EntrantRegistered, EntrantWithdrew, TournamentOpened
from gnomon.tournament.standings import standings, team_standings
from gnomon.tournament.state.results import Points
from gnomon.tournament.state.round_history import counts_bye_early
from gnomon.tournament.state.settings import System
from gnomon.tournament.tiebreaks.fields import adjusted_score, parts
from gnomon.tournament.tiebreaks.rule_sets import (
    FIDE_2009,
    FIDE_2023,
    FIDE_2024,
    FIDE_2026,
    GO,
    RuleSet,
    usual_rules,
    usual_tie_breaks,
)
from gnomon.tournament.tiebreaks.values import TIE_BREAKS, values_of
from tests.conftest import examples
from tests.tournament._cross_tables import field
from tests.tournament._evening import after, by_hand, gathered, played, published, settings, told

HALF = Fraction(1, 2)


def rounds_worth(points: str) -> str:
    """Rounds against nobody in particular that bring so many points."""
    return "+W " * int(Fraction(points)) + "=W" * (Fraction(points).denominator - 1) or "-W"


# The championship of Hamilton, New Zealand, 2018 (hamiltonchess.net, 11 April 2018): the two leaders, whom they met,
# and the tie-breaks printed for the two. A round without an entry is a zero-point bye.
HAMILTON = {
    1: "+W10 +B17 +W12 =W2 +B4 +B3",
    2: "+B27 +W16 +W9 =B1 +W8 +B10",
    3: "=BYE +W11 +B6 =W4 +B5 -W1",
    4: "+W22 +B15 =W8 =B3 -W1 +B13",
    8: "+B25 +W21 =B4 +W13 -B2 -W5",
    9: "+B7 +W13 -B2 =BYE +W18 -BYE",
    10: "-B1 +W25 +W26 =B12 +B17 -W2",
    12: "+B20 +W18 -B1 =W10 =B14 -W7",
    16: "+B5 -B2 -W17 +W24 -B6 +B22",
    17: "+B24 -W1 +W16 =BYE -W10 -B11",
    27: "-W2 -W6 -B7 -W20 +BYE -B23",
}


@pytest.mark.parametrize(
    ("name", "first", "second"),
    [("PS", "19.5", "19.5"), ("BH", "22.5", "20"), ("SB", "19.75", "17.25"), ("BHC1", "20", "19.5")],
)
def test_a_published_championship_under_the_rules_of_2009(name: str, first: str, second: str) -> None:
    table = field(HAMILTON, FIDE_2009)
    # The byes of whom nobody here met matter to no sum, so their own opponents may be missing from the table.
    assert [values_of(table, name, (1, 2))[number] for number in (1, 2)] == [Fraction(first), Fraction(second)]


def test_the_virtual_opponents_of_the_handbook() -> None:
    # C.02.13.15 of 2009, examples 1 and 2: 1½ before round 3 that was given up, 3½ before round 6 that was given.
    first = field({1: "+W2 =B2 -F2 =W2 =W2 =W2 =W2 =W2 =W2", 2: "=B1"}, FIDE_2009)
    second = field({1: "+W2 +W2 =W2 =W2 =W2 +F2 =W2 =W2 =W2", 2: "=B1"}, FIDE_2009)
    assert (parts(first, 1)[2].opponent, parts(second, 1)[5].opponent) == (Fraction("5.5"), Fraction(5))


def test_the_median_that_a_published_example_computes() -> None:
    # gist.github.com/Rapptz/197c80162358d1196145: opponents with 4, 2, 3, 4, 5 and 6 points make 16.
    opponents = {number: rounds_worth(points) for number, points in enumerate("423456", start=2)}
    table = field({1: "+W2 +W3 +W4 +W5 -W6 -W7", **opponents})
    assert TIE_BREAKS["BHM1"](table, 1) == 16
    assert [TIE_BREAKS[name](table, 1) for name in ("BH", "BHC1", "BHC2", "BHM2", "SOS")] == [24, 22, 19, 8, 24]


def test_the_sonneborn_berger_of_a_published_tournament() -> None:
    # Lippstadt 2003, Maiwald: wins against 10, 9 and 4 points, draws with 14, 12, 11, 9 and 3, printed as 47.50.
    totals = [10, 9, 4, 14, 12, 11, 9, 3]
    opponents = {number: rounds_worth(str(points)) for number, points in enumerate(totals, start=2)}
    table = field({1: "+W2 +W3 +W4 =W5 =W6 =W7 =W8 =W9", **opponents})
    assert TIE_BREAKS["SB"](table, 1) == TIE_BREAKS["SODOS"](table, 1) == Fraction("47.5")


def test_a_published_double_round_robin() -> None:
    # fiveinline.com/sbps.html and senseis.xmp.net, Sonneborn-Berger, example 1: 11, 9, 6 and 4; A is before B by it.
    like = settings(System.ROUND_ROBIN, cycles=2, tie_breaks=("DE", "SB", "KS"))
    table = by_hand(
        gathered(4, like),
        [(1, 2, "1-0"), (3, 4, "1-0")],
        [(1, 3, "1-0"), (2, 4, "1-0")],
        [(1, 4, "1-0"), (2, 3, "1-0")],
        [(2, 1, "1-0"), (4, 3, "0-1")],
        [(3, 1, "0-1"), (4, 2, "0-1")],
        [(4, 1, "1-0"), (3, 2, "1-0")],
    )
    assert [(one.place, one.number, int(one.points), *map(int, one.values)) for one in standings(table)] == [
        (1, 1, 4, 0, 11, 3),
        (2, 2, 4, 0, 9, 2),
        (3, 3, 3, 0, 6, 1),
        (4, 4, 1, 0, 4, 1),
    ]


# Three opponents of 3, 2 and 1 points, and a bye of half a point, given up, in the second of four rounds.
UNPLAYED = {
    1: "+W2 =BYE +B3 -W4",
    2: "+B1 +W5 +W5 -W5",
    3: "+B5 -W1 +W5 -B5",
    4: "-W5 -W5 -W5 +B1",
    5: "-W5",
}


@pytest.mark.parametrize(
    ("rules", "whole", "without_one"),
    [
        (FIDE_2009, "8.5", "7.5"),  # the dummy: 1 before, ½ for the round, 1 for two more draws
        (FIDE_2023, "8.5", "7.5"),  # the dummy: the 2½ of their own
        (FIDE_2024, "8.5", "6"),  # and the bye is what is cut
        (FIDE_2026, "8", "6"),  # but no more than a draw in each of four rounds
        (GO, "6", "6"),
    ],
)
def test_an_unplayed_round_counts_as_the_rules_of_its_date_say(rules: RuleSet, whole: str, without_one: str) -> None:
    table = field(UNPLAYED, rules)
    assert [TIE_BREAKS[name](table, 1) for name in ("BH", "BHC1")] == [Fraction(whole), Fraction(without_one)]


@pytest.mark.parametrize(
    ("games", "before_2009", "since_2023"),
    [
        ("+W2 -BYE -BYE", "2", "2"),  # gone: the rounds asked for at the end are draws
        ("-BYE +W2 -BYE", "2", "1.5"),  # a bye before a game is what it was
        ("+W2 =BYE -F2", "2", "1.5"),  # given up at the end: the bye stays half, the forfeit nothing
        ("+W2 +BYE +F2", "2", "3"),
    ],
)
def test_opponents_see_a_score_in_which_rounds_asked_for_at_the_end_are_draws(
    games: str, before_2009: str, since_2023: str
) -> None:
    lines = {1: games, 2: "-B1"}
    assert adjusted_score(field(lines, FIDE_2009), 1) == Fraction(before_2009)
    assert adjusted_score(field(lines, FIDE_2026), 1) == Fraction(since_2023)


def test_a_forfeit_counts_the_real_opponent_when_they_have_less() -> None:
    lines = {1: "+W3 +F2", 2: "-B3 -F1", 3: "-B1 +W2"}
    assert [part.opponent for part in parts(field(lines, FIDE_2026), 1)] == [1, 0]
    assert [part.opponent for part in parts(field(lines, FIDE_2024), 1)] == [1, 2]


def test_a_cut_takes_a_worthless_round_given_up_only_when_it_is_worth_as_much() -> None:
    lines = {1: "+W2 -F3", 2: "-B1 =W3", 3: "+F1 =B2"}
    assert [TIE_BREAKS[name](field(lines, FIDE_2024), 1) for name in ("SB", "SBC1")] == [HALF, 0]
    assert TIE_BREAKS["BHC2"](field({1: "+W2", 2: "-B1"}), 1) == 0


def test_wins_and_sides_are_counted() -> None:
    table = field({1: "+W2 +B2 =B2 +BYE +F2 -B2", 2: "-B1"})
    assert {name: int(TIE_BREAKS[name](table, 1)) for name in ("WIN", "WON", "BPG", "BWG", "PSC1")} == {
        "WIN": 4,
        "WON": 2,
        "BPG": 3,
        "BWG": 1,
        "PSC1": 17,
    }


def test_the_sums_of_go_players_begin_with_the_mcmahon_score() -> None:
    like = settings(System.MCMAHON, bars=(1998,), rule_set="GO", tie_breaks=("SOS", "SOSOS", "SODOS"))
    table = by_hand(gathered(4, like), [(1, 2, "1-0"), (3, 4, "1-0")], [(4, 1, "0-1"), (2, 3, "½-½")])
    assert [(one.number, str(one.points), *map(str, one.values)) for one in standings(table)] == [
        (1, "3", "3/2", "9", "3/2"),
        (2, "3/2", "9/2", "3", "3/4"),
        (3, "3/2", "3/2", "9", "3/4"),
        (4, "0", "9/2", "3", "0"),
    ]


def test_those_whom_nothing_tells_apart_share_a_place() -> None:
    table = by_hand(gathered(4, settings(tie_breaks=("BH",))), [(1, 2, "1-0"), (3, 4, "1-0")])
    assert [(one.place, one.number) for one in standings(table)] == [(1, 1), (1, 3), (3, 2), (3, 4)]


def test_a_direct_encounter_decides_among_those_who_met() -> None:
    table = by_hand(
        gathered(4, settings(tie_breaks=("DE",))), [(1, 2, "0-1"), (3, 4, "1-0")], [(2, 4, "0-1"), (3, 1, "0-1")]
    )
    assert [one.number for one in standings(table)] == [1, 2, 3, 4]
    assert {one.points for one in standings(table)} == {1}
    assert {one.values for one in standings(table)} == {(Points(0),)}


def test_who_has_beaten_all_the_others_leads_although_they_have_not_met() -> None:
    like = settings(tie_breaks=("DE",))
    table = by_hand(
        gathered(6, like),
        [(4, 1, "0-1"), (2, 5, "1-0"), (3, 6, "1-0")],
        [(2, 1, "1-0"), (6, 4, "0-1"), (5, 3, "0-1")],
        [(3, 2, "0-1"), (1, 6, "1-0"), (4, 5, "1-0")],
        [(5, 1, "0-1"), (6, 2, "1-0"), (4, 3, "0-1")],
    )
    level = {one.number: int(one.values[0]) for one in standings(table) if one.points == 3}
    assert level == {1: 0, 2: 2, 3: 0}


def test_who_left_before_their_first_round_did_not_take_part() -> None:
    table = after(gathered(5, settings()), EntrantWithdrew(2, 1))
    assert [one.number for one in standings(table)] == [1, 3, 4, 5]
    begun = after(played(table, 1), EntrantWithdrew(3, 2))
    assert sorted(one.number for one in standings(begun)) == [1, 3, 4, 5]
    robin = played(after(gathered(4, settings(System.ROUND_ROBIN, rounds=3)), EntrantWithdrew(2, 1)), 1)
    assert sorted(one.number for one in standings(robin)) == [1, 2, 3, 4]


def test_who_goes_out_in_one_round_of_a_knockout_is_level_with_a_bye_or_without() -> None:
    cup = played(gathered(11, settings(System.KNOCKOUT, rounds=4, tie_breaks=())), 2)
    places = Counter(one.place for one in standings(cup))
    assert places == {1: 4, 5: 4, 9: 3}
    assert len({one.points for one in standings(cup) if one.place == 5}) == 2


def test_a_cup_is_ranked_by_how_far_everybody_came() -> None:
    cup = gathered(6, settings(System.KNOCKOUT, third_place=True, tie_breaks=()))
    assert [(one.place, one.number) for one in standings(played(cup, 3))] == [
        (1, 1),
        (2, 2),
        (3, 3),
        (4, 4),
        (5, 5),
        (5, 6),
    ]
    late = after(cup, EntrantWithdrew(6, 1))
    assert 6 not in {one.number for one in standings(played(late, 3))}


def test_teams_stand_by_the_points_of_their_best() -> None:
    teams = {1: "North", 2: "South", 3: "South", 4: "North", 5: ""}
    events = [EntrantRegistered(number, f"E{number}", 2000 - number, team) for number, team in teams.items()]
    table = by_hand(fold([TournamentOpened(settings()), *events]), [(1, 2, "0-1"), (3, 4, "½-½"), (5, None, "")])
    assert [(one.place, one.team, str(one.points), one.counted) for one in team_standings(table, 1)] == [
        (1, "South", "1", (2,)),
        (2, "North", "1/2", (4,)),
    ]
    assert [str(one.points) for one in team_standings(table, 4)] == ["3/2", "1/2"]


def test_standings_can_be_read_while_a_round_is_played() -> None:
    table = published(played(gathered(6, settings()), 2))
    assert [one.number for one in standings(table)] == [
        one.number for one in standings(played(gathered(6, settings()), 2))
    ]


@pytest.mark.parametrize(
    ("what", "why"),
    [
        ({"rule_set": "FIDE_1999"}, "there are no tie-break rules FIDE_1999: take one of FIDE_2009, FIDE_2023"),
        (
            {"tie_breaks": ("COIN",)},
            "COIN is not a tie-break: take some of DE, EDE, HH, GAT, NR, LOT, MAN, BH, AOB, FB",
        ),
    ],
)
def test_what_no_rules_know_is_refused(what: dict[str, object], why: str) -> None:
    with pytest.raises(TournamentError, match=re.escape(why)):
        standings(gathered(2, settings(**what)))  # type: ignore[arg-type]  # a setting by its name


@pytest.mark.untraced
@tried(max_examples=examples(25))
@given(st.lists(st.sampled_from(["1-0", "0-1", "½-½", "+/-", "-/-"]), min_size=12, max_size=12), st.integers(4, 7))
def test_standings_hold_everybody_once_in_the_order_of_points(results: list[str], number: int) -> None:
    deal = iter(results)
    table = gathered(number, settings(rounds=4, tie_breaks=("DE", *TIE_BREAKS)))
    for _ in range(3):
        try:
            table = told(published(table), lambda _: next(deal))
        except NoPairingError:  # few entrants and many forfeits: those who are left have had their bye
            break
    ranked = standings(table)
    assert sorted(one.number for one in ranked) == list(range(1, number + 1))
    assert [one.points for one in ranked] == sorted((one.points for one in ranked), reverse=True)
    names = ("DE", *TIE_BREAKS)
    for one in ranked:
        values = dict(zip(names, one.values, strict=True))
        assert values["BH"] >= values["BHC1"] >= values["BHC2"] >= 0
        assert values["BHC1"] >= values["BHM1"]
        assert values["WIN"] >= values["WON"] >= values["BWG"]


@pytest.mark.parametrize(
    ("system", "rules", "breaks"),
    [
        (System.SWISS, "FIDE_2026", ("DE", "BHC1", "BH", "SB", "WIN")),
        (System.MCMAHON, "GO", ("SOS", "SOSOS", "DE")),
        (System.ROUND_ROBIN, "FIDE_2026", ("DE", "SB", "WIN", "KS")),
        (System.KNOCKOUT, "FIDE_2026", ()),
    ],
)
def test_a_system_has_rules_and_tie_breaks_that_are_usual(system: System, rules: str, breaks: tuple[str, ...]) -> None:
    assert usual_rules(system).name == rules
    assert usual_tie_breaks(system, usual_rules(system)) == breaks


def test_a_bye_counts_from_the_publication_of_its_round_and_a_table_meanwhile_can_say_so() -> None:
    odd = gathered(5, settings())
    assert not counts_bye_early(odd)
    running = published(odd)
    assert [one.points for one in standings(running)] == [1, 0, 0, 0, 0]
    assert counts_bye_early(running)
    assert not counts_bye_early(told(running, lambda _: "1-0"))  # the round is over
    assert not counts_bye_early(published(gathered(4, settings())))  # nobody has a bye
    assert not counts_bye_early(published(gathered(5, settings(System.KNOCKOUT))))  # it brings no points there
