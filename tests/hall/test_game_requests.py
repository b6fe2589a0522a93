"""The request for a game reads as it was written, and refuses what is no game."""

import json
from dataclasses import fields

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon.hall.messaging.actions import GameRequest, PairingName, RequestFields
from gnomon.hall.messaging.messages import MessageError
from gnomon.referee.judgement import Temperament
from gnomon.referee.setup import GameSetup
from gnomon.rules.registry import GAMES

NAMES = st.text(max_size=12)
SETUPS = st.builds(
    GameSetup,
    st.sampled_from(["", *GAMES]),
    st.dictionaries(NAMES, st.one_of(NAMES, st.integers(), st.booleans()), max_size=4),
    st.sampled_from([each.value for each in Temperament]),
    st.dictionaries(NAMES, NAMES, max_size=4),
)
REQUESTS = st.builds(
    GameRequest, SETUPS, st.none() | st.builds(PairingName, NAMES, st.integers(), st.integers()), NAMES
)


@given(REQUESTS)
def test_a_request_reads_as_it_was_written(request: GameRequest) -> None:
    action = json.loads(json.dumps(request.dump()))
    assert RequestFields(action).game() == request
    assert RequestFields({**action, "later": ["something"]}).game() == request


def test_what_is_not_said_is_as_usual() -> None:
    assert RequestFields({"do": "new_game"}).game() == GameRequest(GameSetup())


@pytest.mark.parametrize(
    ("action", "said"),
    [
        ({"game": 5}, "the request has no text game"),
        ({"settings": [1]}, "the request has no object settings"),
        ({"settings": {"level": [1]}}, "the setting level is neither a text nor a whole number"),
        ({"temperament": None}, "the request has no text temperament"),
        ({"players": ["Ada"]}, "the request has no object players"),
        ({"players": {"black": 7}}, "the name of the player Black is not a text"),
        ({"pairing": {"round": 1}}, "a pairing is a tournament, a round and a board"),
        ({"pairing": "open 1 2"}, "the request has no object pairing"),
        ({"abandoned_by": 3}, "the request has no text abandoned_by"),
    ],
)
def test_what_is_no_game_is_refused_with_the_field(action: dict[str, object], said: str) -> None:
    with pytest.raises(MessageError) as refused:
        RequestFields(action).game()
    assert str(refused.value) == said


def test_every_field_of_a_setup_travels_but_the_board() -> None:
    assert {*GameRequest(GameSetup()).dump()} == {"do", *(part.name for part in fields(GameSetup))} - {"board"}
