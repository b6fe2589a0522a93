"""Draw the Raspberry Pi's header as SVG: each pin with its function, in colours and in words."""

from typing import Final, NamedTuple

from gnomon_pi.config.description import BoardDescription
from gnomon_pi.tools.wiring._catalogue import PIN_OF_GPIO, SPI, second_name
from gnomon_pi.tools.wiring._circuits import on_spi
from gnomon_pi.tools.wiring._netlist import GND, PI, V3, V5, Netlist
from gnomon_pi.tools.wiring._sheet import FAINT, INK, PAPER, Anchor, DrawingSheet, PaintStyle, Type

_ROW: Final = 43.0
_TOP: Final = 118.0
_RADIUS: Final = 14.0


class PinKind(NamedTuple):
    """What a pin is for: its letter in the drawing, its name in the legend, and its colours."""

    letter: str
    name: str
    fill: str
    ink: str = PAPER


_GROUND: Final = PinKind("G", "ground", "#3a3a3a")
_THREE: Final = PinKind("3", "3.3 V", "#e39a1f", INK)
_FIVE: Final = PinKind("5", "5 V", "#c23b3b")
_I2C: Final = PinKind("I", "I2C", "#2f6db3")
_SPI: Final = PinKind("S", "SPI", "#2e8256")
_BUTTON: Final = PinKind("B", "button", "#f2d55c", INK)
_OTHER: Final = PinKind("P", "pin of its own: latch, interrupt, display, sound, light", "#8a5aa8")
_TAKEN: Final = PinKind("s", "taken by SPI, stays open", "#bfe0cd", INK)
_FREE: Final = PinKind("", "free", PAPER, FAINT)
_KINDS: Final = (_THREE, _FIVE, _GROUND, _I2C, _SPI, _TAKEN, _BUTTON, _OTHER, _FREE)


def reserved_pins(description: BoardDescription) -> dict[str, str]:
    """The pins of the header that a hardware SPI takes whether they are used or not, and by which."""
    pins = {}
    for spi in on_spi(description):
        bus = SPI[spi.port]
        for gpio in (bus.sclk, bus.mosi, bus.miso, bus.selects[spi.device]):
            pins[PIN_OF_GPIO[gpio]] = f"taken by SPI{spi.port}"
    return pins


def pinout_drawing(description: BoardDescription, netlist: Netlist, name: str) -> str:
    """The header on a sheet of A4, as SVG."""
    title = f"{name}: header of the Raspberry Pi"
    sheet = DrawingSheet(title, f"{title}: which of its 40 pins is used for what.", upright=True)
    sheet.text((48, 48), title, Type(22, bold=True))
    hint = "Seen from above, pin 1 at the corner of the board, the USB sockets below. Unused pins stay open."
    sheet.text((48, 72), hint, Type(12, colour=FAINT))
    middle = sheet.width / 2
    sheet.box((middle - 44, _TOP - _ROW / 2 - 8), (88, 20 * _ROW + 16), PaintStyle(fill="#e4e4e4"), rounded=8)
    taken = reserved_pins(description)
    for pin in netlist.by_reference[PI].article.pins:
        _draw_pin(sheet, netlist, pin, taken)
    _draw_legend(sheet)
    return sheet.svg()


def _kind(net: str, pin: str, taken: dict[str, str]) -> PinKind:
    rails = {GND: _GROUND, V3: _THREE, V5: _FIVE}
    if net in rails:
        return rails[net]
    if not net:
        return _TAKEN if pin in taken else _FREE
    if pin in taken:
        return _SPI
    if net.startswith(("SDA", "SCL")):
        return _I2C
    return _BUTTON if net.startswith("button.") else _OTHER


def _draw_pin(sheet: DrawingSheet, netlist: Netlist, pin: str, taken: dict[str, str]) -> None:
    row, is_right = divmod(int(pin) - 1, 2)
    x = sheet.width / 2 + (20 if is_right else -20)
    y = _TOP + row * _ROW
    net = netlist.net(PI, pin)
    kind = _kind(net, pin, taken)
    look = PaintStyle(fill=kind.fill, dash=3 if kind is _FREE else 0)
    if pin == "1":
        sheet.box((x - _RADIUS, y - _RADIUS), (2 * _RADIUS, 2 * _RADIUS), look, rounded=2)
    else:
        sheet.dot((x, y), _RADIUS, look)
    sheet.text((x, y + 4.5), pin, Type(12, "middle", bold=True, colour=kind.ink))
    side = 1 if is_right else -1
    anchor: Anchor = "start" if is_right else "end"
    what = netlist.by_reference[PI].article.pins[pin]
    if kind is _FREE:
        sheet.text((x + side * 34, y + 4), what, Type(11, anchor, colour=FAINT))
        return
    sheet.wire(((x + side * _RADIUS, y), (x + side * 30, y)))
    badge = x + side * 43
    sheet.box((badge - 9, y - 9), (18, 18), PaintStyle(fill=kind.fill), rounded=3)
    sheet.text((badge, y + 4.5), kind.letter, Type(12, "middle", bold=True, colour=kind.ink))
    also = f" ({second_name(pin)})" if second_name(pin) and kind in {_I2C, _SPI, _TAKEN} else ""
    sheet.text((x + side * 62, y - 2), f"{what}{also}", Type(13, anchor, bold=True))
    sheet.text((x + side * 62, y + 13), _goes_to(netlist, pin, net, taken), Type(11, anchor, colour=FAINT))


def _goes_to(netlist: Netlist, pin: str, net: str, taken: dict[str, str]) -> str:
    if not net:
        return f"open, {taken[pin]}"
    if net in {GND, V3, V5}:
        return "rail"
    ends = [f"{end.part} pin {end.number}" for end in netlist.others(PI, pin)][:2]
    return f"{net} → {', '.join(ends)}"


def _draw_legend(sheet: DrawingSheet) -> None:
    x, y = 48.0, _TOP + 20 * _ROW + 22
    for kind in _KINDS:
        width = 60 + len(kind.name) * 7
        if x + width > sheet.width - 40:
            x, y = 48.0, y + 30
        sheet.box((x, y - 9), (18, 18), PaintStyle(fill=kind.fill, dash=3 if kind is _FREE else 0), rounded=3)
        sheet.text((x + 9, y + 4.5), kind.letter, Type(12, "middle", bold=True, colour=kind.ink))
        sheet.text((x + 26, y + 4.5), kind.name, Type(12))
        x += width
