"""What the interface takes is what its description says: for any value, reading and description agree."""

import json
from typing import Any

import jsonschema_rs
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from gnomon.records.formats.traces import CORRECTIONS
from gnomon.timekeeping.instants import Duration
from gnomon.web.api._corrections import CorrectionShape, shape_of
from gnomon.web.api._people import GIVEN
from gnomon.web.api.board import NEW_GAME, TURN
from gnomon.web.api.shapes import (
    AnyOf,
    DescribedShape,
    Fields,
    ListOf,
    Named,
    OneOf,
    OrNull,
    Seconds,
    Shape,
    ShapeError,
    TextShape,
    Truth,
    Whole,
)
from tests.conftest import examples

SHAPES: dict[str, Shape] = {
    "text": TextShape(3, 1),
    "day": TextShape(10, 10, "[0-9]{4}-[0-9]{2}-[0-9]{2}", "2026-11-20"),
    "whole": Whole(1, 7),
    "seconds": Seconds(),
    "truth": Truth(),
    "choice": GIVEN,
    "or null": OrNull(Whole(0, 3)),
    "list": ListOf(Whole(0, 3), 2),
    "any": AnyOf((TextShape(2), Truth()), "api.setting"),
    "named": Named(Whole(0, 3), "[ab]", 1),
    "fields": Fields({"a": Whole(0, 3), "b": Truth()}, frozenset({"b"})),
    "turn": TURN,
    "new game": NEW_GAME,
    "correction": CorrectionShape(),
}
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-2, 9)
    | st.floats(-1, 8, allow_nan=False)
    | st.sampled_from(["", "a", "abc", "abcd", "2026-11-20", "player", "paused", "turn_set", "red", "\n", "é"])
)
NAMES = st.sampled_from(["a", "b", "c", "text", "why", "game", "settings", "abandon", "event", "player", "count"])
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3), max_leaves=5
)


@pytest.mark.parametrize("name", SHAPES)
@settings(max_examples=examples(60))
@given(value=VALUES)
@example(value={"event": "turn_set", "player": "red"})
@example(value={"event": "paused"})
@example(value={"a": 2.0, "b": True})
@example(value={"text": "D1-D2", "why": "x"})
def test_what_is_described_is_what_is_read(name: str, value: object) -> None:
    shape = SHAPES[name]
    try:
        shape.read(value, "")
        was_read = True
        said = "."
    except ShapeError as error:
        was_read, said = False, str(error)
    assert was_read == jsonschema_rs.is_valid(dict(shape.schema()), value)
    assert said.endswith(".")
    assert "\n" not in said


def test_a_text_keeps_its_letters_and_loses_what_controls_a_terminal() -> None:
    assert TextShape().read(" wrong\r\nglass\x1b[2J", "") == "wrong glass [2J"


def test_a_length_of_time_is_read_as_microseconds() -> None:
    assert Seconds().read(90.5, "") == Duration(90_500_000)


def test_an_answer_is_never_read() -> None:
    with pytest.raises(ShapeError, match=r"^a is for answers only: do not send it\.$"):
        DescribedShape().read(1, "/a")


def test_a_mistake_is_named_where_it_stands() -> None:
    with pytest.raises(ShapeError, match=r"^1 must be a whole number from 0 to 3\.$") as raised:
        Fields({"list": ListOf(Whole(0, 3))}).read({"list": [1, "two"]}, "")
    assert raised.value.where == "/list/1"


def test_a_type_that_no_event_has_had_yet_is_noticed() -> None:
    with pytest.raises(TypeError, match="say how the API reads"):
        shape_of(bytes)


@pytest.mark.parametrize("name", CORRECTIONS)
def test_every_event_by_hand_can_be_read(name: str) -> None:
    """Whatever fits its description becomes that event."""
    corrections = CorrectionShape({name: CORRECTIONS[name]})
    (described,) = corrections.schema()["oneOf"]
    samples = {key: _sample(schema) for key, schema in described["properties"].items() if key in described["required"]}
    event = corrections.read(json.loads(json.dumps(samples)), "")
    assert isinstance(event, CORRECTIONS[name])


def _sample(schema: dict[str, Any]) -> object:
    if "const" in schema:
        return schema["const"]
    if "enum" in schema:
        return schema["enum"][0]
    if "anyOf" in schema:
        return _sample(schema["anyOf"][0])
    return {"string": "x", "integer": 1, "number": 1.5, "boolean": True, "array": []}[schema["type"]]


def test_the_event_is_chosen_by_its_name() -> None:
    with pytest.raises(ShapeError, match=r"^event must be one of: turn_entered, "):
        CorrectionShape().read({"event": "paussed"}, "")


def test_a_choice_says_what_there_is() -> None:
    with pytest.raises(ShapeError, match=r"^role must be one of: player, arbiter, director, admin\.$"):
        OneOf(GIVEN.words).read("king", "/role")
