"""Draw a sand glass with its sand at the height for the part that is left."""

from bisect import bisect_left
from functools import cache
from itertools import accumulate
from typing import Final, NamedTuple

from gnomon.views.pictures.drawing import Group, Point, Polygon, Shape
from gnomon.views.pictures.figures import box, line
from gnomon.views.pictures.palette import Colour

_LAYERS: Final = 40  # of one bulb
_NECK: Final = 0.028  # half widths, in heights of the glass
_BELLY: Final = 0.205
_BULB: Final = 0.4  # the height of one bulb
_FULL: Final = 0.86  # how much of a bulb all the sand takes
_PARTS: Final = 20  # of all the sand for which a program is told the height


class GlassLook(NamedTuple):
    """How a glass looks: the colour of its frame, of its sand, and whether its caps are round or notched."""

    frame: Colour
    sand: Colour = Colour.SAND
    rim: Colour = Colour.RIM
    notched: bool = False


def hourglass(centre: Point, height: float, upper: float, look: GlassLook, *, running: bool) -> tuple[Shape, ...]:
    """A glass whose upper bulb holds the part `upper` of the sand, from 0 to 1."""
    behind, before = empty(centre, height, look)
    return (
        *behind,
        *_sand(centre, height, upper, look.sand),
        *((stream(centre, height, look),) if running else ()),
        *before,
    )


def sand_layers(centre: Point, height: float, look: GlassLook) -> tuple[Group, Group]:
    """The sand of both bulbs, each as much as there is, for a program that shows as much of it as there is left.

    The data `heights` are how high the sand stands in a bulb with 0, 1/20 … 20/20 of it, as parts of the whole height.
    """
    return _exact_sand(centre, height, look, up=True), _exact_sand(centre, height, look, up=False)


def stream(centre: Point, height: float, look: GlassLook) -> Shape:
    """The sand that falls."""
    x, y = centre
    return line((x, y), (x, y + 0.3 * height), look.sand, 0.022 * height)


def _exact_sand(centre: Point, height: float, look: GlassLook, *, up: bool) -> Group:
    volumes = _volumes(up=up)
    levels = [bisect_left(volumes, part / _PARTS * _FULL * volumes[-1]) for part in range(_PARTS + 1)]
    heights = " ".join(f"{level / levels[-1]:.2f}" for level in levels)
    return Group((Polygon(_heap(centre, height, 1.0, up=up), fill=look.sand),), data=(("heights", heights),))


def empty(centre: Point, height: float, look: GlassLook) -> tuple[tuple[Shape, ...], tuple[Shape, ...]]:
    """A glass without its sand: what stands behind the sand, and what before it."""
    behind = (
        *_frame(centre, height, look, swell=0.035 * height, colour=look.rim),
        *_frame(centre, height, look, swell=0.0, colour=look.frame),
        Polygon(_bulbs(centre, height, 1.0), fill=Colour.GLASS, stroke=look.frame, width=0.018 * height),
    )
    return behind, _notches(centre, height, look)


def _frame(centre: Point, height: float, look: GlassLook, *, swell: float, colour: Colour) -> tuple[Shape, ...]:
    """Two caps and two posts; swollen, they are the rim around the glass."""
    x, y = centre
    half, thick = 0.29 * height, 0.1 * height
    radius = 0.015 * height if look.notched else thick / 2
    caps = [
        box(x - half - swell, top - swell, 2 * (half + swell), thick + 2 * swell, radius + swell, fill=colour)
        for top in (y - height / 2, y + height / 2 - thick)
    ]
    post = 0.235 * height
    posts = [
        line((side, y - 0.42 * height), (side, y + 0.42 * height), colour, 0.035 * height + 2 * swell)
        for side in (x - post, x + post)
    ]
    return (*posts, *caps)


def _notches(centre: Point, height: float, look: GlassLook) -> tuple[Shape, ...]:
    """What tells the two players' glasses apart without colours: notches across the caps."""
    if not look.notched:
        return ()
    x, y = centre
    return tuple(
        line(
            (x + side * 0.13 * height, at - 0.02 * height),
            (x + side * 0.13 * height, at + 0.02 * height),
            look.rim,
            0.03 * height,
        )
        for at in (y - 0.45 * height, y + 0.45 * height)
        for side in (-1, 0, 1)
    )


def _sand(centre: Point, height: float, upper: float, colour: Colour) -> tuple[Shape, ...]:
    lower = 1 - upper
    return (
        *((Polygon(_heap(centre, height, upper, up=True), fill=colour),) if upper > 0 else ()),
        *((Polygon(_heap(centre, height, lower, up=False), fill=colour),) if lower > 0 else ()),
    )


def _bulbs(centre: Point, height: float, part: float) -> tuple[Point, ...]:
    """The outline of both bulbs."""
    x, y = centre
    profile = [
        (_half_width(layer / _LAYERS) * height * part, _BULB * height * layer / _LAYERS) for layer in range(_LAYERS + 1)
    ]
    right = [(x + wide, y - up) for wide, up in reversed(profile)] + [(x + wide, y + up) for wide, up in profile]
    return (*right, *((2 * x - px, py) for px, py in reversed(right)))


def _heap(centre: Point, height: float, part: float, *, up: bool) -> tuple[Point, ...]:
    """The sand in one bulb: above the neck it lies flat in the cone, below it grows from the floor."""
    x, y = centre
    volumes = _volumes(up=up)
    level = bisect_left(volumes, part * _FULL * volumes[-1])
    layers = range(level + 1) if up else range(_LAYERS - level, _LAYERS + 1)
    sign = -1 if up else 1
    side = [
        (0.9 * _half_width(layer / _LAYERS) * height, y + sign * _BULB * height * layer / _LAYERS) for layer in layers
    ]
    # What has fallen lies in a heap, what falls leaves a hollow.
    bend = 0.02 * height
    crest = (x, side[-1][1] + bend) if up else (x, side[0][1] - bend)
    left = [(x - wide, py) for wide, py in side]
    right = [(x + wide, py) for wide, py in side]
    return (*left, crest, *reversed(right)) if up else (crest, *right, *reversed(left))


@cache
def _volumes(*, up: bool) -> tuple[float, ...]:
    """How much sand lies in the first layers of a bulb: from the neck up, or from the floor up."""
    widths = [_half_width(layer / _LAYERS) for layer in range(1, _LAYERS + 1)]
    return tuple(accumulate(widths if up else widths[::-1], initial=0.0))


def _half_width(part: float) -> float:
    """Half the width of a bulb a part of the way from the neck to the cap, in heights of the glass."""
    swell = 3 * part**2 - 2 * part**3 if part < 1 else 1.0
    return _NECK + (_BELLY - _NECK) * min(1.0, 1.12 * swell) - (0.02 * max(0.0, part - 0.85) / 0.15)
