"""The page of the hall's messages and its schema: they say what is sent, and what is read."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gnomon.hall.messaging import decoder
from gnomon.hall.messaging.messages import Answer, MessageError, State, Topic, encode
from gnomon.refusals import Statement
from gnomon.timekeeping.instants import Instant
from gnomon.views.status_payload import card
from tests.conftest import examples
from tests.hall.test_messages import MESSAGES
from tests.views.test_status_payload import SCENES

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "hall-protocol.md").read_text(encoding="utf-8")
SCHEMA: dict[str, Any] = json.loads((DOCS / "hall-schema.json").read_text(encoding="utf-8"))
EXAMPLES = [json.loads(text) for text in re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)]
NOTES = [example for example in EXAMPLES if "note" in example]
READ: dict[Topic, Callable[[str, bytes], object]] = {topic: read for topic, (read, _) in MESSAGES.items()}


OWN = [topic for topic in Topic if topic is not Topic.LIVE]
"""The topics that have a form of their own: LIVE has that of STATE."""


def valid(name: str, value: object) -> bool:
    """Whether a value is what the schema says under a name."""
    schema = {**SCHEMA, "$ref": f"#/$defs/{name}"}
    return jsonschema_rs.validator_for(schema).is_valid(value)


def topic_of(example: dict[str, Any]) -> Topic:
    known = {topic: set(SCHEMA["$defs"][topic.value]["properties"]) for topic in OWN}
    (topic,) = (topic for topic in OWN if set(example) <= known[topic] and valid(topic.value, example))
    return topic


def test_every_topic_has_an_example_that_is_read() -> None:
    found = []
    for example in EXAMPLES:
        if example not in NOTES:
            topic = topic_of(example)
            READ[topic](topic.of("t07"), json.dumps(example).encode())
            found.append(topic)
    assert sorted(found) == sorted(OWN)
    assert SCHEMA["$defs"][Topic.LIVE.value]["$ref"] == f"#/$defs/{Topic.STATE.value}"
    assert [note["note"] for note in NOTES] == ["request", "confirmed"]


@pytest.mark.parametrize("topic", [topic for topic in OWN if topic is not Topic.STATE])
@settings(max_examples=examples(20))
@given(data=st.data())
def test_what_is_sent_is_what_the_schema_says(topic: Topic, data: st.DataObject) -> None:
    message = data.draw(MESSAGES[topic][1])
    body = json.loads(encode(message))  # type: ignore[arg-type]  # the message of its topic
    if topic is Topic.REQUEST:
        body["action"] = {"do": "notice", "text": "x"}
    if topic not in (Topic.ACK, Topic.ASK, Topic.REQUEST, Topic.PACE, Topic.ANSWER):
        body["board"] = "t7"
    assert valid(topic.value, body)
    assert set(body) <= set(SCHEMA["$defs"][topic.value]["properties"])


def test_every_card_is_what_the_schema_says() -> None:
    for scene in SCENES.values():
        told = card(
            scene.game, scene.now, number=1, confirmed=["red"], health=tuple(map(Statement.plain, scene.health))
        )
        body = json.loads(encode(State("t07", "e", "s", "b", Instant(1), 2, told)))
        assert valid("state", body)
        assert set(told) <= set(SCHEMA["$defs"]["card"]["properties"])


@pytest.mark.parametrize("topic", OWN)
def test_what_the_schema_requires_is_required(topic: Topic) -> None:
    (example,) = (example for example in EXAMPLES if example not in NOTES and topic_of(example) is topic)
    for name in SCHEMA["$defs"][topic.value]["required"]:
        body = {key: value for key, value in example.items() if key != name}
        assert not valid(topic.value, body)
        if name not in {"games", "records"}:  # an empty list may be left out
            with pytest.raises(MessageError):
                READ[topic](topic.of("t07"), json.dumps(body).encode())


def test_a_fate_that_is_none_is_refused_by_both() -> None:
    body = {"id": "w", "fate": "lost", "why": "", "proof": 0}
    assert not valid("answer", body)
    with pytest.raises(MessageError):
        decoder.answer(Topic.ANSWER.of("t07"), json.dumps(body).encode())
    assert decoder.answer(Topic.ANSWER.of("t07"), json.dumps(body | {"fate": "done"}).encode()) == Answer("w", "done")  # type: ignore[arg-type]  # equal texts


@pytest.mark.parametrize("kind", Topic)
def test_every_kind_stands_in_the_table(kind: Topic) -> None:
    assert re.search(rf"^\| \[`{kind.value}`\]", PAGE, re.MULTILINE)
