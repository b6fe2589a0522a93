"""Whatever is written into a report file comes back; what a file cannot hold is refused or said."""

from dataclasses import replace

import pytest

from gnomon.tournament.event_log.reducer import fold
from gnomon.tournament.events import (
    ByeGranted,
    EntrantCorrected,
    EntrantRegistered,
    EntrantWithdrew,
    HeadingTold,
    OrderDecided,
    PairingProhibited,
    PersonTold,
    ResultCorrected,
    RoundChanged,
    RoundPublished,
    TournamentOpened,
)
from gnomon.tournament.formats.trf import TrfEdition, TrfError, by_seeds, write_trf
from gnomon.tournament.pairing.engines import pair
from gnomon.tournament.state import Entrant, Tournament
from gnomon.tournament.state.particulars import Heading, PersonalData
from gnomon.tournament.state.results import Points, parse_result
from gnomon.tournament.state.rounds import at_boards
from gnomon.tournament.state.settings import Bye, Scoring, System
from tests.tournament._evening import after, by_hand, gathered, pairs, played, settings
from tests.tournament._trf_files import TWO, file, player, told


def test_a_round_robin_keeps_boards_by_its_table() -> None:
    tournament = played(gathered(5, settings(System.ROUND_ROBIN, rounds=5)), 2)
    assert told(write_trf(tournament).text) == tournament
    # Players who meet otherwise than the table says sit behind it.
    others = file(*TWO, player(3, "   4 w 1"), player(4, "   3 b 0"), "192 CUSTOM_ROUNDROBIN\n")
    assert pairs(told(others).rounds[0].pairings) == [(1, 2), (3, 4)]


def test_a_round_robin_may_have_more_rounds_than_its_table() -> None:
    nothing = " " * 8
    lines = [
        player(1, "   2 w 1", "   3 b 1", "   4 w 1"),
        player(2, "   1 b 0", nothing, nothing, "   3 w 1"),
        player(3, nothing, "   1 w 0", nothing, "   2 b 0"),
        player(4, nothing, nothing, "   1 b 0"),
    ]
    tournament = told(file(*lines, "192 BERGER_ROUNDROBIN\n", rounds=4))
    assert [pairs(round_.pairings) for round_ in tournament.rounds] == [[(1, 2)], [(3, 1)], [(1, 4)], [(2, 3)]]


def test_a_bracket_with_a_bye_comes_back() -> None:
    tournament = played(gathered(3, settings(System.KNOCKOUT, rounds=2)), 2)
    assert told(write_trf(tournament).text) == tournament


def test_points_that_are_not_usual_and_the_byes_to_come_are_written() -> None:
    scoring = Scoring(Points(3), Points(1), bye=Points(3))
    tournament = after(gathered(2, settings(scoring=scoring)), ByeGranted(2, 1, Bye.HALF))
    assert "162  W 3.0    D 1.0    L 0.0    P 3.0\r\n" in write_trf(tournament).text
    older = write_trf(tournament, TrfEdition.TRF16)
    assert "BBW  3.0\r\nBBD  1.0\r\n" in older.text
    assert "0000 - H\r\n" in older.text
    assert told(older.text).byes == {(2, 1): Bye.HALF}


def test_a_round_robin_of_two_games_shows_by_its_rounds() -> None:
    like = settings(System.ROUND_ROBIN, rounds=3, games=2)
    tournament = played(gathered(4, like), 2, lambda _: "1-0 ½-½")
    assert told(write_trf(tournament).text) == tournament


def test_two_games_of_a_round_take_two_columns() -> None:
    tournament = played(gathered(5, settings(games=2)), 2, lambda _: "1-0 ½-½")
    written = write_trf(tournament, line_end="\n").text
    assert "192 CUSTOM_DOUBLESWISS\n" in written
    assert "     1 w 1     1 b =\n" in written
    assert told(written) == tournament


def test_a_knockout_tells_its_third_place_and_who_left() -> None:
    tournament = played(gathered(4, settings(System.KNOCKOUT, rounds=2, third_place=True)), 2)
    assert told(write_trf(tournament).text) == tournament
    left = after(played(gathered(4, settings(System.KNOCKOUT, rounds=2)), 1), EntrantWithdrew(1, 2))
    left = after(left, RoundPublished(2, pair(left)))
    assert told(write_trf(left).text) == left


@pytest.mark.parametrize("rounds", [2, 5, 6])
def test_a_second_life_in_a_knockout_shows_when_it_was_played(rounds: int) -> None:
    tournament = played(gathered(6, settings(System.KNOCKOUT, rounds=6, lives=2)), rounds)
    written = write_trf(tournament)
    assert told(written.text) == tournament
    assert written.left_out == ()


def test_boards_that_were_changed_by_hand_are_not_told() -> None:
    tournament = by_hand(gathered(4, settings(rounds=3)), [(2, 4, "1-0"), (1, 3, "1-0")])
    assert [str(one) for one in write_trf(tournament).left_out] == [
        "the file does not have the board numbers of round 1: they would be numbered differently"
    ]


def test_a_match_that_counts_as_one_is_told_as_one_game() -> None:
    like = settings(rounds=3, games=2, match_score=True)
    results = iter(["1-0 ½-½", "0-1 0-1", "1-0 0-1", "0-0 0-0", "+/- +/-", "-/+ -/+", "-/- -/-", "½-½ 1-0"])
    written = write_trf(played(gathered(8, like), 2, lambda _: next(results)))
    remarks = [str(one) for one in written.left_out]
    assert "games in a round: 2 here, but 1 when the file is read" in remarks
    assert "a round counts as one match: yes here, but no when the file is read" in remarks
    assert "round 1, board 1: 1-0 ½-½ would be read back as 1-0" in remarks


def test_what_a_file_does_not_tell_of_a_tournament_is_said() -> None:
    tournament = by_hand(
        gathered(4, settings(rounds=3, rule_set="GO", tie_breaks=("SOS",))), [(1, 3, "1-0"), (4, 2, "0-1")]
    )
    tournament = after(
        tournament,
        ResultCorrected(1, 1, parse_result("½-½"), "the slip was read wrongly"),
        EntrantCorrected(1, "A" * 40, 12000, "B" * 40),
        EntrantRegistered(9, "Late", None, "", 2),
        EntrantWithdrew(9, 3),
        ByeGranted(2, 3, Bye.ZERO),
        ByeGranted(2, 2, Bye.ZERO),
        OrderDecided((1, 3), "by eye"),
    )
    tournament = after(tournament, RoundPublished(2, at_boards([(3, 4), (9, 1)])))
    tournament = after(tournament, RoundChanged(2, at_boards([(9, 1), (3, 4)]), "the hall is warmer there"))
    assert [str(one) for one in write_trf(tournament).left_out] == [
        "entrants are numbered by their rank, which is not the order in which they entered",
        "round 2 is being played: the file has it once its last result is in",
        "rules of the tie-breaks: GO here, but FIDE_2026 when the file is read",
        "tie-breaks: SOS here, but none when the file is read",
        f"1 {'A' * 40}, name: {'A' * 40} here, but {'A' * 33} when the file is read",
        f"1 {'A' * 40}, rating: 12000 here, but none when the file is read",
        f"1 {'A' * 40}, team: {'B' * 40} here, but {'B' * 32} when the file is read",
        "2 Ben is still playing, which the file does not say",
        "9 Late has left from round 3 on, which the file does not say",
        "2 Ben has a zero-point bye in round 2, which the file does not say",
        "2 Ben has a zero-point bye in round 3, which the file does not say",
        "the file does not have the board numbers of round 1: they would be numbered differently",
        "the file does not have 3 corrections, only what they led to",
        "the file does not have 1 order, only what it led to",
    ]


def test_what_columns_cut_off_of_people_and_the_event_is_said() -> None:
    heading = Heading(city="Ely\n(Cambs)", dates=("20 November",), deputies=("A  Kay",))
    persons = (
        PersonTold(1, PersonalData("m", "Prof", born="1990/02/03")),
        PersonTold(2, PersonalData("w", club="Rooks")),
    )
    written = write_trf(after(gathered(2, settings()), HeadingTold(heading), *persons))
    assert [str(one) for one in written.left_out] == [
        "city: Ely\n(Cambs) here, but Ely (Cambs) when the file is read",
        "further arbiters: A  Kay here, but A Kay when the file is read",
        "days of the rounds: 20 November here, but 20, November when the file is read",
        "the file does not have the club of 1 entrant: only a team has a line",
        "1 Ada: title would be read back differently",
    ]


def test_who_met_and_is_now_kept_apart_is_told_where_a_line_has_rounds() -> None:
    tournament = after(by_hand(gathered(2, settings(rounds=2)), [(1, 2, "1-0")]), PairingProhibited(1, 2))
    assert told(write_trf(tournament).text) == tournament
    over = after(by_hand(gathered(2, settings(rounds=1)), [(1, 2, "1-0")]), PairingProhibited(1, 2))
    assert [str(one) for one in write_trf(over).left_out] == [
        "1 Ada and 2 Ben are kept apart, which the file does not say"
    ]


def test_a_file_that_gnomon_cannot_read_back_says_so() -> None:
    knockout = by_hand(gathered(4, settings(System.KNOCKOUT, rounds=2)), [(1, 2, "1-0"), (3, 4, "1-0")])
    (remark,) = write_trf(knockout).left_out
    assert str(remark).startswith("Gnomon itself cannot read this file back: round 1 does not follow the bracket")


@pytest.mark.parametrize(
    ("tournament", "fault"),
    [
        (gathered(2, settings(scoring=Scoring(draw=Points(1, 3)))), "a result has 1/3 points, but a report file"),
        (
            replace(gathered(2, settings()), entrants={number: Entrant(number, "Ada") for number in range(1, 10_001)}),
            "there are 10000 entrants, but a report file has numbers for 9999",
        ),
    ],
)
def test_what_no_column_can_hold_is_refused(tournament: Tournament, fault: str) -> None:
    with pytest.raises(TrfError, match=fault):
        write_trf(tournament)


def test_entrants_get_numbers_by_their_seeds() -> None:
    tournament = after(
        fold(
            [
                TournamentOpened(settings()),
                EntrantRegistered(7, "Low", 1000),
                EntrantRegistered(9, "High", 2000),
                EntrantRegistered(3, "None"),
            ]
        ),
        PairingProhibited(7, 3),
        EntrantWithdrew(3, 2),
        ByeGranted(9, 2, Bye.HALF),
        RoundPublished(1, at_boards([(7, 9), (3, None)])),
    )
    renumbered, had = by_seeds(tournament)
    assert had == {1: 9, 2: 7, 3: 3}
    assert [renumbered.entrants[number].name for number in (1, 2, 3)] == ["High", "Low", "None"]
    assert pairs(renumbered.rounds[0].pairings) == [(2, 1), (3, None)]
    assert renumbered.prohibited == {frozenset((2, 3))}
    assert renumbered.withdrawn == {3: 2}
    assert renumbered.byes == {(1, 2): Bye.HALF}
