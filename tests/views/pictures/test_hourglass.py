import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon.views.pictures import Colour
from gnomon.views.pictures.drawing import Path, Polygon
from gnomon.views.pictures.hourglass import GlassLook, hourglass

HEIGHT = 100.0
LOOK = GlassLook(Colour.RED)


def sand(upper: float) -> list[Polygon]:
    shapes = hourglass((0, 0), HEIGHT, upper, LOOK, running=False)
    return [shape for shape in shapes if isinstance(shape, Polygon) and shape.fill is LOOK.sand]


def area(polygon: Polygon) -> float:
    points = polygon.points
    return abs(sum(x0 * y1 - x1 * y0 for (x0, y0), (x1, y1) in zip(points, (*points[1:], points[0]), strict=True))) / 2


def test_an_empty_glass_has_all_its_sand_below_and_a_full_one_above() -> None:
    [below] = sand(0.0)
    [above] = sand(1.0)
    assert all(y >= 0 for _, y in below.points)
    assert all(y <= 0 for _, y in above.points)


@given(st.floats(0.02, 0.98))
def test_what_leaves_the_upper_bulb_lies_in_the_lower_one(upper: float) -> None:
    above, below = sand(upper)
    whole = area(sand(1.0)[0])
    assert area(above) + area(below) == pytest.approx(whole, rel=0.12)
    assert area(above) / whole == pytest.approx(upper, abs=0.08)


@given(st.floats(0, 0.95), st.floats(0.05, 1))
def test_more_sand_is_never_lower(upper: float, more: float) -> None:
    fuller = min(1.0, upper + more)
    tops = [min((y for heap in sand(part) for _, y in heap.points if y < 0), default=0.0) for part in (upper, fuller)]
    assert tops[1] <= tops[0]


@given(st.floats(0, 1), st.booleans())
def test_nothing_is_wider_than_the_caps_or_higher_than_the_glass(upper: float, running: bool) -> None:
    for shape in hourglass((0, 0), HEIGHT, upper, LOOK._replace(notched=True), running=running):
        points = shape.points if isinstance(shape, Polygon) else ()
        if isinstance(shape, Path):
            points = (shape.start, *(step[-1] for step in shape.steps))
        assert all(abs(x) <= 0.34 * HEIGHT and abs(y) <= 0.54 * HEIGHT for x, y in points)


def test_sand_falls_only_in_a_running_glass() -> None:
    running, still = (hourglass((0, 0), HEIGHT, 0.5, LOOK, running=each) for each in (True, False))
    assert len(running) == len(still) + 1
