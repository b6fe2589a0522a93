"""Parse the sensor table of a board description: a 74HC165 chain or MCP23017 expanders."""

from collections.abc import Collection, Sequence
from types import MappingProxyType
from typing import Final, NamedTuple

from gnomon.refusals import Statement, statement
from gnomon_pi.config._claims import Claims
from gnomon_pi.config._expected import InputGroup
from gnomon_pi.config.checked_toml import TomlTable
from gnomon_pi.config.description import (
    BITS_PER_EXPANDER,
    BITS_PER_REGISTER,
    OUTPUTS_OF_AN_EXPANDER,
    PINS_OF_AN_EXPANDER,
    Chain,
    Expanders,
    I2cWires,
    Output,
    Sensors,
)

KINDS: Final = ("hc165", "mcp23017")
_MOST_REGISTERS: Final = 128
# The chip itself takes more than 20 MHz; on wires of a board's length the signals ring (hardware/electronics.md).
FASTEST_CHAIN_HZ: Final = 1_000_000
# The address is 0b0100 and three pins (Microchip, data sheet of the MCP23017, DS20001952D, figure 3-5).
_FIRST_ADDRESS, _LAST_ADDRESS = 0x20, 0x27
_EXPANDER_HZ: Final = 1_700_000  # the same data sheet, I2C bus data requirements
# gpiozero, pins/data.py: SPI_HARDWARE_PINS has port 0 alone. Those of SPI1 it would clock by Python, 10 ms a scan.
_NOT_READ: Final = MappingProxyType({1: statement("config.spi.only_first")})
_SECOND: Final = 1000  # in milliseconds
_LONGEST_SETTLING_US: Final = 5_000
# Address and register, address again and two bytes, nine clocks each, and the conditions around them.
_CLOCKS_PER_EXPANDER: Final = 48


class _BitRoom(NamedTuple):
    """The bits that inputs may lie on, in the order in which they are given out."""

    bits: Sequence[int]
    limit: int  # one more than the last number that a bit may have
    where: Statement  # for messages: "the chain"
    size: Statement  # for messages: "17 registers beside the canary"
    key: str  # the key that made it so small


class _Driven(NamedTuple):
    """What both kinds of sensors say of themselves."""

    emitters: Output | None
    active_low: bool
    scan_hz: int
    settle_us: int


def sensors(table: TomlTable, groups: Sequence[InputGroup], claims: Claims) -> Sensors | None:
    """The sensors of a board, or None where their kind is a mistake."""
    inputs = _inputs(groups, claims)
    kind = table.word("kind", KINDS)
    if table.is_faulty("kind"):
        return None
    result = _chain(table, inputs, claims) if kind == KINDS[0] else _expanders(table, inputs, claims)
    table.nothing_else()
    return result


def _chain(table: TomlTable, inputs: dict[str, bool], claims: Claims) -> Chain:
    registers = table.integer("registers", 2, _MOST_REGISTERS)
    driven = _open_driver(table, inputs, claims)
    spi = claims.spi(
        table, statement("config.for.sensors"), slowest=10_000, fastest=FASTEST_CHAIN_HZ, refused=_NOT_READ
    )
    room = (registers - 1) * BITS_PER_REGISTER
    result = Chain(
        spi_port=spi.port,
        spi_device=spi.device,
        clock_hz=spi.clock_hz,
        registers=registers,
        # A canary of zeros or ones would not tell a dead wire from a live one.
        canary=table.integer("canary", 0x01, 0xFE),
        latch=claims.pin(table, "latch", statement("config.for.latch")),
        emitters=driven.emitters,
        active_low=driven.active_low,
        scan_hz=driven.scan_hz,
        inputs=tuple(inputs),
        bits=_bits(
            table,
            tuple(inputs),
            _BitRoom(
                range(room),
                room,
                statement("config.the_chain"),
                statement("config.size.registers", number=registers - 1),
                "registers",
            ),
        ),
        strobed=tuple(inputs.values()),
        settle_us=driven.settle_us,
    )
    if table.is_sound:
        _in_time(table, result, claims, "clock_hz")
    return result


def _expanders(table: TomlTable, inputs: dict[str, bool], claims: Claims) -> Expanders:
    chips = []
    for number, chip in enumerate(table.tables("chips")):
        addresses = (_FIRST_ADDRESS, _LAST_ADDRESS)
        purpose = statement("config.for.chip", number=number)
        chips.append(claims.i2c(chip, purpose, bus="bus", addresses=addresses, fastest=_EXPANDER_HZ))
        chip.nothing_else()
    limit = len(chips) * BITS_PER_EXPANDER
    usable = [bit for bit in range(limit) if bit % BITS_PER_EXPANDER not in OUTPUTS_OF_AN_EXPANDER]
    size = statement(
        "config.size.chips.one" if len(chips) == 1 else "config.size.chips.other",
        number=len(chips),
        pins=BITS_PER_EXPANDER - len(OUTPUTS_OF_AN_EXPANDER),
    )
    interrupt = claims.pin(table, "interrupt", statement("config.for.interrupt")) if table.has("interrupt") else None
    driven = _open_driver(table, inputs, claims)
    result = Expanders(
        chips=tuple(chips),
        interrupt=interrupt,
        emitters=driven.emitters,
        active_low=driven.active_low,
        scan_hz=driven.scan_hz,
        inputs=tuple(inputs),
        bits=_bits(table, tuple(inputs), _BitRoom(usable, limit, statement("config.the_chips"), size, "chips")),
        strobed=tuple(inputs.values()),
        settle_us=driven.settle_us,
    )
    if table.is_sound:
        _in_time(table, result, claims, "chips")
    return result


def _inputs(groups: Sequence[InputGroup], claims: Claims) -> dict[str, bool]:
    """The inputs in their order, and whether each is strobed."""
    inputs: dict[str, bool] = {}
    for group in groups:
        for number, place in enumerate(group.places):
            for kind in group.kinds:
                if claims.input(group.table, f"{place}.{kind}", "places", number):
                    inputs[f"{place}.{kind}"] = group.strobed
    return inputs


def _open_driver(table: TomlTable, inputs: dict[str, bool], claims: Claims) -> _Driven:
    emitters = None
    if table.has("emitters"):
        emitters = claims.output(table, "emitters", "emitters_on", statement("config.for.emitters"))
    elif any(inputs.values()):
        table.note(statement("config.emitters.lacking"))
    else:
        for key in ("emitters_on", "settle_us"):
            if table.has(key):
                table.note(statement("config.emitters.nothing", key=key), key)
    settle = table.integer("settle_us", 0, _LONGEST_SETTLING_US, default=0)
    is_low = table.word("active", ("low", "high")) == "low"
    return _Driven(emitters, is_low, table.integer("scan_hz", 10, 1000), settle)


def _bits(table: TomlTable, inputs: Sequence[str], room: _BitRoom) -> tuple[int, ...]:
    """The bit of each input: its number in the order, but for single inputs that were moved."""
    moves = table.table("moved", required=False)
    if not table.is_sound:
        return tuple(range(len(inputs)))
    if len(inputs) > len(room.bits):
        table.note(statement("config.bits.many", inputs=len(inputs), size=room.size), room.key)
        return tuple(range(len(inputs)))
    moved = _moved_bits(moves, inputs, room)
    taken = {bit: name for bit, name in zip(room.bits, inputs, strict=False) if name not in moved}
    for name, bit in moved.items():
        if bit in taken:
            moves.note(statement("config.bit.taken", bit=bit, input=name, other=taken[bit]), name)
        taken[bit] = name
    return tuple(moved.get(name, bit) for bit, name in zip(room.bits, inputs, strict=False))


def _moved_bits(moves: TomlTable, inputs: Collection[str], room: _BitRoom) -> dict[str, int]:
    """The bits of the inputs that lie elsewhere than their order says."""
    moved = {}
    for name in moves:
        bit = moves.integer(name, 0, room.limit - 1)
        if moves.is_faulty(name):
            continue
        if name not in inputs:
            moves.note(statement("config.bit.elsewhere", input=name, where=room.where), name)
        elif bit not in room.bits:
            chip, pin = divmod(bit, BITS_PER_EXPANDER)
            where = PINS_OF_AN_EXPANDER[pin]
            moves.note(statement("config.bit.output", bit=bit, input=name, pin=where, chip=chip), name)
        else:
            moved[name] = bit
    return moved


def _in_time(table: TomlTable, sensors: Sensors, claims: Claims, key: str) -> None:
    """Note when a scan would still go on as the next one is due."""
    takes, has = scan_time(sensors, claims.buses) * _SECOND, _SECOND / sensors.scan_hz
    if takes > has:
        said = statement("config.slow", takes=f"{takes:.1f}", has=f"{has:.1f}", scan=sensors.scan_hz)
        table.note(said, key)


# How long a scan takes


def reading_time(sensors: Sensors, buses: Sequence[I2cWires]) -> float:
    """Seconds in which all inputs are read once, by the clocks of their buses; the kernel's own time comes on top."""
    if isinstance(sensors, Chain):
        return sensors.registers * BITS_PER_REGISTER / sensors.clock_hz
    clocks = {wires.number: wires.clock_hz for wires in buses}
    return sum(_CLOCKS_PER_EXPANDER / clocks[chip.bus] for chip in sensors.chips)


def scan_time(sensors: Sensors, buses: Sequence[I2cWires]) -> float:
    """Seconds that a scan takes: a chain without emitters is read once, all else twice, with the emitters off and on.

    Expanders without emitters take that long when something moves: then they are asked what their interrupts tell.
    """
    is_read_once = isinstance(sensors, Chain) and sensors.emitters is None
    return reading_time(sensors, buses) * (1 if is_read_once else 2) + sensors.settle_us / 1_000_000
