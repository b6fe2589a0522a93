"""How much memory an engine takes: its process when it is ready, and at most while it has thought.

Each engine of ours is started as a board starts it, and thinks about one move at its highest level.
Run it with `python -m tests.bench.engine_memory`.
"""

import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Final

from gnomon.engines.plugins import own_plugin
from tests.bench import _figures

#: By game: the moves before the one that is thought about. A tile or a throw is nobody's choice.
BEFORE: Final = {"tamsk": "", "tabik": "", "tau": "", "tayu": " moves draw:015", "twenty-squares": " moves throw:1"}
KIBIBYTE: Final = 1024


def megabytes(process: int, name: str) -> str:
    """A figure of a process, as Linux counts it."""
    lines = Path(f"/proc/{process}/status").read_text("utf-8").splitlines()
    kibibytes = next(int(line.split()[1]) for line in lines if line.startswith(f"{name}:"))
    return f"{kibibytes * KIBIBYTE / 1e6:5.1f} MB"


def wait_for(answers: IO[str], word: str) -> None:
    """Read on until a line begins with that word."""
    next(line for line in answers if line.startswith(word))


def figures(limit: str) -> Iterator[tuple[str, str]]:
    """What the engine of each game takes."""
    for game, moves in BEFORE.items():
        with subprocess.Popen(
            own_plugin(game).command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        ) as engine:
            assert engine.stdin is not None
            assert engine.stdout is not None
            engine.stdin.write("ugi\nisready\n")
            wait_for(engine.stdout, "readyok")
            ready = megabytes(engine.pid, "VmRSS")
            engine.stdin.write(f"position startpos{moves}\ngo{limit}\n")
            wait_for(engine.stdout, "bestmove")
            yield game, f"ready {ready}  most {megabytes(engine.pid, 'VmHWM')}"
            engine.stdin.write("quit\n")


def main() -> None:
    """Measure, and print."""
    arguments = _figures.parser(__doc__ or "").parse_args()
    _figures.say_machine()
    for game, figure in figures(" nodes 100" if arguments.quick else ""):
        _figures.say(f"engine of {game}", figure)


if __name__ == "__main__":
    main()
