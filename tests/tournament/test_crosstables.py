"""Test the tables of a tournament: who met whom, and the bracket."""

import re
from collections.abc import Iterable
from dataclasses import replace

import pytest

from gnomon.tournament.errors import TournamentError
from gnomon.tournament.event_log.reducer import fold
from gnomon.tournament.events import ByeGranted, EntrantWithdrew, LotDrawn, RoundPublished, TournamentOpened
from gnomon.tournament.standings import standings, totals_of
from gnomon.tournament.standings.crosstables import (
    Match,
    Slot,
    all_against_all,
    as_of,
    bracket_of,
    cross_table,
    has_bracket,
    is_table,
    points_before,
    score_steps,
)
from gnomon.tournament.state import Tournament
from gnomon.tournament.state.rounds import at_boards
from gnomon.tournament.state.settings import Bye, System
from gnomon.tournament.teams.matches import team_view
from tests.tournament import _teams as teams
from tests.tournament._evening import after, by_hand, gathered, played, published, settings

FIVE = after(gathered(5, settings(rounds=4)), ByeGranted(4, 2, Bye.HALF), ByeGranted(1, 3, Bye.ZERO))
SWISS = by_hand(
    FIVE,
    [(1, 3, "1-0"), (4, 2, "½-½"), (5, None, "")],
    [(2, 1, "-/+"), (3, 5, "0-1")],
    [(4, 3, "1-0"), (5, 2, "½-½")],
)
PLAYING = after(SWISS, EntrantWithdrew(5, 4), RoundPublished(4, at_boards([(1, 4), (2, 3)])))


def cells(tournament: Tournament) -> dict[int, tuple[str, ...]]:
    return {row.standing.number: row.cells for row in cross_table(tournament)}


def test_a_cross_table_tells_every_round_of_everybody() -> None:
    assert cells(SWISS) == {
        1: ("•3+", "2(1)", "(0)"),
        2: ("4=", "•1(0)", "5="),
        3: ("1-", "•5-", "4-"),
        4: ("•2=", "(½)", "•3+"),
        5: ("(1)", "3+", "•2="),
    }


def test_a_cross_table_stands_in_the_order_of_the_standings() -> None:
    assert [row.standing.number for row in cross_table(SWISS)] == [5, 4, 1, 2, 3]


def test_who_is_still_playing_has_no_result_yet() -> None:
    assert cells(PLAYING)[1][-1] == "•4…"


def test_the_first_mover_is_not_marked_where_it_does_not_matter() -> None:
    free = by_hand(gathered(2, settings(rounds=1, balance=False)), [(1, 2, "1-0")])
    assert cells(free) == {1: ("2+",), 2: ("1-",)}


def test_two_games_of_a_round_are_told_by_their_points() -> None:
    twice = by_hand(gathered(2, settings(rounds=1, games=2)), [(1, 2, "1-0 ½-½")])
    assert cells(twice) == {1: ("2:1½",), 2: ("1:½",)}


def test_a_table_as_of_a_round_knows_nothing_of_later_ones() -> None:
    assert cells(as_of(PLAYING, 1)) == {number: row[:1] for number, row in cells(PLAYING).items()}
    assert as_of(PLAYING, 0).rounds == ()
    with pytest.raises(TournamentError, match="round 5 is not published"):
        as_of(PLAYING, 5)
    with pytest.raises(TournamentError, match="no round is published yet"):
        as_of(PLAYING, 0).round(1)


def test_the_points_before_a_round_are_those_of_the_rounds_before_it() -> None:
    assert set(points_before(SWISS, 1).values()) == {"0"}
    assert points_before(SWISS, 2) == {1: "1", 2: "½", 3: "0", 4: "½", 5: "1"}


def test_a_round_robin_shows_all_against_all_in_the_order_of_the_standings() -> None:
    table = played(gathered(4, settings(System.ROUND_ROBIN, rounds=6, cycles=2)), 4)
    rows = all_against_all(published(table))
    order = [row.standing.number for row in rows]
    shown = [row.cells for row in rows]
    assert order == [1, 2, 3, 4]
    assert shown == [
        ("", "1 …", "1", "1 1"),
        ("0 …", "", "1 1", "1"),
        ("0", "0 0", "", "1 …"),
        ("0 0", "0", "0 …", ""),
    ]
    assert is_table(table)
    assert not is_table(SWISS)


def test_a_table_of_all_against_all_leaves_out_who_is_free() -> None:
    rows = all_against_all(played(gathered(3, settings(System.ROUND_ROBIN, rounds=3)), 3))
    assert [row.cells for row in rows] == [("", "1", "1"), ("0", "", "1"), ("0", "0", "")]


def test_a_round_for_which_the_table_has_nobody_is_empty() -> None:
    free = played(gathered(3, settings(System.ROUND_ROBIN, rounds=3)), 1)
    assert cells(free) == {1: ("",), 2: ("•3+",), 3: ("2-",)}


def cup(entrants: int, rounds: int, **others: object) -> Tournament:
    return gathered(entrants, settings(System.KNOCKOUT, rounds=rounds, **others))


def drawn(matches: Iterable[Match]) -> list[str]:
    """Each match in a line, with a star behind who goes on."""
    return [" ".join(map(slot, match.slots)) for match in matches]


def slot(told: Slot) -> str:
    return f"{'–' if told.number is None else told.number}{'*' if told.won else ''}"


def bracket(tournament: Tournament) -> list[list[str]]:
    return [drawn(matches) for matches in bracket_of(tournament).rounds]


def test_a_bracket_stands_before_the_first_round() -> None:
    assert bracket(cup(5, 3)) == [["1 –", "4 5", "2 –", "3 –"], ["– –", "– –"], ["– –"]]


def test_who_goes_on_stands_in_the_next_round_before_it_is_published() -> None:
    assert bracket(played(cup(5, 3), 1)) == [["1* –", "4* 5", "2* –", "3* –"], ["1 4", "2 3"], ["– –"]]


def test_a_bracket_leads_to_the_final() -> None:
    tournament = played(cup(5, 3), 3)
    assert bracket(tournament)[1:] == [["1* 4", "2* 3"], ["1* 2"]]
    assert bracket_of(tournament).rounds[2][0].told == "1-0"
    assert bracket_of(tournament).third is None


def test_the_third_place_stands_beside_the_final() -> None:
    cup_of_four = cup(4, 2, third_place=True)
    waiting = bracket_of(played(cup_of_four, 1)).third
    assert waiting == Match(2, 2, (Slot(None), Slot(None)))
    ended = bracket_of(played(cup_of_four, 2))
    assert ended.third is not None
    assert drawn([ended.third]) == ["3* 4"]
    assert drawn(ended.rounds[1]) == ["1* 2"]
    assert bracket_of(cup(2, 1, third_place=True)).third is None


def test_where_both_are_gone_nobody_goes_on() -> None:
    lost = by_hand(cup(4, 2), [(1, 4, "-/-"), (2, 3, "1-0")])
    assert bracket(lost) == [["1 4", "2* 3"], ["– 2"]]
    assert bracket(published(lost)) == [["1 4", "2* 3"], ["2* –"]]
    empty = after(cup(5, 3), EntrantWithdrew(1, 1), RoundPublished(1, at_boards([(2, 3), (4, 5)])))
    assert bracket(empty)[0] == ["2 3", "4 5"]


def test_a_board_that_nobody_needs_is_empty() -> None:
    first = published(cup(5, 3))
    lost = by_hand(cup(8, 3), [(1, 8, "-/-"), (4, 5, "-/-"), (2, 7, "1-0"), (3, 6, "1-0")])
    assert bracket(published(lost)) == [["1 8", "4 5", "2* 7", "3* 6"], ["– –", "2 3"], ["– –"]]
    assert re.fullmatch(r"[12345–* ]+", " ".join(bracket(first)[0]))


def test_a_bracket_of_nobody_has_no_rounds() -> None:
    assert bracket(cup(0, 3)) == []


def test_only_a_knockout_has_a_bracket() -> None:
    assert has_bracket(cup(4, 2))
    assert has_bracket(cup(4, 6, lives=2))
    assert not has_bracket(SWISS)


def twice(entrants: int) -> Tournament:
    return cup(entrants, 20, lives=2)


def lower(tournament: Tournament) -> list[list[str]]:
    return [drawn(matches) for matches in bracket_of(tournament).lower]


def finals(tournament: Tournament) -> list[str]:
    return drawn(bracket_of(tournament).finals)


def test_a_double_elimination_has_a_bracket_for_each_loss_and_a_final() -> None:
    all_rounds = played(twice(8), 6)
    assert bracket(all_rounds) == [["1* 8", "4* 5", "2* 7", "3* 6"], ["1* 4", "2* 3"], ["1* 2"]]
    assert lower(all_rounds) == [["5* 7", "6* 8"], ["3* 5", "4* 6"], ["2* –", "3* 4"], ["2* 3"]]
    assert finals(all_rounds) == ["1* 2"]
    assert [match.round for matches in bracket_of(all_rounds).lower for match in matches[:1]] == [2, 3, 4, 5]
    assert bracket_of(all_rounds).waiting == ()


def test_before_it_begins_a_double_elimination_has_its_brackets_and_two_empty_finals() -> None:
    assert bracket(twice(4)) == [["1 4", "2 3"], ["– –"]]
    assert (lower(twice(4)), finals(twice(4)), bracket_of(twice(4)).waiting) == ([], ["– –", "– –"], ())
    assert (bracket(twice(1)), finals(twice(1)), finals(twice(0))) == ([], [], [])


def test_who_comes_to_the_final_stands_there_as_soon_as_it_is_known() -> None:
    one_round = played(twice(4), 1)
    assert bracket_of(one_round).waiting == (3, 4)
    assert bracket_of(published(one_round)).waiting == ()
    two = played(one_round, 1)
    assert (finals(two), bracket_of(two).waiting) == (["1 –", "– –"], (2, 3))
    three = played(two, 1)
    assert (finals(three), bracket_of(three).waiting) == (["1 2", "– –"], ())
    assert finals(published(three)) == ["1 2", "– –"]


def test_a_second_final_is_played_if_the_first_is_the_first_loss() -> None:
    three = played(twice(4), 3)
    lost = by_hand(three, [(1, 2, "0-1")])
    assert finals(lost) == ["1 2*", "1 2"]
    assert finals(published(lost)) == ["1 2*", "2 1"], "who moved first less often does so"
    assert finals(by_hand(lost, [(2, 1, "1-0")])) == ["1 2*", "2* 1"]
    assert finals(by_hand(three, [(1, 2, "1-0")])) == ["1* 2"]
    assert finals(by_hand(three, [(1, 2, "-/-")])) == ["1 2"], "it was the second loss of one of them"
    assert finals(after(lost, EntrantWithdrew(1, 5))) == ["1 2*"]


def test_where_the_winners_bracket_has_no_winner_the_others_decide() -> None:
    gone = after(played(twice(4), 2), EntrantWithdrew(1, 3))
    assert finals(gone) == []
    assert bracket_of(gone).waiting == (2, 3)
    assert lower(published(gone)) == [["3* 4"], ["2 3"]]
    alone = after(played(twice(2), 1), EntrantWithdrew(2, 2))
    assert (finals(alone), bracket_of(alone).waiting) == ([], ())


def test_teams_have_brackets_by_their_matches() -> None:
    opened, *others = teams.opening(3, 2, System.KNOCKOUT, 9)
    assert isinstance(opened, TournamentOpened)
    event = fold([TournamentOpened(replace(opened.settings, lives=2)), *others])
    event = teams.played(event, [(1, None, ""), (2, 3, "1=")], [(1, 2, "=="), (3, None, "")])
    event = teams.told(teams.published(after(event, LotDrawn((2, 1)))), lambda _: "1-0")
    view = team_view(event)
    assert bracket(view) == [["1* –", "2* 3"], ["1 2*"]]
    assert [match.told for matches in bracket_of(view).rounds for match in matches] == ["", "1½–½", "1–1"]
    assert (lower(view)[0], finals(view)[0].split()[0]) == (["3* –"], "2")


@pytest.mark.parametrize(
    ("system", "others"),
    [
        (System.SWISS, {}),
        (System.MCMAHON, {"bars": (1997,)}),
        (System.KEIZER, {}),
        (System.ARENA, {"streak": True}),
        (System.LADDER, {}),
    ],
)
def test_what_rounds_brought_adds_up_to_the_standings(system: System, others: dict[str, object]) -> None:
    evening = after(gathered(5, settings(system, 5, tie_breaks=(), **others)), EntrantWithdrew(5, 1))
    evening = played(evening, 3)
    steps = score_steps(evening)
    for one in standings(evening):
        assert steps[one.number].start + sum(steps[one.number].rounds) == one.points
        assert len(steps[one.number].rounds) == 3
    assert sum(steps[5].rounds) + steps[5].start == totals_of(evening)[5]
