"""Boards as drawings: what a test says of a TAMSK position at a glance.

Thirteen lines, from D7 at the top to D1 at the bottom. `.` is an empty space, a digit counts its rings, `r` and `b`
are a red and a black glass, with a digit behind if rings lie under it.
"""

from itertools import groupby
from textwrap import dedent

from gnomon.games.tamsk.rules import BOARD, PLAYERS, Position, Tamsk
from gnomon.games.tamsk.rules.position import RINGS, enterable_spaces
from gnomon.timekeeping.glasses import THREE_MINUTES, SandGlass, fifteen_second_glass
from gnomon.timekeeping.instants import SECOND, Duration, Instant

_LINES = [
    sorted(line, key=lambda space: BOARD.centre(space)[0])
    for _, line in groupby(
        sorted(range(len(BOARD.names)), key=lambda space: BOARD.centre(space)[1]),
        key=lambda space: round(2 * BOARD.centre(space)[1]),
    )
]
_WIDTH = 4  # characters a column


def position_of(drawing: str, mover: str = "red", left: tuple[int, int] | None = None) -> Position:
    """The level 1 position that a drawing shows; the rings that lie nowhere are shared out, red first."""
    tokens = dict(zip((space for line in _LINES for space in line), drawing.split(), strict=True))
    rings = {space: int(token.strip("rb.") or 0) for space, token in tokens.items()}
    glasses = tuple(space for letter in "rb" for space in sorted(tokens) if tokens[space].startswith(letter))
    packed = sum(count << 3 * space for space, count in rings.items())
    spare = RINGS - sum(rings.values())
    return Position(
        mover=PLAYERS.index(mover),
        glasses=glasses,
        rings=packed,
        rings_left=left or (spare - spare // 2, spare // 2),
        enterable=enterable_spaces(glasses, packed),
    )


def drawing_of(position: Position) -> str:
    """The drawing of a position."""
    lines = []
    for line in _LINES:
        text = ""
        for space in line:
            token = "" if position.owner_of(space) < 0 else "rb"[position.owner_of(space)]
            token += str(position.rings_on(space) or "")
            text = text.ljust(_WIDTH * BOARD.column(space)) + (token or ".")
        lines.append(text)
    return "\n".join(lines) + "\n"


def drawn(text: str) -> str:
    """A drawing as it stands in a test, brought to the margin."""
    return "\n".join(line.rstrip() for line in dedent(text).strip("\n").splitlines()) + "\n"


def after_the_opening(rules: Tamsk, position: Position, **sand: float) -> Position:
    """The position at level 2 or 3, each glass moved before, with these seconds in the upper bulbs (space=seconds)."""
    position = position._replace(
        sands=tuple(SandGlass.empty((THREE_MINUTES, THREE_MINUTES)) for _ in position.glasses),
        moved=0b111111,
        timer15=fifteen_second_glass() if rules.settings.level == 3 else None,
    )
    for space, seconds in sand.items():
        glass = position.glass_on(BOARD.index[space])
        position = rules.with_sand(position, glass, Duration(round(seconds * SECOND)))
    return rules.with_turn(position, position.mover)._replace(
        forgotten=position.forgotten, penalty=position.penalty, ending=None
    )


def play(rules: Tamsk, position: Position, *texts: str) -> Position:
    """The position after moves in canonical text; `@12.5` lets time come to that second."""
    for text in texts:
        if text.startswith("@"):
            position = rules.elapse(position, Instant(round(float(text[1:]) * SECOND)))
        else:
            position = rules.play(position, rules.parse(position, text))
    return position
