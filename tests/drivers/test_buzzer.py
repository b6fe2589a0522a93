"""The buzzer: the real driver on a simulated pin."""

import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon_pi.config import description as wired
from gnomon_pi.config import load_bundled
from gnomon_pi.config.description import BoardDescription
from gnomon_pi.drivers.buzzer import HIGHEST_HZ, LOWEST_HZ, Buzzer
from gnomon_pi.drivers.protocols import DriverError
from gnomon_pi.simulated.board import SimulatedBoard
from gnomon_pi.simulated.chips.hc165_and_lights import Piezo
from tests.drivers.world import World
from tests.words.statements import in_english

SECOND = 1_000_000


def buzzer_of(board: SimulatedBoard) -> Buzzer:
    assert board.drivers.sound is not None
    return board.drivers.sound


def test_notes_and_rests_are_heard_one_after_the_other_and_then_silence(board: SimulatedBoard, world: World) -> None:
    start = world.now
    buzzer_of(board).play([(880.0, 0.1), (0, 0.05), (1760.0, 0.2)])
    world.wait(SECOND)
    assert board.sounds() == (
        (start, 880.0),
        (start + 100_000, 0.0),
        (start + 150_000, 1760.0),
        (start + 350_000, 0.0),
    )


def test_a_note_follows_the_last_without_a_gap(board: SimulatedBoard, world: World) -> None:
    buzzer_of(board).play([(440.0, 0.1), (660.0, 0.1)])
    world.wait(SECOND)
    assert [sound.frequency for sound in board.sounds()] == [440.0, 660.0, 0.0]


def test_playing_does_not_wait(board: SimulatedBoard, world: World) -> None:
    before = world.now
    buzzer_of(board).play([(440.0, 10.0)])
    assert world.now == before
    assert board.sounds()[-1].frequency == 440.0


def test_a_new_tune_takes_the_place_of_the_old_one(board: SimulatedBoard, world: World) -> None:
    buzzer_of(board).play([(440.0, 0.1), (550.0, 0.1), (660.0, 0.1)])
    world.wait(150_000)
    buzzer_of(board).play([(2000.0, 0.5)])
    world.wait(SECOND)
    assert [sound.frequency for sound in board.sounds()] == [440.0, 550.0, 2000.0, 0.0]


def test_no_notes_are_silence(board: SimulatedBoard, world: World) -> None:
    buzzer_of(board).play([(440.0, 5.0)])
    buzzer_of(board).play([])
    world.wait(SECOND)
    assert [sound.frequency for sound in board.sounds()] == [440.0, 0.0]


def test_closing_is_silence_and_ends_the_tune(board: SimulatedBoard, world: World) -> None:
    buzzer_of(board).play([(440.0, 0.1), (550.0, 0.1)])
    buzzer_of(board).close()
    world.wait(SECOND)
    assert [sound.frequency for sound in board.sounds()] == [440.0, 0.0]


@pytest.mark.untraced
@given(st.floats(1, 20_000))
def test_any_frequency_is_played_as_the_nearest_the_piezo_can(frequency: float) -> None:
    world = World()
    board = SimulatedBoard(load_bundled("tamsk"), now=world.clock, later=world.later)
    buzzer_of(board).play([(frequency, 0.1)])
    assert board.sounds()[-1].frequency == min(max(frequency, LOWEST_HZ), HIGHEST_HZ)
    board.close()


def test_an_active_buzzer_sounds_in_its_own_tone(description: BoardDescription, world: World) -> None:
    active = dataclasses.replace(description, buzzer=wired.BuzzerWiring(pin=12, active=True))
    board = SimulatedBoard(active, now=world.clock, later=world.later)
    start = world.now
    buzzer_of(board).play([(440.0, 0.1), (0, 0.1), (880.0, 0.1)])
    world.wait(SECOND)
    assert [at - start for at, _ in board.sounds()] == [0, 100_000, 200_000, 300_000]
    assert [frequency > 0 for _, frequency in board.sounds()] == [True, False, True, False]
    assert len({frequency for _, frequency in board.sounds()}) == 2
    board.close()


def test_a_pin_that_is_taken_is_a_driver_error_and_is_tried_again(
    description: BoardDescription, board: SimulatedBoard, world: World
) -> None:
    buzzer_of(board).close()
    other = Buzzer(wired.BuzzerWiring(pin=12, active=True), pin_factory=board._factory, later=world.later)
    for _ in range(2):
        with pytest.raises(DriverError, match="The buzzer on GPIO 12 does not answer: pin GPIO12 is already in use"):
            buzzer_of(board).play([(440.0, 0.1)])
    assert len(buzzer_of(board).health()) == 1
    other.close()
    buzzer_of(board).play([(660.0, 0.1)])
    assert board.sounds()[-1].frequency == 660.0
    assert buzzer_of(board).health() == ()
    assert description.buzzer is not None


def test_a_tune_that_fails_on_its_way_is_told_by_health_and_reaches_nobody_else(
    board: SimulatedBoard, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    buzzer_of(board).play([(440.0, 0.1), (550.0, 0.1)])

    def broken(_self: object, frequency: float | None) -> None:
        if frequency is not None:
            raise OSError(5, "Input/output error")

    monkeypatch.setattr("gnomon_pi.drivers.software_pins.SoftwarePin._set_frequency", broken)
    world.wait(SECOND)
    assert in_english(buzzer_of(board).health()) == (
        "The buzzer on GPIO 12 does not answer: [Errno 5] Input/output error",
    )
    monkeypatch.undo()
    buzzer_of(board).play([(660.0, 0.1)])
    assert buzzer_of(board).health() == ()
    assert board.sounds()[-1].frequency == 660.0


def test_only_the_last_sounds_are_remembered() -> None:
    piezo = Piezo(own_tone=2_300.0)
    for at in range(3 * Piezo.REMEMBERED):
        piezo.on_pin(at, at % 2, None)
    assert len(piezo.sounds) == Piezo.REMEMBERED
    assert piezo.sounds[-1].at == 3 * Piezo.REMEMBERED - 1
