"""Define a circuit board: outline, parts, tracks, vias and what is printed on it (lengths are millimetres)."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from math import cos, radians, sin
from typing import Final, NamedTuple

from gnomon_pi.tools.wiring.kicad._footprints import Footprint, Pad
from gnomon_pi.tools.wiring.kicad._stock import ON_BOARD, StockPart

FRONT: Final = "F.Cu"
BACK: Final = "B.Cu"
SIDES: Final = (FRONT, BACK)
EDGE: Final = 0.45
"""Between copper and the edge of a board, which may be scored: makers ask for 0.4."""


class Point(NamedTuple):
    """A place on a board, from its upper left corner; y grows downwards, as in KiCad."""

    x: float
    y: float


class Box(NamedTuple):
    """A rectangle along the axes."""

    left: float
    top: float
    right: float
    bottom: float

    def with_margin(self, by: float) -> "Box":
        """The rectangle with a margin."""
        return Box(self.left - by, self.top - by, self.right + by, self.bottom + by)


class Track(NamedTuple):
    """Copper of a net, straight, on one side."""

    net: str
    side: str
    start: Point
    end: Point
    width: float


class Via(NamedTuple):
    """A plated hole that joins the two sides."""

    net: str
    at: Point
    diameter: float = 0.6
    drill: float = 0.3


class Hole(NamedTuple):
    """A hole for a screw, without copper."""

    at: Point
    diameter: float


class Pour(NamedTuple):
    """Copper of a net that fills what is free of a rectangle, on both sides."""

    net: str
    box: Box


class Label(NamedTuple):
    """A text on the front."""

    text: str
    at: Point
    size: float = 0.8
    angle: float = 0.0


@dataclass(frozen=True)
class Placed:
    """A part at its place: the net of each of its pads, and what its netlist calls it."""

    reference: str
    stock: StockPart
    at: Point
    angle: float
    nets: Mapping[str, str]
    mark: str = ""
    """What is printed beside it: the space of a plug, the number of a register."""

    @property
    def footprint(self) -> Footprint:
        """Its land pattern."""
        return self.stock.footprint

    @property
    def stands(self) -> bool:
        """Whether it is what elsewhere only a wire leads to."""
        return self.stock in ON_BOARD.values()

    def turn(self, x: float, y: float) -> Point:
        """A place of the footprint on the board."""
        turn = radians(self.angle)
        return Point(
            round(self.at.x + x * cos(turn) + y * sin(turn), 6), round(self.at.y - x * sin(turn) + y * cos(turn), 6)
        )

    def turn_box(self, box: Box) -> Box:
        """A rectangle of the footprint on the board; the part is turned by right angles."""
        one, other = self.turn(box.left, box.top), self.turn(box.right, box.bottom)
        return Box(min(one.x, other.x), min(one.y, other.y), max(one.x, other.x), max(one.y, other.y))

    def pads(self) -> Iterator[tuple[Pad, Box, str]]:
        """Each pad with its copper on the board, and its net."""
        for pad in self.footprint.pads:
            box = Box(pad.x - pad.width / 2, pad.y - pad.height / 2, pad.x + pad.width / 2, pad.y + pad.height / 2)
            yield pad, self.turn_box(box), self.nets.get(pad.number, "")

    @property
    def courtyard(self) -> Box:
        """The room that it takes."""
        return self.turn_box(Box(*self.footprint.courtyard))


@dataclass(frozen=True)
class CircuitBoard:
    """One design: what is ordered in so many pieces."""

    name: str
    title: str
    width: float
    height: float
    parts: tuple[Placed, ...]
    thickness: float = 1.6
    tracks: tuple[Track, ...] = ()
    vias: tuple[Via, ...] = ()
    holes: tuple[Hole, ...] = ()
    labels: tuple[Label, ...] = ()
    pours: tuple[Pour, ...] = ()
    cuts: tuple[tuple[Point, Point], ...] = ()
    """Where a panel is scored, to be broken apart."""
    supplies: tuple[str, ...] = ("GND",)
    """The nets that a plug feeds."""
    widths: Mapping[str, float] = field(default_factory=dict)
    """The widths of tracks that are still to be routed, where they are not the least."""
    routed: bool = False
    """Whether all nets are joined."""

    @property
    def by_reference(self) -> Mapping[str, Placed]:
        """The parts by their references."""
        return {part.reference: part for part in self.parts}

    @property
    def nets(self) -> tuple[str, ...]:
        """The nets, in order."""
        return tuple(sorted({net for part in self.parts for net in part.nets.values() if net}))


def ground_pour(width: float, height: float) -> tuple[Pour, ...]:
    """Ground on all that is free of a board."""
    return (Pour("GND", Box(0, 0, width, height).with_margin(-EDGE)),)


def path(net: str, side: str, width: float, *points: Point) -> Iterator[Track]:
    """Tracks from point to point."""
    for start, end in pairwise(points):
        if start != end:
            yield Track(net, side, start, end, width)
