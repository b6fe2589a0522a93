"""The service files: systemd understands them, they shut out what they can, and they start what gnomond knows."""

import re
import subprocess
from importlib import resources
from pathlib import Path

import click
import pytest

from gnomon.web.server._slots import Bounds
from gnomon.web.server.listener import within
from gnomon_pi.cli.daemon import main
from gnomon_pi.cli.safe import safe
from gnomon_pi.runtime.watchdog import PERIOD
from tests.conftest import FindProgram

UNITS = ("gnomond.service", "gnomond-safe.service")
DEVICES = {"gpiochip", "i2c", "spi", "input", "ttyACM", "ttyUSB", "ttyAMA", "ttyS"}
EXPOSURE = 2.0  # of 10, by systemd's own count


def text_of(unit: str) -> str:
    """A unit as it is packaged, with continued lines joined."""
    return (resources.files("gnomon_pi") / "system" / unit).read_text(encoding="utf-8").replace("\\\n", " ")


def values(unit: str, name: str) -> list[str]:
    """What a unit says under a name."""
    return re.findall(rf"^{name}=(.*)$", text_of(unit), re.MULTILINE)


@pytest.fixture(scope="module")
def systemd_analyze(find_program: FindProgram) -> str:
    """The path of systemd's own examiner."""
    return find_program("systemd-analyze", package="systemd")


def test_systemd_understands_them(systemd_analyze: str, tmp_path: Path) -> None:
    for unit in UNITS:  # it wants to see the program, which is not installed here
        (tmp_path / unit).write_text(text_of(unit).replace("/opt/gnomon/current/bin/gnomond", "/bin/true"))
    ran = subprocess.run(
        [systemd_analyze, "verify", "--man=no", *(tmp_path / unit for unit in UNITS)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ran.returncode, [line for line in ran.stderr.splitlines() if "gnomon" in line]) == (0, [])


@pytest.mark.parametrize("unit", UNITS)
def test_little_is_exposed(systemd_analyze: str, tmp_path: Path, unit: str) -> None:
    (tmp_path / unit).write_text(text_of(unit))
    ran = subprocess.run(
        [systemd_analyze, "security", "--no-pager", "--offline=true", tmp_path / unit],
        capture_output=True,
        text=True,
        check=False,
    )
    found = re.search(r"Overall exposure level for \S+: ([\d.]+)", ran.stdout)
    assert found is not None, ran.stderr
    print(f"{unit}: exposure {found[1]} of 10")
    assert float(found[1]) <= EXPOSURE


def test_safe_mode_comes_when_the_daemon_fails_and_ends_when_it_starts() -> None:
    assert values("gnomond.service", "OnFailure") == ["gnomond-safe.service"]
    assert values("gnomond-safe.service", "Conflicts") == ["gnomond.service"]


def test_restarts_that_never_help_come_to_an_end_before_the_pauses_outlast_the_count() -> None:
    (burst,), (interval,) = (
        values("gnomond.service", "StartLimitBurst"),
        values("gnomond.service", "StartLimitIntervalSec"),
    )
    (pause,), (start,) = values("gnomond.service", "RestartSec"), values("gnomond.service", "TimeoutStartSec")
    longest = 30  # seconds: RestartMaxDelaySec of install.sh
    assert int(burst) * (max(int(pause), longest) + int(start)) < int(interval)


@pytest.mark.parametrize("unit", UNITS)
def test_the_watchdog_is_fed_several_times_before_it_bites(unit: str) -> None:
    assert float(values(unit, "WatchdogSec")[0]) >= 5 * PERIOD


@pytest.mark.parametrize("unit", UNITS)
def test_the_command_names_options_that_there_are(unit: str) -> None:
    command: click.Command = main if unit == "gnomond.service" else safe
    known = {name for parameter in command.params for name in parameter.opts}
    used = set(re.findall(r"--[\w-]+", values(unit, "ExecStart")[0]))
    assert used
    assert used <= known


def test_the_devices_of_a_board_are_allowed_and_no_others() -> None:
    allowed = {value.removeprefix("char-").split()[0] for value in values("gnomond.service", "DeviceAllow")}
    assert allowed == DEVICES
    assert {value.split()[0] for value in values("gnomond-safe.service", "DeviceAllow")} < {
        f"char-{d}" for d in DEVICES
    }


@pytest.mark.parametrize("unit", UNITS)
def test_nothing_waits_for_the_network(unit: str) -> None:
    assert [
        value for name in ("After", "Wants", "Requires") for value in values(unit, name) if "network" in value
    ] == []


@pytest.mark.parametrize("unit", UNITS)
def test_there_are_descriptors_for_all_connections_and_what_else_is_open(unit: str) -> None:
    [limit] = values(unit, "LimitNOFILE")
    assert within(Bounds(), int(limit)) == Bounds()


@pytest.mark.parametrize("name", ["User", "StateDirectory", "RuntimeDirectory", "Environment", "ProtectSystem"])
def test_both_live_in_the_same_place(name: str) -> None:
    mine, other = ([value for value in values(unit, name) if "GNOMON_" not in value] for unit in UNITS)
    assert mine == other != []


def test_the_daemon_may_give_its_children_less_than_itself() -> None:
    """Engines and analyses run at the lowest priority, and die alone where memory runs out."""
    *_, forbidden, granted = values("gnomond.service", "SystemCallFilter")
    assert forbidden.startswith("~")
    assert granted.split() == ["setpriority", "sched_setscheduler"]
    assert values("gnomond.service", "OOMPolicy") == ["continue"]
