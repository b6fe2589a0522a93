"""Test tie-breaks among those who are level: encounters, head to head, lots, orders, medals."""

import re
from fractions import Fraction

import pytest

from gnomon.tournament.errors import TournamentError
from gnomon.tournament.events import Event, LotDrawn, OrderDecided
from gnomon.tournament.standings import check_order, field_of, standings
from gnomon.tournament.standings.pentamind import pentamind, pentamind_points
from gnomon.tournament.state import Tournament
from gnomon.tournament.state.round_history import histories
from gnomon.tournament.state.settings import System
from gnomon.tournament.tiebreaks.direct_encounter import direct_encounter, games_among, head_to_head, next_ranks
from gnomon.tournament.tiebreaks.fields import game_points
from gnomon.tournament.tiebreaks.rule_sets import HIVE_2025, MSO_2018, RULE_SETS
from gnomon.tournament.tiebreaks.values import NAMES, TIE_BREAKS, check_tie_break, values_of
from tests.tournament._cross_tables import field
from tests.tournament._evening import after, by_hand, gathered, played, settings


def places(tournament: Tournament) -> list[tuple[int, int]]:
    return [(one.place, one.number) for one in standings(tournament)]


@pytest.mark.parametrize(
    ("lines", "group", "ahead"),
    [
        # All have met: those who are level again after that are compared again, without the others.
        (
            {1: "+W2 -B3 +W4", 2: "-B1 +W4 +W3", 3: "-W4 +W1 -B2", 4: "+B3 -B2 -B1"},
            (1, 2, 3, 4),
            {1: 3, 2: 2, 4: 1, 3: 0},
        ),
        # One has not met another, but leads whatever that would bring; the others are asked again.
        ({1: "+W2 +W3", 2: "-B1 =W3", 3: "=B2 -B1", 4: "=W5"}, (1, 2, 3), {1: 2, 2: 0, 3: 0}),
        ({1: "+W2", 2: "-B1", 3: "=W4", 4: "=B3"}, (1, 2, 3), {1: 0, 2: 0, 3: 0}),
        ({1: "+F2", 2: "-F1"}, (1, 2), {1: 0, 2: 0}),
    ],
)
def test_a_direct_encounter_says_how_many_are_behind(
    lines: dict[int, str], group: tuple[int, ...], ahead: dict[int, int]
) -> None:
    assert direct_encounter(field(lines), group, []) == ahead


def test_a_forfeit_is_an_encounter_where_it_was_settled_beforehand_who_meets() -> None:
    table = field({1: "+F2", 2: "-F1"})._replace(scheduled=True)
    assert direct_encounter(table, (1, 2), []) == {1: 1, 2: 0}


@pytest.mark.parametrize(
    ("lines", "ahead"),
    [
        ({1: "+W2 +W3", 2: "-B1 +W3", 3: "-B2 -B1"}, {1: 2, 2: 1, 3: 0}),  # beat all, and lost to all
        ({1: "+W2 +W3", 2: "-B1 =W3", 3: "=B2 -B1"}, {1: 2, 2: 0, 3: 0}),  # and the draw is not asked again
        ({1: "+W2 -W3", 2: "-B1 +W3", 3: "-B2 +B1"}, {1: 0, 2: 0, 3: 0}),
        ({1: "+W2", 2: "-B1", 3: "=W4", 4: "=B3"}, {1: 0, 2: 0, 3: 0}),  # two wins are needed of three
    ],
)
def test_head_to_head_counts_only_for_who_beat_or_lost_to_all(lines: dict[int, str], ahead: dict[int, int]) -> None:
    assert head_to_head(field(lines), (1, 2, 3), []) == ahead
    assert head_to_head(field(lines), (2,), []) == {2: 0}


def test_medals_of_the_olympiad_are_shared_when_its_three_steps_part_nobody() -> None:
    like = settings(System.ROUND_ROBIN, rounds=3, rule_set="MSO_2018", tie_breaks=MSO_2018.tie_breaks)
    # One beat another who beat a third who beat the first, and all beat the fourth: nothing tells the three apart.
    circle = by_hand(
        gathered(4, like),
        [(1, 4, "1-0"), (2, 3, "1-0")],
        [(4, 3, "0-1"), (1, 2, "1-0")],
        [(2, 4, "1-0"), (3, 1, "1-0")],
    )
    assert places(circle) == [(1, 1), (1, 2), (1, 3), (4, 4)]
    assert pentamind_points(standings(circle)) == {
        1: pentamind(4, 2),
        2: pentamind(4, 2),
        3: pentamind(4, 2),
        4: 0,
    }


def test_the_spread_leaves_out_the_best_round_and_a_bye_counts_nobody() -> None:
    table = field({1: "+W2 =BYE -B3", 2: "-B1", 3: "+W1"}, MSO_2018)
    assert [TIE_BREAKS[name](table, 1) for name in ("SPREAD", "SB")] == [Fraction(1, 2), 0]
    assert TIE_BREAKS["SPREAD"](field({1: "", 2: "-BYE"}), 1) == 0


def test_games_part_those_whose_matches_do_not() -> None:
    like = settings(
        System.ROUND_ROBIN, rounds=3, games=2, match_score=True, rule_set="HIVE_2025", tie_breaks=HIVE_2025.tie_breaks
    )
    table = by_hand(
        gathered(4, like),
        [(1, 4, "1-0 1-0"), (2, 3, "1-0 ½-½")],
        [(4, 3, "0-1 0-1"), (1, 2, "1-0 1-0")],
        [(2, 4, "1-0 1-0"), (3, 1, "1-0 ½-½")],
    )
    looked = field_of(table)
    assert [str(game_points(turn)) for turn in looked.told[3]] == ["1/2", "2", "3/2"]
    assert games_among(looked, (1, 2, 3), []) == {1: 2, 3: 1, 2: 0}
    assert [one.number for one in standings(table)] == [1, 3, 2, 4]


def test_the_next_ranks_decide_in_their_order_and_then_the_seeds() -> None:
    # 1 and 2 drew; 2 did better against 3, who stands higher than 4, against whom 1 did better.
    lines = {1: "=W2 -W3 +W4", 2: "=B1 +W3 -W4", 3: "+B1 -B2 +W4", 4: "-B1 +B2 -B3"}
    table = field(lines)
    assert next_ranks(table, (1, 2), [(3,), (1, 2), (4,)]) == {2: 1, 1: 0}
    assert next_ranks(table, (1, 2), [(4,), (1, 2), (3,)]) == {1: 1, 2: 0}
    assert [TIE_BREAKS["SEED"](table, number) for number in (1, 4)] == [4, 1]


def test_matches_and_then_their_games_part_those_who_are_level() -> None:
    # All have 1½ matches, and their games are 3½, 2½, 3 and 3; 3 and 4 drew with each other in both.
    like = settings(System.ROUND_ROBIN, rounds=3, games=2, match_score=True, tie_breaks=("DE", "EDE", "MPVGP"))
    table = by_hand(
        gathered(4, like),
        [(1, 4, "1-0 0-1"), (2, 3, "1-0 ½-½")],
        [(4, 3, "1-0 0-1"), (1, 2, "1-0 1-0")],
        [(2, 4, "½-½ ½-½"), (3, 1, "1-0 ½-½")],
    )
    assert [(one.number, *map(int, one.values[:2]), float(one.values[2])) for one in standings(table)] == [
        *((1, 0, 3, 3.5), (3, 0, 1, 3.0), (4, 0, 1, 3.0), (2, 0, 0, 2.5))
    ]


LEVEL = by_hand(gathered(4, settings(tie_breaks=())), [(1, 2, "½-½"), (3, 4, "½-½")])


def test_a_lot_and_last_the_director_part_those_who_are_level() -> None:
    assert places(LEVEL) == [(1, 1), (1, 2), (1, 3), (1, 4)]
    drawn = after(LEVEL, LotDrawn((3, 1, 4)))
    assert places(drawn) == [(1, 3), (2, 1), (3, 4), (4, 2)]
    assert places(after(drawn, LotDrawn((2, 4, 1, 3)))) == [(1, 2), (2, 4), (3, 1), (4, 3)]
    ordered = after(LEVEL, LotDrawn((1, 2)), OrderDecided((4, 3), "The lot fell off the table."))
    assert places(ordered) == [(1, 1), (2, 2), (3, 4), (4, 3)]
    assert [(one.now, one.reason) for one in ordered.corrections] == [("order: 4, 3", "The lot fell off the table.")]


def test_a_lot_and_an_order_name_everybody_who_is_level() -> None:
    sentence = r"^1 .+, 2 .+, 3 .+ and 4 .+ are level: name them all"
    for told in (LotDrawn((2, 1)), LotDrawn((4, 3, 2)), OrderDecided((2, 1), "a play-off")):
        with pytest.raises(TournamentError, match=sentence) as raised:
            check_order(LEVEL, told)
        assert raised.value.code == "incomplete"
    check_order(LEVEL, LotDrawn((4, 3, 1, 2)))
    check_order(LEVEL, LotDrawn((4,)))  # for which there is another sentence
    # A lot that only some had, from an older log, leaves the others level, and the director may order these two.
    drawn = after(LEVEL, LotDrawn((1, 2)))
    check_order(drawn, OrderDecided((4, 3), "They played it off."))
    check_order(drawn, LotDrawn((4, 3, 1, 2)))
    with pytest.raises(TournamentError, match=r"^3 .+ and 4 .+ are level"):
        check_order(drawn, OrderDecided((1, 3), "So."))
    announced = by_hand(gathered(4, settings(tie_breaks=("LOT", "SEED"))), [(1, 2, "½-½"), (3, 4, "½-½")])
    with pytest.raises(TournamentError, match="are level"):
        check_order(announced, LotDrawn((2, 1)))
    check_order(announced, OrderDecided((2, 1), "So."))  # the seeds part them first


def test_what_was_decided_parts_nobody_who_is_not_level() -> None:
    table = by_hand(gathered(2, settings(tie_breaks=("LOT",))), [(1, 2, "1-0")])
    ranked = standings(after(table, LotDrawn((2, 1)), OrderDecided((2, 1), "They asked for it.")))
    assert [(one.place, one.number, *map(int, one.values)) for one in ranked] == [(1, 1, 0), (2, 2, 0)]


@pytest.mark.parametrize(
    ("event", "why"),
    [
        (LotDrawn((1, 9)), "there is no entrant 9"),
        (LotDrawn((1,)), "the lot of 1 separates nobody: name two or more, each once"),
        (LotDrawn(()), "the lot of nobody separates nobody"),
        (OrderDecided((1, 2, 1), "So."), "the order of 1, 2, 1 separates nobody: name two or more, each once"),
        (OrderDecided((1, 2), " "), "an order cannot be decided without a reason: write one, it is kept"),
    ],
)
def test_a_lot_or_an_order_that_says_nothing_is_refused(event: Event, why: str) -> None:
    with pytest.raises(TournamentError, match=re.escape(why)):
        after(LEVEL, event)


def test_every_rule_set_names_tie_breaks_that_there_are() -> None:
    for rules in RULE_SETS.values():
        for name in rules.tie_breaks:
            check_tie_break(name)
    assert len(set(NAMES)) == len(NAMES)
    with pytest.raises(TournamentError, match="the tie-break DE compares entrants who are level"):
        values_of(field({1: ""}), "DE", [1])


@pytest.mark.parametrize("name", NAMES)
def test_every_tie_break_ranks_everybody_in_every_system(name: str) -> None:
    for system in (System.SWISS, System.ROUND_ROBIN, System.MCMAHON):
        table = played(gathered(5, settings(system, rounds=5, bars=(1997,), tie_breaks=(name,))), 2)
        ranked = standings(table)
        assert sorted(one.number for one in ranked) == [1, 2, 3, 4, 5]
        assert [one.points for one in ranked] == sorted((one.points for one in ranked), reverse=True)
        assert set(histories(table)) == {one.number for one in ranked}


@pytest.mark.parametrize(
    ("entrants", "place", "points"),
    [
        # 100 × (n + 5)/(n + 6) × (n − p)/(n − 1) of 2018, and what 2021 made of events of more than a hundred.
        (10, 1, Fraction(1500, 16)),
        (10, 10, 0),
        (21, 11, Fraction(1300, 27)),
        (100, 1, Fraction(10500, 106)),
        (400, 1, Fraction(10500, 106)),
        (400, 10, Fraction(10500, 106) * 90 / 99),
        (400, 205, Fraction(10500, 106) * 90 / 99 / 2),
        (400, 400, 0),
    ],
)
def test_pentamind_points_are_those_of_the_published_formula(entrants: int, place: int, points: Fraction) -> None:
    assert pentamind(entrants, place) == points
    assert pentamind(entrants, place, Fraction(95, 100)) == points * 95 / 100


@pytest.mark.parametrize(("entrants", "place"), [(1, 1), (4, 0), (4, 5)])
def test_a_place_that_an_event_does_not_have_is_worth_nothing_at_all(entrants: int, place: int) -> None:
    with pytest.raises(TournamentError, match=f"place {place} of {entrants} has no Pentamind points"):
        pentamind(entrants, place)
