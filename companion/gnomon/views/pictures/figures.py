"""Compute outlines shared by several pictures: rounded boxes, lines, regular polygons and arrows."""

from math import cos, hypot, pi, sin
from typing import Final

from gnomon.views.pictures.drawing import Path, Point, Polygon, Step
from gnomon.views.pictures.palette import Colour

# How far the control points of a cubic curve lie from its ends for the nearest thing to a quarter of a circle.
QUARTER: Final = 0.5523


def rounded_rectangle(
    left: float, top: float, width: float, height: float, radius: float
) -> tuple[Point, tuple[Step, ...]]:
    """The start and the steps of a rectangle with rounded corners."""
    radius = min(radius, width / 2, height / 2)
    right, bottom, slack = left + width, top + height, radius * (1 - QUARTER)
    return (left + radius, top), (
        ((right - radius, top),),
        ((right - slack, top), (right, top + slack), (right, top + radius)),
        ((right, bottom - radius),),
        ((right, bottom - slack), (right - slack, bottom), (right - radius, bottom)),
        ((left + radius, bottom),),
        ((left + slack, bottom), (left, bottom - slack), (left, bottom - radius)),
        ((left, top + radius),),
        ((left, top + slack), (left + slack, top), (left + radius, top)),
    )


def box(  # noqa: PLR0913  # the parts of a rectangle
    left: float,
    top: float,
    width: float,
    height: float,
    radius: float = 0,
    *,
    fill: Colour | None = None,
    stroke: Colour | None = None,
    line: float = 0,
) -> Path:
    """A rectangle with rounded corners as a shape; `line` is the width of its stroke."""
    start, steps = rounded_rectangle(left, top, width, height, radius)
    return Path(start, steps, closed=True, fill=fill, stroke=stroke, width=line)


def line(start: Point, end: Point, stroke: Colour, width: float, *, dash: tuple[float, ...] = ()) -> Path:
    """A straight line with round ends."""
    return Path(start, ((end,),), stroke=stroke, width=width, dash=dash)


def regular(centre: Point, radius: float, corners: int, turned: float = 0) -> tuple[Point, ...]:
    """The corners of a regular polygon, clockwise from `turned` degrees clockwise of the right."""
    return tuple(around(centre, radius, turned + 360 * corner / corners) for corner in range(corners))


def around(centre: Point, radius: float, degrees: float) -> Point:
    """The point at a distance from another, `degrees` clockwise of the right."""
    angle = degrees * pi / 180
    return centre[0] + radius * cos(angle), centre[1] + radius * sin(angle)


def between(one: Point, other: Point, part: float) -> Point:
    """The point a part of the way from one to another."""
    return one[0] + (other[0] - one[0]) * part, one[1] + (other[1] - one[1]) * part


def arrow(start: Point, end: Point, colour: Colour, width: float) -> tuple[Path, Polygon]:
    """A line and the head at its end; the tip is at `end`."""
    length = hypot(end[0] - start[0], end[1] - start[1]) or 1
    along = (end[0] - start[0]) / length, (end[1] - start[1]) / length
    head = min(3.4 * width, length)
    neck = end[0] - along[0] * head, end[1] - along[1] * head
    half = 0.55 * head
    tip = (
        end,
        (neck[0] - along[1] * half, neck[1] + along[0] * half),
        (neck[0] + along[1] * half, neck[1] - along[0] * half),
    )
    return line(start, neck, colour, width), Polygon(tip, fill=colour, stroke=colour, width=width / 3)
