"""Rasterize a drawing as an RGB picture with Pillow alone, each pixel the mean of sixteen samples."""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import cycle, groupby, pairwise
from math import hypot
from typing import Final, assert_never

from PIL import Image, ImageDraw, ImageFont

from gnomon.views.pictures._letters import ABOVE, BELOW, LOW, Letter, letters
from gnomon.views.pictures.drawing import Circle, Drawing, Group, Path, Point, Polygon, Shape, Text
from gnomon.views.pictures.palette import LIGHT, Colour, Theme

FINENESS: Final = 4  # samples along each side of a pixel
WIDEST: Final = 8192  # pixels; what is beyond is a mistake in writing
_BAND: Final = 128  # rows of pixels that are drawn at a time, so that a large picture needs little memory
_CURVE: Final = 14  # straight pieces of a curve
_WEIGHTS: Final = tuple(
    ((1 - part) ** 3, 3 * (1 - part) ** 2 * part, 3 * (1 - part) * part**2, part**3)
    for part in (piece / _CURVE for piece in range(1, _CURVE + 1))
)
"""How much each of its four corners draws the end of a piece."""
_BOLD: Final = 0.022  # of the size of a letter: the font that Pillow brings has one weight
_ACCENT: Final = 0.085  # how broad the lines of an accent are, of the size of a letter
_ACCENT_BOLD: Final = 0.11


class PictureError(ValueError):
    """There is no such picture, or this machine cannot paint it."""


def to_png(drawing: Drawing, width: int, theme: Theme = LIGHT) -> Image.Image:
    """The drawing as an RGB picture of so many pixels across. Raises PictureError."""
    if not 1 <= width <= WIDEST:
        message = f"a picture is 1 to {WIDEST} pixels wide, not {width}"
        raise PictureError(message)
    height = max(1, round(drawing.height * width / drawing.width))
    scale = FINENESS * width / drawing.width
    image = Image.new("RGB", (width, height))
    for top in range(0, height, _BAND):
        rows = min(_BAND, height - top)
        band = Image.new("RGB", (width * FINENESS, rows * FINENESS), theme[drawing.paper or Colour.PAPER])
        _Painter(band, theme, scale, top * FINENESS).paint(drawing.shapes)
        image.paste(band.reduce(FINENESS), (0, top))
    return image


class _Painter:
    """Paints shapes on one band of the picture; what lies outside is left out."""

    def __init__(self, band: Image.Image, theme: Theme, scale: float, top: int) -> None:
        self._draw = ImageDraw.Draw(band)
        self._draw.fontmode = "L"
        self._theme = theme
        self._scale = scale
        self._top = top
        self._bottom = top + band.height

    def paint(self, shapes: Iterable[Shape]) -> None:
        for shape in shapes:
            match shape:
                case Circle():
                    self._circle(shape)
                case Polygon():
                    if self._is_here([y for _, y in shape.points], shape.width):
                        self._figure(self._place(shape.points), shape, closed=True)
                case Path():
                    points = flatten_path(shape)
                    if self._is_here([y for _, y in points], shape.width):
                        self._figure(self._place(points), shape, closed=shape.closed)
                case Text():
                    if self._is_here([shape.at[1] - shape.size, shape.at[1] + shape.size / 2], 0):
                        self._text(shape)
                case Group():
                    self.paint(shape.shapes)
                case _:
                    assert_never(shape)

    def _is_here(self, heights: Sequence[float], width: float) -> bool:
        margin = width / 2 * self._scale + 2
        return min(heights) * self._scale - margin < self._bottom and max(heights) * self._scale + margin > self._top

    def _place(self, points: Iterable[Point]) -> list[Point]:
        """Points of the drawing in samples of the whole picture."""
        return [(x * self._scale, y * self._scale) for x, y in points]

    def _sample(self, x: float, y: float) -> tuple[int, int]:
        """The sample of this band: rounded in the whole picture, or the seams between bands would be seen."""
        return round(x), round(y) - self._top

    def _polygon(self, points: Iterable[Point], colour: Colour) -> None:
        self._draw.polygon([self._sample(x, y) for x, y in points], fill=self._theme[colour])

    def _circle(self, circle: Circle) -> None:
        if not self._is_here([circle.centre[1] - circle.radius, circle.centre[1] + circle.radius], circle.width):
            return
        [centre] = self._place([circle.centre])
        inner = circle.radius * self._scale
        if circle.fill is not None:
            self._disc(centre, inner, circle.fill)
        if circle.stroke is not None:
            width = max(1, round(circle.width * self._scale))
            box = self._around(centre, inner + width / 2)
            self._draw.ellipse(box, outline=self._theme[circle.stroke], width=width)

    def _disc(self, centre: Point, radius: float, colour: Colour) -> None:
        self._draw.ellipse(self._around(centre, radius), fill=self._theme[colour])

    def _around(self, centre: Point, radius: float) -> tuple[int, int, int, int]:
        """The box around a circle; it has the last sample in it."""
        x, y = centre
        radius = max(0.5, radius)
        return *self._sample(x - radius, y - radius), *self._sample(x + radius - 1, y + radius - 1)

    def _figure(self, points: list[Point], shape: Polygon | Path, *, closed: bool) -> None:
        if shape.fill is not None:
            self._polygon(points, shape.fill)
        if shape.stroke is None:
            return
        if closed:
            points = [*points, points[0]]
        dash, flat = (shape.dash, shape.flat) if isinstance(shape, Path) else ((), False)
        for piece in dash_pieces(points, [part * self._scale for part in dash]) if dash else [points]:
            width = max(1.0, shape.width * self._scale)
            if flat:
                self._polygon(ribbon(piece, width), shape.stroke)
            else:
                self._stroke(piece, shape.stroke, width)

    def _stroke(self, points: list[Point], colour: Colour, width: float) -> None:
        """A line with round corners and round ends: a disc at every corner, a bar between them."""
        half = width / 2
        for (x0, y0), (x1, y1) in pairwise(points):
            length = hypot(x1 - x0, y1 - y0)
            if length:
                across, along = (y1 - y0) / length * half, (x1 - x0) / length * half
                bar = [
                    (x0 - across, y0 + along),
                    (x1 - across, y1 + along),
                    (x1 + across, y1 - along),
                    (x0 + across, y0 - along),
                ]
                self._polygon(bar, colour)
        for point in points:
            self._disc(point, half, colour)

    def _text(self, text: Text) -> None:
        [(x, y)] = self._place([text.at])
        found, size = letters(text.text), text.size * self._scale
        face, spacing = _font(size), text.spacing * self._scale
        stroke = round(size * _BOLD) if text.bold else 0
        written = "".join(letter.base for letter in found)
        whole = face.getlength(written) + spacing * len(written)
        x -= {"start": 0.0, "middle": whole / 2, "end": whole}[text.anchor]
        for run in self._runs(found, apart=bool(spacing)):
            piece, accents = "".join(letter.base for letter in run), run[-1].accents
            wide = face.getlength(piece)
            if accents and piece in "ij":
                self._dotless(piece, (x, y), face, text.colour)
            else:
                self._draw.text(
                    self._sample(x, y), piece, self._theme[text.colour], face, anchor="ls", stroke_width=stroke
                )
            self._accents(run[-1], (x + wide / 2, y), size, text)
            x += wide + spacing

    def _runs(self, found: Sequence[Letter], *, apart: bool) -> Iterator[Sequence[Letter]]:
        """What is written at once: each letter that is spaced or has an accent, and all between two of those."""
        for is_alone, run in groupby(found, key=lambda letter: apart or bool(letter.accents)):
            together = list(run)
            yield from ([letter] for letter in together) if is_alone else [together]

    def _dotless(self, letter: str, at: Point, face: ImageFont.FreeTypeFont, colour: Colour) -> None:
        """An i or j whose dot makes room for an accent."""
        (x, y), high = self._sample(*at), round(face.size * LOW)
        mask = Image.new("L", (round(face.getlength(letter)) + 2 * high, 2 * high))
        ImageDraw.Draw(mask).text((high, high), letter, 255, face, anchor="ls")
        self._draw.bitmap((x - high, y - high), mask, self._theme[colour])

    def _accents(self, letter: Letter, at: Point, size: float, text: Text) -> None:
        for accent in letter.accents:
            top = letter.top * size if accent in ABOVE else 0.0
            for piece in (ABOVE if accent in ABOVE else BELOW)[accent]:
                points = [(at[0] + x * size, at[1] - top - y * size) for x, y in piece]
                self._stroke(points, text.colour, size * (_ACCENT_BOLD if text.bold else _ACCENT))


def flatten_path(path: Path) -> list[Point]:
    """The path as straight pieces."""
    points = [path.start]
    for step in path.steps:
        if len(step) == 1:
            points.append(step[0])
        else:
            points.extend(_curve(points[-1], *step))
    return points


def dash_pieces(points: Sequence[Point], pattern: Sequence[float]) -> Iterator[list[Point]]:
    """The pieces of a line of straight pieces that a pattern of lengths drawn and left out leaves."""
    lengths = cycle(pattern if len(pattern) % 2 == 0 else [*pattern, *pattern])
    left, drawing, piece = next(lengths), True, [points[0]]
    for (x0, y0), (x1, y1) in pairwise(points):
        length = hypot(x1 - x0, y1 - y0)
        done = 0.0
        while length - done > left:
            done += left
            corner = x0 + (x1 - x0) * done / length, y0 + (y1 - y0) * done / length
            if drawing:
                yield [*piece, corner]
            left, drawing, piece = next(lengths), not drawing, [corner]
        left -= length - done
        piece.append((x1, y1))
    if drawing:
        yield piece


def ribbon(points: Sequence[Point], width: float) -> list[Point]:
    """The outline of a line without sharp corners whose ends are flat."""
    left: list[Point] = []
    right: list[Point] = []
    for before, (x, y), behind in zip([points[0], *points], points, [*points[1:], points[-1]], strict=False):
        length = hypot(behind[0] - before[0], behind[1] - before[1]) or 1.0
        across, down = (before[1] - behind[1]) / length * width / 2, (behind[0] - before[0]) / length * width / 2
        left.append((x + across, y + down))
        right.append((x - across, y - down))
    return [*left, *reversed(right)]


def _curve(start: Point, first: Point, second: Point, end: Point) -> Iterator[Point]:
    (a, b), (c, d), (e, f), (g, h) = start, first, second, end
    for of_start, of_first, of_second, of_end in _WEIGHTS:
        yield (
            of_start * a + of_first * c + of_second * e + of_end * g,
            of_start * b + of_first * d + of_second * f + of_end * h,
        )


@lru_cache(maxsize=64)
def _font(size: float) -> ImageFont.FreeTypeFont:
    """The font at a height in pixels. Raises PictureError where Pillow was built without FreeType."""
    found = ImageFont.load_default(size)
    if not isinstance(found, ImageFont.FreeTypeFont):
        message = "this Pillow was built without FreeType, and cannot draw letters of any size"
        raise PictureError(message)
    return found
