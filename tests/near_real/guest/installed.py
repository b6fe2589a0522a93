"""Install Gnomon under systemd, and see the service in its sandbox: start, update, rollback, safe mode.

It runs as a service of its own before gnomond.service, because it holds the board: from boot to boot it goes on with
the next chapter. In a container there are no pins, and the board is simulated: there the power is cut, too.
"""

import json
import os
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from gnomon_pi import config
from tests.near_real.guest.board_end import BoardEnd
from tests.near_real.guest.hands import set_out_tamsk
from tests.near_real.guest.looks import Looks
from tests.near_real.guest.story import Story, expect
from tests.near_real.records import CUT, DONE

STATE: Final = Path("/var/lib/near-real")
SOURCES: Final = Path("/srv")
VERSIONS: Final = Path("/opt/gnomon/versions")
CURRENT: Final = Path("/opt/gnomon/current")
BOARD: Final = Path("/etc/gnomon/board.toml")
SERVICE: Final = "gnomond.service"
SAFE: Final = "gnomond-safe.service"
DEVICES: Final = ("/dev/gpiochip0", "/dev/i2c-1", "/dev/spidev0.0", "/dev/spidev1.0")
STEPS: Final = 600  # looks at something that must come, two a second
OFFLINE: Final = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": "/srv/wheels"}


def command(*words: str, seconds: float = 1800) -> tuple[int, str]:
    """Run a command to its end; its exit code and what it said."""
    ran = subprocess.run(
        words,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        stdin=subprocess.DEVNULL,
        text=True,
        env=os.environ | OFFLINE,
        timeout=seconds,
        check=False,
    )
    print(f"$ {' '.join(words)}   [{ran.returncode}]\n{ran.stdout}", flush=True)
    return ran.returncode, ran.stdout


def install(*words: str, source: str = "first") -> tuple[int, str]:
    """Run install.sh of some sources, whose version has been built already."""
    built = SOURCES / "built" / source
    if built.exists():
        VERSIONS.mkdir(parents=True, exist_ok=True)
        built.rename(VERSIONS / built.with_suffix(".name").read_text(encoding="ascii").strip())
    return command(f"{SOURCES}/{source}/install.sh", *words)


def prop(unit: str, name: str) -> str:
    """A property of a unit."""
    return command("systemctl", "show", "--value", f"--property={name}", unit)[1].strip()


def wait_for(condition: Callable[[], bool], what: str) -> None:
    """Wait until something is so. Raises AssertionError when it does not come to be."""
    for _ in range(STEPS):
        if condition():
            return
        time.sleep(0.5)
    log = command("journalctl", "-b", "-n", "25", "--no-pager", "-o", "cat", "-u", SERVICE, "-u", SAFE)[1]
    expect(condition=False, otherwise=f"{what} did not come: {log[-800:]}")


def is_active(unit: str) -> bool:
    """Whether a unit is active."""
    return subprocess.run(["systemctl", "is-active", "--quiet", unit], check=False).returncode == 0


def page() -> str:
    """What the page answers to the question which version it is; empty while it does not."""
    try:
        with urllib.request.urlopen("http://127.0.0.1:8765/api/v1/version", timeout=20) as answer:
            return str(json.load(answer)["version"])
    except OSError:
        return ""


def first_boot(story: Story, end: BoardEnd | None) -> None:
    """Install on a machine on which the interfaces are on already."""
    wait_for(lambda: Path("/run/systemd/system").exists() and is_active("basic.target"), "the system")
    with story.checked("install.sh installs it, and the service becomes ready") as see:
        code, said = install(*(() if end else ["--simulated"]))
        see(" ".join(line.strip() for line in said.splitlines() if "ready" in line))
        expect(code == 0 and f"{SERVICE} runs and is ready" in said, said[-900:])
    if end is None:
        return
    with story.checked("config.txt says what the board needs"):
        settings = Path("/boot/firmware/config.txt").read_text(encoding="utf-8")
        expect("dtparam=spi=on" in settings.splitlines(), settings)


def second_boot(story: Story, end: BoardEnd | None) -> None:
    """The service after a restart, in its sandbox; then update, rollback and safe mode."""
    with story.checked("it starts with the machine") as see:
        wait_for(lambda: is_active(SERVICE), SERVICE)
        began, ready = (
            float(prop(SERVICE, f"{name}TimestampMonotonic")) / 1e6 for name in ("InactiveExit", "ActiveEnter")
        )
        see(f"started {began:.0f} s after the kernel, ready {ready - began:.1f} s later")
        expect(prop(SERVICE, "NRestarts") == "0", "it was restarted")
    _sandbox(story, end)
    with story.checked("the page answers") as see:
        wait_for(lambda: bool(page()), "the page")
        see(f"version {page()}")
    if end is not None:
        with story.checked("the display shows something"):
            expect(not Looks.of(end).is_dark, "everything is dark")
    with story.checked("a watchdog restarts a daemon that stands still") as see:
        pid = prop(SERVICE, "MainPID")
        command("kill", "-STOP", pid)
        wait_for(lambda: prop(SERVICE, "MainPID") not in {pid, "0"}, "another process")
        wait_for(lambda: is_active(SERVICE), SERVICE)
        see(prop(SERVICE, "NRestarts"))
    if end is not None:
        _run_doctor(story)
    _change_versions(story)
    _break_description(story)
    if end is None:
        _update_until_the_power_is_cut(story)


def remove(story: Story, _end: BoardEnd | None) -> None:
    """Take it off."""
    with story.checked("taken off, nothing of it runs"):
        code, said = install("remove")
        expect(code == 0 and not is_active(SERVICE), said[-600:])


def after_the_power_cut(story: Story, end: BoardEnd | None) -> None:
    """See that the image's own service has undone the update, and take everything off."""
    with story.checked("an update that a power cut ended is undone at the next start"):
        wait_for(lambda: is_active(SERVICE), SERVICE)
        wait_for(lambda: page() == "0.1.0", "the page of the version before")
        expect(prop(SERVICE, "NRestarts") == "0", "it was restarted")
    remove(story, end)


def _run_doctor(story: Story) -> None:
    with story.checked("doctor, as the service's user, finds pins and buses in order") as see:
        command("systemctl", "stop", SERVICE)
        _, said = command("runuser", "-u", "gnomon", "--", "gnomond", "doctor", "--wiring", str(BOARD))
        see(said.strip().splitlines()[-1])
        expect("FAULT" not in said and "Traceback" not in said, said[-900:])
        command("systemctl", "start", SERVICE)
        wait_for(lambda: is_active(SERVICE), SERVICE)


def _update_until_the_power_is_cut(story: Story) -> None:
    """Begin an update to the version that does not start, and have the power cut before that has been seen."""
    with story.checked("an update has begun"):
        command("systemd-run", "--quiet", f"{SOURCES}/broken/install.sh", "update")
        wait_for(lambda: CURRENT.readlink().name.startswith("0.1.2-"), "the new version")
    os.sync()
    print(CUT, flush=True)
    time.sleep(600)  # seconds: the power is cut


def _change_versions(story: Story) -> None:
    """Update, go back from a version that does not start, and roll back."""
    with story.checked("an update changes the version"):
        code, said = install("update", source="second")
        expect(code == 0, said[-600:])
        wait_for(lambda: page() == "0.1.1", "the new version's page")
    with story.checked("a version that does not become ready is gone back from"):
        code, said = install("update", source="broken")
        expect(code == 1 and "does not become ready; 0.1.1-" in said, said[-600:])
        wait_for(lambda: page() == "0.1.1", "the version before")
    with story.checked("a rollback goes to the version before"):
        code, said = install("rollback")
        expect(code == 0, said[-600:])
        wait_for(lambda: page() == "0.1.0", "the page of the version before")


def _break_description(story: Story) -> None:
    """Spoil what the daemon is told of its board, and mend it."""
    with story.checked("a description that is wrong ends in safe mode, which says why on the page") as see:
        right = BOARD.read_text(encoding="utf-8")
        BOARD.write_text(right.replace("latch = 25", "latch = 99"), encoding="utf-8")
        command("systemctl", "restart", "--no-block", SERVICE)
        wait_for(lambda: is_active(SAFE), SAFE)
        wait_for(lambda: b"99" in _front_page(), "a page that says why")
        BOARD.write_text(right, encoding="utf-8")
        code, _ = command("systemctl", "restart", SERVICE)
        see(f"a restart alone ends with {code}")
        command("systemctl", "reset-failed", SERVICE)
        command("systemctl", "restart", SERVICE)
        wait_for(lambda: is_active(SERVICE), SERVICE)


def _sandbox(story: Story, end: BoardEnd | None) -> None:
    """See the service from outside: its user, its rights, its devices."""
    pid = prop(SERVICE, "MainPID")
    with story.checked("the service has no rights but those to its devices") as see:
        status = dict(
            line.split(":\t", 1)
            for line in Path(f"/proc/{pid}/status").read_text(encoding="ascii").splitlines()
            if ":\t" in line
        )
        see(f"CapEff {status['CapEff']}, NoNewPrivs {status['NoNewPrivs']}, Seccomp {status['Seccomp']}")
        expect(status["Uid"].split()[0] != "0", status["Uid"])
        expect((status["CapEff"], status["NoNewPrivs"], status["Seccomp"]) == ("0" * 16, "1", "2"), status)
    if end is not None:
        with story.checked("it holds the real devices") as see:
            held = {str(each.readlink()) for each in Path(f"/proc/{pid}/fd").iterdir() if each.is_symlink()}
            see(", ".join(sorted(each for each in held if each.startswith("/dev/"))))
            expect(set(DEVICES) - {"/dev/spidev0.0"} <= held, sorted(held))
    with story.checked("systemd rates how exposed it is") as see:
        see(command("systemd-analyze", "security", "--no-pager", SERVICE)[1].strip().splitlines()[-1])


def _front_page() -> bytes:
    try:
        with urllib.request.urlopen("http://127.0.0.1:8765/", timeout=20) as answer:
            read: bytes = answer.read()
            return read
    except OSError:
        return b""


Chapter = Callable[[Story, BoardEnd | None], None]
ON_A_BOARD: Final[Sequence[Sequence[Chapter]]] = ((first_boot,), (second_boot, remove))
SIMULATED: Final[Sequence[Sequence[Chapter]]] = ((first_boot,), (second_boot,), (after_the_power_cut,))


def main(*, is_simulated: bool) -> None:
    """Go on with the chapters of this boot."""
    STATE.mkdir(exist_ok=True)
    counter = STATE / "boots"
    boot = int(counter.read_text(encoding="ascii")) if counter.exists() else 0
    counter.write_text(str(boot + 1), encoding="ascii")
    end = None if is_simulated else BoardEnd(config.load_bundled("tamsk"))
    if end is not None:
        set_out_tamsk(end, 1)
    subprocess.run(["systemd-notify", "--ready"], check=False)
    story = Story("simulated" if is_simulated else "installed")
    boots = SIMULATED if is_simulated else ON_A_BOARD
    print(f"near-real: boot {boot + 1}, up after {time.monotonic():.0f} s", flush=True)
    try:
        for chapter in boots[boot]:
            chapter(story, end)
    except BaseException as error:  # noqa: BLE001 - it is told, and the machine must end
        with story.checked("the story comes to its end"):
            raise AssertionError(repr(error)) from None
    if boot + 1 < len(boots) and not story.failures:
        command("systemctl", "--no-block", "reboot")
    else:
        print(DONE, flush=True)
        command("systemctl", "--no-block", "poweroff")
    time.sleep(600)  # seconds: the machine ends first


if __name__ == "__main__":
    main(is_simulated="simulated" in sys.argv[1:])
