import pytest

from gnomon.games.twenty_squares.rules import Move
from gnomon.rules.protocol import IllegalMoveError, NotationError, RulesError
from tests.rules.playing import refusal
from tests.rules.twenty_squares_drawn import LATE, position_of, rules_of, thrown

TAU = rules_of()
TEAMS = rules_of(board="double", players=4)


# What is refused, and why


def test_nothing_is_moved_before_a_throw() -> None:
    for text in ("d1-c1", "in-d1", "convert", "forfeit"):
        assert refusal(TAU, TAU.start(), text) == "throw_due: rule 2: a throw must be made before anything is moved"


def test_a_throw_is_answered_before_the_next() -> None:
    assert refusal(TAU, thrown(TAU, LATE, 2), "throw:2") == ("answer_due: rule 3: the throw of 2 must be played first")


def test_only_an_own_counter_moves_along_its_own_route_and_forward() -> None:
    position = thrown(TAU, LATE, 2)
    assert refusal(TAU, position, "d1-b1") == "no_counter: rule 3: no counter of Player 1 stands on d1"
    assert refusal(TAU, position, "d3-b3") == "off_route: rule 3: d3 is not on the route of Player 1"
    assert refusal(TAU, position, "i2-g2") == "backwards: rule 3: counters move forward, and i2 does not come before g2"
    assert refusal(TAU, position, "i2-i2") == "backwards: rule 3: counters move forward, and i2 does not come before i2"


@pytest.mark.parametrize(
    ("move", "code"),
    [
        (Move("throw", 9), "no_such_throw"),
        (Move("throw", 2, 3), "no_such_throw"),
        (Move("move", 2, 17), "no_such_move"),
        (Move("move", 2, -1), "no_such_move"),
        (Move("move", 0, 5), "no_such_move"),
        (Move("convert", 1), "no_such_move"),
        (Move("forfeit", 0, 0), "no_such_move"),
        (Move("pass"), "no_such_move"),  # type: ignore[arg-type]  # a move that no type allows
    ],
)
def test_what_is_no_move_at_all_is_refused_as_such(move: Move, code: str) -> None:
    for position in (TAU.start(), thrown(TAU, LATE, 2)):
        why = TAU.why_not(position, move)
        assert why is not None
        assert why.code == code
        with pytest.raises(IllegalMoveError):
            TAU.play(position, move)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("throw:6", "'throw:6': the throws of this game are 1, 2, 3, 4, 5"),
        ("throw:0", "'throw:0': the throws of this game are 1, 2, 3, 4, 5"),
        ("d1-m2", "'d1-m2': there is no square m2 on board=tau"),
        ("e1-a2", "'e1-a2': there is no square e1 on board=tau"),
    ],
)
def test_a_text_that_can_mean_nothing_in_this_game_is_a_notation_error(text: str, sentence: str) -> None:
    with pytest.raises(NotationError) as caught:
        TAU.parse(TAU.start(), text)
    assert str(caught.value) == sentence


@pytest.mark.parametrize(
    "text",
    ["in-off", "off-a2", "d1-in", "d1a2", "D1-A2", "throw", "throw:", "throw:12", "throw:-1", "d1-a2 ", "d10-a2"],
)
def test_other_texts_are_refused_with_what_they_might_have_been(text: str) -> None:
    with pytest.raises(NotationError, match=r"is not a move such as d1-a2 .* in-b1 .* i2-off .* convert, forfeit or"):
        TAU.parse(TAU.start(), text)


# Positions from a real board


@pytest.mark.parametrize(
    ("counters", "home", "player", "sentence"),
    [
        ({}, {}, "p3", "the players are p1, p2, not 'p3'"),
        ({"red": ["d1"]}, {}, "p1", "the players are p1, p2, not 'red'"),
        ({}, {"red": 1}, "p1", "the players are p1, p2, not 'red'"),
        ({"p1": ["d3"]}, {}, "p1", "'d3' is not on the route of Player 1"),
        ({"p1": ["c2"], "p2": ["c2"]}, {}, "p1", "rule 3: counters of Player 1 and Player 2 both stand on c2"),
        (
            {"p1": ["c2", "c2"]},
            {},
            "p1",
            "rule 3: one counter stands on a square, and Player 1 has more than one on c2",
        ),
        ({"p1": ["c2"]}, {"p1": 5}, "p1", "rule 1: Player 1 has 5 counters, not 1 on the board and 5 at home"),
        ({}, {"p1": -1}, "p1", "rule 1: Player 1 has 5 counters, not 0 on the board and -1 at home"),
        ({}, {"p2": 5}, "p1", "rule 8: Player 2 has won, and nothing is left to play"),
    ],
)
def test_a_position_that_cannot_be_is_refused(
    counters: dict[str, list[str]], home: dict[str, int], player: str, sentence: str
) -> None:
    with pytest.raises(RulesError) as caught:
        TAU.set_up(counters, home, player)
    assert str(caught.value) == sentence


EMPTY = """
    . . . .               . . . .
    . . . . . . . . . . . . . . .
    . . . .               . . . .
"""


def test_who_has_borne_off_everything_is_not_set_up_to_throw() -> None:
    with pytest.raises(RulesError, match=r"^Player 1 has borne off all counters, and throws no more$"):
        position_of(TEAMS, EMPTY, p1=5)
