"""A game is set up by one value, and the referee says what of it cannot be."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon.referee.games import begin, game_of
from gnomon.referee.judgement import Temperament
from gnomon.referee.setup import GameSetup
from gnomon.rules.protocol import SettingsError

GAMES = [
    ("tamsk", {"level": 3}, "tamsk"),
    ("tayu", {}, "tayu"),
    ("tayu", {"clock": "5+3"}, ""),
    ("tabik", {"size": 6}, ""),
    ("clock", {"clock": "3+2"}, "table"),
]


@pytest.mark.parametrize(("game", "settings", "board"), GAMES)
@given(temperament=st.sampled_from(Temperament), name=st.text(max_size=60))
def test_the_loose_arguments_of_a_script_are_the_fields_of_a_setup(
    game: str, settings: dict[str, object], board: str, temperament: Temperament, name: str
) -> None:
    players = {"black": name}
    made = game_of(GameSetup(game, settings, temperament, players, board))
    assert made == begin(game, settings, temperament, board=board, players=players)
    assert made.temperament is temperament
    assert game_of(GameSetup(game, settings, temperament.value, players, board)) == made


@pytest.mark.parametrize(
    ("setup", "said"),
    [
        (GameSetup("tabik", temperament="cross"), "there is no temperament 'cross'; there are silent, assistant,"),
        (GameSetup("tabik", temperament=""), "there is no temperament ''; there are silent, assistant, coach"),
        (GameSetup("tabik", temperament="x" * 90), f"there is no temperament '{'x' * 40}'"),
        (GameSetup("tabik", board="tamsk"), "tabik is not played on the tamsk board"),
        (GameSetup("tamsk", board="table"), "tamsk is played on its own board"),
    ],
)
def test_what_cannot_be_is_refused_as_a_setting(setup: GameSetup, said: str) -> None:
    with pytest.raises(SettingsError) as refused:
        game_of(setup)
    assert str(refused.value).startswith(said)
