"""The tests of books that somebody has written by hand, to see what breaks: each is refused at once, in a sentence."""

import pytest

from gnomon.tournament.event_log.codec import CodecError, event_of, event_text
from gnomon.tournament.events import EntrantRegistered, TournamentOpened
from gnomon.tournament.state.settings import Scoring, System, TournamentSettings

OPENED = event_text(TournamentOpened(TournamentSettings("Open", System.SWISS, 3, scoring=Scoring())))


@pytest.mark.parametrize(
    "turning", ["\u202a", "\u202b", "\u202d", "\u202e", "\u202c", "\u2066", "\u2067", "\u2068", "\u2069"]
)
def test_a_name_that_would_turn_the_table_around_it_is_refused(turning: str) -> None:
    with pytest.raises(
        CodecError, match=r"EntrantRegistered\.name holds the character '\\u20..', which cannot be shown"
    ):
        event_text(EntrantRegistered(1, f"{turning}Ada"))


def test_names_of_any_writing_are_taken() -> None:
    names = ["שירה", "سارا", "نیما\u200cی", "李雷", "O’Brien", "Ада"]
    for number, name in enumerate(names, start=1):
        event = EntrantRegistered(number, name)
        assert event_of(event_text(event)) == event


@pytest.mark.parametrize(
    "win", ["1e999999999", "1e-999999999", "1" * 41, "1/" + "3" * 41, "1/0", " 1", "1_0", "+1", ""]
)
def test_points_that_would_fill_the_memory_are_refused_at_once(win: str) -> None:
    assert '"win":"1"' in OPENED
    with pytest.raises(CodecError, match="is not a fraction"):
        event_of(OPENED.replace('"win":"1"', f'"win":"{win}"'))


@pytest.mark.parametrize("text", ["[" * 100_000, '{"kind":' * 2000 + "}" * 2000, "9" * 5000, "NaN", "{}", "\ud800"])
def test_what_is_no_event_is_refused_in_a_sentence(text: str) -> None:
    with pytest.raises(CodecError, match="cannot be read"):
        event_of(text)
