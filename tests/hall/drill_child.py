"""Start the processes of the drill, send them orders, hear their answers, and kill them."""

import json
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Thread
from typing import Final

PATIENCE: Final = 60.0
"""Seconds after which something that should have happened is not happening: a bound, never waited for."""
_LAST_WORDS: Final = 2000  # letters of what it wrote of its end

Said = Mapping[str, object]
"""One line of a process."""


class ChildError(AssertionError):
    """A process of the drill has failed; the sentence says what it wrote."""


@dataclass
class Child:
    """A process of the drill, which is given orders and says things, a line each."""

    name: str
    command: Sequence[str]
    hear: Callable[[Said], None]
    errors: Path
    may_be_gone: bool = True
    process: "subprocess.Popen[str] | None" = None
    reader: Thread | None = None

    @property
    def is_alive(self) -> bool:
        """Whether it runs."""
        return self.process is not None and self.process.poll() is None

    def start(self) -> None:
        """Start it, once more if need be."""
        with self.errors.open("a", encoding="utf-8") as errors:
            self.process = subprocess.Popen(
                [sys.executable, "-m", *self.command],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
            )
        self.may_be_gone = False
        self.reader = Thread(target=self._read, args=(self.process,), name=self.name, daemon=True)
        self.reader.start()

    def order(self, line: str) -> None:
        """Tell it something, where it is there."""
        if self.process is not None and self.process.stdin is not None:
            with suppress(BrokenPipeError):
                self.process.stdin.write(line + "\n")
                self.process.stdin.flush()

    def kill(self) -> None:
        """End it with no time for anything; what it had said before is heard."""
        self._signal(signal.SIGKILL)
        self._gone()

    def freeze(self) -> None:
        """Let it stand still, with its connections open, until `thaw`."""
        self._signal(signal.SIGSTOP)

    def thaw(self) -> None:
        """Let it go on after `freeze`."""
        self._signal(signal.SIGCONT)

    def dismiss(self) -> None:
        """Let it end by itself: there are no more orders."""
        self.may_be_gone = True
        if self.process is not None and self.process.stdin is not None:
            with suppress(BrokenPipeError):
                self.process.stdin.close()

    def end(self) -> None:
        """Wait for its end. Raises ChildError when it fails."""
        if self.process is None:
            return
        code = self.process.wait(PATIENCE)
        self._gone()
        if code != 0:
            message = f"{self.name} ended with {code}: {self.errors.read_text(encoding='utf-8')[-_LAST_WORDS:]}"
            raise ChildError(message)

    def stop(self) -> None:
        """Let nothing of it be left, whatever has happened."""
        if self.is_alive:
            self.kill()

    def check(self) -> None:
        """Raise ChildError when it has ended by itself."""
        if not self.may_be_gone and not self.is_alive:
            message = f"{self.name} ended by itself: {self.errors.read_text(encoding='utf-8')[-_LAST_WORDS:]}"
            raise ChildError(message)

    def _signal(self, which: signal.Signals) -> None:
        if self.process is not None:
            self.may_be_gone = self.may_be_gone or which is signal.SIGKILL
            self.process.send_signal(which)

    def _gone(self) -> None:
        if self.process is None or self.process.stdin is None or self.reader is None:
            return
        self.process.wait(PATIENCE)
        self.reader.join(PATIENCE)
        with suppress(BrokenPipeError):
            self.process.stdin.close()

    def _read(self, process: "subprocess.Popen[str]") -> None:
        if process.stdout is None:
            return
        for line in process.stdout:
            if line.endswith("\n"):  # a killed process may have said half a sentence
                self.hear(json.loads(line))
        process.stdout.close()
