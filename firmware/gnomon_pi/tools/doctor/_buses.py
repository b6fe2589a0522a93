"""Check the I2C and SPI buses of a board: device files in /dev, lines in config.txt, clock rates."""

from collections.abc import Iterator
from typing import Final

from gnomon.refusals import NOTHING, Statement, join, statement
from gnomon_pi.config.boot_lines import boot_lines
from gnomon_pi.config.description import BoardDescription, Expanders
from gnomon_pi.config.image_overlays import OVERLAY_I2C_HZ, overlays_of
from gnomon_pi.tools.doctor._boot_config import BootConfig, boot_config
from gnomon_pi.tools.doctor._system import model_name
from gnomon_pi.tools.doctor._wires import i2c_users, spi_users
from gnomon_pi.tools.doctor.finding import Finding, fault, note, ok, warning
from gnomon_pi.tools.doctor.machine import Machine, number

_USUAL_I2C_HZ: Final = 100_000
_FAST_I2C_HZ: Final = 400_000
_EDIT: Final = "/boot/firmware/config.txt"


def check_config_file(machine: Machine) -> Iterator[Finding]:
    """Where config.txt is."""
    config = boot_config(machine)
    if not config.path:
        yield note("config.txt", statement("doctor.config.none"))
    else:
        said = len(config.parameters) + len(config.overlays)
        yield ok("config.txt", statement("doctor.config", file=config.path, number=said))


def check_i2c(machine: Machine, description: BoardDescription) -> Iterator[Finding]:
    """Whether every I2C bus of the board is there and fast enough for what is on it."""
    config = boot_config(machine)
    for bus in sorted({bus for bus, _ in i2c_users(description)}):
        purpose = join(who for number, who in i2c_users(description) if number == bus)
        path = f"/dev/i2c-{bus}"
        if machine.has(path):
            yield _i2c_clock(machine, description, bus, purpose, config)
        elif _makes_i2c(config, bus):
            yield fault(f"I2C{bus}", statement("doctor.i2c.on", file=path, purpose=purpose))
        else:
            line, config_file = _line_for_i2c(machine, description, bus), config.path or _EDIT
            off = statement("doctor.i2c.off", file=path, purpose=purpose, config_line=line, config_file=config_file)
            yield fault(f"I2C{bus}", off, _on_the_image(config, description, f"i2c{bus}"))


def check_spi(machine: Machine, description: BoardDescription) -> Iterator[Finding]:
    """Whether every SPI bus of the board is there; gpiozero's hardware SPI needs the same file as spidev."""
    config = boot_config(machine)
    for port, device, purpose in spi_users(description):
        path = f"/dev/spidev{port}.{device}"
        if machine.has(path):
            yield ok(f"SPI{port}.{device}", statement("doctor.spi", file=path, purpose=purpose))
        elif line := _lines_for_spi(config, port, device):
            config_file = config.path or _EDIT
            off = statement("doctor.spi.off", file=path, purpose=purpose, config_line=line, config_file=config_file)
            yield fault(f"SPI{port}.{device}", off, _on_the_image(config, description, f"spi{port}"))
        else:
            yield fault(f"SPI{port}.{device}", statement("doctor.spi.on", file=path, purpose=purpose))


def i2c_clock(machine: Machine, bus: int, config: BootConfig) -> int:
    """The clock of a bus in Hz as the kernel took it from the device tree, or as config.txt asks for it."""
    told = machine.data(f"/sys/class/i2c-adapter/i2c-{bus}/of_node/clock-frequency")
    if len(told) == 4:  # noqa: PLR2004 - a cell of the device tree, big-endian
        return max(1, int.from_bytes(told, "big"))
    for overlay in config.overlays:
        if config.image and overlay.kind == f"i2c{bus}":
            return max(1, number(overlay.parameters.get("baudrate", "")) or OVERLAY_I2C_HZ)
    names = ("i2c_arm_baudrate", "i2c_baudrate", "i2c1_baudrate")
    given = next((config.parameters[name] for name in names if name in config.parameters), "")
    return max(1, number(given) or _USUAL_I2C_HZ)


def _i2c_clock(
    machine: Machine, description: BoardDescription, bus: int, purpose: Statement, config: BootConfig
) -> Finding:
    clock = i2c_clock(machine, bus, config)
    wanted = {each.number: each.clock_hz for each in description.buses}.get(bus, _FAST_I2C_HZ)
    subject = f"I2C{bus}"
    there = {"file": f"/dev/i2c-{bus}", "purpose": purpose, "khz": clock // 1000}
    if clock == wanted:
        return ok(subject, Statement("doctor.i2c", there))
    line = (
        f"dtoverlay=gnomon-i2c{bus},baudrate={wanted}"
        if config.image
        else f"dtparam=i2c_arm=on,i2c_arm_baudrate={wanted}"
    )
    mend = statement("doctor.config.put", config_line=line, config_file=config.image or config.path or _EDIT)
    if clock > wanted:
        return warning(subject, Statement("doctor.i2c.fast", {**there, "wanted": wanted // 1000}), mend)
    sensors = description.sensors
    if isinstance(sensors, Expanders) and any(chip.bus == bus for chip in sensors.chips):
        return warning(subject, Statement("doctor.i2c.slow", {**there, "scans": sensors.scan_hz}), mend)
    # 1034 bytes of nine clocks each: a whole picture of an SSD1306.
    pictures = {"now": 9306 * 1000 // clock, "then": 9306 * 1000 // wanted, "config_line": line}
    return note(subject, Statement("doctor.i2c.picture", {**there, **pictures}))


def _makes_i2c(config: BootConfig, bus: int) -> bool:
    if bus == 1 and config.is_on("i2c_arm", "i2c", "i2c1"):
        return True
    if bus == 0 and config.is_on("i2c_vc", "i2c0"):
        return True
    return any(
        overlay.kind.removesuffix("-pi5") == f"i2c{bus}"
        or (overlay.kind == "i2c-gpio" and overlay.parameters.get("bus", "3") == str(bus))
        for overlay in config.overlays
    )


def _line_for_i2c(machine: Machine, description: BoardDescription, bus: int) -> str:
    if bus == 1:
        return f"dtparam=i2c_arm=on,i2c_arm_baudrate={_FAST_I2C_HZ}"
    asked = boot_lines(description, {}, model_name(machine))
    line = next((each.line for each in asked if f"/dev/i2c-{bus}" in each.devices), "")
    return line or f"dtoverlay=i2c{bus} (or i2c-gpio,bus={bus})"


def _on_the_image(config: BootConfig, description: BoardDescription, bus: str) -> Statement:
    """What to put into which file of the image for a bus; nothing on every other system."""
    if not config.image:
        return NOTHING
    overlay = next((each for each in overlays_of(description) if each.partition(",")[0] == f"gnomon-{bus}"), "")
    if not overlay:
        return statement("doctor.config.no_overlay", config_file=config.image)
    return statement("doctor.config.put", config_line=f"dtoverlay={overlay}", config_file=config.image)


def _lines_for_spi(config: BootConfig, port: int, device: int) -> str:
    """The line that is missing; empty when it is there."""
    chip_selects = [
        int(overlay.kind[5])
        for overlay in config.overlays
        if overlay.kind.startswith(f"spi{port}-") and overlay.kind[5:8] in ("0cs", "1cs", "2cs", "3cs")
    ]
    if port == 0 and config.is_on("spi"):
        chip_selects = chip_selects or [2]
    if max(chip_selects, default=0) > device:
        return ""
    if port == 0:
        return "dtparam=spi=on" if not chip_selects else f"dtoverlay=spi0-{device + 1}cs"
    return f"dtoverlay=spi{port}-{device + 1}cs"
