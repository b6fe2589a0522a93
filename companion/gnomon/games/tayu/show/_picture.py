"""Draw the picture of a Tayu position: tiles with their channels, the sides with their points, the tile in hand.

North and south have a plain rim and round counters, east and west a notched rim and square ones. At a double square
the rim is pierced by two gates, at any other there is none.
"""

from collections import Counter
from collections.abc import Collection, Iterator
from itertools import combinations
from typing import Final, TypeAlias

from gnomon.games.tayu.rules import KINDS, Channels, Move, Outflow, Position, Tayu
from gnomon.games.tayu.rules import Point as Spot
from gnomon.games.tayu.rules.notation import read, write
from gnomon.games.tayu.rules.position import NOTHING
from gnomon.games.tayu.rules.seats import AXES
from gnomon.rules.protocol import OVER
from gnomon.views.phrases import join_items
from gnomon.views.pictures.drawing import Circle, Drawing, Group, Path, Point, Shape, Step, Text
from gnomon.views.pictures.figures import box, line
from gnomon.views.pictures.frame import (
    HEAD,
    MARGIN,
    WIDTH,
    Annotations,
    PictureText,
    centred_text,
    certainty_sentence,
    frame,
    player_name,
    turn_of,
)
from gnomon.views.pictures.palette import Colour
from gnomon.views.pictures.squares import SquaresLayout
from gnomon.words import Words

Course: TypeAlias = tuple[Point, tuple[Step, ...]]

_BOARD: Final = 600.0
_LEFT: Final = MARGIN + 92
_TOP: Final = HEAD + 76
_HEIGHT: Final = _BOARD + 186
_RIM: Final = 14.0
_PANEL: Final = _LEFT + _BOARD + 88
_BANK: Final = 0.5  # widths of the channels, in squares
_WATER: Final = 0.36
_STRAIGHT: Final = 1e-6  # what rounding makes of a straight line
_GLINT: Final = 0.04
_OWNERS: Final = {"n": 0, "s": 0, "e": 1, "w": 1}  # whose sides they are: of an axis
_COLOURS: Final = ((Colour.FIRST, Colour.FIRST_EDGE), (Colour.SECOND, Colour.SECOND_EDGE))
_DUE: Final = {"draw": "draw_tile"}
_TILE: Final = 44.0  # a square of the tile in hand


def picture(rules: Tayu, position: Position, asked: Annotations) -> Drawing:
    """A position of Tayu; highlights are squares such as "i9"."""
    squares, words = rules.board.squares, asked.words
    plan = SquaresLayout(squares, _LEFT, _TOP, _BOARD / squares.columns)
    last = read(squares, asked.last_move) if asked.last_move else None
    waters = [rules.channels(move) for move in position.laid]
    shapes = (
        *_ground(plan),
        *_centre(rules, plan),
        *_rims(rules, plan, words),
        *(_tile(rules, plan, move, words) for move in position.laid),
        *_streams(plan, waters),
        *_last(rules, plan, last),
        *(plan.outline(squares.index[name], 0.14, 0.14, 0.09) for name in asked.highlights if name in squares.index),
        *_sides(rules, plan, position, words),
        *_panel(rules, position, asked),
    )
    seen = PictureText("Tayu", _status(rules, position, words), _description(rules, position, words))
    return frame(seen, asked, _HEIGHT, shapes)


def _ground(plan: SquaresLayout) -> Iterator[Shape]:
    """The board with its squares, and their coordinates."""
    left, top, size = plan.left - _RIM, plan.top - _RIM, plan.width + 2 * _RIM
    yield box(left - 4, top + 4, size + 8, size + 8, 8, fill=Colour.FRAME_SHADE)
    yield box(left - 4, top - 4, size + 8, size + 8, 8, fill=Colour.BOARD_EDGE)
    yield box(plan.left, plan.top, plan.width, plan.height, fill=Colour.MEADOW)
    for number in range(1, plan.board.columns):
        along = number * plan.side
        yield line((plan.left + along, plan.top), (plan.left + along, plan.top + plan.height), Colour.MEADOW_LINE, 1.2)
        yield line((plan.left, plan.top + along), (plan.left + plan.width, plan.top + along), Colour.MEADOW_LINE, 1.2)
    yield from plan.coordinates(_RIM + 20, min(18, 0.62 * plan.side))


def _centre(rules: Tayu, plan: SquaresLayout) -> Iterator[Shape]:
    """The mark on the squares of which the first tile covers one (rule 3)."""
    for name in rules.centre:
        at = plan.centre(plan.board.index[name])
        yield Circle(at, 0.3 * plan.side, stroke=Colour.BOARD_EDGE, width=0.07 * plan.side)
        yield Circle(at, 0.1 * plan.side, fill=Colour.BOARD_EDGE)


def _rims(rules: Tayu, plan: SquaresLayout, words: Words) -> Iterator[Shape]:
    """A rim along each side, in its owner's manner, with a double gate at each double square."""
    for side, owner in _OWNERS.items():
        colour, _ = _COLOURS[owner]
        yield _bar(plan, side, 0.0, plan.board.columns, colour)
        if owner:
            for place in range(2 * plan.board.columns):
                start, end = (_beyond(plan, side, place / 2 + 0.25, depth) for depth in (0.3 * _RIM, 0.7 * _RIM))
                yield line(start, end, Colour.PAPER, 2)
        for name in rules.double_squares[side]:
            place = _place(plan, side, name)
            gates = tuple(
                _bar(plan, side, place + inset, 0.3, Colour.WATER_LIGHT, width=0.78) for inset in (0.13, 0.57)
            )
            wall = _bar(plan, side, place, 1.0, Colour.BANK)
            title = words("picture.tayu.double", name=name, side=side)
            yield Group((_square_ground(plan, name), wall, *gates), title=title, key=name)


def _square_ground(plan: SquaresLayout, name: str) -> Shape:
    x, y = plan.corner(plan.board.index[name])
    return box(x + 0.6, y + 0.6, plan.side - 1.2, plan.side - 1.2, fill=Colour.MEADOW_ALT)


def _place(plan: SquaresLayout, side: str, name: str) -> int:
    """How far along its side a square lies, from the west or from the north."""
    column, row = plan.place(plan.board.index[name])
    return column if side in "ns" else plan.board.rows - 1 - row


def _beyond(plan: SquaresLayout, side: str, along: float, depth: float) -> Point:
    """The point outside a side, so many squares along it and so deep in its rim."""
    far = along * plan.side
    match side:
        case "n":
            return plan.left + far, plan.top - depth
        case "s":
            return plan.left + far, plan.top + plan.height + depth
        case "w":
            return plan.left - depth, plan.top + far
        case _:
            return plan.left + plan.width + depth, plan.top + far


def _bar(plan: SquaresLayout, side: str, along: float, squares: float, colour: Colour, width: float = 1.0) -> Shape:  # noqa: PLR0913, PLR0917 - the parts of a bar
    """A stretch of the rim, as wide as a part of it."""
    (x0, y0), (x1, y1) = _beyond(plan, side, along, 0.0), _beyond(plan, side, along + squares, _RIM * width)
    return box(min(x0, x1), min(y0, y1), abs(x1 - x0), abs(y1 - y0), 1.5, fill=colour)


def _tile(rules: Tayu, plan: SquaresLayout, move: Move, words: Words) -> Group:
    """The body of a laid tile."""
    corners = [plan.corner(plan.board.index[name]) for name in rules.squares_of(move)]
    left, top = min(x for x, _ in corners), min(y for _, y in corners)
    right, bottom = max(x for x, _ in corners) + plan.side, max(y for _, y in corners) + plan.side
    text = write(plan.board, move)
    title = words("picture.tayu.tile", text=text)
    return Group(_body(left, top, right - left, bottom - top, plan.side), title=title, key=text)


def _body(left: float, top: float, width: float, height: float, side: float) -> tuple[Shape, ...]:
    inset, round_corner = 0.03 * side, 0.14 * side
    wide, high = width - 2 * inset, height - 2 * inset
    return (
        box(
            left + inset,
            top + inset,
            wide,
            high,
            round_corner,
            fill=Colour.TILE_SHADE,
            stroke=Colour.TILE_EDGE,
            line=0.05 * side,
        ),
        box(left + 2 * inset, top + 2 * inset, wide - 2 * inset, high - 0.09 * side, round_corner, fill=Colour.TILE),
    )


def _streams(plan: SquaresLayout, waters: list[Channels]) -> Iterator[Shape]:
    """The water of all tiles: first all banks, then all water, so that streams join where tiles meet."""
    courses = [_course(plan, one, other) for water in waters for one, other in combinations(water.outflows, 2)]
    flows = [flow for water in waters for flow in water.outflows]
    mouths = Counter(flow.mouth for flow in flows)
    joints = [_beyond_mouth(plan, flow, 0.06 * plan.side) for flow in flows if mouths[flow.mouth] > 1]
    gates = [_beyond_mouth(plan, flow, 1.2 * _RIM) for flow in flows if flow.at_rim]
    yield from _water([*courses, *joints, *gates], plan.side)


def _water(courses: Collection[Course], side: float) -> Iterator[Shape]:
    """Streams with their banks, and the light on them."""
    for colour, width in ((Colour.BANK, _BANK), (Colour.WATER, _WATER), (Colour.WATER_LIGHT, _GLINT)):
        yield from (Path(start, steps, stroke=colour, width=width * side, flat=True) for start, steps in courses)


def _beyond_mouth(plan: SquaresLayout, flow: Outflow, reach: float) -> Course:
    """The water a little beyond a mouth: into the next tile, or out of the board, where it counts for the side."""
    mouth, bend = _on_sheet(plan, flow.mouth), _on_sheet(plan, flow.bend)
    return mouth, ((_towards(mouth, bend, -reach),),)


def _course(plan: SquaresLayout, one: Outflow, other: Outflow) -> Course:
    """The way of the water between two outflows of a tile: along its middle, in curves where it turns."""
    start, first = _on_sheet(plan, one.mouth), _on_sheet(plan, one.bend)
    last, end = _on_sheet(plan, other.bend), _on_sheet(plan, other.mouth)
    if first == last:
        return start, ((first, first, end),) if _turns(start, first, end) else ((end,),)
    half = plan.side / 2
    leaving, coming = _towards(first, last, half), _towards(last, first, half)
    steps: list[Step] = [(leaving,)] if not _turns(start, first, leaving) else [_bend(start, first, leaving)]
    if leaving != coming:
        steps.append((coming,))
    steps.append((end,) if not _turns(coming, last, end) else _bend(coming, last, end))
    return start, tuple(steps)


def _bend(start: Point, corner: Point, end: Point) -> Step:
    """A quarter of a circle around a corner, nearly."""
    soft = 0.5523
    return (
        (start[0] + (corner[0] - start[0]) * soft, start[1] + (corner[1] - start[1]) * soft),
        (end[0] + (corner[0] - end[0]) * soft, end[1] + (corner[1] - end[1]) * soft),
        end,
    )


def _turns(start: Point, middle: Point, end: Point) -> bool:
    """Whether a way through three points is not straight."""
    return (
        abs((middle[0] - start[0]) * (end[1] - middle[1]) - (middle[1] - start[1]) * (end[0] - middle[0])) > _STRAIGHT
    )


def _towards(start: Point, end: Point, distance: float) -> Point:
    """The point at a distance from one point on the way to another, along a row or a column."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    length = abs(dx) + abs(dy)
    return start[0] + dx / length * distance, start[1] + dy / length * distance


def _on_sheet(plan: SquaresLayout, spot: Spot) -> Point:
    """A point that the rules give in squares from the south-west corner."""
    return round(plan.left + spot.x * plan.side, 6), round(plan.top + plan.height - spot.y * plan.side, 6)


def _last(rules: Tayu, plan: SquaresLayout, move: Move | None) -> Iterator[Shape]:
    """A frame around the tile of the last move."""
    if move is None or move.kind != "lay":
        return
    corners = [plan.corner(plan.board.index[name]) for name in rules.squares_of(move)]
    left, top = min(x for x, _ in corners), min(y for _, y in corners)
    wide, high = max(x for x, _ in corners) + plan.side - left, max(y for _, y in corners) + plan.side - top
    yield box(left, top, wide, high, 0.14 * plan.side, stroke=Colour.MARK, line=0.11 * plan.side)


def _sides(rules: Tayu, plan: SquaresLayout, position: Position, words: Words) -> Iterator[Shape]:
    """The points of each side, outside its middle, round for north and south, square for east and west."""
    for side, points in rules.sides(position).items():
        depth = _RIM + (62 if side in "sw" else 34)
        at = _beyond(plan, side, plan.board.columns / 2, depth)
        colour, edge = _COLOURS[_OWNERS[side]]
        shapes = (
            _counter(at, _OWNERS[side], 25, colour, edge),
            centred_text(at, str(points), 27, Colour.PAPER, bold=True),
        )
        yield Group(shapes, title=words.plural("picture.tayu.side", points, side=side), key=f"side-{side}")


def _counter(at: Point, owner: int, radius: float, fill: Colour, stroke: Colour) -> Shape:
    x, y = at
    if owner == 0:
        return Circle(at, radius, fill=fill, stroke=stroke, width=2)
    half = 0.9 * radius
    return box(x - half, y - half, 2 * half, 2 * half, 4, fill=fill, stroke=stroke, line=2)


def _panel(rules: Tayu, position: Position, asked: Annotations) -> Iterator[Shape]:
    """What both pairs of sides are worth, to whom they belong, and the tile in hand."""
    points, score, words = rules.sides(position), rules.score(position), asked.words
    for owner, (axis, pair) in enumerate(zip(AXES, ("ns", "ew"), strict=True)):
        y = HEAD + 40 + 150 * owner
        players = [player for player in rules.players if rules.role(position, player) == axis]
        product = score[players[0]] if players else points[pair[0]] * points[pair[1]]
        on_turn = turn_of(rules, position, asked) != OVER and rules.players[position.mover] in players
        yield from _owner((_PANEL, y), owner, f"{points[pair[0]]} · {points[pair[1]]}", product, on_turn=on_turn)
        names = ", ".join(player_name(player, words) for player in players or [axis])
        yield Text((_PANEL, y + 78), names, 17, Colour.MUTED)
    yield from _saboteur(rules, position, asked)
    yield from _in_hand(rules, position, words)
    left = sum(position.copies_left(tile) for tile in range(len(KINDS)))
    yield Text((_PANEL, _TOP + _BOARD - 60), words.plural("picture.tayu.left", left), 20, Colour.MUTED)
    guessed = [words(f"picture.tayu.guess.{guess.code}") for guess in rules.settings.guesses]
    for row, told in enumerate((words("picture.tayu.guess"), *guessed) if guessed else ()):
        yield Text((_PANEL, _TOP + _BOARD - 28 + 22 * row), told, 17, Colour.MUTED)


def _owner(at: Point, owner: int, factors: str, product: int, *, on_turn: bool) -> Iterator[Shape]:
    x, y = at
    colour, edge = _COLOURS[owner]
    if on_turn:
        yield box(x - 12, y - 34, WIDTH - MARGIN - x + 16, 128, 12, fill=Colour.PANEL, stroke=Colour.ACCENT, line=4)
    yield _counter((x + 20, y + 8), owner, 20, colour, edge)
    yield Text((x + 54, y + 4), factors, 20, Colour.MUTED)
    yield Text((x + 54, y + 42), str(product), 38, bold=True)


def _saboteur(rules: Tayu, position: Position, asked: Annotations) -> Iterator[Shape]:
    """The third player and what they must prevent (rule 9), or the bids for their role (rule 10)."""
    y, words = HEAD + 344, asked.words
    target = rules.target(position)
    if target is not None:
        name = next(player for player in rules.players if rules.role(position, player) == "saboteur")
        on_turn = turn_of(rules, position, asked) != OVER and rules.players[position.mover] == name
        yield Text((_PANEL, y - 12), player_name(name, words), 20, bold=on_turn)
        yield Text((_PANEL, y + 12), words("picture.tayu.saboteur"), 18, Colour.MUTED)
        yield Text((_PANEL, y + 36), words("picture.tayu.below", target=target), 18, Colour.MUTED)
    elif position.due == "bid":
        bids = " ".join(map(str, position.bids[-4:])) or words("picture.tayu.bids.none")
        yield Text((_PANEL, y), words("picture.tayu.bids"), 20)
        yield Text((_PANEL, y + 28), bids, 20, Colour.MUTED)


def _in_hand(rules: Tayu, position: Position, words: Words) -> Iterator[Shape]:
    """The drawn tile, as it is drawn in the rules: running east."""
    top = HEAD + 468
    yield Text((_PANEL, top - 16), words("picture.tayu.hand"), 20, Colour.MUTED)
    if position.tile == NOTHING:
        yield box(_PANEL, top, 3 * _TILE, _TILE, 7, stroke=Colour.FAINT, line=2)
        return
    kind, squares = KINDS[position.tile], rules.board.squares
    # As if it lay on a1 to c1 of a board of which nothing else is drawn.
    plan = SquaresLayout(squares, _PANEL, top - (squares.rows - 1) * _TILE, _TILE)
    water = rules.channels(Move("lay", position.tile, squares.index["a1"], 0))
    courses = [_course(plan, one, other) for one, other in combinations(water.outflows, 2)]
    shapes = [*_body(_PANEL, top, 3 * _TILE, _TILE, _TILE), *_water(courses, _TILE)]
    shapes.append(Text((_PANEL, top + _TILE + 32), kind, 24, bold=True))
    yield Group(tuple(shapes), title=words("picture.tayu.hand.tile", kind=kind), key="hand")


def _status(rules: Tayu, position: Position, words: Words) -> str:
    if rules.outcome(position) is not None:
        winners = [player_name(player, words) for player in rules.winners(position)]
        if len(winners) > 1:
            return words("picture.status.win", players=join_items(winners, words))
        return words("picture.status.wins", player=winners[0]) if winners else words("picture.status.draw")
    due = _DUE.get(position.due, position.due)
    return words(f"picture.status.{due}", player=player_name(rules.players[position.mover], words))


def _description(rules: Tayu, position: Position, words: Words) -> str:
    """The board in words."""
    squares = rules.board.squares
    laid = ", ".join(write(squares, move) for move in position.laid) or words("picture.tayu.tiles.none")
    points = ", ".join(f"{side} {number}" for side, number in rules.sides(position).items())
    kind = "" if position.tile == NOTHING else KINDS[position.tile]
    seen = words(f"picture.tayu.seen{'.hand' if kind else ''}", tiles=laid, points=points, kind=kind)
    return " ".join((seen, *(certainty_sentence(guess, words) for guess in rules.settings.guesses)))
