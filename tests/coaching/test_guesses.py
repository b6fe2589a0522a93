"""Points for guessed moves of recorded games, and which turns are guessed."""

from typing import Any

import pytest

from gnomon.coaching import (
    FULL,
    Guess,
    coach_of,
    guess_points,
    guessable,
    piece_verdict,
    summary,
    winning_seat,
)
from gnomon.engines.protocol import Score
from gnomon.refusals import clause
from gnomon.rules.protocol import PlayedTurn
from gnomon.rules.registry import rules_of
from gnomon.words import words


@pytest.mark.parametrize(
    ("played", "guessed", "points"),
    [
        (Score(0.6), Score(0.6), FULL),
        (Score(0.6), Score(0.7), FULL),
        (Score(0.6), Score(0.595), FULL),
        (Score(0.6), Score(0.5), 6),
        (Score(0.6), Score(0.2), 0),
        (Score(0.2), Score(0.0, proven=True), 0),
        (Score(0.0, proven=True), Score(0.0, proven=True), FULL),
        (Score(1.0, proven=True), Score(0.9), 6),
    ],
)
def test_a_guess_gets_points_by_its_value(played: Score, guessed: Score, points: int) -> None:
    assert guess_points(played, guessed) == points


def turns_of(game: str, moves: str, **settings: object) -> tuple[Any, list[PlayedTurn], Any]:
    """The rules, the turns of a game, and its last position."""
    rules = rules_of(game, settings)
    position, turns = rules.start(), []
    for number, text in enumerate(moves.split(), 1):
        turns.append(PlayedTurn(number, rules.turn(position), text, position))
        position = rules.play(position, rules.parse(position, text))
    return rules, turns, position


def test_the_turns_of_the_winner_are_guessed() -> None:
    rules, turns, last = turns_of("tabik", "f5e5 f3f2 d6d5 f4g4")
    assert winning_seat(rules, last, None) is None
    seat = winning_seat(rules, last, "white")
    assert [turn.number for turn in guessable(rules, turns, seat)] == [2, 4]
    assert [turn.number for turn in guessable(rules, turns, None)] == [1, 2, 3, 4]


def test_who_named_a_number_keeps_their_seat() -> None:
    rules, turns, last = turns_of("tau", "bid:3 bid:512 pass r4")
    assert winning_seat(rules, last, "high") == "p2"
    assert [turn.number for turn in guessable(rules, turns, "p2")] == [2, 4]
    assert [turn.number for turn in guessable(rules, turns, "p1")] == [1, 3]


def test_chance_and_turns_without_a_choice_are_not_guessed() -> None:
    rules, turns, _ = turns_of("twenty-squares", "throw:2 forfeit throw:1 convert throw:3")
    assert list(guessable(rules, turns, None)) == []


def test_what_the_rules_do_not_know_as_a_move_is_not_guessed() -> None:
    rules, turns, last = turns_of("tabik", "f5e5")
    odd = [turns[0]._replace(text="lost"), PlayedTurn(2, "white", "pie", last)]
    assert [turn.text for turn in guessable(rules, odd, None)] == ["pie"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("A4-B4", "yes: a good turn uses it"),
        ("A4-A3x", "yes: a good turn uses it"),
        ("D1-D2", "no: every good turn uses something else"),
        ("G4-G3x", "the engine did not evaluate a turn with it"),
    ],
)
def test_a_piece_is_part_of_a_good_turn_whatever_its_place(text: str, said: str) -> None:
    rules = rules_of("tamsk", {"level": 1})
    start = rules.start()
    scores = {rules.parse(start, move): Score(chance) for move, chance in {"A4-B4": 0.6, "D1-D2": 0.5}.items()}
    assert clause(piece_verdict(coach_of(rules), start, scores, rules.parse(start, text))) == said


@pytest.mark.parametrize(
    ("points", "said"),
    [
        ((), "no move was guessed"),
        ((None,), "no move was guessed"),
        ((10, 9, None), "19 of 20 points (95 %): as well as the winner played, or nearly"),
        ((10, 5), "15 of 20 points (75 %): strong play"),
        ((10, 0), "10 of 20 points (50 %): good play with some slips"),
        ((0,), "0 of 10 points (0 %): there is much to discover in this game"),
    ],
)
def test_all_guesses_are_summed_up(points: tuple[int | None, ...], said: str) -> None:
    assert clause(summary([Guess(number, "a1a2", each) for number, each in enumerate(points)])) == said


def test_the_sum_is_told_in_every_language() -> None:
    told = summary([Guess(1, "a1a2", 10)])
    assert clause(told, words("de")) == "10 von 10 Punkten (100 %): so gut wie der Sieger oder fast so gut"
    assert clause(told, words("fr")) == "10 points sur 10 (100\xa0%)\xa0: aussi bien que le gagnant, ou presque"
