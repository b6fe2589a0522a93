"""Count what hands do: joints to solder, plugs to press or crimp, and the hours that this takes."""

from collections import Counter
from collections.abc import Mapping
from typing import Final, NamedTuple

from gnomon_pi.config.description import BoardDescription
from gnomon_pi.tools.wiring import _catalogue as catalogue
from gnomon_pi.tools.wiring._netlist import Netlist
from gnomon_pi.tools.wiring.kicad._assembly import Assembly

_PER_LIGHT: Final = 8
"""A light that is cut from the strip is wired at both sides."""
_LEGS_OF_WIRES: Final = (catalogue.BUTTON, catalogue.PIEZO, catalogue.OLED_I2C, catalogue.OLED_SPI, catalogue.PN532)
_MINUTES: Final[Mapping[str, float]] = {"joints": 0.4, "crimps": 1.5, "presses": 1.0, "cables": 1.0}
"""What a joint, a crimped contact, a pressed plug and a cable that is plugged in take: estimates, never timed."""


class Work(NamedTuple):
    """What hands do for one board."""

    joints: int
    crimps: int
    presses: int
    cables: int

    @property
    def hours(self) -> Mapping[str, float]:
        """The hours of each kind of work."""
        return {what: round(count * _MINUTES[what] / 60, 1) for what, count in self._asdict().items()}

    @property
    def plugs(self) -> int:
        """Contacts that are crimped and plugs that are pressed, together."""
        return self.crimps + self.presses


def work_on_boards(description: BoardDescription, assembly: Assembly) -> Work:
    """The work with circuit boards: the assembler solders all parts without holes."""
    through = {
        name: sum(bool(pad.drill) for part in design.parts for pad in part.footprint.pads)
        for name, design in assembly.designs.items()
    }
    joints = sum(through[design] for design in assembly.boards.values())
    standing = {part.mark for design in assembly.designs.values() for part in design.parts if part.stands}
    wires = sum(
        len(part.article.pins)
        for part in assembly.netlist.parts
        if part.key in _LEGS_OF_WIRES and part.reference not in standing
    )
    kinds = Counter(cable.kind for cable in assembly.cables)
    cut = _PER_LIGHT * description.lights.count if description.lights is not None else 0
    strip = 4 if description.lights is not None else 0
    return Work(joints + wires + cut, wires + strip, 2 * kinds["ribbon"], sum(kinds.values()) - kinds["ribbon"])


def work_by_wire(description: BoardDescription, netlist: Netlist) -> Work:
    """The work without boards: every pin of every part is soldered, and each plug has two sides."""
    joints = crimps = 0
    for part in netlist.parts:
        pins = sum(bool(netlist.net(part.reference, pin)) for pin in part.article.pins)
        if part.key == catalogue.PI:
            continue
        if part.key == catalogue.STRIP:
            pins = _PER_LIGHT * description.lights.count if description.lights is not None else 0
        joints += pins
        crimps += len(part.article.pins) if part.reference.endswith(".J") else 0
    return Work(joints, crimps, 0, crimps and sum(part.reference.endswith(".J") for part in netlist.parts))
