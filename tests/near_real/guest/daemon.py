"""Run gnomond as it is installed, on the kernel's own devices, and ask it what it shows."""

import http.client
import json
import re
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, NamedTuple, Self

from gnomon.records.bundles import Bundle, bundle
from gnomon.records.journal.writer import Journal

HOST: Final = "127.0.0.1"
PORT: Final = 8765
BEGINS_WITHIN: Final = 180
ENDS_WITHIN: Final = 60


class Thread(NamedTuple):
    """How long a thread has run, in nanoseconds, and how often it has gone to sleep."""

    ran: int
    slept: int

    @classmethod
    def of(cls, task: Path) -> Self:
        """What the kernel has booked for a thread."""
        status = (task / "status").read_text(encoding="ascii")
        slept = re.search(r"^voluntary_ctxt_switches:\s*(\d+)", status, re.MULTILINE)
        return cls(int((task / "schedstat").read_text(encoding="ascii").split()[0]), int(slept[1]) if slept else 0)


class Daemon:
    """A gnomond that runs, and what it has written."""

    def __init__(self, process: "subprocess.Popen[bytes]", folder: Path, began: float) -> None:
        self.process = process
        self.journal = folder / "journal"
        self.seconds_to_page = 0.0
        self._announced = folder / "announced"
        self._log = folder / "log"
        self._began = began

    def wait_for_page(self) -> None:
        """Wait until the page answers. Raises AssertionError when it does not."""
        while self.process.poll() is None and time.monotonic() - self._began < BEGINS_WITHIN:
            try:
                self.ask("version")
            except OSError:
                time.sleep(0.2)
            else:
                self.seconds_to_page = time.monotonic() - self._began
                return
        message = f"the page does not answer: {self.log[-600:]}"
        raise AssertionError(message)

    @property
    def log(self) -> str:
        """What it has told its user."""
        return self._log.read_text(encoding="utf-8")

    @property
    def rulings(self) -> list[dict[str, Any]]:
        """Every ruling that it has announced."""
        lines = self._announced.read_text(encoding="utf-8").splitlines()
        return [told["ruling"] for told in map(json.loads, lines) if "ruling" in told]

    def ask(self, address: str) -> Any:  # noqa: ANN401 - whatever the API answers
        """What the API answers. Raises OSError while nobody does."""
        connection = http.client.HTTPConnection(HOST, PORT, timeout=30)
        try:
            connection.request("GET", f"/api/v1/{address}")
            return json.load(connection.getresponse())
        finally:
            connection.close()

    def wrong(self) -> str:
        """What the page tells an arbiter is wrong; empty when all is well."""
        health = self.ask("health")
        return "" if health["well"] else "; ".join(health["wrong"])

    def wait_until(self, is_so: Callable[[str], bool], seconds: float) -> str:
        """What the page says is wrong once that is as it should be, or after so many seconds."""
        until, said = time.monotonic() + seconds, self.wrong()
        while time.monotonic() < until and not is_so(said):
            time.sleep(0.3)
            said = self.wrong()
        return said

    def threads(self) -> dict[str, Thread]:
        """What every thread has cost so far, by its number."""
        tasks = Path(f"/proc/{self.process.pid}/task").iterdir()
        return {task.name: Thread.of(task) for task in tasks}

    def stop(self) -> int:
        """Stop it in order; its exit code."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(ENDS_WITHIN)

    def record(self) -> Bundle:
        """What the journal holds of the last game; the daemon must have stopped."""
        with Journal.open(self.journal) as journal:
            stored = journal.last_game()
            assert stored is not None
            return bundle(stored, journal.read(stored.id))


@contextmanager
def daemon(folder: Path, *options: str) -> Iterator[Daemon]:
    """Run gnomond with a journal in a new folder; it ends with the block."""
    folder.mkdir(parents=True)
    command = ["gnomond", *options, "--journal", str(folder / "journal"), "--announce"]
    with (folder / "announced").open("wb") as announced, (folder / "log").open("wb") as log:
        began = time.monotonic()
        with subprocess.Popen(command, stdout=announced, stderr=log, cwd=folder) as process:
            try:
                running = Daemon(process, folder, began)
                running.wait_for_page()
                yield running
            finally:
                process.kill()


def run(words: Sequence[str], *, folder: Path, seconds: float = 200) -> tuple[int, str]:
    """Run a command to its end; its exit code and what it said."""
    ran = subprocess.run(
        words,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        stdin=subprocess.DEVNULL,
        text=True,
        timeout=seconds,
        cwd=folder,
        check=False,
    )
    return ran.returncode, ran.stdout
