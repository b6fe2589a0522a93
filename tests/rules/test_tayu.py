import pytest

from gnomon.games.tayu.rules import KINDS, TILE, Tayu
from gnomon.games.tayu.rules.tiles import RINGED
from gnomon.rules.perft import perft
from gnomon.rules.protocol import GameOverError, Outcome
from tests.rules.playing import legal, refusal
from tests.rules.tayu_drawn import drawing_of, drawn, in_hand, play

RULES = Tayu()
SMALL = Tayu.from_settings({"size": 7})
BACKS = Tayu.from_settings({"size": 7, "draw": "backs"})
STACKS = Tayu.from_settings({"size": 7, "draw": "stacks"})
BESIDE = play(SMALL, SMALL.start(), "012@c4/E")

LISTED = (
    "012 013 014 015 016 017 023 024 025 026 027 034 035 036 037 056 057 067 123 125 126 127 135 136 137 167 236 237"
)
RING_MARKED = "034 035 036 037 057 067 135 136 137 167 236 237"


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
    assert refusal(BACKS, ring, "draw:012") == "other_back: rule 2: the tile 012 does not have the back that was picked"
    plain = play(BACKS, start, "pick:plain")
    assert legal(BACKS, plain) == [f"draw:{kind}" for kind in KINDS if kind not in RING_MARKED.split()]
    assert BACKS.turn(play(BACKS, plain, "draw:012")) == "north-south"
    assert legal(BACKS, play(BACKS, plain, "draw:012", "012@c4/E")) == ["pick:plain", "pick:ring"]


def test_a_back_that_no_tile_has_any_more_cannot_be_picked() -> None:
    start = BACKS.start()._replace(kinds=1 << TILE["012"])
    assert legal(BACKS, start) == ["pick:plain"]
    assert refusal(BACKS, start, "pick:ring") == "none_left: rule 2: no tile is left to pick: ring"


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
    assert refusal(STACKS, start, "pick:left") == "none_left: rule 2: no tile is left to pick: left"
    assert refusal(STACKS, start, "pick:ring") == (
        "no_such_pick: rule 2: with draw=stacks the pick is left or right, not ring"
    )


def test_each_kind_of_move_has_its_time() -> None:
    assert refusal(RULES, RULES.start(), "013@i9/E") == "must_draw: rule 2: a tile must be drawn now"
    assert refusal(RULES, RULES.start(), "pick:ring") == "must_draw: rule 2: a tile must be drawn now"
    assert refusal(BACKS, BACKS.start(), "draw:013") == ("must_pick: rule 2: first pick where the next tile comes from")
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
    assert rules.state(stuck)["tile"] == "013"
    assert rules.legal_moves(stuck) == ()
    with pytest.raises(GameOverError, match=r"^the game is over$"):
        rules.parse(stuck, "013@a3/E")
    goes_on = in_hand(rules, position, "012")
    assert legal(rules, goes_on) == ["012@c3/W"]
    assert rules.outcome(goes_on) is None


def test_the_game_ends_when_the_tiles_are_used_up() -> None:
    start = SMALL.start()
    last = start._replace(kinds=1 << TILE["012"], left=start.copies_left(TILE["012"]) and 1)
    end = play(SMALL, last, "012@c4/E")
    assert SMALL.turn(end) == "over"
    assert SMALL.outcome(end) == Outcome(None, "equal_scores")
    assert SMALL.state(end)["tile"] is None


def test_a_game_in_which_every_tile_fits_uses_up_all_of_them() -> None:
    rules = Tayu.from_settings({"size": 26, "copies": 1})
    position = rules.start()
    while rules.outcome(position) is None:
        # Nature is kind: of the tiles left it gives one with the most placements.
        kind = max(rules.legal_moves(position), key=lambda move: len(rules.placements(position, move.tile)))
        position = rules.play(position, kind)
        position = rules.play(position, rules.legal_moves(position)[0])
    assert sorted(move.tile for move in position.laid) == list(range(len(KINDS)))
    assert position.kinds == position.left == 0
