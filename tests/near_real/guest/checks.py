"""Check what several stories have in common: doctor, turns, faults, stamps, and how the daemon stops."""

import json
import os
import signal
import subprocess
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

from gnomon.records.bundles import Bundle
from gnomon.records.replay import _start, _steps
from gnomon.referee.events import InputChanged
from gnomon.referee.game import Game
from gnomon_pi.config.description import Chain, OnI2c
from tests.near_real.guest.board_end import BoardEnd
from tests.near_real.guest.daemon import Daemon, Thread, run
from tests.near_real.guest.hands import Turns
from tests.near_real.guest.looks import Looks, expect_views
from tests.near_real.guest.story import Story, expect

FOLDER: Final = Path("/tmp/stories")  # noqa: S108 - the machine is ours alone and gone afterwards
# What an emulated machine cannot be asked: it is no Raspberry Pi, nobody has set its date, and its clock is QEMU's.
NOT_JUDGED: Final = frozenset(
    {"model", "system", "load", "temperature", "raw clock", "date", "service", "scan time", "memory", "file system"}
    | {"supply", "config.txt", "space", "disk", "kernel log"}
)
# The clock of a bus is said by the device tree, which the relay has no part of.
NOT_SAID: Final = frozenset({"doctor.i2c.slow", "doctor.i2c.picture"})
PROMPT_US: Final = 2_000  # between the edge of a button and the kernel's stamp of it
IDLE: Final = 10  # seconds
MOST_IDLE: Final = 10  # percent of a core that executes an instruction a nanosecond
STOPPED: Final = 0.4  # seconds for which the daemon stands still
PATIENCE: Final = 40  # seconds: the daemon shows everything again each half minute
ARBITER: Final = "button.arbiter"


def doctor_is_content(story: Story, end: BoardEnd, *options: str) -> None:
    """Run doctor on a board that nobody has used since it was switched on."""
    with story.checked("doctor finds nothing wrong with a healthy board just after power-up") as see:
        findings = examine(*options)
        bad = [
            each
            for each in findings
            if each["mark"] in {"warning", "FAULT"}
            and each["subject"] not in NOT_JUDGED
            and each["code"] not in NOT_SAID
        ]
        see(f"{len(findings)} findings, {end.transfers}")
        expect(not bad, [f"{each['subject']}: {each['found']}" for each in bad])


def examine(*options: str) -> list[dict[str, Any]]:
    """What doctor finds; its words are shown where it says none in JSON."""
    _, said = run(["gnomond", "doctor", "--json", "--scans", "100", *options], folder=new_folder("doctor"))
    start = said.find("{")
    expect(start == 0, f"doctor says: {said[:600]}")
    findings: list[dict[str, Any]] = json.loads(said)["findings"]
    return findings


def pin_is_held(story: Story, end: BoardEnd) -> None:
    """Have another program hold the latch."""
    sensors = end.description.sensors
    assert isinstance(sensors, Chain)
    with story.checked("a pin that another program holds is named, and who holds it") as see:
        latch = sensors.latch
        holder = subprocess.Popen(["gpioset", "--mode=signal", "gpiochip0", f"{latch}=1"])
        try:
            time.sleep(1)
            told = [f"{each['subject']}: {each['found']}" for each in examine("--board", "tamsk")]
        finally:
            holder.kill()
            holder.wait()
        named = [each for each in told if "gpioset" in each and f"GPIO {latch}" in each]
        expect(named, told)
        see(named[0])


def user_without_groups(story: Story) -> None:
    """Start the daemon as somebody who may use nothing."""
    with story.checked("a user outside the groups is told which one is missing") as see:
        folder = new_folder("nobody")
        os.chown(folder, 65534, 65534)
        for device in ("gpiochip0", "i2c-1", "spidev0.0", "spidev1.0"):
            Path("/dev", device).chmod(0o660)
        command = ["runuser", "-u", "nobody", "--", "env", f"HOME={folder}", "gnomond", "--board", "tamsk", "--no-page"]
        code, said = run([*command, "--journal", str(folder / "journal")], folder=folder)
        see(said.strip()[-200:])
        expect(code != 0, "it started")
        expect("usermod -aG gpio" in said and "Traceback" not in said, said)


def idle_is_told(story: Story, running: Daemon) -> None:
    """Say what the daemon costs while nobody touches the board, and which part is that of the pins' library."""
    with story.checked("an idle daemon leaves most of the processor alone") as see:
        before = running.threads()
        time.sleep(IDLE)
        after = running.threads()
        none = Thread(0, 0)
        cost = {name: each.ran - before.get(name, none).ran for name, each in after.items()}
        # lgpio's own thread looks for edges every half millisecond; no other sleeps nearly as often.
        slept = {name: each.slept - before.get(name, none).slept for name, each in after.items()}
        restless = max(slept, key=lambda name: slept[name])
        whole, part = (100 * ran / (IDLE * 1_000_000_000) for ran in (sum(cost.values()), cost[restless]))
        see(f"{whole:.1f} %, {part:.1f} % of it a thread that sleeps {slept[restless] / IDLE:.0f} times a second")
        expect(whole < MOST_IDLE, f"{whole:.1f} %")


def display_is_unplugged(story: Story, end: BoardEnd, running: Daemon) -> None:
    """Unplug the display, pause the game, plug it in again, and go on."""
    wires = end.description.display.wires if end.description.display else None
    assert isinstance(wires, OnI2c)
    with story.checked("an unplugged display is said to be wrong, by its address, and nothing else stops") as see:
        end.unplugged.add(wires)
        press(end, ARBITER)
        said = running.wait_until(lambda said: "isplay" in said, PATIENCE)
        see(said)
        expect(f"0x{wires.address:02X}" in said, "the page does not name it")
    with story.checked("plugged in again it shows the game") as see:
        end.board.brown_out_display()
        end.unplugged.clear()
        said = running.wait_until(lambda said: "isplay" not in said, PATIENCE)
        expect("isplay" not in said, said)
        press(end, ARBITER)
        time.sleep(1)
        expect(not Looks.of(end).is_dark, "it is dark")


def chain_is_broken(story: Story, end: BoardEnd, running: Daemon) -> None:
    """Break the chain in the middle, and mend it."""
    with story.checked("a broken chain is said to be wrong, and mended it goes on") as see:
        end.board.break_sensors(7, 1)
        said = running.wait_until(lambda said: "ensor" in said, PATIENCE)
        see(said)
        expect("ensor" in said, "the page says nothing of it")
        end.board.mend()
        said = running.wait_until(lambda said: not said, PATIENCE)
        expect(not said, said)


def press(end: BoardEnd, button: str) -> list[int]:
    """Press a button and let it go; the instants of its edges."""
    pressed = []
    for value in (True, False):
        pressed.append(end.set_input(button, value=value))
        time.sleep(0.1)
    return pressed


def press_while_stopped(story: Story, end: BoardEnd, running: Daemon, *, pause_only: bool = False) -> list[int]:
    """Press the arbiter's button while the daemon stands still, and once more; the instants of the edges.

    With `pause_only` it is not pressed again, and the game stays paused.
    """
    pressed: list[int] = []
    with story.checked("the arbiter presses while the daemon stands still"):
        running.process.send_signal(signal.SIGSTOP)
        pressed += press(end, ARBITER)
        time.sleep(STOPPED)
        running.process.send_signal(signal.SIGCONT)
        time.sleep(2)
        if not pause_only:
            pressed += press(end, ARBITER)
    return pressed


def stop(story: Story, end: BoardEnd, running: Daemon, *, is_well: bool = True) -> Bundle | None:
    """Stop the daemon, and compare what it showed with what it wrote; its record.

    Unless all `is_well`, the display shows by turns what is not, and is not compared.
    """
    shown = Looks.of(end)
    record: Bundle | None = None
    with story.checked("it stops in order, and leaves everything dark") as see:
        code = running.stop()
        see(f"exit code {code}")
        expect(code == 0, running.log[-600:])
        expect("Traceback" not in running.log, running.log[-900:])
        expect(Looks.of(end).is_dark, "something still shines")
    if not is_well:
        return None
    with story.checked("display and lights showed what the views make of the recorded game"):
        record = running.record()
        expect_views(shown, end.description, last_of(record), record.until)
    return record


def last_of(record: Bundle) -> Game:
    """The game as it stood in the end, a pause included."""
    *_, last = _steps(_start(record), record)
    return last.game


def stamps_are_the_kernels(story: Story, record: Bundle | None, pressed: Sequence[int]) -> None:
    """Compare the stamps of the arbiter's button with the instants at which it was pressed."""
    with story.checked("the kernel stamped the button when it was pressed, not when that was read") as see:
        expect(record is not None, "there is no record")
        happenings = () if record is None else record.happenings
        edges = [each.at for each in happenings if isinstance(each, InputChanged) and each.input == ARBITER]
        stamps = edges[-len(pressed) :]
        expect(len(stamps) == len(pressed) > 0, f"{len(stamps)} edges for {len(pressed)}")
        apart = [
            abs((stamp - stamps[0]) - (at - pressed[0]) // 1000) for stamp, at in zip(stamps, pressed, strict=True)
        ]
        see(f"{max(apart)} µs apart at most")
        expect(max(apart) < PROMPT_US, apart)


def expect_turns(running: Daemon, played: Turns, see: Callable[[object], None], *, asks: bool = False) -> None:
    """Expect the turns that were played, and no ruling that something was wrong; a game may be one that `asks`."""
    rulings = running.rulings
    ruled = [
        (each["player"], each["text"] if each["ruling"] == "turn" else "lost")
        for each in rulings
        if each["ruling"] in {"turn", "lost"}
    ]
    see(f"{len(ruled)} of {len(played)}")
    expect(ruled == played, f"ruled {ruled}, played {played}")
    bad = [each for each in rulings if each["ruling"] in {"fault", "illegal", *(() if asks else ("ask",))}]
    expect(not bad, bad)


def new_folder(name: str) -> Path:
    """A folder for a command, made when there is none."""
    folder = FOLDER / name
    folder.mkdir(parents=True, exist_ok=True)
    return folder
