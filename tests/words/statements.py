"""Find in the programs what they state, refuse and report: every call of `statement`, and every raise."""

import ast
import builtins
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final, NamedTuple, TypeVar

import gnomon
from gnomon.refusals import Statement
from gnomon.timekeeping.instants import Instant
from tests.bench.house import parsed

ShownT = TypeVar("ShownT")
ROOT: Final = Path(gnomon.__file__).parents[2]


def in_english(told: Iterable[Statement]) -> tuple[str, ...]:
    """What is told, as people read it in English."""
    return tuple(each.message for each in told)


def as_stated(scene: tuple[ShownT, Instant, tuple[str, ...]]) -> tuple[ShownT, Instant, tuple[Statement, ...]]:
    """A game at an instant, with what is wrong with the machine as a board tells it."""
    game, now, health = scene
    return game, now, tuple(map(Statement.plain, health))


class Stated(NamedTuple):
    """A call of `statement` in a program: its keys (two, where an `if` chooses), and what it hands over by name."""

    where: str
    keys: tuple[str, ...]
    values: frozenset[str]
    codes: frozenset[str]
    rules: tuple[int, ...]
    error: str
    """The error that is raised with it at once; empty where it is handed on."""


def files(*folders: str) -> list[Path]:
    """The programs in some folders, or those files themselves."""
    paths = [ROOT / folder for folder in folders]
    found = sorted(file for path in paths for file in (path.rglob("*.py") if path.is_dir() else [path]))
    assert found
    return found


def stated(file: Path) -> Iterator[Stated]:
    """Every call of `statement` in a program."""
    if "statement(" not in file.read_text(encoding="utf-8"):
        return  # two programs of three: to go through their trees takes seconds
    errors = {id(why): error for error, why, _ in _raised(file)}
    for node in ast.walk(parsed(file)):
        match node:
            case ast.Call(func=ast.Name(id="statement"), args=[key], keywords=named):
                keys = tuple(_texts(key))
                given = frozenset(each.arg or "" for each in named)
                short = [text for each in named if each.arg == "short" for text in _texts(each.value)]
                codes = frozenset(short or (key.rpartition(".")[2] for key in keys))
                cited = [each.value for each in named if each.arg == "rules" and isinstance(each.value, ast.Tuple)]
                rules = tuple(rule for each in cited for part in each.elts for rule in _numbers(part))
                where = f"{file.relative_to(ROOT)}:{node.lineno}"
                yield Stated(where, keys, given - {"rules", "short"}, codes, rules, errors.get(id(node), ""))
            case _:
                pass


def _texts(node: ast.expr) -> Iterator[str]:
    match node:
        case ast.Constant(value=str(text)):
            yield text
        case ast.IfExp(body=one, orelse=other):
            yield from (*_texts(one), *_texts(other))
        case _:
            pass


def _numbers(node: ast.expr) -> Iterator[int]:
    match node:
        case ast.Constant(value=int(number)):
            yield number
        case _:
            pass


def raised(file: Path, *, built_in: bool = True) -> Iterator[tuple[str, ast.expr]]:
    """Where something is raised in a program, and what is handed to the error; or only where it is one of ours."""
    for error, why, line in _raised(file):
        if built_in or not hasattr(builtins, error):
            yield f"{file.relative_to(ROOT)}:{line}", why


def _raised(file: Path) -> Iterator[tuple[str, ast.expr, int]]:
    for node in ast.walk(parsed(file)):
        match node:
            case ast.Raise(exc=ast.Call(func=ast.Name(id=error), args=[why, *_])):
                yield error, why, node.lineno
            case _:
                pass
