"""Assemble a described board from circuit boards, and map the pins of the netlist to pads.

The netlist is the only one: this module joins boards by their cables, and `conductors` gives what is then one piece of
copper. A test holds that against the nets.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple

from gnomon.refusals import statement
from gnomon_pi.config.description import BITS_PER_REGISTER, BoardDescription, Chain
from gnomon_pi.tools.wiring._netlist import PI, Netlist, NetPin, WiringError
from gnomon_pi.tools.wiring._nets import netlist as draw_up
from gnomon_pi.tools.wiring.kicad._board import CircuitBoard
from gnomon_pi.tools.wiring.kicad._head import head, stock_of
from gnomon_pi.tools.wiring.kicad._hub import CHAIN, TILES, hub
from gnomon_pi.tools.wiring.kicad._matrix import matrix, matrix_name
from gnomon_pi.tools.wiring.kicad._space import INPUTS, end, hall, strip, strip_name

_FLAT_POLES: Final = 10
_DATA_POLE: Final = str(CHAIN.index("DATA") + 1)
_BESIDE_DATA: Final = "8"


class BoardPin(NamedTuple):
    """A pad of a part on one of the boards, the board by its name in the assembly: `hub 0`, `strip D4`."""

    board: str
    part: str
    number: str


class Cable(NamedTuple):
    """A bought or pressed cable between two plugs: their pins one by one."""

    kind: str
    pins: tuple[tuple[BoardPin, BoardPin], ...]


@dataclass(frozen=True)
class Assembly:
    """All boards of a description: the designs, the design of each board, the cables, and the pads of the netlist."""

    name: str
    netlist: Netlist
    designs: Mapping[str, CircuitBoard]
    boards: Mapping[str, str]
    cables: tuple[Cable, ...]
    pads: Mapping[NetPin, BoardPin]

    @cached_property
    def quantities(self) -> Mapping[str, int]:
        """How many of each design a board needs."""
        counted = Counter(self.boards.values())
        return {name: counted[name] for name in self.designs}

    def conductors(self) -> frozenset[frozenset[NetPin]]:
        """The pins of the netlist that the boards and their cables join."""
        root: dict[object, object] = {}

        def find(item: object) -> object:
            while root.setdefault(item, item) != item:
                item = root[item]
            return item

        for name, design in self.boards.items():
            for part in self.designs[design].parts:
                for number, net in part.nets.items():
                    root[find(BoardPin(name, part.reference, number))] = find((name, net))
        for cable in self.cables:
            for one, other in cable.pins:
                root[find(one)] = find(other)
        together: dict[object, set[NetPin]] = {}
        for pin, pad in self.pads.items():
            together.setdefault(find(pad), set()).add(pin)
        return frozenset(map(frozenset, together.values()))


def assemble(description: BoardDescription, name: str, title: str) -> Assembly:
    """The boards of a description. Raises WiringError when none are made for it."""
    netlist = draw_up(description)
    draft = _AssemblyDraft(netlist)
    sensors = description.sensors
    if isinstance(sensors, Chain):
        _add_chain(draft, sensors)
    elif sensors is not None:
        raise WiringError(statement("wiring.no_boards"))
    spaces = frozenset(name.partition(".")[0] for name in sensors.inputs) if sensors is not None else frozenset()
    draft.add_head(head(netlist, name, title, spaces), chained=sensors is not None)
    return Assembly(name, netlist, draft.designs, draft.boards, tuple(draft.cables), draft.pads)


class _AssemblyDraft:
    def __init__(self, netlist: Netlist) -> None:
        self.netlist = netlist
        self.designs: dict[str, CircuitBoard] = {}
        self.boards: dict[str, str] = {}
        self.cables: list[Cable] = []
        self.pads: dict[NetPin, BoardPin] = {}

    def add(self, name: str, design: CircuitBoard) -> str:
        """One more board of a design; gives its name."""
        self.designs[design.name] = design
        self.boards[name] = design.name
        return name

    def map(self, board: str, part: str, reference: str, pins: Mapping[str, str] | Iterable[str]) -> None:
        """A part of the netlist is this one; `pins` are its pins with the numbers of their pads."""
        pairs = pins.items() if isinstance(pins, Mapping) else ((pin, pin) for pin in pins)
        for pin, number in pairs:
            if self.netlist.net(reference, pin):
                self.pads[NetPin(reference, pin)] = BoardPin(board, part, number)

    def join(self, kind: str, one: tuple[str, str], other: tuple[str, str], pairs: Iterable[tuple[str, str]]) -> None:
        """A cable between two plugs."""
        self.cables.append(Cable(kind, tuple((BoardPin(*one, a), BoardPin(*other, b)) for a, b in pairs)))

    def flat(self, one: tuple[str, str], other: tuple[str, str]) -> None:
        """A flat cable, its contacts on the same face at both ends: pole 1 comes out at pole 10."""
        poles = range(1, _FLAT_POLES + 1)
        self.join("flat", one, other, [(str(pole), str(_FLAT_POLES + 1 - pole)) for pole in poles])

    def plug(self, board: str, part: str, reference: str, nets: Mapping[str, str]) -> None:
        """The plug of the netlist is this one: its pins are found by their nets."""
        numbers = {net: number for number, net in nets.items()}
        poles = {pin: numbers[role] for pin in self.netlist.by_reference[reference].article.pins
                 if (role := self._role(reference, pin)) in numbers}  # fmt: skip
        self.map(board, part, reference, poles)

    def _role(self, reference: str, pin: str) -> str:
        return self.netlist.net(reference, pin).rpartition(".")[2]

    def add_head(self, design: CircuitBoard, *, chained: bool) -> None:
        """The board on the Pi, and the ribbon to the first hub."""
        board = self.add("head", design)
        for part in design.parts:
            if part.mark in self.netlist.by_reference:
                known = self.netlist.by_reference[part.mark]
                self.map(board, part.reference, part.mark, stock_of(known, on_board=part.stands)[1])
        self.map(board, "J1", PI, list(self.netlist.by_reference[PI].article.pins))
        if chained:
            poles = [str(pole) for pole in range(1, len(CHAIN) + 1)]
            self.join("ribbon", (board, "J2"), ("hub 0", "J9"), zip(poles, poles, strict=True))


def _add_chain(draft: _AssemblyDraft, chain: Chain) -> None:
    lit = any(chain.strobed)
    places = list(_places(chain))
    if len(places) % TILES or (lit and chain.canary >> len(INPUTS) != (1 << BITS_PER_REGISTER - len(INPUTS)) - 1):
        raise WiringError(statement("wiring.no_boards"))
    design = hub(lit=lit)
    names = [draft.add(f"hub {number}", design) for number in range(len(places) // TILES)]
    for number, board in enumerate(names):
        if number:
            poles = [str(pole) for pole in range(1, len(CHAIN) + 1)]
            draft.join("ribbon", (names[number - 1], "J10"), (board, "J9"), zip(poles, poles, strict=True))
        draft.map(board, "C9", f"CU{number * TILES}", "12")
    # Behind the last register there is no data: a jumper on the plug holds it low.
    last = names[-1]
    draft.join("jumper", (last, "J10"), (last, "J10"), [(_DATA_POLE, _BESIDE_DATA)])
    built: dict[str, CircuitBoard] = {}
    for number, inputs in enumerate(places):
        board, tile = names[number // TILES], number % TILES + 1
        draft.map(board, f"U{tile}", f"U{number}", list(draft.netlist.by_reference[f"U{number}"].article.pins))
        draft.map(board, f"C{tile}", f"U{number}.C", "12")
        if not inputs:
            space = _add_end(draft, built, chain, number, lit=lit)
        elif lit:
            space = _add_space(draft, built, inputs)
        else:
            space = _add_squares(draft, built, number, inputs)
        draft.flat((space, "J1"), (board, f"J{tile}"))


def _places(chain: Chain) -> Iterator[Mapping[str, str]]:
    """The inputs of each register by their letters."""
    for register in range(chain.registers):
        found = {}
        for name in chain.inputs:
            place = chain.place(name)
            if place.chip == register:
                found[place.pin] = name
        yield found


def _design_of(built: dict[str, CircuitBoard], name: str, lay_out: Callable[[], CircuitBoard]) -> CircuitBoard:
    if name not in built:
        built[name] = lay_out()
    return built[name]


def _add_space(draft: _AssemblyDraft, built: dict[str, CircuitBoard], inputs: Mapping[str, str]) -> str:
    """The strip and the small board of the space that a register belongs to; gives the name of the strip."""
    place = next(iter(inputs.values())).partition(".")[0]
    rings = sum(".ring" in name for name in inputs.values())
    expected = {letter: f"{place}.{what}" for letter, what in INPUTS.items() if not what.startswith("ring")}
    expected |= {letter: f"{place}.{what}" for letter, what in INPUTS.items() if what in _rings(rings)}
    if dict(inputs) != expected:
        raise WiringError(statement("wiring.no_boards"))
    design = _design_of(built, strip_name(rings), lambda: strip(rings))
    board = draft.add(f"strip {place}", design)
    under = draft.add(f"hall {place}", _design_of(built, "hall", hall))
    draft.join("short", (board, "J2"), (under, "J1"), [(pole, pole) for pole in "1234"])
    draft.plug(board, "J1", f"{place}.J", design.by_reference["J1"].nets)
    for ring in range(1, rings + 1):
        eye = f"{place}.ring{ring}"
        draft.map(board, f"U{ring}", eye, "1234")
        draft.map(board, f"R{ring}", f"{eye}.RA", "12")
        draft.map(board, f"R{4 + ring}", f"{eye}.RL", "12")
    for pole, out, capacitor in (("north", "3", "C1"), ("south", "4", "C2")):
        draft.map(under, "U1", f"{place}.{pole}", {"1": "1", "2": "2", "3": out})
        draft.map(under, capacitor, f"{place}.{pole}.C", {"1": "2", "2": "1"})
    return board


def _rings(rings: int) -> tuple[str, ...]:
    return tuple(f"ring{ring}" for ring in range(1, rings + 1))


def _add_squares(draft: _AssemblyDraft, built: dict[str, CircuitBoard], number: int, inputs: Mapping[str, str]) -> str:
    """The strip of the squares of a register; gives its name."""
    letters = "ABCDEFGH"[: len(inputs)]
    if "".join(sorted(inputs)) != letters:
        raise WiringError(statement("wiring.no_boards"))
    design = _design_of(built, matrix_name(len(inputs)), lambda: matrix(len(inputs)))
    board = draft.add(f"strip U{number}", design)
    numbers = {net: pole for pole, net in design.by_reference["J1"].nets.items()}
    reference = f"U{number}.J"
    names = {name: letter for letter, name in inputs.items()}
    poles = {}
    for pin in draft.netlist.by_reference[reference].article.pins:
        net = draft.netlist.net(reference, pin)
        poles[pin] = numbers[names.get(net, net)]
    draft.map(board, "J1", reference, poles)
    for place, letter in enumerate(letters, start=1):
        name = inputs[letter]
        draft.map(board, f"U{place}", name, {"1": "1", "2": "2", "3": "4"})
        draft.map(board, f"C{place}", f"{name}.C", {"1": "2", "2": "1"})
    return board


def _add_end(draft: _AssemblyDraft, built: dict[str, CircuitBoard], chain: Chain, number: int, *, lit: bool) -> str:
    """What closes the plug of a register that has no inputs: the canary, or a spare one; gives its name."""
    inputs = len(INPUTS) if lit else BITS_PER_REGISTER
    spare = (1 << BITS_PER_REGISTER) - 1 if chain.active_low else 0
    level = chain.canary if number == chain.registers - 1 else spare
    bits = "".join(str(level >> bit & 1) for bit in range(inputs))
    return draft.add(f"end U{number}", _design_of(built, bits, lambda: end(bits)))
