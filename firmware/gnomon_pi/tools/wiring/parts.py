"""Compute the bill of materials of a board with rough prices, as Markdown and CSV."""

import csv
import io
from collections import Counter
from collections.abc import Iterator
from math import ceil
from typing import Final, NamedTuple

from gnomon.games.tayu.rules.settings import TayuSettings
from gnomon.games.tayu.rules.tiles import CELLS, KINDS
from gnomon.referee.tamsk_inputs import start_inputs
from gnomon_pi.config.description import TAMSK, TAYU, BoardDescription
from gnomon_pi.config.power import FIVE, budget, drawn
from gnomon_pi.tools.wiring.catalogue import ARTICLES, PI, PN532, STRIP, article
from gnomon_pi.tools.wiring.feed import has_own_feed
from gnomon_pi.tools.wiring.netlist import Netlist
from gnomon_pi.tools.wiring.places import plugs
from gnomon_pi.tools.wiring.tables import table

_LEVEL_WITH_ALL_GLASSES: Final = 3
_CABLE_M: Final = 0.35  # from a place to the chips, on average
_WIRE_CENTS_A_METRE: Final = 15
_SUPPLIES_A: Final = (2, 3, 4, 5, 6, 8, 10, 15, 20)
_NEVER_TRIED: Final = "never tried"
_FOREWORD: Final = """\
Made from the description of the board by `gnomond wiring`: change the description, not this file.

Quantities are those of the wiring tables; buy a tenth more of what is small. Prices are rough, for some ten of each,
without postage, and so is their sum: an estimate. Every part was chosen by its data sheet; no board has been built of
them yet, so all of it was never tried, and the last column names what to try with a few before you buy all.
"""


class Line(NamedTuple):
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


def parts_lines(description: BoardDescription, netlist: Netlist) -> tuple[Line, ...]:
    """Everything to buy: what the netlist counts, in the order of the catalogue, and what goes with it."""
    counts = Counter(part.key for part in netlist.parts)
    if description.lights is not None:
        counts[STRIP] = description.lights.count
    keys = [key for key in ARTICLES if counts[key]] + sorted(
        counts.keys() - ARTICLES.keys(), key=lambda key: int(key[5:])
    )
    lines = [_line(counts[key], key) for key in keys]
    return (*lines, *_sockets(netlist), *_magnets(description), *_around(description, netlist))


def parts_document(description: BoardDescription, netlist: Netlist, name: str) -> str:
    """The list as a Markdown document."""
    lines = parts_lines(description, netlist)
    rows = [
        (_amount(line), line.value, line.what, line.package, line.alternative, _euros(line.cents), _euros(line.total),
         line.doubt)
        for line in lines
    ]  # fmt: skip
    heads = ("how many", "value", "what", "package", "instead", "each, EUR", "together, EUR", "try first")
    total = _euros(sum(line.total for line in lines))
    estimate = f"**Estimate: {total} EUR.** The board itself, glue, solder and tools are not in it.\n"
    return "\n".join((f"# {name}: parts\n", _FOREWORD, table(heads, rows), estimate, *_sources(netlist)))


def parts_csv(description: BoardDescription, netlist: Netlist) -> str:
    """The list for a spreadsheet: commas, euros with a point, the estimate in the last line."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(
        ("quantity", "unit", "value", "what", "package", "alternative", "each_eur", "total_eur_estimated", "try_first")
    )
    lines = parts_lines(description, netlist)
    for line in lines:
        *words, _, doubt = line
        writer.writerow((*words, _euros(line.cents), _euros(line.total), doubt))
    writer.writerow(("", "", "estimate", "", "", "", "", _euros(sum(line.total for line in lines)), ""))
    return out.getvalue()


def _line(count: int, key: str) -> Line:
    facts = article(key)
    return Line(count, "", key, facts.what, facts.package, facts.alternative, facts.cents, facts.doubt)


def _sockets(netlist: Netlist) -> Iterator[Line]:
    packages = Counter(part.article.package for part in netlist.parts if part.article.package.startswith("DIP-"))
    for package, count in sorted(packages.items()):
        yield Line(count, "", f"socket {package}", "socket, so that a chip can be changed", package, "none", 20, "")


def _magnets(description: BoardDescription) -> Iterator[Line]:
    if description.sensors is None:
        return
    doubt = "the distance to the sensor"
    if description.board == TAMSK:
        glasses = len(start_inputs(_LEVEL_WITH_ALL_GLASSES))
        what = f"in both caps of {glasses} glasses: north out of one end, south out of the other"
        yield Line(2 * glasses, "", "magnet", what, "disc 5 × 2 mm, N35", "disc 6 × 2 mm", 25, doubt)
    if description.board == TAYU:
        tiles = TayuSettings().copies * len(KINDS)
        what = f"one in each of the {CELLS} cells of {tiles} tiles"
        # A larger one would be seen by the switches of the neighbours.
        yield Line(CELLS * tiles, "", "magnet", what, "disc 3 × 1 mm, N35", "none that is larger", 18, doubt)


def _around(description: BoardDescription, netlist: Netlist) -> Iterator[Line]:
    """What belongs to no net: cards, cables, supplies."""
    yield Line(
        1, "", "socket 2 × 20", "for the header of the Pi", "2.54 mm, for a ribbon cable", "jumper wires", 180, ""
    )
    yield Line(1, "", "microSD card", "high endurance, 16 GB or more", "", "any, if it is changed each year", 900, "")
    recommended = "5 V, as Raspberry Pi recommends for the model"
    yield Line(1, "", "supply of the Pi", recommended, "USB-C or micro-USB", "", 1000, "")
    if has_own_feed(description):
        needed = drawn(budget(description), FIVE)
        given = description.supply.five_volt_ma if description.supply else needed
        amperes = next((size for size in _SUPPLIES_A if size * 1000 >= max(needed, given)), _SUPPLIES_A[-1])
        what = f"for lights and emitters, which draw {needed:.0f} mA"
        yield Line(
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
        yield Line(
            metres,
            "m",
            "wire",
            f"{poles} cores of {_CABLE_M} m to the plugs, estimated",
            "AWG 26, stranded",
            "ribbon cable",
            _WIRE_CENTS_A_METRE,
            "",
        )
    if description.reader is not None:
        yield from _reader(netlist)


def _reader(netlist: Netlist) -> Iterator[Line]:
    tiles = TayuSettings().copies * len(KINDS)
    if netlist.of(PN532):
        yield Line(tiles, "", "NTAG213", "tag under each tile", "sticker, 22 to 25 mm", "NTAG215", 20, "that it sticks")
    else:
        yield Line(1, "", "code scanner", "for the codes on the tiles", "USB", "a serial one", 2500, _NEVER_TRIED)


def _amount(line: Line) -> str:
    return f"{line.quantity} {line.unit}".strip()


def _euros(cents: int) -> str:
    return f"{cents // 100}.{cents % 100:02}"


def _sources(netlist: Netlist) -> Iterator[str]:
    yield "## Where the values come from\n"
    keys = dict.fromkeys(part.key for part in netlist.parts if part.key != PI and part.key in ARTICLES)
    yield table(("value", "source"), [(key, ARTICLES[key].source) for key in keys])
