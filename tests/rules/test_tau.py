import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon.games.tau.rules import HIGH, LOW, PASS, Move, Position, Tau, TauSettings
from gnomon.games.tau.rules.notation import letters
from gnomon.rules.bids import digits, number
from gnomon.rules.perft import perft
from gnomon.rules.protocol import GameOverError, IllegalMoveError, NotationError, Outcome, SettingsError
from gnomon.timekeeping.instants import Instant
from tests.rules.playing import refusal

RULES = Tau()
LIMITED = Tau.from_settings({"limit": 70})
SMALL = Tau.from_settings({"rows": 5, "columns": 7, "limit": 71})
HUGE = 10**6000 + 7


def play(rules: Tau, *texts: str) -> Position:
    """The position after moves from the start."""
    position = rules.start()
    for text in texts:
        position = rules.play(position, rules.parse(position, text))
    return position


def grid(rules: Tau, position: Position) -> str:
    """The grid as on paper: `#` is a square without a line, `.` one that is crossed."""
    return "\n".join(
        "".join(
            "#" if position.rows >> row & position.columns >> column & 1 else "."
            for column in range(rules.settings.columns)
        )
        for row in range(rules.settings.rows)
    )


# The negotiation


def test_the_negotiation_begins_with_a_number_and_not_with_a_pass() -> None:
    start = RULES.start()
    assert RULES.turn(start) == "p1"
    assert RULES.may_bid(start)
    assert RULES.legal_moves(start) == (Move("bid", 0),)
    assert refusal(RULES, start, "pass") == (
        "must_bid: rule 2: the player who begins the negotiation names a number and may not pass"
    )


@pytest.mark.parametrize(
    ("texts", "high", "limit"),
    [
        (["bid:0", "pass"], "p1", 0),
        (["bid:70", "bid:71", "pass"], "p2", 71),
        (["bid:1", "bid:5", "bid:9", "pass"], "p1", 9),
    ],
)
def test_who_passes_is_low_and_the_last_number_is_the_limit(texts: list[str], high: str, limit: int) -> None:
    low = {"p1": "p2", "p2": "p1"}[high]
    before, after = play(RULES, *texts[:-1]), play(RULES, *texts)
    assert (RULES.seat(before, "high"), before.limit, RULES.state(before)["limit"]) == (None, None, None)
    assert (RULES.seat(after, "high"), RULES.seat(after, "low")) == (high, low)
    assert (after.limit, RULES.state(after)["limit"]) == (limit, limit)
    assert RULES.turn(after) == "high"
    assert not RULES.may_bid(after)


def test_bidders_take_turns_and_sit_where_they_sit() -> None:
    assert [RULES.turn(play(RULES, *["bid:1", "bid:2", "bid:3"][:bids])) for bids in range(4)] == [
        "p1",
        "p2",
        "p1",
        "p2",
    ]
    assert [RULES.seat(RULES.start(), player) for player in ("p1", "p2")] == ["p1", "p2"]


@pytest.mark.parametrize("text", ["bid:70", "bid:69", "bid:0"])
def test_a_number_must_be_higher_than_the_one_before(text: str) -> None:
    assert refusal(RULES, play(RULES, "bid:70"), text) == "too_low: rule 2: name a number higher than 70, or pass"


def test_in_the_negotiation_no_line_is_drawn_and_after_it_nobody_bids() -> None:
    assert refusal(RULES, play(RULES, "bid:70"), "r1") == (
        "no_limit: rule 2: before the first line a pass must settle the LIMIT"
    )
    for text in ("bid:99", "pass"):
        assert refusal(RULES, play(RULES, "bid:70", "pass"), text) == (
            "limit_settled: rule 2: the LIMIT is settled, and nobody bids or passes any more"
        )


def test_a_number_may_have_more_digits_than_python_reads_and_writes() -> None:
    text = digits(HUGE)
    assert (len(text), text[:2], text[-2:]) == (6001, "10", "07")
    position = play(RULES, f"bid:{text}")
    assert position.bid == HUGE
    assert refusal(RULES, position, "bid:5").endswith("007, or pass")
    assert RULES.text(position, RULES.legal_moves(position)[0]) == f"bid:{digits(HUGE + 1)}"
    settled = RULES.play(position, PASS)
    assert json.loads(json.dumps(RULES.state(settled)))["limit"] == text
    assert Tau.from_settings({"limit": text}) == Tau.from_settings({"limit": HUGE})


def test_the_greatest_limit_that_json_can_write_is_a_number_in_the_state() -> None:
    greatest = 10**4300 - 1
    written = [Tau.from_settings({"limit": limit}) for limit in (greatest, greatest + 1)]
    assert [type(rules.state(rules.start())["limit"]) for rules in written] == [int, str]
    assert [json.loads(json.dumps(rules.state(rules.start()))) for rules in written]


@given(st.integers(0, 10**30) | st.integers(10**4299, 10**4302))
def test_digits_read_back(value: int) -> None:
    assert number(digits(value)) == value


@pytest.mark.parametrize("text", ["", "-1", "+1", "01", "1.0", "1e3", "٣", "1_0", " 1"])
def test_what_is_no_plain_number_is_not_read(text: str) -> None:
    with pytest.raises(ValueError, match="is not a whole number"):
        number(text)


# Lines


def test_a_given_limit_skips_the_negotiation() -> None:
    start = LIMITED.start()
    assert LIMITED.turn(start) == "high"
    assert start.limit == 70
    assert not LIMITED.may_bid(start)
    assert LIMITED.players == ("high", "low")
    assert (LIMITED.players[HIGH], LIMITED.players[LOW]) == ("high", "low")


def test_lines_go_through_whole_rows_and_columns_and_the_players_alternate() -> None:
    position = play(SMALL, "r3", "cb", "cf")
    assert grid(SMALL, position) == "#.###.#\n#.###.#\n.......\n#.###.#\n#.###.#"
    assert [SMALL.turn(play(SMALL, *["r3", "cb", "cf", "r4"][:lines])) for lines in range(5)] == [
        "high",
        "low",
        "high",
        "low",
        "over",
    ]
    assert SMALL.state(position) == {
        "rows": ["r3"],
        "columns": ["cb", "cf"],
        "limit": 71,
        "turns_left": 1,
        "score": {"product": str(2 * 6 * 2 * 2 * 6 * 2)},
    }


def test_a_line_crosses_a_square_that_is_left() -> None:
    position = play(SMALL, "r3", "cb")
    assert refusal(SMALL, position, "r3") == "no_square: rule 4: a line through r3 crosses no square that is left"
    assert refusal(SMALL, position, "cb") == "no_square: rule 4: a line through cb crosses no square that is left"


def test_the_last_row_and_the_last_column_stay() -> None:
    rules = Tau.from_settings({"rows": 2, "columns": 5, "limit": 3})
    position = play(rules, "r1")
    assert refusal(rules, position, "r2") == "last_line: rule 4: r2 is the last row left, and some squares must stay"
    narrow = Tau.from_settings({"rows": 5, "columns": 1, "limit": 3})
    assert refusal(narrow, narrow.start(), "ca") == (
        "last_line: rule 4: ca is the last column left, and some squares must stay"
    )


@pytest.mark.parametrize(
    "move",
    [
        Move("row", -1),
        Move("column", -1),
        Move("bid", -1),
        Move("pass", 3),
        Move("diagonal", 1),  # type: ignore[arg-type]  # a move that no type allows
    ],
)
def test_what_is_no_move_at_all_is_refused(move: Move) -> None:
    refused = LIMITED.why_not(LIMITED.start(), move)
    assert refused is not None
    assert refused.code == "no_such_move"


def test_a_line_beside_the_grid_crosses_no_square() -> None:
    with pytest.raises(IllegalMoveError, match="crosses no square"):
        LIMITED.play(LIMITED.start(), Move("row", 10))


# The end


def test_the_published_example_scores_72() -> None:
    position = play(SMALL, "r3", "cb", "r4", "cf")
    assert grid(SMALL, position) == "#.###.#\n#.###.#\n.......\n.......\n#.###.#"
    assert SMALL.score(position) == {"product": 1 * 1 * 2 * 2 * 3 * 6}
    assert SMALL.outcome(position) == Outcome("high", "above_limit")


def test_high_wins_above_the_limit_only() -> None:
    at_the_limit = Tau.from_settings({"rows": 5, "columns": 7, "limit": 72})
    position = play(at_the_limit, "r3", "cb", "r4", "cf")
    assert at_the_limit.outcome(position) == Outcome("low", "within_limit")


@pytest.mark.parametrize(
    ("rows", "columns", "turns"), [(1, 2, 1), (3, 3, 2), (4, 5, 3), (10, 10, 7), (10, 11, 7), (11, 11, 8)]
)
def test_a_game_lasts_a_third_of_the_sum_of_the_sides_rounded_up(rows: int, columns: int, turns: int) -> None:
    assert Tau.from_settings({"rows": rows, "columns": columns}).start().turns_left == turns


def test_after_the_end_every_move_is_refused() -> None:
    position = play(SMALL, "r3", "cb", "r4", "cf")
    assert SMALL.legal_moves(position) == ()
    for text in ("r1", "ca", "pass", "bid:1"):
        with pytest.raises(GameOverError, match="the game is over"):
            SMALL.parse(position, text)
    with pytest.raises(GameOverError):
        SMALL.play(position, Move("row", 0))


def test_a_score_of_20_x_20_may_pass_64_bits() -> None:
    rules = Tau.from_settings({"rows": 20, "columns": 20, "limit": 2**80})
    lines = [f"r{row}" for row in range(3, 18, 3)] + [f"c{letter}" for letter in "cfilo"]
    position = play(rules, *lines, "r18", "cr", "r19", "cs")
    # Seven runs both ways, of two rows or columns but for the last.
    assert rules.score(position) == {"product": (2**6) ** 7 * (2**6) ** 7}
    assert rules.state(position)["score"] == {"product": str(2**84)}


@pytest.mark.parametrize(
    ("rows", "columns", "counts"),
    [(3, 3, [6, 30, 0]), (4, 5, [9, 72, 504]), (5, 7, [12, 132, 1320])],
)
def test_move_sequences_are_as_many_as_they_should_be(rows: int, columns: int, counts: list[int]) -> None:
    rules = Tau.from_settings({"rows": rows, "columns": columns, "limit": 1})
    assert [perft(rules, rules.start(), turns) for turns in range(1, len(counts) + 1)] == counts


# Text


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("r0", "'r0' is not a TAU move such as r1 (row), ca (column), bid:70 or pass"),
        ("c1", "'c1' is not a TAU move such as r1 (row), ca (column), bid:70 or pass"),
        ("R1", "'R1' is not a TAU move such as r1 (row), ca (column), bid:70 or pass"),
        ("bid:", "'bid:' is not a TAU move such as r1 (row), ca (column), bid:70 or pass"),
        ("bid:-1", "'bid:-1' is not a TAU move such as r1 (row), ca (column), bid:70 or pass"),
        ("bid:007", "'bid:007' is not a TAU move such as r1 (row), ca (column), bid:70 or pass"),
        ("bid:1.5", "'bid:1.5' is not a TAU move such as r1 (row), ca (column), bid:70 or pass"),
        ("x" * 70, f"'{'x' * 60}…' is not a TAU move such as r1 (row), ca (column), bid:70 or pass"),
        ("r11", "'r11': the grid has 10 rows"),
        ("ck", "'ck': the grid has 10 columns, the last one is j"),
        ("caa", "'caa': the grid has 10 columns, the last one is j"),
    ],
)
def test_what_is_no_move_is_refused_with_a_sentence(text: str, sentence: str) -> None:
    with pytest.raises(NotationError) as caught:
        LIMITED.parse(LIMITED.start(), text)
    assert str(caught.value) == sentence


def test_columns_after_z_have_two_letters() -> None:
    assert [letters(column) for column in (0, 25, 26, 51, 52, 701)] == ["a", "z", "aa", "az", "ba", "zz"]
    rules = Tau.from_settings({"rows": 3, "columns": 999, "limit": 1})
    start = rules.start()
    assert {rules.parse(start, rules.text(start, move)) for move in rules.legal_moves(start)} == set(
        rules.legal_moves(start)
    )
    assert len(rules.legal_moves(start)) == 1002


# Settings


def test_the_defaults_are_those_of_the_rules() -> None:
    assert Tau.from_settings({}) == Tau() == Tau(TauSettings(rows=10, columns=10, limit=None))


def test_settings_are_read_from_text_and_from_numbers() -> None:
    assert Tau.from_settings({"rows": "1", "columns": "29", "limit": "0"}).settings == TauSettings(1, 29, 0)
    assert Tau.from_settings({"rows": 12, "columns": 9, "limit": 10**40}).settings == TauSettings(12, 9, 10**40)


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"rows": "0"}, "rows must be a whole number from 1 to 999, not '0'"),
        ({"columns": 1000}, "columns must be a whole number from 1 to 999, not '1000'"),
        ({"columns": "ten"}, "columns must be a whole number from 1 to 999, not 'ten'"),
        ({"rows": True}, "rows must be a whole number, not True"),
        ({"rows": 4.0}, "rows must be a whole number, not 4.0"),
        ({"limit": None}, "limit must be a whole number, not None"),
        ({"limit": "-1"}, "limit must be a whole number from 0 upwards, not '-1'"),
        ({"limit": -1}, "limit must be a whole number from 0 upwards, not '-1'"),
        ({"limit": "007"}, "limit must be a whole number from 0 upwards, not '007'"),
        (
            {"rows": 1, "columns": 1},
            "rows and columns must not both be 1: there is nothing to play on a single square (rule 1)",
        ),
        ({"colour": "blue"}, "TAU has no setting 'colour'; its settings are rows, columns, limit"),
    ],
)
def test_wrong_settings_are_refused_with_one_sentence(settings: dict[str, object], sentence: str) -> None:
    with pytest.raises(SettingsError) as caught:
        Tau.from_settings(settings)
    assert str(caught.value) == sentence


def test_rules_with_equal_settings_are_equal_and_share_a_hash() -> None:
    one, other = Tau.from_settings({"limit": 4}), Tau.from_settings({"limit": "4"})
    assert one == other
    assert len({one, other, Tau()}) == 2
    assert one != "tau"
    assert repr(one) == "Tau(TauSettings(rows=10, columns=10, limit=4))"


# Properties


@st.composite
def positions(draw: st.DrawFn) -> tuple[Tau, Position]:
    """Some position of some game."""
    sides = {"rows": draw(st.integers(1, 14)), "columns": draw(st.integers(2, 14))}
    limit = draw(st.none() | st.integers(0, 10**9))
    rules = Tau.from_settings(sides if limit is None else {**sides, "limit": limit})
    position = rules.start()
    for _ in range(draw(st.integers(0, 12))):
        moves = rules.legal_moves(position)
        if moves:
            position = rules.play(position, moves[draw(st.integers(0, len(moves) - 1))])
    return rules, position


@given(positions())
def test_nobody_is_ever_stuck(case: tuple[Tau, Position]) -> None:
    rules, position = case
    assert bool(rules.legal_moves(position)) is (position.turns_left > 0) is (rules.outcome(position) is None)


@given(positions())
def test_a_move_is_listed_exactly_when_nothing_speaks_against_it(case: tuple[Tau, Position]) -> None:
    rules, position = case
    listed = set(rules.legal_moves(position))
    every = [Move("row", row) for row in range(-1, 16)] + [Move("column", column) for column in range(-1, 16)]
    assert {move for move in every if rules.why_not(position, move) is None} == {
        move for move in listed if move.kind in ("row", "column")
    }
    assert (rules.why_not(position, PASS) is None) is (PASS in listed)
    for bid in range(position.bid - 2, position.bid + 3):
        legal = rules.may_bid(position) and bid > position.bid
        assert (rules.why_not(position, Move("bid", bid)) is None) is legal


@given(positions())
def test_a_line_leaves_fewer_squares_and_at_least_one(case: tuple[Tau, Position]) -> None:
    rules, position = case
    for move in rules.legal_moves(position):
        after = rules.play(position, move)
        before_squares = grid(rules, position).count("#")
        assert 0 < grid(rules, after).count("#") < before_squares or move.kind in ("bid", "pass")
        assert after.turns_left == position.turns_left - (move.kind in ("row", "column"))


def test_time_does_not_play() -> None:
    start = RULES.start()
    assert RULES.deadline(start) is None
    assert RULES.elapse(start, Instant(10**9)) is start


def test_every_move_ends_a_turn() -> None:
    assert all(RULES.is_turn(move) for move in (Move("bid", 3), PASS, Move("row", 0), Move("column", 0)))
