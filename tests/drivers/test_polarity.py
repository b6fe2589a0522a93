"""Which level switches a thing on: known either way or to nobody, on simulated pins and on both pin libraries."""

import dataclasses
from typing import Final

import pytest

from gnomon_pi.config import description as wired
from gnomon_pi.config.description import BoardDescription, Chain, Output
from gnomon_pi.drivers._hc165 import ShiftRegisters
from gnomon_pi.drivers.buzzer import Buzzer
from gnomon_pi.drivers.libraries import PinFactory
from gnomon_pi.simulated.board import SimulatedBoard
from gnomon_pi.simulated.chips.hc165_and_lights import RegisterChain
from gnomon_pi.simulated.chips.pin_factory import SimulatedFactory
from tests.drivers.pin_libraries import Lgpio, StatefulGPIO
from tests.drivers.world import World, chain_of, scans_of, sensors_of
from tests.words.statements import in_english

PIN: Final = 12
EMITTERS: Final = 17
BOTH = pytest.mark.parametrize("library", ["rpigpio", "lgpio_factory"])


class Pulse:
    """What a pin does, as the pin library is told."""

    def __init__(self, request: pytest.FixtureRequest, library: str, pin: int) -> None:
        self.factory: PinFactory = request.getfixturevalue(library)
        self.gpio: StatefulGPIO | Lgpio = request.getfixturevalue("gpio" if library == "rpigpio" else "lgpio")
        self.levels: list[float] = []
        before = self.gpio.heed

        def heed(number: int, level: float) -> None:
            if number == pin:
                self.levels.append(level)
            before(number, level)

        self.gpio.heed = heed

    def is_output(self, pin: int) -> bool:
        if isinstance(self.gpio, Lgpio):
            return bool(self.gpio.modes.get(pin, 0) & 1 << 1)
        return bool(self.gpio.functions.get(pin) == self.gpio.OUT)


def board_of(description: BoardDescription, world: World, *, active: bool, active_low: bool | None) -> SimulatedBoard:
    buzzer = wired.BuzzerWiring(PIN, active, active_low)
    return SimulatedBoard(dataclasses.replace(description, buzzer=buzzer), now=world.clock, later=world.later)


# The buzzer


@pytest.mark.parametrize("active_low", [False, True])
@pytest.mark.parametrize("active", [False, True])
def test_a_buzzer_sounds_for_its_notes_only_whichever_level_switches_it_on(
    description: BoardDescription, world: World, active: bool, active_low: bool
) -> None:
    board = board_of(description, world, active=active, active_low=active_low)
    assert board.sounds() == ()
    assert board.drivers.sound is not None
    board.drivers.sound.play([(440.0, 0.1), (0, 0.1), (880.0, 0.1)])
    world.wait(1_000_000)
    assert [frequency > 0 for _, frequency in board.sounds()] == [True, False, True, False]
    if not active:
        assert [frequency for _, frequency in board.sounds()] == [440.0, 0.0, 880.0, 0.0]
    board.close()
    assert len(board.sounds()) == 4


@pytest.mark.parametrize("active_low", [False, True])
@pytest.mark.parametrize("active", [False, True])
def test_the_pin_is_held_at_silence_before_the_first_note(
    description: BoardDescription, world: World, active: bool, active_low: bool
) -> None:
    board = board_of(description, world, active=active, active_low=active_low)
    pin = board._factory.pin(PIN)
    assert (pin.function, bool(pin.state)) == ("output", active_low)
    board.close()
    assert pin.function == "input"


@BOTH
@pytest.mark.parametrize("active_low", [False, True])
@pytest.mark.parametrize("active", [False, True])
def test_the_first_and_the_last_level_on_a_real_pin_is_silence(
    request: pytest.FixtureRequest, library: str, world: World, active: bool, active_low: bool
) -> None:
    pulse = Pulse(request, library, PIN)
    buzzer = Buzzer(wired.BuzzerWiring(PIN, active, active_low), pin_factory=pulse.factory, later=world.later)
    assert set(pulse.levels) == {active_low}
    buzzer.play([(440.0, 1.0)])
    assert pulse.levels[-1] == (440.0 if not active else not active_low)
    buzzer.close()
    assert pulse.levels[-1] == active_low
    assert not pulse.is_output(PIN)


@BOTH
@pytest.mark.parametrize("active", [False, True])
def test_a_buzzer_of_unknown_polarity_is_never_driven(
    request: pytest.FixtureRequest, library: str, world: World, active: bool
) -> None:
    pulse = Pulse(request, library, PIN)
    buzzer = Buzzer(wired.BuzzerWiring(PIN, active, None), pin_factory=pulse.factory, later=world.later)
    buzzer.play([(440.0, 0.1)])
    world.wait(1_000_000)
    assert in_english(buzzer.health()) == (
        "The buzzer stays silent and GPIO 12 untouched: say in [buzzer] which level switches it on (on = high or low).",
    )
    buzzer.close()
    assert pulse.levels == []
    assert not pulse.is_output(PIN)


# The emitters


def lit(description: BoardDescription, active_low: bool | None) -> BoardDescription:
    sensors = dataclasses.replace(sensors_of(description), emitters=Output(EMITTERS, active_low))
    return dataclasses.replace(description, sensors=sensors)


@pytest.mark.parametrize("active_low", [False, True])
def test_rings_are_seen_whichever_level_switches_the_emitters_on(
    description: BoardDescription, world: World, active_low: bool
) -> None:
    board = SimulatedBoard(lit(description, active_low), now=world.clock, later=world.later)
    board.set_input("D4.ring1", True)
    board.set_input("A1.north", True)
    board.chain.dazzle("D4.ring2") if board.chain else pytest.fail("there is a chain")
    levels = scans_of(board).scan()
    names = board.description.inputs
    assert {name for bit, name in enumerate(names) if levels >> bit & 1} == {"D4.ring1", "A1.north"}
    pin = board._factory.pin(EMITTERS)
    assert bool(pin.state) is active_low
    board.close()


def test_emitters_of_unknown_polarity_are_never_driven_and_people_are_told(
    description: BoardDescription, world: World
) -> None:
    board = SimulatedBoard(lit(description, None), now=world.clock, later=world.later)
    for name in ("D4.ring1", "A1.north"):
        chain_of(board).set_input(name, value=True)
    levels = scans_of(board).scan()
    assert {name for bit, name in enumerate(board.description.inputs) if levels >> bit & 1} == {"A1.north"}
    assert board._factory.pin(EMITTERS).function == "input"
    (said,) = in_english(scans_of(board).health())
    assert said == (
        "The strobed inputs are not read and GPIO 17 is left alone: "
        "say which level switches the emitters on ([sensors] emitters_on = high or low)."
    )
    board.close()


@BOTH
@pytest.mark.parametrize("active_low", [False, True])
def test_the_emitters_shine_for_half_of_a_scan_only_and_never_after_it(
    request: pytest.FixtureRequest,
    library: str,
    description: BoardDescription,
    chain: RegisterChain,
    active_low: bool,
) -> None:
    pulse = Pulse(request, library, EMITTERS)
    sensors: Chain = sensors_of(lit(description, active_low))
    chain.set_input("A1.north", value=True)
    driver = ShiftRegisters(sensors, pin_factory=pulse.factory)
    driver.scan()
    on = not active_low
    assert [level for before, level in zip([None, *pulse.levels], pulse.levels, strict=False) if level != before] == [
        not on,
        on,
        not on,
    ]
    driver.close()
    assert pulse.levels[-1] == (not on)
    assert not pulse.is_output(EMITTERS)


def test_a_passive_piezo_is_silent_at_either_level_that_stays(description: BoardDescription, world: World) -> None:
    board = board_of(description, world, active=False, active_low=False)
    factory = board._factory
    assert isinstance(factory, SimulatedFactory)
    board.piezo.on_pin(0, 1.0, None)
    assert board.sounds() == ()
    board.close()
