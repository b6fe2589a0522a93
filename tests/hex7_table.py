"""Play the sixth game where it is installed: in this process, by commands, and at a simulated table."""

import os
import re
import select
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from gnomon.referee.events import TurnEntered
from gnomon.referee.game import Game
from gnomon.referee.games import begin, tell
from gnomon.timekeeping.instants import SECOND, Instant

ROOT = Path(__file__).parents[1]
WON = ("d4", "a1", "d3", "a2", "d2", "a3", "d1", "a4", "c5", "a5", "c6", "b5", "b7")
PATIENCE = 30.0  # seconds; a bound for a machine in trouble, never waited for


def played(*texts: str, **people: str) -> Game:
    game = begin("hex7", {}, players=people)
    for number, text in enumerate(texts, 1):
        game, _ = tell(game, TurnEntered(Instant(number * SECOND), text, "Ann"))
    return game


def run(site: Path, *command: str, said: str = "") -> str:
    """A command in a process of its own, which finds the game by its entry point."""
    told = subprocess.run(
        [sys.executable, *command],
        cwd=site,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(site), str(ROOT)])},
        input=said,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert told.returncode == 0, told.stdout + told.stderr
    return told.stdout


@contextmanager
def daemon(site: Path, folder: Path, *options: str) -> Iterator[str]:
    """A simulated table with the game, as a process; gives the address of its pages."""
    program = "from gnomon_pi.cli.daemon import main; main()"
    with subprocess.Popen(
        [
            *(sys.executable, "-c", program, "--board=table", "--simulated", "--game=hex7", "--port=0"),
            *options,
            f"--journal={folder / 'journal.db'}",
        ],
        env={**os.environ, "PYTHONPATH": str(site)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as process:
        assert process.stdout is not None
        said = ""
        try:
            while not (found := re.search(r"http://127\.0\.0\.1:\d+", said)):
                ready, _, _ = select.select([process.stdout], [], [], PATIENCE)
                line = process.stdout.readline() if ready else ""
                assert line, f"gnomond gave no address, but said: {said}"
                said += line
            yield found[0]
            process.send_signal(signal.SIGTERM)
            process.communicate(timeout=PATIENCE)
        finally:
            process.kill()
