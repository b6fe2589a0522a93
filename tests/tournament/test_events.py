"""Test what can happen to a tournament, and what is refused."""

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon.tournament.errors import TournamentError
from gnomon.tournament.event_log.reducer import fold
from gnomon.tournament.events import (
    ByeGranted,
    ByeWithdrawn,
    EntrantRegistered,
    EntrantReturned,
    EntrantWithdrew,
    Event,
    PairingAllowed,
    PairingProhibited,
    ResultCorrected,
    ResultEntered,
    RoundChanged,
    RoundPublished,
    RoundRevoked,
    TournamentOpened,
)
from gnomon.tournament.pairing.engines import pair
from gnomon.tournament.state import Tournament
from gnomon.tournament.state.results import GameResult, format_result, parse_result
from gnomon.tournament.state.round_history import RoundKind, histories, score
from gnomon.tournament.state.rounds import Pairing, at_boards
from gnomon.tournament.state.settings import Bye, Scoring, System
from tests.tournament._evening import after, by_hand, gathered, opening, pairs, played, published, settings, told

WON, LOST, DRAWN = GameResult.FIRST_WON, GameResult.SECOND_WON, GameResult.DRAWN

FOUR = gathered(4, settings(rounds=3))
ONE_ROUND = by_hand(FOUR, [(1, 3, "1-0"), (4, 2, "½-½")])
UNDER_WAY = after(ONE_ROUND, RoundPublished(2, at_boards([(2, 1), (3, 4)])))
TABLE = gathered(4, settings(System.ROUND_ROBIN, rounds=3))
CUP = gathered(4, settings(System.KNOCKOUT, rounds=2))
CUP_WITHOUT = after(CUP, EntrantWithdrew(1, 1), RoundPublished(1, at_boards([(2, 3), (4, None)])))
THREE = by_hand(gathered(3, settings()), [(1, 2, "1-0"), (3, None, "")])
CUP_FINAL = published(played(CUP, 1))


def kinds(tournament: Tournament, number: int) -> list[RoundKind]:
    return [turn.kind for turn in histories(tournament)[number]]


@given(st.lists(st.sampled_from(GameResult), min_size=1, max_size=4).map(tuple))
def test_a_result_is_read_as_it_is_written(result: tuple[GameResult, ...]) -> None:
    assert parse_result(format_result(result)) == result


@given(st.sampled_from(GameResult))
def test_a_result_seen_twice_from_the_other_chair_is_the_same(result: GameResult) -> None:
    assert result.from_other_side.from_other_side is result


def test_draws_may_be_written_as_people_write_them() -> None:
    assert {parse_result(text) for text in ("½-½", "1/2-1/2", "=", "0.5-0.5")} == {(DRAWN,)}


@pytest.mark.parametrize("text", ["", "1:0", "1-0 perhaps"])
def test_what_is_no_result_is_refused(text: str) -> None:
    with pytest.raises(
        TournamentError, match=r"is not a result: write one of 1-0, 0-1, ½-½, 1-1, 0-0, \+/-, -/\+, -/- for each"
    ):
        parse_result(text)


def test_a_history_folded_in_two_parts_is_the_whole() -> None:
    events = opening(4, settings())
    assert after(fold(events[:3]), *events[3:]) == fold(events)


def test_the_stronger_by_rating_stand_first_and_who_has_none_last() -> None:
    events: list[Event] = [
        TournamentOpened(settings()),
        EntrantRegistered(1, "Ada"),
        EntrantRegistered(2, "Ben", 1500),
        EntrantRegistered(3, "Cleo", 1700),
        EntrantRegistered(4, "Dov", 1500),
    ]
    assert fold(events).seeds == (3, 2, 4, 1)


def test_who_comes_late_has_zero_points_for_the_rounds_before() -> None:
    tournament = after(ONE_ROUND, EntrantRegistered(5, " Eva ", 1990, "", 2))
    assert (tournament.entrants[5].name, kinds(tournament, 5)) == ("Eva", [RoundKind.ZERO_BYE])
    assert tournament.players(1) == (1, 2, 3, 4)
    assert 5 in tournament.players(2)


def test_who_has_left_is_paired_no_more_and_may_return() -> None:
    gone = after(ONE_ROUND, ByeGranted(3, 3, Bye.HALF), EntrantWithdrew(3, 2))
    assert gone.players(2) == (1, 2, 4)
    assert not gone.byes
    assert after(gone, EntrantReturned(3)).players(2) == (1, 2, 3, 4)


def test_byes_asked_for_bring_their_points() -> None:
    asked = after(FOUR, ByeGranted(1, 1, Bye.FULL), ByeGranted(2, 1, Bye.HALF), ByeGranted(3, 1, Bye.ZERO))
    tournament = by_hand(asked, [(4, None, "")])
    told_of = histories(tournament)
    assert [(turns[0].kind, str(score(turns))) for turns in told_of.values()] == [
        (RoundKind.FULL_BYE, "1"),
        (RoundKind.HALF_BYE, "1/2"),
        (RoundKind.ZERO_BYE, "0"),
        (RoundKind.PAIRING_BYE, "1"),
    ]


def test_a_bye_can_be_given_up_again() -> None:
    asked = after(FOUR, ByeGranted(1, 1, Bye.HALF))
    assert 1 not in asked.players(1)
    assert after(asked, ByeWithdrawn(1, 1)) == FOUR


def test_forfeits_are_won_and_lost_without_a_game() -> None:
    tournament = by_hand(FOUR, [(1, 3, "-/+"), (4, 2, "-/-")])
    assert [kinds(tournament, number) for number in (1, 3, 4, 2)] == [
        [RoundKind.FORFEIT_LOSS],
        [RoundKind.FORFEIT_WIN],
        [RoundKind.FORFEIT_LOSS],
        [RoundKind.FORFEIT_LOSS],
    ]
    assert score(histories(tournament)[3]) == 1


def test_a_loss_may_bring_points_but_staying_away_brings_none() -> None:
    three = settings(rounds=3, scoring=Scoring(*map(Scoring().win.__class__, (3, 2, 1, 3))))
    tournament = by_hand(gathered(4, three), [(1, 3, "0-0"), (4, 2, "+/-")])
    assert {number: int(score(turns)) for number, turns in histories(tournament).items()} == {1: 1, 2: 0, 3: 1, 4: 3}


def test_a_result_may_be_entered_anew_while_its_round_is_played() -> None:
    tournament = after(UNDER_WAY, ResultEntered(2, 1, (WON,)), ResultEntered(2, 1, (DRAWN,)))
    assert tournament.rounds[-1].results == {1: (DRAWN,)}
    assert not tournament.corrections


def test_a_correction_is_kept_with_its_reason() -> None:
    tournament = after(UNDER_WAY, ResultCorrected(1, 1, (LOST,), " slips exchanged "))
    assert score(histories(tournament)[3]) == 1
    [kept] = tournament.corrections
    assert (kept.round, kept.board, kept.was, kept.now, kept.reason) == (1, 1, "1-0", "0-1", "slips exchanged")


def test_results_go_with_those_who_made_them_when_boards_are_changed_by_hand() -> None:
    six = gathered(6, settings())
    under_way = after(six, RoundPublished(1, at_boards([(1, 2), (3, 4), (5, 6)])), ResultEntered(1, 1, (WON,)))
    changed = after(under_way, RoundChanged(1, at_boards([(6, 3), (5, 4), (1, 2)]), "a wheelchair needs board 3"))
    assert changed.rounds[0].results == {3: (WON,)}
    assert changed.corrections[0].was == "1: 1–2, 2: 3–4, 3: 5–6"


def test_a_round_without_a_game_can_be_revoked_and_paired_anew() -> None:
    revoked = after(UNDER_WAY, RoundRevoked(2, "two came after all"))
    assert replace(revoked, corrections=()) == ONE_ROUND
    assert len(revoked.corrections) == 1


def test_who_leaves_a_round_robin_forfeits_what_is_left() -> None:
    tournament = published(after(played(TABLE, 2), EntrantWithdrew(1, 3), EntrantWithdrew(4, 3)))
    assert pairs(tournament.rounds[2].pairings) == [(2, 4), (3, 1)]
    assert tournament.rounds[2].results == {1: (GameResult.FIRST_BY_FORFEIT,), 2: (GameResult.FIRST_BY_FORFEIT,)}
    first = published(after(played(TABLE, 2), EntrantWithdrew(2, 3)))
    assert first.rounds[2].results == {1: (GameResult.SECOND_BY_FORFEIT,)}
    both = published(after(played(TABLE, 1), EntrantWithdrew(2, 2), EntrantWithdrew(1, 2)))
    assert both.rounds[1].results == {2: (GameResult.DOUBLE_FORFEIT,)}


def test_who_leaves_a_round_robin_early_has_played_nobody() -> None:
    tournament = after(played(TABLE, 1), EntrantWithdrew(1, 2))
    assert [kinds(tournament, number) for number in (1, 4)] == [[RoundKind.FREE], [RoundKind.FREE]]
    kept = gathered(4, settings(System.ROUND_ROBIN, rounds=3, annul=False))
    assert kinds(after(played(kept, 1), EntrantWithdrew(1, 2)), 4) == [RoundKind.PLAYED]
    assert kinds(after(played(TABLE, 2), EntrantWithdrew(1, 3)), 4) == [RoundKind.PLAYED, RoundKind.PLAYED]


def test_a_match_of_two_games_brings_the_points_of_its_games() -> None:
    tournament = by_hand(gathered(4, settings(games=2)), [(1, 3, "1-0 ½-½"), (4, 2, "0-1 1-0")])
    assert {n: str(score(turns)) for n, turns in histories(tournament).items()} == {1: "3/2", 2: "1", 3: "1/2", 4: "1"}


@pytest.mark.parametrize(
    ("result", "points"),
    [
        ("1-0 ½-½", ("1", "0")),
        ("1-0 0-1", ("1/2", "1/2")),
        ("½-½ ½-½", ("1/2", "1/2")),
        ("0-0 0-0", ("0", "0")),
        ("-/- -/-", ("0", "0")),
        ("-/+ -/+", ("0", "1")),
    ],
)
def test_a_match_may_count_as_one(result: str, points: tuple[str, str]) -> None:
    matches = gathered(4, settings(games=2, match_score=True))
    tournament = by_hand(matches, [(1, 3, result), (4, 2, "1-0 1-0")])
    assert tuple(str(score(histories(tournament)[number])) for number in (1, 3)) == points


def test_the_bye_of_a_two_game_round_is_worth_two_games() -> None:
    tournament = by_hand(gathered(3, settings(games=2)), [(1, 2, "1-0 1-0"), (3, None, "")])
    assert score(histories(tournament)[3]) == 2


REFUSED: list[tuple[Tournament, Event, str]] = [
    (FOUR, TournamentOpened(settings()), "Club evening is open already: open another tournament"),
    (FOUR, EntrantRegistered(1, "Eva"), "entrant number 1 is taken: give a number from 1 up that nobody has"),
    (FOUR, EntrantRegistered(0, "Eva"), "0 is not an entrant number"),
    (FOUR, EntrantRegistered(5, "  "), "entrant number 5 needs a name"),
    (ONE_ROUND, EntrantRegistered(5, "Eva"), "Eva cannot enter in round 1: name a round from 2 to 3"),
    (TABLE, EntrantRegistered(5, "Eva", since=2), "Eva cannot enter in round 2: a round robin is full at its start"),
    (FOUR, EntrantWithdrew(9, 1), "there is no entrant 9: name one of the 4 who are registered"),
    (FOUR, EntrantWithdrew(1, 4), "Ada cannot withdraw in round 4: name a round from 1 to 3"),
    (played(FOUR, 3), EntrantWithdrew(1, 4), "cannot withdraw in round 4: no round is left"),
    (FOUR, EntrantReturned(1), "Ada has not withdrawn and cannot return"),
    (CUP_WITHOUT, EntrantReturned(1), "Ada cannot return: the bracket has gone on"),
    (TABLE, ByeGranted(1, 1, Bye.HALF), "Ada cannot have a bye: a round robin grants none, so enter a forfeit"),
    (FOUR, ByeGranted(1, 1, Bye.PAIRING), "Ada cannot be granted the pairing's own bye"),
    (after(FOUR, EntrantWithdrew(1, 2)), ByeGranted(1, 2, Bye.HALF), "Ada cannot have a bye in round 2: they do not"),
    (FOUR, ByeWithdrawn(1, 1), "Ada has no bye in round 1 to give up"),
    (FOUR, PairingProhibited(1, 1), "1 Ada cannot be kept apart from themselves: name two entrants"),
    (TABLE, PairingProhibited(1, 2), "nobody can be kept apart in a round robin"),
    (FOUR, PairingAllowed(1, 2), "1 Ada and 2 Ben are not kept apart: there is no prohibition to lift"),
    (FOUR, RoundPublished(2, at_boards([(1, 2), (3, 4)])), "round 2 cannot be published: round 1 is next"),
    (UNDER_WAY, RoundPublished(3, ()), "round 3 must wait: round 2 has no result yet at board 1, 2; enter it"),
    (played(FOUR, 3), RoundPublished(4, ()), "Club evening has had its 3 rounds: there is no other"),
    (UNDER_WAY, RoundChanged(2, at_boards([(2, 1), (3, 4)]), " "), "round 2 cannot be changed without a reason"),
    (UNDER_WAY, RoundChanged(1, at_boards([(2, 1), (3, 4)]), "why"), "round 1 cannot be changed: round 2 is"),
    (UNDER_WAY, RoundRevoked(3, "why"), "round 3 is not published: the tournament has had 2 so far"),
    (ONE_ROUND, RoundRevoked(1, "why"), "round 1 cannot be revoked: it has results; change it, or correct them"),
    (ONE_ROUND, RoundChanged(1, at_boards([(3, 1), (2, 4)]), "why"), "1 and 3 have a result at board 1 and cannot be"),
    (UNDER_WAY, ResultEntered(1, 1, (WON,)), "round 1, board 1 is settled: correct it, with a reason"),
    (UNDER_WAY, ResultEntered(2, 7, (WON,)), "round 2, board 7 does not exist: name a board at which two play"),
    (UNDER_WAY, ResultEntered(2, 1, (WON, WON)), "round 2, board 1 has 1 game, and 2 results were given"),
    (THREE, ResultEntered(1, 2, (WON,)), "is the bye of entrant 3"),
    (UNDER_WAY, ResultCorrected(1, 1, (WON,), ""), "round 1, board 1 cannot be corrected without a reason"),
    (UNDER_WAY, ResultCorrected(2, 1, (WON,), "why"), "round 2, board 1 has no result to correct: enter it"),
    (CUP_FINAL, ResultEntered(2, 1, (DRAWN,)), "round 2, board 1 has no winner: add the result of a deciding game"),
    (CUP_FINAL, ResultCorrected(1, 1, (LOST,), "why"), "board 1 cannot have another winner: round 2 is"),
]  # fmt: skip


@pytest.mark.parametrize(("tournament", "event", "why"), REFUSED, ids=[why[:50] for _, _, why in REFUSED])
def test_what_cannot_be_is_refused_in_one_sentence(tournament: Tournament, event: Event, why: str) -> None:
    with pytest.raises(TournamentError, match=re.escape(why)):
        after(tournament, event)


def test_a_tournament_begins_with_its_opening() -> None:
    with pytest.raises(TournamentError, match="there is no event yet"):
        fold([])
    with pytest.raises(TournamentError, match="not with EntrantReturned"):
        fold([EntrantReturned(1)])


def test_prohibitions_come_and_go() -> None:
    apart = after(FOUR, PairingProhibited(1, 3))
    assert (1, 3) not in pairs(pair(apart))
    assert after(apart, PairingAllowed(3, 1)) == FOUR


def test_a_winner_corrected_within_the_same_side_goes_on() -> None:
    corrected = after(CUP_FINAL, ResultCorrected(1, 1, (GameResult.FIRST_BY_FORFEIT,), "nobody came"))
    assert corrected.rounds[0].results[1] == (GameResult.FIRST_BY_FORFEIT,)


@pytest.mark.parametrize(
    ("what", "why"),
    [
        ({"rounds": 0}, "1 to 99 rounds, not 0"),
        ({"games": 3}, "1 to 2 games in a round, not 3"),
        ({"cycles": 0}, "cycles"),
    ],
)
def test_settings_that_no_tournament_has_are_refused(what: dict[str, int], why: str) -> None:
    with pytest.raises(TournamentError, match=why):
        settings(**what)  # type: ignore[arg-type]  # a setting by its name


def test_a_scoring_that_rewards_losing_is_refused() -> None:
    with pytest.raises(TournamentError, match="these points cannot be: win 1, draw 1, loss 0, bye 1"):
        Scoring(draw=Scoring().win)


def test_the_next_round_of_a_told_round_is_ready() -> None:
    assert told(UNDER_WAY, lambda _: "1-0").waiting == ()
    assert Pairing(1, 2).entrants == (2,)
