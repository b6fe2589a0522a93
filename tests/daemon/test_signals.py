"""What runs for long ends in order, whatever tells it to end: all is closed, and nothing half is left."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread

import pytest
from click.testing import CliRunner

from gnomon.cli.signals import KILLS, closing_on_end
from gnomon_pi.cli.daemon import main
from gnomon_pi.config import bundled_text

TOLD = (signal.SIGINT, *KILLS)
PATIENCE = 60.0  # seconds; a bound for a machine in trouble, never waited for


@contextmanager
def started(*command: str, **environment: str) -> Iterator[subprocess.Popen[str]]:
    """A command as a process of its own; killed in the end if it still runs."""
    entry = "gnomon_pi.cli.daemon" if command[0] == "gnomond" else "gnomon.cli"
    program = f"from {entry} import main; main()"
    with subprocess.Popen(
        [sys.executable, "-c", program, *command[1:]],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | environment,
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def ended(process: subprocess.Popen[str], number: int) -> tuple[int, str, str]:
    process.send_signal(number)
    out, errors = process.communicate(timeout=PATIENCE)
    return process.returncode, out, errors


def by_signal(number: int) -> Sequence[object]:
    """How a program ends that was told to: by the signal itself, which click does for Ctrl+C in its own way."""
    return (1, "\nAborted!\n") if number == signal.SIGINT else (-number, "")


@pytest.fixture
def wired(tmp_path: Path) -> Path:
    """A table whose buttons and buzzer are wired to pins that only pretend."""
    path = tmp_path / "mine.toml"
    text = bundled_text("table")[1].replace('pins = "lgpio"', 'pins = "mock"')
    path.write_text(text[: text.index("[display]")])
    return path


@pytest.mark.parametrize("number", TOLD)
def test_a_report_that_was_not_finished_leaves_no_empty_file(tmp_path: Path, number: int) -> None:
    out = tmp_path / "report.md"
    with started("gnomond", "accuracy", "--simulated", "--minutes=60", f"--out={out}") as process:
        assert process.stderr is not None
        assert process.stderr.readline().startswith("Watching the board")
        code, _, errors = ended(process, number)
    assert (code, errors) == by_signal(number)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("number", TOLD)
def test_the_doctor_leaves_no_folder_behind(tmp_path: Path, number: int) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    with started("gnomond", "doctor", "--simulated", "--scans=100000", TMPDIR=str(temporary)) as process:
        until = time.monotonic() + PATIENCE
        # Python first tries the place with a short-lived file, and the maker of a folder has to be told its name.
        while not any(each.is_dir() for each in temporary.iterdir()) and time.monotonic() < until:
            time.sleep(0.01)
        time.sleep(0.2)
        code, _, errors = ended(process, number)
    assert (code, errors) == by_signal(number)
    assert list(temporary.iterdir()) == []


@pytest.mark.parametrize("number", TOLD)
def test_a_calibration_ends_and_says_what_is_not_measured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    def measure(_description: object, _wish: object, _say: object, stop: Event, _words: object) -> None:
        signal.raise_signal(number)
        assert stop.is_set()

    before = {each: signal.getsignal(each) for each in TOLD}
    monkeypatch.setattr("gnomon_pi.cli.calibrate.measure", measure)
    try:
        result = CliRunner().invoke(main, ["calibrate", f"--calibration={tmp_path / 'durations.toml'}"])
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)
    assert (result.exit_code, result.stderr[:14]) == (1, "Not measured: ")


@pytest.mark.parametrize("number", TOLD)
def test_a_walk_keeps_what_was_learnt(tmp_path: Path, wired: Path, number: int) -> None:
    out = tmp_path / "out.toml"
    with started("gnomond", "walk", f"--wiring={wired}", f"--out={out}") as process:
        assert process.stdout is not None
        assert process.stdout.readline()
        code, _, errors = ended(process, number)
    assert (code, errors) == (0, "")
    assert out.exists()


@pytest.mark.parametrize("number", TOLD)
def test_safe_mode_ends_in_order(tmp_path: Path, wired: Path, number: int) -> None:
    arguments = (f"--wiring={wired}", f"--state={tmp_path}", "--port=0", "--why=A test.")
    with started("gnomond", "safe", *arguments) as process:
        assert process.stdout is not None
        assert process.stdout.readline().startswith("Safe mode on http")
        assert ended(process, number) == (0, "", "")


@pytest.mark.parametrize("number", TOLD)
def test_the_rules_end_at_once(number: int) -> None:
    with started("gnomon", "rules", "tabik") as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write("moves\n")
        process.stdin.flush()
        assert process.stdout.readline()
        code, _, errors = ended(process, number)
    assert (code, errors) == by_signal(number)


def test_what_is_ignored_stays_ignored_and_everything_is_put_back() -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with closing_on_end():
            assert signal.getsignal(signal.SIGHUP) == signal.SIG_IGN
            assert callable(signal.getsignal(signal.SIGTERM))
        assert signal.getsignal(signal.SIGTERM) == signal.SIG_DFL
    finally:
        signal.signal(signal.SIGHUP, before)


def test_a_thread_hears_of_no_signal_and_sets_none() -> None:
    heard: list[object] = []

    def run() -> None:
        with closing_on_end():
            heard.append(signal.getsignal(signal.SIGTERM))

    thread = Thread(target=run)
    thread.start()
    thread.join()
    assert heard == [signal.SIG_DFL]
