"""Read the puzzles in the files of a folder: those that `gnomon puzzles` wrote beside a journal."""

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from stat import S_ISREG
from typing import Final

from gnomon.analysis.puzzles import Puzzle, load_puzzles

_MOST: Final = 500
_LARGEST: Final = 4 << 20  # bytes of a file: some thousands of puzzles


def read_puzzles(folder: Path) -> Mapping[str, Puzzle]:
    """The puzzles in the files of a folder by what they are called; a file that holds none is left out."""
    found: dict[str, Puzzle] = {}
    for path, size, _ in puzzle_files(folder):
        if size > _LARGEST:
            continue
        with suppress(OSError, ValueError, RecursionError):  # the last for lists in lists in lists
            for puzzle in load_puzzles(json.loads(path.read_bytes())):
                if len(found) < _MOST:
                    found[puzzle.number] = puzzle
    return found


def puzzle_files(folder: Path) -> Sequence[tuple[Path, int, int]]:
    """The files that may hold puzzles, with sizes and times: no links that lead nowhere, and no pipes."""
    found = []
    for path in sorted(folder.glob("*.json")):
        with suppress(OSError):
            status = path.stat()
            if S_ISREG(status.st_mode):
                found.append((path, status.st_size, status.st_mtime_ns))
    return found
