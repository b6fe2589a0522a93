"""What the sides of a Tayu board are worth, who owns them, and who wins."""

import pytest

from gnomon.games.tayu.rules import Position, Tayu
from gnomon.rules.protocol import NotationError, Outcome
from tests.rules.playing import legal, refusal
from tests.rules.tayu_drawn import in_hand, play

RULES = Tayu()
SMALL = Tayu.from_settings({"size": 7})


# The score


def flowing(text: str) -> Position:
    """A position before the first tile with outflows where a drawing, as large as the board, has arrows."""
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
        "must_bid: rule 10: first the players bid for the role of the saboteur"
    )
    assert refusal(AUCTION, after, "pass") == ("no_pass: rule 10: nobody may pass: a bid is at most the bid before it")
    with pytest.raises(NotationError, match=r"^'pass' is not a Tayu move"):
        AUCTION.parse(play(AUCTION, after, "bid:28"), "pass")


def test_after_the_auction_a_player_picks_where_he_must() -> None:
    rules = Tayu.from_settings({"players": 3, "auction": "yes", "draw": "stacks"})
    position = play(rules, rules.start(), "bid:9", "bid:9")
    assert (rules.turn(position), legal(rules, position)) == ("p2", ["pick:left", "pick:right"])
