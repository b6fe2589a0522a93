"""Draw the picture of a Tabik position: stones, the rods between them, and the groups that score.

Touching stones of one colour are linked, as rods do not cut groups. White stones have a circle on them, black ones a
spot of light. The size that decides a colour's score is written on its groups of that size.
"""

from collections import Counter
from collections.abc import Iterator
from typing import Final

from gnomon.boards.squares import Edge
from gnomon.games.tabik.rules import BLACK, PLAYERS, WHITE, Move, Position, Tabik
from gnomon.games.tabik.rules.notation import read
from gnomon.rules.protocol import OVER
from gnomon.views.pictures.drawing import Circle, Drawing, Group, Point, Shape, Text
from gnomon.views.pictures.figures import box, line
from gnomon.views.pictures.frame import (
    HEAD,
    MARGIN,
    WIDTH,
    Annotations,
    PictureText,
    centred_text,
    frame,
    player_name,
    turn_of,
)
from gnomon.views.pictures.palette import Colour
from gnomon.views.pictures.squares import SquaresLayout
from gnomon.words import Clause, Words

_BOARD: Final = 622.0
_HEIGHT: Final = _BOARD + 104
_LEFT: Final = MARGIN + 52
_SIDE: Final = _LEFT + _BOARD + 50  # where the table of groups begins
_FILLS: Final = (Colour.STONE_BLACK, Colour.STONE_WHITE)
_SIGNS: Final = (Colour.STONE_WHITE, Colour.STONE_BLACK)
_SHORT_NAME: Final = 5  # letters of a player's name
_ROWS: Final = 9  # sizes of groups that the table has room for


def picture(rules: Tabik, position: Position, asked: Annotations) -> Drawing:
    """A position of Tabik; highlights are squares such as "a1"."""
    last_move = read(rules.board, asked.last_move) if asked.last_move else None
    plan = SquaresLayout(rules.board, _LEFT, HEAD + 34, _BOARD / rules.board.columns)
    scores, words = tuple(rules.score(position).values()), asked.words
    shapes = (
        *_ground(plan),
        *(
            plan.outline(square, 0.06, 0.1, 0.05)
            for square, name in plan.board.names.items()
            if name in asked.highlights
        ),
        *_links(plan, position),
        *(_stone(plan, square, position, words) for square in plan.board.names if _is_taken(position, square)),
        *_sizes(plan, position, scores),
        *_last(plan, last_move),
        *(_rod(plan, edge, words) for edge in plan.board.edges if position.rods >> edge.number & 1),
        *_table(rules, position, scores, asked),
    )
    seen = PictureText("Tabik", _status(rules, position, words), _description(rules, position, words))
    return frame(seen, asked, _HEIGHT, shapes)


def _ground(plan: SquaresLayout) -> Iterator[Shape]:
    """The board: a plate with squares, and the coordinates."""
    left, top, side = plan.left, plan.top, plan.side
    yield box(left - 14, top - 5, plan.width + 28, plan.height + 28, 12, fill=Colour.FRAME_SHADE)
    yield box(left - 14, top - 14, plan.width + 28, plan.height + 28, 12, fill=Colour.BOARD_EDGE)
    yield box(left, top, plan.width, plan.height, 2, fill=Colour.BOARD)
    for square in plan.board.names:
        column, row = plan.place(square)
        if (column + row) % 2:
            x, y = plan.corner(square)
            yield box(x, y, side, side, fill=Colour.BOARD_ALT)
    for number in range(1, plan.board.columns):
        yield line((left + number * side, top), (left + number * side, top + plan.height), Colour.BOARD_LINE, 1.5)
        yield line((left, top + number * side), (left + plan.width, top + number * side), Colour.BOARD_LINE, 1.5)
    yield from plan.coordinates(34, min(23, 0.62 * side))


def _is_taken(position: Position, square: int) -> bool:
    return bool((position.black | position.white) >> square & 1)


def _colour(position: Position, square: int) -> int:
    return BLACK if position.black >> square & 1 else WHITE


def _links(plan: SquaresLayout, position: Position) -> Iterator[Shape]:
    """What joins the stones of a group: a neck between each two that touch."""
    for stroke, width in ((Colour.STONE_EDGE, 0.34), (None, 0.34 - 4 / max(plan.side, 24))):
        for _, lower, higher in plan.board.edges:
            colour = _colour(position, lower)
            if _is_taken(position, lower) and _is_taken(position, higher) and colour == _colour(position, higher):
                ends = plan.centre(lower), plan.centre(higher)
                yield line(*ends, stroke or _FILLS[colour], width * plan.side)


def _stone(plan: SquaresLayout, square: int, position: Position, words: Words) -> Group:
    (x, y), side = plan.centre(square), plan.side
    colour, name = _colour(position, square), plan.board.names[square]
    radius = 0.39 * side
    shapes: tuple[Shape, ...] = (
        Circle((x, y), radius, fill=_FILLS[colour], stroke=Colour.STONE_EDGE, width=0.03 * side),
    )
    if colour == WHITE:
        shapes += (Circle((x, y), 0.74 * radius, stroke=Colour.STONE_WHITE_SHADE, width=0.028 * side),)
    else:
        shapes += (Circle((x - 0.34 * radius, y - 0.4 * radius), 0.14 * radius, fill=Colour.STONE_BLACK_LIGHT),)
    return Group(shapes, title=words(f"picture.tabik.stone.{PLAYERS[colour]}", name=name), key=name)


def _sizes(plan: SquaresLayout, position: Position, scores: tuple[int, ...]) -> Iterator[Shape]:
    """The size of each group that gives its colour its score, on the group's first stone."""
    for colour, squares in enumerate((position.black, position.white)):
        for group in plan.board.groups(squares):
            if group.bit_count() == scores[colour]:
                at = plan.centre(group.bit_length() - 1)
                yield centred_text(at, str(scores[colour]), 0.36 * plan.side, _SIGNS[colour], bold=True)


def _rod(plan: SquaresLayout, edge: Edge, words: Words) -> Group:
    """A rod across the way from one stone to the other, on the edge of their squares."""
    (x, y), (to_x, to_y) = plan.centre(edge.lower), plan.centre(edge.higher)
    middle = ((x + to_x) / 2, (y + to_y) / 2)
    half = 0.36 * plan.side
    across = (0.0, half) if y == to_y else (half, 0.0)
    start, end = (middle[0] - across[0], middle[1] - across[1]), (middle[0] + across[0], middle[1] + across[1])
    name = plan.board.names[edge.lower] + plan.board.names[edge.higher]
    shapes = (
        line(start, end, Colour.ROD_EDGE, 0.15 * plan.side),
        line(start, end, Colour.ROD, 0.1 * plan.side),
    )
    return Group(shapes, title=words("picture.tabik.rod", name=name), key=name)


def _last(plan: SquaresLayout, move: Move | None) -> Iterator[Shape]:
    """A frame around the two squares of the last move."""
    if move is None or move.kind == "pie":
        return
    (x, y), (to_x, to_y) = plan.corner(move.first), plan.corner(move.second)
    left, top = min(x, to_x), min(y, to_y)
    wide, high = abs(x - to_x) + plan.side, abs(y - to_y) + plan.side
    yield box(left, top, wide, high, 0.12 * plan.side, stroke=Colour.MARK, line=0.06 * plan.side)


def _table(rules: Tabik, position: Position, scores: tuple[int, ...], asked: Annotations) -> tuple[Shape, ...]:
    """Both players with their scores, and how many groups each has of each size."""
    counts = [
        Counter(group.bit_count() for group in rules.board.groups(squares))
        for squares in (position.black, position.white)
    ]
    words, turn = asked.words, turn_of(rules, position, asked)
    columns = (_SIDE + 84, WIDTH - MARGIN - 34)
    top = HEAD + 46
    shapes: list[Shape] = []
    for player, x in enumerate(columns):
        on_turn = turn == PLAYERS[player]
        shapes += _player((x, top), player, scores[player], words, on_turn=on_turn)
    shapes.append(Text((_SIDE, top + 182), words("picture.tabik.size"), 20, Colour.MUTED))
    shapes.append(centred_text((sum(columns) / 2, top + 175), words("picture.tabik.groups"), 20, Colour.MUTED))
    sizes = sorted(counts[BLACK].keys() | counts[WHITE].keys(), reverse=True)
    for row, size in enumerate(sizes[:_ROWS]):
        y = top + 216 + 42 * row
        if size in scores:
            shapes.append(box(_SIDE - 12, y - 19, WIDTH - MARGIN - _SIDE + 12, 38, 8, fill=Colour.PANEL))
        shapes.append(Text((_SIDE, y + 8), str(size), 24, bold=size in scores))
        for player, x in enumerate(columns):
            wins = size == scores[player]
            shapes.append(
                centred_text(
                    (x, y), str(counts[player][size] or "-"), 24, Colour.INK if wins else Colour.MUTED, bold=wins
                )
            )
    if len(sizes) > _ROWS:
        shapes.append(Text((_SIDE, top + 216 + 42 * _ROWS + 4), "…", 24, Colour.MUTED))
    return tuple(shapes)


def _player(at: Point, player: int, score: int, words: Words, *, on_turn: bool) -> tuple[Shape, ...]:
    x, y = at
    shapes: tuple[Shape, ...] = (Circle((x, y), 24, fill=_FILLS[player], stroke=Colour.STONE_EDGE, width=2),)
    if player == WHITE:
        shapes += (Circle((x, y), 18, stroke=Colour.STONE_WHITE_SHADE, width=2),)
    else:
        shapes += (Circle((x - 8, y - 9), 3.4, fill=Colour.STONE_BLACK_LIGHT),)
    if on_turn:
        shapes += (Circle((x, y), 33, stroke=Colour.ACCENT, width=5),)
    return (
        *shapes,
        centred_text((x, y + 62), player_name(PLAYERS[player], words), _name_size(words)),
        centred_text((x, y + 112), str(score), 50, bold=True),
    )


def _name_size(words: Words) -> float:
    """The size of letters in which both names have room side by side."""
    return 22 if max(len(player_name(player, words)) for player in PLAYERS) <= _SHORT_NAME else 18


def _status(rules: Tabik, position: Position, words: Words) -> str:
    turn, outcome = rules.turn(position), rules.outcome(position)
    if turn == OVER and outcome and outcome.winner:
        key = "last_move" if outcome.reason == "last_move" else "wins"
        return words(f"picture.status.{key}", player=player_name(outcome.winner, words))
    return words(f"picture.status.{'pie' if position.pie else 'moves'}", player=player_name(turn, words))


def _description(rules: Tabik, position: Position, words: Words) -> str:
    """The board in words."""
    names = rules.board.names
    stones = [
        ", ".join(name for square, name in names.items() if squares >> square & 1) or words("picture.tabik.stones.none")
        for squares in (position.black, position.white)
    ]
    score = [
        words("picture.tabik.points", player=Clause(player_name(player, words)), points=points)
        for player, points in rules.score(position).items()
    ]
    rods = words.plural("picture.tabik.rods", position.rods.bit_count())
    return words("picture.tabik.seen", black=stones[BLACK], white=stones[WHITE], rods=rods, score=", ".join(score))
