"""Check whether config.txt, another program or missing rights keep the pins from the board.

Names and defaults of overlays are those of the kernel's own list, arch/arm/boot/dts/overlays/README of
raspberrypi/linux.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from gnomon.refusals import Statement, join, statement
from gnomon_pi.config.description import BoardDescription
from gnomon_pi.tools.doctor._boot_config import BootConfig, Overlay, boot_config
from gnomon_pi.tools.doctor._wires import SPI_PINS, DeviceFile, Wire, nodes, wires
from gnomon_pi.tools.doctor.finding import Finding, fault, note, ok, warning
from gnomon_pi.tools.doctor.machine import Machine, UsedLine, number

_LGPIO: Final = "lg"  # what lgpio calls itself where a program does not say (lgGpio.c)
_SECOND_SELECT: Final = 7  # of SPI0
_CHIPS = ("/dev/gpiochip4", "/dev/gpiochip0")
"""The chip of the header: on a Pi 5 it was number 4 before kernel 6.6.45."""


# What config.txt takes


class Claim(NamedTuple):
    """Pins that a line of config.txt takes; `bus` is what it takes them for, when that is a bus."""

    pins: tuple[int, ...]
    line: str
    bus: str = ""


_I2S: Final = (18, 19, 20, 21)
_UART: Final = (14, 15)

# Parameters that name a pin, and the pin when the line does not name it; None: it takes none then.
_NAMED: Final[Mapping[str, Mapping[str, int | None]]] = {
    "act-led": {"gpio": None},
    "adafruit18": {"dc_pin": 24, "reset_pin": 25, "led_pin": 18},
    "ads7846": {"penirq": None},
    "dht11": {"gpiopin": 4},
    "enc28j60": {"int_pin": 25},
    "gpio-charger": {"gpio": 4},
    "gpio-fan": {"gpiopin": 12},
    "gpio-hog": {"gpio": 26},
    "gpio-ir": {"gpio_pin": 18},
    "gpio-ir-tx": {"gpio_pin": 18},
    "gpio-key": {"gpio": 3},
    "gpio-led": {"gpio": 19},
    "gpio-poweroff": {"gpiopin": 26},
    "gpio-shutdown": {"gpio_pin": 3},
    "hd44780-lcd": {"pin_d4": 6, "pin_d5": 13, "pin_d6": 19, "pin_d7": 26, "pin_en": 21, "pin_rs": 20, "pin_bl": None},
    "hdmi-backlight-hwhack-gpio": {"gpio_pin": 17},
    "i2c-gpio": {"i2c_gpio_sda": 23, "i2c_gpio_scl": 24},
    "i2c-rtc-gpio": {"i2c_gpio_sda": 23, "i2c_gpio_scl": 24},
    "mcp2515-can0": {"interrupt": 25},
    "mcp2515-can1": {"interrupt": 25},
    "pps-gpio": {"gpiopin": 18},
    "pwm": {"pin": 18},
    "pwm-2chan": {"pin": 18, "pin2": 19},
    "pwm-gpio": {"gpio": 4},
    "pwm-gpio-fan": {"fan_gpio": 18},
    "pwm-ir-tx": {"gpio_pin": 18},
    "rotary-encoder": {"pin_a": 4, "pin_b": 17},
    "uart0": {"txd0_pin": 14, "rxd0_pin": 15},
    "uart1": {"txd1_pin": 14, "rxd1_pin": 15},
    "w1-gpio": {"gpiopin": 4},
    "w1-gpio-pi5": {"gpiopin": 4},
    "w1-gpio-pullup": {"gpiopin": 4, "extpullup": 5},
}
_FIXED: Final[Mapping[str, tuple[int, ...]]] = {
    # They give the pins of the header to the other serial port.
    "disable-bt": _UART,
    "miniuart-bt": _UART,
    "dpi18": tuple(range(22)),
    "dpi24": tuple(range(28)),
    "vc4-kms-dpi-generic": tuple(range(28)),
    "sdio": (22, 23, 24, 25, 26, 27),
}
# Pairs that a parameter without a value chooses, the first unless it is said.
_PAIRS: Final[Mapping[str, tuple[tuple[int, int], ...]]] = {
    "audremap": ((12, 13), (18, 19)),
    "i2c0": ((0, 1),),
    "i2c1": ((2, 3),),
    "i2c3": ((4, 5), (2, 3)),
    "i2c4": ((8, 9), (6, 7)),
    "i2c5": ((12, 13), (10, 11)),
    "i2c6": ((22, 23), (0, 1)),
    "i2c0-pi5": ((0, 1), (8, 9)),
    "i2c1-pi5": ((2, 3), (10, 11)),
    "i2c2-pi5": ((4, 5), (12, 13)),
    "i2c3-pi5": ((6, 7), (14, 15), (22, 23)),
}
# Further serial ports: data, then the hand-shake that `ctsrts` adds.
_SERIAL: Final[Mapping[str, tuple[tuple[int, ...], tuple[int, ...]]]] = {
    "uart2": ((0, 1), (2, 3)),
    "uart3": ((4, 5), (6, 7)),
    "uart4": ((8, 9), (10, 11)),
    "uart5": ((12, 13), (14, 15)),
    "uart0-pi5": ((14, 15), (16, 17)),
    "uart1-pi5": ((0, 1), (2, 3)),
    "uart2-pi5": ((4, 5), (6, 7)),
    "uart3-pi5": ((8, 9), (10, 11)),
    "uart4-pi5": ((12, 13), (14, 15)),
}
_SPI: Final = re.compile(r"spi(\d)-(\d)cs(-pi5)?")
_FURTHER_SPI: Final[Mapping[str, tuple[tuple[int, ...], tuple[int, ...]]]] = {
    "3": ((3, 2, 1), (0, 24)),
    "4": ((7, 6, 5), (4, 25)),
    "5": ((15, 14, 13), (12, 26)),
    "6": ((21, 20, 19), (18, 27)),
    "2-pi5": ((3, 2, 1), (0, 24)),
    "3-pi5": ((7, 6, 5), (4, 25)),
    "5-pi5": ((15, 14, 13), (12, 26)),
}
_NO_SPI: Final[tuple[tuple[int, ...], tuple[int, ...]]] = ((), ())
# Sound cards on I2S: each family has many.
_SOUND_CARDS: Final = re.compile(
    r"(hifiberry|iqaudio|allo|justboom|audioinjector|i2s-(?:master-)?dac|googlevoicehat|max98357a|adau|wm8960|fe-pi|merus|pisound|rpi-dac)"
)


def claims(config: BootConfig) -> Iterator[Claim]:
    """What every line of config.txt that holds takes of the header."""
    yield from _of_parameters(config)
    for overlay in config.overlays:
        if claim := _of_overlay(overlay):
            yield claim
    for value in config.gpio:
        pins, _, _ = value.partition("=")
        if numbers := tuple(_ranges(pins)):
            yield Claim(numbers, f"gpio={value}")


def _of_parameters(config: BootConfig) -> Iterator[Claim]:
    if config.is_on("i2c_arm", "i2c", "i2c1"):
        yield Claim((2, 3), "dtparam=i2c_arm=on", "i2c1")
    if config.is_on("i2c_vc", "i2c0"):
        yield Claim((0, 1), "dtparam=i2c_vc=on", "i2c0")
    if config.is_on("spi") and not any(_takes_spi0(overlay) for overlay in config.overlays):
        yield Claim((*SPI_PINS[0][0], *SPI_PINS[0][1]), "dtparam=spi=on", "spi0")
    if config.is_on("i2s"):
        yield Claim(_I2S, "dtparam=i2s=on", "i2s")
    if config.settings.get("enable_uart") == "1":
        yield Claim(_UART, "enable_uart=1", "uart")
    for name in ("act_led_gpio", "pwr_led_gpio"):
        if (pin := number(config.parameters.get(name, ""))) is not None:
            yield Claim((pin,), f"dtparam={name}={pin}")


def _takes_spi0(overlay: Overlay) -> bool:
    """Whether an overlay says again which pins SPI0 takes."""
    return overlay.kind in ("spi0-0cs", "spi0-1cs", "spi0-2cs")


def _of_overlay(overlay: Overlay) -> Claim | None:
    name, line = overlay.kind, overlay.line()
    if found := _SPI.fullmatch(name):
        return _of_spi(overlay, found[1], int(found[2]), found[3] or "")
    if name in _PAIRS:
        chosen = [pair for pair in _PAIRS[name] if f"pins_{pair[0]}_{pair[1]}" in overlay.parameters]
        bus = name.removesuffix("-pi5")
        return Claim((chosen or _PAIRS[name])[0], line, bus if bus.startswith("i2c") else "")
    if name in _SERIAL:
        data, shake = _SERIAL[name]
        return Claim((*data, *shake) if "ctsrts" in overlay.parameters else data, line)
    if name in _NAMED:
        given = {key: overlay.parameters.get(key, default) for key, default in _NAMED[name].items()}
        pins = tuple(pin for each in given.values() if (pin := number(str(each))) is not None)
        # The number that such a bus gets when the line does not say it (the same list).
        bus = f"i2c{overlay.parameters.get('bus', '3')}" if name == "i2c-gpio" else ""
        return Claim(pins, line, bus) if pins else None
    if name in _FIXED:
        return Claim(_FIXED[name], line)
    return Claim(_I2S, line, "i2s") if _SOUND_CARDS.match(name) else None


def _of_spi(overlay: Overlay, port: str, selects: int, suffix: str) -> Claim | None:
    shared, usual = _FURTHER_SPI.get(port + suffix) or SPI_PINS.get(int(port)) or _NO_SPI
    if not shared:
        return None
    if "no_miso" in overlay.parameters:
        shared = shared[:2]
    chosen = [overlay.parameters.get(f"cs{number}_pin", str(pin)) for number, pin in enumerate(usual[:selects])]
    pins = (*shared, *(pin for each in chosen if (pin := number(each)) is not None))
    return Claim(pins, overlay.line(), f"spi{port}")


def _ranges(text: str) -> Iterator[int]:
    """The numbers of a list like `4,7-9`."""
    for part in text.split(","):
        if found := re.fullmatch(r"\s*([0-9]{1,2})(?:-([0-9]{1,2}))?\s*", part):
            yield from range(int(found[1]), int(found[2] or found[1]) + 1)


# Pins that are taken


def check_pins(machine: Machine, description: BoardDescription) -> Iterator[Finding]:
    """Whether config.txt or a running program takes pins that the description gives to the board."""
    taken = wires(description)
    config = boot_config(machine)
    collisions = [
        (claim, met) for claim in claims(config) if (met := tuple(wire for wire in taken if _collide(wire, claim)))
    ]
    for claim, met in collisions:
        yield _collision(claim, met)
    used = list(_used_pins(machine, taken))
    yield from used
    if not collisions and not used:
        count = len({wire.pin for wire in taken})
        yield ok("pins", statement("doctor.pins" if config.path else "doctor.pins.without", number=count))


def _collide(wire: Wire, claim: Claim) -> bool:
    return wire.pin in claim.pins and not (wire.bus and wire.bus == claim.bus)


def _collision(claim: Claim, met: tuple[Wire, ...]) -> Finding:
    pins = {wire.pin: wire.purpose for wire in sorted(met)}
    grouped = list(_group_pins(pins))
    named = join(statement("doctor.pins.which", pins=pin, purpose=purpose) for pin, purpose in grouped)
    found = statement("doctor.pins.taken", config_line=claim.line, pins=named)
    if claim.bus == "spi0" and set(pins) == {_SECOND_SELECT}:
        return fault("pins", found, statement("doctor.pins.select"))
    purposes = join(purpose for _, purpose in grouped)
    return fault("pins", found, statement("doctor.pins.wire", config_line=claim.line, purposes=purposes))


def _group_pins(pins: Mapping[int, Statement]) -> Iterator[tuple[str, Statement]]:
    """The pins of each purpose, as a list for people."""
    purposes = list(pins.values())
    for number_of, purpose in enumerate(purposes):
        if purpose not in purposes[:number_of]:
            yield "/".join(str(pin) for pin, other in pins.items() if other == purpose), purpose


def _used_pins(machine: Machine, taken: tuple[Wire, ...]) -> Iterator[Finding]:
    """What the kernel says of pins that are no bus's: those of a bus are held by its own driver."""
    used = machine.lines()
    if used is None:
        yield note("pins in use", statement("doctor.pins_in_use.unknown"))
        return
    single = {wire.pin: wire.purpose for wire in taken if not wire.bus}
    for consumer in dict.fromkeys(line.consumer for line in used):
        held = {line.pin: single[line.pin] for line in used if line.consumer == consumer and line.pin in single}
        if held:
            who = statement("doctor.pins_in_use.lgpio") if consumer == _LGPIO else Statement.plain(consumer)
            named = [statement("doctor.pins_in_use.pin", pin=pin, purpose=purpose) for pin, purpose in held.items()]
            yield warning("pins in use", statement("doctor.pins_in_use", who=who, pins=named))


def beside_lgpio(used: Sequence[UsedLine] | None) -> Sequence[UsedLine] | None:
    """The pins that are held by others than a program that uses lgpio: a running gnomond may hold its own."""
    return None if used is None else [line for line in used if line.consumer != _LGPIO]


# Rights


def check_rights(machine: Machine, description: BoardDescription) -> Iterator[Finding]:
    """Whether the user may read and write the files in /dev; those that are missing are told elsewhere."""
    needed = [*_gpio_chip(machine), *nodes(description)]
    closed = [node for node in needed if machine.has(node.path) and not _may_use(machine, node)]
    if not any(node.group == "gpio" for node in needed):
        yield fault("pins", statement("doctor.pins.none"))
    for node in closed:
        found = statement("doctor.rights.closed", file=node.path, purpose=node.purpose)
        if node.group in machine.account.groups:
            yield fault("rights", found, statement("doctor.rights.look", group=node.group, file=node.path))
        else:
            yield fault("rights", found, statement("doctor.rights.join", group=node.group))
    if machine.account.is_root:
        yield note("rights", statement("doctor.rights.root"))
    elif not closed and needed:
        groups = sorted(machine.account.groups & {node.group for node in needed})
        told = statement("doctor.rights.groups", groups=groups) if groups else statement("doctor.rights")
        yield ok("rights", told)


def _gpio_chip(machine: Machine) -> list[DeviceFile]:
    return [DeviceFile(path, statement("doctor.part.pins"), "gpio") for path in _CHIPS if machine.has(path)][:1]


def _may_use(machine: Machine, node: DeviceFile) -> bool:
    path = machine.path(node.path)
    # A keyboard is only read; everything else is spoken to.
    return machine.may(path, "read") and (node.group == "input" or machine.may(path, "write"))
