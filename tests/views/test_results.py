"""What a picture says at its head when a game has ended in a way that its position does not know."""

from dataclasses import replace

import pytest

from gnomon.referee.games import begin
from gnomon.rules.protocol import ABANDONED, Outcome
from gnomon.rules.registry import GAMES
from gnomon.timekeeping.instants import Instant
from gnomon.views.results import result_of
from gnomon.views.summary import summary
from gnomon.words import words


@pytest.mark.parametrize(
    ("name", "settings", "said"),
    [("clock", {"clock": "25+10"}, "Right wins"), ("tabik", {}, "White wins"), ("tau", {}, "Player 2 wins")],
)
def test_a_finished_game_does_not_say_who_is_to_move(name: str, settings: dict[str, str], said: str) -> None:
    game = begin(name, settings)
    goes_on = str(summary(game, Instant(0))["picture"])
    assert (result_of(game), said in goes_on) == ("", False)
    ended = replace(game, declared=Outcome(game.rules.players[1], "flag_fell"))
    picture = str(summary(ended, Instant(0))["picture"])
    assert f">{said}</text>" in picture
    assert "to move" not in picture


def test_tamsk_says_it_too_and_in_every_language() -> None:
    ended = replace(begin("tamsk", {}), declared=Outcome("black", "resigns"))
    assert [result_of(ended, words(language)) for language in ("en", "de", "fr")] == [
        "Black wins",
        "Schwarz gewinnt",
        "Noir gagne",
    ]


@pytest.mark.parametrize("name", GAMES)
def test_a_game_that_was_abandoned_has_no_result_and_is_no_draw(name: str) -> None:
    game = begin(name, {"clock": "25+10"} if name == "clock" else {})
    given_up = replace(game, declared=Outcome(None, ABANDONED))
    said = {language: result_of(given_up, words(language)) for language in ("en", "de", "fr")}
    assert said == {"en": "No result", "de": "Ohne Ergebnis", "fr": "Sans résultat"}
    assert result_of(replace(game, declared=Outcome(None, "agreed"))) == "A draw"
