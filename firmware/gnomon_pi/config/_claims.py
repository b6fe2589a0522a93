"""Allocate pins, buses and inputs of a board description, and report conflicts between them."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final, NamedTuple

from gnomon.refusals import Statement, statement
from gnomon_pi.config._expected import Expected
from gnomon_pi.config.checked_toml import TomlTable
from gnomon_pi.config.description import I2cWires, OnI2c, OnSpi, Output

# GPIO 0 and 1 belong to the identification of add-on boards; the header ends at 27.
_FIRST_PIN, _LAST_PIN = 2, 27
# What a hardware bus occupies: clock, data out and data in; then its chip selects by device number.
_SPI_PINS: Final = {0: ((11, 10, 9), (8, 7)), 1: ((21, 20, 19), (18, 17, 16))}
_USUAL_SELECTS: Final = 2  # of SPI0, with nothing but dtparam=spi=on
_HEADER_BUS: Final = 1
_HEADER_PINS: Final = (2, 3)
_LAST_BUS: Final = 31
# The HDMI socket's on every Pi up to the 3, and the kernel's own on later ones.
_RESERVED_BUS: Final = 2
# UM10204, the specification of the I2C bus: fast mode, which is what displays and readers take.
FAST_MODE_HZ: Final = 400_000
_SLOWEST_HZ, _FASTEST_HZ = 10_000, 1_000_000
# The same reserves the seven-bit addresses below 0x08 and above 0x77.
_FIRST_ADDRESS, _LAST_ADDRESS = 0x08, 0x77
NONE_REFUSED: Final[Mapping[int, Statement]] = MappingProxyType({})
_LEVELS: Final = {"high": False, "low": True, "unknown": None}


class _Claim(NamedTuple):
    """What something was given to, and on which line."""

    purpose: Statement
    line: int

    @property
    def statement(self) -> Statement:
        """Both in words."""
        return statement("config.claim", purpose=self.purpose, number=self.line)


class _Port(NamedTuple):
    """Who was the first to use an SPI."""

    claim: _Claim
    selected: bool  # whether that device listens only when its chip select says so


class Claims:
    """Which pins, buses and inputs are taken, by what and from which line on."""

    def __init__(self, expected: Expected) -> None:
        self._expected = expected
        self._wired: set[str] = set()
        self._pins: dict[int, _Claim] = {}
        self._places: dict[int, tuple[TomlTable, str]] = {}  # where each pin was given
        self._ports: dict[int, _Port] = {}
        self._selects: dict[tuple[int, int], _Claim] = {}
        self._buses: dict[int, I2cWires] = {}
        self._addresses: dict[OnI2c, _Claim] = {}
        self._named: set[tuple[str, int]] = set()  # the buses of which it was said what is wrong with them

    @property
    def pins(self) -> Mapping[int, Statement]:
        """What each pin is for."""
        return {pin: claim.purpose for pin, claim in sorted(self._pins.items())}

    @property
    def buses(self) -> tuple[I2cWires, ...]:
        """The I2C buses that are described, or used without it, by their numbers."""
        return tuple(self._buses[number] for number in sorted(self._buses))

    def missing_inputs(self) -> Sequence[str]:
        """The board's inputs that are not wired."""
        return sorted((self._expected.names or frozenset()) - self._wired)

    def check_selects(self) -> None:
        """Note the pins that the kernel takes for chip selects, though no device uses these; after all devices."""
        for port, (_, selects) in _SPI_PINS.items():
            devices = [device for used, device in self._selects if used == port]
            # dtparam=spi=on brings both chip selects of SPI0, spi1-Ncs the first N of SPI1.
            count = _USUAL_SELECTS if devices and port == 0 else max(devices, default=-1) + 1
            for device, pin in enumerate(selects[:count]):
                if (port, device) not in self._selects and pin in self._pins:
                    table, key = self._places[pin]
                    purpose = self._pins[pin].purpose
                    said = statement("config.spi.taken", pin=pin, purpose=purpose, port=port, device=device)
                    table.note(said, key)

    def input(self, table: TomlTable, name: str, key: str, item: int | None = None) -> bool:
        """Take an input that the board has and that is not wired yet; whether that was right."""
        if self._expected.names is not None and name not in self._expected.names:
            table.note(self._expected.refusal(name), key, item)
            return False
        if name in self._wired:
            table.note(statement("config.twice", input=name), key, item)
            return False
        self._wired.add(name)
        return True

    def pin(self, table: TomlTable, key: str, purpose: Statement) -> int:
        """The pin that a key gives, which nothing else may use."""
        pin = table.integer(key, _FIRST_PIN, _LAST_PIN)
        if not table.is_faulty(key):
            self._claim(table, key, pin, purpose)
        return pin

    def output(self, table: TomlTable, key: str, level: str, purpose: Statement) -> Output:
        """A pin that drives something, and at which level: high, where the key of the level is missing."""
        return Output(self.pin(table, key, purpose), self.level(table, level))

    @staticmethod
    def level(table: TomlTable, key: str) -> bool | None:
        """Whether a low level switches a thing on; None for what nobody has found out."""
        return _LEVELS[table.word(key, tuple(_LEVELS), default="high")]

    def spi(  # noqa: PLR0913 - what devices differ in
        self,
        table: TomlTable,
        purpose: Statement,
        *,
        slowest: int,
        fastest: int,
        selected: bool = True,
        refused: Mapping[int, Statement] = NONE_REFUSED,
    ) -> OnSpi:
        """A device on a hardware SPI, with its pins; `refused` says of ports why the device cannot be there.

        Devices share a port by their chip selects; one that is not `selected`, because it has none, is alone there.
        """
        port = table.integer("spi_port", 0, max(_SPI_PINS))
        wires, selects = _SPI_PINS[port]
        device = table.integer("spi_device", 0, len(selects) - 1)
        if not table.is_faulty("spi_port") and port in refused:
            table.note(statement("config.spi.refused", port=port, purpose=purpose, text=refused[port]), "spi_port")
        if not table.is_faulty("spi_port"):
            self._share(table, port, _Port(_Claim(purpose, table.line("spi_port")), selected), wires)
            if not table.is_faulty("spi_device") and not table.is_faulty("spi_port"):
                self._select(table, (port, device), selects[device], purpose)
        return OnSpi(port, device, table.integer("clock_hz", slowest, fastest))

    def i2c(  # noqa: PLR0913 - what devices differ in
        self,
        table: TomlTable,
        purpose: Statement,
        *,
        bus: str = "i2c_bus",
        addresses: tuple[int, int] = (_FIRST_ADDRESS, _LAST_ADDRESS),
        usual: int | None = None,
        fastest: int = FAST_MODE_HZ,
    ) -> OnI2c:
        """A device on an I2C bus, with its address; `usual` is the address of one that does not say it."""
        number = table.integer(bus, _HEADER_BUS, _LAST_BUS)
        device = OnI2c(number, table.address("address", *addresses, default=usual))
        if not table.is_faulty(bus):
            self._join(table, bus, number, purpose, fastest)
        if not table.is_faulty(bus) and not table.is_faulty("address"):
            self._address(table, device, purpose)
        return device

    def bus(self, table: TomlTable) -> None:
        """Take an I2C bus that the file describes."""
        number = table.integer("number", _HEADER_BUS, _LAST_BUS)
        clock = table.integer("clock_hz", _SLOWEST_HZ, _FASTEST_HZ, default=FAST_MODE_HZ)
        if number == _RESERVED_BUS:
            table.note(statement("config.i2c.hdmi", number=number), "number")
        elif number in self._buses and not table.is_faulty("number"):
            table.note(statement("config.i2c.twice", number=number), "number")
        if table.is_faulty("number"):
            return
        if number == _HEADER_BUS:
            self._header_bus(table, clock)
        else:
            sda = self.pin(table, "sda", statement("config.for.i2c_data", bus=number))
            scl = self.pin(table, "scl", statement("config.for.i2c_clock", bus=number))
            self._buses[number] = I2cWires(number, sda, scl, clock)
        table.nothing_else()

    def _header_bus(self, table: TomlTable, clock: int) -> None:
        for key in ("sda", "scl"):
            if table.has(key):
                table.note(statement("config.i2c.pins", number=_HEADER_BUS, key=key), key)
        self._on_header(table, "number", clock)

    def _on_header(self, table: TomlTable, key: str, clock: int) -> None:
        data, clocked = _HEADER_PINS
        self._claim(table, key, data, statement("config.for.i2c_data", bus=_HEADER_BUS))
        self._claim(table, key, clocked, statement("config.for.i2c_clock", bus=_HEADER_BUS))
        self._buses[_HEADER_BUS] = I2cWires(_HEADER_BUS, *_HEADER_PINS, clock)

    def _join(self, table: TomlTable, key: str, number: int, purpose: Statement, fastest: int) -> None:
        if number == _HEADER_BUS and number not in self._buses:
            self._on_header(table, key, FAST_MODE_HZ)
        wires = self._buses.get(number)
        if wires is None:
            self._note_once(table, key, number, statement("config.i2c.undescribed", number=number))
        elif wires.clock_hz > fastest:
            said = statement("config.i2c.fast", number=number, clock=wires.clock_hz, purpose=purpose, most=fastest)
            self._note_once(table, key, number, said)

    def _note_once(self, table: TomlTable, key: str, number: int, said: Statement) -> None:
        """Say once what is wrong with a bus, on which many chips may be."""
        if (said.key, number) in self._named:
            table.spoil(key)
        else:
            self._named.add((said.key, number))
            table.note(said, key)

    def _address(self, table: TomlTable, device: OnI2c, purpose: Statement) -> None:
        if other := self._addresses.get(device):
            address, claim = f"0x{device.address:02X}", other.statement
            said = statement("config.i2c.address", address=address, bus=device.bus, purpose=purpose, other=claim)
            table.note(said, "address")
        else:
            self._addresses[device] = _Claim(purpose, table.line("address"))

    def _share(self, table: TomlTable, number: int, wanted: _Port, wires: Sequence[int]) -> None:
        first = self._ports.setdefault(number, wanted)
        if first is wanted:
            for pin in wires:
                self._claim(
                    table, "spi_port", pin, statement("config.for.spi", port=number, purpose=wanted.claim.purpose)
                )
        elif not (first.selected and wanted.selected):
            alone = wanted if not wanted.selected else first
            said = statement(
                "config.spi.alone",
                pin=wires[0],
                port=number,
                purpose=wanted.claim.purpose,
                other=first.claim.statement,
                alone=alone.claim.purpose,
            )
            table.note(said, "spi_port")

    def _select(self, table: TomlTable, select: tuple[int, int], pin: int, purpose: Statement) -> None:
        port, device = select
        if other := self._selects.get(select):
            said = statement("config.spi.select", device=device, port=port, purpose=purpose, other=other.statement)
            table.note(said, "spi_device")
            return
        self._selects[select] = _Claim(purpose, table.line("spi_device"))
        self._claim(table, "spi_device", pin, statement("config.for.select", purpose=purpose))

    def _claim(self, table: TomlTable, key: str, pin: int, purpose: Statement) -> None:
        if other := self._pins.get(pin):
            table.note(statement("config.pin", pin=pin, purpose=purpose, other=other.statement), key)
        else:
            self._pins[pin] = _Claim(purpose, table.line(key))
            self._places[pin] = (table, key)
