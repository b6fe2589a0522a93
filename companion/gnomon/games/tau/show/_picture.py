"""Draw the picture of a TAU position: the grid, the lines through rows and columns, and the groups left.

Each group shows its size; the product of the sizes, the LIMIT, HIGH and LOW stand beside the grid.
"""

from collections.abc import Collection, Iterator
from typing import Final, NamedTuple

from gnomon.boards.bitsets import places_of
from gnomon.games.tau.rules import Move, Position, Tau
from gnomon.games.tau.rules.notation import letters, read, write
from gnomon.rules.bids import digits
from gnomon.rules.protocol import OVER
from gnomon.views.phrases import name as name_of
from gnomon.views.pictures.drawing import Drawing, Group, Shape, Text
from gnomon.views.pictures.figures import box, line
from gnomon.views.pictures.frame import (
    HEAD,
    MARGIN,
    WIDTH,
    Annotations,
    PictureText,
    centred_text,
    frame,
    group_digits,
    turn_of,
)
from gnomon.views.pictures.palette import Colour
from gnomon.words import Words

_PAPER: Final = 640.0  # the longer side of the grid
_LEFT: Final = MARGIN + 56
_TOP: Final = HEAD + 76
_HEIGHT: Final = _PAPER + 116
_PANEL: Final = _LEFT + _PAPER + 48
_SMALLEST_NAME: Final = 17.0  # squares smaller than this have no room for the names of rows and columns
_MOST_GROUPS: Final = 900  # beyond it they are too small to be told apart, and are drawn as one
_LONGEST: Final = 12  # digits of a number that is written in full


class LineRun(NamedTuple):
    """Neighbouring rows, or columns, that are left."""

    first: int
    length: int


class _Grid(NamedTuple):
    """Where the grid lies on the sheet."""

    rows: int
    columns: int
    left: float
    top: float
    side: float

    @property
    def width(self) -> float:
        return self.columns * self.side

    @property
    def height(self) -> float:
        return self.rows * self.side


def picture(rules: Tau, position: Position, asked: Annotations) -> Drawing:
    """A position of TAU; highlights are rows and columns such as "r3" and "cb"."""
    settings, words = rules.settings, asked.words
    last_move = read(asked.last_move, settings.rows, settings.columns) if asked.last_move else None
    side = _PAPER / max(settings.rows, settings.columns)
    left = _LEFT + (_PAPER - settings.columns * side) / 2
    top = _TOP + (_PAPER - settings.rows * side) / 2
    grid = _Grid(settings.rows, settings.columns, left, top, side)
    shapes = (
        *_groups(grid, position, words),
        *_squares(grid),
        *_numbers(grid, position),
        *(_line(grid, move, words, last=move == last_move) for move in _lines(grid, position)),
        *_names(grid, asked.highlights),
        *_panel(rules, position, asked),
    )
    seen = PictureText("Tau", _status(rules, position, words), _description(rules, position, words))
    return frame(seen, asked, _HEIGHT, shapes)


def runs_of(lines: int) -> list[LineRun]:
    """The runs of rows, or columns, that are left."""
    runs: list[LineRun] = []
    for place in places_of(lines):
        if runs and runs[-1].first + runs[-1].length == place:
            runs[-1] = LineRun(runs[-1].first, runs[-1].length + 1)
        else:
            runs.append(LineRun(place, 1))
    return runs


def _groups(grid: _Grid, position: Position, words: Words) -> Iterator[Shape]:
    """What is left, on coloured ground: every run of rows meets every run of columns in a group (rule 5)."""
    rows, columns = runs_of(position.rows), runs_of(position.columns)
    if len(rows) * len(columns) > _MOST_GROUPS:
        yield from _groups_as_one(grid, position)
        return
    inset = min(5.0, 0.09 * grid.side)
    for down in rows:
        for across in columns:
            x, y = grid.left + across.first * grid.side + inset, grid.top + down.first * grid.side + inset
            wide, high = across.length * grid.side - 2 * inset, down.length * grid.side - 2 * inset
            ground = box(x, y, wide, high, min(12, 0.2 * grid.side), fill=Colour.GROUP)
            size = down.length * across.length
            title = words("picture.tau.group", size=size)
            yield Group((ground,), title=title, key=f"r{down.first + 1}c{letters(across.first)}")


def _groups_as_one(grid: _Grid, position: Position) -> Iterator[Shape]:
    """The whole grid, and paper over every row and column that is gone."""
    yield box(grid.left, grid.top, grid.width, grid.height, fill=Colour.GROUP)
    for row in _lost_lines(position.rows, grid.rows):
        yield box(grid.left, grid.top + row * grid.side, grid.width, grid.side, fill=Colour.PAPER)
    for column in _lost_lines(position.columns, grid.columns):
        yield box(grid.left + column * grid.side, grid.top, grid.side, grid.height, fill=Colour.PAPER)


def _lost_lines(lines: int, count: int) -> list[int]:
    return list(places_of(~lines & (1 << count) - 1))


def _lines(grid: _Grid, position: Position) -> list[Move]:
    rows = [Move("row", number) for number in _lost_lines(position.rows, grid.rows)]
    return rows + [Move("column", number) for number in _lost_lines(position.columns, grid.columns)]


def _squares(grid: _Grid) -> Iterator[Shape]:
    """The printed lines of the paper."""
    width = min(1.6, 0.12 * grid.side)
    for row in range(grid.rows + 1):
        y = grid.top + row * grid.side
        yield line((grid.left, y), (grid.left + grid.width, y), Colour.GRAPH, width)
    for column in range(grid.columns + 1):
        x = grid.left + column * grid.side
        yield line((x, grid.top), (x, grid.top + grid.height), Colour.GRAPH, width)
    yield box(grid.left, grid.top, grid.width, grid.height, 3, stroke=Colour.PENCIL, line=2.5)


def _numbers(grid: _Grid, position: Position) -> Iterator[Shape]:
    """The size of every group, in its middle."""
    rows, columns = runs_of(position.rows), runs_of(position.columns)
    if len(rows) * len(columns) > _MOST_GROUPS:
        return
    inset = min(5.0, 0.09 * grid.side)
    for down in rows:
        for across in columns:
            size = str(down.length * across.length)
            wide, high = across.length * grid.side, down.length * grid.side
            room = min(0.62 * high, 1.3 * wide / len(size), 0.4 * wide + 14, 58)
            at = grid.left + across.first * grid.side + wide / 2, grid.top + down.first * grid.side + high / 2
            start = at[0] - wide / 2 + inset, at[1] - high / 2 + inset
            yield box(
                *start,
                wide - 2 * inset,
                high - 2 * inset,
                min(12, 0.2 * grid.side),
                stroke=Colour.GROUP_EDGE,
                line=min(2.5, 0.1 * grid.side),
            )
            yield centred_text(at, size, room, Colour.GROUP_INK, bold=True)


def _line(grid: _Grid, move: Move, words: Words, *, last: bool) -> Group:
    """A line drawn with a pencil through a whole row or column, a little beyond its ends."""
    over = min(14.0, 0.4 * grid.side)
    through = (move.number + 0.5) * grid.side
    if move.kind == "row":
        start = grid.left - over, grid.top + through
        end = grid.left + grid.width + over, grid.top + through
    else:
        start = grid.left + through, grid.top - over
        end = grid.left + through, grid.top + grid.height + over
    width = min(8.0, 0.3 * grid.side)
    colour = Colour.MARK if last else Colour.PENCIL
    shapes: tuple[Shape, ...] = (line(start, end, colour, width),)
    if last:
        # Not by colour alone: the last line is double.
        shapes = (line(start, end, colour, 1.7 * width), line(start, end, Colour.PAPER, 0.45 * width))
    return Group(shapes, title=words("picture.tau.line", text=write(move)), key=write(move))


def _names(grid: _Grid, highlights: Collection[str]) -> Iterator[Shape]:
    """The letters of the columns above, the numbers of the rows on the left; highlighted ones on a ground."""
    if grid.side < _SMALLEST_NAME:
        return
    size = min(23.0, 0.72 * grid.side)
    names = [
        (f"c{letters(column)}", letters(column), (grid.left + (column + 0.5) * grid.side, grid.top - 34))
        for column in range(grid.columns)
    ]
    names += [
        (f"r{row + 1}", str(row + 1), (grid.left - 36, grid.top + (row + 0.5) * grid.side)) for row in range(grid.rows)
    ]
    for key, name, at in names:
        if key in highlights:
            yield box(at[0] - 0.8 * size, at[1] - 0.7 * size, 1.6 * size, 1.4 * size, 6, fill=Colour.ACCENT)
        yield centred_text(at, name, size, Colour.ON_ACCENT if key in highlights else Colour.MUTED)


def _panel(rules: Tau, position: Position, asked: Annotations) -> Iterator[Shape]:
    """The product, the LIMIT, and who is who."""
    words, top, right = asked.words, HEAD + 60, WIDTH - MARGIN
    product = digits(rules.score(position)["product"])
    limit = position.limit
    bid = "-" if position.bid < 0 else digits(position.bid)
    name = words("picture.tau.limit" if limit is not None else "picture.tau.number")
    for row, (word, number) in enumerate(((words("picture.tau.product"), product), (name, bid))):
        yield Text((_PANEL, top + 100 * row), word, 21, Colour.MUTED)
        yield Text((_PANEL, top + 42 + 100 * row), _short(number), _font_size(_short(number)), bold=True)
    yield Text((_PANEL, top + 200), words("picture.tau.left"), 21, Colour.MUTED)
    yield Text((_PANEL, top + 242), str(position.turns_left), 38, bold=True)
    for row, player in enumerate(("high", "low")):
        y = top + 320 + 104 * row
        on_turn = turn_of(rules, position, asked) == player
        yield box(
            _PANEL - 12,
            y - 36,
            right - _PANEL + 12,
            84,
            10,
            fill=Colour.PANEL,
            stroke=Colour.ACCENT if on_turn else None,
            line=4,
        )
        seat = rules.seat(position, player)
        who = (name_of(seat, words) if seat else words("picture.tau.open")) if rules.settings.limit is None else ""
        yield Text((_PANEL + 6, y), player.upper(), 26, bold=True)
        yield Text((right - 10, y), who, 15, Colour.MUTED, anchor="end")
        yield Text((_PANEL + 6, y + 31), words(f"picture.tau.{player}"), 17, Colour.MUTED)


def _short(number: str) -> str:
    """A number in groups of three digits; a very long one by its first digits and how many there are."""
    if len(number) <= _LONGEST:
        return group_digits(number)
    return f"{number[0]}.{number[1:3]} e{len(number) - 1}"


def _font_size(text: str) -> float:
    """The size of letters in which a number has room in the panel."""
    return min(38.0, 1.9 * (WIDTH - MARGIN - _PANEL) / len(text))


def _status(rules: Tau, position: Position, words: Words) -> str:
    turn, outcome = rules.turn(position), rules.outcome(position)
    if turn == OVER and outcome and outcome.winner:
        return words("picture.status.wins", player=name_of(outcome.winner, words))
    return words(f"picture.status.{'line' if position.high is not None else 'number'}", player=name_of(turn, words))


def _description(rules: Tau, position: Position, words: Words) -> str:
    """The grid in words."""
    settings = rules.settings
    gone = [write(Move("row", row)) for row in _lost_lines(position.rows, settings.rows)]
    gone += [write(Move("column", column)) for column in _lost_lines(position.columns, settings.columns)]
    return words(
        f"picture.tau.seen{'' if position.limit is None else '.limit'}",
        rows=words.plural("picture.tau.rows", settings.rows),
        columns=words.plural("picture.tau.columns", settings.columns),
        lines=", ".join(gone) or words("picture.none"),
        product=_short(digits(rules.score(position)["product"])),
        limit="" if position.limit is None else _short(digits(position.limit)),
        turns=words.plural("picture.tau.turns", position.turns_left),
    )
