import pytest

from gnomon.games.twenty_squares.rules import TwentySquares, TwentySquaresSettings
from gnomon.rules.protocol import SettingsError


def settings_of(**settings: object) -> TwentySquaresSettings:
    return TwentySquaresSettings.from_mapping(settings)


def test_the_defaults_are_five_counters_and_sticks_on_the_board_of_tau() -> None:
    assert settings_of() == TwentySquaresSettings(
        board="tau",
        players=2,
        counters=5,
        dice="sticks",
        entry="choice",
        stacking="off",
        route="long",
        ruleset="tau",
    )


def test_asha_has_twelve_counters_and_cowries_unless_others_are_asked_for() -> None:
    assert settings_of(board="asha") == TwentySquaresSettings(board="asha", counters=12, dice="cowries")
    assert settings_of(board="asha", counters=6, dice="sticks").counters == 6
    assert settings_of(board="asha", counters=6, dice="sticks").dice == "sticks"


def test_four_players_take_the_short_route() -> None:
    assert settings_of(board="double", players="4") == settings_of(board="double", players=4, route="short")


@pytest.mark.parametrize("counters", range(1, 8))
def test_one_to_seven_counters_are_played_with(counters: int) -> None:
    rules = TwentySquares.from_settings({"counters": str(counters)})
    assert rules.state(rules.start())["hand"] == {"p1": counters, "p2": counters}


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"board": "ur"}, "board must be one of tau, double, jiroft, asha, not 'ur'"),
        ({"players": 3}, "players must be one of 2, 4, not 3"),
        ({"players": True}, "players must be one of 2, 4, not True"),
        ({"dice": None}, "dice must be one of sticks, cube, cowries, not None"),
        ({"entry": "free"}, "entry must be one of choice, auto, any, not 'free'"),
        ({"stacking": "on"}, "stacking must be one of off, capture_together, invincible, not 'on'"),
        ({"route": "19"}, "route must be one of long, short, not '19'"),
        ({"ruleset": "royal"}, "ruleset must be one of tau, aseb, not 'royal'"),
        ({"counters": "0"}, "counters must be a whole number from 1 to 7, or 12 on board=asha, not '0'"),
        ({"counters": "five"}, "counters must be a whole number from 1 to 7, or 12 on board=asha, not 'five'"),
        ({"counters": 2.0}, "counters must be a whole number from 1 to 7, or 12 on board=asha, not 2.0"),
        ({"counters": 8}, "counters must be a whole number from 1 to 7 on board=tau, not 8"),
        ({"counters": 13, "board": "asha"}, "counters must be a whole number from 1 to 12 on board=asha, not 13"),
        (
            {"rosettes": "safe"},
            (
                "Tau (Twenty Squares) has no setting 'rosettes'; "
                "its settings are board, players, counters, dice, entry, stacking, route, ruleset"
            ),
        ),
        ({"players": 4}, "four players need board=double, not board=tau"),
        (
            {"players": 4, "board": "double", "route": "long"},
            "four players run 19 steps: players=4 needs route=short, not route=long",
        ),
        ({"route": "short"}, "route=short is a route of board=double, not of board=tau"),
        (
            {"ruleset": "aseb", "dice": "cube"},
            "ruleset=aseb needs dice=sticks, four sticks that throw 0 to 4, not dice=cube",
        ),
        (
            {"ruleset": "aseb", "entry": "auto"},
            "ruleset=aseb has no entry gate: every throw enters, and entry=auto has nothing to convert",
        ),
        (
            {"ruleset": "aseb", "board": "asha", "dice": "sticks"},
            "board=asha needs ruleset=tau, not ruleset=aseb",
        ),
    ],
)
def test_what_cannot_be_is_refused_with_one_sentence(settings: dict[str, object], sentence: str) -> None:
    with pytest.raises(SettingsError) as caught:
        settings_of(**settings)
    assert str(caught.value) == sentence


def test_settings_that_do_not_go_together_cannot_be_made_at_all() -> None:
    with pytest.raises(SettingsError, match=r"players=4 needs route=short"):
        TwentySquaresSettings(board="double", players=4)
