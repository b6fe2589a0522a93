"""What Home Assistant is told of a board, and that its templates make of a state what they say."""

import json
from typing import Any

import jinja2
import pytest

from gnomon.hall.home_assistant import BIRTH, descriptions
from gnomon.hall.messaging.messages import State, Status, encode
from gnomon.referee.games import begin
from gnomon.refusals import Statement
from gnomon.timekeeping.instants import Instant
from gnomon.views.status_payload import card
from tests.views import tables

STATUS = Status("t-07", online=True, epoch="e", session="s", version="0.1.0", kind="tamsk")


def described() -> dict[str, dict[str, Any]]:
    return {each.topic: json.loads(each.payload) for each in descriptions(STATUS)}


def rendered(template: str, payload: bytes) -> str:
    """What Home Assistant makes of a payload: its templates are Jinja2's."""
    made = jinja2.Environment(autoescape=False).from_string(template)  # noqa: S701 - numbers and words, for no browser
    return made.render(value_json=json.loads(payload)).strip()


def values(told: dict[str, object]) -> dict[str, str]:
    payload = encode(State("t-07", "e", "s", "b", Instant(0), 0, told))
    return {each["name"]: rendered(each["value_template"], payload) for each in described().values()}


def test_a_board_is_one_device_that_is_there_when_its_status_says_so() -> None:
    for topic, one in described().items():
        assert topic.startswith(("homeassistant/sensor/t-07/", "homeassistant/binary_sensor/t-07/"))
        assert topic.endswith("/config")
        assert one["state_topic"] == "gnomon/1/t-07/state"
        assert one["availability_topic"] == "gnomon/1/t-07/status"
        assert one["device"]["identifiers"] == ["gnomon_t-07"]
        assert rendered(one["availability_template"], encode(STATUS)) == "online"
    assert len({one["unique_id"] for one in described().values()}) == len(described())
    assert BIRTH == "homeassistant/status"
    (named, *_) = (json.loads(each.payload) for each in descriptions(STATUS, "north"))
    assert named["state_topic"] == "gnomon/2/north/t-07/state"
    assert named["availability_topic"] == "gnomon/2/north/t-07/status"


@pytest.mark.parametrize("gone", [b'{"online": false}'])
def test_a_board_that_has_gone_is_offline(gone: bytes) -> None:
    assert {rendered(one["availability_template"], gone) for one in described().values()} == {"offline"}


def test_the_values_are_those_of_the_card() -> None:
    scene = tables.scenes()["level3-countdown"]
    shown = values(card(scene.game, scene.now, health=(Statement.plain("The lights do not answer."),)))
    assert shown["Game"] == "running"
    assert shown["Played"] == "TAMSK"
    assert (shown["Turn"], shown["Last turn"], shown["Turns"]) == ("red", "A1-B2", "6")
    assert (shown["Least time"], shown["Trouble"], shown["Being played"]) == ("13", "ON", "ON")


def test_without_a_game_or_without_time_there_are_values_too() -> None:
    assert values(card(None, Instant(0))) == {
        "Game": "empty",
        "Played": "none",
        "Turn": "none",
        "Last turn": "",
        "Turns": "0",
        "Least time": "0",
        "Trouble": "OFF",
        "Being played": "OFF",
    }
    assert values(card(begin("tabik", {}), Instant(0)))["Least time"] == "0"
