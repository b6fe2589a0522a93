"""What two boards tell each other: turns, results, draws, pauses, charges, and where they do not agree."""

from dataclasses import replace
from typing import Any

import pytest

from gnomon.distance._turns import OwnTurn, sums
from gnomon.distance.exchange import Exchange, Party
from gnomon.distance.reports import GUEST, HOST, Echo, Ending, Invitation, Report
from gnomon.referee.corrections import arbiter_pressed
from gnomon.referee.events import (
    Correction,
    DrawAnswered,
    DrawOffered,
    Paused,
    PlayerNamed,
    ResultDeclared,
    Resumed,
    TurnArrived,
    TurnEntered,
)
from gnomon.referee.games import begin
from gnomon.referee.people import people
from gnomon.referee.step import step
from gnomon.refusals import statement
from gnomon.timekeeping.instants import SECOND, Duration, Instant
from tests.distance.pairs import IDENTS, End, Pair, game_at

WHO = "the other board"


def met(**settings: str) -> Pair:
    pair = Pair(**settings)
    pair.meet(1)
    pair.host.events.clear()  # that the other one has joined
    return pair


def do(end: End, event: type[Any], *values: object) -> None:
    end.game, _ = step(end.game, event(end.at, *values))


def told(end: End, **fields: Any) -> None:
    """Let a board hear what an honest one would not say."""
    other = GUEST if end.role == HOST else HOST
    number = 1000 if end.exchange.heard is None else end.exchange.heard.report.number + 1
    end.exchange.take(Report(other, IDENTS[other], f"{1:016x}", number, at=0, **fields), end.raw)
    end.look()


def test_a_turn_goes_to_the_other_board_once() -> None:
    pair = met()
    pair.wait(SECOND)
    pair.host.play()
    assert pair.host.exchange.is_behind(pair.host.game)
    pair.meet()
    assert [type(event) for event in pair.guest.events] == [TurnArrived]
    assert not pair.host.exchange.is_behind(pair.host.game)
    pair.guest.play()
    assert pair.guest.turns == pair.host.turns


def test_each_board_learns_who_plays_at_the_other_one() -> None:
    pair = Pair()
    pair.meet(1)
    assert [event.name for event in pair.host.events if isinstance(event, PlayerNamed)] == [""]  # somebody has joined
    assert pair.host.game.opponent is not None
    assert pair.host.game.opponent.is_met
    assert dict(pair.host.game.people) == {}
    pair.host.events.clear()
    pair.guest.game = replace(pair.guest.game, people=people({"white": "Bo"}))
    pair.meet()
    assert dict(pair.host.game.people) == {"white": "Bo"}
    assert [type(event) for event in pair.host.events] == [PlayerNamed]
    assert pair.guest.events == []
    told(pair.host, name="  \u202eBo\n")
    told(pair.host, name="")
    assert len(pair.host.events) == 1
    told(pair.host, name="Cleo")
    assert dict(pair.host.game.people) == {"white": "Cleo"}
    do(pair.host, ResultDeclared, "white", "resigned", "Ann")
    told(pair.host, name="Dan")
    assert dict(pair.host.game.people) == {"white": "Cleo"}


def test_a_whole_game_is_played() -> None:
    pair = met()
    for number in range(200):
        pair.wait(SECOND)
        for end in pair.ends.values():
            end.play(number * 7)
        pair.meet(2)
    assert pair.host.game.outcome is not None
    assert pair.host.game.outcome == pair.guest.game.outcome
    assert pair.host.turns == pair.guest.turns


def test_two_boards_count_a_swap_of_sides() -> None:
    pair = met(pie="yes")
    pair.host.play()
    pair.meet()
    pair.guest.play()
    do(pair.guest, TurnEntered, "pie", "Ben")
    pair.meet()
    pair.host.play()
    for _ in range(6):
        for end in pair.ends.values():
            end.play()
        pair.meet()
    assert pair.host.turns == pair.guest.turns
    assert len(pair.host.turns) > 4


def test_who_resigns_ends_the_game_at_both_boards() -> None:
    pair = met()
    do(pair.host, ResultDeclared, "white", "resigned", "Ann")
    pair.meet()
    assert pair.guest.game.outcome == pair.host.game.outcome


def test_a_game_that_is_given_up_without_a_result_ends_at_both_boards() -> None:
    pair = met()
    do(pair.host, ResultDeclared, None, "abandoned", "Ann")
    pair.meet()
    assert pair.guest.game.outcome == pair.host.game.outcome


def test_a_result_in_favour_of_who_says_it_is_not_taken() -> None:
    pair = met()
    told(pair.guest, ending=Ending("black", "resigned", 0))
    assert pair.guest.exchange.differs == statement("distance.differs.result")
    assert pair.guest.game.outcome is None


def test_a_result_waits_for_the_turns_before_it() -> None:
    pair = met()
    told(pair.guest, ending=Ending("white", "resigned", 3))
    assert pair.guest.game.outcome is None
    assert pair.guest.exchange.differs is None


@pytest.mark.parametrize("accepted", [True, False])
def test_a_draw_is_offered_and_answered_between_boards(accepted: bool) -> None:
    pair = met()
    do(pair.host, DrawOffered, "black", "Ann")
    pair.meet()
    assert pair.guest.game.draw is not None
    do(pair.guest, DrawAnswered, "white", accepted, "Ben")
    pair.meet()
    for end in pair.ends.values():
        assert end.game.draw is not None
        assert not end.game.draw.is_open
        assert (end.game.outcome is not None) is accepted
    assert [type(event) for event in pair.guest.events] == [DrawOffered]
    assert [type(event) for event in pair.host.events] == [DrawAnswered]


def test_a_draw_that_was_declined_is_offered_again_after_a_turn() -> None:
    pair = met()
    do(pair.host, DrawOffered, "black", "Ann")
    pair.meet()
    do(pair.guest, DrawAnswered, "white", False, "Ben")
    pair.meet()
    for _ in range(2):
        for end in pair.ends.values():
            end.play()
            pair.meet()
    pair.host.play()  # follows
    assert not pair.host.game.is_elsewhere
    do(pair.host, DrawOffered, "black", "Ann")
    pair.meet()
    assert pair.guest.game.draw is not None
    assert pair.guest.game.draw.is_open


def test_a_pause_stops_both_boards_and_who_made_it_ends_it() -> None:
    pair = met()
    do(pair.host, Paused, "Ann")
    pair.meet()
    assert pair.guest.game.paused_at is not None
    pair.meet()
    assert pair.guest.game.paused_at is not None
    assert not pair.guest.say().is_paused
    do(pair.host, Resumed, "Ann")
    pair.meet()
    assert [end.game.paused_at for end in pair.ends.values()] == [None, None]


def test_a_pause_by_the_button_stops_both_boards() -> None:
    pair = met()
    pair.host.game, _ = arbiter_pressed(pair.host.game, pair.host.at)
    pair.meet()
    assert pair.guest.game.paused_at is not None


def test_what_nothing_explains_is_charged_on_both_boards() -> None:
    pair = met(clock="10")
    pair.host.play()
    pair.meet()
    pair.guest.play()  # follows
    for _ in range(30):
        pair.wait(2 * SECOND)
        told(pair.host, have=1, count=1)
    text = pair.host.game.texts()[0]
    told(pair.host, have=1, count=2, turns=(OwnTurn(1, text, pair.host.game.plies[0].when + SECOND),))
    charged = [event for event in pair.host.events if not isinstance(event, TurnArrived)]
    assert len(charged) == 1
    assert charged[0].amount > 45 * SECOND  # type: ignore[attr-defined]  # time taken
    assert pair.host.say().charged == charged[0].amount  # type: ignore[attr-defined]  # as above


def test_a_charge_is_taken_from_the_own_clock_once() -> None:
    pair = met(clock="10")
    pair.host.play()
    pair.meet()
    for _ in range(3):
        told(pair.host, have=1, count=1, charged=2_500_000)
    taken = [event for event in pair.host.events if type(event).__name__ == "TimeTaken"]
    assert len(taken) == 1
    assert taken[0].amount == 2_500_000  # type: ignore[attr-defined]  # time taken


def test_a_lost_connection_is_credited_for_a_minute_in_all() -> None:
    pair = met(clock="60")
    pair.host.play()
    pair.meet()
    amounts: list[int] = []
    for outage in (40, 40):
        exchange, game = pair.host.exchange, pair.host.game
        pair.wait(outage * SECOND)
        exchange.take(replace(pair.guest.say(), number=outage + 1000 + len(amounts)), pair.host.raw)
        turn = TurnArrived(pair.host.at, "b1b2", Duration(game.plies[0].when + SECOND), WHO)
        began = game.plies[0].when
        game = replace(game, standstill=pair.host.now - began - (outage + 1) * SECOND)
        taken = exchange.charge_due(game, turn, pair.host.at)
        amounts.append(0 if taken is None else taken.amount)
    assert amounts[0] == 0
    assert amounts[1] > 0


def test_without_a_clock_nothing_is_charged() -> None:
    pair = met()
    turn = TurnArrived(pair.host.at, "b1b2", Duration(1), WHO)
    assert pair.host.exchange.charge_due(pair.host.game, turn, pair.host.at) is None


def test_the_way_is_measured_by_echoes() -> None:
    pair = met()
    now = pair.host.raw
    report = replace(pair.guest.say(), echo=Echo(f"{1:016x}", now - 300_000, 100_000))
    pair.host.exchange.take(report, now)
    assert pair.host.exchange.trips[-1] == 200_000
    before = pair.host.exchange.trips
    report = replace(pair.guest.say(), echo=Echo(f"{9:016x}", now - 300_000, 100_000))
    pair.host.exchange.take(report, now)
    assert pair.host.exchange.trips == before
    assert pair.host.exchange.silence(Instant(now + 5)) == 5
    assert Exchange(Party(HOST, "", "")).silence(now) is None


# What does not count


def test_reports_of_others_and_old_ones_do_not_count() -> None:
    pair = met()
    exchange, now = pair.host.exchange, pair.host.raw
    fresh = pair.guest.say()
    assert exchange.take(fresh, now)
    assert not exchange.take(fresh, now)  # again
    assert not exchange.take(replace(fresh, role=HOST, number=fresh.number + 1), now)  # our own, sent back
    assert not exchange.take(replace(fresh, ident="c" * 16, number=fresh.number + 1), now)  # of a third board
    assert exchange.take(replace(fresh, run="d" * 16, number=1), now)  # started again
    assert not exchange.take(replace(fresh, number=fresh.number + 2), now)  # from before that


def test_a_board_that_comes_third_learns_that_it_does() -> None:
    third = Exchange(Party(GUEST, "c" * 16, "c" * 16))
    pair = met()
    assert third.take(pair.host.say(), Instant(0))
    assert third.is_taken
    assert third.invitation is None


def test_an_invitation_is_told_before_there_is_a_game() -> None:
    pair = Pair()
    invitation = Invitation("tabik", {"size": "3"}, "coach", "black", "white", {})
    guest = Exchange(Party(GUEST, IDENTS[GUEST], "b" * 16))
    pair.host.exchange.take(guest.report(None, Instant(5)), pair.host.raw)
    guest.take(pair.host.exchange.report(pair.host.game, pair.host.raw, invitation=invitation), Instant(7))
    assert guest.invitation == invitation
    guest.refusal = statement("told.distance.none")
    pair.host.exchange.take(guest.report(None, Instant(9)), pair.host.raw)
    assert pair.host.exchange.heard is not None
    assert pair.host.exchange.heard.report.refusal == guest.refusal


def test_a_board_that_has_no_game_yet_keeps_no_other_one_out() -> None:
    pair = Pair()
    first, other = Exchange(Party(GUEST, "c" * 16, "c" * 16)), pair.guest.exchange
    for _ in range(2):  # two boards that try at the same time
        assert pair.host.exchange.take(first.report(None, Instant(5)), pair.host.raw)
        assert pair.host.exchange.take(other.report(None, Instant(6)), pair.host.raw)
        assert pair.host.exchange.peer == ""
    assert pair.host.say().to == ""
    pair.meet(1)
    assert pair.host.exchange.peer == IDENTS[GUEST]
    first.take(pair.host.say(), Instant(9))
    assert first.is_taken


# Where they do not agree


def test_where_two_boards_differ_is_said_with_the_turn() -> None:
    pair = met()
    for _ in range(3):
        pair.wait(SECOND)
        for end in pair.ends.values():
            end.play()
            pair.meet()
    plies = pair.guest.game.plies
    pair.guest.game = replace(pair.guest.game, plies=(*plies[:1], plies[1]._replace(text="z"), *plies[2:]))
    pair.meet()
    for end in pair.ends.values():
        assert end.exchange.differs == statement("distance.differs", number=2)
        assert end.exchange.differs.message.startswith("The two boards do not agree on turn 2")
    count = len(pair.host.events)
    pair.meet()
    assert len(pair.host.events) == count


def test_boards_that_play_another_game_say_so() -> None:
    pair = Pair()
    pair.guest.game = game_at(GUEST, size=4)
    pair.meet()
    assert pair.host.exchange.differs == statement("distance.differs.start")


def test_a_turn_for_this_side_is_not_taken() -> None:
    pair = met()
    told(pair.host, turns=(OwnTurn(0, "a1a2", 1),), count=1)
    assert pair.host.exchange.differs == statement("distance.differs.turn", number=1)
    assert pair.host.game.plies == ()


def test_turns_that_were_never_made_here_are_not_acknowledged() -> None:
    pair = met()
    told(pair.host, have=5, total=sums(pair.host.game)[-1])
    assert pair.host.exchange.differs == statement("distance.differs.more", number=5)


def test_a_game_without_another_board_has_nothing_to_tell() -> None:
    game = begin("tabik", {"size": 3})
    exchange = Exchange(Party(HOST, IDENTS[HOST], "a" * 16))
    assert exchange.due(game, Instant(0)) is None
    report = exchange.report(game, Instant(0))
    assert (report.have, report.count, report.turns) == (0, 0, ())


def test_nothing_is_taken_while_hands_make_a_turn_or_the_game_stands() -> None:
    pair = met()
    pair.host.play()
    pair.meet()
    assert pair.guest.game.announced is not None
    told(pair.guest, turns=(OwnTurn(1, "b1b2", SECOND),), count=2)
    assert len(pair.guest.events) == 1
    event: Correction = Paused(pair.guest.at, "Ben")
    pair.guest.game, _ = step(pair.guest.game, event)
    told(pair.guest, offer=1, count=1)
    assert len(pair.guest.events) == 1


def test_a_turn_that_crosses_a_resignation_does_not_keep_the_game_going() -> None:
    pair = met()
    do(pair.guest, ResultDeclared, "black", "resigned", "Ben")
    pair.host.play()
    pair.meet()
    assert pair.host.game.outcome == pair.guest.game.outcome
    assert pair.host.exchange.differs is pair.guest.exchange.differs is None
    assert (len(pair.host.turns), len(pair.guest.turns)) == (1, 0)


def test_results_that_cross_each_other_are_a_difference() -> None:
    pair = met()
    do(pair.host, DrawOffered, "black", "Ann")
    pair.meet()
    do(pair.host, ResultDeclared, "white", "resigned", "Ann")
    do(pair.guest, DrawAnswered, "white", True, "Ben")
    pair.meet()
    for end in pair.ends.values():
        assert end.exchange.differs == statement("distance.differs.outcome")
        assert end.exchange.agreement(end.game) == ""


def test_both_boards_agree_on_a_game_once_both_have_ended_it() -> None:
    pair = met()
    assert pair.host.exchange.agreement(pair.host.game) == ""
    do(pair.host, ResultDeclared, "white", "resigned", "Ann")
    assert pair.host.exchange.agreement(pair.host.game) == ""
    pair.meet()
    assert pair.host.exchange.agreement(pair.host.game) == pair.guest.exchange.agreement(pair.guest.game) != ""
