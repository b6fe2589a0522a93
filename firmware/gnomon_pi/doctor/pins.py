"""The only place that finds out whether somebody else takes the pins of a board."""

from collections.abc import Iterator
from typing import Final

from gnomon_pi.description import BoardDescription
from gnomon_pi.doctor.boot_config import boot_config
from gnomon_pi.doctor.finding import Finding, fault, note, ok, warning
from gnomon_pi.doctor.machine import Machine
from gnomon_pi.doctor.overlays import Claim, claims
from gnomon_pi.doctor.wires import Wire, wires

_LGPIO: Final = "lg"  # what lgpio calls itself where a program does not say (lgGpio.c)
_CHIP_SELECT: Final = "spi0 CS"


def check_pins(machine: Machine, description: BoardDescription) -> Iterator[Finding]:
    """Whether config.txt or a running program takes pins that the description gives to the board."""
    taken = wires(description)
    config = boot_config(machine)
    collisions = [(wire, claim) for claim in claims(config) for wire in taken if _collide(wire, claim)]
    for wire, claim in collisions:
        yield _collision(wire, claim)
    used = list(_used(machine, taken))
    yield from used
    if not collisions and not used:
        count = len({wire.pin for wire in taken})
        known = "" if config.path else ", as far as is known without a config.txt"
        yield ok("pins", f"Nobody else takes one of the board's {count} pins{known}.")


def _collide(wire: Wire, claim: Claim) -> bool:
    return wire.pin in claim.pins and not (wire.bus and wire.bus == claim.bus)


def _collision(wire: Wire, claim: Claim) -> Finding:
    found = f"GPIO {wire.pin} is {wire.purpose}, and {claim.line} in config.txt takes it, too."
    if claim.bus == "spi0" and wire.pin == 7:  # noqa: PLR2004 - its second chip select
        advice = "Put dtoverlay=spi0-1cs beside dtparam=spi=on: the bus then has one chip select."
    else:
        advice = f"Take {claim.line} out of config.txt and restart, or wire {wire.purpose} to another pin."
    return fault("pins", found, advice)


def _used(machine: Machine, taken: tuple[Wire, ...]) -> Iterator[Finding]:
    """What the kernel says of pins that are no bus's: those of a bus are held by its own driver."""
    used = machine.lines()
    if used is None:
        yield note("pins in use", "The kernel does not say which pins are in use (that takes the group gpio).")
        return
    single = {wire.pin: wire for wire in taken if not wire.bus}
    for line in used:
        if (wire := single.get(line.pin)) is None or (line.consumer.startswith(_CHIP_SELECT) and line.pin == 7):  # noqa: PLR2004 - told above
            continue
        who = "a program, perhaps gnomond itself" if line.consumer == _LGPIO else line.consumer
        yield warning(
            "pins in use",
            f"GPIO {line.pin}, {wire.purpose}, is held by {who}.",
            "End that program: a pin answers one program only.",
        )
