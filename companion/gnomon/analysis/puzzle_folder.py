"""Read the puzzles of a board: those made from the games of its journal, and files that somebody put beside them."""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from stat import S_ISREG
from typing import Final, NamedTuple

from gnomon.analysis.puzzles import Puzzle, load_puzzles

_MOST: Final = 500
_LARGEST: Final = 4 << 20  # bytes of a file: some thousands of puzzles
_REMEMBERED: Final = 256  # files; each puzzle is played again when it is read


class KeptPuzzle(NamedTuple):
    """A puzzle, and the key of the journal's game that it was made from; empty where a file does not say."""

    puzzle: Puzzle
    source: str = ""


def read_puzzles(folder: Path) -> Mapping[str, KeptPuzzle]:
    """The puzzles of a board by what they are called, those of its own latest games first.

    `folder` is that of the board's journal: in it each file is named after a game. Files around it are no journal's. A
    file that holds no puzzles is left out.
    """
    made = sorted(_files(folder), key=lambda each: each[2], reverse=True)
    around = [(each, "") for each in _files(folder.parent)]
    found: dict[str, KeptPuzzle] = {}
    for file, source in [*((each, each[0].name.rpartition("-")[0]) for each in made), *around]:
        for puzzle in _load(*file):
            if len(found) < _MOST:
                found.setdefault(puzzle.number, KeptPuzzle(puzzle, source))
    return found


_File = tuple[Path, int, int]


def _files(folder: Path) -> Iterator[_File]:
    """The files that may hold puzzles, with sizes and times: no links that lead nowhere, and no pipes."""
    for path in sorted(folder.glob("*.json")):
        with suppress(OSError):
            status = path.stat()
            if S_ISREG(status.st_mode):
                yield path, status.st_size, status.st_mtime_ns


@lru_cache(maxsize=_REMEMBERED)
def _load(path: Path, size: int, _: int) -> Sequence[Puzzle]:
    """The puzzles of a file as it was at that time."""
    if size > _LARGEST:
        return ()
    with suppress(OSError, ValueError, RecursionError):  # the last for lists in lists in lists
        return load_puzzles(json.loads(path.read_bytes()))
    return ()
