"""Define the land patterns of the parts, as their data sheets recommend them (millimetres, y downwards)."""

from typing import Final, NamedTuple

ROUND: Final = "circle"
SQUARE: Final = "rect"
SOFT: Final = "roundrect"


class Pad(NamedTuple):
    """Copper to solder to: its number, centre, size and, for a lead that goes through, its hole."""

    number: str
    x: float
    y: float
    width: float
    height: float
    drill: float = 0.0
    shape: str = SOFT


class Footprint(NamedTuple):
    """A land pattern: its pads, the room that the part takes, its body, and how high it is."""

    name: str
    pads: tuple[Pad, ...]
    courtyard: tuple[float, float, float, float]
    body: tuple[float, float, float, float]
    height: float
    source: str

    @property
    def through(self) -> bool:
        """Whether its leads go through the board: then people solder it, and not the assembler."""
        return any(pad.drill for pad in self.pads)

    @property
    def numbers(self) -> tuple[str, ...]:
        """The numbers of the pads that carry a net."""
        return tuple(dict.fromkeys(pad.number for pad in self.pads if pad.number))


def _around(width: float, height: float) -> tuple[float, float, float, float]:
    return (-width / 2, -height / 2, width / 2, height / 2)


def _chip(name: str, spread: float, pad: tuple[float, float], room: tuple[float, float], high: float) -> Footprint:
    pads = tuple(Pad(str(number), side * spread, 0, *pad) for number, side in ((1, -1), (2, 1)))
    body = _around(2 * spread, room[1] - 0.6)
    return Footprint(name, pads, _around(*room), body, high, "IPC-7351B, nominal density")


def _small_outline(pins: int, length: float) -> Footprint:
    half, reach = pins // 2, 2.475
    top = (half - 1) * 1.27 / 2
    left = tuple(Pad(str(n + 1), -reach, n * 1.27 - top, 1.95, 0.6) for n in range(half))
    right = tuple(Pad(str(half + n + 1), reach, top - n * 1.27, 1.95, 0.6) for n in range(half))
    room = _around(7.4, length + 0.5)
    return Footprint(f"SOIC-{pins}", left + right, room, _around(3.9, length), 1.75, "JEDEC MS-012, IPC-7351B")


def _in_line(name: str, numbers: tuple[str, ...], pitch: float, drill: float, room: tuple[float, ...]) -> Footprint:
    pads = tuple(
        Pad(number, place * pitch, 0, drill + 0.8, drill + 0.8, drill, ROUND if place else SQUARE)
        for place, number in enumerate(numbers)
    )
    left, top, right, bottom = room
    body = (left + 0.3, top + 0.3, right - 0.3, bottom - 0.3)
    return Footprint(name, pads, (left, top, right, bottom), body, 9.0, "")


def header(poles: int) -> Footprint:
    """A row of JST XH, or of pins at its pitch: what a wire from elsewhere is plugged on or soldered to."""
    room = (-2.75, -2.6, 2.5 * (poles - 1) + 2.75, 3.7)
    row = _in_line(f"XH-{poles}", tuple(str(n + 1) for n in range(poles)), 2.5, 0.95, room)
    return row._replace(source="JST, XH series, B..B-XH-A")


def two_rows(columns: int, name: str, room: tuple[float, float, float, float]) -> Footprint:
    """Two rows of pins at 2.54 mm, odd numbers in the first, lying along x: a box for a ribbon cable, a Pi's header."""
    pads = tuple(
        Pad(str(2 * column + row + 1), column * 2.54, row * 2.54, 1.7, 1.7, 1.0, ROUND if column or row else SQUARE)
        for column in range(columns)
        for row in (0, 1)
    )
    left, top, right, bottom = room
    body = (left + 0.3, top + 0.3, right - 0.3, bottom - 0.3)
    return Footprint(name, pads, room, body, 9.0, "IEC 60603-13")


R0603: Final = _chip("R0603", 0.825, (0.8, 0.95), (2.96, 1.46), 0.5)
C0603: Final = _chip("C0603", 0.775, (0.9, 0.95), (2.96, 1.46), 0.9)
C0805: Final = _chip("C0805", 0.95, (1.0, 1.45), (3.4, 1.96), 1.4)
SOIC14: Final = _small_outline(14, 8.65)
SOIC16: Final = _small_outline(16, 9.9)
SOT23: Final = Footprint(
    "SOT-23",
    (Pad("1", -0.9375, -0.95, 1.475, 0.6), Pad("2", -0.9375, 0.95, 1.475, 0.6), Pad("3", 0.9375, 0, 1.475, 0.6)),
    _around(3.86, 3.4), _around(1.3, 2.9), 1.12, "JEDEC TO-236, IPC-7351B",
)  # fmt: skip
X2SON4: Final = Footprint(
    "X2SON-4",
    (
        Pad("1", -0.25, -0.7, 0.22, 0.4), Pad("2", -0.25, 0.7, 0.22, 0.4), Pad("3", 0.25, 0.7, 0.22, 0.4),
        Pad("4", 0.25, -0.7, 0.22, 0.4), Pad("5", 0, 0, 0.8, 0.6),
    ),
    _around(1.62, 2.3), _around(1.1, 1.4), 0.4, "TI SLVSDC7, DMR0004A",
)  # fmt: skip
EYE4: Final = Footprint(
    "QRE1113GR",
    (
        Pad("1", -0.9, -2, 0.79, 1.66), Pad("2", -0.9, 2, 0.79, 1.66), Pad("3", 0.9, 2, 0.79, 1.66),
        Pad("4", 0.9, -2, 0.79, 1.66),
    ),
    _around(3.7, 6.16), _around(3.6, 2.9), 1.7, "onsemi QRE1113/D, case 100CY",
)  # fmt: skip
FLAT10: Final = Footprint(
    "FFC-10",
    (
        *(Pad(str(n + 1), n * 0.5 - 2.25, -1.19, 0.3, 1.5, shape=SQUARE) for n in range(10)),
        *(Pad("", side * 4.2, 0.54, 2.0, 2.8, shape=SQUARE) for side in (-1, 1)),
    ),
    (-5.5, -2.19, 5.5, 3.9), (-5.3, -0.6, 5.3, 3.7), 2.0, "JUSHUO AFC07-SxxFCC-00",
)  # fmt: skip
SH4: Final = Footprint(
    "SH-4",
    (
        *(Pad(str(n + 1), n - 1.5, 1.325, 0.6, 1.55) for n in range(4)),
        *(Pad("", side * 2.8, -1.2, 1.2, 1.8) for side in (-1, 1)),
    ),
    _around(7.8, 5.2), (-3, -1.9, 3, 1), 4.25, "JST, SH series, BM04B-SRSS-TB",
)  # fmt: skip
BOX10: Final = two_rows(5, "IDC-10", (-5.6, -3.68, 15.76, 6.22))
PI40: Final = Footprint(  # Seen from above, as it stands on the Pi: even numbers at the edge.
    "Pi-40",
    tuple(
        Pad(str(n), (n - 1) // 2 * 2.54, 0 if n % 2 else -2.54, 1.7, 1.7, 1.0, SQUARE if n == 1 else ROUND)
        for n in range(1, 41)
    ),
    (-1.8, -4.34, 50.06, 1.8), (-1.27, -3.81, 49.53, 1.27), 9.0, "Raspberry Pi, mechanical drawings",
)  # fmt: skip
TERMINAL2: Final = _in_line("Terminal-5.08", ("+", "-"), 5.08, 1.3, (-3.0, -4.6, 8.1, 4.6))._replace(
    source="Phoenix Contact MKDS 1.5/2-5.08"
)
FUSE5X20: Final = Footprint(
    "Fuse-5x20",
    (Pad("1", 0, 0, 2.8, 2.8, 1.4, ROUND), Pad("2", 22.6, 0, 2.8, 2.8, 1.4, ROUND)),
    (-3.2, -5.0, 25.8, 5.0), (-2.9, -4.7, 25.5, 4.7), 12.0, "Schurter OGN, 22.6 mm",
)  # fmt: skip
CAN8: Final = Footprint(
    "Can-8", (Pad("1", 0, 0, 1.6, 1.6, 0.8, SQUARE), Pad("2", 3.5, 0, 1.6, 1.6, 0.8, ROUND)),
    (-2.75, -4.5, 6.25, 4.5), (-2.25, -4, 5.75, 4), 12.0, "IEC 60384-4, 8 mm, leads at 3.5 mm",
)  # fmt: skip
CAN10: Final = Footprint(
    "Can-10", (Pad("1", 0, 0, 2, 2, 1.0, SQUARE), Pad("2", 5, 0, 2, 2, 1.0, ROUND)),
    (-3.0, -5.5, 8.0, 5.5), (-2.5, -5, 7.5, 5), 16.0, "IEC 60384-4, 10 mm, leads at 5 mm",
)  # fmt: skip
TACT12: Final = Footprint(
    "Tact-12",
    tuple(
        Pad(number, x, y, 2.2, 2.2, 1.3, ROUND) for number, y in (("1", -2.5), ("2", 2.5)) for x in (-6.25, 6.25)
    ),
    _around(15.4, 13.0), _around(12, 12), 7.3, "Omron B3F-4055",
)  # fmt: skip
PIEZO12: Final = Footprint(
    "Piezo-12", (Pad("1", -2.5, 0, 1.8, 1.8, 0.9, SQUARE), Pad("2", 2.5, 0, 1.8, 1.8, 0.9, ROUND)),
    _around(12.8, 12.8), _around(12.2, 12.2), 6.5, "TDK PS1240P02BT",
)  # fmt: skip


def pin_row(poles: int) -> Footprint:
    """A socket of pins at 2.54 mm, on which a module stands."""
    room = (-1.8, -1.8, 2.54 * (poles - 1) + 1.8, 1.8)
    row = _in_line(f"Socket-{poles}", tuple(str(n + 1) for n in range(poles)), 2.54, 1.0, room)
    return row._replace(source="the usual 2.54 mm")
