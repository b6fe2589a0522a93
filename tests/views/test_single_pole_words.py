"""What is said on boards whose sensors see one pole: sensors, the button, and a turn that is taken back."""

import pytest

from gnomon.games.tamsk.sensing.declarations import TIMER_WAS_NOT, WHO
from gnomon.games.tamsk.sensing.inputs import inputs_of
from gnomon.games.tamsk.show import _lights as lights
from gnomon.referee.events import DeadlineReached
from gnomon.referee.rulings import Corrected
from gnomon.refusals import statement
from gnomon.timekeeping.instants import Instant
from gnomon.views import sentences
from gnomon.views.display import oled
from gnomon.words import LANGUAGES, words
from tests.referee.scripted_board import instant
from tests.referee.single_pole_board import ONE_POLE, SinglePoleBoard

TAKEN_BACK = Corrected(Instant(0), statement("corrected.turn_taken_back", text="D1-D2"), WHO, "")
SAID = {
    "en": "By hand, the not-turned button: turn D1-D2 taken back: the glass was not turned.",
    "de": "Von Hand, die Taste „nicht gewendet“: Zug D1-D2 zurückgenommen: Die Sanduhr wurde nicht gewendet.",
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_input_of_such_a_board_has_a_name(language: str) -> None:
    names = [sentences.sensor(name, words(language)) for name in sorted(inputs_of(ONE_POLE))]
    assert len(set(names)) == len(names)
    assert not [name for name in names if "_" in name or "{" in name]


@pytest.mark.parametrize("language", SAID)
def test_a_turn_that_is_taken_back_is_said_in_every_language(language: str) -> None:
    assert sentences.sentence(TAKEN_BACK, "tamsk", words(language)) == SAID[language]


@pytest.mark.parametrize("language", LANGUAGES)
def test_so_is_a_15_second_glass_that_was_not_turned(language: str) -> None:
    said = sentences.sentence(Corrected(Instant(0), TIMER_WAS_NOT, WHO, ""), "tamsk", words(language))
    assert (TIMER_WAS_NOT.message in said) is (language == "en")


def test_display_and_lights_guide_the_glass_over() -> None:
    board = SinglePoleBoard(level=3)
    board.turn(1, "D1", "D2")
    board.press(5, "not_turned")
    board.tell(DeadlineReached(instant(6)))
    assert len(lights.lights_view(board.game, instant(6)).signals) > 1
    assert oled.screen(board.game, instant(6)).tobytes() != oled.screen(None, instant(6)).tobytes()
    assert [sentences.repair(step) for step in board.game.judgement.repairs] == ["Turn the glass over on D2."]
