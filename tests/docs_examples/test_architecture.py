"""Test that the picture of the architecture shows the packages as they import each other."""

from xml.etree import ElementTree as ET

from tests.bench.house import ROOT, Tree, circles, floor_of, graph_of
from tests.docs_examples import architecture

SVG = "{http://www.w3.org/2000/svg}"
CHAIN = {"a": {"b", "c"}, "b": {"c"}, "c": set()}


def test_the_picture_is_the_one_of_this_tree() -> None:
    tree = Tree(ROOT)
    assert architecture.PICTURE.read_text("utf-8") == architecture.picture(tree), "`make docs` draws it again"
    picture = ET.fromstring(architecture.PICTURE.read_text("utf-8"))
    boxes = {text.text for text in picture.iter(f"{SVG}text") if text.get("class") == "name"}
    for package, _ in architecture.HALVES:
        graph = graph_of(tree, package)
        assert {name for name in graph if not name.startswith("_")} <= boxes, package
        assert circles(graph) == [], package


def test_a_line_that_others_say_too_is_left_out() -> None:
    assert {name: floor_of(CHAIN, name) for name in CHAIN} == {"a": 3, "b": 2, "c": 1}
    assert architecture._direct(CHAIN, "a") == {"b"}


def test_a_circle_stands_on_one_floor() -> None:
    ring = {"a": {"b"}, "b": {"a", "c"}, "c": set()}
    assert circles(ring) == [frozenset({"a", "b"})]
    assert [floor_of(ring, name) for name in "abc"] == [2, 2, 1]
