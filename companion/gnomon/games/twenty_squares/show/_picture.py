"""Draw the picture of a Tau (Twenty Squares) position: any of its four boards, the counters and the throw.

Players differ by the shape of their counters as well as by colour: discs, squares, triangles and lozenges.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from math import hypot
from typing import Any, Final, NamedTuple

from gnomon.boards.routes import RouteBoard
from gnomon.games.twenty_squares.rules import NO_THROW, Position, TwentySquares
from gnomon.games.twenty_squares.rules.dice import COWRIES, STICKS
from gnomon.rules.protocol import OVER
from gnomon.views.phrases import join_items
from gnomon.views.pictures.drawing import Circle, Drawing, Group, Path, Point, Polygon, Shape, Text
from gnomon.views.pictures.figures import QUARTER, around, arrow, box, line, regular
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
from gnomon.words import Words

_WIDEST: Final = 74.0  # a square
_TRAYS: Final = 78.0  # the height of one row of trays
_GAP: Final = 40.0  # between trays and board
_DICE: Final = 126.0
_ROWS: Final = 3
_COLOURS: Final = ((Colour.FIRST, Colour.FIRST_EDGE), (Colour.SECOND, Colour.SECOND_EDGE))
_PETALS: Final = 8
_CUBE: Final = "cube"
_COWRIES: Final = "cowries"
# Where the pips of a die lie, in thirds from its middle.
_PIPS: Final = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
}


class _Plan(NamedTuple):
    """Where a board of routes lies on the sheet."""

    board: RouteBoard
    left: float
    top: float
    side: float
    files: int

    def centre(self, square: str) -> Point:
        """The middle of a square; row 3 is the uppermost."""
        file, row = self.board.place(square)
        return self.left + (file + 0.5) * self.side, self.top + (_ROWS - row + 0.5) * self.side


def picture(rules: TwentySquares, position: Position, asked: Annotations) -> Drawing:
    """A position of Tau (Twenty Squares); highlights are squares such as "d2"."""
    board, words = rules.board, asked.words
    files = 1 + max(board.place(square)[0] for square in board.squares)
    side = min(_WIDEST, (WIDTH - 2 * MARGIN - 44) / files)
    top = HEAD + _TRAYS + _GAP
    plan = _Plan(board, (WIDTH - files * side) / 2 + 12, top, side, files)
    height = 2 * (_TRAYS + _GAP) + _ROWS * side + _DICE + 40
    state = _State.of(rules, position)
    shapes = (
        *_ground(plan),
        *(_square(plan, square, words) for square in board.squares),
        *_routes(plan),
        *_names(plan),
        *_last(plan, asked.last_move),
        *(_mark(plan, square) for square in asked.highlights if square in board.squares),
        *_counters(plan, rules, state, words),
        *_trays(rules, position, state, top + _ROWS * side + _GAP + 24, asked),
        *_dice(rules, position, HEAD + height - _DICE, asked),
    )
    seen = PictureText(rules.title, _status(rules, position, words), _description(rules, state, words))
    return frame(seen, asked, height, shapes)


class _State(NamedTuple):
    """Where all counters are, by player."""

    hand: Sequence[int]
    home: Sequence[int]
    counters: Sequence[Sequence[str]]

    @classmethod
    def of(cls, rules: TwentySquares, position: Position) -> "_State":
        """What the rules say of a position."""
        said: Mapping[str, Any] = rules.state(position)
        return cls(*([said[key][name] for name in rules.players] for key in ("hand", "home", "counters")))


def _team(rules: TwentySquares, player: int) -> int:
    return rules.board.teams[player]


def _ground(plan: _Plan) -> Iterator[Shape]:
    """The wood around the squares, and its shadow."""
    for drop, colour in ((7.0, Colour.FRAME_SHADE), (0.0, Colour.BOARD_EDGE)):
        for square in plan.board.squares:
            x, y = plan.centre(square)
            size = plan.side + 24
            yield box(x - size / 2, y - size / 2 + drop, size, size, 12, fill=colour)


def _square(plan: _Plan, square: str, words: Words) -> Group:
    """A square, with its rosette or its inlay."""
    (x, y), side = plan.centre(square), plan.side
    rosette = square in plan.board.rosettes
    half = 0.47 * side
    shapes: list[Shape] = [box(x - half, y - half, 2 * half, 2 * half, 5, fill=Colour.BOARD)]
    if rosette:
        shapes += _rosette((x, y), 0.4 * side)
    else:
        shapes += _inlay((x, y), side, plan.board.place(square))
    if square in plan.board.marked:
        shapes += [Circle((x, y), radius * side, stroke=Colour.INLAY_DEEP, width=0.035 * side) for radius in (0.2, 0.3)]
    kind = "rosette" if rosette else "marked" if square in plan.board.marked else ""
    title = words(f"picture.twenty-squares.{kind}", square=square) if kind else square
    return Group(tuple(shapes), title=title, key=square)


def _rosette(at: Point, radius: float) -> Iterator[Shape]:
    """A flower of eight petals in a circle."""
    yield Circle(at, 1.08 * radius, fill=Colour.PAPER, stroke=Colour.INLAY_DEEP, width=0.09 * radius)
    for petal in range(_PETALS):
        turn = 360 / _PETALS * petal
        tip, left, right = (
            around(at, radius, turn),
            around(at, 0.62 * radius, turn - 27),
            around(at, 0.62 * radius, turn + 27),
        )
        colour = Colour.INLAY if petal % 2 else Colour.INLAY_DEEP
        yield Path(at, ((left, left, tip), (right, right, at)), closed=True, fill=colour)
    yield Circle(at, 0.17 * radius, fill=Colour.PAPER, stroke=Colour.INLAY_DEEP, width=0.06 * radius)


def _inlay(at: Point, side: float, place: tuple[int, int]) -> Iterator[Shape]:
    """The quiet pattern of an ordinary square: a frame with four eyes, or five points, by turns."""
    x, y = at
    half = 0.38 * side
    yield box(x - half, y - half, 2 * half, 2 * half, 2, stroke=Colour.BOARD_LINE, line=0.025 * side)
    if sum(place) % 2:
        yield Polygon(regular(at, 0.33 * side, 4, -90), stroke=Colour.BOARD_LINE, width=0.02 * side)
        yield Circle(at, 0.07 * side, fill=Colour.BOARD_LINE)
    else:
        for across in (-1, 1):
            for down in (-1, 1):
                eye = x + across * 0.2 * side, y + down * 0.2 * side
                yield Circle(eye, 0.1 * side, stroke=Colour.BOARD_LINE, width=0.022 * side)
                yield Circle(eye, 0.035 * side, fill=Colour.BOARD_LINE)


def _routes(plan: _Plan) -> Iterator[Shape]:
    """Where counters walk: an arrow head from each square to the next, an arrow where a route leaves the board."""
    steps = dict.fromkeys(step for walked in plan.board.routes for step in pairwise(walked))
    for start, end in steps:
        aside = 0.2 * plan.side if (end, start) in steps else 0.0
        yield _head(plan.centre(start), plan.centre(end), 0.105 * plan.side, aside)
    for ahead, last in dict.fromkeys((walked[-2], walked[-1]) for walked in plan.board.routes):
        (x0, y0), (x, y) = plan.centre(ahead), plan.centre(last)
        step = (x - x0) / plan.side, (y - y0) / plan.side
        foot = x + step[0] * 0.7 * plan.side, y + step[1] * 0.7 * plan.side
        tip = x + step[0] * 1.05 * plan.side, y + step[1] * 1.05 * plan.side
        yield from arrow(foot, tip, Colour.ROUTE, 0.06 * plan.side)


def _head(start: Point, end: Point, size: float, aside: float) -> Polygon:
    """An arrow head between two squares; where routes run both ways each keeps to its right."""
    length = hypot(end[0] - start[0], end[1] - start[1])
    x, y = (end[0] - start[0]) / length, (end[1] - start[1]) / length
    middle = (start[0] + end[0]) / 2 - y * aside, (start[1] + end[1]) / 2 + x * aside
    tail = middle[0] - x * size * 0.6, middle[1] - y * size * 0.6
    tip = middle[0] + x * size, middle[1] + y * size
    corners = (tip, (tail[0] - y * size, tail[1] + x * size), (tail[0] + y * size, tail[1] - x * size))
    return Polygon(corners, fill=Colour.TILE, stroke=Colour.BOARD_EDGE, width=0.25 * size)


def _names(plan: _Plan) -> Iterator[Shape]:
    """The letters of the files below the board, the numbers of the rows on its left, as players write them."""
    bottom = plan.top + _ROWS * plan.side + 30
    for file in range(plan.files):
        yield centred_text((plan.left + (file + 0.5) * plan.side, bottom), chr(ord("a") + file), 21, Colour.MUTED)
    for row in range(1, _ROWS + 1):
        yield centred_text(
            (plan.left - (32 if _leaves_right(plan) else 56), plan.top + (_ROWS - row + 0.5) * plan.side),
            str(row),
            21,
            Colour.MUTED,
        )


def _leaves_right(plan: _Plan) -> bool:
    """Whether every route leaves the board at its right end, so that nothing is in the way on the left."""
    return all(walked[-1] > walked[-2] for walked in plan.board.routes)


def _last(plan: _Plan, text: str) -> Iterator[Shape]:
    """Frames around the squares of the last move: drawn through where the counter stands, dashed where it stood."""
    left, _, entered = text.partition("-")
    for square, dash in ((left, (0.12, 0.13)), (entered, ())):
        if square in plan.board.squares:
            (x, y), half = plan.centre(square), 0.46 * plan.side
            corners = (x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half)
            pattern = tuple(part * plan.side for part in dash)
            steps = tuple((corner,) for corner in (*corners[1:], corners[0]))
            yield Path(corners[0], steps, closed=not dash, stroke=Colour.MARK, width=0.06 * plan.side, dash=pattern)


def _mark(plan: _Plan, square: str) -> Shape:
    return Circle(plan.centre(square), 0.42 * plan.side, stroke=Colour.ACCENT, width=0.07 * plan.side)


def _counters(plan: _Plan, rules: TwentySquares, state: _State, words: Words) -> Iterator[Shape]:
    """The counters on the board; on a square with several stands their number."""
    for player, squares in enumerate(state.counters):
        for square in dict.fromkeys(squares):
            number, at = list(squares).count(square), plan.centre(square)
            shapes = [*_counter(at, 0.33 * plan.side, player, _team(rules, player))]
            if number > 1:
                shapes.append(centred_text(at, str(number), 0.32 * plan.side, Colour.PAPER, bold=True))
            title = words.plural(
                "picture.twenty-squares.counter",
                number,
                player=player_name(rules.players[player], words),
                square=square,
            )
            yield Group(tuple(shapes), title=title, key=square)


def _counter(at: Point, radius: float, player: int, team: int) -> Iterator[Shape]:
    """One counter, by player: disc, square, triangle, lozenge, as pages mark them; the colour is the team's."""
    x, y = at
    fill, edge = _COLOURS[team]
    width = 0.13 * radius
    if player == 0:
        yield Circle(at, radius, fill=fill, stroke=edge, width=width)
        yield Circle(at, 0.62 * radius, stroke=Colour.PAPER, width=0.09 * radius)
        return
    corners, turned, size, lift = ((4, 45, 1.25, 0.0), (3, -90, 1.25, 0.22), (4, -90, 1.2, 0.0))[player - 1]
    for part, colour, stroke in ((1.0, fill, edge), (0.58, None, Colour.PAPER)):
        points = regular((x, y + lift * radius), part * size * radius, corners, turned)
        yield Polygon(points, fill=colour, stroke=stroke, width=width if colour else 0.09 * radius)


def _trays(
    rules: TwentySquares, position: Position, state: _State, below: float, asked: Annotations
) -> Iterator[Group]:
    """Above and below the board: what each player has in hand and has brought home."""
    rows = [[player for player, walked in enumerate(rules.board.routes) if walked[0][1] == row] for row in "31"]
    for top, players in zip((HEAD + 18, below), rows, strict=True):
        wide = (WIDTH - 2 * MARGIN - 16 * (len(players) - 1)) / len(players)
        for place, player in enumerate(players):
            on_turn = turn_of(rules, position, asked) != OVER and position.player == player
            yield _tray(rules, state, player, (MARGIN + place * (wide + 16), top, wide), asked.words, on_turn=on_turn)


def _tray(  # noqa: PLR0913  # whose tray, where, and how it is told
    rules: TwentySquares,
    state: _State,
    player: int,
    place: tuple[float, float, float],
    words: Words,
    *,
    on_turn: bool,
) -> Group:
    left, top, wide = place
    middle, team = top + _TRAYS / 2 - 8, _team(rules, player)
    count = rules.settings.counters
    room = (wide - 186) / 2
    pitch = min(44.0, room / count)
    radius = min(15.5, 0.38 * pitch)
    shapes: list[Shape] = [
        box(left, top, wide, _TRAYS - 16, 12, fill=Colour.PANEL, stroke=Colour.ACCENT if on_turn else None, line=4),
        *_name((left + 34, middle), player_name(rules.players[player], words)),
    ]
    hand, home = state.hand[player], state.home[player]
    for word, number, start in (("hand", hand, left + 62), ("home", home, left + 124 + room)):
        shapes.append(Text((start, middle + 6), words(f"picture.twenty-squares.{word}"), 17, Colour.MUTED))
        for slot in range(count):
            at = start + 50 + (slot + 0.5) * pitch, middle
            shapes += (
                _counter(at, radius, player, team) if slot < number else [Circle(at, 0.2 * radius, fill=Colour.FAINT)]
            )
    title = words("picture.twenty-squares.tray", player=player_name(rules.players[player], words), hand=hand, home=home)
    return Group(tuple(shapes), title=title, key=rules.players[player])


def _name(at: Point, name: str) -> Iterator[Text]:
    """A player's name in the room that a tray has for it: the number below the word."""
    (x, y), (word, _, number) = at, name.rpartition(" ")
    yield centred_text((x, y - 13), word, 15, Colour.MUTED)
    yield centred_text((x, y + 9), number, 26, bold=True)


def _dice(rules: TwentySquares, position: Position, top: float, asked: Annotations) -> Iterator[Shape]:
    """The throw: sticks, cowries or a cube as they lie on the table, and the number that they count."""
    words = asked.words
    yield Text((MARGIN, top + _DICE - 20), words("picture.twenty-squares.conjectural"), 18, Colour.MUTED)
    if position.throw == NO_THROW:
        due = f"picture.status.{'again' if position.entering else 'throw'}"
        told = (
            words(due, player=player_name(rules.players[position.player], words))
            if turn_of(rules, position, asked) != OVER
            else ""
        )
        yield centred_text((WIDTH / 2, top + 52), told, 24, Colour.MUTED)
        return
    middle = top + 54
    number = position.throw
    if rules.settings.dice == _CUBE:
        shapes: Iterable[Shape] = _cube((WIDTH / 2 - 40, middle), number)
        beside = WIDTH / 2 + 20
    else:
        count = COWRIES if rules.settings.dice == _COWRIES else STICKS
        flat = number if number <= count else 0  # Rule 2: none counts one more than all.
        beside = WIDTH / 2 - 10 + 23 * count
        shapes = _sticks((WIDTH / 2 - 40, middle), count, flat, shells=rules.settings.dice == _COWRIES)
    shown = (*shapes, Text((beside, middle + 20), str(number), 58, bold=True))
    yield Group(shown, title=words("picture.twenty-squares.throw", number=number), key="throw")


def _cube(at: Point, number: int) -> tuple[Shape, ...]:
    x, y = at
    die = box(x - 36, y - 36, 72, 72, 14, fill=Colour.STICK, stroke=Colour.STICK_BACK, line=3)
    return (
        die,
        *(Circle((x + 20 * across, y + 20 * down), 7, fill=Colour.STICK_BACK) for across, down in _PIPS[number]),
    )


def _sticks(at: Point, count: int, flat: int, *, shells: bool) -> Iterator[Shape]:
    """Two-sided pieces side by side; the first of them lie flat side, or opening, up."""
    for piece in range(count):
        x, y = at[0] + (piece - (count - 1) / 2) * 46, at[1] + (-5, 4, -2, 6, 0)[piece]
        up = piece < flat
        fill, sign = (Colour.STICK, Colour.STICK_BACK) if up else (Colour.STICK_BACK, Colour.STICK)
        if shells:
            yield _oval((x, y), 17, 27, fill)
            yield _oval((x, y), 3, 19, sign) if up else line((x - 6, y - 8), (x - 6, y + 4), sign, 4)
            continue
        yield box(x - 12, y - 44, 24, 88, 12, fill=fill, stroke=Colour.STICK_BACK, line=3)
        if up:
            yield line((x, y - 26), (x, y + 26), sign, 2.5)
        else:
            for notch in (-18, 0, 18):
                yield line((x - 5, y + notch - 4), (x + 5, y + notch + 4), sign, 2.5)
                yield line((x - 5, y + notch + 4), (x + 5, y + notch - 4), sign, 2.5)


def _oval(at: Point, half_width: float, half_height: float, fill: Colour) -> Path:
    (x, y), a, b = at, half_width, half_height
    kx, ky = a * QUARTER, b * QUARTER
    steps = (
        ((x + kx, y - b), (x + a, y - ky), (x + a, y)),
        ((x + a, y + ky), (x + kx, y + b), (x, y + b)),
        ((x - kx, y + b), (x - a, y + ky), (x - a, y)),
        ((x - a, y - ky), (x - kx, y - b), (x, y - b)),
    )
    return Path((x, y - b), steps, closed=True, fill=fill, stroke=Colour.STICK_BACK, width=2.5)


def _status(rules: TwentySquares, position: Position, words: Words) -> str:
    outcome = rules.outcome(position)
    if outcome is not None and outcome.winner:
        winners = rules.team(outcome.winner)
        if len(winners) > 1:
            return words(
                "picture.status.win", players=join_items((player_name(winner, words) for winner in winners), words)
            )
        return words("picture.status.wins", player=player_name(outcome.winner, words))
    due = "throw" if position.throw == NO_THROW else "moves"
    return words(f"picture.status.{due}", player=player_name(rules.players[position.player], words))


def _description(rules: TwentySquares, state: _State, words: Words) -> str:
    """The board in words, and how sure its rules are."""
    told = [
        words.plural(
            "picture.twenty-squares.seen",
            state.hand[player],
            player=player_name(name, words),
            home=state.home[player],
            squares=", ".join(state.counters[player]) or words("picture.no_square"),
        )
        for player, name in enumerate(rules.players)
    ]
    return f"{'; '.join(told)}. {certainty_sentence(rules.conjecture, words)}"
