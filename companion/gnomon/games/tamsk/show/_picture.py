"""Draw the picture of a TAMSK position: 37 tubes with rings, the glasses with sand, and the two holders.

A space is seen from above. Each circle in it is room for one ring, and each ring lies in one; a tube without room is
closed. Red's glasses have round caps, black's are notched.
"""

from collections.abc import Iterator, Mapping, Sequence
from math import sqrt
from typing import Final

from gnomon.games.tamsk.rules import BLACK, BOARD, CAPACITY, PLAYERS, RED, Move, Position, Tamsk
from gnomon.games.tamsk.rules.notation import read
from gnomon.games.tamsk.rules.position import RINGS_EACH
from gnomon.rules.protocol import OVER
from gnomon.timekeeping.instants import SECOND
from gnomon.views.pictures.drawing import Circle, Drawing, Group, Path, Point, Polygon, Shape, Text
from gnomon.views.pictures.figures import arrow, between, box, line, regular
from gnomon.views.pictures.frame import HEAD, WIDTH, Annotations, PictureText, centred_text, frame, player_name, turn_of
from gnomon.views.pictures.hourglass import GlassLook, empty, hourglass, sand_layers, stream
from gnomon.views.pictures.palette import Colour
from gnomon.views.pictures.svg import number
from gnomon.views.show import PictureArea
from gnomon.words import Clause, Words

_STEP: Final = 104.0  # from a space to its neighbour
_HEIGHT: Final = 782.0
_MIDDLE: Final = (WIDTH / 2, HEAD + _HEIGHT / 2 - 4)
_CORNER: Final = _STEP / sqrt(3)  # from the middle of a space to its corners
_OUTER: Final = 0.435 * _STEP  # the widest groove
_PITCH: Final = 0.06 * _STEP  # from groove to groove
_STAND: Final = (712.0, HEAD + _HEIGHT - 64)  # of the 15-second glass
_GLASS: Final = 0.76 * _STEP
_LOOKS: Final = (GlassLook(Colour.RED), GlassLook(Colour.BLACK, notched=True))
_NEUTRAL: Final = GlassLook(Colour.MUTED, rim=Colour.PAPER)
_EACH: Final = 3  # glasses a player
_RING_HEIGHT: Final = 11.4  # of a ring on a rod


def picture(rules: Tamsk, position: Position, asked: Annotations) -> Drawing:
    """A position of TAMSK; highlights are spaces such as "D4"."""
    last_move, _ = read(asked.last_move) if asked.last_move else (None, False)
    words, turn = asked.words, turn_of(rules, position, asked)
    shapes = (
        *_ground(),
        *(
            _space(position, space, last_move, words, marked=BOARD.names[space] in asked.highlights)
            for space in range(len(BOARD.names))
        ),
        *_last(last_move),
        *(_glass(position, glass, words) for glass in _from_the_back(position)),
        *(_holder(position, player, words, on_turn=turn == PLAYERS[player]) for player in (RED, BLACK)),
        *_timer15(position, words),
    )
    return frame(
        PictureText("Tamsk", _status(rules, position, words), _description(position, words)), asked, _HEIGHT, shapes
    )


def spaces() -> Mapping[str, PictureArea]:
    """The square around each space, as wide as its tube."""
    middles = {name: _centre(space) for space, name in enumerate(BOARD.names)}
    return {name: PictureArea(x - _OUTER, y - _OUTER, 2 * _OUTER, 2 * _OUTER) for name, (x, y) in middles.items()}


def live_board() -> Drawing:
    """The board alone with everything that may stand on it, each part named for the program that moves it.

    The middle of each space is its data `at`; glasses and the ring in a hand are drawn around the origin, to be moved.
    The rings of a space, its lamp, its lid and its edge are there, and the program shows those that are to be seen.
    """
    spaces = range(len(BOARD.names))
    shapes = (
        *_ground(),
        *map(_live_space, spaces),
        *(
            live_glass(look, glass // _EACH, glass)
            for glass, look in enumerate(sorted(_LOOKS * _EACH, key=_LOOKS.index))
        ),
        Group(tuple(_ring_circles((0.0, 0.0), _OUTER - _PITCH / 2)), data=(("part", "ghost"),), hidden=True),
    )
    corners = [corner for space in spaces for corner in regular(_centre(space), _CORNER * 1.04 + 12, 6)]
    left, top = min(x for x, _ in corners), min(y for _, y in corners)
    right, bottom = max(x for x, _ in corners), max(y for _, y in corners) + 11
    return Drawing(right - left, bottom - top, "Tamsk", "", shapes, paper=None, corner=(left, top))


def live_timer() -> Drawing:
    """The 15-second glass alone, its sand to be moved by a program."""
    height = 1.05 * _STEP
    shapes = live_glass(_NEUTRAL, -1, -1, height)
    return Drawing(0.8 * height, 1.1 * height, "", "", (shapes,), paper=None, corner=(-0.4 * height, -0.55 * height))


def live_holder() -> Drawing:
    """A player's rod with all rings, each named for the program that shows as many as there are left."""
    rings = tuple(
        Group((shape,), data=(("ring", str(ring)),))
        for ring, shape in enumerate(_rings_on_rod((60.0, 400.0), RINGS_EACH))
    )
    return Drawing(120, 420, "", "", (*_rod((60.0, 400.0)), *rings), paper=None)


def _live_space(space: int) -> Group:
    at, name, capacity = _centre(space), BOARD.names[space], CAPACITY[space]
    radii = _radii(capacity)
    edge = tuple((corner,) for corner in regular(at, _CORNER * 0.95, 6))
    parts: tuple[tuple[str, tuple[Shape, ...]], ...] = (
        ("plate", (Polygon(regular(at, _CORNER * 0.95, 6), fill=Colour.PLATE),)),
        ("well", (Circle(at, _OUTER, fill=Colour.WELL),)),
        ("grooves", tuple(_grooves(at, radii))),
    )
    above: tuple[tuple[str, tuple[Shape, ...]], ...] = (
        ("lid", (Circle(at, radii[-1] - 0.49 * _PITCH, fill=Colour.PLATE_CLOSED),)),
        ("name", (centred_text(at, name, 21, Colour.WELL_INK),)),
        ("lamp", (Circle(at, _OUTER + 2, stroke=Colour.HINT, width=5),)),
        ("edge", (Path(edge[0][0], edge[1:], closed=True, stroke=Colour.MARK, width=6),)),
    )
    shapes = (
        *(Group(shapes, data=(("part", part),)) for part, shapes in parts),
        *(
            Group(tuple(_ring_circles(at, radius)), data=(("ring", str(slot)),), hidden=True)
            for slot, radius in enumerate(radii)
        ),
        *(Group(shapes, data=(("part", part),)) for part, shapes in above),
    )
    return Group(shapes, data=(("space", name), ("at", f"{number(at[0])} {number(at[1])}")))


def live_glass(look: GlassLook, player: int, glass: int, height: float = _GLASS) -> Group:
    """A glass around the origin, or a little above it where it stands on a space, with a tag at its foot."""
    y = 0.0 if glass < 0 else -0.07 * _STEP
    foot = y + 0.5 * height
    behind, before = empty((0.0, y), height, look)
    cross = (line((-12, y - 12), (12, y + 12), look.rim, 5), line((12, y - 12), (-12, y + 12), look.rim, 5))
    shapes: tuple[Shape, ...] = (
        *behind,
        *sand_layers((0.0, y), height, look),
        Group((stream((0.0, y), height, look),), data=(("part", "stream"),)),
        *before,
    )
    if glass < 0:
        return Group(shapes, data=(("glass", "timer"), ("player", "")))
    tag = (
        Group(
            (box(-19, foot - 6, 38, 24, 8, fill=look.frame, stroke=Colour.RIM, line=2.5),), data=(("part", "short"),)
        ),
        Group((box(-43, foot - 6, 86, 24, 8, fill=look.frame, stroke=Colour.RIM, line=2.5),), data=(("part", "long"),)),
        centred_text((0, foot + 6), "–", 18, Colour.RIM, bold=True),
    )
    parts = (Group(cross, data=(("part", "cross"),)), Group(tag, data=(("part", "tag"),)))
    return Group((*shapes, *parts), data=(("glass", str(glass)), ("player", PLAYERS[player])))


def _centre(space: int) -> Point:
    x, y = BOARD.centre(space)
    return _MIDDLE[0] + x * _STEP, _MIDDLE[1] + y * _STEP


def _ground() -> tuple[Shape, ...]:
    """The frame, as far around the spaces everywhere, and its shadow."""
    spaces = range(len(BOARD.names))
    return tuple(
        Polygon(regular((x, y + drop), _CORNER * 1.04, 6), fill=colour, stroke=colour, width=24)
        for drop, colour in ((11.0, Colour.FRAME_SHADE), (0.0, Colour.FRAME))
        for x, y in map(_centre, spaces)
    )


def _space(position: Position, space: int, last_move: Move | None, words: Words, *, marked: bool) -> Group:
    """One space: its plate, its tube, a groove for each ring that it has room for, and the rings."""
    at, name = _centre(space), BOARD.names[space]
    capacity, rings, full = CAPACITY[space], position.rings_on(space), position.is_full(space)
    radii = _radii(capacity)
    shapes: list[Shape] = [
        Polygon(regular(at, _CORNER * 0.95, 6), fill=Colour.PLATE_CLOSED if full else Colour.PLATE),
        Circle(at, _OUTER, fill=Colour.WELL),
    ]
    shapes += _grooves(at, radii[rings:])
    for radius in radii[:rings]:
        shapes += _ring_circles(at, radius)
    if full:
        shapes.append(Circle(at, radii[-1] - 0.49 * _PITCH, fill=Colour.PLATE_CLOSED))
    if position.glass_on(space) < 0 or position.lifted == space:
        shapes.append(centred_text(at, name, 21, Colour.RIM if marked else Colour.WELL_INK, bold=marked))
    shapes += _edge(at, last=last_move is not None and space in _ends(last_move), marked=marked)
    title = words.plural(f"picture.tamsk.space{'.full' if full else ''}", capacity, name=name, rings=rings)
    return Group(tuple(shapes), title=title, key=name)


def _radii(capacity: int) -> list[float]:
    """How wide the rings of a tube lie, the outermost first."""
    return [_OUTER - _PITCH * (slot + 0.5) for slot in range(capacity)]


def _grooves(at: Point, radii: Sequence[float]) -> Iterator[Circle]:
    return (Circle(at, radius, stroke=Colour.GROOVE, width=0.6 * _PITCH) for radius in radii)


def _ring_circles(at: Point, radius: float) -> Iterator[Circle]:
    yield Circle(at, radius, stroke=Colour.RING_SHADE, width=0.98 * _PITCH)
    yield Circle(at, radius, stroke=Colour.RING, width=0.7 * _PITCH)
    yield Circle(at, radius + 0.1 * _PITCH, stroke=Colour.RING_LIGHT, width=0.16 * _PITCH)


def _edge(at: Point, *, last: bool, marked: bool) -> tuple[Shape, ...]:
    """The edge of a space: drawn through where something came last, dashed where it is highlighted."""
    colour = Colour.MARK if last else Colour.HINT if marked else None
    if colour is None:
        return ()
    first, *others = regular(at, _CORNER * 0.95, 6)
    steps = tuple((corner,) for corner in (*others, first))
    return (Path(first, steps, closed=not marked, stroke=colour, width=6, dash=(13, 12) if marked else ()),)


def _ends(move: Move) -> tuple[int, ...]:
    return tuple(space for space in (move.target, move.free, move.forgotten) if space >= 0)


def _last(move: Move | None) -> tuple[Shape, ...]:
    """An arrow from where the glass of the last move stood to where it stands."""
    if move is None or move.origin < 0:
        return ()
    start = _centre(move.origin)
    if move.target < 0:
        return (Circle(start, 0.2 * _STEP, stroke=Colour.MARK, width=4),)
    end = _centre(move.target)
    return (
        Circle(between(start, end, 0.26), 7, fill=Colour.MARK),
        *arrow(between(start, end, 0.26), between(start, end, 0.66), Colour.MARK, 7),
    )


def _from_the_back(position: Position) -> list[int]:
    """The glasses in the order in which they hide each other."""
    return sorted(range(len(position.glasses)), key=lambda glass: _centre(position.glasses[glass])[1])


def _glass(position: Position, glass: int, words: Words) -> Group:
    """A glass on its space, or above it in the air, with the name of the space at its foot."""
    space, player = position.glasses[glass], glass // _EACH
    lifted = position.lifted == space
    x, y = _centre(space)
    y -= 0.3 * _STEP if lifted else 0.07 * _STEP
    upper, running = _sand(position, glass)
    look = _LOOKS[player]._replace(sand=Colour.SAND_SPENT) if _has_stopped(position, glass) else _LOOKS[player]
    name = BOARD.names[space]
    foot = y + 0.5 * _GLASS
    told = words("picture.tamsk.air") if lifted else _sand_sentence(position, glass, words)
    title = words(f"picture.tamsk.glass.{PLAYERS[player]}", name=name)
    shapes = (
        *hourglass((x, y), _GLASS, upper, look, running=running),
        box(x - 19, foot - 6, 38, 24, 8, fill=look.frame, stroke=Colour.RIM, line=2.5),
        centred_text((x, foot + 6), name, 18, Colour.RIM, bold=True),
    )
    return Group(shapes, title=", ".join(filter(None, (title, told))), key=name)


def _sand(position: Position, glass: int) -> tuple[float, bool]:
    """The part of the sand that is above, and whether it runs; at level 1 a glass only stands there."""
    if not position.sands:
        return 0.0, False
    sand = position.sands[glass]
    return float(sand.fraction(position.now)), sand.is_running(position.now)


def _has_stopped(position: Position, glass: int) -> bool:
    """Whether a glass has run out for good (rule 12); one not yet turned has not (rule 11)."""
    return bool(position.sands) and bool(position.moved >> glass & 1) and not _sand(position, glass)[1]


def _sand_sentence(position: Position, glass: int, words: Words) -> str:
    """What the sand of a glass says in words; nothing at level 1."""
    if not position.sands:
        return ""
    if _sand(position, glass)[1]:
        sand = position.sands[glass]
        left = sand.remaining(position.now)
        if sand.by_eye:
            return f"~{_clock(left)}" if left else words("picture.tamsk.runs")
        return _clock(left)
    return words("picture.tamsk.stopped" if _has_stopped(position, glass) else "picture.tamsk.not_turned")


def _clock(remaining: int) -> str:
    """Minutes and seconds, rounded up, so that 0:00 is only what has run out."""
    minutes, seconds = divmod(-(-remaining // SECOND), 60)
    return f"{minutes}:{seconds:02d}"


def _holder(position: Position, player: int, words: Words, *, on_turn: bool) -> Group:
    """The rod with the rings that a player has left, their name, and the time of their glasses."""
    x = 102.0 if player == RED else WIDTH - 102
    left, colour = position.rings_left[player], (Colour.RED, Colour.BLACK)[player]
    floor = HEAD + 128 + _RING_HEIGHT * RINGS_EACH
    shapes: list[Shape] = [
        box(
            x - 58,
            HEAD + 14,
            116,
            46,
            23 if player == RED else 5,
            fill=colour if on_turn else None,
            stroke=Colour.MUTED if not on_turn else Colour.RIM,
            line=2.5,
        ),
        centred_text(
            (x, HEAD + 37), player_name(PLAYERS[player], words), 25, Colour.RIM if on_turn else Colour.INK, bold=on_turn
        ),
        *_rod((x, floor)),
        *_rings_on_rod((x, floor), left),
        centred_text((x, floor + 52), str(left), 46, bold=True),
        centred_text((x, floor + 88), words.plural("picture.tamsk.left", left), 20, Colour.MUTED),
        *_times(position, player, (x, floor + 126), words),
    ]
    title = words.plural("picture.tamsk.holder", left, player=Clause(player_name(PLAYERS[player], words)))
    return Group(tuple(shapes), title=title)


def _rod(foot: Point) -> tuple[Shape, ...]:
    x, floor = foot
    top = floor - _RING_HEIGHT * RINGS_EACH - 22
    return line((x, top), foot, Colour.MUTED, 7), box(x - 52, floor + 2, 104, 12, 6, fill=Colour.MUTED)


def _rings_on_rod(foot: Point, count: int) -> Iterator[Path]:
    """Rings on a rod, the lowest first."""
    x, floor = foot
    for ring in range(count):
        top = floor - _RING_HEIGHT * (ring + 1) + 1.2
        yield box(x - 42, top, 84, _RING_HEIGHT - 1.2, 5, fill=Colour.RING, stroke=Colour.RING_SHADE, line=1.6)


def _times(position: Position, player: int, at: Point, words: Words) -> tuple[Shape, ...]:
    """Where each glass of a player stands, and what its sand says."""
    if not position.sands:
        return ()
    shapes: list[Shape] = []
    for row, glass in enumerate(range(player * _EACH, (player + 1) * _EACH)):
        y = at[1] + 34 * row
        running = _sand(position, glass)[1]
        shapes.append(Text((at[0] - 58, y), BOARD.names[position.glasses[glass]], 22, bold=True))
        waits = not running and not _has_stopped(position, glass)
        told = words("picture.tamsk.not_yet") if waits else _sand_sentence(position, glass, words)
        size = 16 if waits else 22  # a word, where the others are times
        shapes.append(Text((at[0] + 58, y), told, size, Colour.INK if running else Colour.MUTED, anchor="end"))
    return tuple(shapes)


def _timer15(position: Position, words: Words) -> tuple[Shape, ...]:
    """The 15-second glass of level 3 on its stand."""
    timer = position.timer15
    if timer is None:
        return ()
    x, y = _STAND
    running = timer.is_running(position.now)
    left = -(-timer.remaining(position.now) // SECOND)
    look = _NEUTRAL._replace(frame=Colour.ACCENT) if running else _NEUTRAL
    exact = words("picture.seconds.short", number=left)
    says = exact if not timer.by_eye else f"~{exact}" if left else words("picture.tamsk.runs")
    shapes = (
        *hourglass((x, y), 1.05 * _STEP, float(timer.fraction(position.now)), look, running=running),
        Text((x + 46, y + 12), says if running else words("picture.seconds.short", number=15), 32, bold=running),
    )
    told = says if timer.by_eye and running else words.plural("picture.seconds", left)
    return (Group(shapes, title=words("picture.tamsk.timer15", told=told)),)


def _status(rules: Tamsk, position: Position, words: Words) -> str:
    turn = rules.turn(position)
    if turn != OVER:
        return words("picture.status.moves", player=player_name(turn, words))
    outcome = rules.outcome(position)
    if outcome and outcome.winner:
        return words("picture.status.wins", player=player_name(outcome.winner, words))
    return words("picture.status.draw")


def _description(position: Position, words: Words) -> str:
    """The board in words."""
    glasses = []
    for glass, space in enumerate(position.glasses):
        told = _sand_sentence(position, glass, words)
        key = f"picture.tamsk.seen.glass{'.told' if told else ''}"
        player = Clause(player_name(PLAYERS[glass // _EACH], words))
        glasses.append(words(key, player=player, name=BOARD.names[space], told=told))
    rings = [
        words("picture.tamsk.seen.rings", name=name, rings=position.rings_on(space), capacity=CAPACITY[space])
        for space, name in enumerate(BOARD.names)
        if position.rings_on(space)
    ]
    none = words("picture.none")
    return words("picture.tamsk.seen", glasses=", ".join(glasses), rings=", ".join(rings) or none)
