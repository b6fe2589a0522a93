"""Compute the power budget of a board: the current of each part, and their sum for each supply.

The currents are the worst that a part can draw in use, with the data sheet they come from; the parts are those of the
wiring tables. Where modules differ and a builder has to measure, a comment says so.
"""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from gnomon.words import ENGLISH, Words
from gnomon_pi.config.description import (
    BoardDescription,
    BuzzerWiring,
    Chain,
    Expanders,
    I2cWires,
    LightsWiring,
    Sensors,
)
from gnomon_pi.config.sensors import reading_time

FIVE: Final = 5.0
THREE: Final = 3.3

# Texas Instruments, DRV5032, SLVSDC7: 5.7 µA on average at 80 Hz and 3 V, 1.6 µA at 20 Hz; rounded up for warmth.
HALL_MA: Final = 0.01
# The resistor of 47 kΩ that holds the line of an eye, while the eye pulls it to the other side.
EYE_LOAD_MA: Final = THREE / 47
# onsemi, QRE1113, data sheet: the phototransistor's current is given at 20 mA through the emitter, of 50 mA at most.
EMITTER_MA: Final = 20.0
# Nexperia, 74HC165, data sheet: 160 µA at rest at most, and a power dissipation capacitance of 35 pF.
REGISTER_MA: Final = 0.16
REGISTER_MA_PER_MHZ: Final = 0.035 * THREE
# Microchip, MCP23017, DS20001952D: 1 mA active at most; each of its pull-ups 115 µA at most.
EXPANDER_MA: Final = 1.0
EXPANDER_PULL_UP_MA: Final = 0.115
# Every pixel lit at full contrast. Univision, UG-2864HSWEG01 (0.96 inch, SSD1306), with its charge pump; the larger
# panels (1.3 inch with SH1106, 2.42 inch with SSD1309 and a converter to 12 V) go by their area. Measure yours.
DISPLAY_MA: Final = {"ssd1306": 30.0, "sh1106": 40.0, "ssd1309": 200.0}
# NXP, PN532/C1, data sheet: 150 mA in all while the field is on, of which 100 mA are the antenna's.
PN532_MA: Final = 150.0
# A piezo is a small capacitor behind a resistor; one with a tone of its own draws what such buzzers are sold with.
PASSIVE_BUZZER_MA: Final = 5.0
ACTIVE_BUZZER_MA: Final = 30.0
# Opsco, SK9822, data sheet: 20 mA a colour at full brightness; 1 mA when dark.
LIGHT_MA: Final = 3 * 20.0
DARK_LIGHT_MA: Final = 1.0
FULL_BRIGHTNESS: Final = 31

# Vishay, TSAL4400, data sheet: 1.35 V at its emitter; 100 Ω carry the rest of the 3.3 V.
SAND_LIGHT_MA: Final = (THREE - 1.35) * 1000 / 100

# What Raspberry Pi recommends that the Pi's own supply gives at 5 V ("Power supply" in its documentation). The Pi is
# in no budget: it has a supply of its own.
PI_MA: Final = {"Zero 2 W": 2500, "3": 2500, "4": 3000, "5": 5000}


class Load(NamedTuple):
    """Some parts alike: at which voltage, how many, and the milliamperes that each draws while it is on.

    `what` is a code, with its words under `config.load.`. `duty` is the part of the time in which they are on; a supply
    must bear them when they are.
    """

    what: str
    volts: float
    number: int
    each_ma: float
    duty: float = 1.0

    def name(self, words: Words = ENGLISH) -> str:
        """What the parts are called."""
        return words(f"config.load.{self.what}")

    @property
    def total_ma(self) -> float:
        """What they draw together while they are on, in milliamperes."""
        return self.number * self.each_ma

    @property
    def mean_ma(self) -> float:
        """What they draw together on average, in milliamperes."""
        return self.total_ma * self.duty


def budget(description: BoardDescription) -> tuple[Load, ...]:
    """What the parts of a board draw at their worst, the Pi apart."""
    return tuple(load for load in _loads(description) if load.number)


def total_current(loads: Sequence[Load], volts: float) -> float:
    """What some loads draw together from one supply when all are on, in milliamperes."""
    return sum(load.total_ma for load in loads if load.volts == volts)


def _loads(description: BoardDescription) -> Iterator[Load]:
    if description.sensors is not None:
        yield from _sensors(description.sensors, description.buses)
    if description.display is not None:
        yield Load("display", THREE, 1, DISPLAY_MA[description.display.kind])
    if description.reader is not None and description.reader.wires is not None:
        yield Load("reader", THREE, 1, PN532_MA)
    if description.buzzer is not None:
        yield _buzzer(description.buzzer)
    if description.sand_light is not None:
        yield Load("neck_light", THREE, 1, SAND_LIGHT_MA)
    if description.lights is not None:
        yield _lights(description.lights)


def _sensors(sensors: Sensors, buses: Sequence[I2cWires]) -> Iterator[Load]:
    eyes = sum(sensors.strobed)
    # Every pole has a switch of its own, which drives its line both ways: it needs no pull-up.
    yield Load("switches", THREE, len(sensors.inputs) - eyes, HALL_MA)
    if isinstance(sensors, Chain):
        each = REGISTER_MA + REGISTER_MA_PER_MHZ * sensors.clock_hz / 1_000_000
        yield Load("registers", THREE, sensors.registers, each)
    else:
        yield Load("expanders", THREE, len(sensors.chips), EXPANDER_MA)
    if isinstance(sensors, Expanders) and sensors.active_low:  # They pull every input up by themselves.
        yield Load("pull_ups", THREE, len(sensors.inputs), EXPANDER_PULL_UP_MA)
    else:
        yield Load("eyes", THREE, eyes, EYE_LOAD_MA)
    # They are on during one of the two readings of a scan, and while the eyes settle.
    duty = (reading_time(sensors, buses) + sensors.settle_us / 1_000_000) * sensors.scan_hz
    yield Load("emitters", FIVE, eyes, EMITTER_MA, duty)


def _buzzer(buzzer: BuzzerWiring) -> Load:
    if buzzer.active:
        return Load("buzzer", FIVE, 1, ACTIVE_BUZZER_MA)
    return Load("buzzer", THREE, 1, PASSIVE_BUZZER_MA)


def _lights(lights: LightsWiring) -> Load:
    return Load("lights", FIVE, lights.count, LIGHT_MA * lights.brightness / FULL_BRIGHTNESS + DARK_LIGHT_MA)
