"""Lay out lanes of a wiring drawing: parts side by side, joined by straight wires.

A lane has rows, one for each signal. A wire is drawn between two neighbours in a row only where the netlist has them
in one net, so a drawing cannot contradict the tables.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from gnomon_pi.tools.wiring._catalogue import BUTTON
from gnomon_pi.tools.wiring._netlist import PI, RAILS, Netlist, NetPart, NetPin
from gnomon_pi.tools.wiring._sheet import FAINT, Anchor, DrawingSheet, PaintStyle, Type, width_of

ROW: Final = 27.0
_HEAD: Final = 32.0  # of a box, above its first row
_FOOT: Final = 16.0  # of a box, for its supply
_LABEL: Final = 10.0
_TITLE: Final = 12.0
_SMALL: Final = 9.0
_STUB: Final = 14.0
_LEAST_GAP: Final = 34.0
_FAR: Final = 40.0  # of a name from the beginning of its wire
_LEGGED: Final = "ΩF"
"""The last letters of what has two legs and a value."""
_UNWIRED: Final = PaintStyle(dash=5, stroke=FAINT)
_THIN: Final = PaintStyle(fill="#ffffff")


class Port(NamedTuple):
    """A pin at one side of a box."""

    row: int
    pin: NetPin
    label: str


@dataclass(frozen=True, slots=True)
class Box:
    """A part, or several alike: what it is called, its pins to the left and to the right, and how it is fed."""

    title: str
    value: str
    left: tuple[Port, ...]
    right: tuple[Port, ...]
    foot: str = ""

    @property
    def rows(self) -> tuple[int, int]:
        """The first and the last row it covers."""
        rows = [port.row for port in (*self.left, *self.right)]
        return min(rows), max(rows)

    @property
    def is_small(self) -> bool:
        """Whether it is drawn on its wire, as a resistor is."""
        return not self.foot and (self.value[-1:] in _LEGGED or self.value == BUTTON)

    @property
    def width(self) -> float:
        """How wide it is drawn."""
        if self.is_small:
            return max(width_of(self.title, _SMALL), width_of(self.value, _SMALL)) + 10
        labels = max((width_of(a, _LABEL) + width_of(b, _LABEL) for a, b in self._labels()), default=0)
        texts = (width_of(self.title, _TITLE) * 1.1, width_of(self.value, _SMALL), width_of(self.foot, _SMALL))
        return max(*texts, labels + 12) + 14

    def _labels(self) -> Iterator[tuple[str, str]]:
        left, right = ({port.row: port.label for port in side} for side in (self.left, self.right))
        for row in left | right:
            yield left.get(row, ""), right.get(row, "")


Column = tuple[Box, ...]


@dataclass(frozen=True, slots=True)
class Lane:
    """Columns of boxes from left to right; wires left out between neighbours stand for what is `alike`."""

    title: str
    columns: tuple[Column, ...]
    alike: str = ""

    @property
    def boxes(self) -> tuple[Box, ...]:
        """All of them, from left to right."""
        return tuple(box for column in self.columns for box in column)

    @property
    def levels(self) -> tuple[float, ...]:
        """How far below the lane's upper edge each row lies: as far as heads and feet of boxes push it."""
        levels = []
        y = _TITLE + 4
        heads = {box.rows[0] for box in self.boxes if not box.is_small}
        feet = {box.rows[1] for box in self.boxes if box.foot}
        for row in range(1 + max(box.rows[1] for box in self.boxes)):
            y += _HEAD if row in heads else 0
            levels.append(y + ROW / 2)
            y += ROW + (_FOOT if row in feet else 0)
        return tuple(levels)

    @property
    def height(self) -> float:
        """How high it is drawn, with its title and the space below."""
        return self.levels[-1] + ROW / 2 + _FOOT + 12


def part_box(
    netlist: Netlist, reference: str, left: Mapping[int, str], right: Mapping[int, str], value: str = ""
) -> Box:
    """The box of a part; `left` and `right` are the numbers of its pins by row."""
    part = netlist.by_reference[reference]
    here, there = (
        tuple(Port(row, NetPin(reference, number), _label(part, number)) for row, number in side.items())
        for side in (left, right)
    )
    return Box(reference, value or part.key, here, there, _supply_label(netlist, part))


class LanePen:
    """Draws one lane on a sheet, or nowhere to find out how wide it is."""

    def __init__(self, netlist: Netlist, lane: Lane, sheet: DrawingSheet | None) -> None:
        self._netlist = netlist
        self._lane = lane
        self._sheet = sheet or DrawingSheet("", "", upright=False)
        self._told = {box.title for box in lane.boxes if box.is_small}
        self._ends: dict[int, tuple[float, Port]] = {}

    def draw(self, corner: tuple[float, float]) -> float:
        """Draw the lane with its upper left corner there; gives its right end."""
        x, y = corner
        levels = [y + level for level in self._lane.levels]
        self._sheet.text((x, y + 11), self._lane.title, Type(_TITLE, bold=True))
        right = x + width_of(self._lane.title, _TITLE)
        x += self._room_for_stubs()
        for place, column in enumerate(self._lane.columns):
            x += self._gap(column) if place else 0
            for box in column:
                _draw_box(self._sheet, box, x, levels)
            for port in (port for box in column for port in box.left):
                self._arrive(port, (x, levels[port.row]))
            self._ends |= {port.row: (x + box.width, port) for box in column for port in box.right}
            x += max(box.width for box in column)
        for row, (end, port) in self._ends.items():
            x = max(x, self._draw_stub(port, (end, levels[row]), _STUB))
        return max(x, right)

    def _arrive(self, port: Port, at: tuple[float, float]) -> None:
        """Draw the wire that ends at the left of a box."""
        if port.row not in self._ends:
            self._draw_stub(port, at, -_STUB)
            return
        start, other = self._ends.pop(port.row)
        net = self._net(port)
        middle = start + min((at[0] - start) / 2, max(_FAR, width_of(net, _LABEL) / 2 + 4))
        if not net or net != self._net(other):
            self._sheet.wire(((start, at[1]), at), _UNWIRED)
            self._sheet.text((middle, at[1] - 4), self._lane.alike, Type(_LABEL, "middle", colour=FAINT))
            return
        self._sheet.wire(((start, at[1]), at))
        self._sheet.text((middle, at[1] - 4), net, Type(_LABEL, "middle"))
        pulls = self._pulls(net)
        self._told |= pulls.keys()
        for number, pull in enumerate(pulls.values()):
            self._sheet.text((middle, at[1] + 11 + 10 * number), pull, Type(_SMALL, "middle", colour=FAINT))

    def _draw_stub(self, port: Port, at: tuple[float, float], step: float) -> float:
        """A short wire that ends in the name of its net: a rail, or what is drawn elsewhere. Gives its right end."""
        x, y = at
        net = self._net(port)
        if not net:
            return x
        words = self._stub(net)
        self._told |= self._pulls(net).keys()
        self._sheet.wire(((x, y), (x + step, y)))
        anchor: Anchor = "start" if step > 0 else "end"
        self._sheet.text((x + step * 1.25, y + 3.5), words, Type(_LABEL, anchor, bold=net in RAILS))
        return x + step * 1.25 + width_of(words, _LABEL)

    def _stub(self, net: str) -> str:
        return ", ".join((net, *self._pulls(net).values()))

    def _pulls(self, net: str) -> dict[str, str]:
        """What else hangs on a wire and was not told yet: resistors and capacitors from it to a rail."""
        found = {}
        for pin in self._netlist.pins.get(net, ()) if net not in RAILS else ():
            part = self._netlist.by_reference[pin.part]
            other = self._netlist.net(part.reference, "2" if pin.number == "1" else "1")
            if part.key[-1] in _LEGGED and part.reference not in self._told and other in RAILS:
                found[part.reference] = f"{part.key} to {other}"
        return found

    def _net(self, port: Port) -> str:
        return self._netlist.nets.get(port.pin, "")

    def _room_for_stubs(self) -> float:
        nets = (self._stub(self._net(port)) for box in self._lane.columns[0] for port in box.left)
        return max((width_of(net, _LABEL) + _STUB + 6 for net in nets if net), default=0)

    def _gap(self, column: Column) -> float:
        """How far a column stands from the one before: as far as the words on the wires between them need."""
        texts = [""]
        for port in (port for box in column for port in box.left):
            net = self._net(port)
            if port.row not in self._ends:
                texts.append(f"{self._stub(net)}----")
            elif net == self._net(self._ends[port.row][1]):
                texts += [net, *self._pulls(net).values()]
            else:
                texts.append(self._lane.alike)
        stubs = {row: self._net(port) for row, (_, port) in self._ends.items()}
        return max(_LEAST_GAP, *(width_of(text, _LABEL) + 14 for text in (*texts, *(stubs[row] for row in stubs))))


def _label(part: NetPart, number: str) -> str:
    name = part.article.pins[number]
    return number if part.key[-1] in _LEGGED or name == number else f"{number} {name}"


def _supply_label(netlist: Netlist, part: NetPart) -> str:
    facts = part.article
    if part.reference == PI:
        return ""
    pins = ((pin, netlist.net(part.reference, pin)) for pin in (*facts.power, *facts.ground))
    return ", ".join(pin if pin == net else f"{pin} {net}" for pin, net in pins)


def _draw_box(sheet: DrawingSheet, box: Box, x: float, levels: Sequence[float]) -> None:
    top, bottom = (levels[row] for row in box.rows)
    middle = x + box.width / 2
    if box.is_small:
        sheet.box((x, top - 6), (box.width, 12), _THIN, rounded=1)
        sheet.text((middle, top + 3.4), box.value, Type(_SMALL, "middle"))
        sheet.text((middle, top - 8.5), box.title, Type(_SMALL, "middle", colour=FAINT))
        return
    top -= ROW / 2 + _HEAD - 4
    bottom += ROW / 2 + (_FOOT - 4 if box.foot else 0)
    sheet.box((x, top), (box.width, bottom - top))
    sheet.text((middle, top + 13), box.title, Type(_TITLE, "middle", bold=True))
    sheet.text((middle, top + 24), box.value, Type(_SMALL, "middle", colour=FAINT))
    for port in box.left:
        sheet.text((x + 5, levels[port.row] + 3.5), port.label, Type(_LABEL))
    for port in box.right:
        sheet.text((x + box.width - 5, levels[port.row] + 3.5), port.label, Type(_LABEL, "end"))
    if box.foot:
        sheet.text((middle, bottom - 5), box.foot, Type(_SMALL, "middle", colour=FAINT))
