"""The only place that looks for the buses of a board: their files in /dev, the lines in config.txt, their clock."""

from collections.abc import Iterator
from typing import Final

from gnomon_pi.description import BoardDescription, Expanders
from gnomon_pi.doctor.boot_config import BootConfig, boot_config
from gnomon_pi.doctor.finding import Finding, fault, note, ok, warning
from gnomon_pi.doctor.machine import Machine
from gnomon_pi.doctor.wires import i2c_users, spi_users

_USUAL_I2C_HZ: Final = 100_000
_FAST_I2C_HZ: Final = 400_000
_EDIT: Final = "/boot/firmware/config.txt"


def check_config_file(machine: Machine) -> Iterator[Finding]:
    """Where config.txt is."""
    config = boot_config(machine)
    if not config.path:
        yield note("config.txt", "There is neither /boot/firmware/config.txt nor /boot/config.txt to be read.")
    else:
        said = len(config.parameters) + len(config.overlays)
        yield ok("config.txt", f"{config.path}, {said} parameters and overlays that hold on this model.")


def check_i2c(machine: Machine, description: BoardDescription) -> Iterator[Finding]:
    """Whether every I2C bus of the board is there and fast enough for what is on it."""
    config = boot_config(machine)
    for number in sorted({bus for bus, _ in i2c_users(description)}):
        purpose = " and ".join(name for bus, name in i2c_users(description) if bus == number)
        path = f"/dev/i2c-{number}"
        if machine.has(path):
            yield _i2c_clock(machine, description, number, purpose, config)
        elif _makes_i2c(config, number):
            yield fault(
                f"I2C{number}",
                f"{path} of {purpose} is missing although config.txt turns the bus on.",
                "Restart; if it is still missing: sudo modprobe i2c-dev, and a line i2c-dev in /etc/modules.",
            )
        else:
            yield fault(
                f"I2C{number}",
                f"{path} of {purpose} is missing.",
                f"Put {_line_for_i2c(number)} into {config.path or _EDIT} and restart (raspi-config does it, too).",
            )


def check_spi(machine: Machine, description: BoardDescription) -> Iterator[Finding]:
    """Whether every SPI bus of the board is there; gpiozero's hardware SPI needs the same file as spidev."""
    config = boot_config(machine)
    for port, device, purpose in spi_users(description):
        path = f"/dev/spidev{port}.{device}"
        if machine.has(path):
            yield ok(f"SPI{port}.{device}", f"{path} of {purpose} is there.")
        elif line := _lines_for_spi(config, port, device):
            yield fault(
                f"SPI{port}.{device}",
                f"{path} of {purpose} is missing.",
                f"Put {line} into {config.path or _EDIT} and restart.",
            )
        else:
            yield fault(
                f"SPI{port}.{device}",
                f"{path} of {purpose} is missing although config.txt turns the bus on.",
                "Restart; if it is still missing, look for spi in the kernel's log (sudo dmesg).",
            )


def i2c_clock(machine: Machine, number: int, config: BootConfig) -> int:
    """The clock of a bus in Hz as the kernel took it from the device tree, or as config.txt asks for it."""
    told = machine.data(f"/sys/class/i2c-adapter/i2c-{number}/of_node/clock-frequency")
    if len(told) == 4:  # noqa: PLR2004 - a cell of the device tree, big-endian
        return int.from_bytes(told, "big")
    names = ("i2c_arm_baudrate", "i2c_baudrate", "i2c1_baudrate")
    given = next((config.parameters[name] for name in names if name in config.parameters), "")
    return int(given) if given.isdecimal() else _USUAL_I2C_HZ


def _i2c_clock(
    machine: Machine, description: BoardDescription, number: int, purpose: str, config: BootConfig
) -> Finding:
    clock = i2c_clock(machine, number, config)
    wanted = {bus.number: bus.clock_hz for bus in description.buses}.get(number, _FAST_I2C_HZ)
    found = f"/dev/i2c-{number} of {purpose} is there, at {clock // 1000} kHz"
    line = f"dtparam=i2c_arm=on,i2c_arm_baudrate={wanted}"
    if clock == wanted:
        return ok(f"I2C{number}", f"{found}.")
    advice = f"Put {line} into {config.path or _EDIT} and restart."
    if clock > wanted:
        slower = f"{found}, and the description says {wanted // 1000}: a device may not follow."
        return warning(f"I2C{number}", slower, advice)
    sensors = description.sensors
    if isinstance(sensors, Expanders) and any(chip.bus == number for chip in sensors.chips):
        return warning(
            f"I2C{number}", f"{found}, too slow to scan the expanders {sensors.scan_hz} times a second.", advice
        )
    # 1034 bytes of nine clocks each: a whole picture of an SSD1306.
    picture = 9306 * 1000 // clock
    return note(
        f"I2C{number}", f"{found}: a whole picture takes {picture} ms, and {9306 * 1000 // wanted} with {line}."
    )


def _makes_i2c(config: BootConfig, number: int) -> bool:
    if number == 1 and config.is_on("i2c_arm", "i2c", "i2c1"):
        return True
    if number == 0 and config.is_on("i2c_vc", "i2c0"):
        return True
    return any(
        overlay.name.removesuffix("-pi5") == f"i2c{number}"
        or (overlay.name == "i2c-gpio" and overlay.parameters.get("bus", "3") == str(number))
        for overlay in config.overlays
    )


def _line_for_i2c(number: int) -> str:
    return {0: "dtparam=i2c_vc=on", 1: f"dtparam=i2c_arm=on,i2c_arm_baudrate={_FAST_I2C_HZ}"}.get(
        number, f"dtoverlay=i2c{number} (or i2c-gpio,bus={number})"
    )


def _lines_for_spi(config: BootConfig, port: int, device: int) -> str:
    """The line that is missing; empty when it is there."""
    chip_selects = [
        int(overlay.name[5])
        for overlay in config.overlays
        if overlay.name.startswith(f"spi{port}-") and overlay.name[5:8] in ("0cs", "1cs", "2cs", "3cs")
    ]
    if port == 0 and config.is_on("spi"):
        chip_selects = chip_selects or [2]
    if max(chip_selects, default=0) > device:
        return ""
    if port == 0:
        return "dtparam=spi=on" if not chip_selects else f"dtoverlay=spi0-{device + 1}cs"
    return f"dtoverlay=spi{port}-{device + 1}cs"
