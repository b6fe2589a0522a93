"""Make the machines of the doctor's tests: folders that look like four Raspberry Pis and a PC."""

import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from gnomon.timekeeping.instants import Duration, Instant
from gnomon.words import LANGUAGES, words
from gnomon_pi.tools.doctor.finding import Finding, Findings, Severity
from gnomon_pi.tools.doctor.machine import Machine, Space, UsedLine, UserAccount

GOOD_CONFIG: Final = """\
# For more options and information see the documentation
dtparam=i2c_arm=on,i2c_arm_baudrate=400000
dtparam=spi=on
dtparam=audio=on
dtoverlay=spi1-1cs
camera_auto_detect=1

[pi5]
dtoverlay=vc4-kms-v3d

[all]
enable_uart=0
"""
PEOPLE: Final = "root:x:0:0:root:/root:/bin/bash\nada:x:1000:1000:Ada Lovelace,,,:/home/ada:/bin/bash\n"

VERSIONS: Final[Mapping[str, str]] = {
    "gnomon": "0.1.0",
    "gpiozero": "2.0.1.post3",
    "luma-core": "2.6.0",
    "luma-oled": "3.16.0",
    "pillow": "11.1.0",
    "smbus2": "0.5.0",
    "spidev": "3.6",
    "lgpio": "0.2.2.0",
    "rpi-lgpio": "0.6",
    "sqlite": "3.40.1",
}
SERVICE: Final = (
    "LoadState=loaded\nUnitFileState=enabled\nActiveState=inactive\nSubState=dead\nResult=success\n"
    "NRestarts=0\nWatchdogUSec=10s\n"
)
GROUPS: Final = frozenset({"ada", "gpio", "i2c", "spi", "input", "dialout"})
NODES: Final = ("i2c-1", "spidev0.0", "spidev0.1", "spidev1.0", "gpiochip0")

Command = tuple[str, ...]


class Ticking:
    """A watch that goes on by `step` microseconds each time it is read."""

    boot = "test"

    def __init__(self, step: int = 1, wall: datetime = datetime(2026, 11, 20, 12, tzinfo=UTC)) -> None:
        self.step = step
        self.date = wall
        self._now = 0

    def now(self) -> Instant:
        self._now += self.step
        return Instant(self._now)

    def asleep(self) -> Duration:
        return Duration(0)

    def wall(self) -> datetime:
        return self.date


@dataclass
class Planted:
    """A tree under `root` and what its commands answer, to be changed before it is looked at."""

    root: Path
    commands: dict[Command, str] = field(default_factory=dict)

    def plant(self, files: Mapping[str, str | bytes]) -> None:
        """Write files by their absolute paths."""
        for folder in {(self.root / name.lstrip("/")).parent for name in files}:
            folder.mkdir(parents=True, exist_ok=True)
        for name, content in files.items():
            path = self.root / name.lstrip("/")
            path.write_bytes(content if isinstance(content, bytes) else content.encode())

    def remove(self, *names: str) -> None:
        """Take files and folders away."""
        for name in names:
            path = self.root / name.lstrip("/")
            if path.is_dir():
                shutil.rmtree(path)
            else:
                path.unlink()

    def answer(self, command: Sequence[str]) -> str | None:
        """What a command says; systemd is asked with varying properties."""
        return self.commands.get(tuple(command), self.commands.get(tuple(command[:3])))

    def machine(self, **changes: Any) -> Machine:
        """The machine, with other rights, libraries or whatever is given."""
        usual = Machine(
            root=self.root,
            watch=Ticking(),
            command=self.answer,
            may=lambda _path, _what: True,
            space=lambda _path: Space(20_000_000_000, 32_000_000_000, 1_000_000),
            lines=lambda: (UsedLine(8, "spi0 CS0"), UsedLine(7, "spi0 CS1"), UsedLine(18, "spi1 CS0")),
            versions=VERSIONS,
            account=UserAccount(GROUPS),
            python="3.11.2",
            bits=64,
            environment={"USER": "ada", "HOME": "/home/ada"},
        )
        return replace(usual, **changes)


def raspberry_pi(root: Path, model: str, revision: int, kernel: str, codename: str = "bookworm") -> Planted:
    """A Raspberry Pi in the best of health."""
    planted = Planted(root)
    planted.plant(
        {
            "/proc/device-tree/model": f"{model}\0",
            "/proc/device-tree/serial-number": "100000003d1d1c1b\0",
            "/proc/device-tree/system/linux,revision": revision.to_bytes(4, "big"),
            "/proc/sys/kernel/osrelease": f"{kernel}\n",
            "/proc/sys/kernel/arch": "aarch64\n",
            "/proc/sys/kernel/hostname": "adas-board\n",
            "/etc/hostname": "adas-board\n",
            "/etc/passwd": PEOPLE,
            "/etc/machine-id": "0123456789abcdef0123456789abcdef\n",
            "/etc/os-release": f'PRETTY_NAME="Debian GNU/Linux ({codename})"\nVERSION_CODENAME={codename}\n',
            "/proc/meminfo": "MemTotal:         948304 kB\nMemFree:          200000 kB\nMemAvailable:     612000 kB\n",
            "/proc/swaps": "Filename\tType\tSize\tUsed\tPriority\n/dev/zram0\tpartition\t1024\t0\t100\n",
            "/proc/loadavg": "0.20 0.15 0.10 1/150 900\n",
            "/proc/stat": "cpu  1 2\ncpu0 1\ncpu1 1\ncpu2 1\ncpu3 1\n",
            "/proc/mounts": "/dev/mmcblk0p2 / ext4 rw,noatime 0 0\n/dev/mmcblk0p1 /boot/firmware vfat rw 0 0\n",
            "/proc/locks": "",
            "/boot/firmware/config.txt": GOOD_CONFIG,
            "/sys/class/thermal/thermal_zone0/temp": "48312\n",
            "/sys/class/hwmon/hwmon1/name": "rpi_volt\n",
            "/sys/class/hwmon/hwmon1/in0_lcrit_alarm": "0\n",
            "/sys/devices/system/clocksource/clocksource0/current_clocksource": "arch_sys_counter\n",
            "/run/systemd/timesync/synchronized": "",
            "/dev/rtc0": "",
            "/sys/class/rtc/rtc0/name": "rtc-ds1307 1-0068\n",
            "/sys/class/i2c-adapter/i2c-1/of_node/clock-frequency": (400_000).to_bytes(4, "big"),
            "/sys/fs/ext4/mmcblk0p2/errors_count": "0\n",
            "/sys/block/mmcblk0/device/date": "03/2024\n",
            **{f"/dev/{node}": "" for node in NODES},
        }
    )
    planted.commands = {
        ("vcgencmd", "get_throttled"): "throttled=0x0\n",
        ("dmesg",): "[    1.0] i2c-bcm2835 fe804000.i2c: probed\n[    2.0] spi-bcm2835 fe204000.spi: registered\n",
        ("systemctl", "show", "gnomond.service"): SERVICE,
    }
    return planted


def pi_3b(root: Path) -> Planted:
    return raspberry_pi(root, "Raspberry Pi 3 Model B Rev 1.2", 0xA02082, "6.6.51+rpt-rpi-v8")


def pi_4b(root: Path) -> Planted:
    return raspberry_pi(root, "Raspberry Pi 4 Model B Rev 1.4", 0xC03114, "6.6.51+rpt-rpi-v8")


def pi_5(root: Path) -> Planted:
    return raspberry_pi(root, "Raspberry Pi 5 Model B Rev 1.0", 0xC04170, "6.12.25+rpt-rpi-2712", "trixie")


def zero_2w(root: Path) -> Planted:
    return raspberry_pi(root, "Raspberry Pi Zero 2 W Rev 1.0", 0x902120, "6.6.51+rpt-rpi-v7")


def pc(root: Path) -> Planted:
    """A PC, where nothing of a Raspberry Pi is to be found."""
    planted = Planted(root)
    planted.plant(
        {
            "/proc/sys/kernel/osrelease": "6.1.0-18-amd64\n",
            "/etc/os-release": 'PRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\nVERSION_CODENAME=bookworm\n',
            "/proc/meminfo": "MemTotal: 16000000 kB\nMemAvailable: 9000000 kB\n",
            "/proc/mounts": "/dev/sda1 / ext4 rw 0 0\n",
        }
    )
    planted.commands = {("uname", "-m"): "x86_64\n"}
    return planted


PIS: Final[Mapping[str, Callable[[Path], Planted]]] = {"3B": pi_3b, "4B": pi_4b, "5": pi_5, "Zero 2 W": zero_2w}


def worse(findings: Findings) -> list[Finding]:
    """The findings that are worse than a note."""
    return [finding for finding in findings if finding.mark > Severity.NOTE]


def said(findings: Findings) -> str:
    """What was found, a line a finding, with its mark and its advice."""
    every = list(findings)
    for each in every:
        for language in LANGUAGES:  # each with the values that it really has
            told, advice = each.sentence(words(language)), each.advice(words(language))
            assert told
            assert advice or each.mark <= Severity.NOTE, (each.found.key, language)
    return "\n".join(f"{each.mark.word}: {each.subject}: {each.sentence()} > {each.advice()}" for each in every)
