"""The tests of what follows from the boards' rulings for the pairings of a round."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon.hall.rounds.board_assignment import Accept, BoardAssignment, PlanError
from gnomon.hall.rounds.results import PairingGame, PairingState, PlayerClaim, Ruled, outcome, proposals
from gnomon.hall.store.requests import Seating
from gnomon.tournament.state.results import GameResult, format_result, parse_result
from gnomon.tournament.state.rounds import Pairing, Round

PAIRING = Pairing(3, 7, 8)
SEATING = Seating("open", 1, 3, 1, 7, 8, "red")


def game(
    winner: str | None = "red", *, number: int = 1, player: str = "red", reason: str = "blocked", confirmed: str = ""
) -> PairingGame:
    ruled = Ruled(9, winner, reason, frozenset(confirmed.split()))
    return PairingGame("t03", "e1", number, SEATING._replace(number=number, player=player), ("red", "black"), ruled)


def round_(*results: tuple[int, str], pairing: Pairing = PAIRING) -> Round:
    return Round(1, (pairing, Pairing(9, 5)), {board: parse_result(text) for board, text in results})


@given(
    winner=st.sampled_from(["red", "black", None]),
    player=st.sampled_from(["red", "black"]),
    is_turned=st.booleans(),
)
def test_the_entrant_who_sits_where_the_winner_sits_has_won(winner: str | None, player: str, is_turned: bool) -> None:
    pairing = Pairing(3, 8, 7) if is_turned else PAIRING
    entrants = {player: 7, ("black" if player == "red" else "red"): 8}
    told = outcome(pairing, game(winner, player=player))
    won = {GameResult.FIRST_WON: pairing.first, GameResult.SECOND_WON: pairing.second, GameResult.DRAWN: None}
    assert told is not None
    assert won[told] == (None if winner is None else entrants[winner])


@pytest.mark.parametrize(
    "played",
    [
        game(reason="abandoned", winner=None),
        game("green"),
        game("high"),
        game()._replace(players=()),
        game()._replace(ruled=None),
    ],
)
def test_what_does_not_say_who_has_won_is_no_result(played: PairingGame) -> None:
    assert outcome(PAIRING, played) is None
    (proposal,) = proposals(round_(), 1, [played])
    expected = PairingState.PLAYING if played.ruled is None else PairingState.UNCLEAR
    assert (proposal.standing, proposal.result) == (expected, None)


def test_nobody_is_asked_about_a_bye() -> None:
    (proposal,) = proposals(round_(), 1, [])
    assert (proposal.board, proposal.standing, proposal.is_confirmed) == (3, PairingState.TO_SEND, False)


def test_a_round_of_two_games_has_a_result_when_both_are_over() -> None:
    first, second = game("red"), game("red", number=2, player="black")
    assert proposals(round_(), 2, [second])[0].standing is PairingState.BETWEEN
    goes_on = second._replace(ruled=None)
    assert proposals(round_(), 2, [first, goes_on])[0].standing is PairingState.PLAYING
    abandoned = first._replace(ruled=Ruled(9, None, "abandoned"))
    assert proposals(round_(), 2, [abandoned])[0].standing is PairingState.UNCLEAR
    (proposal,) = proposals(round_(), 2, [second, first])
    assert (proposal.standing, proposal.result) == (PairingState.PROPOSED, parse_result("1-0 0-1"))
    assert proposal.proof == "blocked: t03, game 1, record 9; blocked: t03, game 2, record 9"


def test_a_deciding_game_counts_beyond_the_round() -> None:
    (proposal,) = proposals(round_(), 1, [game(None), game("black", number=2)])
    assert proposal.result == parse_result("½-½ 0-1")


def test_the_game_that_was_begun_last_for_a_pairing_counts() -> None:
    (proposal,) = proposals(round_(), 1, [game("red"), game("black")._replace(device="t04")])
    assert (proposal.result, proposal.devices) == (parse_result("0-1"), ("t04",))


def test_a_game_of_others_is_not_theirs() -> None:
    (proposal,) = proposals(round_(pairing=Pairing(3, 7, 9)), 1, [game("red")])
    assert proposal.standing is PairingState.TO_SEND


def test_what_the_book_says_stands_beside_what_the_board_tells() -> None:
    ruling = ("t03", "e1", 1, 9)
    for text, settled, standing in (
        ("1-0", [], PairingState.ENTERED),
        ("0-1", [], PairingState.DIFFERS),
        ("0-1", [ruling], PairingState.SETTLED),
        ("0-1", [("t03", "e1", 1, 8)], PairingState.DIFFERS),
    ):
        assert proposals(round_((3, text)), 1, [game("red")], settled)[0].standing is standing
    assert proposals(round_((3, "+/-")), 1, [])[0].standing is PairingState.ENTERED


def test_what_may_be_entered_without_the_director() -> None:
    ready, half, both = (proposals(round_(), 1, [game(confirmed=who)])[0] for who in ("", "red", "red black"))
    allowed = {accept: [one.is_to_be_entered(accept) for one in (ready, half, both)] for accept in Accept}
    assert allowed == {
        Accept.CONFIRMED: [False, False, True],
        Accept.AT_ONCE: [True, True, True],
        Accept.BY_HAND: [False, False, False],
    }
    assert (half.source, both.source) == ("board t03", "board t03, confirmed by both")
    assert not proposals(round_((3, "1-0")), 1, [game()])[0].is_to_be_entered(Accept.AT_ONCE)


# Plans


@given(st.dictionaries(st.integers(1, 99), st.integers(1, 99).map(lambda number: f"t{number}"), max_size=4))
def test_a_plan_is_read_as_it_was_written(boards: dict[int, str]) -> None:
    plan = BoardAssignment("tamsk", {"level": 3}, "silent", Accept.AT_ONCE)
    for board, device in boards.items():
        plan = plan.assign(board, device)
        assert plan.boards[board] == device
    assert len(set(plan.boards.values())) == len(plan.boards)
    assert BoardAssignment.of(plan.text()) == plan


@pytest.mark.parametrize(
    ("boards", "why"),
    [
        ({0: "t1"}, "there is no board 0"),
        ({1: "T 1"}, "cannot be the name of a board"),
        ({1: "t1", 2: "t1"}, "two boards cannot have one device, t1"),
    ],
)
def test_a_plan_that_cannot_be_is_refused(boards: dict[int, str], why: str) -> None:
    with pytest.raises(PlanError, match=why):
        replace(BoardAssignment(), boards=boards)


def test_a_device_is_taken_away_from_a_board() -> None:
    assert BoardAssignment(boards={1: "t1", 2: "t2"}).assign(1, None).boards == {2: "t2"}


def said(entrant: int, result: str, two: tuple[int, int] = (7, 8)) -> PlayerClaim:
    """What a player says, told for the two in this order."""
    return PlayerClaim(entrant, two, parse_result(result))


@pytest.mark.parametrize(
    ("claims", "standing", "result"),
    [
        ([said(7, "1-0")], PairingState.TO_SEND, ""),
        ([said(7, "1-0"), said(8, "0-1", (8, 7))], PairingState.PROPOSED, "1-0"),
        ([said(7, "1-0"), said(8, "1-0", (8, 7))], PairingState.DISPUTED, ""),
        ([said(7, "1-0"), said(8, "1-0")], PairingState.PROPOSED, "1-0"),
        ([said(7, "1-0", (7, 9)), said(8, "0-1", (8, 9))], PairingState.TO_SEND, ""),
    ],
)
def test_what_both_players_say_alike_is_a_result(
    claims: list[PlayerClaim], standing: PairingState, result: str
) -> None:
    (proposal,) = proposals(round_(), 1, [], claims=claims)
    assert proposal.standing is standing
    assert (format_result(proposal.result) if proposal.result else "") == result
    assert proposal.is_confirmed is (standing is PairingState.PROPOSED)
    assert proposal.is_to_be_entered(Accept.CONFIRMED) is (standing is PairingState.PROPOSED)
    assert not proposal.is_to_be_entered(Accept.BY_HAND)


@pytest.mark.parametrize("played", [game()._replace(ruled=None), game("green")])
def test_a_result_that_no_board_has_told_is_the_players_own(played: PairingGame) -> None:
    (proposal,) = proposals(round_(), 1, [played], claims=[said(7, "1-0"), said(8, "1-0")])
    assert (proposal.standing, proposal.source) == (PairingState.PROPOSED, "both players")


@pytest.mark.parametrize(
    ("confirmed", "claims", "standing", "is_confirmed"),
    [
        ("red", [said(7, "1-0")], PairingState.PROPOSED, False),
        ("black", [said(7, "1-0")], PairingState.PROPOSED, True),
        ("", [said(7, "1-0"), said(8, "1-0")], PairingState.PROPOSED, True),
        ("red black", [said(8, "½-½")], PairingState.DISPUTED, True),
    ],
)
def test_a_phone_counts_as_the_button_of_a_board(
    confirmed: str, claims: list[PlayerClaim], standing: PairingState, *, is_confirmed: bool
) -> None:
    (proposal,) = proposals(round_(), 1, [game("red", confirmed=confirmed)], claims=claims)
    assert proposal.standing is standing
    assert proposal.is_confirmed is is_confirmed
    assert proposal.is_to_be_entered(Accept.AT_ONCE) is (standing is PairingState.PROPOSED)


def test_a_result_in_the_book_ends_what_players_say() -> None:
    (proposal,) = proposals(round_((3, "0-1")), 1, [], claims=[said(7, "1-0"), said(8, "1-0")])
    assert proposal.standing is PairingState.ENTERED
    assert proposal.said == ()
