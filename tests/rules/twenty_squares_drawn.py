"""Boards of Tau (Twenty Squares) as drawings: what a test says of a position at a glance.

Three lines, row 3 at the top, a sign for each file with a blank between: `.` is an empty square, `1` to `4` a counter
of that player, `A` to `D` two of them on one square.
"""

from textwrap import dedent

from gnomon.boards.routes import RouteBoard
from gnomon.games.twenty_squares.rules import Position, TwentySquares
from tests.rules.playing import play

_ROWS = (3, 2, 1)
_SINGLE, _DOUBLE = "1234", "ABCD"

# Step 13 of player 1 is i2; player 2 stands on the rosette h2 and on c2.
LATE = """
    . . . .
    . . 2 . . . . 2 1 . . .
    . . . .
"""

# On the double board, all in the middle; h2 is a rosette.
FACING = """
    . . . .               . . . .
    . . . . . 1 3 2 . . . . . . .
    . . . .               . . . .
"""


def drawn(text: str) -> str:
    """A drawing as it stands in a test, brought to the margin."""
    return "\n".join(line.rstrip() for line in dedent(text).strip("\n").splitlines())


def position_of(rules: TwentySquares, drawing: str, player: str = "p1", **home: int) -> Position:
    """The position that a drawing shows, `player` to throw, with so many counters at home and the rest in hand."""
    rows = dict(zip(_ROWS, drawn(drawing).splitlines(), strict=True))
    counters: dict[str, list[str]] = {name: [] for name in rules.players}
    for square in rules.board.squares:
        file, row = rules.board.place(square)
        sign = rows[row][2 * file]
        if sign != ".":
            number = (_SINGLE if sign in _SINGLE else _DOUBLE).index(sign)
            counters[rules.players[number]] += [square] * (1 if sign in _SINGLE else 2)
    return rules.set_up(counters, home, player)


def drawing_of(rules: TwentySquares, position: Position) -> str:
    """The drawing of a position."""
    state = rules.state(position)["counters"]
    assert isinstance(state, dict)
    signs = dict.fromkeys(rules.board.squares, ".")
    for number, squares in enumerate(state.values()):
        signs |= {square: (_SINGLE if squares.count(square) == 1 else _DOUBLE)[number] for square in squares}
    return "\n".join(_line(rules.board, signs, row) for row in _ROWS)


def rules_of(**settings: object) -> TwentySquares:
    """The rules under settings."""
    return TwentySquares.from_settings(settings)


def thrown(rules: TwentySquares, drawing: str, number: int, player: str = "p1", **home: int) -> Position:
    """The position that a drawing shows, after a throw."""
    return play(rules, position_of(rules, drawing, player, **home), f"throw:{number}")


def _line(board: RouteBoard, signs: dict[str, str], row: int) -> str:
    files = {board.place(square)[0]: sign for square, sign in signs.items() if board.place(square)[1] == row}
    return " ".join(files.get(file, " ") for file in range(max(files) + 1))
