"""Read the dimensions beside the models, in millimetres, and their lists."""

import ast
import csv
import operator
import re
from collections.abc import Callable, Mapping
from math import sqrt
from pathlib import Path
from typing import Final

HARDWARE: Final = Path(__file__).parents[2] / "hardware"
MODELS: Final = HARDWARE / "models"
SOURCE: Final = MODELS / "dimensions.scad"

_LENGTH: Final = re.compile(r"^(\w+) = ([^;]+);", re.MULTILINE)
_OPERATORS: Final[Mapping[type[ast.operator], Callable[[float, float], float]]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}


def value(expression: str) -> float:
    """What a sum of numbers with + - * / and sqrt comes to. Raises ValueError on anything else."""
    return _value(ast.parse(expression, mode="eval").body, {})


def lengths() -> dict[str, float]:
    """Every length. Raises ValueError on what is beyond this reader, and KeyError on a name that is not yet there."""
    known: dict[str, float] = {}
    for name, expression in _LENGTH.findall(SOURCE.read_text(encoding="utf-8")):
        known[name] = _value(ast.parse(expression, mode="eval").body, known)
    return known


def listed(name: str) -> list[dict[str, str]]:
    """The rows of a list beside the models, by the names of their columns."""
    return list(csv.DictReader((MODELS / name).read_text(encoding="utf-8").splitlines()))


def _value(node: ast.expr, known: Mapping[str, float]) -> float:
    match node:
        case ast.Constant(value=int() | float() as number):
            return float(number)
        case ast.Name(id=name):
            return known[name]
        case ast.BinOp(left=left, op=sign, right=right):
            return _OPERATORS[type(sign)](_value(left, known), _value(right, known))
        case ast.Call(func=ast.Name(id="sqrt"), args=[argument]):
            return sqrt(_value(argument, known))
        case _:
            message = f"{ast.unparse(node)} is beyond the tests: write it with + - * / and sqrt"
            raise ValueError(message)
