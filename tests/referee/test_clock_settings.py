"""The settings of a match clock stand among those of a game, and are no rules."""

import pytest

from gnomon.referee.clock_settings import ClockTerms, split_settings, terms_of
from gnomon.referee.games import begin
from gnomon.referee.table import CLOCK_BUTTONS
from gnomon.rules.protocol import SettingsError
from gnomon.rules.registry import GAMES
from gnomon.timekeeping.instants import SECOND, Duration
from gnomon.timekeeping.presets import PRESETS, control_of


@pytest.mark.parametrize("game", GAMES)
def test_every_game_takes_a_clock(game: str) -> None:
    begun = begin(game, {"clock": "25+10"})
    assert begun.clock is not None
    assert begun.clock.clock.control == control_of("25+10")
    assert begin(game, {}).clock is begin(game, {"clock": "none"}).clock is None


@pytest.mark.parametrize("preset", PRESETS)
def test_a_preset_is_a_time_control_by_its_name(preset: str) -> None:
    assert terms_of({"clock": preset.upper()}) == ClockTerms(PRESETS[preset].control)


def test_the_terms_are_read_as_they_are_given() -> None:
    given = {"clock": 25, "flag": "shown", "press": "button", "warning": "7.5"}
    assert terms_of(given) == ClockTerms(control_of("25"), False, True, Duration(7_500_000))
    assert terms_of({"clock": "5", "warning": 10}) == ClockTerms(control_of("5"), warning=Duration(10 * SECOND))


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"clock": "25 ten"}, "clock: '25 ten' is not a period"),
        ({"clock": True}, "clock: '' is not a period"),
        ({"clock": ["25"]}, "clock: '' is not a period"),
        ({"clock": "25", "flag": "falls"}, "flag must be one of ends, shown, not 'falls'"),
        ({"clock": "25", "press": 1}, "press must be one of turn, button, not 1"),
        ({"clock": "25", "warning": "soon"}, "warning must be a number of seconds, 0 for none, not 'soon'"),
        ({"clock": "25", "warning": 3601}, "warning must be an hour at most, not 3601 seconds"),
        ({"flag": "ends"}, "flag is a setting of the match clock: give the time control too, such as clock=25"),
        ({"clock": "none", "warning": 3}, "warning is a setting of the match clock"),
    ],
)
def test_what_makes_no_clock_is_refused_with_one_sentence(settings: dict[str, object], words: str) -> None:
    with pytest.raises(SettingsError, match=words):
        begin("tabik", settings)


@pytest.mark.parametrize(
    ("game", "settings", "words"),
    [
        ("clock", {}, "give the time control of the clock, such as clock=25"),
        ("clock", {"clock": "5", "size": 8}, "has no setting 'size'"),
        (
            "tayu",
            {"clock": "5", "players": 3},
            "a match clock has two sides, but tayu with these settings is played by 3",
        ),
        ("tamsk", {"clock": "5", "press": "button"}, "TAMSK needs press=turn"),
    ],
)
def test_a_clock_that_a_game_cannot_have_is_refused(game: str, settings: dict[str, object], words: str) -> None:
    with pytest.raises(SettingsError, match=words):
        begin(game, settings)


def test_settings_are_parted_and_nothing_is_lost() -> None:
    given = {"size": 8, "clock": "5", "pie": "no", "flag": "shown"}
    assert split_settings(given) == ({"size": 8, "pie": "no"}, {"clock": "5", "flag": "shown"})


def test_only_a_game_with_a_clock_hears_the_players_own_buttons() -> None:
    with_clock = begin("tabik", {"clock": "5"}).inputs
    assert with_clock - begin("tabik", {}).inputs == {*CLOCK_BUTTONS}
    sensed = begin("tayu", {"clock": "5"}, board="tayu")
    assert len(sensed.inputs) == 17 * 17 + 5 + 2
