"""Offers of a draw and warnings: who may say them, when they lapse, and what they lead to."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from gnomon.referee._correction_words import what
from gnomon.referee.draws import asked_for_a_draw, is_of_a_draw, may_offer, offer_draw, two_players
from gnomon.referee.effects import Announce, Effect
from gnomon.referee.errors import CorrectionError
from gnomon.referee.events import (
    CorrectionUndone,
    DeadlineReached,
    DrawAnswered,
    DrawOffered,
    Event,
    InputChanged,
    OpponentLeft,
    Paused,
    PlayerWarned,
    Resumed,
    TurnEntered,
    TurnsVoided,
)
from gnomon.referee.game import Exercise, Game
from gnomon.referee.games import begin
from gnomon.referee.rulings import Corrected, GameOver
from gnomon.referee.step import step
from gnomon.referee.warnings import are_warnings_wanted, pending_turn
from gnomon.refusals import statement
from gnomon.rules.protocol import Outcome, SettingsError
from tests.referee.scripted_board import instant

ANN = "Ann"
WHY = statement("coach.verdict.loses")


class Evening:
    """A game at a table, second by second."""

    def __init__(self, name: str = "tabik", /, **settings: object) -> None:
        self.game: Game = begin(name, settings)
        self.now = 0.0
        self.effects: list[Effect] = []

    def tell(self, make: Callable[..., Event], *said: object) -> None:
        self.now += 1
        event = make(instant(self.now), *said)
        self.game, effects = step(self.game, event)
        self.effects += effects

    def enter(self, *texts: str) -> None:
        for text in texts:
            self.tell(TurnEntered, text, ANN)

    def press(self, *buttons: str) -> None:
        for button in buttons:
            self.tell(InputChanged, f"button.{button}", True)
            self.tell(InputChanged, f"button.{button}", False)

    def refuses(self, why: str, make: Callable[..., Event], *said: object) -> None:
        before = self.game
        with pytest.raises(CorrectionError, match=why):
            self.tell(make, *said)
        assert self.game is before

    @property
    def ruled(self) -> list[str]:
        """What was ruled of talk, in English."""
        rulings = [effect.ruling for effect in self.effects if isinstance(effect, Announce)]
        return [str(ruling.what) for ruling in rulings if isinstance(ruling, Corrected) and is_of_a_draw(ruling)]


# A draw


def test_no_draw_is_offered_in_a_lesson() -> None:
    game = Evening().game
    assert may_offer(game) == "black"
    lesson = replace(game, exercise=Exercise("lesson", "first", 0))
    assert may_offer(lesson) is None
    with pytest.raises(CorrectionError) as refused:
        offer_draw(lesson, "black", instant(1))
    assert refused.value.statement.key == "told.draw.exercise"


def test_a_draw_is_offered_and_accepted_by_the_other_player() -> None:
    evening = Evening()
    evening.enter("a1b1")
    evening.tell(DrawOffered, "black", ANN)
    assert asked_for_a_draw(evening.game) == "white"
    evening.refuses("the other player answers your offer", DrawAnswered, "black", True, ANN)
    evening.tell(DrawAnswered, "white", True, "Ben")
    assert evening.game.outcome == Outcome(None, "agreed")
    assert asked_for_a_draw(evening.game) is None
    assert evening.ruled == ["Black offered a draw", "White accepted the draw"]
    assert [
        each.ruling.winner
        for each in evening.effects
        if isinstance(each, Announce) and isinstance(each.ruling, GameOver)
    ] == [None]
    evening.tell(CorrectionUndone, "arbiter")
    assert evening.game.outcome is None


def test_a_draw_that_is_declined_is_offered_again_only_after_a_turn_of_ones_own() -> None:
    evening = Evening()
    evening.tell(DrawOffered, "black", ANN)
    evening.tell(DrawAnswered, "white", False, "Ben")
    assert evening.game.draw is not None
    assert evening.game.draw.answered is not None
    assert asked_for_a_draw(evening.game) is None
    evening.refuses("make a turn before", DrawOffered, "black", ANN)
    evening.tell(DrawOffered, "white", "Ben")
    evening.tell(DrawAnswered, "black", False, ANN)
    evening.enter("a1b1")
    evening.refuses("make a turn before", DrawOffered, "white", "Ben")
    evening.tell(DrawOffered, "black", ANN)
    assert asked_for_a_draw(evening.game) == "white"


def test_an_offer_stands_while_its_maker_moves_and_lapses_with_the_others_turn() -> None:
    evening = Evening()
    evening.tell(DrawOffered, "black", ANN)
    evening.enter("a1b1")
    assert asked_for_a_draw(evening.game) == "white"
    evening.enter("c1d1")
    assert asked_for_a_draw(evening.game) is None
    evening.refuses("no draw is offered", DrawAnswered, "white", True, "Ben")


def test_turns_that_are_taken_back_take_an_offer_with_them() -> None:
    evening = Evening()
    evening.enter("a1b1", "c1d1")
    evening.tell(DrawOffered, "black", ANN)
    evening.tell(TurnsVoided, 1, True, ANN)
    assert asked_for_a_draw(evening.game) is None
    evening.refuses("make a turn before", DrawOffered, "black", ANN)


def test_who_may_not_offer_and_when() -> None:
    evening = Evening(opponent="1")
    evening.refuses("the engine|an engine plays", DrawOffered, "white", ANN)
    evening.refuses("does not play", DrawOffered, "green", ANN)
    evening.tell(DrawOffered, "black", ANN)
    evening.refuses("has been offered already", DrawOffered, "black", ANN)
    evening.tell(Paused, ANN)
    evening.refuses("paused", DrawAnswered, "white", True, ANN)
    evening.tell(Resumed, ANN)
    evening.tell(OpponentLeft, "Gnomon 1")
    evening.tell(DrawAnswered, "white", True, "Ben")
    evening.refuses("over", DrawOffered, "black", ANN)
    four = Evening("tayu", players=4)
    four.refuses("only in a game for two", DrawOffered, "p1", ANN)
    assert two_players(four.game) == ()


def test_the_bidders_are_asked_in_the_roles_that_they_take() -> None:
    evening = Evening("tau", rows=3, columns=3)
    assert two_players(evening.game) == ("p1", "p2")
    evening.enter("bid:1", "pass")
    evening.tell(DrawOffered, "high", ANN)
    assert asked_for_a_draw(evening.game) == "low"
    assert set(two_players(evening.game)) == {"high", "low"}


def test_throws_let_no_offer_lapse() -> None:
    evening = Evening("twenty-squares")
    evening.tell(DrawOffered, "p1", ANN)
    evening.enter("throw:1")
    assert asked_for_a_draw(evening.game) == "p2"


def test_persons_who_change_sides_keep_what_they_have_offered() -> None:
    evening = Evening(pie="yes")
    evening.enter("a1b1")
    evening.tell(DrawOffered, "white", "Ben")
    evening.tell(DrawAnswered, "black", False, ANN)
    evening.enter("pie")
    assert set(two_players(evening.game)) == {"black", "white"}


# A warning


def test_the_turn_that_enter_would_play_is_warned_of_and_the_warning_goes_with_it() -> None:
    evening = Evening("tau", rows=3, columns=3, warnings="on")
    assert evening.game.warns
    assert pending_turn(evening.game) is None
    evening.refuses("no longer waiting to be confirmed", PlayerWarned, "bid:0", "Gnomon", WHY)
    evening.press("next")
    text = pending_turn(evening.game)
    assert text is not None
    evening.tell(PlayerWarned, text, "Gnomon", WHY)
    assert evening.game.warned is not None
    assert (evening.game.warned.text, evening.game.warned.said) == (text, WHY)
    evening.press("next")
    assert evening.game.warned is None


def test_what_a_person_wrote_as_the_reason_is_said_as_it_is() -> None:
    evening = Evening("tau", rows=3, columns=3)
    evening.press("next")
    evening.tell(PlayerWarned, pending_turn(evening.game), "arbiter", "are you sure?")
    assert evening.game.warned is not None
    assert str(evening.game.warned.said) == "are you sure?"


def test_nothing_waits_in_a_pause_after_the_end_for_nature_and_for_an_engine() -> None:
    evening = Evening()
    evening.press("next")
    evening.tell(Paused, ANN)
    assert pending_turn(evening.game) is None
    assert pending_turn(begin("twenty-squares", {})) is None
    assert pending_turn(begin("tabik", {"opponent": "1", "opponent_plays": "black"})) is None
    evening.tell(Resumed, ANN)
    evening.tell(DrawOffered, "black", ANN)
    evening.tell(DrawAnswered, "white", True, ANN)
    assert pending_turn(evening.game) is None


def test_warnings_are_on_or_off() -> None:
    assert not are_warnings_wanted({})
    assert not begin("clock", {"clock": "5", "warnings": "on"}).warns
    with pytest.raises(SettingsError, match="warnings must be one of"):
        begin("tabik", {"warnings": "loud"})


def test_at_tamsk_the_turn_waits_until_its_ring_has_fallen() -> None:
    for ring in ("optional", "auto"):
        game: Game = begin("tamsk", {"level": 1, "ring": ring}, board="tamsk")
        for at, name, value in ((1.0, "D1.north", False), (1.8, "D2.south", True)):
            game, _ = step(game, InputChanged(instant(at), name, value))
        assert pending_turn(game) is None
        game, _ = step(game, DeadlineReached(instant(3)))
        text = pending_turn(game)
        assert text is not None
        assert game.rules.parse(game.position, text) is not None
        game, _ = step(game, InputChanged(instant(4), "D2.ring1", True))
        game, _ = step(game, DeadlineReached(instant(6)))
        assert pending_turn(game) is None
        assert len(game.plies) == 1


def test_what_a_warning_did_can_be_said() -> None:
    assert str(what(PlayerWarned(instant(1), "a1b1", "Gnomon", WHY))) == "warned of a1b1"


def test_who_plays_an_engine_may_offer_at_any_time_and_two_people_on_their_turn() -> None:
    assert may_offer(begin("tabik", {})) == "black"
    assert may_offer(begin("tabik", {"opponent": "1", "opponent_plays": "black"})) == "white"
    assert may_offer(begin("tayu", {"players": 4})) is None
    evening = Evening()
    evening.tell(DrawOffered, "black", ANN)
    assert may_offer(evening.game) is None
