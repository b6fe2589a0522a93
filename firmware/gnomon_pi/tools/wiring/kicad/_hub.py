"""Lay out a hub: eight registers in a row, each with the plug of its space, and a plug at either end of the chain.

A register belongs to one space, or to eight squares of a row, so that all hubs are alike and nothing crosses: the poles
of a plug lie in the order of the pins of its register. What belongs to one register runs down the front, what belongs
to all along the back. Each way is a rule; nothing is searched for.
"""

from collections.abc import Iterator
from typing import Final

from gnomon_pi.tools.wiring import _catalogue as catalogue
from gnomon_pi.tools.wiring._netlist import GND, IR, V3, V5
from gnomon_pi.tools.wiring._places import CLOCK, DATA, LATCH
from gnomon_pi.tools.wiring.kicad._board import (
    BACK,
    FRONT,
    CircuitBoard,
    Hole,
    Label,
    Placed,
    Point,
    Track,
    Via,
    ground_pour,
    path,
)
from gnomon_pi.tools.wiring.kicad._stock import FLAT, RIBBON, STOCK

TILES: Final = 8
WIDTH: Final = 100.0
HEIGHT: Final = 37.5
NEXT: Final = "NEXT"
"""The data that the next hub sends."""
LIT: Final = ("D", "C", "B", "A", GND, V5, IR, V3, "F", "E")
DARK: Final = ("D", "C", "B", "A", GND, V3, "H", "G", "F", "E")
"""The poles of a plug from its left, its opening looking up: the letters are the inputs of the register."""
CHAIN: Final = (V5, V5, IR, IR, V3, GND, CLOCK, GND, LATCH, DATA)
"""The poles of the ribbon between hubs. Behind the last one, data is bridged with its neighbour, ground."""
PINS: Final = {"A": "11", "B": "12", "C": "13", "D": "14", "E": "3", "F": "4", "G": "5", "H": "6"}
_PITCH: Final = 12.0
_FIRST: Final = 8.0
_PLUG_ROW: Final = 4.0
_PAD_ROW: Final = _PLUG_ROW + 1.19
_CHIP_ROW: Final = 13.75
_LEG: Final = 1.27
_HEAD: Final = _CHIP_ROW - 3.5 * _LEG
"""The row of the pins 8 and 9; the others follow downwards."""
_LEGS: Final = 2.475
_LANE: Final = 0.38
_LEFT_LANE, _RIGHT_LANE = -4.7, 5.04
_FAN_ROW, _FAN_STEP = 6.4, 0.4
_VIA_ASIDE: Final = 4.1
_CAPACITOR: Final = Point(-2.6, 19.9)
_CLOCK_ROW, _LATCH_ROW = _HEAD + 6 * _LEG, _HEAD + 7 * _LEG
_UPPER_GROUND, _LOWER_GROUND, _BOTTOM_GROUND = 8.2, 19.9, 35.2
_RAILS: Final = {V3: (21.5, 1.0), V5: (23.25, 1.5), IR: (25.25, 1.5)}
_RIBBON_ROW: Final = 30.25
_IN, _OUT = 6.0, 78.0
_DATA_ROW: Final = 34.1
_THIN: Final = 0.2
_BIG: Final = (0.8, 0.4)


def hub_name(*, lit: bool) -> str:
    """What a hub is called."""
    return "hub" if lit else "hub-dark"


def hub(*, lit: bool) -> CircuitBoard:
    """The hub of spaces with emitters, or of a matrix of switches alone."""
    poles = LIT if lit else DARK
    rails = (V3, V5, IR) if lit else (V3,)
    parts = (
        *(part for tile in range(TILES) for part in _tile_parts(tile, poles)),
        Placed("C9", STOCK[catalogue.C10U], Point(50, 30), 0, {"1": V3, "2": GND}),
        Placed("J9", RIBBON, Point(_IN, _RIBBON_ROW), 0, _ribbon(DATA, rails), "IN"),
        Placed("J10", RIBBON, Point(_OUT, _RIBBON_ROW), 0, _ribbon(NEXT, rails), "OUT"),
    )
    copper = [item for tile in range(TILES) for item in _tile_copper(tile, poles)]
    copper += [*_ends(rails)]
    copper += _buses(rails, copper)
    return CircuitBoard(
        hub_name(lit=lit), "Hub of eight registers", WIDTH, HEIGHT, parts,
        tracks=tuple(item for item in copper if isinstance(item, Track)),
        vias=tuple(item for item in copper if isinstance(item, Via)),
        holes=(Hole(Point(36, 31.5), 3.2), Hole(Point(64, 31.5), 3.2)),
        labels=(
            *(Label(str(tile), Point(_x(tile) + 3.0, 24.5), 1.2) for tile in range(TILES)),
            Label("IN", Point(26.5, 31.5), 1.5), Label("OUT", Point(70.0, 31.5), 1.5),
            Label("Gnomon hub", Point(50, 33.0), 1.5),
        ),
        pours=ground_pour(WIDTH, HEIGHT), supplies=(GND, *rails), routed=True,
    )  # fmt: skip


def _x(tile: int) -> float:
    return _FIRST + _PITCH * tile


def _ribbon(data: str, rails: tuple[str, ...]) -> dict[str, str]:
    nets = {str(number): data if pole == DATA else pole for number, pole in enumerate(CHAIN, start=1)}
    return {number: net for number, net in nets.items() if net not in (V5, IR) or net in rails}


def _net(tile: int, pole: str) -> str:
    return f"{pole}{tile}" if pole in PINS else pole


def _tile_parts(tile: int, poles: tuple[str, ...]) -> Iterator[Placed]:
    x = _x(tile)
    # The opening looks up, so that pole 1 is on the right.
    plug = {str(10 - place): _net(tile, pole) for place, pole in enumerate(poles)}
    yield Placed(f"J{tile + 1}", FLAT, Point(x, _PLUG_ROW), 180, plug, str(tile))
    chip = {"1": LATCH, "2": CLOCK, "8": GND, "15": GND, "16": V3}
    chip |= {pin: _net(tile, letter) if letter in poles else V3 for letter, pin in PINS.items()}
    chip |= {"9": _data_net(tile), "10": _data_net(tile + 1)}
    yield Placed(f"U{tile + 1}", STOCK[catalogue.HC165], Point(x, _CHIP_ROW), 180, chip, str(tile))
    at = Point(x + _CAPACITOR.x, _CAPACITOR.y)
    yield Placed(f"C{tile + 1}", STOCK[catalogue.C100N], at, 0, {"1": V3, "2": GND})


def _data_net(tile: int) -> str:
    """The net of what a register sends towards the Pi."""
    return {0: DATA, TILES: NEXT}.get(tile, f"Q{tile}")


def _pin_row(pin: int) -> float:
    return _HEAD + (pin - 9 if pin > TILES else TILES - pin) * _LEG


def _tile_copper(tile: int, poles: tuple[str, ...]) -> Iterator[Track | Via]:
    x, lit = _x(tile), V5 in poles
    pads = {pole: round(0.5 * place - 2.25, 2) for place, pole in enumerate(poles)}

    def line(net: str, side: str, *points: tuple[float, float]) -> Iterator[Track]:
        return path(net, side, _THIN, *(Point(round(x + dx, 4), y) for dx, y in points))

    def via(net: str, dx: float, y: float) -> Via:
        return Via(net, Point(round(x + dx, 4), y))

    left, right = [pole for pole in "ABCD" if pole in pads], [pole for pole in "EFGH" if pole in pads]
    for place, letter in enumerate(left):
        lane, fan = _LEFT_LANE - _LANE * place, _FAN_ROW + _FAN_STEP * (3 - place)
        row = _pin_row(int(PINS[letter]))
        way = ((pads[letter], _PAD_ROW), (pads[letter], fan), (lane, fan), (lane, row), (-_LEGS, row))
        yield from line(_net(tile, letter), FRONT, *way)
    for place, letter in enumerate(right):
        lane, fan = _RIGHT_LANE - _LANE * place, _FAN_ROW + _FAN_STEP * place
        row = _pin_row(int(PINS[letter]))
        way = ((pads[letter], _PAD_ROW), (pads[letter], fan), (lane, fan), (lane, row), (_LEGS, row))
        yield from line(_net(tile, letter), FRONT, *way)
    # The chain: out to the left of pin 9, and from under the chip at pin 10 to the next one.
    yield from line(_data_net(tile), FRONT, (-_LEGS, _HEAD), (-_VIA_ASIDE, _HEAD))
    yield via(_data_net(tile), -_VIA_ASIDE, _HEAD)
    yield from line(_data_net(tile + 1), FRONT, (-_LEGS, _pin_row(10)), (-1.0, _pin_row(10)))
    yield via(_data_net(tile + 1), -1.0, _pin_row(10))
    if tile + 1 < TILES:
        beyond = _PITCH - _VIA_ASIDE
        yield from line(_data_net(tile + 1), BACK, (-1.0, _pin_row(10)), (beyond, _pin_row(10)), (beyond, _HEAD))
    for net, row in ((CLOCK, _CLOCK_ROW), (LATCH, _LATCH_ROW)):
        yield from line(net, FRONT, (_LEGS, row), (_VIA_ASIDE, row))
        yield via(net, _VIA_ASIDE, row)
    # Ground goes down beside pin 15 to the capacitor and the back; pin 8 has a via of its own.
    ground = pads[GND]
    yield from line(GND, FRONT, (ground, _PAD_ROW), (ground, _LOWER_GROUND), (_CAPACITOR.x + 0.775, _LOWER_GROUND))
    yield from line(GND, FRONT, (-_LEGS, _pin_row(15)), (ground, _pin_row(15)))
    yield via(GND, -0.4, _LOWER_GROUND)
    aside = _VIA_ASIDE if lit else 0.95
    yield from line(GND, FRONT, (_LEGS, _HEAD), (aside, _HEAD))
    yield via(GND, aside, _HEAD)
    yield from line(GND, BACK, (aside, _HEAD), (aside, _UPPER_GROUND))
    yield from _tile_supplies(x, pads, lit=lit)


def _tile_supplies(x: float, pads: dict[str, float], *, lit: bool) -> Iterator[Track | Via]:
    def line(net: str, *points: tuple[float, float]) -> Iterator[Track]:
        return path(net, FRONT, _THIN, *(Point(round(x + dx, 4), y) for dx, y in points))

    # Each way steps aside before its via, which would come too near to the next one.
    for net, aside in ((V3, 0.2), (V5, -0.15), (IR, 0.0)):
        if net in pads:
            row = _RAILS[net][0]
            way = (
                (pads[net], _PAD_ROW),
                (pads[net], row - 0.8),
                (pads[net] + aside, row - 0.6),
                (pads[net] + aside, row),
            )
            yield from line(net, *way)
            yield Via(net, Point(round(x + pads[net] + aside, 4), row))
    corner = _CAPACITOR.x - 0.775
    yield from line(V3, (-_LEGS, _LATCH_ROW), (corner, _LATCH_ROW), (corner, _RAILS[V3][0]))
    yield Via(V3, Point(round(x + corner, 4), _RAILS[V3][0]))
    if lit:  # Inputs that no plug brings are held at the level at which they are off.
        for letter in "GH":
            row = _pin_row(int(PINS[letter]))
            yield from line(V3, (_LEGS, row), (pads[V3], row))


def _buses(rails: tuple[str, ...], copper: list[Track | Via]) -> list[Track]:
    """What runs along all registers, from the first via on it to the last."""
    found = []
    rows = {CLOCK: (_CLOCK_ROW, 0.3), LATCH: (_LATCH_ROW, 0.3)} | {net: _RAILS[net] for net in rails}
    for net, (row, width) in rows.items():
        ends = [item.at.x for item in copper if isinstance(item, Via) and item.net == net and item.at.y == row]
        ends += [
            item.start.x
            for item in copper
            if isinstance(item, Track) and item[:2] == (net, BACK) and item.start.y == row
        ]
        found.append(Track(net, BACK, Point(min(ends), row), Point(max(ends), row), width))
    left, right = 0.8, WIDTH - 0.8
    grounds = ((_UPPER_GROUND, 0.5), (_LOWER_GROUND, 0.5), (_BOTTOM_GROUND, 0.8))
    found += (Track(GND, BACK, Point(left, row), Point(right, row), width) for row, width in grounds)
    sides = (Track(GND, BACK, Point(x, _UPPER_GROUND), Point(x, _BOTTOM_GROUND), 0.5) for x in (left, right))
    return [*found, *sides]


def _ends(rails: tuple[str, ...]) -> Iterator[Track | Via]:
    """The ways to the two plugs of the chain, and to the large capacitor."""
    lower = _RIBBON_ROW + 2.54
    for first, data, edge in ((_IN, DATA, 1.6), (_OUT, NEXT, WIDTH - 1.6)):
        column = [first + 2.54 * number for number in range(5)]
        if V5 in rails:
            yield Track(V5, FRONT, Point(column[0], _RAILS[V5][0]), Point(column[0], lower), 1.5)
            for aside in (-0.45, 0.45):
                yield Via(V5, Point(column[0] + aside, _RAILS[V5][0]), *_BIG)
            yield Track(IR, BACK, Point(column[1], _RAILS[IR][0]), Point(column[1], lower), 1.5)
        yield Track(V3, FRONT, Point(column[2], _RAILS[V3][0]), Point(column[2], _RIBBON_ROW), 1.0)
        yield Via(V3, Point(column[2], _RAILS[V3][0]), *_BIG)
        for x in column[2:4]:
            yield Track(GND, BACK, Point(x, lower), Point(x, _BOTTOM_GROUND), 1.0)
        yield Via(CLOCK, Point(column[3], _CLOCK_ROW))
        yield Track(CLOCK, FRONT, Point(column[3], _CLOCK_ROW), Point(column[3], _RIBBON_ROW), _THIN)
        latch = column[4] - 0.96
        yield Via(LATCH, Point(latch, _LATCH_ROW))
        yield from path(
            LATCH, FRONT, _THIN, Point(latch, _LATCH_ROW), Point(latch, 27.5), Point(column[4], 28.46),
            Point(column[4], _RIBBON_ROW),
        )  # fmt: skip
        begin = Point(_x(0) - _VIA_ASIDE, _HEAD) if data == DATA else Point(_x(TILES - 1) - 1.0, _pin_row(10))
        yield from path(data, BACK, _THIN, begin, Point(edge, begin.y))
        yield Via(data, Point(edge, begin.y))
        yield from path(
            data, FRONT, _THIN, Point(edge, begin.y), Point(edge, _DATA_ROW), Point(column[4], _DATA_ROW),
            Point(column[4], lower),
        )  # fmt: skip
    for x, net, row in ((49.05, V3, _RAILS[V3][0]), (50.95, GND, _BOTTOM_GROUND)):
        yield Track(net, FRONT, Point(x, 30), Point(x, row), 0.5)
        yield Via(net, Point(x, row), *_BIG)
