"""Add a transistor switch to the netlist, for loads that exceed what a pin can drive."""

from gnomon_pi.config.description import Output
from gnomon_pi.tools.wiring.catalogue import MOSFET, R10K, R100
from gnomon_pi.tools.wiring.netlist import GND, V3, Draft


def wire_switch(draft: Draft, name: str, load: str, output: Output, purpose: str) -> None:
    """Pull the net `load` to ground while the output is on; until the Pi has started it is off.

    An output that is on when low has a second transistor in front. One of which nobody has found out yet is wired as
    on when high, as most are.
    """
    draft.add(f"Q{name}", MOSFET, f"switches {purpose}")
    draft.join(GND, (f"Q{name}", "2"))
    draft.join(load, (f"Q{name}", "3"))
    gate = f"{name}.gate"
    if not output.active_low:
        _wire_gate(draft, name, output.pin, off=GND)
        return
    draft.join(gate, (f"Q{name}", "1"))
    draft.across(f"R{name}.up", R10K, f"switches Q{name} on", V3, gate)
    turned = f"{name}.low"
    draft.add(f"Q{turned}", MOSFET, f"turns the pin of {purpose} round")
    draft.join(GND, (f"Q{turned}", "2"))
    draft.join(gate, (f"Q{turned}", "3"))
    _wire_gate(draft, turned, output.pin, off=V3)


def _wire_gate(draft: Draft, name: str, pin: int, off: str) -> None:
    draft.gpio(name, pin)
    draft.across(f"R{name}", R100, f"in series with the gate of Q{name}", name, f"{name}.gate")
    draft.join(f"{name}.gate", (f"Q{name}", "1"))
    draft.across(f"R{name}.off", R10K, f"keeps Q{name} in its place while the Pi starts", off, f"{name}.gate")
