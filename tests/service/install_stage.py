"""install.sh from the first installation to the last trace, in a Debian root: a stage of its own, `make install-test`.

The tests are one story and run in their order. Stubs stand for what a Raspberry Pi has and this root has not; the
daemon is the real one, on the simulated board.
"""

import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import CI, FindProgram
from tests.service.debian_root import Machine, machine, put_sources

FIRST, SECOND, BROKEN = "0.1.0", "0.1.1", "0.1.2"
LINES = ("dtparam=i2c_arm=on", "dtparam=i2c_arm_baudrate=400000", "dtparam=spi=on", "dtoverlay=spi1-1cs")
LOOKS = 600  # at something that must come, ten a second


@pytest.fixture(scope="module")
def pi(tmp_path_factory: pytest.TempPathFactory, find_program: FindProgram) -> Iterator[Machine]:
    """A machine on which nothing of Gnomon is yet, with three sets of sources."""
    if os.geteuid() != 0:
        message = "a Debian root can be made by root only: sudo make install-test"
        pytest.fail(message) if os.environ.get(CI) == "true" else pytest.skip(message)
    for program, package in (("debootstrap", "debootstrap"), ("unshare", "util-linux"), ("nsenter", "util-linux")):
        find_program(program, package=package)
    release = os.environ.get("DEBIAN_RELEASE", "bookworm")
    with machine(release, tmp_path_factory.mktemp("roots")) as made:
        put_sources(made, "first", FIRST)
        put_sources(made, "second", SECOND)
        broken = put_sources(made, "broken", BROKEN) / "firmware/gnomon_pi/runtime/service.py"
        broken.write_text(broken.read_text(encoding="utf-8").replace("self._recover()", "1 / 0", 1), encoding="utf-8")
        yield made


def install(pi: Machine, *words: str, source: str = "first", code: int = 0) -> str:
    """Run install.sh of some sources; what it said."""
    ran = pi.run(f"/{source}/install.sh", *words)
    print(ran.text)
    assert ran.code == code, ran.text
    return ran.text


def version(pi: Machine, link: str = "current") -> str:
    """The version, without its mark, to which a link of /opt/gnomon leads."""
    return pi.link(f"/opt/gnomon/{link}").partition("-")[0]


def wait_for(folder: Path, pattern: str) -> None:
    """Wait until a file is there; a failure when it does not come."""
    for _ in range(LOOKS):
        if any(folder.glob(pattern)):
            return
        time.sleep(0.1)
    pytest.fail(f"{folder}/{pattern} did not come")


def wait_until_active(pi: Machine, unit: str = "gnomond.service") -> None:
    """Wait until a unit is active; a failure when it does not become so."""
    for _ in range(LOOKS):
        if is_active(pi, unit):
            return
        time.sleep(0.1)
    logs = [
        f"{path.name}:\n{path.read_text(encoding='utf-8')[-2000:]}"
        for path in pi.path("/var/log").glob("*.service.log")
    ]
    pytest.fail("\n".join([f"{unit} did not become active", *logs]))


def is_active(pi: Machine, unit: str = "gnomond.service") -> bool:
    """Whether a unit is active, by the stub of systemctl."""
    return pi.run("systemctl", "is-active", "--quiet", unit).code == 0


def set_options(pi: Machine, options: str) -> None:
    """Write the daemon's options as a person would."""
    file = pi.path("/etc/gnomon/gnomond.env")
    lines = [line for line in file.read_text(encoding="utf-8").splitlines() if not line.startswith("GNOMON_OPTIONS=")]
    file.write_text("\n".join([*lines, f"GNOMON_OPTIONS={options}", ""]), encoding="utf-8")


def test_a_dry_run_says_what_would_be_done_and_does_nothing(pi: Machine) -> None:
    said = install(pi, "--dry-run")
    assert "would have installed version 0.1.0-" in said
    assert f"would have added to /boot/firmware/config.txt: {' '.join(LINES)} (" in said
    assert "will be built" not in said  # the root has what Raspberry Pi OS has
    said = install(pi, "--dry-run", "--board", "tamsk-expanders")
    buses = [
        f"dtoverlay=i2c-gpio,bus={bus},i2c_gpio_sda={sda},i2c_gpio_scl={scl},i2c_gpio_delay_us=1"
        for bus, sda, scl in ((4, 8, 9), (6, 22, 23))
    ]
    # SPI0 is off in this config.txt, as its pins are the expanders'.
    assert f"would have added to /boot/firmware/config.txt: {' '.join([*LINES[:2], *buses, LINES[3]])} (" in said
    assert [name for name in ("/opt/gnomon", "/etc/gnomon", "/var/lib/gnomon") if pi.path(name).exists()] == []


def test_an_installation_that_was_cut_off_leaves_nothing_that_runs(pi: Machine) -> None:
    versions = pi.path("/opt/gnomon/versions")
    with pi.started("/first/install.sh"):
        wait_for(versions, "*/bin/pip")
    assert list(versions.glob("*/bin/gnomond")) == []
    assert list(versions.glob("*/.complete")) == []
    assert not pi.path("/opt/gnomon/current").is_symlink()


def test_the_first_installation_switches_the_interfaces_on_and_asks_for_a_restart(pi: Machine) -> None:
    before = pi.read("/boot/firmware/config.txt")
    said = install(pi)
    assert "/dev/i2c-1 /dev/spidev0.0 /dev/spidev1.0 come with a restart of the machine: sudo reboot." in said
    assert pi.read("/boot/firmware/config.txt") == before + (
        "\n".join(["\n[all]", "# For Gnomon: display, sensors and lights", *LINES, ""])
    )
    assert pi.read("/boot/firmware/config.txt.before-gnomon") == before
    assert pi.read("/etc/modules-load.d/gnomon.conf") == "i2c-dev\n"
    assert 'board = "tamsk"' in pi.read("/etc/gnomon/board.toml")
    assert pi.path("/etc/systemd/system/multi-user.target.wants/gnomond.service").is_symlink()
    assert pi.run("test", "-s", "/usr/local/share/man/man1/gnomond.1").code == 0
    assert "SupplementaryGroups=gpio i2c spi input dialout\n" in pi.read(
        "/etc/systemd/system/gnomond.service.d/10-machine.conf"
    )
    assert set(pi.run("id", "-nG", "gnomon").text.split()) == {"gnomon", "dialout", "input", "gpio", "i2c", "spi"}
    assert not is_active(pi)


def test_systemd_understands_the_installed_units(pi: Machine) -> None:
    units = [f"/etc/systemd/system/{name}" for name in ("gnomond.service", "gnomond-safe.service")]
    ran = pi.run("systemd-analyze", "verify", "--man=no", *units)
    assert ran.code == 0, ran.text
    assert "gnomon" not in ran.text


def test_after_the_restart_it_is_started_and_becomes_ready(pi: Machine) -> None:
    for name in ("i2c-1", "spidev0.0", "spidev1.0"):
        pi.path(f"/dev/{name}").touch()
    set_options(pi, "--simulated")
    said = install(pi)
    assert "gnomond.service runs and is ready" in said
    assert "/boot/firmware/config.txt" not in said
    assert is_active(pi)
    assert version(pi) == FIRST


def test_run_again_it_changes_nothing(pi: Machine) -> None:
    said = install(pi)
    assert "  done " not in said
    assert "gnomond.service, which runs this version" in said
    assert is_active(pi)


def test_an_update_changes_the_version_and_keeps_the_board(pi: Machine) -> None:
    board = pi.path("/etc/gnomon/board.toml")
    board.write_text(f"{board.read_text(encoding='utf-8')}# mine\n", encoding="utf-8")
    install(pi, "update", source="second")
    assert (version(pi), version(pi, "previous")) == (SECOND, FIRST)
    assert board.read_text(encoding="utf-8").endswith("# mine\n")
    assert is_active(pi)


def test_a_version_that_does_not_become_ready_is_gone_back_from(pi: Machine) -> None:
    said = install(pi, "update", "--from", "/broken", code=1)
    assert "does not become ready; 0.1.1-" in said
    assert (version(pi), version(pi, "previous")) == (SECOND, FIRST)
    assert is_active(pi)
    assert not is_active(pi, "gnomond-safe.service")
    assert "division by zero" in pi.read("/var/log/gnomond.service.log")


def test_a_description_that_is_wrong_stops_an_update_before_anything_changes(pi: Machine) -> None:
    board = pi.path("/etc/gnomon/board.toml")
    right = board.read_text(encoding="utf-8")
    board.write_text(right.replace("latch = 25", "latch = 99"), encoding="utf-8")
    said = install(pi, "update", "--from", "/broken", code=1)
    board.write_text(right, encoding="utf-8")
    assert "99" in said
    assert "Correct /etc/gnomon/board.toml and run this again; what runs was not touched." in said
    assert version(pi) == SECOND
    assert is_active(pi)


@pytest.mark.parametrize("action", [["install"], ["update"], ["rollback"], ["remove"], ["remove", "--purge"]])
def test_nothing_is_touched_while_a_game_is_being_played(pi: Machine, action: list[str]) -> None:
    set_options(pi, "--simulated --level 1")
    if action == ["install"]:
        pi.run("systemctl", "restart", "gnomond.service")
        wait_until_active(pi)
    said = install(pi, *action, code=3)
    assert "is being played" in said
    assert "Nothing was changed: finish or pause the game first, or add --anyway." in said
    assert version(pi) == SECOND
    assert is_active(pi)


def test_the_status_says_what_runs_and_what_is_played(pi: Machine) -> None:
    said = install(pi, "status")
    assert f"Version:  {SECOND}-" in said
    assert f"Before:   {FIRST}-" in said
    assert "Service:  active" in said
    assert "Game 1 of /var/lib/gnomon/tamsk-simulated.journal, tamsk, begun " in said


def test_a_rollback_goes_to_the_version_before_and_on_with_the_game(pi: Machine) -> None:
    install(pi, "rollback", "--anyway")
    assert (version(pi), version(pi, "previous")) == (FIRST, SECOND)
    assert is_active(pi)
    told = pi.run("gnomond", "status", "--state", "/var/lib/gnomon").text
    assert "Game 1 of " in told
    assert "is being played" in told


def test_a_damaged_journal_is_kept_aside_and_the_board_comes_up(pi: Machine) -> None:
    pi.run("systemctl", "stop", "gnomond.service")
    journal = pi.path("/var/lib/gnomon/tamsk-simulated.journal")
    kept = journal.with_name("kept")
    journal.rename(kept)
    journal.write_bytes(b"SQLite format 3\x00" + b"scratched " * 2000)
    pi.run("systemctl", "start", "gnomond.service")
    wait_until_active(pi)
    assert "tamsk-simulated.journal is damaged: " in pi.read("/var/log/gnomond.service.log")
    (aside,) = pi.path("/var/lib/gnomon").glob("tamsk-simulated.journal.damaged-????????-??????")
    assert aside.read_bytes().startswith(b"SQLite format 3\x00scratched")
    pi.run("systemctl", "stop", "gnomond.service")
    for made in pi.path("/var/lib/gnomon").glob("tamsk-simulated.journal*"):
        if made != aside:
            made.unlink()
    kept.rename(journal)


def test_safe_mode_comes_when_the_daemon_cannot_start_and_tells_why(pi: Machine) -> None:
    board = pi.path("/etc/gnomon/board.toml")
    right = board.read_text(encoding="utf-8")
    board.write_text(right.replace("latch = 25", "latch = 99"), encoding="utf-8")
    pi.run("systemctl", "start", "gnomond.service")
    wait_until_active(pi, "gnomond-safe.service")
    said = pi.read("/var/log/gnomond-safe.service.log")
    assert "Safe mode on http://" in said
    assert "99" in said
    board.write_text(right, encoding="utf-8")
    pi.run("systemctl", "restart", "gnomond.service")
    pi.run("systemctl", "stop", "gnomond.service")


def test_games_are_not_kept_where_the_power_cut_takes_them(pi: Machine) -> None:
    pi.run("mkdir", "-p", "/forgetful")
    pi.run("mount", "-t", "tmpfs", "none", "/forgetful")
    said = install(pi, "--anyway", "--state", "/forgetful/gnomon", code=1)
    assert "/forgetful/gnomon stands on an overlay in memory" in said


def test_games_may_be_kept_on_a_partition_of_their_own(pi: Machine) -> None:
    set_options(pi, "--simulated")
    install(pi, "--anyway", "--state", "/data/gnomon")
    machine_file = pi.read("/etc/systemd/system/gnomond.service.d/10-machine.conf")
    assert "[Unit]\nRequiresMountsFor=/data/gnomon\n" in machine_file
    assert "StateDirectory=\nReadWritePaths=/data/gnomon\nEnvironment=STATE_DIRECTORY=/data/gnomon\n" in machine_file
    assert is_active(pi)
    assert pi.path("/data/gnomon/tamsk-simulated.journal").exists()
    said = install(pi)
    assert "  done " not in said  # the folder is remembered


def test_remove_takes_everything_off_but_the_games_and_the_board(pi: Machine) -> None:
    install(pi, "remove")
    gone = ("/opt/gnomon", "/usr/local/bin/gnomond", "/etc/modules-load.d/gnomon.conf")
    assert not pi.path("/usr/local/share/man/man1/gnomond.1").is_symlink()
    units = ("/etc/systemd/system/gnomond.service", "/etc/systemd/system/gnomond-safe.service.d")
    assert [name for name in (*gone, *units) if pi.path(name).exists()] == []
    assert pi.path("/data/gnomon/tamsk-simulated.journal").exists()
    assert pi.read("/etc/gnomon/board.toml").endswith("# mine\n")
    assert not is_active(pi)
    assert "Gnomon is not installed." in install(pi, "status")


def test_purge_takes_the_games_too_and_can_be_run_again(pi: Machine) -> None:
    install(pi, "remove", "--purge")
    install(pi, "remove", "--purge")
    assert [name for name in ("/data/gnomon", "/etc/gnomon") if pi.path(name).exists()] == []
    assert pi.run("getent", "passwd", "gnomon").code == 2
