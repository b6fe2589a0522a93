"""Draw basic shapes and text on a sheet of A4, as SVG with generic fonts."""

from collections.abc import Sequence
from typing import Final, Literal, NamedTuple
from xml.sax.saxutils import escape

Point = tuple[float, float]
Anchor = Literal["start", "middle", "end"]

UNITS_PER_MM: Final = 4
LONG, SHORT = 297, 210  # millimetres of A4
INK: Final = "#1c1c1c"
FAINT: Final = "#6b6b6b"
PAPER: Final = "#ffffff"
BODY: Final = "#f4f1ea"
_FONTS: Final = "Helvetica, Arial, 'Liberation Sans', sans-serif"
_LETTER: Final = 0.56  # mean width of a letter, of its height, in such fonts


class PaintStyle(NamedTuple):
    """How a shape is painted; a dash is a length drawn and left out."""

    fill: str = "none"
    stroke: str = INK
    width: float = 1.2
    dash: float = 0

    def __str__(self) -> str:
        dash = f' stroke-dasharray="{_number(self.dash)}"' if self.dash else ""
        return f'fill="{self.fill}" stroke="{self.stroke}" stroke-width="{_number(self.width)}"{dash}'


class Type(NamedTuple):
    """How a text is set."""

    size: float = 12
    anchor: Anchor = "start"
    bold: bool = False
    colour: str = INK


OUTLINE: Final = PaintStyle(fill=BODY)
WIRE: Final = PaintStyle()
PLAIN: Final = Type()


class DrawingSheet:
    """A sheet that is being drawn on; lengths are quarters of a millimetre."""

    def __init__(self, title: str, description: str, *, upright: bool, reach: Point = (0, 0)) -> None:
        """`reach` is how far the drawing goes to the right and down; what is too much for the sheet becomes smaller."""
        self._paper = (SHORT, LONG) if upright else (LONG, SHORT)
        scale = max(UNITS_PER_MM, *(far / side for far, side in zip(reach, self._paper, strict=True)))
        self.width, self.height = (round(side * scale) for side in self._paper)
        self._head = (title, description)
        self._shapes: list[str] = []

    def box(self, corner: Point, size: Point, look: PaintStyle = OUTLINE, *, rounded: float = 4) -> None:
        """A rectangle, by its upper left corner."""
        place = " ".join(
            f'{name}="{_number(value)}"'
            for name, value in zip(("x", "y", "width", "height"), (*corner, *size), strict=True)
        )
        self._shapes.append(f'<rect {place} rx="{_number(rounded)}" {look}/>')

    def dot(self, centre: Point, radius: float, look: PaintStyle = OUTLINE) -> None:
        """A disc."""
        x, y = map(_number, centre)
        self._shapes.append(f'<circle cx="{x}" cy="{y}" r="{_number(radius)}" {look}/>')

    def wire(self, points: Sequence[Point], look: PaintStyle = WIRE) -> None:
        """A line through some points."""
        path = " ".join(f"{_number(x)},{_number(y)}" for x, y in points)
        self._shapes.append(f'<polyline points="{path}" {look}/>')

    def text(self, at: Point, text: str, how: Type = PLAIN) -> None:
        """A line of text on its base line."""
        x, y = map(_number, at)
        weight = ' font-weight="bold"' if how.bold else ""
        anchor = f' text-anchor="{how.anchor}"' if how.anchor != "start" else ""
        style = f'font-size="{_number(how.size)}" fill="{how.colour}"{anchor}{weight}'
        self._shapes.append(f'<text x="{x}" y="{y}" {style}>{escape(text)}</text>')

    def svg(self) -> str:
        """The sheet as an SVG document that prints at its size."""
        width, height = self.width, self.height
        title, description = map(escape, self._head)
        root = (
            f'width="{self._paper[0]}mm" height="{self._paper[1]}mm" viewBox="0 0 {width} {height}" '
            f'role="img" aria-labelledby="title desc" font-family="{_FONTS}" stroke-linejoin="round"'
        )
        lines = (
            f'<svg xmlns="http://www.w3.org/2000/svg" {root}>',
            f'<title id="title">{title}</title>',
            f'<desc id="desc">{description}</desc>',
            f'<rect width="{width}" height="{height}" fill="{PAPER}"/>',
            *self._shapes,
            "</svg>",
        )
        return "".join(f"{line}\n" for line in lines)


def width_of(text: str, size: float) -> float:
    """How wide a text is, roughly."""
    return len(text) * size * _LETTER


def _number(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")
