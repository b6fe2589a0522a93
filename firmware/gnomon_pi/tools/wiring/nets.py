"""Build the netlist of a board from its description."""

from gnomon_pi.config.description import BoardDescription, Chain, Expanders
from gnomon_pi.tools.wiring import catalogue, devices
from gnomon_pi.tools.wiring.buses import Buses
from gnomon_pi.tools.wiring.chips import wire_chain, wire_expanders
from gnomon_pi.tools.wiring.feed import fuse, has_own_feed
from gnomon_pi.tools.wiring.netlist import FED, GND, PI, V5, Draft, Netlist
from gnomon_pi.tools.wiring.places import wire_places

FEED = "J5V"
FUSE = "FUSE"


def netlist(description: BoardDescription) -> Netlist:
    """Every part and wire of a board. Raises WiringError when it cannot be wired."""
    draft = Draft()
    draft.add(PI, catalogue.PI, f"runs {description.board}")
    buses = Buses(draft, description)
    if has_own_feed(description):
        _wire_feed(draft, description)
    match description.sensors:
        case Chain() as chain:
            wire_chain(draft, chain, buses)
        case Expanders() as expanders:
            wire_expanders(draft, expanders, buses)
        case None:
            pass
    if description.sensors is not None:
        wire_places(draft, description.sensors)
    _wire_devices(draft, description, buses)
    return draft.finished()


def _wire_feed(draft: Draft, description: BoardDescription) -> None:
    draft.add(FEED, catalogue.FEED, "5 V from the supply of the board; the Pi has its own")
    draft.add(FUSE, catalogue.FUSE, f"{fuse(description)}, in the 5 V of the board")
    draft.join(FED, (FEED, "+"), (FUSE, "1"))
    draft.join(V5, (FUSE, "2"))
    draft.join(GND, (FEED, "-"))
    draft.header(GND, "39")  # One wire for the return of lights and emitters, as short and thick as it can be.


def _wire_devices(draft: Draft, description: BoardDescription, buses: Buses) -> None:
    if description.lights is not None:
        devices.wire_lights(draft, description.lights, buses)
    if description.display is not None:
        devices.wire_display(draft, description.display, buses)
    if description.reader is not None and description.reader.wires is not None:
        devices.wire_reader(draft, description.reader.wires, buses)
    if description.buzzer is not None:
        devices.wire_buzzer(draft, description.buzzer, own_feed=has_own_feed(description))
    for button in description.buttons:
        devices.wire_button(draft, button)
    if description.sand_light is not None:
        devices.wire_sand_light(draft, description.sand_light)
