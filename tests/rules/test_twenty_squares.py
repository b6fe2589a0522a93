import pytest

from gnomon.games.twenty_squares.rules import FORFEIT, Move, Position, TwentySquares
from gnomon.rules.protocol import GameOverError, Outcome
from tests.rules.playing import legal_texts, play, refusal
from tests.rules.twenty_squares_drawn import LATE, drawing_of, drawn, rules_of, thrown

TAU = rules_of()
ASEB = rules_of(ruleset="aseb")
ANY = rules_of(entry="any")
AUTO = rules_of(entry="auto")


def hands(rules: TwentySquares, position: Position) -> object:
    return rules.state(position)["hand"]


# The check figures of the rules file


def test_from_the_start_two_flat_sides_are_forfeited() -> None:
    position = play(TAU, TAU.start(), "throw:2")
    assert legal_texts(TAU, position) == {"forfeit"}
    position = play(TAU, position, "forfeit")
    assert TAU.turn(position) == "nature"
    assert TAU.state(position)["player"] == "p2"


def test_none_flat_and_then_four_bring_a_counter_to_a1_and_another_throw() -> None:
    position = play(TAU, TAU.start(), "throw:5")
    assert legal_texts(TAU, position) == {"convert"}
    position = play(TAU, position, "convert")
    assert TAU.turn(position) == "nature"
    position = play(TAU, position, "throw:4")
    assert legal_texts(TAU, position) == {"in-a1"}
    position = play(TAU, position, "in-a1")
    assert drawing_of(TAU, position) == drawn("""
        . . . .
        . . . . . . . . . . . .
        1 . . .
    """)
    assert TAU.turn(position) == "nature"
    assert TAU.state(position)["player"] == "p1"
    assert hands(TAU, position) == {"p1": 4, "p2": 5}


def test_on_step_13_a_four_bears_off() -> None:
    position = play(TAU, thrown(TAU, LATE, 4), "i2-off")
    assert drawing_of(TAU, position) == drawn("""
        . . . .
        . . 2 . . . . 2 . . . .
        . . . .
    """)
    assert TAU.score(position) == {"p1": 1, "p2": 0}
    assert TAU.state(position)["player"] == "p2"


def test_on_step_13_a_five_is_illegal() -> None:
    position = thrown(TAU, LATE, 5)
    assert legal_texts(TAU, position) == {"convert"}
    assert refusal(TAU, position, "i2-off") == (
        "not_the_throw: rule 3: a counter moves by the whole throw, and that is 5, not 4"
    )
    too_far = TAU.why_not(position, Move("move", 5, 13))
    assert too_far is not None
    assert (too_far.code, too_far.message) == (
        "beyond",
        "rule 8: from i2 a counter is borne off only by a throw of exactly 4",
    )


def test_on_step_13_a_three_lands_on_l2_and_throws_again() -> None:
    position = play(TAU, thrown(TAU, LATE, 3), "i2-l2")
    assert drawing_of(TAU, position) == drawn("""
        . . . .
        . . 2 . . . . 2 . . . 1
        . . . .
    """)
    assert TAU.state(position)["player"] == "p1"


def test_an_enemy_on_a_rosette_blocks() -> None:
    position = thrown(
        TAU,
        """
        . . . .
        . 1 . 2 . . . . . . . .
        . . . .
        """,
        2,
    )
    assert legal_texts(TAU, position) == {"forfeit"}
    assert refusal(TAU, position, "b2-d2") == "safe: rule 5: the counter of Player 2 on d2 is safe on the rosette"


def test_an_enemy_elsewhere_is_sent_back_to_hand() -> None:
    position = thrown(
        TAU,
        """
        . . . .
        . 1 2 . . . . . . . . .
        . . . .
        """,
        1,
    )
    position = play(TAU, position, "b2-c2")
    assert drawing_of(TAU, position) == drawn("""
        . . . .
        . . 1 . . . . . . . . .
        . . . .
    """)
    assert hands(TAU, position) == {"p1": 4, "p2": 5}


@pytest.mark.parametrize(
    ("settings", "chances"),
    [({}, 0.5342026945), ({"dice": "cube"}, 0.5312707186), ({"ruleset": "aseb"}, 0.5257020691)],
    ids=["sticks", "cube", "aseb"],
)
def test_with_one_counter_a_side_nothing_is_decided_and_the_chances_are_known(
    settings: dict[str, object], chances: float
) -> None:
    rules = rules_of(counters=1, **settings)
    assert chance_of_player_1(rules) == pytest.approx(chances, abs=5e-11)


def chance_of_player_1(rules: TwentySquares) -> float:
    """How likely player 1 wins from the start, in a game without decisions.

    The chances of all positions in which a throw is due are linear equations; they are solved by repeated substitution.
    """
    start = rules.start()
    successors: dict[Position, list[tuple[float, Position]]] = {}
    chances = {start: 0.5}
    to_do = [start]
    while to_do:
        position = to_do.pop()
        successors[position] = []
        for throw in rules.legal_moves(position):
            (answer,) = rules.legal_moves(rules.play(position, throw))
            after = rules.play(rules.play(position, throw), answer)
            successors[position].append((float(rules.odds[throw.number]), after))
            outcome = rules.outcome(after)
            if after not in chances:
                chances[after] = 0.5 if outcome is None else float(outcome.winner == "p1")
                to_do += [after] if outcome is None else []
    change = 1.0
    while change > 1e-13:
        change = 0.0
        for position, ways in successors.items():
            found = sum(chance * chances[after] for chance, after in ways)
            change = max(change, abs(found - chances[position]))
            chances[position] = found
    return chances[start]


# Moving


def test_an_own_counter_blocks() -> None:
    position = thrown(
        TAU,
        """
        . . . .
        . . . . . . . . . . . .
        . 1 . 1
        """,
        2,
    )
    assert legal_texts(TAU, position) == {"b1-a2"}
    assert refusal(TAU, position, "d1-b1") == "own_counter: rule 5: a counter of the same player stands on b1"


def test_counters_jump_freely() -> None:
    position = thrown(
        TAU,
        """
        . . . .
        1 2 1 2 . . . . . . . .
        . . . .
        """,
        4,
    )
    assert legal_texts(TAU, position) == {"a2-e2", "c2-g2"}


def test_the_side_rows_are_private() -> None:
    position = thrown(
        TAU,
        """
        2 2 2 2
        . . . . . . . . . . . .
        1 . . .
        """,
        1,
        player="p2",
    )
    assert legal_texts(TAU, position) == {"a3-a2", "convert"}
    position = thrown(
        TAU,
        """
        . . . 2
        . . . . . . . . . . . .
        1 . . .
        """,
        3,
        player="p2",
    )
    assert drawing_of(TAU, play(TAU, position, "d3-a3")) == drawn("""
        2 . . .
        . . . . . . . . . . . .
        1 . . .
    """)


def test_on_the_far_side_row_of_the_double_board_nobody_is_met() -> None:
    rules = rules_of(board="double", counters=1)
    position = thrown(
        rules,
        """
        . . . .               . . 2 .
        . . . . . . . . . . . . . 1 .
        . . . .               . . . .
        """,
        4,
    )
    position = play(rules, position, "n2-m1")
    assert drawing_of(rules, position) == drawn("""
        . . . .               . . 2 .
        . . . . . . . . . . . . . . .
        . . . .               . 1 . .
    """)


def test_the_turn_ends_after_a_move_that_ends_on_no_rosette() -> None:
    position = play(TAU, thrown(TAU, LATE, 1), "i2-j2")
    assert TAU.turn(position) == "nature"
    assert TAU.state(position)["player"] == "p2"


def test_captures_are_not_compulsory_and_a_legal_move_is() -> None:
    position = thrown(
        TAU,
        """
        . . . .
        . 1 2 . . . . . . . . .
        1 . . .
        """,
        1,
    )
    assert legal_texts(TAU, position) == {"b2-c2", "a1-a2", "convert"}
    assert refusal(TAU, position, "forfeit") == "must_move: rule 6: there is a legal move, and it must be made"


def test_who_bears_off_the_last_counter_wins() -> None:
    position = thrown(TAU, LATE, 4, p1=4, p2=2)
    position = play(TAU, position, "i2-off")
    assert TAU.turn(position) == "over"
    assert TAU.outcome(position) == Outcome("p1", "borne_off")
    assert TAU.score(position) == {"p1": 5, "p2": 2}
    assert TAU.state(position) == {
        "hand": {"p1": 0, "p2": 1},
        "home": {"p1": 5, "p2": 2},
        "counters": {"p1": [], "p2": ["c2", "h2"]},
        "throw": None,
        "player": None,
    }
    for text in ("throw:1", "forfeit", "i2-off", "d3-c3"):
        with pytest.raises(GameOverError):
            TAU.parse(position, text)
    with pytest.raises(GameOverError):
        TAU.play(position, FORFEIT)


# Entering


def test_a_one_or_five_moves_a_counter_or_becomes_an_entry_throw() -> None:
    position = thrown(TAU, LATE, 1)
    assert legal_texts(TAU, position) == {"i2-j2", "convert"}
    assert refusal(TAU, position, "in-d1") == (
        "convert_first: rule 4: a counter enters by a second throw: convert this one first"
    )


def test_no_other_throw_enters_a_counter() -> None:
    position = thrown(TAU, LATE, 2)
    assert refusal(TAU, position, "in-c1") == (
        "no_entry: rule 4: a counter enters only after a throw of 1 or 5, by a second throw"
    )
    assert refusal(TAU, position, "convert") == (
        "not_convertible: rule 4: a throw of 1 or 5 is converted, not one of 2"
    )


def test_an_empty_hand_enters_nothing() -> None:
    position = thrown(TAU, LATE, 1, p1=4)
    assert legal_texts(TAU, position) == {"i2-j2"}
    for text in ("convert", "in-d1"):
        assert refusal(TAU, position, text) == "empty_hand: rule 1: no counter is left in hand"


def test_the_entry_throw_enters_a_counter_and_does_nothing_else() -> None:
    position = play(TAU, thrown(TAU, LATE, 1), "convert", "throw:1")
    assert legal_texts(TAU, position) == {"in-d1"}
    assert refusal(TAU, position, "i2-j2") == (
        "entry_throw: rule 4: the entry throw enters a counter, and moves none on the board"
    )
    assert refusal(TAU, position, "convert") == (
        "no_chain: rule 4: this is the entry throw already, and it is not converted again"
    )
    position = play(TAU, position, "in-d1")
    assert TAU.state(position)["player"] == "p2"


def test_an_entry_by_five_captures() -> None:
    position = thrown(
        TAU,
        """
        . . . .
        2 . . . . . . . . . . .
        . . . .
        """,
        5,
    )
    position = play(TAU, position, "convert", "throw:5", "in-a2")
    assert drawing_of(TAU, position) == drawn("""
        . . . .
        1 . . . . . . . . . . .
        . . . .
    """)
    assert hands(TAU, position) == {"p1": 4, "p2": 5}


def test_an_entry_throw_that_cannot_enter_is_forfeited_and_the_next_throw_is_an_ordinary_one() -> None:
    position = thrown(
        TAU,
        """
        . . . .
        . . . . . . . . . . . .
        . . 1 .
        """,
        5,
    )
    position = play(TAU, position, "convert", "throw:2")
    assert legal_texts(TAU, position) == {"forfeit"}
    assert refusal(TAU, position, "in-c1") == "own_counter: rule 5: a counter of the same player stands on c1"
    position = play(TAU, position, "forfeit", "throw:2")
    assert TAU.turn(position) == "p2"
    assert refusal(TAU, position, "in-c3").startswith("no_entry: ")


def test_with_entry_auto_a_one_or_five_is_converted_while_a_counter_is_in_hand() -> None:
    position = thrown(AUTO, LATE, 1)
    assert legal_texts(AUTO, position) == {"convert"}
    assert refusal(AUTO, position, "i2-j2") == (
        "must_convert: rule 4: with entry=auto this throw is converted, and moves no counter"
    )
    assert refusal(AUTO, position, "in-d1").startswith("convert_first: ")
    assert legal_texts(AUTO, thrown(AUTO, LATE, 1, p1=4)) == {"i2-j2"}


@pytest.mark.parametrize("rules", [ANY, ASEB], ids=["any", "aseb"])
def test_without_the_gate_every_throw_enters(rules: TwentySquares) -> None:
    assert legal_texts(rules, thrown(rules, LATE, 1)) == {"i2-j2", "in-d1"}
    assert legal_texts(rules, thrown(rules, LATE, 2)) == {"i2-k2", "in-c1"}
    assert refusal(rules, thrown(rules, LATE, 1), "convert") == (
        "no_gate: rule 4: every throw enters a counter in this game, and none is converted"
    )


def test_in_aseb_a_throw_of_none_loses_the_turn() -> None:
    position = thrown(ASEB, LATE, 0)
    assert legal_texts(ASEB, position) == {"forfeit"}
    assert refusal(ASEB, position, "i2-j2") == "nothing_thrown: ruleset aseb: a throw of 0 loses the turn"
    assert ASEB.state(play(ASEB, position, "forfeit"))["player"] == "p2"


def test_in_aseb_a_throw_of_none_moves_no_counter_of_a_stack_either() -> None:
    rules = rules_of(ruleset="aseb", stacking="capture_together")
    assert legal_texts(rules, thrown(rules, LATE, 0)) == {"forfeit"}
