"""Define the immutable shapes that make up a picture: circles, polygons, paths, texts, groups and colour names.

Lengths are in the drawing's own units, x to the right and y downwards. Later shapes cover earlier ones.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

from gnomon.views.pictures.palette import Colour

Point: TypeAlias = tuple[float, float]
Step: TypeAlias = tuple[Point] | tuple[Point, Point, Point]
"""From where the pen is: a straight line to a point, or a curve by two control points to a third (cubic Bézier)."""


@dataclass(frozen=True, slots=True)
class Circle:
    """A disc, a ring, or both: the stroke is centred on the edge."""

    centre: Point
    radius: float
    fill: Colour | None = None
    stroke: Colour | None = None
    width: float = 0


@dataclass(frozen=True, slots=True)
class Polygon:
    """A closed figure with straight sides that do not cross; strokes have round corners."""

    points: tuple[Point, ...]
    fill: Colour | None = None
    stroke: Colour | None = None
    width: float = 0


@dataclass(frozen=True, slots=True)
class Path:
    """A line of straight and curved steps, with round ends unless they are `flat`.

    `dash`: lengths drawn and left out, by turns.
    """

    start: Point
    steps: tuple[Step, ...]
    closed: bool = False
    fill: Colour | None = None
    stroke: Colour | None = None
    width: float = 0
    dash: tuple[float, ...] = ()
    flat: bool = False


@dataclass(frozen=True, slots=True)
class Text:
    """One line of text; `at` is on its base line, `size` the height of the font, `spacing` added between letters."""

    at: Point
    text: str
    size: float
    colour: Colour = Colour.INK
    anchor: Literal["start", "middle", "end"] = "start"
    bold: bool = False
    spacing: float = 0


@dataclass(frozen=True, slots=True)
class Group:
    """Shapes that are one thing: `title` is its name for people, `key` its place for programs.

    `data` names the thing for a program that moves it, as in `("ring", "2")`; a `hidden` one is shown by that program.
    """

    shapes: tuple["Shape", ...]
    title: str = ""
    key: str = ""
    data: tuple[tuple[str, str], ...] = ()
    hidden: bool = False


Shape: TypeAlias = Circle | Polygon | Path | Text | Group


@dataclass(frozen=True, slots=True)
class Drawing:
    """A whole picture: its size, what it is called, what there is to be seen in words, and its shapes.

    `corner` is its upper left one; without `paper` there is nothing behind it.
    """

    width: float
    height: float
    title: str
    description: str
    shapes: tuple[Shape, ...]
    paper: Colour | None = Colour.PAPER
    corner: Point = (0.0, 0.0)


def groups(shapes: tuple[Shape, ...]) -> Iterator[Group]:
    """Every group, the outer before the inner, in the order in which they are drawn."""
    for shape in shapes:
        if isinstance(shape, Group):
            yield shape
            yield from groups(shape.shapes)


def texts(shapes: tuple[Shape, ...]) -> Iterator[Text]:
    """Every text, in the order in which they are drawn."""
    for shape in shapes:
        if isinstance(shape, Group):
            yield from texts(shape.shapes)
        elif isinstance(shape, Text):
            yield shape
