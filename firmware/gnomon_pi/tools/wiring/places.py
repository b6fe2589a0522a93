"""Add the sensors of each place to the netlist: Hall switches, reflective eyes and their plugs."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from gnomon_pi.config.description import Chain, Output, Sensors
from gnomon_pi.tools.wiring.catalogue import C470U, EYE, HALL_ANY, HALL_POLE, HC14, R47K, R180, plug
from gnomon_pi.tools.wiring.chips import chip, input_pin
from gnomon_pi.tools.wiring.netlist import GND, IR, V3, V5, Draft, WiringError
from gnomon_pi.tools.wiring.switches import wire_switch

_POLES: Final = ("north", "south")
_GATES: Final = (("1", "2"), ("3", "4"), ("5", "6"), ("9", "8"), ("11", "10"), ("13", "12"))
"""In and out of the six inverters of a 74HC14."""


class Plug(NamedTuple):
    """A plug between the chips and what stands at one place or, where each place has one input, at those of a chip."""

    reference: str
    inputs: tuple[str, ...]
    lit: bool

    @property
    def rails(self) -> tuple[str, ...]:
        """What the first pins of the plug are."""
        return (V3, GND, V5, IR) if self.lit else (V3, GND)


def plugs(sensors: Sensors) -> tuple[Plug, ...]:
    """The plugs of a board, in the order of their inputs."""
    by_place = _grouped({name: name.rpartition(".")[0] for name in sensors.inputs})
    if all(len(names) == 1 for names in by_place.values()):
        ordered = sorted(sensors.inputs, key=lambda name: sensors.bits[sensors.inputs.index(name)])
        groups = _grouped({name: chip(sensors.place(name).chip) for name in ordered})
    else:
        groups = by_place
    strobed = {name for name, flag in zip(sensors.inputs, sensors.strobed, strict=True) if flag}
    return tuple(Plug(f"{group}.J", names, not strobed.isdisjoint(names)) for group, names in groups.items())


def wire_places(draft: Draft, sensors: Sensors) -> None:
    """Every sensor, its plug and its wire to a chip. Raises WiringError when strobed inputs have no emitters' pin."""
    strobed = dict(zip(sensors.inputs, sensors.strobed, strict=True))
    if sensors.emitters is not None:
        _wire_emitters(draft, sensors.emitters)
    elif any(strobed.values()):
        message = f"{next(name for name in strobed if strobed[name])} is strobed, but no pin switches the emitters"
        raise WiringError(message)
    inverters = _Inverters(draft)
    for each in plugs(sensors):
        draft.add(each.reference, plug(len(each.rails) + len(each.inputs)), f"to {_towards(each, sensors)}")
        for pin, rail in enumerate(each.rails, start=1):
            draft.join(rail, (each.reference, str(pin)))
        for pin, name in enumerate(each.inputs, start=len(each.rails) + 1):
            if strobed[name]:
                _wire_eye(draft, name, sensors)
                raw = name
            else:
                # These switches pull down. Where a one is wanted, an inverter turns it round.
                raw = name if sensors.active_low else f"{name}.low"
                _wire_hall(draft, name, raw)
            draft.join(raw, (each.reference, str(pin)))
            if raw != name:
                inverters.turn_round(raw, name)
            draft.join(name, input_pin(sensors, name))
    inverters.tie_off()


def _grouped(group_of: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    groups: dict[str, tuple[str, ...]] = {}
    for name, group in group_of.items():
        groups[group] = (*groups.get(group, ()), name)
    return groups


def _towards(each: Plug, sensors: Sensors) -> str:
    chips = dict.fromkeys(chip(sensors.place(name).chip) for name in each.inputs)
    return " and ".join(chips)


def _wire_hall(draft: Draft, name: str, net: str) -> None:
    pole = name.rpartition(".")[2]
    if pole in _POLES:
        how = "its marked side up" if pole == "south" else "turned over, its marked side down"
        draft.add(name, HALL_POLE, f"sees {pole}: {how}")
    else:
        draft.add(name, HALL_ANY, "sees a magnet")
    draft.feed(name, V3)
    draft.join(net, (name, "3"))
    draft.decouple(name, V3)


def _wire_eye(draft: Draft, name: str, sensors: Sensors) -> None:
    draft.add(name, EYE, "sees a ring" if ".ring" in name else "sees by its own light")
    draft.across(f"{name}.RA", R180, f"emitter of {name}", V5, f"{name}.light")
    draft.join(f"{name}.light", (name, "1"))
    draft.join(IR, (name, "2"))
    dark, lit, out, other = (V3, GND, "3", "4") if sensors.active_low else (GND, V3, "4", "3")
    if isinstance(sensors, Chain) or not sensors.active_low:  # An expander pulls up by itself, and never down.
        draft.across(f"{name}.RL", R47K, f"load of {name}", dark, name)
    draft.join(name, (name, out))
    draft.join(lit, (name, other))


def _wire_emitters(draft: Draft, emitters: Output) -> None:
    wire_switch(draft, "EMIT", IR, emitters, "the emitters")
    draft.across("CIR", C470U, "feeds the flash of the emitters", V5, GND)


class _Inverters:
    """As many 74HC14 as are needed."""

    def __init__(self, draft: Draft) -> None:
        self._draft = draft
        self._used = 0

    def turn_round(self, entry: str, out: str) -> None:
        """Wire the next inverter between two nets."""
        number, gate = divmod(self._used, len(_GATES))
        reference = f"UI{number}"
        if gate == 0:
            self._draft.add(reference, HC14, "turns what the Hall switches say round")
            self._draft.feed(reference, V3)
            self._draft.decouple(reference, V3)
        for net, pin in zip((entry, out), _GATES[gate], strict=True):
            self._draft.join(net, (reference, pin))
        self._used += 1

    def tie_off(self) -> None:
        """Hold the inputs of inverters that nobody needs."""
        number, gate = divmod(self._used, len(_GATES))
        if gate:
            for entry, _ in _GATES[gate:]:
                self._draft.join(GND, (f"UI{number}", entry))
