"""Help during a turn: what is in hand on each board, what may be said of it, and when that is past."""

import pytest

from gnomon.referee._correction_words import what
from gnomon.referee.events import DeadlineReached, InputChanged, Paused, PlayerHelped, Resumed
from gnomon.referee.game import Game, Held
from gnomon.referee.games import begin
from gnomon.referee.help import held_by_person, parse_help
from gnomon.referee.step import step
from gnomon.refusals import statement
from gnomon.rules.protocol import SettingsError
from tests.referee.scripted_board import instant
from tests.referee.test_draws_and_warnings import ANN, Evening

WHY = statement("coach.hand.yes")


def test_help_is_brain_or_hand_or_none() -> None:
    assert parse_help({}) == ""
    assert parse_help({"help": "off"}) == ""
    assert begin("tabik", {"help": "brain"}).help == "brain"
    assert begin("tabik", {"help": "hand", "opponent": "1"}).help == "hand"
    assert begin("clock", {"clock": "5", "help": "hand"}).help == ""
    assert begin("tabik", {"size": 3, "help": "hand", "exercise": "lesson:first:6"}).help == ""
    assert begin("tabik", {"help": "hand", "opponent": "another-board"}).help == ""
    with pytest.raises(SettingsError, match="help must be one of off, brain"):
        begin("tabik", {"help": "foot"})


def test_in_hand_is_what_was_picked_with_the_buttons_as_far_as_it_leaves_something_out() -> None:
    evening = Evening(size=2)
    assert held_by_person(evening.game) is None
    evening.press("next")
    assert held_by_person(evening.game) is None  # the cursor stands on it, and nobody has picked it yet
    evening.press("enter")
    assert held_by_person(evening.game) == Held("a", ("a1b1", "a2b2", "a1a2", "a2a1"))
    evening.press("back")
    assert held_by_person(evening.game) is None


def test_in_hand_at_tamsk_is_the_glass_that_was_lifted() -> None:
    game: Game = begin("tamsk", {"level": 1, "ring": "auto"}, board="tamsk")
    assert held_by_person(game) is None
    game, _ = step(game, InputChanged(instant(1), "D1.north", False))
    game, _ = step(game, DeadlineReached(instant(2)))
    held = held_by_person(game)
    assert held is not None
    assert held.name == "D1"
    assert held.turns
    assert all("D1-" in text for text in held.turns)
    assert set(held.turns) < {game.rules.text(game.position, move) for move in game.rules.legal_moves(game.position)}
    game, _ = step(game, InputChanged(instant(3), "D2.south", True))
    game, _ = step(game, DeadlineReached(instant(4)))
    assert held_by_person(game) is None  # it stands again


def test_the_answer_goes_when_it_is_put_down_and_comes_for_nothing_that_is_not_in_hand() -> None:
    evening = Evening(size=3, help="hand")
    evening.refuses("no longer in hand", PlayerHelped, "a", True, "Gnomon", WHY)
    evening.press("next", "enter")
    evening.refuses("no longer in hand", PlayerHelped, "b", True, "Gnomon", WHY)
    evening.tell(PlayerHelped, "a", True, "Gnomon", WHY)
    assert evening.game.helped is not None
    assert (evening.game.helped.held, evening.game.helped.fits, evening.game.helped.said) == ("a", True, WHY)
    evening.press("back")
    assert evening.game.helped is None


def test_with_what_to_play_is_known_until_the_turn_has_been_made() -> None:
    evening = Evening(size=3, help="brain")
    evening.tell(PlayerHelped, "", False, "Gnomon", "the left one")
    evening.press("next", "enter")
    assert evening.game.helped is not None
    assert str(evening.game.helped.said) == "the left one"
    evening.enter("a1b1")
    assert evening.game.helped is None


def test_nobody_is_helped_in_a_pause_nor_while_an_engine_or_nature_is_on_turn() -> None:
    evening = Evening(size=3, help="brain")
    evening.tell(PlayerHelped, "", False, "Gnomon", WHY)
    evening.tell(Paused, ANN)
    assert evening.game.helped is None
    evening.refuses("no longer in hand", PlayerHelped, "", False, "Gnomon", WHY)
    evening.tell(Resumed, ANN)
    for settings in ({"opponent": "1", "opponent_plays": "black"}, {}):
        other = Evening("tabik" if settings else "twenty-squares", help="brain", **settings)
        other.refuses("no longer in hand", PlayerHelped, "", False, "Gnomon", WHY)


def test_what_help_did_can_be_said() -> None:
    assert str(what(PlayerHelped(instant(1), "D1", True, "Gnomon", WHY))) == "told whether D1 is part of a good turn"
    assert str(what(PlayerHelped(instant(1), "", False, "Gnomon", WHY))) == "told which piece makes a good turn"
