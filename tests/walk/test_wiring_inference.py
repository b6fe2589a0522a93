"""The walk as a state machine: doubts, ways back, what is skipped, what chatters, and buttons that answer."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import pytest

from gnomon.timekeeping.instants import Duration, Instant
from gnomon_pi import config
from gnomon_pi.tools.walk.prompts import keys, prompt
from gnomon_pi.tools.walk.steps import Do
from gnomon_pi.tools.walk.wires import BitLevels, mask
from gnomon_pi.tools.walk.wiring_inference import (
    LOOKS,
    SETTLED,
    Walk,
    WalkAnswer,
    WalkPhase,
    begin_walk,
    rests_high,
    take_answer,
    take_look,
    take_press,
    wants,
)
from tests.walk.boards import bits, bundled

BOARD = replace(bundled("tamsk").board, lights=None, buzzer=None)
BITS = bits(BOARD)
HIGH = (1 << 144) - 1
TICK = Duration(100_000)


@dataclass
class Walker:
    """A walk whose board is told which inputs are on; every input rests high."""

    walk: Walk = field(default_factory=lambda: begin_walk(BOARD))
    now: Instant = Instant(0)

    def look(self, low: int = 0, *, count: int = 1) -> "Walker":
        """Look so many times while these bits are low."""
        for _ in range(count):
            self.now = Instant(self.now + TICK)
            self.walk = take_look(self.walk, BitLevels(HIGH & ~low, HIGH & ~low), self.now)
        return self

    def on(self, *names: str) -> "Walker":
        """Let inputs be on for as long as it takes to be believed."""
        return self.look(mask(tuple(BITS[name] for name in names)), count=SETTLED // TICK + 1)

    def tell(self, *answers: WalkAnswer) -> "Walker":
        """Answer by keys."""
        for answer in answers:
            self.walk = take_answer(self.walk, answer, self.now)
        return self

    def press(self, *buttons: str) -> "Walker":
        """Press buttons one after the other."""
        for button in buttons:
            self.now = Instant(self.now + 1_000_000)
            self.walk = take_press(self.walk, button, self.now)
        return self

    @property
    def at(self) -> tuple[str, Do]:
        """Where it is, and what is to be done."""
        return self.walk.step.place, self.walk.now_do.do


@pytest.fixture
def a1() -> Walker:
    """A walk that has come to the first socket."""
    walker = Walker().look(count=LOOKS).press("button.red", "button.black", "button.arbiter").look()
    assert walker.at == ("A1", Do.NORTH_UP)
    return walker


def test_a_socket_is_learnt_by_putting_turning_and_taking_away(a1: Walker) -> None:
    a1.on("A1.south")
    assert a1.at == ("A1", Do.TURN)
    a1.on()
    assert a1.at == ("A1", Do.TURN)  # the glass is in the hand
    a1.on("A1.north")
    assert a1.at == ("A1", Do.TAKE)
    assert a1.on().at == ("A2", Do.NORTH_UP)
    assert a1.walk.answered == {"A1.south": (BITS["A1.south"],), "A1.north": (BITS["A1.north"],)}


def test_what_lasts_for_a_moment_only_is_not_believed(a1: Walker) -> None:
    a1.look(mask((BITS["A1.south"],)), count=SETTLED // TICK).look(count=9)
    assert a1.at == ("A1", Do.NORTH_UP)
    assert a1.walk.answered == {}


def test_an_input_that_keeps_silent_is_dead_when_the_person_says_so(a1: Walker) -> None:
    a1.tell(WalkAnswer.YES)
    assert a1.at == ("A1", Do.TURN)
    a1.tell(WalkAnswer.YES).on()
    assert a1.at == ("A1", Do.TAKE)  # nothing can tell that the glass is gone
    a1.tell(WalkAnswer.YES)
    assert a1.at == ("A2", Do.NORTH_UP)
    assert a1.walk.answered == {"A1.south": (), "A1.north": ()}


def test_another_place_that_answers_is_believed_when_the_person_confirms_it(a1: Walker) -> None:
    a1.on("C3.south")
    assert a1.walk.phase is WalkPhase.DOUBT
    assert str(prompt(a1.walk).sentence) == "C3.south (register 2, pin H) answered: did you really do that on A1?"
    a1.tell(WalkAnswer.YES)
    assert a1.walk.answered == {"A1.south": (BITS["C3.south"],)}


def test_a_glass_on_the_wrong_socket_is_put_right_before_anything_is_learnt(a1: Walker) -> None:
    a1.on("C3.south").tell(WalkAnswer.AGAIN)
    assert a1.walk.phase is WalkPhase.CLEAR
    assert str(prompt(a1.walk).sentence) == "Take everything off A1."
    assert a1.on("C3.south").walk.phase is WalkPhase.CLEAR
    assert a1.on().at == ("A1", Do.NORTH_UP)
    assert a1.walk.answered == {}
    assert a1.on().on("A1.south").at == ("A1", Do.TURN)


def test_after_three_confirmed_surprises_others_are_believed_unasked(a1: Walker) -> None:
    for place, other in (("A1", "G1"), ("A2", "G2"), ("A3", "G3")):
        for pole in ("south", "north"):
            a1.on(f"{other}.{pole}")
            if a1.walk.phase is WalkPhase.DOUBT:
                a1.tell(WalkAnswer.YES)
        assert a1.at == (place, Do.TAKE)
        a1.on()
    assert a1.on("G4.south").at == ("A4", Do.TURN)
    a1.on("G3.north")  # which has answered for another
    assert a1.walk.phase is WalkPhase.DOUBT


def test_north_and_south_of_one_place_are_never_doubted(a1: Walker) -> None:
    assert a1.on("A1.north").on("A1.south").at == ("A1", Do.TAKE)


def test_a_place_can_be_skipped_and_gone_back_to(a1: Walker) -> None:
    a1.on("A1.south").tell(WalkAnswer.NO)
    assert a1.walk.phase is WalkPhase.CLEAR
    a1.on()
    assert a1.at == ("A2", Do.NORTH_UP)
    assert a1.walk.answered == {"A1.south": (BITS["A1.south"],)}
    a1.tell(WalkAnswer.BACK)
    assert a1.at == ("A1", Do.NORTH_UP)
    assert a1.walk.answered == {}


def test_a_bit_that_will_not_go_back_does_not_hold_the_walk(a1: Walker) -> None:
    a1.on("A1.south").tell(WalkAnswer.NO, WalkAnswer.YES).on("A1.south")
    assert a1.at == ("A2", Do.NORTH_UP)
    a1.on("A1.south", "A2.south")
    assert a1.walk.answered["A2.south"] == (BITS["A2.south"],)


def test_an_input_that_stays_on_is_no_answer_at_the_next_place(a1: Walker) -> None:
    a1.on("A1.south").on("A1.north", "A1.south").tell(WalkAnswer.YES)
    assert a1.on("A1.south").at == ("A2", Do.NORTH_UP)
    assert a1.on("A1.south", "A2.south").at == ("A2", Do.TURN)


def test_what_changed_at_rest_is_never_believed() -> None:
    chattering = BITS["A1.south"]
    walker = Walker()
    for number in range(LOOKS):
        walker.look(number % 2 << chattering)
    walker.press("button.red", "button.black", "button.arbiter").look().on("A1.south")
    assert walker.at == ("A1", Do.NORTH_UP)
    assert walker.walk.chattering == 1 << chattering


def test_buttons_that_changed_places_are_asked_about_and_then_mean_what_they_are() -> None:
    walker = Walker().look(count=LOOKS).press("button.black")
    assert walker.walk.phase is WalkPhase.DOUBT
    assert str(prompt(walker.walk).sentence).startswith("The black button answered: if you did press the red button")
    walker.press("button.black", "button.red", "button.red", "button.arbiter").look()
    assert walker.walk.pressed == {
        "button.red": "button.black",
        "button.black": "button.red",
        "button.arbiter": "button.arbiter",
    }
    assert walker.press("button.black").at == ("A1", Do.TURN)  # the red one: done, nothing happened


def test_a_bounce_is_no_second_press() -> None:
    walker = Walker().look(count=LOOKS).press("button.red")
    walker.walk = take_press(walker.walk, "button.red", Instant(walker.now + 20_000))
    assert walker.at == ("button.black", Do.PRESS)


@pytest.mark.parametrize("presses", [["button.black", "button.red"], ["button.arbiter", "button.red"]])
def test_a_wrong_press_can_be_taken_back(presses: Sequence[str]) -> None:
    walker = Walker().look(count=LOOKS).press(*presses)
    assert walker.at == ("button.red", Do.PRESS)
    assert walker.walk.pressed == {}


def test_stopping_keeps_what_was_learnt(a1: Walker) -> None:
    a1.on("A1.south").tell(WalkAnswer.STOP)
    assert (a1.walk.phase, a1.walk.is_stopped) == (WalkPhase.OVER, True)
    assert a1.walk.answered == {"A1.south": (BITS["A1.south"],)}
    assert a1.tell(WalkAnswer.YES).look().walk.phase is WalkPhase.OVER
    assert wants(a1.walk) == wants(begin_walk(BOARD))


def test_while_the_board_rests_only_stopping_is_heard() -> None:
    walker = Walker().look(count=3).tell(WalkAnswer.YES, WalkAnswer.NO, WalkAnswer.BACK)
    assert walker.walk.phase is WalkPhase.REST
    assert walker.tell(WalkAnswer.STOP).walk.is_stopped


def test_a_glass_that_is_on_the_next_socket_already_is_learnt_there(a1: Walker) -> None:
    a1.tell(WalkAnswer.YES, WalkAnswer.YES)
    assert a1.at == ("A1", Do.TAKE)
    a1.on("A2.south").tell(WalkAnswer.YES).on("A2.south")
    assert a1.at == ("A2", Do.TURN)


def test_the_emitters_are_wanted_at_the_tubes_only() -> None:
    walk = begin_walk(BOARD)
    for number, step in enumerate(walk.steps):
        is_tube = any(".ring" in name for name in step.names)
        assert wants(replace(walk, phase=WalkPhase.DO, number=number)).emitters is is_tube


def test_on_other_boards_the_arbiter_button_stops() -> None:
    walk = begin_walk(replace(bundled("table").board, buzzer=None))
    for name in ("button.next", "button.previous", "button.enter", "button.back", "button.arbiter"):
        walk = take_answer(walk, WalkAnswer.YES, Instant(0))
        assert walk.pressed[name] == ""
    assert walk.phase is WalkPhase.OVER


@pytest.mark.parametrize(
    ("levels", "described", "high"),
    [(0b1111, 0b1111, True), (0b0001, 0b1111, False), (0b0011, 0b1111, None), (0, 0, None)],
)
def test_the_majority_says_which_level_is_rest(levels: int, described: int, high: bool | None) -> None:
    assert rests_high(levels, described, 0) is high


def test_a_clock_of_two_buttons_answers_with_them_and_says_so() -> None:
    board = config.load_bundled("table", variant="clock")
    assert "the button left: Enter, right: n, arbiter: q" in str(keys(board))
    assert "the button enter: Enter" in str(keys(config.load_bundled("table")))
    walk = begin_walk(replace(board, buzzer=None))
    for name in ("button.left", "button.right"):
        walk = take_press(walk, name, Instant(0))
    assert walk.pressed["button.left"] == "button.left"
