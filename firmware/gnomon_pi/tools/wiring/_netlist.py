"""Define the netlist: parts, their pins, and the wires that join them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import Final, NamedTuple

from gnomon.refusals import Refusal, statement
from gnomon_pi.tools.wiring._catalogue import C100N, PIN_OF_GPIO, Article, article

GND: Final = "GND"
V3: Final = "3V3"
V5: Final = "5V"
FED: Final = "5V before the fuse"
IR: Final = "IR"
PI: Final = "PI"
"""The reference of the Raspberry Pi: its pins are those of the header."""
RAILS: Final = (GND, V3, V5, IR)
"""The nets that feed parts, and the return of the emitters: wired from one point to each pin, not from pin to pin."""


class WiringError(Refusal):
    """A description cannot be wired; the message is one sentence that names what and why."""


class NetPin(NamedTuple):
    """A pin of a part, by the number that the data sheet prints."""

    part: str
    number: str


class NetConnection(NamedTuple):
    """A wire of a net, from one pin to another."""

    net: str
    start: NetPin
    end: NetPin


class NetPart(NamedTuple):
    """One thing to solder: its reference, its article in the catalogue and what it is there for."""

    reference: str
    key: str
    purpose: str

    @property
    def article(self) -> Article:
        """What the catalogue knows of it."""
        return article(self.key)


@dataclass(frozen=True)
class Netlist:
    """The parts in the order in which a builder meets them, and every wire between them."""

    parts: tuple[NetPart, ...]
    connections: tuple[NetConnection, ...]

    @cached_property
    def pins(self) -> Mapping[str, tuple[NetPin, ...]]:
        """The pins of each net, in the order of its wires."""
        nets: dict[str, dict[NetPin, None]] = {}
        for net, start, end in self.connections:
            nets.setdefault(net, {}).update({start: None, end: None})
        return MappingProxyType({net: tuple(pins) for net, pins in nets.items()})

    @cached_property
    def nets(self) -> Mapping[NetPin, str]:
        """The net of each pin that is connected."""
        return MappingProxyType({pin: net for net, pins in self.pins.items() for pin in pins})

    @cached_property
    def by_reference(self) -> Mapping[str, NetPart]:
        """The parts by their references."""
        return MappingProxyType({part.reference: part for part in self.parts})

    def net(self, reference: str, number: str) -> str:
        """The net of a pin; empty when the pin stays open."""
        return self.nets.get(NetPin(reference, number), "")

    def of(self, *keys: str) -> tuple[NetPart, ...]:
        """The parts of some articles, in order."""
        return tuple(part for part in self.parts if part.key in keys)

    def others(self, reference: str, number: str) -> tuple[NetPin, ...]:
        """The pins that share a net with this one."""
        here = NetPin(reference, number)
        return tuple(pin for pin in self.pins.get(self.net(*here), ()) if pin != here)


class NetlistDraft:
    """A netlist that is being drawn up; `finish` gives the lasting one."""

    def __init__(self) -> None:
        self._parts: dict[str, NetPart] = {}
        self._nets: dict[str, dict[NetPin, None]] = {}
        self._taken: dict[NetPin, str] = {}

    def add(self, reference: str, key: str, purpose: str) -> str:
        """A new part; gives its reference. Raises WiringError when there is one of that name."""
        if reference in self._parts:
            raise WiringError(statement("wiring.same_name", part=reference))
        self._parts[reference] = NetPart(reference, key, purpose)
        return reference

    def join(self, net: str, *pins: tuple[str, str]) -> None:
        """Wire pins into a net. Raises WiringError when one of them belongs to another."""
        for pin in map(NetPin._make, pins):
            other = self._taken.setdefault(pin, net)
            if other != net:
                raise WiringError(statement("wiring.taken", pin=pin.number, part=pin.part, net=net, other=other))
            self._nets.setdefault(net, {})[pin] = None

    def gpio(self, net: str, gpio: int) -> None:
        """Wire a pin of the Pi, by its BCM number, into a net. Raises WiringError when the header does not have it."""
        if gpio not in PIN_OF_GPIO:
            raise WiringError(statement("wiring.no_gpio", net=net, gpio=gpio))
        self.join(net, (PI, PIN_OF_GPIO[gpio]))

    def header(self, net: str, *pins: str) -> None:
        """Wire supply pins of the header, by their numbers, into a rail."""
        self.join(net, *((PI, pin) for pin in pins))

    def feed(self, reference: str, power: str) -> None:
        """Wire the supply pins of a part to a rail and to ground."""
        facts = self._parts[reference].article
        self.join(power, *((reference, pin) for pin in facts.power))
        self.join(GND, *((reference, pin) for pin in facts.ground))

    def add_chip(self, reference: str, key: str, purpose: str, power: str) -> str:
        """A new part that is fed from a rail, with a capacitor beside it; gives its reference."""
        self.add(reference, key, purpose)
        self.feed(reference, power)
        self.decouple(reference, power)
        return reference

    def decouple(self, reference: str, power: str) -> None:
        """The capacitor beside a chip."""
        self.across(f"{reference}.C", C100N, f"beside {reference}", power, GND)

    def across(self, reference: str, key: str, purpose: str, first: str, second: str) -> None:
        """A part with two legs between two nets."""
        self.add(reference, key, purpose)
        self.join(first, (reference, "1"))
        self.join(second, (reference, "2"))

    def finish(self) -> Netlist:
        """What has been drawn up, with the wires of nets that have two ends at least."""
        wires = (wire for net, pins in self._nets.items() for wire in _wires(net, tuple(pins)))
        return Netlist(tuple(self._parts.values()), tuple(wires))


def _wires(net: str, ends: tuple[NetPin, ...]) -> Iterable[NetConnection]:
    starts = (ends[0],) * len(ends) if net in RAILS else ends
    return (NetConnection(net, start, end) for start, end in zip(starts, ends[1:], strict=False))
