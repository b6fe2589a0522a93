"""Trouble with pins and buses, through gpiozero's own factories: one sentence each, which says what to do."""

import dataclasses
import gc
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon.refusals import clause
from gnomon.words import words
from gnomon_pi.config import description as wired
from gnomon_pi.config import image_overlays, load_bundled
from gnomon_pi.drivers._buttons import Buttons
from gnomon_pi.drivers._hc165 import ShiftRegisters
from gnomon_pi.drivers.buzzer import Buzzer
from gnomon_pi.drivers.libraries import PinFactory, advice, bus_advice
from gnomon_pi.drivers.protocols import DriverError
from tests.drivers.pin_libraries import Lgpio, LgpioError, SpiDev, StatefulGPIO
from tests.drivers.world import World, sensors_of
from tests.words.statements import in_english

SENSORS: Final = sensors_of(load_bundled("tamsk"))
BUTTONS: Final = load_bundled("tamsk").buttons
BOTH = pytest.mark.parametrize("library", ["rpigpio", "lgpio_factory"])
STOP_IT: Final = "another program holds that pin, perhaps a second gnomond: gpioinfo names it, and it has to stop"


def sentence(call: Callable[[], object]) -> str:
    """What a driver says; the exception is let go, for it keeps the half-made device and with it the pin."""
    try:
        call()
    except DriverError as error:
        lines = str(error).splitlines()
    else:
        pytest.fail("nothing was wrong")
    (message,) = lines
    return message


def library_of(request: pytest.FixtureRequest, library: str) -> tuple[PinFactory, StatefulGPIO | Lgpio]:
    factory: PinFactory = request.getfixturevalue(library)
    request.getfixturevalue("lgpio")  # rpi-lgpio raises lgpio's errors
    return factory, request.getfixturevalue("gpio" if library == "rpigpio" else "lgpio")


# Busy pins


@BOTH
def test_a_busy_button_is_named_and_heard_once_the_pin_is_free(
    request: pytest.FixtureRequest, library: str, world: World
) -> None:
    factory, pins = library_of(request, library)
    pins.busy.add(6)
    buttons = Buttons(BUTTONS, pin_factory=factory, now=world.clock)
    assert sentence(lambda: buttons.start(world.hear)) == (
        f"button.black on GPIO 6 cannot be read: GPIO busy: {STOP_IT}"
    )
    pins.busy.clear()
    buttons.start(world.hear)
    buttons.close()


@BOTH
def test_a_busy_buzzer_is_named_and_sounds_once_the_pin_is_free(
    request: pytest.FixtureRequest, library: str, world: World
) -> None:
    factory, pins = library_of(request, library)
    pins.busy.add(12)
    buzzer = Buzzer(wired.BuzzerWiring(12, active=False), pin_factory=factory, later=world.later)
    said = f"The buzzer on GPIO 12 does not answer: GPIO busy: {STOP_IT}"
    assert in_english(buzzer.health()) == (said,)
    assert sentence(lambda: buzzer.play([(440.0, 0.1)])) == said
    pins.busy.clear()
    buzzer.play([(440.0, 0.1)])
    assert buzzer.health() == ()
    buzzer.close()


@BOTH
@pytest.mark.parametrize(("what", "pin"), [("latch", 25), ("emitters", 17)])
def test_a_busy_pin_of_the_sensors_is_named_by_what_it_is_for(
    request: pytest.FixtureRequest, library: str, what: str, pin: int
) -> None:
    factory, pins = library_of(request, library)
    pins.busy.add(pin)
    driver = ShiftRegisters(SENSORS, pin_factory=factory)
    for _ in range(2):
        assert sentence(driver.scan) == (
            f"The {what} of the sensors on GPIO {pin} cannot be driven: GPIO busy: {STOP_IT}"
        )
    pins.busy.clear()
    driver.scan()
    driver.close()


@pytest.mark.parametrize("refusals", [1, 3, 15, 1_000_000])
def test_a_button_that_lgpio_still_holds_is_closed_without_a_traceback(
    lgpio_factory: PinFactory, lgpio: Lgpio, world: World, monkeypatch: pytest.MonkeyPatch, refusals: int
) -> None:
    """The kernel refuses a pin while lgpio's thread waits on it; gpiozero's own closing told of it on stderr."""
    monkeypatch.setattr(time, "sleep", lambda _seconds: None)
    buttons = Buttons(BUTTONS, pin_factory=lgpio_factory, now=world.clock)
    buttons.start(world.hear)
    lgpio.held = {button.pin: refusals for button in BUTTONS}
    buttons.close()
    gc.collect()  # what was not closed would be now, and pytest makes an error of what cannot be raised there
    assert lgpio.callbacks == {}
    lgpio.held.clear()
    buttons.start(world.hear)
    buttons.close()
    assert {lgpio.modes[button.pin] for button in BUTTONS} == {lgpio.SET_PULL_NONE}


def test_another_failure_of_a_pin_is_not_tried_again(
    lgpio_factory: PinFactory, lgpio: Lgpio, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unplugged(_handle: int, _gpio: int, _flags: int = 0) -> None:
        calls.append(_gpio)
        message = "bad GPIO"
        raise LgpioError(message)

    calls: list[int] = []
    buttons = Buttons(BUTTONS[:1], pin_factory=lgpio_factory, now=world.clock)
    buttons.start(world.hear)
    with monkeypatch.context() as patched:
        patched.setattr(lgpio, "gpio_claim_input", unplugged)
        buttons.close()
        gc.collect()
    assert calls == [BUTTONS[0].pin] * 2  # its edges, then the pin itself


def test_a_pin_that_we_use_twice_is_named(lgpio_factory: PinFactory, world: World) -> None:
    first, second = (Buttons(BUTTONS[:1], pin_factory=lgpio_factory, now=world.clock) for _ in range(2))
    first.start(world.hear)
    assert "button.red on GPIO 5 cannot be read: pin GPIO5 is already in use by" in sentence(
        lambda: second.start(world.hear)
    )
    first.close()


# Libraries, rights and machines


@pytest.mark.parametrize(
    ("said", "remedy"),
    [
        ("Failed to add edge detection", 'say pins = "lgpio", or install rpi-lgpio'),
        ("Cannot determine SOC peripheral base address", 'say pins = "lgpio", or install rpi-lgpio'),
        ("No access to /dev/mem.  Try running as root!", "sudo usermod -aG gpio $USER"),
        ("[Errno 13] Permission denied: '/dev/gpiomem'", "sudo usermod -aG gpio $USER"),
        ("This module can only be run on a Raspberry Pi!", "is this a Raspberry Pi?"),
        ("unable to locate Pi revision in /proc/device-tree or /proc/cpuinfo", "is this a Raspberry Pi?"),
    ],
)
def test_what_the_libraries_say_gets_its_remedy(said: str, remedy: str) -> None:
    given_ = str(advice(RuntimeError(said)))
    assert given_.startswith(said[:30])
    assert remedy in given_
    assert not given_.endswith(".")


@given(st.text(max_size=60))
def test_what_nobody_knows_a_remedy_for_is_said_as_it_is(said: str) -> None:
    given_ = str(advice(ValueError(said)))
    assert given_
    assert given_ in said or given_ == "ValueError" or ": " in given_


def test_a_kernel_without_edges_for_rpi_gpio_says_what_to_take_instead(
    rpigpio: PinFactory, gpio: StatefulGPIO, world: World
) -> None:
    gpio.refuses_edges = True
    buttons = Buttons(BUTTONS, pin_factory=rpigpio, now=world.clock)
    assert sentence(lambda: buttons.start(world.hear)) == (
        "button.red on GPIO 5 cannot be read: Failed to add edge detection: RPi.GPIO does not know this Pi or its "
        'kernel: say pins = "lgpio", or install rpi-lgpio in the place of RPi.GPIO'
    )


REFUSED: Final = LookupError("'can not open gpiochip'")


def test_a_machine_without_gpio_is_told_from_a_user_without_the_right(tmp_path: Path) -> None:
    assert str(advice(REFUSED, tmp_path)) == (
        f"can not open gpiochip: there is no {tmp_path}/gpiochip0; "
        "is this a Raspberry Pi? (gnomond --simulated needs none)"
    )
    chip = tmp_path / "gpiochip0"
    chip.touch()
    assert str(advice(REFUSED, tmp_path)) == (
        f"can not open gpiochip: {chip} is there, so another one is meant; gpiodetect lists them"
    )


def test_a_user_without_the_right_to_the_pins_is_told_the_group(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "gpiochip0").touch()
    monkeypatch.setattr(os, "access", lambda _path, _mode: False)  # the tests may run as root, who may everything
    assert (
        str(advice(REFUSED, tmp_path))
        == "this user may not use the pins: sudo usermod -aG gpio $USER, and log in again"
    )
    assert clause(advice(REFUSED, tmp_path), words("de")) == (
        "dieser Benutzer darf die Pins nicht benutzen: sudo usermod -aG gpio $USER, dann neu anmelden"
    )
    bus = bus_advice(FileNotFoundError(2, "No such file"), "dtparam=spi=on", "spi")
    assert clause(bus, words("fr")).endswith("\xa0: inscrire dtparam=spi=on dans config.txt, puis redémarrer le Pi")


# Buses


def test_a_bus_that_is_not_there_is_told_from_a_user_without_the_right() -> None:
    missing = FileNotFoundError(2, "No such file or directory", "/dev/i2c-1")
    assert str(bus_advice(missing, "dtparam=i2c_arm=on", "i2c")) == (
        "[Errno 2] No such file or directory: '/dev/i2c-1: set dtparam=i2c_arm=on in config.txt, and start the Pi again"
    )
    assert str(bus_advice(PermissionError(13, "Permission denied", "/dev/i2c-1"), "dtparam=i2c_arm=on", "i2c")) == (
        "this user may not use it: sudo usermod -aG i2c $USER, and log in again"
    )


def test_on_the_image_a_bus_comes_with_a_restart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its kernel does not know what another one is told in config.txt."""
    (tmp_path / image_overlays.NAME).touch()
    monkeypatch.setattr(image_overlays, "FILE", tmp_path / image_overlays.NAME)
    said = str(bus_advice(FileNotFoundError(2, "No such file"), "dtparam=i2c_arm=on", "i2c"))
    assert "start the Pi again" in said
    assert "dtparam" not in said


def test_a_missing_spi_is_said_with_its_setting_and_never_clocked_by_hand(
    lgpio_factory: PinFactory, lgpio: Lgpio
) -> None:
    lgpio.has_spi = False
    assert sentence(ShiftRegisters(SENSORS, pin_factory=lgpio_factory).scan) == (
        "SPI0 of the sensors cannot be opened: can not open SPI device: "
        "set dtparam=spi=on in config.txt, and start the Pi again"
    )


def test_a_user_without_the_right_to_the_spi_is_told_the_group(
    rpigpio: PinFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(_self: SpiDev, _port: int, _device: int) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(SpiDev, "open", refused)
    assert sentence(ShiftRegisters(SENSORS, pin_factory=rpigpio).scan) == (
        "SPI0 of the sensors cannot be opened: this user may not use it: sudo usermod -aG spi $USER, and log in again"
    )


@BOTH
def test_sensors_on_spi1_are_refused(request: pytest.FixtureRequest, library: str) -> None:
    factory, _ = library_of(request, library)
    driver = ShiftRegisters(dataclasses.replace(SENSORS, spi_port=1), pin_factory=factory)
    assert sentence(driver.scan) == ("SPI1 cannot read the sensors, because gpiozero knows only SPI0: wire them there")
