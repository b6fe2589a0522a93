"""What holds in every Tayu position that play can reach, under every setting."""

from collections.abc import Iterator

from hypothesis import given
from hypothesis import strategies as st

from gnomon.games.tayu.rules import KINDS, Move, Position, Tayu
from gnomon.games.tayu.rules.tiles import half_turned

sizes = st.integers(3, 12)
every_rules = st.builds(
    lambda size, players, draw, auction, copies: Tayu.from_settings(
        {
            "size": size,
            "players": players,
            "draw": draw,
            "auction": "yes" if auction and players == 3 else "no",
            "copies": copies,
            "target": 4,
        }
    ),
    sizes,
    st.sampled_from([2, 3, 4]),
    st.sampled_from(["bag", "backs", "stacks"]),
    st.booleans(),
    st.integers(1, 3),
)
choices = st.lists(st.integers(0, 2**16), max_size=120)


def positions(rules: Tayu, chosen: list[int]) -> Iterator[Position]:
    """The positions of the game that these choices make, until it is over."""
    position = rules.start()
    yield position
    for choice in chosen:
        moves = rules.legal_moves(position)
        if not moves:
            return
        position = rules.play(position, moves[choice % len(moves)])
        yield position


def last(rules: Tayu, chosen: list[int]) -> Position:
    """The last of them."""
    return list(positions(rules, chosen))[-1]


def edges_between_tiles(rules: Tayu, position: Position) -> Iterator[tuple[str, set[str]]]:
    """Each unit edge shared by two tiles, with the squares whose outflow is there."""
    owner = {square: number for number, move in enumerate(position.laid) for square in rules.squares_of(move)}
    flows: dict[tuple[float, float], set[str]] = {}
    for move in position.laid:
        for outflow in rules.channels(move).outflows:
            flows.setdefault(outflow.mouth, set()).add(outflow.square)
    for square, number in owner.items():
        x, y = ord(square[0]) - ord("a"), int(square[1:]) - 1
        for other, mouth in (
            (f"{chr(ord(square[0]) + 1)}{y + 1}", (x + 1.0, y + 0.5)),
            (f"{square[0]}{y + 2}", (x + 0.5, y + 1.0)),
        ):
            if owner.get(other, number) != number:
                yield f"{square} {other}", flows.get(mouth, set())


@given(every_rules, choices)
def test_tiles_never_overlap_and_their_sides_always_agree(rules: Tayu, chosen: list[int]) -> None:
    position = last(rules, chosen)
    squares = [square for move in position.laid for square in rules.squares_of(move)]
    assert len(set(squares)) == len(squares) == position.occupied.bit_count()
    for pair, flowing in edges_between_tiles(rules, position):
        assert flowing in (set(), set(pair.split()))


@given(every_rules, choices)
def test_all_tiles_are_joined_by_their_channels(rules: Tayu, chosen: list[int]) -> None:
    position = last(rules, chosen)
    mouths = [{outflow.mouth for outflow in rules.channels(move).outflows} for move in position.laid]
    reached, waiting = set(mouths[0]) if mouths else set(), mouths[1:]
    while waiting:
        joined = [each for each in waiting if each & reached]
        assert joined
        reached = reached.union(*joined)
        waiting = [each for each in waiting if each not in joined]


@given(every_rules, choices)
def test_no_tile_is_lost_or_found(rules: Tayu, chosen: list[int]) -> None:
    for position in positions(rules, chosen):
        used = [move.tile for move in position.laid] + ([position.tile] if position.tile >= 0 else [])
        for tile in range(len(KINDS)):
            left = position.copies_left(tile)
            assert left + used.count(tile) == rules.settings.copies
            assert bool(left) == bool(position.kinds >> tile & 1)
        if rules.settings.draw == "stacks":
            assert sum(position.stacks) == sum(map(position.copies_left, range(len(KINDS))))


@given(every_rules, choices)
def test_the_sides_count_the_mouths_at_the_rim(rules: Tayu, chosen: list[int]) -> None:
    position = last(rules, chosen)
    points = dict.fromkeys("nesw", 0)
    for move in position.laid:
        for outflow in rules.channels(move).outflows:
            if outflow.at_rim:
                points[outflow.side] += 1 + (outflow.square in rules.double_squares[outflow.side])
    assert rules.sides(position) == points


@given(every_rules, choices)
def test_the_game_is_over_exactly_when_no_tile_is_left_or_the_one_in_hand_fits_nowhere(
    rules: Tayu, chosen: list[int]
) -> None:
    for position in positions(rules, chosen):
        holding = position.tile >= 0
        stuck = holding and not rules.placements(position, position.tile)
        used_up = not holding and not position.kinds
        assert (rules.outcome(position) is not None) == (stuck or used_up)
        if rules.outcome(position) is not None:
            assert (rules.state(position)["tile"] is None) == used_up


@given(every_rules, choices)
def test_what_is_listed_is_legal_and_what_is_not_is_refused(rules: Tayu, chosen: list[int]) -> None:
    position = last(rules, chosen)
    legal = set(rules.legal_moves(position))
    assert all(rules.why_not(position, move) is None for move in legal)
    assert all(rules.parse(position, rules.text(position, move)) == move for move in legal)
    for tile in {0, 27, max(position.tile, 0)}:
        for square in rules.board.squares.names:
            for direction in range(4):
                move = Move("lay", tile, square, direction)
                assert (rules.why_not(position, move) is None) == (move in legal)


@given(every_rules, choices)
def test_a_footprint_finds_each_legal_placement_and_no_other(rules: Tayu, chosen: list[int]) -> None:
    position = last(rules, chosen)
    legal = set(rules.legal_moves(position)) if position.due == "lay" else set()
    found = set()
    for move in legal:
        there = rules.placements_on(position, rules.squares_of(move))
        assert 1 <= len(there) <= 2
        found |= set(there)
    assert found == legal


@given(every_rules, choices)
def test_a_game_replayed_from_its_texts_is_the_same_game(rules: Tayu, chosen: list[int]) -> None:
    position = replayed = rules.start()
    for choice in chosen:
        moves = rules.legal_moves(position)
        if not moves:
            break
        move = moves[choice % len(moves)]
        replayed = rules.play(replayed, rules.parse(replayed, rules.text(position, move)))
        position = rules.play(position, move)
        assert (position, hash(position)) == (replayed, hash(replayed))


@given(sizes, choices)
def test_turning_the_whole_game_by_half_changes_nothing_but_the_names(size: int, chosen: list[int]) -> None:
    rules = Tayu.from_settings({"size": size, "doubles": f"0,{size - 1}"})
    position, turned = rules.start(), rules.start()
    for choice in chosen:
        moves = rules.legal_moves(position)
        if not moves:
            break
        move = moves[choice % len(moves)]
        if move.kind == "lay":
            # Each square goes to the opposite one, each direction to the opposite one.
            across = rules.board.squares.stride * (size - 1) + size - 1 - move.square
            turned = rules.play(turned, move._replace(square=across, direction=(move.direction + 2) % 4))
        else:
            turned = rules.play(turned, move)
        position = rules.play(position, move)
    assert rules.turn(position) == rules.turn(turned)
    assert rules.score(position) == rules.score(turned)
    north, east, south, west = rules.sides(position).values()
    assert tuple(rules.sides(turned).values()) == (south, west, north, east)


@given(st.sampled_from(KINDS))
def test_a_kind_turned_by_half_has_another_name_and_turned_twice_its_own(kind: str) -> None:
    assert half_turned(kind) > kind == half_turned(half_turned(kind))
