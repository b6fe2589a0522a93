"""Write S-expressions, the form of KiCad's files."""

from typing import Final, TypeAlias
from uuid import UUID, uuid5

Node: TypeAlias = "str | int | float | tuple[Node, ...]"
"""An atom, or a list whose first atom is its name. A text is quoted unless it is a `Bare`."""

_NAMESPACE: Final = UUID("5f0c5a0e-3f6e-5d0b-9a53-0d7c2b9f6c11")


class Bare(str):
    """An atom that stands without quotes: `yes`, `smd`, `F.Cu` where KiCad writes it bare."""

    __slots__ = ()


def identity(*path: object) -> str:
    """The UUID of a thing by its path: the same board has the same ones each time."""
    return str(uuid5(_NAMESPACE, "/".join(map(str, path))))


def dump(node: Node, depth: int = 0) -> str:
    """The text of an expression: a short one on its line, a long one with a line for each part."""
    if not isinstance(node, tuple):
        return _atom(node)
    name, *parts = node
    texts = [dump(part, depth + 1) for part in parts]
    if len(texts) < 8 and not any("\n" in text for text in texts):  # noqa: PLR2004 - what fits a line
        return f"({' '.join((str(name), *texts))})"
    indent = "\n" + "\t" * (depth + 1)
    end = "\n" + "\t" * depth
    return f"({name}{indent}{indent.join(texts)}{end})"


def _atom(atom: str | float) -> str:
    if isinstance(atom, Bare):
        return str(atom)
    if isinstance(atom, str):
        return '"' + atom.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'
    return f"{round(atom, 6):.6f}".rstrip("0").rstrip(".").replace("-0", "0" if round(atom, 6) == 0 else "-0")
