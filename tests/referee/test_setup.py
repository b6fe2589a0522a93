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
    ("tau", {}, ""),
    ("clock", {"clock": "3+2"}, "table"),
]


@pytest.mark.parametrize(("game", "settings", "board"), GAMES)
@given(temperament=st.sampled_from(Temperament), name=st.text(max_size=60))
def test_the_loose_arguments_of_a_script_are_the_fields_of_a_setup(
    game: str, settings: dict[str, object], board: str, temperament: Temperament, name: str
) -> None:
    players = {game_of(GameSetup(game, settings, board=board)).rules.players[-1]: name}
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


def test_a_script_that_names_a_player_whom_the_game_does_not_have_is_told() -> None:
    with pytest.raises(SettingsError) as refused:
        begin("tabik", {}, players={"black": "Ada", "wihte": "Grace", "red": "Emmy"})
    assert str(refused.value) == "tabik has no player wihte or red; its players are black and white"
    with pytest.raises(SettingsError, match="tayu has no player p3; its players are "):
        begin("tayu", {"players": 2}, players={"p3": "Ada"})


def test_a_journal_that_names_such_a_player_is_still_read() -> None:
    assert game_of(GameSetup("tabik", players={"red": "Emmy"})).people == (("red", "Emmy"),)
