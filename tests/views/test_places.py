"""Where on a picture a place lies: where one would point at it."""

from collections.abc import Mapping

import pytest

from gnomon.rules.registry import rules_of
from gnomon.views.pictures import picture
from gnomon.views.pictures.drawing import Circle, groups
from gnomon.views.places import places
from gnomon.views.show import PictureArea


@pytest.mark.parametrize(
    ("game", "settings", "count"),
    [
        ("tabik", {}, 64),
        ("tabik", {"size": 2}, 4),
        ("tayu", {"edition": "kosmos"}, 361),
        ("tau", {"rows": 4, "columns": 9}, 13),
        ("tau", {"rows": 1, "columns": 5}, 6),
        ("twenty-squares", {}, 20 + 2),
        ("twenty-squares", {"board": "double", "players": 4}, 31 + 4),
    ],
)
def test_every_place_is_on_the_picture_and_no_two_overlap(
    game: str, settings: Mapping[str, object], count: int
) -> None:
    rules = rules_of(game, settings)
    drawn, found = picture(rules, rules.start()), places(rules)
    assert len(found) == count
    for name, place in found.items():
        assert min(place) > 0, name
        assert place.x + place.width <= drawn.width
        assert place.y + place.height <= drawn.height
    several = list(found.values())
    assert [pair for at, one in enumerate(several) for pair in several[:at] if overlap(one, pair)] == []


def overlap(one: PictureArea, other: PictureArea) -> bool:
    slack = 0.01
    apart = one.x + one.width <= other.x + slack or other.x + other.width <= one.x + slack
    return not (apart or one.y + one.height <= other.y + slack or other.y + other.height <= one.y + slack)


@pytest.mark.parametrize(("game", "place"), [("tabik", "c5"), ("tayu", "b17"), ("twenty-squares", "h2"), ("tau", "r3")])
def test_a_highlight_lies_on_its_place(game: str, place: str) -> None:
    rules = rules_of(game, {})
    start = rules.start()
    plain = picture(rules, start).shapes
    (mark,) = [shape for shape in picture(rules, start, highlights=[place]).shapes if shape not in plain][:1]
    x, y, width, height = places(rules)[place]
    inside = [mark.centre] if isinstance(mark, Circle) else [mark.start]  # type: ignore[union-attr]  # only paths are left
    assert all(x <= across <= x + width and y <= down <= y + height for across, down in inside)


def test_stones_stand_on_their_places() -> None:
    rules = rules_of("tabik", {})
    position = rules.play(rules.start(), rules.parse(rules.start(), "c3d3"))
    stones = [group for group in groups(picture(rules, position).shapes) if group.key in {"c3", "d3"}]
    for stone in stones:
        x, y, width, height = places(rules)[stone.key]
        (disc, *_) = [shape for shape in stone.shapes if isinstance(shape, Circle)]
        assert (round(disc.centre[0]), round(disc.centre[1])) == (round(x + width / 2), round(y + height / 2))
    assert len(stones) == 2


def test_places_too_small_for_a_name_are_not_pointed_at() -> None:
    assert places(rules_of("tau", {"rows": 60, "columns": 60})) == {}


def test_tamsk_has_a_board_of_its_own() -> None:
    assert places(rules_of("tamsk", {})) == {}
