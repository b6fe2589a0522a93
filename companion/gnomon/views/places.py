"""Compute the rectangle of each place on a game's picture, from the highlight that the picture draws there.

Lengths are in the picture's own units. Places go by the names that players write.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Any

from gnomon.rules.protocol import Rules
from gnomon.views.pictures import picture
from gnomon.views.pictures.drawing import Circle, Group, Path, Point, Polygon, Shape
from gnomon.views.show import PictureArea, show


def places(rules: Rules[Any, Any]) -> Mapping[str, PictureArea]:
    """Every place of a game's board; none where they are too small to be drawn one by one."""
    return _places(rules)  # type: ignore[arg-type]  # the rules of every game can be compared


def places_to_touch(rules: Rules[Any, Any]) -> Mapping[str, PictureArea]:
    """The same for a lesson, where every game is played by touching its picture."""
    return show(rules.name).places_to_touch(rules)


@lru_cache(maxsize=4)
def _places(rules: Rules[Any, Any]) -> Mapping[str, PictureArea]:
    return show(rules.name).places(rules)


def place_marks(rules: Rules[Any, Any], names: Iterable[str]) -> Mapping[str, Point]:
    """The middle of each place's highlight: what a picture has with highlights and has not without."""
    wanted = list(names)
    start = rules.start()
    plain = Counter(picture(rules, start).shapes)
    added = [shape for shape in picture(rules, start, highlights=wanted).shapes if not _take(plain, shape)]
    marks = [shape for shape in added if isinstance(shape, Path | Circle)]
    return dict(zip(wanted, map(_middle, marks), strict=True)) if len(marks) == len(wanted) else {}


def _take(plain: Counter[Shape], shape: Shape) -> bool:
    """Whether the plain picture has the shape too; each counts once."""
    if not plain[shape]:
        return False
    plain[shape] -= 1
    return True


def square_areas(middles: Mapping[str, Point]) -> Mapping[str, PictureArea]:
    """Squares around the middles of places that stand in rows, as wide as the rows are apart."""
    side = pitch(middles.values())
    return {name: PictureArea(x - side / 2, y - side / 2, side, side) for name, (x, y) in middles.items()}


def pitch(middles: Iterable[Point]) -> float:
    """The least distance between neighbours along a row; 0 when there is but one."""
    across = sorted({round(x, 3) for x, _ in middles})
    return min((right - left for left, right in pairwise(across)), default=0.0)


def _middle(shape: Path | Circle) -> Point:
    if isinstance(shape, Circle):
        return shape.centre
    x, y, width, height = around(shape)
    return x + width / 2, y + height / 2


def around(shape: Shape) -> PictureArea:
    """The rectangle around a shape, or around the first of a group."""
    if isinstance(shape, Group):
        return around(shape.shapes[0])
    points = _points(shape)
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return PictureArea(min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys))


def _points(shape: Shape) -> Sequence[Point]:
    match shape:
        case Path(start=start, steps=steps):
            return [start, *(point for step in steps for point in step)]
        case Polygon(points=points):
            return points
        case Circle(centre=(x, y), radius=radius):
            return [(x - radius, y - radius), (x + radius, y + radius)]
        case _:
            return [shape.at] if not isinstance(shape, Group) else []
