"""Check whether config.txt or another program occupies pins of the board."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from gnomon_pi.config.description import BoardDescription
from gnomon_pi.tools.doctor.boot_config import boot_config
from gnomon_pi.tools.doctor.finding import Finding, fault, note, ok, warning
from gnomon_pi.tools.doctor.gpio_lines import UsedLine
from gnomon_pi.tools.doctor.machine import Machine
from gnomon_pi.tools.doctor.overlays import Claim, claims
from gnomon_pi.tools.doctor.wires import Wire, wires

_LGPIO: Final = "lg"  # what lgpio calls itself where a program does not say (lgGpio.c)
_SECOND_SELECT: Final = 7  # of SPI0


def check_pins(machine: Machine, description: BoardDescription) -> Iterator[Finding]:
    """Whether config.txt or a running program takes pins that the description gives to the board."""
    taken = wires(description)
    config = boot_config(machine)
    collisions = [
        (claim, met) for claim in claims(config) if (met := tuple(wire for wire in taken if _collide(wire, claim)))
    ]
    for claim, met in collisions:
        yield _collision(claim, met)
    used = list(_used(machine, taken))
    yield from used
    if not collisions and not used:
        count = len({wire.pin for wire in taken})
        known = "" if config.path else ", as far as is known without a config.txt"
        yield ok("pins", f"Nobody else takes one of the board's {count} pins{known}.")


def _collide(wire: Wire, claim: Claim) -> bool:
    return wire.pin in claim.pins and not (wire.bus and wire.bus == claim.bus)


def _collision(claim: Claim, met: tuple[Wire, ...]) -> Finding:
    pins = {wire.pin: wire.purpose for wire in sorted(met)}
    named = " and ".join(f"GPIO {pin}, which is {purpose}" for pin, purpose in _grouped(pins))
    found = f"{claim.line} in config.txt takes {named}."
    if claim.bus == "spi0" and set(pins) == {_SECOND_SELECT}:
        return fault("pins", found, "Put dtoverlay=spi0-1cs beside dtparam=spi=on: the bus then has one chip select.")
    purposes = " and ".join(dict.fromkeys(pins.values()))
    return fault("pins", found, f"Take {claim.line} out of config.txt and restart, or wire {purposes} elsewhere.")


def _grouped(pins: Mapping[int, str]) -> Iterator[tuple[str, str]]:
    """The pins of each purpose, as a list for people."""
    for purpose in dict.fromkeys(pins.values()):
        yield "/".join(str(pin) for pin, other in pins.items() if other == purpose), purpose


def _used(machine: Machine, taken: tuple[Wire, ...]) -> Iterator[Finding]:
    """What the kernel says of pins that are no bus's: those of a bus are held by its own driver."""
    used = machine.lines()
    if used is None:
        yield note("pins in use", "The kernel does not say which pins are in use (that takes the group gpio).")
        return
    single = {wire.pin: wire.purpose for wire in taken if not wire.bus}
    for consumer in dict.fromkeys(line.consumer for line in used):
        held = {line.pin: single[line.pin] for line in used if line.consumer == consumer and line.pin in single}
        if held:
            who = "a program that uses lgpio, perhaps gnomond" if consumer == _LGPIO else consumer
            named = ", ".join(f"GPIO {pin} ({purpose})" for pin, purpose in held.items())
            advice = "End that program, or take its line out of config.txt: a pin answers one only."
            yield warning("pins in use", f"Held by {who}: {named}.", advice)


def beside_lgpio(used: Sequence[UsedLine] | None) -> Sequence[UsedLine] | None:
    """The pins that are held by others than a program that uses lgpio: a running gnomond may hold its own."""
    return None if used is None else [line for line in used if line.consumer != _LGPIO]
