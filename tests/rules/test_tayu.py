import json

import pytest

from gnomon.rules.perft import perft
from gnomon.rules.protocol import GameOverError, IllegalMoveError, NotationError, Outcome
from gnomon.rules.tayu import KINDS, TILE, Move, Position, Tayu
from gnomon.rules.tayu_tiles import RINGED
from gnomon.timekeeping.instants import Instant
from tests.rules.tayu_drawn import drawing_of, drawn, legal, play

RULES = Tayu()
SMALL = Tayu.from_settings({"size": 7})
BACKS = Tayu.from_settings({"size": 7, "draw": "backs"})
STACKS = Tayu.from_settings({"size": 7, "draw": "stacks"})
BESIDE = play(SMALL, SMALL.start(), "012@c4/E")

LISTED = (
    "012 013 014 015 016 017 023 024 025 026 027 034 035 036 037 056 057 067 123 125 126 127 135 136 137 167 236 237"
)
RING_MARKED = "034 035 036 037 057 067 135 136 137 167 236 237"


def refusal(rules: Tayu, position: Position, text: str) -> str:
    """The code of the error that refuses a text, and its sentence."""
    with pytest.raises(IllegalMoveError) as caught:
        rules.parse(position, text)
    return f"{caught.value.code}: {caught.value}"


def in_hand(rules: Tayu, position: Position, kind: str) -> Position:
    """The position after a tile of some kind has been drawn."""
    return play(rules, position, f"draw:{kind}")


# Tiles


def test_there_are_28_kinds_and_12_carry_a_ring() -> None:
    assert list(KINDS) == LISTED.split()
    assert [kind for tile, kind in enumerate(KINDS) if RINGED >> tile & 1] == RING_MARKED.split()


def test_one_kind_flows_out_on_one_side_15_on_two_and_12_on_three() -> None:
    side = dict(zip("01234567", "NNNESSSW", strict=True))
    assert [sum(len({side[at] for at in kind}) == sides for kind in KINDS) for sides in (1, 2, 3)] == [1, 15, 12]


# The draw


def test_a_tile_is_drawn_blind_and_goes_to_the_next_player() -> None:
    start = RULES.start()
    assert RULES.turn(start) == "nature"
    assert legal(RULES, start) == [f"draw:{kind}" for kind in KINDS]
    drawn_first = in_hand(RULES, start, "013")
    assert (RULES.turn(drawn_first), RULES.state(drawn_first)["tile"]) == ("north-south", "013")
    laid = play(RULES, drawn_first, "013@h9/E")
    assert (RULES.turn(laid), RULES.state(laid)["tile"]) == ("nature", None)
    assert RULES.turn(in_hand(RULES, laid, "013")) == "east-west"


def test_a_kind_of_which_no_tile_is_left_cannot_be_drawn() -> None:
    rules = Tayu.from_settings({"copies": 1})
    position = play(rules, rules.start(), "013@h9/E")
    assert legal(rules, position) == [f"draw:{kind}" for kind in KINDS if kind != "013"]
    assert position.copies_left(TILE["013"]) == 0
    assert refusal(rules, position, "draw:013") == "none_left: rule 2: no tile 013 is left"


def test_with_backs_the_player_picks_ring_or_plain_and_gets_such_a_tile() -> None:
    start = BACKS.start()
    assert (BACKS.turn(start), legal(BACKS, start)) == ("north-south", ["pick:plain", "pick:ring"])
    ring = play(BACKS, start, "pick:ring")
    assert (BACKS.turn(ring), legal(BACKS, ring)) == ("nature", [f"draw:{kind}" for kind in RING_MARKED.split()])
    assert refusal(BACKS, ring, "draw:012") == "other_back: rule 2: the tile 012 has not the back that was picked"
    plain = play(BACKS, start, "pick:plain")
    assert legal(BACKS, plain) == [f"draw:{kind}" for kind in KINDS if kind not in RING_MARKED.split()]
    assert BACKS.turn(play(BACKS, plain, "draw:012")) == "north-south"
    assert legal(BACKS, play(BACKS, plain, "draw:012", "012@c4/E")) == ["pick:plain", "pick:ring"]


def test_a_back_that_no_tile_has_any_more_cannot_be_picked() -> None:
    start = BACKS.start()._replace(kinds=1 << TILE["012"])
    assert legal(BACKS, start) == ["pick:plain"]
    assert refusal(BACKS, start, "pick:ring") == "none_left: rule 2: there is no tile left to pick: ring"


def test_with_stacks_the_tile_comes_from_the_left_or_the_right_row() -> None:
    kosmos = Tayu.from_settings({"edition": "kosmos", "draw": "stacks"})
    start = kosmos.start()
    assert start.stacks == (8 * 7, 8 * 7)  # 112 tiles in a block 8 long, 2 wide and 7 high
    assert (kosmos.turn(start), legal(kosmos, start)) == ("north-south", ["pick:left", "pick:right"])
    left = play(kosmos, start, "pick:left", "draw:013")
    assert (left.stacks, kosmos.turn(left)) == ((55, 56), "north-south")
    assert play(kosmos, left, "013@i10/E", "pick:right", "draw:013").stacks == (55, 55)


def test_a_stack_that_is_used_up_cannot_be_picked() -> None:
    start = STACKS.start()._replace(stacks=(0, 5))
    assert legal(STACKS, start) == ["pick:right"]
    assert refusal(STACKS, start, "pick:left") == "none_left: rule 2: there is no tile left to pick: left"
    assert refusal(STACKS, start, "pick:ring") == (
        "no_such_pick: rule 2: with draw=stacks one picks left or right, not ring"
    )


def test_each_kind_of_move_has_its_time() -> None:
    assert refusal(RULES, RULES.start(), "013@i9/E") == "must_draw: rule 2: a tile must be drawn now"
    assert refusal(RULES, RULES.start(), "pick:ring") == "must_draw: rule 2: a tile must be drawn now"
    assert refusal(BACKS, BACKS.start(), "draw:013") == (
        "must_pick: rule 2: where the next tile comes from must be picked now"
    )
    holding = in_hand(RULES, RULES.start(), "013")
    assert refusal(RULES, holding, "draw:014") == "must_lay: rule 2: the tile drawn, 013, must be laid now"
    assert refusal(RULES, holding, "bid:3") == "must_lay: rule 2: the tile drawn, 013, must be laid now"


# The first tile


@pytest.mark.parametrize("size", [15, 17, 19])
@pytest.mark.parametrize("kind", KINDS)
def test_the_first_tile_may_lie_in_twelve_ways(size: int, kind: str) -> None:
    rules = Tayu.from_settings({"size": size})
    moves = rules.legal_moves(in_hand(rules, rules.start(), kind))
    assert len(moves) == 12
    assert all(set(rules.squares_of(move)) & set(rules.centre) for move in moves)


@pytest.mark.parametrize(
    ("size", "centre", "ways"),
    [
        (3, {"b2"}, 4),
        (5, {"c3"}, 12),
        (17, {"i9"}, 12),
        (4, {"b2", "b3", "c2", "c3"}, 16),
        (18, {"i9", "i10", "j9", "j10"}, 32),
    ],
)
def test_the_centre_of_an_even_board_has_four_squares(size: int, centre: set[str], ways: int) -> None:
    rules = Tayu.from_settings({"size": size})
    assert set(rules.centre) == centre
    assert len(rules.legal_moves(in_hand(rules, rules.start(), "012"))) == ways


def test_the_first_tile_must_cover_the_centre() -> None:
    holding = in_hand(RULES, RULES.start(), "013")
    sentence = "off_centre: rule 3: the first tile must cover the centre of the board"
    assert refusal(RULES, holding, "013@a1/E") == sentence
    assert refusal(RULES, holding, "013@f9/E") == sentence


# Every later tile


@pytest.mark.parametrize(("size", "first"), [(15, "012@g8/E"), (17, "012@h9/E"), (19, "012@i10/E")])
def test_the_second_tile_may_lie_in_as_many_ways_as_was_counted(size: int, first: str) -> None:
    rules = Tayu.from_settings({"size": size})
    position = play(rules, rules.start(), first)
    counts = [len(rules.placements(position, tile)) for tile in range(len(KINDS))]
    assert counts == [5, 5, 3, 2, 3, 5, 5, 3, 2, 3, 5, 5, 4, 5, 7, 3, 4, 5, 5, 2, 3, 5, 3, 4, 6, 4, 5, 7]
    assert sum(counts) == perft(rules, position, 2) == 118


def test_a_tile_lies_where_an_outflow_meets_an_outflow_and_nothing_else_is_met() -> None:
    holding = in_hand(SMALL, BESIDE, "016")
    pictures = [drawing_of(SMALL, [*BESIDE.laid, SMALL.parse(holding, text)]) for text in legal(SMALL, holding)]
    assert pictures == [
        drawn(picture)
        for picture in (
            """
             . . . . . . .

             . . . . . . .
                 |
             o=o=o . . . .
               | | | |
             . . o=o=o . .

             . . . . . . .

             . . . . . . .

             . . . . . . .
            """,
            """
             . . . . . . .

             . . . . . . .
                   |
             . o=o=o . . .
                 | | |
             . . o=o=o . .

             . . . . . . .

             . . . . . . .

             . . . . . . .
            """,
            """
             . . . . . . .

             . . . . . . .
                     | |
             . . . . o=o=o
                 | | |
             . . o=o=o . .

             . . . . . . .

             . . . . . . .

             . . . . . . .
            """,
        )
    ]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("013@c5/W", "other_tile: rule 2: the tile drawn is 016, not 013"),
        ("016@f4/E", "outside: rule 4: a tile from f4 to the east leaves the board"),
        ("016@b2/S", "outside: rule 4: a tile from b2 to the south leaves the board"),
        ("016@g7/N", "outside: rule 4: a tile from g7 to the north leaves the board"),
        ("016@a1/W", "outside: rule 4: a tile from a1 to the west leaves the board"),
        ("016@d6/S", "occupied: rule 4: a tile lies on d4 already"),
        ("016@c4/E", "occupied: rule 4: a tile lies on c4 already"),
        ("016@b5/E", "blocks_outflow: rule 4: the blank side of d5 to the south blocks an outflow of d4"),
        ("016@c3/E", "meets_blank: rule 4: the outflow of c3 to the north meets a blank side of c4"),
        ("016@a1/E", "not_joined: rule 4: none of the tile's outflows meets an outflow of a tile on the board"),
        ("016@e6/E", "not_joined: rule 4: none of the tile's outflows meets an outflow of a tile on the board"),
        ("016@b3/N", "not_joined: rule 4: none of the tile's outflows meets an outflow of a tile on the board"),
    ],
)
def test_a_tile_that_may_not_lie_there_is_refused_with_the_rule(text: str, sentence: str) -> None:
    holding = in_hand(SMALL, BESIDE, "016")
    assert refusal(SMALL, holding, text) == sentence


def test_sides_must_agree_at_the_end_of_a_tile_too() -> None:
    position = in_hand(SMALL, play(SMALL, SMALL.start(), "135@c4/E"), "012")
    assert SMALL.why_not(position, SMALL.parse(position, "012@f4/N")) is None
    assert refusal(SMALL, position, "012@f6/S") == (
        "blocks_outflow: rule 4: the blank side of f4 to the west blocks an outflow of e4"
    )
    assert refusal(SMALL, position, "012@b2/N") == (
        "not_joined: rule 4: none of the tile's outflows meets an outflow of a tile on the board"
    )
    assert refusal(SMALL, position, "012@b6/S") == (
        "meets_blank: rule 4: the outflow of b4 to the east meets a blank side of c4"
    )


def test_the_board_s_edge_allows_outflows_and_blanks() -> None:
    # Rule 5. The outflow of a5 leads off the board, that of c6 to a square which no tile can fill any more.
    position = play(SMALL, SMALL.start(), "012@c4/E", "013@c5/W")
    assert drawing_of(SMALL, position.laid) == drawn(
        """
          . . . . . . .

          . . . . . . .

         -o=o=o . . . .
            | | | |
          . . o=o=o . .

          . . . . . . .

          . . . . . . .

          . . . . . . .
        """
    )
    assert SMALL.sides(position) == {"n": 0, "e": 0, "s": 0, "w": 1}


# The end


def test_the_game_ends_at_once_when_the_tile_drawn_fits_nowhere() -> None:
    rules = Tayu.from_settings({"size": 3})
    position = play(rules, rules.start(), "012@a2/E")
    # Three outflows to the north: of three in a row above them, only 012 turned by half fits.
    stuck = in_hand(rules, position, "013")
    assert rules.turn(stuck) == "over"
    assert rules.outcome(stuck) == Outcome(None, "equal_scores")
    assert rules.ended_by(stuck) == "fits_nowhere"
    assert rules.state(stuck)["tile"] == "013"
    assert rules.legal_moves(stuck) == ()
    with pytest.raises(GameOverError, match=r"^the game is over$"):
        rules.parse(stuck, "013@a3/E")
    goes_on = in_hand(rules, position, "012")
    assert legal(rules, goes_on) == ["012@c3/W"]
    assert (rules.outcome(goes_on), rules.ended_by(goes_on)) == (None, None)


def test_the_game_ends_when_the_tiles_are_used_up() -> None:
    start = SMALL.start()
    last = start._replace(kinds=1 << TILE["012"], left=start.copies_left(TILE["012"]) and 1)
    end = play(SMALL, last, "012@c4/E")
    assert SMALL.turn(end) == "over"
    assert SMALL.outcome(end) == Outcome(None, "equal_scores")
    assert SMALL.ended_by(end) == "tiles_used_up"
    assert SMALL.state(end)["tile"] is None


# The score


def flowing(text: str) -> Position:
    """A position of SMALL's kind, ended, with outflows where a drawing has arrows."""
    rows = [line.split() for line in text.strip().splitlines()]
    rules = Tayu.from_settings({"size": len(rows)})
    outflows = [
        sum(
            1 << rules.board.squares.index[f"{'abcdefghijklmnopqrs'[x]}{len(rows) - y}"]
            for y, row in enumerate(rows)
            for x, mark in enumerate(row)
            if way in mark
        )
        for way in "^>v<"
    ]
    north, east, south, west = outflows
    return rules.start()._replace(outflows=(north, east, south, west))


FOUR_TIMES_FIVE = """
    ^ ^ ^ . ^ . <
    . . . . . . .
    < . . . . . >
    . . ^ > . . >
    . . . v . . >
    . . . . . . >
    v v v v v . >
"""


@pytest.mark.parametrize(
    ("doubles", "north_south"),
    [
        ("none", 4 * 5),
        ("none/none/1/none", 4 * (5 + 1)),
        ("4/none/4/none", (4 + 1) * (5 + 1)),
        ("3,6/none/5,6/none", 4 * 5),
    ],
)
def test_an_outflow_at_the_edge_counts_one_and_two_at_a_double_square(doubles: str, north_south: int) -> None:
    rules = Tayu.from_settings({"size": 7, "doubles": doubles})
    position = flowing(FOUR_TIMES_FIVE)
    assert rules.score(position) == {"north-south": north_south, "east-west": 5 * 1}


def test_four_times_five_beats_six_times_three_and_a_side_without_outflow_makes_nothing() -> None:
    rules = Tayu.from_settings({"size": 7, "doubles": "none"})
    position = flowing(
        """
        ^ ^ ^ . ^ . >
        . . . . . . >
        . . . . . . >
        < . . . . . >
        < . . . . . >
        < . . . . . >
        v v v v v . .
        """
    )
    assert rules.sides(position) == {"n": 4, "e": 6, "s": 5, "w": 3}
    assert rules.score(position) == {"north-south": 20, "east-west": 18}
    without_west = position._replace(outflows=(*position.outflows[:3], 0))
    assert rules.score(without_west) == {"north-south": 20, "east-west": 0}


def test_a_corner_counts_for_the_edge_that_the_outflow_faces() -> None:
    rules = Tayu.from_settings({"size": 3, "doubles": "2/none/none/0"})
    position = flowing(
        """
        <  . ^>
        .  . .
        v< . >
        """
    )
    assert rules.sides(position) == {"n": 2, "e": 2, "s": 1, "w": 3}


def test_double_squares_are_counted_from_the_west_and_from_the_south() -> None:
    rules = Tayu.from_settings({"size": 7, "doubles": "1/2,6/none/0"})
    assert rules.double_squares == {"n": ("b7",), "e": ("g3", "g7"), "s": (), "w": ("a1",)}
    assert RULES.double_squares["n"] == ("c17", "g17", "k17", "o17")


def finished(players: int, target: int, points: tuple[int, int, int, int], **settings: object) -> tuple[Tayu, Position]:
    """A game on a board with so many outflows on each side, ended by a tile that fits nowhere."""
    rules = Tayu.from_settings({"players": players, "target": target, "size": 7, "doubles": "none", **settings})
    board = rules.board.squares
    names = [[f"{letter}7" for letter in "abcdefg"], [f"g{row}" for row in range(1, 8)]]
    names += [[f"{letter}1" for letter in "abcdefg"], [f"a{row}" for row in range(1, 8)]]
    north, east, south, west = (
        sum(1 << board.index[name] for name in side[:count]) for side, count in zip(names, points, strict=True)
    )
    position = rules.start()._replace(outflows=(north, east, south, west), occupied=board.full)
    return rules, play(rules, position, "draw:012")


@pytest.mark.parametrize(
    ("players", "points", "outcome", "winners"),
    [
        (2, (4, 6, 5, 3), Outcome("north-south", "higher_score"), ("north-south",)),
        (2, (4, 7, 5, 3), Outcome("east-west", "higher_score"), ("east-west",)),
        (2, (4, 4, 5, 5), Outcome(None, "equal_scores"), ()),
        (4, (4, 6, 5, 3), Outcome("p1", "higher_score"), ("p1", "p3")),
        (4, (4, 7, 5, 3), Outcome("p2", "higher_score"), ("p2", "p4")),
        (4, (4, 4, 5, 5), Outcome(None, "equal_scores"), ()),
        # The target is 20.
        (3, (4, 6, 5, 3), Outcome("p1", "higher_score"), ("p1",)),
        (3, (4, 7, 5, 3), Outcome("p2", "higher_score"), ("p2",)),
        (3, (4, 4, 5, 5), Outcome(None, "equal_scores"), ()),
        (3, (1, 6, 5, 3), Outcome("p3", "target_missed"), ("p3",)),
        (3, (3, 3, 5, 5), Outcome("p3", "target_missed"), ("p3",)),
    ],
)
def test_the_higher_score_wins_unless_the_saboteur_keeps_both_from_the_target(
    players: int, points: tuple[int, int, int, int], outcome: Outcome, winners: tuple[str, ...]
) -> None:
    rules, position = finished(players, 20, points)
    assert rules.outcome(position) == outcome
    assert rules.winners(position) == winners


# Three and four players


def turns_of(rules: Tayu, position: Position, kinds: str) -> list[str]:
    """Whose turn it is as these tiles are drawn and laid."""
    turns = []
    for kind in kinds.split():
        position = in_hand(rules, position, kind)
        turns.append(rules.turn(position))
        position = rules.play(position, rules.legal_moves(position)[0])
    return turns


def test_four_sit_round_the_board_and_opposite_ones_are_a_team() -> None:
    rules = Tayu.from_settings({"players": 4})
    assert turns_of(rules, rules.start(), "035 035 035 036 036") == ["p1", "p2", "p3", "p4", "p1"]
    position = rules.start()
    assert [rules.role(position, player) for player in rules.players] == ["north-south", "east-west"] * 2
    assert rules.target(position) is None
    assert rules.winners(position) == ()
    _, end = finished(4, 24, (4, 6, 5, 3))
    assert rules.score(end)["p1"] == rules.score(end)["p3"]


def test_of_three_the_third_is_the_saboteur_and_the_target_is_24() -> None:
    rules = Tayu.from_settings({"players": 3})
    start = rules.start()
    assert [rules.role(start, player) for player in rules.players] == ["north-south", "east-west", "saboteur"]
    assert rules.target(start) == 24
    _, end = finished(3, 24, (4, 6, 5, 3))
    assert Tayu.from_settings({"players": 3, "size": 7, "doubles": "none"}).score(end) == {"p1": 20, "p2": 18, "p3": 0}


AUCTION = Tayu.from_settings({"players": 3, "auction": "yes"})


@pytest.mark.parametrize(
    ("bids", "saboteur", "target", "roles"),
    [
        ("28 28", "p1", 28, ["saboteur", "north-south", "east-west"]),
        ("28 26 26", "p2", 26, ["north-south", "saboteur", "east-west"]),
        ("28 26 20 20", "p3", 20, ["north-south", "east-west", "saboteur"]),
        ("28 26 20 1 1", "p1", 1, ["saboteur", "north-south", "east-west"]),
        ("0 0", "p1", 0, ["saboteur", "north-south", "east-west"]),
    ],
)
def test_two_equal_bids_make_the_first_to_have_named_them_the_saboteur(
    bids: str, saboteur: str, target: int, roles: list[str]
) -> None:
    position = AUCTION.start()
    for number, bid in enumerate(bids.split()):
        assert AUCTION.turn(position) == f"p{number % 3 + 1}"
        assert AUCTION.may_bid(position)
        assert [AUCTION.role(position, player) for player in AUCTION.players] == [None, None, None]
        assert AUCTION.target(position) is None
        assert AUCTION.score(position) == {"p1": 0, "p2": 0, "p3": 0}
        position = play(AUCTION, position, f"bid:{bid}")
    assert not AUCTION.may_bid(position)
    assert [AUCTION.role(position, player) for player in AUCTION.players] == roles
    assert AUCTION.target(position) == target
    # Rule 9: north-south begins, then east-west; the saboteur is third.
    turns = [*(player for player in AUCTION.players if player != saboteur), saboteur]
    assert turns_of(AUCTION, position, "035 035 035 036") == [*turns, turns[0]]


def test_a_bid_is_lower_than_the_one_before_or_equal_and_nobody_passes() -> None:
    start = AUCTION.start()
    assert legal(AUCTION, start) == ["bid:24"]
    after = play(AUCTION, start, "bid:28")
    assert legal(AUCTION, after) == ["bid:27", "bid:28"]
    assert legal(AUCTION, play(AUCTION, start, "bid:0")) == ["bid:0"]
    assert refusal(AUCTION, after, "bid:29") == "too_high: rule 10: a bid is at most 28, the bid before it"
    assert refusal(AUCTION, after, "draw:012") == (
        "must_bid: rule 10: the role of the saboteur is bid for before anything else"
    )
    assert refusal(AUCTION, after, "pass") == (
        "no_pass: rule 10: nobody passes; a bid is lower than the one before it, or equal to it"
    )
    with pytest.raises(NotationError, match=r"^'pass' is not a Tayu move"):
        AUCTION.parse(play(AUCTION, after, "bid:28"), "pass")


def test_after_the_auction_a_player_picks_where_he_must() -> None:
    rules = Tayu.from_settings({"players": 3, "auction": "yes", "draw": "stacks"})
    position = play(rules, rules.start(), "bid:9", "bid:9")
    assert (rules.turn(position), legal(rules, position)) == ("p2", ["pick:left", "pick:right"])


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
        ("457@h9/E", "there is no kind of tile 457; turned by half it is 013"),
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
