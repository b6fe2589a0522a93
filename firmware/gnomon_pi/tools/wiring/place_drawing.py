"""Draw the wiring of one place of a board as SVG, from its sensors through the plug to the chips."""

from dataclasses import replace
from itertools import groupby

from gnomon_pi.config.description import Sensors
from gnomon_pi.tools.wiring.catalogue import EYE, HC14, HC165, MCP23017
from gnomon_pi.tools.wiring.lanes import Box, Column, Lane, LanePen, part_box
from gnomon_pi.tools.wiring.netlist import Netlist, Pin
from gnomon_pi.tools.wiring.places import Plug, plugs
from gnomon_pi.tools.wiring.sheet import FAINT, Sheet, Type

_HINT = "The other plugs are wired in the same way; the tables name the pins of each."


def place_drawing(sensors: Sensors, netlist: Netlist, name: str) -> str:
    """The fullest plug of a board with all that hangs on it, on a sheet of A4, as SVG."""
    fullest = max(plugs(sensors), key=lambda each: len(each.inputs))
    title = f"{name}: what hangs on the plug {fullest.reference}"
    lane = place_lane(netlist, fullest, fullest.inputs, _rails(fullest))
    reach = (LanePen(netlist, lane, None).draw((32, 0)) + 32, lane.height + 92)
    sheet = Sheet(title, f"{title}, from the sensors to the chips.", upright=False, reach=reach)
    sheet.text((32, 38), title, Type(22, bold=True))
    sheet.text((32, 58), _HINT, Type(11, colour=FAINT))
    LanePen(netlist, lane, sheet).draw((32, 76))
    return sheet.svg()


def place_lane(netlist: Netlist, plug: Plug, names: tuple[str, ...], title: str) -> Lane:
    """Some inputs of a plug: their sensors, the plug itself, and the chips. An eye takes two rows."""
    rows: dict[str, int] = {}
    row = 0
    for name in names:
        rows[name] = row
        row += 2 if netlist.by_reference[name].key == EYE else 1
    sensors = tuple(_sensor(netlist, name, rows[name]) for name in names)
    lights = tuple(
        part_box(netlist, f"{name}.RA", {rows[name] + 1: "1"}, {rows[name] + 1: "2"})
        for name in names
        if f"{name}.RA" in netlist.by_reference
    )
    columns: list[Column] = [lights] if lights else []
    columns += [sensors, (_plug(netlist, plug, rows),)]
    inverters = [box for box in (_inverter(netlist, name, rows[name]) for name in names) if box is not None]
    if inverters:
        columns.append(tuple(inverters))
    columns.append(_chips(netlist, rows))
    return Lane(title, tuple(columns))


def _rails(plug: Plug) -> str:
    rails = ", ".join(f"{pin} {rail}" for pin, rail in enumerate(plug.rails, start=1))
    return f"{plug.reference}: {rails}, then the inputs"


def _sensor(netlist: Netlist, name: str, row: int) -> Box:
    if netlist.by_reference[name].key != EYE:
        how = ", turned over" if ".north" in name else ""
        return part_box(netlist, name, {}, {row: "3"}, f"{netlist.by_reference[name].key}{how}")
    out = "3" if netlist.net(name, "3") == name else "4"
    return part_box(netlist, name, {row: "2", row + 1: "1"}, {row: out, row + 1: "4" if out == "3" else "3"})


def _plug(netlist: Netlist, plug: Plug, rows: dict[str, int]) -> Box:
    pins = {row: str(len(plug.rails) + 1 + plug.inputs.index(name)) for name, row in rows.items()}
    box = part_box(netlist, plug.reference, pins, pins, f"{len(plug.rails) + len(plug.inputs)} poles")
    return replace(box, foot=", ".join(f"{pin} {rail}" for pin, rail in enumerate(plug.rails, start=1)))


def _inverter(netlist: Netlist, name: str, row: int) -> Box | None:
    for pin in netlist.pins[name]:
        if netlist.by_reference[pin.part].key == HC14:
            entry = next(end for end in netlist.pins[f"{name}.low"] if end.part == pin.part)
            return part_box(netlist, pin.part, {row: entry.number}, {row: pin.number})
    return None


def _chips(netlist: Netlist, rows: dict[str, int]) -> Column:
    """The chips on which the inputs end; inputs in a row that end on one chip share its box."""
    ends = [(_end(netlist, name), row) for name, row in rows.items()]
    boxes = []
    for reference, group in groupby(ends, key=lambda end: end[0].part):
        pins = {row: pin.number for pin, row in group}
        boxes.append(part_box(netlist, reference, pins, {}))
    return tuple(boxes)


def _end(netlist: Netlist, name: str) -> Pin:
    return next(pin for pin in netlist.pins[name] if netlist.by_reference[pin.part].key in {HC165, MCP23017})
