"""Test that the picture of the architecture shows the packages as they import each other."""

from xml.etree import ElementTree as ET

import pytest

from tests.bench.house import ROOT, Tree, circles, floor_of, graph_of
from tests.docs_examples import architecture

SVG = "{http://www.w3.org/2000/svg}"
CHAIN = {"a": {"b", "c"}, "b": {"c"}, "c": set()}


def test_the_picture_is_the_one_of_this_tree() -> None:
    assert architecture.PICTURE.read_text("utf-8") == architecture.picture(), "`make docs` draws it again"


@pytest.mark.parametrize("package", [package for package, _ in architecture.HALVES])
def test_every_package_has_a_box_and_none_is_in_a_circle(package: str) -> None:
    graph = graph_of(Tree(ROOT), package)
    picture = ET.fromstring(architecture.PICTURE.read_text("utf-8"))  # noqa: S314 - our own file
    boxes = {text.text for text in picture.iter(f"{SVG}text") if text.get("class") == "name"}
    assert {name for name in graph if not name.startswith("_")} <= boxes
    assert circles(graph) == []


def test_a_line_that_others_say_too_is_left_out() -> None:
    assert {name: floor_of(CHAIN, name) for name in CHAIN} == {"a": 3, "b": 2, "c": 1}
    assert architecture._direct(CHAIN, "a") == {"b"}


def test_a_circle_stands_on_one_floor() -> None:
    ring = {"a": {"b"}, "b": {"a", "c"}, "c": set()}
    assert circles(ring) == [frozenset({"a", "b"})]
    assert [floor_of(ring, name) for name in "abc"] == [2, 2, 1]
