"""The rules of a game that is not known keep the protocol, and know nothing."""

import pytest

from gnomon.games.clock.rules import PLAYERS, PRESS, Free, Move
from gnomon.rules.perft import perft
from gnomon.rules.protocol import IllegalMoveError, NotationError, SettingsError
from gnomon.rules.registry import BARE_CLOCK, GAMES, rules_of
from gnomon.timekeeping.instants import Instant


def test_it_is_none_of_the_games_and_can_be_had_by_its_name() -> None:
    assert BARE_CLOCK not in GAMES
    assert rules_of(BARE_CLOCK, {}) == Free()
    assert hash(Free()) == hash(Free.from_settings({}))
    with pytest.raises(SettingsError, match=r"the games are tabik, tamsk, tau, tayu, twenty-squares$"):
        rules_of("chess", {})
    with pytest.raises(SettingsError, match="has no setting 'size'"):
        rules_of(BARE_CLOCK, {"size": 8})


def test_two_players_end_their_turns_by_turns_and_nothing_ends_the_game() -> None:
    rules = Free()
    position = rules.start()
    for number in range(10):
        assert rules.turn(position) == PLAYERS[number % 2]
        assert [rules.text(position, move) for move in rules.legal_moves(position)] == [PRESS]
        assert all(map(rules.is_turn, rules.legal_moves(position)))
        position = rules.play(position, rules.parse(position, PRESS))
        assert (rules.outcome(position), rules.score(position), rules.deadline(position)) == (None, {}, None)
        assert rules.elapse(position, Instant(1)) == position
        assert rules.state(position) == {"presses": number + 1}
    assert perft(rules, position, 3) == 1


def test_who_begins_is_said_and_the_move_is_handed_over_without_a_turn() -> None:
    rules = Free()
    position = rules.handed_to(rules.start(), 1)
    assert rules.turn(position) == "right"
    assert rules.turn(rules.handed_to(position, 0)) == "left"
    assert rules.handed_to(rules.handed_to(position, 0), 1) == position


def test_nothing_else_is_a_move() -> None:
    rules = Free()
    with pytest.raises(NotationError, match="'e2e4' is not a move here"):
        rules.parse(rules.start(), "e2e4")
    with pytest.raises(IllegalMoveError, match="lift ends no turn"):
        rules.play(rules.start(), Move("lift"))
