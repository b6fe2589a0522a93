"""Build the MQTT discovery messages that describe a board to Home Assistant.

Home Assistant reads retained descriptions under `homeassistant/` and announces on `homeassistant/status` that it has
been started (its MQTT integration, "MQTT Discovery"). It shows only what the board reports to its hall anyway, and
cannot control the board.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from gnomon.hall.messaging.enrolment import user_of
from gnomon.hall.messaging.hall_topics import with_hall
from gnomon.hall.messaging.messages import Status, Topic

PREFIX: Final = "homeassistant"
BIRTH: Final = f"{PREFIX}/status"
"""Where Home Assistant says that it is there."""
ONLINE: Final = b"online"

_MICROSECONDS: Final = 1_000_000


class HomeAssistantEntity(NamedTuple):
    """A retained description and its topic."""

    topic: str
    payload: bytes


class _Entity(NamedTuple):
    """Something that Home Assistant shows: its kind there, its name for people, and where its value stands."""

    component: str
    key: str
    name: str
    template: str
    more: Mapping[str, object]


_ENTITIES: Final = (
    _Entity("sensor", "phase", "Game", "{{ value_json.card.phase }}", {"icon": "mdi:checkerboard"}),
    _Entity("sensor", "title", "Played", "{{ value_json.card.title | default('none') }}", {"icon": "mdi:dice-5"}),
    _Entity("sensor", "turn", "Turn", "{{ value_json.card.turn | default('none') }}", {"icon": "mdi:account"}),
    _Entity("sensor", "last", "Last turn", "{{ value_json.card.last | default('') }}", {"icon": "mdi:history"}),
    _Entity(
        "sensor",
        "plies",
        "Turns",
        "{{ value_json.card.plies | default(0) }}",
        {"icon": "mdi:counter", "state_class": "measurement"},
    ),
    _Entity(
        "sensor",
        "urgent",
        "Least time",
        f"{{{{ (value_json.card.urgent_us | default(none, true) or 0) // {_MICROSECONDS} }}}}",
        {"device_class": "duration", "unit_of_measurement": "s"},
    ),
    _Entity(
        "binary_sensor",
        "trouble",
        "Trouble",
        "{{ 'ON' if value_json.card.health else 'OFF' }}",
        {"device_class": "problem"},
    ),
    _Entity(
        "binary_sensor",
        "running",
        "Being played",
        "{{ 'ON' if value_json.card.phase == 'running' else 'OFF' }}",
        {"device_class": "running"},
    ),
)


def descriptions(status: Status, hall: str = "") -> Iterator[HomeAssistantEntity]:
    """What is to be retained so that Home Assistant shows a board; `hall` is the one that its topics name."""
    board = status.board
    for entity in _ENTITIES:
        yield HomeAssistantEntity(
            _topic(node_of(user_of(board, hall)), entity), json.dumps(_description(status, entity, hall)).encode()
        )


def node_of(user: str) -> str:
    """What a user of the broker, `HALL/BOARD`, is called in the topics of Home Assistant."""
    return user.replace("/", "_")


def _topic(node: str, entity: _Entity) -> str:
    return f"{PREFIX}/{entity.component}/{node}/{entity.key}/config"


def _description(status: Status, entity: _Entity, hall: str) -> dict[str, object]:
    board = status.board
    identifier = f"gnomon_{node_of(user_of(board, hall))}"
    return {
        "name": entity.name,
        "unique_id": f"{identifier}_{entity.key}",
        "state_topic": with_hall(Topic.STATE.of(board), hall),
        "value_template": entity.template,
        "availability_topic": with_hall(Topic.STATUS.of(board), hall),
        "availability_template": "{{ 'online' if value_json.online else 'offline' }}",
        "device": {
            "identifiers": [identifier],
            "name": f"Board {status.label or board}",
            "manufacturer": "Gnomon",
            "model": status.kind or "board",
            "sw_version": status.version,
        },
        "origin": {"name": "Gnomon", "sw_version": status.version},
        **entity.more,
    }
