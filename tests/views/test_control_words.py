"""Time controls in words: what each side has, in every language, and why a text is none."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon.refusals import clause
from gnomon.timekeeping.notation import ControlNotationError, parse_time_control
from gnomon.timekeeping.presets import PRESETS
from gnomon.views.control_words import describe, time_in_words
from gnomon.words import LANGUAGES, words

OTHERS = [language for language in LANGUAGES if language != "en"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("25", "25 min"),
        ("25+10", "25 min, 10 s more for each move"),
        ("0+10", "10 s more for each move"),
        ("1:30", "1 min 30 s"),
        ("25b10", "25 min, up to 10 s of each move are given back"),
        ("25d5", "25 min, in each move the time runs only after 5 s"),
        ("40/90+30 then 30+30", "40 moves in 90 min, 30 s more for each move, then 30 min, 30 s more for each move"),
        ("30 then byo-yomi 5x30", "30 min, then 5 spells of 30 s: one used up in a move is lost"),
        ("10 then byo-yomi 1x30", "10 min, then 1 spell of 30 s for each move: the flag falls when it is used up"),
        ("30 then canadian 20/5", "30 min, then 20 moves in each 5 min"),
        ("hourglass 3", "an hourglass of 3 min: the time that one side uses goes to the other"),
        ("25 then up", "25 min, then the time is counted up and no flag falls"),
        ("25 vs 15", "first player: 25 min; second player: 15 min"),
        ("5, runs on", "5 min; the first flag does not stop the other clock"),
    ],
)
def test_a_time_control_is_said_as_players_say_it(text: str, said: str) -> None:
    assert describe(parse_time_control(text)) == said


@pytest.mark.parametrize("language", OTHERS)
def test_every_preset_is_described_in_every_language(language: str) -> None:
    say = words(language)
    for preset in PRESETS.values():
        assert say(f"control.preset.{preset.name}") != words()(f"control.preset.{preset.name}")
        if preset.text != "25":  # minutes are the same everywhere
            assert describe(preset.control, say) != describe(preset.control)


@given(st.integers(1, 10**12))
def test_a_length_of_time_says_its_units(time: int) -> None:
    parts = time_in_words(time).split(" ")
    assert parts[1::2] in [["h"], ["min"], ["s"], ["h", "min"], ["h", "s"], ["min", "s"], ["h", "min", "s"]]
    worth = {"h": 3_600_000_000, "min": 60_000_000, "s": 1_000_000}
    assert round(sum(float(n) * worth[unit] for n, unit in zip(parts[::2], parts[1::2], strict=True))) == time


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize(
    "text",
    [
        "25+", "99:99", "hourglass 3 then 5", "0/5+3", "byo-yomi 5x30 then 4", "1 vs 2 vs 3", "0", "hourglass 3 vs 5",
        "hourglass 3, runs on", "canadian 20/5 then 3", "up then 5", "20000", "1+999999", "byo-yomi 5x700000",
        "canadian 5/20000", "hourglass 20000", "byo-yomi 1000x5", "byo-yomi 5x0", "canadian 5/0", "canadian 1000/5",
        "hourglass 0", "10+5 then 0+5", "5m1h",
    ],
)  # fmt: skip
def test_what_is_no_time_control_is_said_in_every_language(text: str, language: str) -> None:
    with pytest.raises(ControlNotationError) as refused:
        parse_time_control(text)
    english, other = str(refused.value), clause(refused.value.statement, words(language))
    for part, said in zip(english.split(": ", 1), other.split(": ", 1), strict=True):
        assert "25+10" in said or part != said
