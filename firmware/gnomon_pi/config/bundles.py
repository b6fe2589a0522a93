"""Find the board descriptions and variants that are bundled with the program."""

import re
from collections.abc import Sequence
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Final

from gnomon.games.tayu.rules import EDITIONS
from gnomon_pi.config.description import BOARDS, TAYU, BoardDescription
from gnomon_pi.config.expected import DEFAULT_SIZE
from gnomon_pi.config.reading import BoardError, described

_FILE: Final = re.compile(r"([a-z]+)(\d*)(?:-([a-z0-9-]+))?\.toml")


def bundled(board: str, size: int | None = None, variant: str = "") -> BoardDescription:
    """The description that comes with the program; of Tayu's boards the one with so many squares along a side.

    Raises BoardError when there is no such board, size or variant.
    """
    name, text = bundled_text(board, size, variant)
    return described(text, name)


def bundled_text(board: str, size: int | None = None, variant: str = "") -> tuple[str, str]:
    """The file of such a description, and what it says. Raises BoardError when there is none."""
    if board not in BOARDS:
        message = f"there is no board {board!r}; there are: {', '.join(sorted(BOARDS))}"
        raise BoardError(message)
    if board != TAYU and size is not None:
        message = f"the board {board} comes in one size only: leave the size out"
        raise BoardError(message)
    if size is not None and size not in bundled_sizes():
        sizes = " and ".join(map(str, bundled_sizes()))
        message = f"no board of {size} squares a side comes with the program, only {sizes}: describe yours (--wiring)"
        raise BoardError(message)
    if variant and variant not in variants(board):
        there = ", ".join(variants(board)) or "none"
        message = f"the board {board} has no variant {variant!r}; there are: {there}"
        raise BoardError(message)
    sized = f"{board}{size}" if board == TAYU and size not in {None, DEFAULT_SIZE} else board
    name = f"{sized}-{variant}.toml" if variant else f"{sized}.toml"
    return name, (_folder() / name).read_text(encoding="utf-8")


def bundled_sizes() -> tuple[int, ...]:
    """How many squares a side Tayu's boards have that come with the program: those of the editions."""
    return tuple(edition.size for edition in EDITIONS.values())


def variants(board: str) -> Sequence[str]:
    """The names of a board's other ways to be wired; there is none of an unknown board."""
    found = (_FILE.fullmatch(file.name) for file in _folder().iterdir())
    return sorted({match[3] for match in found if match and match[1] == board and match[3]})


def _folder() -> Traversable:
    return resources.files("gnomon_pi") / "boards"
