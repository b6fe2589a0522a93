"""Format a netlist as Markdown wiring tables, and compute the parts to buy with rough prices."""

import csv
import io
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from math import ceil
from typing import Final, NamedTuple

from gnomon.games.tamsk.sensing.inputs import start_inputs
from gnomon.games.tayu.rules.settings import TayuSettings
from gnomon.games.tayu.rules.tiles import CELLS, KINDS
from gnomon_pi.config.description import (
    EM4100,
    PINS_OF_A_REGISTER,
    PINS_OF_AN_EXPANDER,
    TAMSK,
    TAYU,
    BoardDescription,
    Chain,
    Reader,
    Sensors,
)
from gnomon_pi.config.power import FIVE, THREE, budget, total_current
from gnomon_pi.tools.wiring._catalogue import (
    ARTICLES,
    HC14,
    HC165,
    HEADER_PINS,
    MCP23017,
    PI,
    PN532,
    STRIP,
    article,
    second_name,
)
from gnomon_pi.tools.wiring._netlist import RAILS, V3, V5, Netlist, NetPart, NetPin
from gnomon_pi.tools.wiring._nets import fuse, has_own_feed
from gnomon_pi.tools.wiring._pinout import reserved_pins
from gnomon_pi.tools.wiring._places import chip, input_pin, plugs

_CHIPS = "DIP-"
_LEGEND = """\
Made from the description of the board by `gnomond wiring`: change the description, not this file.

- A net is a group of pins that are joined: `LATCH`, `D4.north`. `GND`, `3V3`, `5V` and `IR` are rails.
- A pin is written as its part, a colon and its number in the data sheet: U3:11 is pin 11 of U3.
- `U0` is the chip next to the Pi; the daemon's messages use the same numbers.
- Parts at a place begin with its name: `D4.J` is the plug of D4, `D4.north` a sensor there, `D4.north.C` the capacitor
  beside it. An input, its sensor and its net have one name.
- *open* means that the pin is left open.
"""
_LEVEL_WITH_ALL_GLASSES: Final = 3
_CABLE_M: Final = 0.35  # from a place to the chips, on average
WIRE_CENTS_A_METRE: Final = 15
_SUPPLIES_A: Final = (2, 3, 4, 5, 6, 8, 10, 15, 20)
_NEVER_TRIED: Final = "never tried"
FOREWORD: Final = """\
Made from the description of the board by `gnomond wiring`: change the description, not this file.

Quantities are those of the wiring tables; buy a tenth more of the small parts. Prices are estimates for about ten of
each, without postage. Every part was chosen by its data sheet and never tried: no board has been built of these parts
yet. The last column says what to test with a few pieces before you buy all of them.
"""


def wiring_tables(description: BoardDescription, netlist: Netlist, name: str) -> str:
    """The wiring of a board as a Markdown document."""
    parts = [f"# {name}: wiring\n", _LEGEND, *_header(description, netlist), *_supply(description, netlist)]
    if description.sensors is not None:
        parts += [*_order(description.sensors, netlist), *_chips(netlist), *_plugs(netlist), *_places(netlist)]
    else:
        parts += _chips(netlist)
    parts += [*_devices(netlist), *_two_legged(netlist)]
    return "\n".join(parts)


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table."""
    lines = [heads, ["---"] * len(heads), *rows]
    return "".join(f"| {' | '.join(cell.replace('|', '/') for cell in line)} |\n" for line in lines)


def where(netlist: Netlist, pin: NetPin) -> str:
    """Where a pin goes: its net, and the pins at the other ends of its wires unless the net is a rail."""
    net = netlist.nets.get(pin, "")
    if not net:
        return "*open*"
    if net in RAILS:
        return f"`{net}`"
    pins = netlist.pins[net]
    here = pins.index(pin)
    ends = [f"{end.part}:{end.number}" for end in (*pins[max(here - 1, 0) : here], *pins[here + 1 : here + 2])]
    return f"`{net}` {', '.join(ends)}"


def _header(description: BoardDescription, netlist: Netlist) -> Iterator[str]:
    yield "## Header of the Raspberry Pi\n"
    yield "The pins in use, by their number on the header and by their GPIO number (BCM).\n"
    taken = reserved_pins(description)
    rows = []
    for number, what in netlist.by_reference["PI"].article.pins.items():
        net = netlist.net("PI", number)
        if net in RAILS:
            rows.append((number, what, "", f"`{net}`"))
        elif net:
            rows.append((number, what, second_name(number), where(netlist, NetPin("PI", number))))
        elif number in taken:
            rows.append((number, what, second_name(number), f"*open*: {taken[number]}"))
    yield table(("pin", "is", "also called", "goes to"), rows)
    yield f"All pins {', '.join(HEADER_PINS['GND'])} are the same ground; use the nearest for each cable.\n"


def _supply(description: BoardDescription, netlist: Netlist) -> Iterator[str]:
    yield "## Supply\n"
    loads = budget(description)
    if not loads:
        yield "The buttons need none.\n"
        return
    rails = {FIVE: V5, THREE: V3}
    rows = [
        (f"`{rails[load.volts]}`", load.name(), str(load.number), f"{load.each_ma:.2f}", f"{load.total_ma:.0f}")
        for load in loads
    ]
    yield table(("rail", "what", "how many", "mA each", "mA while on"), rows)
    given = description.supply
    yield f"`3V3` comes from the Pi: {_amount(total_current(loads, THREE), given.three_volt_ma if given else None)}.\n"
    if has_own_feed(description):
        yield (
            f"`5V` is a supply of its own at J5V, behind a fuse of {fuse(description)}: "
            f"{_amount(total_current(loads, FIVE), given.five_volt_ma if given else None)}. "
            "Its ground and the Pi's are joined; its 5 V and the Pi's are not.\n"
        )
    elif netlist.pins.get(V5):
        yield f"`5V` comes from the Pi: {_amount(total_current(loads, FIVE), given.five_volt_ma if given else None)}.\n"


def _amount(milliamperes: float, given: int | None) -> str:
    return f"{milliamperes:.0f} mA" + (f" of {given} mA" if given is not None else "")


def _order(sensors: Sensors, netlist: Netlist) -> Iterator[str]:
    kind = "registers" if isinstance(sensors, Chain) else "expanders"
    yield f"## Order of the {kind}\n"
    pins = PINS_OF_A_REGISTER if isinstance(sensors, Chain) else PINS_OF_AN_EXPANDER
    at = {input_pin(sensors, name): name for name in sensors.inputs}
    numbers = _numbers(netlist)
    heads = ["chip", *(f"{pin} ({numbers[pin]})" for pin in pins)]
    rows = []
    for part in netlist.of(HC165, MCP23017):
        nets = (at.get((part.reference, numbers[pin])) or netlist.net(part.reference, numbers[pin]) for pin in pins)
        rows.append([f"**{part.reference}** {part.purpose}", *(f"`{net}`" if net else "*open*" for net in nets)])
    if isinstance(sensors, Chain):
        yield (
            f"The data runs from the last register to the Pi: pin 9 of each goes to pin 10 of the one before. "
            f"The canary, {chip(sensors.registers - 1)}, is wired to 0x{sensors.canary:02X}: H is the highest bit. "
            "Run the wires of `CLK` and `LATCH` from U0 to the last register, so that the clock reaches each register "
            "no later than the one that sends to it. Spare inputs are held at the level at which they are off: cut "
            "that wire before you use one.\n"
        )
    else:
        yield (
            "GPA7 and GPB7 stay open: as inputs they disturb SDA. Spare inputs may stay open: the chip holds them "
            "by its own pull-ups.\n"
        )
    yield table(heads, rows)


def _numbers(netlist: Netlist) -> dict[str, str]:
    """The numbers of a chip's pins by the names that descriptions use."""
    part = netlist.of(HC165, MCP23017)[0]
    return {name.rpartition("/")[2]: number for number, name in part.article.pins.items()}


def _chips(netlist: Netlist) -> Iterator[str]:
    chips = [part for part in netlist.parts if part.article.package.startswith(_CHIPS)]
    if not chips:
        return
    yield "## Chips\n"
    yield "Seen from above, with the notch at the top.\n"
    for part in chips:
        yield f"### {part.reference}: {part.key}, {part.purpose}\n"
        numbers = list(part.article.pins)
        half = len(numbers) // 2
        rows = []
        for left, right in zip(numbers[:half], reversed(numbers[half:]), strict=True):
            rows.append([*_pin(netlist, part, left), *reversed(_pin(netlist, part, right))])
        yield table(("goes to", "pin", "pin", "goes to"), ([a[::1], b, c, d] for b, a, d, c in rows))


def _pin(netlist: Netlist, part: NetPart, number: str) -> tuple[str, str]:
    return f"**{number}** {part.article.pins[number]}", where(netlist, NetPin(part.reference, number))


def _plugs(netlist: Netlist) -> Iterator[str]:
    yield "## Plugs\n"
    yield "The pins of each plug in order, and the pin of the chip to which each goes.\n"
    rows = []
    for part in (part for part in netlist.parts if part.reference.endswith(".J")):
        ends = []
        for number in part.article.pins:
            net = netlist.net(part.reference, number)
            chips = [f" → {pin.part}:{pin.number}" for pin in netlist.pins[net] if _is_chip(netlist, pin)]
            ends.append(f"{number} `{net}`{'' if net in RAILS else ''.join(chips)}")
        rows.append((f"**{part.reference}**", str(len(ends)), ", ".join(ends)))
    yield table(("plug", "poles", "pins"), rows)


def _is_chip(netlist: Netlist, pin: NetPin) -> bool:
    return netlist.by_reference[pin.part].key in {HC165, MCP23017, HC14}


def _places(netlist: Netlist) -> Iterator[str]:
    yield "## Sensors\n"
    yield "The parts that are soldered at the places, with every pin of each part.\n"
    rows = []
    for plug in (part for part in netlist.parts if part.reference.endswith(".J")):
        for part in _at_plug(netlist, plug):
            pins = (f"{label} `{netlist.net(part.reference, number)}`" for number, label in _labels(part))
            rows.append((f"**{part.reference}**", part.key, ", ".join(pins), part.purpose))
    yield table(("part", "value", "pins", "what it does"), rows)


def _at_plug(netlist: Netlist, plug: NetPart) -> Iterator[NetPart]:
    for number in plug.article.pins:
        net = netlist.net(plug.reference, number)
        if net in RAILS or net.removesuffix(".low") not in netlist.by_reference:
            continue
        name = net.removesuffix(".low")
        yield netlist.by_reference[name]
        for suffix in ("C", "RA", "RL"):
            if part := netlist.by_reference.get(f"{name}.{suffix}"):
                yield part


def _labels(part: NetPart) -> Iterator[tuple[str, str]]:
    """The pins of a part, each with what it is called in a table."""
    for number, name in part.article.pins.items():
        yield number, number if name == number else f"{number} {name}"


def _devices(netlist: Netlist) -> Iterator[str]:
    yield "## Devices\n"
    shown = [part for part in netlist.parts if _is_device(part)]
    rows = []
    for part in shown:
        for number, label in _labels(part):
            rows.append((f"**{part.reference}**", part.key, label, where(netlist, NetPin(part.reference, number))))
    yield table(("part", "value", "pin", "goes to"), rows)


def _is_device(part: NetPart) -> bool:
    is_at_a_place = part.reference.endswith(".J") or part.purpose.startswith("sees ")
    return part.key != PI and not _is_two_legged(part) and not is_at_a_place and not _is_dip(part)


def _is_dip(part: NetPart) -> bool:
    return part.article.package.startswith(_CHIPS)


def _is_two_legged(part: NetPart) -> bool:
    return part.key[-1] in "ΩF"


def _two_legged(netlist: Netlist) -> Iterator[str]:
    at_places = {
        part.reference for plug in netlist.parts if plug.reference.endswith(".J") for part in _at_plug(netlist, plug)
    }
    rows = [
        (
            f"**{part.reference}**",
            part.key,
            f"`{netlist.net(part.reference, '1')}`",
            f"`{netlist.net(part.reference, '2')}`",
            part.purpose,
        )
        for part in netlist.parts
        if _is_two_legged(part) and part.reference not in at_places
    ]
    if rows:
        yield "## Resistors and capacitors\n"
        yield "Those at the places are listed with their sensors. The first leg of an electrolytic capacitor is plus.\n"
        yield table(("part", "value", "from", "to", "what it does"), rows)


# Parts


class PartsLine(NamedTuple):
    """A line of the list: so many of something, at so many cents each; `unit` is empty for pieces."""

    quantity: int
    unit: str
    value: str
    what: str
    package: str
    alternative: str
    cents: int
    doubt: str

    @property
    def total(self) -> int:
        """What they cost together, in cents."""
        return self.quantity * self.cents


def parts_lines(description: BoardDescription, netlist: Netlist) -> tuple[PartsLine, ...]:
    """Everything to buy: what the netlist counts, in the order of the catalogue, and what goes with it."""
    counts = Counter(part.key for part in netlist.parts)
    if description.lights is not None:
        counts[STRIP] = description.lights.count
    keys = [key for key in ARTICLES if counts[key]] + sorted(
        counts.keys() - ARTICLES.keys(), key=lambda key: int(key[5:])
    )
    lines = [line_of(counts[key], key) for key in keys]
    return (*lines, *_sockets(netlist), *lines_of_magnets(description), *lines_around(description, netlist))


def parts_document(netlist: Netlist, name: str, lines: Sequence[PartsLine], foreword: str = FOREWORD) -> str:
    """The list as a Markdown document."""
    rows = [
        (_quantity(line), line.value, line.what, line.package, line.alternative, _euros(line.cents), _euros(line.total),
         line.doubt)
        for line in lines
    ]  # fmt: skip
    heads = ("how many", "value", "what", "package", "instead", "each, EUR", "together, EUR", "try first")
    total = _euros(sum(line.total for line in lines))
    estimate = f"**Estimate: {total} EUR.** The board itself, glue, solder and tools are not in it.\n"
    return "\n".join((f"# {name}: parts\n", foreword, table(heads, rows), estimate, *_sources(netlist)))


def parts_csv(lines: Sequence[PartsLine]) -> str:
    """The list for a spreadsheet: commas, euros with a point, the estimate in the last line."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(
        ("quantity", "unit", "value", "what", "package", "alternative", "each_eur", "total_eur_estimated", "try_first")
    )
    for line in lines:
        *words, _, doubt = line
        writer.writerow((*words, _euros(line.cents), _euros(line.total), doubt))
    writer.writerow(("", "", "estimate", "", "", "", "", _euros(sum(line.total for line in lines)), ""))
    return out.getvalue()


def line_of(count: int, key: str) -> PartsLine:
    """So many of an article."""
    facts = article(key)
    return PartsLine(count, "", key, facts.what, facts.package, facts.alternative, facts.cents, facts.doubt)


def _sockets(netlist: Netlist) -> Iterator[PartsLine]:
    packages = Counter(part.article.package for part in netlist.parts if part.article.package.startswith("DIP-"))
    for package, count in sorted(packages.items()):
        yield PartsLine(
            count, "", f"socket {package}", "socket, so that a chip can be changed", package, "none", 20, ""
        )


def lines_of_magnets(description: BoardDescription) -> Iterator[PartsLine]:
    """The magnets of glasses or tiles."""
    if description.sensors is None:
        return
    doubt = "the distance to the sensor"
    if description.board == TAMSK:
        glasses = len(start_inputs(_LEVEL_WITH_ALL_GLASSES))
        what = f"in both caps of {glasses} glasses: north out of one end, south out of the other"
        yield PartsLine(2 * glasses, "", "magnet", what, "disc 5 × 2 mm, N35", "disc 6 × 2 mm", 25, doubt)
    if description.board == TAYU:
        tiles = TayuSettings().copies * len(KINDS)
        what = f"one in each of the {CELLS} cells of {tiles} tiles"
        # A larger one would be seen by the switches of the neighbours.
        yield PartsLine(CELLS * tiles, "", "magnet", what, "disc 3 × 1 mm, N35", "none that is larger", 18, doubt)


def lines_around(description: BoardDescription, netlist: Netlist) -> Iterator[PartsLine]:
    """What belongs to no net: cards, cables, supplies."""
    yield PartsLine(
        1, "", "socket 2 × 20", "for the header of the Pi", "2.54 mm, for a ribbon cable", "jumper wires", 180, ""
    )
    yield PartsLine(
        1, "", "microSD card", "high endurance, 16 GB or more", "", "any, if it is changed each year", 900, ""
    )
    recommended = "5 V, as Raspberry Pi recommends for the model"
    yield PartsLine(1, "", "supply of the Pi", recommended, "USB-C or micro-USB", "", 1000, "")
    if has_own_feed(description):
        needed = total_current(budget(description), FIVE)
        given = description.supply.five_volt_ma if description.supply else needed
        amperes = next((size for size in _SUPPLIES_A if size * 1000 >= max(needed, given)), _SUPPLIES_A[-1])
        what = f"for lights and emitters, which draw {needed:.0f} mA"
        yield PartsLine(
            1,
            "",
            f"supply, 5 V, {amperes} A",
            what,
            "for the screw terminal",
            "one of more amperes",
            400 + 300 * amperes,
            "",
        )
    if description.sensors is not None:
        poles = sum(len(each.rails) + len(each.inputs) for each in plugs(description.sensors))
        metres = ceil(poles * _CABLE_M)
        yield PartsLine(
            metres,
            "m",
            "wire",
            f"{poles} cores of {_CABLE_M} m to the plugs, estimated",
            "AWG 26, stranded",
            "ribbon cable",
            WIRE_CENTS_A_METRE,
            "",
        )
    if description.reader is not None:
        yield from _reader(description.reader, netlist)


def _reader(reader: Reader, netlist: Netlist) -> Iterator[PartsLine]:
    tiles = TayuSettings().copies * len(KINDS)
    if netlist.of(PN532):
        yield PartsLine(
            tiles, "", "NTAG213", "tag under each tile", "sticker, 22 to 25 mm", "NTAG215", 20, "that it sticks"
        )
    elif reader.kind == EM4100:
        yield PartsLine(
            1, "", "RDM6300", "reads the tags under the tiles", "on a USB adapter of 5 V", "ID-12LA", 1000, _NEVER_TRIED
        )
        yield PartsLine(tiles, "", "EM4100", "tag under each tile", "disc, 25 mm", "TK4100", 40, "that it sticks")
    else:
        yield PartsLine(1, "", "code scanner", "for the codes on the tiles", "USB", "a serial one", 2500, _NEVER_TRIED)


def _quantity(line: PartsLine) -> str:
    return f"{line.quantity} {line.unit}".strip()


def _euros(cents: int) -> str:
    return f"{cents // 100}.{cents % 100:02}"


def _sources(netlist: Netlist) -> Iterator[str]:
    yield "## Where the values come from\n"
    keys = dict.fromkeys(part.key for part in netlist.parts if part.key != PI and part.key in ARTICLES)
    yield table(("value", "source"), [(key, ARTICLES[key].source) for key in keys])
