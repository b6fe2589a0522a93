"""Provide the boards on which wiring is tested: the bundled ones, and wirings that none of them has."""

from dataclasses import replace
from functools import cache
from typing import Any

from gnomon_pi.config import parse_board
from gnomon_pi.config.description import (
    BoardDescription,
    Button,
    BuzzerWiring,
    Chain,
    DisplayWiring,
    Expanders,
    I2cWires,
    LightsWiring,
    OnI2c,
    OnSpi,
    Output,
    Reader,
    SpiDisplay,
)
from gnomon_pi.tools.wiring._netlist import Netlist
from gnomon_pi.tools.wiring._nets import netlist
from gnomon_pi.tools.wiring.files import bundled_descriptions

# One that is tried in parts has a breadboard instead (test_breadboard.py).
BUNDLED = tuple(
    name.removesuffix(".toml") for name, text in bundled_descriptions().items() if not parse_board(text, name).only
)


def small_chain(**changes: Any) -> Chain:
    """Two registers and a canary: a glass of two poles, one of one, and two rings."""
    chain = Chain(
        spi_port=0, spi_device=0, clock_hz=1_000_000, registers=3, canary=0xB1, latch=25, emitters=Output(17),
        active_low=True, scan_hz=100, inputs=("a1.north", "a1.south", "a2.glass", "a1.ring1", "a1.ring2"),
        bits=(0, 1, 9, 3, 15), strobed=(False, False, False, True, True),
    )  # fmt: skip
    return replace(chain, **changes)


def small_expanders(**changes: Any) -> Expanders:
    """The same inputs on two expanders, each on a bus of its own."""
    expanders = Expanders(
        chips=(OnI2c(1, 0x20), OnI2c(4, 0x27)), interrupt=4, emitters=Output(17), active_low=True, scan_hz=100,
        inputs=("a1.north", "a1.south", "a2.glass", "a1.ring1", "a1.ring2"), bits=(0, 14, 16, 8, 30),
        strobed=(False, False, False, True, True),
    )  # fmt: skip
    return replace(expanders, **changes)


def small_board(**changes: Any) -> BoardDescription:
    """A board with little on it."""
    board = BoardDescription(
        board="tamsk", pins="lgpio", sensors=small_chain(), buttons=(Button("button.red", 5),), display=None,
        lights=None, buzzer=None, buses=(I2cWires(1, 2, 3, 400_000), I2cWires(4, 22, 23, 400_000)),
    )  # fmt: skip
    return replace(board, **changes)


OWN = {
    "expanders": small_board(sensors=small_expanders()),
    "active high": small_board(sensors=small_chain(active_low=False, emitters=Output(17, active_low=True))),
    "expanders, active high": small_board(sensors=small_expanders(active_low=False, interrupt=None)),
    "display on SPI": small_board(display=DisplayWiring("sh1106", SpiDisplay(OnSpi(0, 1, 4_000_000), 24, 27))),
    "display on SPI without reset": small_board(display=DisplayWiring("ssd1309", SpiDisplay(OnSpi(1, 0, 1), 24, None))),
    "active buzzer": small_board(sensors=None, buzzer=BuzzerWiring(12, active=True)),
    "active buzzer, on when low": small_board(buzzer=BuzzerWiring(12, active=True, active_low=True)),
    "nobody knows the level": small_board(
        sensors=small_chain(emitters=Output(17, None)), buzzer=BuzzerWiring(12, True, None)
    ),
    "piezo to 3.3 V": small_board(sensors=None, buzzer=BuzzerWiring(12, active=False, active_low=True)),
    "lights beside the chain": small_board(
        lights=LightsWiring(spi_port=0, spi_device=1, clock_hz=4_000_000, count=4, brightness=31),
        reader=Reader("keyboard", "/dev/input/event0", {}),
    ),
    "reader of tags on a serial port": small_board(reader=Reader("em4100", "/dev/ttyUSB0", {})),
    "light at the neck": small_board(sensors=small_expanders(), sand_light=Button("sand.light", 24)),
    "light at the neck, without a sensor": small_board(sensors=None, sand_light=Button("sand.light", 22)),
    "buttons only": small_board(sensors=None),
}


@cache
def board(name: str) -> BoardDescription:
    """A board by its name."""
    if name in OWN:
        return OWN[name]
    file = f"{name}.toml"
    return parse_board(bundled_descriptions()[file], file)


@cache
def nets_of(name: str) -> Netlist:
    """Its netlist."""
    return netlist(board(name))


ALL = (*BUNDLED, *OWN)
