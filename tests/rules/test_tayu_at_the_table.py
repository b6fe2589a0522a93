"""What a table asks of the rules of Tayu: footprints, notation, pictures, states."""

import json

import pytest

from gnomon.games.tayu.rules import TILE, Move, Position, Tayu
from gnomon.rules.protocol import IllegalMoveError, NotationError
from gnomon.timekeeping.instants import Instant
from tests.rules.tayu_drawn import in_hand, play

RULES = Tayu()
SMALL = Tayu.from_settings({"size": 7})
BACKS = Tayu.from_settings({"size": 7, "draw": "backs"})
AUCTION = Tayu.from_settings({"players": 3, "auction": "yes"})
BESIDE = play(SMALL, SMALL.start(), "012@c4/E")


# A tile under the hand


@pytest.mark.parametrize(
    ("kind", "squares", "texts"),
    [
        ("012", "c5 d5 e5", ["012@e5/W"]),
        ("024", "c5 d5 e5", []),
        ("237", "e5 e6 e7", ["237@e5/N", "237@e7/S"]),
        ("237", "e7 e5 e6", ["237@e5/N", "237@e7/S"]),
        ("016", "c5 b5 a5", ["016@c5/W"]),
    ],
)
def test_three_squares_leave_the_half_turns_that_are_legal(kind: str, squares: str, texts: list[str]) -> None:
    holding = in_hand(SMALL, BESIDE, kind)
    assert sorted(SMALL.text(holding, move) for move in SMALL.placements_on(holding, squares.split())) == texts
    every = [move for move in SMALL.legal_moves(holding) if set(SMALL.squares_of(move)) == set(squares.split())]
    assert set(SMALL.placements_on(holding, squares.split())) == set(every)


def test_a_footprint_tells_both_half_turns_even_where_neither_is_legal() -> None:
    holding = in_hand(SMALL, BESIDE, "024")
    across = SMALL.footprint(holding, ["a1", "b1", "c1"])
    assert sorted(SMALL.text(holding, move) for move in across) == ["024@a1/E", "024@c1/W"]
    upright = SMALL.footprint(holding, ["d4", "d5", "d6"])
    assert sorted(SMALL.text(holding, move) for move in upright) == ["024@d4/N", "024@d6/S"]
    assert {refusal.code for move in upright if (refusal := SMALL.why_not(holding, move))} == {"occupied"}


@pytest.mark.parametrize(
    "squares",
    [
        "",
        "a1",
        "a1 b1",
        "a1 b1 c1 d1",
        "a1 b1 d1",
        "a1 b1 a2",
        "a1 b2 c3",
        "g1 a2 b2",
        "f1 g1 a2",
        "a1 c1 e1",
        "y1 z1 a1",
    ],
)
def test_squares_that_no_tile_covers_have_no_placement(squares: str) -> None:
    holding = in_hand(SMALL, BESIDE, "012")
    assert SMALL.footprint(holding, squares.split()) == ()
    assert SMALL.placements_on(holding, squares.split()) == ()


def test_without_a_tile_in_the_hand_nothing_has_a_footprint() -> None:
    assert SMALL.footprint(BESIDE, ["a1", "b1", "c1"]) == ()


# Notation


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("013@h9/E", Move("lay", TILE["013"], RULES.board.squares.index["h9"], 0)),
        ("013@h9/S", Move("lay", TILE["013"], RULES.board.squares.index["h9"], 1)),
        ("013@h9/W", Move("lay", TILE["013"], RULES.board.squares.index["h9"], 2)),
        ("013@h9/N", Move("lay", TILE["013"], RULES.board.squares.index["h9"], 3)),
    ],
)
def test_a_placement_is_written_with_kind_square_and_direction(text: str, move: Move) -> None:
    holding = in_hand(RULES, RULES.start(), "013")
    assert RULES.text(holding, move) == text
    if move in RULES.legal_moves(holding):
        assert RULES.parse(holding, text) == move


def test_a_tile_runs_from_its_first_square_into_its_direction() -> None:
    holding = in_hand(RULES, RULES.start(), "013")
    squares = [RULES.squares_of(RULES.parse(holding, f"013@i9/{direction}")) for direction in "ESWN"]
    assert squares == [("i9", "j9", "k9"), ("i9", "i8", "i7"), ("i9", "h9", "g9"), ("i9", "i10", "i11")]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("013@r9/E", "'013@r9/E': the squares of the board are a1 to q17"),
        ("013@a18/E", "'013@a18/E': the squares of the board are a1 to q17"),
        ("457@h9/E", "there is no kind of tile 457; turned half way round it is 013"),
        ("000@h9/E", "there is no kind of tile 000"),
        ("draw:321", "there is no kind of tile 321"),
        ("013@h09/E", "'013@h09/E' is not a Tayu move such as 013@h9/E, draw:013, pick:ring, pick:left or bid:28"),
        ("013@h9/e", "'013@h9/e' is not a Tayu move such as 013@h9/E, draw:013, pick:ring, pick:left or bid:28"),
        ("pick:top", "'pick:top' is not a Tayu move such as 013@h9/E, draw:013, pick:ring, pick:left or bid:28"),
        ("bid:-1", "'bid:-1' is not a Tayu move such as 013@h9/E, draw:013, pick:ring, pick:left or bid:28"),
        ("bid:10000", "'bid:10000' is not a Tayu move such as 013@h9/E, draw:013, pick:ring, pick:left or bid:28"),
        (
            "x" * 61,
            f"'{'x' * 60}…' is not a Tayu move such as 013@h9/E, draw:013, pick:ring, pick:left or bid:28",
        ),
    ],
)
def test_text_that_is_no_move_is_refused_with_one_sentence(text: str, sentence: str) -> None:
    with pytest.raises(NotationError) as caught:
        RULES.parse(RULES.start(), text)
    assert str(caught.value) == sentence


@pytest.mark.parametrize(
    ("position", "rules", "move"),
    [
        (BESIDE, SMALL, Move("draw", 28)),
        (BESIDE, SMALL, Move("draw", -1)),
        (BESIDE, SMALL, Move("draw", 3, square=5)),
        (BACKS.start(), BACKS, Move("pick")),
        (BACKS.start(), BACKS, Move("pick", tile=3, pick="ring")),
        (AUCTION.start(), AUCTION, Move("bid")),
        (AUCTION.start(), AUCTION, Move("bid", bid=10_000)),
        (AUCTION.start(), AUCTION, Move("bid", tile=1, bid=3)),
        *(
            (in_hand(SMALL, BESIDE, "012"), SMALL, Move("lay", *fields))
            for fields in [(0, 36, 4), (0, 36, -1), (0, -20, 1), (0, 7, 0), (0, 9**9, 0), (-1, 36, 0), (28, 36, 0)]
        ),
        (in_hand(SMALL, BESIDE, "012"), SMALL, Move("lay", 0, 36, 2, pick="ring")),
        (in_hand(SMALL, BESIDE, "012"), SMALL, Move("lay", 0, 36, 2, bid=0)),
    ],
)
def test_a_move_that_could_not_be_written_down_is_refused(position: Position, rules: Tayu, move: Move) -> None:
    with pytest.raises(IllegalMoveError, match=r"^there is no such move in Tayu$"):
        rules.play(position, move)


# Pictures


def test_channels_run_from_each_mouth_to_its_bend_and_along_the_tile() -> None:
    holding = in_hand(SMALL, BESIDE, "237")
    channels = SMALL.channels(SMALL.parse(holding, "237@e5/N"))
    assert [(each.square, each.side, each.bend, each.mouth, each.at_rim) for each in channels.outflows] == [
        ("e7", "w", (4.5, 6.5), (4.0, 6.5), False),
        ("e7", "n", (4.5, 6.5), (4.5, 7.0), True),
        ("e5", "s", (4.5, 4.5), (4.5, 4.0), False),
    ]
    assert channels.spine == ((4.5, 4.5), (4.5, 6.5))


def test_outflows_of_one_square_need_no_spine() -> None:
    holding = in_hand(SMALL, SMALL.start(), "067")
    channels = SMALL.channels(SMALL.parse(holding, "067@d4/E"))
    assert {each.bend for each in channels.outflows} == {(3.5, 3.5)}
    assert channels.spine == ((3.5, 3.5), (3.5, 3.5))


# Values


def test_the_state_has_the_keys_of_the_line_protocol() -> None:
    position = in_hand(SMALL, BESIDE, "016")
    state = SMALL.state(position)
    assert json.loads(json.dumps(state)) == {
        "tile": "016",
        "laid": ["012@c4/E"],
        "sides": {"n": 0, "e": 0, "s": 0, "w": 0},
    }


def test_rules_are_equal_when_their_settings_are() -> None:
    same = Tayu.from_settings({"edition": "goliath", "size": 17})
    assert (same == RULES, hash(same) == hash(RULES), repr(same) == repr(RULES)) == (True, True, True)
    assert same != SMALL
    assert same != "tayu"
    assert repr(RULES).startswith("Tayu(TayuSettings(edition='goliath', players=2, draw='bag', target=24")
    assert len({RULES.board, same.board, SMALL.board}) == 2


def test_time_does_not_play() -> None:
    assert SMALL.deadline(BESIDE) is None
    assert SMALL.elapse(BESIDE, Instant(10**9)) == BESIDE


def test_every_move_is_a_turn() -> None:
    assert all(RULES.is_turn(move) for move in RULES.legal_moves(RULES.start()))
