"""Test tables of three and four: how they are seated, what places are worth, and who stands where."""

import re
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon.tournament.errors import NoPairingError, TournamentError
from gnomon.tournament.event_log.reducer import step
from gnomon.tournament.events import (
    ByeGranted,
    EntrantRegistered,
    EntrantWithdrew,
    LotDrawn,
    PairingProhibited,
    PlacesEntered,
    RoundPublished,
    RoundRevoked,
    TablesChanged,
    TablesSeated,
)
from gnomon.tournament.formats.trf import has_report, write_trf
from gnomon.tournament.pairing.engines import pair
from gnomon.tournament.pairing.multiplayer import meetings, seat_tables, table_sizes
from gnomon.tournament.scoring.multiplayer import (
    check_places,
    check_tables_are_played,
    order_text,
    place_points,
    places_by_score,
    places_of,
)
from gnomon.tournament.standings import standings
from gnomon.tournament.standings.crosstables import cross_table
from gnomon.tournament.state import Tournament
from gnomon.tournament.state.notation import change_tables, swap_at_tables
from gnomon.tournament.state.results import Points
from gnomon.tournament.state.rounds import Table, at_boards
from gnomon.tournament.state.settings import Bye, System, TournamentSettings
from tests.tournament._evening import after, gathered, settings

TABLES = settings(System.TABLES, rounds=5, tie_breaks=())
EIGHT = gathered(8, TABLES)


def seated(tournament: Tournament) -> Tournament:
    return step(tournament, TablesSeated(tournament.next_round, seat_tables(tournament)))


def played(tournament: Tournament, rounds: int = 1) -> Tournament:
    """Rounds in which everybody ends in the order of their numbers."""
    for _ in range(rounds):
        tournament = seated(tournament)
        round_ = tournament.rounds[-1]
        for table in round_.tables:
            places = places_of(table, " ".join(map(str, sorted(table.seats))))
            tournament = step(tournament, PlacesEntered(round_.number, table.board, places))
    return tournament


@given(st.integers(2, 60), st.integers(3, 4))
def test_tables_are_few_and_even(players: int, most: int) -> None:
    sizes = table_sizes(players, most)
    assert sum(sizes) == players
    assert 2 <= min(sizes) <= max(sizes) <= most
    assert max(sizes) - min(sizes) <= 1
    assert len(sizes) == -(-players // most)


def test_the_first_round_spreads_the_seeds() -> None:
    assert [set(table.seats) for table in seat_tables(EIGHT)] == [{1, 4, 5, 8}, {2, 3, 6, 7}]


@given(st.integers(2, 13), st.integers(3, 4), st.integers(1, 4))
def test_everybody_sits_at_one_table_in_every_round(players: int, most: int, rounds: int) -> None:
    tournament = played(gathered(players, settings(System.TABLES, rounds=4, tie_breaks=(), table_size=most)), rounds)
    for round_ in tournament.rounds:
        assert sorted(number for table in round_.tables for number in table.seats) == list(range(1, players + 1))


def test_sixteen_meet_nobody_twice_in_three_rounds() -> None:
    tournament = played(gathered(16, TABLES), 3)
    assert max(meetings(tournament).values()) == 1


def test_seats_go_round() -> None:
    four = played(gathered(4, TABLES), 4)
    seats = [[table.seats.index(1) for table in round_.tables] for round_ in four.rounds]
    assert sorted(seat for (seat,) in seats) == [0, 1, 2, 3]


def test_who_has_as_many_points_sits_together_where_nobody_meets_twice() -> None:
    after_one = played(gathered(12, settings(System.TABLES, rounds=3, tie_breaks=(), table_size=3)), 1)
    scores = {one.number: one.points for one in standings(after_one)}
    first = seat_tables(after_one)[0]
    assert max(scores[number] for number in first.seats) == 1
    assert max(meetings(played(after_one)).values()) == 1


def test_who_is_kept_apart_sits_at_different_tables() -> None:
    apart = after(EIGHT, PairingProhibited(1, 8), PairingProhibited(1, 5))
    for table in seat_tables(apart):
        assert not {1, 8} <= set(table.seats)
        assert not {1, 5} <= set(table.seats)


def test_who_has_left_is_not_seated_and_one_alone_does_not_play() -> None:
    assert {number for table in seat_tables(after(EIGHT, EntrantWithdrew(1, 1))) for number in table.seats} == set(
        range(2, 9)
    )
    with pytest.raises(NoPairingError, match="nobody is there to play"):
        seat_tables(gathered(1, TABLES))


def test_places_are_read_as_they_are_written() -> None:
    table = Table(3, (7, 9, 3, 5))
    assert places_of(table, "7 3=5 9") == (1, 4, 2, 2)
    assert places_of(table, "7 > 3 = 5 > 9") == (1, 4, 2, 2)
    assert order_text(table, (1, 4, 2, 2)) == "7 3=5 9"
    for text in ("", "7 3 5", "7 3 5 9 9", "7 3 5 8", "7 3 five 9", "7 3=5=x 9"):
        with pytest.raises(TournamentError, match="is no order of table 3: name 7, 9, 3, 5"):
            places_of(table, text)


@given(st.permutations([1, 2, 3, 4]), st.lists(st.booleans(), min_size=3, max_size=3))
def test_any_order_is_read_as_it_is_written(numbers: list[int], level: list[bool]) -> None:
    text = str(numbers[0]) + "".join(
        f"{'=' if tie else ' '}{number}" for tie, number in zip(level, numbers[1:], strict=True)
    )
    table = Table(1, (1, 2, 3, 4))
    places = places_of(table, text)
    assert places_of(table, order_text(table, places)) == places
    assert sum(place_points(TABLES, places)) == 2


@pytest.mark.parametrize(
    ("places", "points"),
    [
        ((1, 2, 3, 4), (1, Points(2, 3), Points(1, 3), 0)),
        ((1, 2, 3), (1, Points(1, 2), 0)),
        ((1, 2), (1, 0)),
        ((1, 1, 3), (Points(3, 4), Points(3, 4), 0)),
        ((2, 1, 2), (Points(1, 4), 1, Points(1, 4))),
    ],
)
def test_places_are_worth_even_shares(places: tuple[int, ...], points: tuple[Points, ...]) -> None:
    assert place_points(TABLES, places) == points


@pytest.mark.parametrize(
    ("scores", "winner", "places"),
    [
        ([12, 20, 12, 20], 1, (3, 1, 3, 1)),  # two teams
        ([6, 6, 6, 6], None, (1, 1, 1, 1)),
        ([12, 5, 0], 0, (1, 2, 3)),
        ([12, 5, 0], 2, (2, 3, 1)),  # nobody reached the saboteur's target
        ([0, 0, 0], 2, (2, 2, 1)),
        ([5, 5, 0], None, (1, 1, 3)),
    ],
)
def test_places_follow_from_scores_and_the_winner(
    scores: list[int], winner: int | None, places: tuple[int, ...]
) -> None:
    assert places_by_score(scores, winner) == places
    check_places(Table(1, tuple(range(1, len(scores) + 1))), places)


def test_places_may_be_worth_what_was_announced() -> None:
    like = settings(System.TABLES, place_points=(Points(5), Points(3), Points(1)))
    assert list(place_points(like, (1, 2, 2, 4))) == [5, 2, 2, 0]


def test_standings_go_by_points_then_by_first_places_then_by_those_met() -> None:
    six = gathered(6, settings(System.TABLES, rounds=3, tie_breaks=(), table_size=3))
    told = after(
        six,
        TablesSeated(1, (Table(1, (1, 2, 3)), Table(2, (4, 5, 6)))),
        PlacesEntered(1, 1, (1, 2, 3)),
        PlacesEntered(1, 2, (1, 2, 3)),
        TablesSeated(2, (Table(1, (1, 4, 2)), Table(2, (5, 3, 6)))),
        PlacesEntered(2, 1, (3, 1, 2)),
        PlacesEntered(2, 2, (2, 2, 1)),
    )
    ranked = [(one.place, one.number, one.points) for one in standings(told)]
    assert ranked[0] == (1, 4, Points(2))
    assert [number for _, number, _ in ranked[1:3]] == [1, 6]


def test_a_table_that_is_still_played_counts_for_nothing_yet() -> None:
    assert {one.points for one in standings(ROUND)} == {Points(0)}


def test_a_fourth_place_counts_for_nothing_but_its_points() -> None:
    assert [(one.place, one.number) for one in standings(DONE)][:2] == [(1, 1), (1, 2)]
    assert [one.points for one in standings(DONE)][-1] == 0


def test_those_whom_nothing_parts_share_a_place_until_a_lot_is_drawn() -> None:
    two = gathered(3, settings(System.TABLES, rounds=1, tie_breaks=()))
    told = after(two, TablesSeated(1, (Table(1, (1, 2, 3)),)), PlacesEntered(1, 1, (1, 1, 3)))
    assert [one.place for one in standings(told)] == [1, 1, 3]
    assert [one.number for one in standings(after(told, LotDrawn((2, 1))))] == [2, 1, 3]


ROUND = seated(EIGHT)
DONE = played(EIGHT)


@pytest.mark.parametrize(
    ("before", "event", "sentence"),
    [
        (
            EIGHT,
            RoundPublished(1, at_boards([(1, 2), (3, 4), (5, 6), (7, 8)])),
            "is played at tables of three and four",
        ),
        (gathered(4, settings()), TablesSeated(1, (Table(1, (1, 2, 3, 4)),)), "this tournament is played in pairs"),
        (EIGHT, TablesSeated(2, ROUND.rounds[0].tables), "round 2 cannot be published: round 1 is next"),
        (EIGHT, TablesSeated(1, ()), "nobody is paired"),
        (EIGHT, TablesSeated(1, (Table(1, (1, 2, 3, 4)),)), "5 Eva plays in this round but is not paired"),
        (EIGHT, TablesSeated(1, (Table(1, (1, 2, 3, 4)), Table(1, (5, 6, 7, 8)))), "board 1 is named 2 times"),
        (EIGHT, TablesSeated(1, (Table(0, (1, 2, 3, 4)), Table(1, (5, 6, 7, 8)))), "there is no board 0"),
        (EIGHT, TablesSeated(1, (Table(1, (1, 2, 3, 4, 5)), Table(2, (6, 7, 8)))), "5 sit at table 1, and 2 to 4 may"),
        (EIGHT, TablesSeated(1, (Table(1, (1, 2, 3, 9)), Table(2, (5, 6, 7, 8)))), "there is no entrant 9"),
        (EIGHT, TablesSeated(1, (Table(1, (1, 2, 3, 3)), Table(2, (5, 6, 7, 8)))), "entrant 3 sits in 2 places"),
        (
            after(EIGHT, EntrantWithdrew(4, 1)),
            TablesSeated(1, (Table(1, (1, 2, 3, 4)), Table(2, (5, 6, 7, 8)))),
            "4 Dov is paired but does not play",
        ),
        (
            after(EIGHT, PairingProhibited(1, 2)),
            TablesSeated(1, (Table(1, (1, 2, 3, 4)), Table(2, (5, 6, 7, 8)))),
            "1 Ada and 2 Ben are kept apart",
        ),
        (ROUND, TablesSeated(2, ROUND.rounds[0].tables), "round 2 must wait: round 1 has no result yet at board 1, 2"),
        (ROUND, PlacesEntered(1, 1, (1, 2, 3)), "are no places of table 1: give one to each of 4"),
        (ROUND, PlacesEntered(1, 9, (1, 2, 3, 4)), "round 1 has no table 9"),
        (ROUND, PlacesEntered(1, 1, (), "slip"), "round 1, board 1 has no result to take back"),
        (DONE, PlacesEntered(1, 1, ()), "cannot be corrected without a reason"),
        (seated(DONE), PlacesEntered(1, 1, (1, 2, 3, 4)), "cannot be corrected without a reason"),
        (DONE, RoundRevoked(1, "again"), "round 1 cannot be revoked: it has results"),
    ],
)
def test_what_cannot_be_is_refused(before: Tournament, event: TablesSeated, sentence: str) -> None:
    with pytest.raises(TournamentError, match=re.escape(sentence)):
        step(before, event)


def test_pairs_are_not_made_of_tables() -> None:
    with pytest.raises(NoPairingError, match="round 1 is not paired: it is seated at tables"):
        pair(EIGHT)


def test_a_table_is_waited_for_corrected_and_taken_back() -> None:
    assert ROUND.waiting == (1, 2)
    told = after(ROUND, PlacesEntered(1, 2, (1, 2, 3, 4)))
    assert told.waiting == (1,)
    assert after(told, PlacesEntered(1, 2, (2, 1, 3, 4))).rounds[0].places == {2: (2, 1, 3, 4)}
    assert after(told, PlacesEntered(1, 2, (), "still playing")).waiting == (1, 2)
    earlier = after(seated(DONE), PlacesEntered(1, 1, (4, 3, 2, 1), "slips"))
    assert earlier.rounds[0].places[1] == (4, 3, 2, 1)


@pytest.mark.parametrize(
    ("others", "sentence"),
    [
        ({"table_size": 5}, "three or four sit at a table, not 5"),
        ({"place_points": (Points(1), Points(2))}, "points for places do not rise"),
        ({"place_points": (Points(-1),)}, "are never below 0"),
    ],
)
def test_settings_of_tables_are_checked(others: dict[str, object], sentence: str) -> None:
    with pytest.raises(TournamentError, match=sentence):
        TournamentSettings("Evening", System.TABLES, 3, **others)  # type: ignore[arg-type]  # by name


def test_a_report_file_has_no_tables() -> None:
    with pytest.raises(TournamentError, match="cannot be written to a report file"):
        write_trf(DONE)
    assert not has_report(DONE)


@pytest.mark.parametrize("system", [System.TABLES, System.ARENA, System.LADDER])
def test_where_byes_are_not_granted_somebody_leaves_and_returns(system: System) -> None:
    why = f"Ada cannot have a bye in this system ({system.value}): withdraw them, and let them return"
    with pytest.raises(TournamentError, match=re.escape(why)):
        after(gathered(4, settings(system, rounds=3, tie_breaks=())), ByeGranted(1, 1, Bye.HALF))


def test_late_entrants_are_seated_from_their_round_on() -> None:
    late = after(DONE, EntrantRegistered(9, "Ivy", since=2))
    assert 9 in {number for table in seat_tables(late) for number in table.seats}
    assert [one.points for one in standings(late) if one.number == 9] == [0]


@given(st.integers(4, 20))
def test_seating_is_no_worse_than_the_ranking_in_order(players: int) -> None:
    tournament = played(gathered(players, TABLES), 2)
    met = meetings(tournament)
    again = sum(met[frozenset(pair)] for table in seat_tables(tournament) for pair in combinations(table.seats, 2))
    ranked = [one.number for one in standings(tournament)]
    sizes = table_sizes(players, 4)
    plain = [ranked[sum(sizes[:at]) : sum(sizes[: at + 1])] for at in range(len(sizes))]
    assert again <= sum(met[frozenset(pair)] for table in plain for pair in combinations(table, 2)) + 1


def test_a_cross_table_says_with_whom_somebody_sat_and_what_came_of_it() -> None:
    seven = after(seated(gathered(7, TABLES)), PlacesEntered(1, 2, (1, 2, 3)))
    first, second = seven.rounds[0].tables
    cells = {row.standing.number: row.cells for row in cross_table(seven)}
    winner, other, last = second.seats
    assert cells[winner] == (f"{other} {last}:1",)
    assert cells[first.seats[0]] == (" ".join(map(str, first.seats[1:])) + "…",)
    late = after(seven, EntrantRegistered(8, "Hal", since=2))
    assert {row.standing.number: row.cells for row in cross_table(late)}[8] == ("",)


def test_tables_are_only_where_tables_are_played() -> None:
    check_tables_are_played(gathered(4, settings(System.TABLES, rounds=2)))
    with pytest.raises(TournamentError, match="table"):
        check_tables_are_played(gathered(4, settings(System.SWISS, rounds=2)))


def test_players_change_seats_and_tables_that_have_ended_stay() -> None:
    first, second = ROUND.rounds[0].tables
    one, other = first.seats[2], second.seats[0]
    swapped = swap_at_tables((first, second), one, other)
    assert [table.seats.index(number) for table, number in zip(swapped, (other, one), strict=True)] == [2, 0]
    changed = after(ROUND, TablesChanged(1, swapped, "they came together"))
    assert changed.rounds[0].tables == swapped
    amendment = changed.corrections[-1]
    assert (amendment.round, amendment.board, amendment.reason) == (1, None, "they came together")
    assert (amendment.was, amendment.now) == tuple(
        ", ".join(f"{table.board}: {'–'.join(map(str, table.seats))}" for table in tables)
        for tables in ((first, second), swapped)
    )
    ended = after(ROUND, PlacesEntered(1, 1, (1, 2, 3, 4)))
    turned = second._replace(seats=second.seats[::-1])
    again = after(ended, TablesChanged(1, change_tables((first, second), [turned]), "the seats were wrong"))
    assert (again.rounds[0].tables, again.rounds[0].places) == ((first, turned), {1: (1, 2, 3, 4)})
    with pytest.raises(TournamentError, match="round 1: table 1 has ended and cannot be changed"):
        after(ended, TablesChanged(1, swapped, "too late"))
    with pytest.raises(TournamentError, match="round 1 cannot be changed without a reason"):
        after(ROUND, TablesChanged(1, swapped, " "))
    with pytest.raises(TournamentError, match="is not paired"):
        after(ROUND, TablesChanged(1, (first,), "why"))
    for two in ((one, one), (one, 99)):
        with pytest.raises(TournamentError, match="cannot be swapped"):
            swap_at_tables((first, second), *two)
