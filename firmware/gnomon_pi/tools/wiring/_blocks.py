"""Draw the wiring of a board as SVG: the Pi with a lane for each device, and one place up to the chips."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import accumulate, groupby

from gnomon_pi.config.description import BoardDescription, Chain, Expanders, OnI2c, Sensors, SpiDisplay
from gnomon_pi.tools.wiring._catalogue import BUTTON, EYE, HALL_ANY, HALL_POLE, HC14, HC165, MCP23017
from gnomon_pi.tools.wiring._lanes import Box, Column, Lane, LanePen, Port, part_box
from gnomon_pi.tools.wiring._netlist import PI, Netlist, NetPin
from gnomon_pi.tools.wiring._nets import (
    BUZZER,
    DISPLAY,
    FEED,
    FUSE,
    READER,
    SAND_EYE,
    SAND_LAMP,
    SAND_PLUG,
    SHIFTER,
    STRIP,
)
from gnomon_pi.tools.wiring._places import BUFFER, INTERRUPT, Plug, chip, plugs
from gnomon_pi.tools.wiring._sheet import FAINT, LONG, UNITS_PER_MM, DrawingSheet, Point, Type

_MARGIN = 32.0
_TOP = 76.0
_BESIDE = 44.0  # between two lanes
_HINT = "A number in a box is a pin: of the header, of the chip. The name on a wire is its net, as in the tables."
_HINT_OF_A_PLACE = "The other plugs are wired in the same way; the tables name the pins of each."


def wiring_drawing(description: BoardDescription, netlist: Netlist, name: str) -> str:
    """The whole board on a sheet of A4, as SVG."""
    lanes = tuple(_lanes(description, netlist))
    corners, reach = _pack(netlist, lanes)
    words = f"The wires of {name}, from the header of the Raspberry Pi to every part."
    sheet = DrawingSheet(f"{name}: wiring", words, upright=False, reach=reach)
    sheet.text((_MARGIN, 38), f"{name}: wiring", Type(22, bold=True))
    sheet.text((_MARGIN, 58), _HINT, Type(11, colour=FAINT))
    for lane, corner in zip(lanes, corners, strict=True):
        LanePen(netlist, lane, sheet).draw(corner)
    return sheet.svg()


def _pack(netlist: Netlist, lanes: tuple[Lane, ...]) -> tuple[list[Point], Point]:
    """Where each lane begins, one beside the other as long as there is room, and how far they reach."""
    widths = [LanePen(netlist, lane, None).draw((0, 0)) for lane in lanes]
    limit = max(LONG * UNITS_PER_MM - 2 * _MARGIN, *widths)
    shelves: list[list[float]] = []  # of each: how wide and how high what stands on it is
    places = []
    for lane, width in zip(lanes, widths, strict=True):
        room = [shelf for shelf in shelves if shelf[0] + width <= limit]
        shelf = next((each for each in room if lane.height <= each[1]), room[-1] if room else None)
        if shelf is None or (lane.height > shelf[1] and shelf is not shelves[-1]):
            shelf = [0.0, 0.0]
            shelves.append(shelf)
        places.append((shelves.index(shelf), shelf[0]))
        shelf[:] = [shelf[0] + width + _BESIDE, max(shelf[1], lane.height)]
    levels = list(accumulate((height for _, height in shelves), initial=_TOP))
    corners = [(_MARGIN + x, levels[shelf]) for shelf, x in places]
    return corners, (limit + 2 * _MARGIN, levels[-1] + _MARGIN / 2)


def _lanes(description: BoardDescription, netlist: Netlist) -> Iterator[Lane]:
    sensors = description.sensors
    if isinstance(sensors, Chain):
        yield _chain_lane(sensors, netlist)
    yield from _bus_lanes(description, netlist)
    if sensors is not None:
        yield _sensor_lane(description, netlist)
    if "QEMIT" in netlist.by_reference:
        title = "Light of the eyes: on for one of the two readings of a scan"
        yield Lane(title, _switch_columns(netlist, "EMIT", _eyes(netlist)))
    if description.lights is not None:
        yield _light_lane(netlist)
    if FEED in netlist.by_reference:
        yield _feed_lane(netlist)
    if description.display is not None and isinstance(description.display.wires, SpiDisplay):
        yield _spi_display_lane(netlist)
    if description.buzzer is not None:
        yield _buzzer_lane(netlist)
    if description.buttons:
        yield _button_lane(netlist)
    if description.sand_light is not None:
        yield _sand_lane(description.sand_light.name, netlist)


def _pi(netlist: Netlist, nets: dict[int, str]) -> Column:
    """The pins of the Pi that a lane begins with, by row; pins that no net reaches are left out."""
    ports = []
    for row, net in nets.items():
        for pin in netlist.pins.get(net, ()):
            if pin.part == PI:
                what = netlist.by_reference[PI].article.pins[pin.number]
                ports.append(Port(row, pin, f"{pin.number} {what}"))
    return (Box(PI, "header", (), tuple(ports)),) if ports else ()


def _resistor(netlist: Netlist, reference: str, row: int, *, turned: bool = False) -> Box:
    left, right = ("2", "1") if turned else ("1", "2")
    return part_box(netlist, reference, {row: left}, {row: right})


def _chain_lane(chain: Chain, netlist: Netlist) -> Lane:
    first = _pi(netlist, {0: netlist.net(BUFFER, "2"), 1: netlist.net(BUFFER, "5"), 2: netlist.net("RDATA", "2")})
    buffer = (part_box(netlist, BUFFER, {0: "2", 1: "5"}, {0: "3", 1: "6"}),)
    series = (
        _resistor(netlist, "RCLK", 0),
        _resistor(netlist, "RLATCH", 1),
        _resistor(netlist, "RDATA", 2, turned=True),
    )
    shown = _few(range(chain.registers))
    registers = [(_register(netlist, number, chain),) for number in shown]
    return Lane("Sensors: a chain of shift registers", (first, buffer, series, *registers), _hidden_note(shown))


def _register(netlist: Netlist, number: int, chain: Chain) -> Box:
    last = number == chain.registers - 1
    value = f"74HC165, canary 0x{chain.canary:02X}" if last else "74HC165"
    behind = {2: "10"} if last else {0: "2", 1: "1", 2: "10"}
    return part_box(netlist, chip(number), {0: "2", 1: "1", 2: "9"}, behind, value)


def _few(numbers: range | list[int]) -> list[int]:
    """The first two and the last of some numbers."""
    few = list(numbers)
    return few if len(few) < 4 else [few[0], few[1], few[-1]]  # noqa: PLR2004 - three stand for many


def _hidden_note(shown: list[int]) -> str:
    if len(shown) < 2 or shown[-1] - shown[-2] < 2:  # noqa: PLR2004 - two in a row need no gap
        return ""
    lowest, highest = shown[-2] + 1, shown[-1] - 1
    return f"… {chip(lowest)}" if lowest == highest else f"… {chip(lowest)} to {chip(highest)}"


def _bus_lanes(description: BoardDescription, netlist: Netlist) -> Iterator[Lane]:
    """A lane for each I2C bus, with the devices on it in a row."""
    sensors, display, reader = description.sensors, description.display, description.reader
    chips = sensors.chips if isinstance(sensors, Expanders) else ()
    devices: dict[int, list[str]] = {}
    for number, wires in enumerate(chips):
        devices.setdefault(wires.bus, []).append(chip(number))
    if display is not None and isinstance(display.wires, OnI2c):
        devices.setdefault(display.wires.bus, []).append(DISPLAY)
    if reader is not None and reader.wires is not None:
        devices.setdefault(reader.wires.bus, []).append(READER)
    for bus, references in devices.items():
        numbers = [int(each[1:]) for each in references if each[0] == "U"]
        shown = _few(numbers)
        boxes = [
            _on_bus(netlist, each, is_last=each == references[-1])
            for each in references
            if each[0] != "U" or int(each[1:]) in shown
        ]
        rows = {0: f"SDA{bus}", 1: f"SCL{bus}"} | ({2: INTERRUPT} if numbers and INTERRUPT in netlist.pins else {})
        columns = (_pi(netlist, rows), *((box,) for box in boxes))
        hidden = _hidden_note(shown)
        yield Lane(f"I2C-{bus}{f': {hidden[2:]} hang between those drawn' if hidden else ''}", columns)


def _on_bus(netlist: Netlist, reference: str, *, is_last: bool) -> Box:
    if reference[0] == "U":
        rows = {0: "13", 1: "12"} | ({2: "20"} if INTERRUPT in netlist.pins else {})
    else:
        rows = {0: "SDA", 1: "SCL"}
    return part_box(netlist, reference, rows, {} if is_last else rows, netlist.by_reference[reference].purpose)


def _sensor_lane(description: BoardDescription, netlist: Netlist) -> Lane:
    """The first plug with two of its inputs, in place of all."""
    sensors = description.sensors
    assert sensors is not None  # noqa: S101 - asked before
    every = plugs(sensors)
    lit = [name for name, flag in zip(sensors.inputs, sensors.strobed, strict=True) if flag]
    first = every[0]
    few = tuple(name for name in first.inputs if name in lit)[:1]
    few = (*(name for name in first.inputs if name not in lit), *few)[-3 if few else 0 :][:3]
    counts = ", ".join(f"{len(found)} × {key}" for key in (HALL_POLE, HALL_ANY, EYE) if (found := netlist.of(key)))
    return place_lane(netlist, first, few, f"Sensors: {len(every)} plugs, {counts}; here {first.reference}")


def _eyes(netlist: Netlist) -> tuple[Column, ...]:
    eye, *_ = netlist.of(EYE)
    count = len(netlist.of(EYE))
    box = part_box(netlist, eye.reference, {0: "2"}, {0: "1"}, f"one of {count} {eye.key}")
    return ((box,), (_resistor(netlist, f"{eye.reference}.RA", 0, turned=True),))


def _switch_columns(netlist: Netlist, name: str, load: tuple[Column, ...]) -> tuple[Column, ...]:
    """A pin of the Pi, the transistors behind it, and what they switch."""
    columns: list[Column] = []
    names = (f"{name}.low", name) if f"Q{name}.low" in netlist.by_reference else (name,)
    for stage in names:
        if f"R{stage}" in netlist.by_reference:
            columns += [_pi(netlist, {0: stage}), (_resistor(netlist, f"R{stage}", 0),)]
        columns.append((part_box(netlist, f"Q{stage}", {0: "1"}, {0: "3"}),))
    return (*columns, *load)


def _light_lane(netlist: Netlist) -> Lane:
    rows = {0: netlist.net(SHIFTER, "2"), 1: netlist.net(SHIFTER, "5")}
    strip = part_box(netlist, STRIP, {0: "DI", 1: "CI"}, {}, netlist.by_reference[STRIP].purpose)
    columns = (
        _pi(netlist, rows),
        (part_box(netlist, SHIFTER, {0: "2", 1: "5"}, {0: "3", 1: "6"}),),
        (_resistor(netlist, "RDI", 0), _resistor(netlist, "RCI", 1)),
        (strip,),
    )
    return Lane("Lights, lifted from 3.3 V to 5 V", columns)


def _feed_lane(netlist: Netlist) -> Lane:
    ground = part_box(netlist, FEED, {}, {0: "+", 1: "-"})
    value = netlist.by_reference[FUSE].purpose.partition(",")[0]
    return Lane("5 V of the board: its ground is joined to the Pi's, its 5 V is not", (
        (ground,), (part_box(netlist, FUSE, {0: "1"}, {0: "2"}, value),),
    ))  # fmt: skip


def _spi_display_lane(netlist: Netlist) -> Lane:
    pads = ("D0", "D1", "CS", "DC", "RES")
    rows = {row: netlist.net(DISPLAY, pad) for row, pad in enumerate(pads)}
    module = part_box(netlist, DISPLAY, dict(enumerate(pads)), {}, netlist.by_reference[DISPLAY].purpose)
    return Lane("Display", (_pi(netlist, rows), (module,)))


def _buzzer_lane(netlist: Netlist) -> Lane:
    if "QTONE" in netlist.by_reference:
        return Lane(
            "Buzzer; the diode DBZ lies across it",
            _switch_columns(netlist, "TONE", ((part_box(netlist, BUZZER, {0: "-"}, {0: "+"}),),)),
        )
    series = (_resistor(netlist, "RTONE", 0),)
    return Lane("Buzzer", (_pi(netlist, {0: "TONE"}), series, (part_box(netlist, BUZZER, {0: "1"}, {0: "2"}),)))


def _button_lane(netlist: Netlist) -> Lane:
    keys = [part.reference for part in netlist.parts if part.reference.startswith("S.") and part.key == BUTTON]
    rows = {row: netlist.net(f"{key}.R", "1") for row, key in enumerate(keys)}
    return Lane("Buttons, with the pull-ups of the Pi", (
        _pi(netlist, rows),
        tuple(_resistor(netlist, f"{key}.R", row) for row, key in enumerate(keys)),
        tuple(part_box(netlist, key, {row: "1"}, {row: "2"}) for row, key in enumerate(keys)),
    ))  # fmt: skip


def _sand_lane(net: str, netlist: Netlist) -> Lane:
    return Lane("Light barrier at the neck of a glass that is measured, on a plug of its own", (
        _pi(netlist, {0: net}),
        (part_box(netlist, SAND_PLUG, {0: "3"}, {0: "3", 1: "1"}),),
        (part_box(netlist, SAND_EYE, {0: "C"}, {}), _resistor(netlist, "RSAND", 1)),
        (part_box(netlist, SAND_LAMP, {1: "A"}, {1: "K"}),),
    ))  # fmt: skip


# One place


def place_drawing(sensors: Sensors, netlist: Netlist, name: str) -> str:
    """The fullest plug of a board with all that hangs on it, on a sheet of A4, as SVG."""
    fullest = max(plugs(sensors), key=lambda each: len(each.inputs))
    title = f"{name}: what hangs on the plug {fullest.reference}"
    lane = place_lane(netlist, fullest, fullest.inputs, _rails(fullest))
    reach = (LanePen(netlist, lane, None).draw((32, 0)) + 32, lane.height + 92)
    sheet = DrawingSheet(title, f"{title}, from the sensors to the chips.", upright=False, reach=reach)
    sheet.text((32, 38), title, Type(22, bold=True))
    sheet.text((32, 58), _HINT_OF_A_PLACE, Type(11, colour=FAINT))
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


def _end(netlist: Netlist, name: str) -> NetPin:
    return next(pin for pin in netlist.pins[name] if netlist.by_reference[pin.part].key in {HC165, MCP23017})
