import pytest

from gnomon.games.tamsk.rules import Tamsk, TamskSettings
from gnomon.rules.protocol import SettingsError


def test_the_defaults_are_those_of_the_rules() -> None:
    assert Tamsk.from_settings({}) == Tamsk() == Tamsk(TamskSettings(1, "optional", "loses", "two_rings", 64))


def test_settings_are_read_from_text_and_from_numbers() -> None:
    read = Tamsk.from_settings({"level": "3", "stall": "0", "late": "skip_turn", "full_space": "take_back"}).settings
    assert read == TamskSettings(3, "optional", "take_back", "skip_turn", 0)
    assert Tamsk.from_settings({"level": 3, "stall": 12}).settings == TamskSettings(3, stall=12)


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"level": "4"}, "level must be one of 1, 2, 3, not '4'"),
        ({"level": True}, "level must be one of 1, 2, 3, not True"),
        ({"level": "\N{ARABIC-INDIC DIGIT ONE}"}, "level must be one of 1, 2, 3, not '\N{ARABIC-INDIC DIGIT ONE}'"),
        ({"ring": "always"}, "ring must be one of optional, auto, not 'always'"),
        ({"late": None}, "late must be one of two_rings, skip_turn, not None"),
        ({"full_space": ["loses"]}, "full_space must be one of loses, take_back, not ['loses']"),
        ({"stall": "-1"}, "stall must be a whole number from 0 (off) to 999999, not '-1'"),
        ({"stall": 1.5}, "stall must be a whole number from 0 (off) to 999999, not 1.5"),
        ({"stall": "٣"}, "stall must be a whole number from 0 (off) to 999999, not '٣'"),
        ({"stall": True}, "stall must be a whole number from 0 (off) to 999999, not True"),
        (
            {"colour": "blue"},
            "TAMSK has no setting 'colour'; its settings are level, ring, full_space, late, stall",
        ),
    ],
)
def test_wrong_settings_are_refused_with_one_sentence(settings: dict[str, object], sentence: str) -> None:
    with pytest.raises(SettingsError) as caught:
        Tamsk.from_settings(settings)
    assert str(caught.value) == sentence


def test_rules_with_equal_settings_are_equal_and_share_a_hash() -> None:
    one, other = Tamsk.from_settings({"level": 2}), Tamsk.from_settings({"level": "2"})
    assert one == other
    assert len({one, other, Tamsk()}) == 2
    assert one != "tamsk"
    assert repr(one).startswith("Tamsk(TamskSettings(level=2, ")
