"""Read and write the grammar of SGF FF[4]: game trees, nodes, properties, escapes and character sets.

The meaning of properties is in `sgf_sheets`. No library serves here: the best maintained one, sgfmill, has not
changed since 2018, does not say where a file is wrong, and its moves are those of Go.
"""

import codecs
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final, NamedTuple

from gnomon.records.formats.line_errors import LineError
from gnomon.refusals import statement

Properties = Mapping[str, tuple[str, ...]]
"""The properties of a node by name, each with its values as they stand in the file: escaped."""

# A value without an end is one token up to the end of the file, or each `[` behind it would be looked at to the end.
_TOKEN: Final = re.compile(
    r"(?P<mark>[();])|(?P<name>[A-Za-z][A-Za-z0-9]{0,63})|\[(?P<value>(?:[^\\\]]|\\.)*+)(?P<end>\]?)|(?P<other>.)",
    re.DOTALL,
)
_BEGIN: Final = re.compile(r"\(\s*;")
_CHARSET: Final = re.compile(rb"\bCA\s*\[\s*([A-Za-z0-9_:.-]{1,40})\s*\]")
_ESCAPED: Final = re.compile(r"\\(\r\n|\n\r|\r|\n|.)", re.DOTALL)
_LINE_END: Final = re.compile(r"\r\n|\n\r|\r")
_COMPOSED: Final = re.compile(r"((?:[^\\:]|\\.)*):(.*)", re.DOTALL)
_SHOWN: Final = 20  # characters of what is wrong that are shown


class SgfError(LineError):
    """A file is no SGF; `line` is the number of the line from 1."""


class Node(NamedTuple):
    """A node and the line of the file on which it begins."""

    properties: Properties
    line: int


@dataclass(slots=True)
class Tree:
    """A game tree: its own nodes, then its variations, the first of which is what was played."""

    nodes: list[Node] = field(default_factory=list)
    variations: list["Tree"] = field(default_factory=list)

    def main_line(self) -> Iterator[Node]:
        """The nodes of the game as it was played."""
        tree = self
        yield from tree.nodes
        while tree.variations:
            tree = tree.variations[0]
            yield from tree.nodes


def decode(data: bytes) -> str:
    """The text of an SGF file by its CA property; without one UTF-8, and Latin-1 where that fails (FF[4]).

    Raises SgfError for an unknown character set, and for bytes that are none of its characters.
    """
    data = data.removeprefix(codecs.BOM_UTF8)
    named = _CHARSET.search(data)
    if named is None:
        try:
            return data.decode()
        except UnicodeDecodeError:
            return data.decode("latin-1")
    charset = named[1].decode("ascii")
    try:
        return data.decode(charset)
    except (LookupError, UnicodeDecodeError) as error:
        line = data.count(b"\n", 0, error.start if isinstance(error, UnicodeDecodeError) else named.start()) + 1
        raise SgfError(line, statement("records.sgf.charset", charset=charset)) from error


def read_collection(text: str) -> list[Tree]:
    """Every game tree of a file, at least one; what stands before the first is passed over (FF[4]). Raises SgfError."""
    begin = _BEGIN.search(text)
    if begin is None:
        raise SgfError(1, statement("records.sgf.none"))
    return _Parser().read(text, begin.start())


def game_text(
    nodes: Sequence[Properties], variations: Mapping[int, Sequence[Properties]] = MappingProxyType({})
) -> str:
    """The text of a game: its nodes, whose values are escaped already, and what might have come instead of some.

    A variation stands under the number of the node, from 1, that was played instead of it; 0 is the root.
    """
    lines = [("(" if number in variations else "") + _node_text(node) for number, node in enumerate(nodes)]
    # The game as it was played comes first (FF[4]), and ends before what might have been.
    lines += [
        ")(" + "\n".join(map(_node_text, variations[number])) + ")" for number in sorted(variations, reverse=True)
    ]
    return "(" + "\n".join(lines) + "\n)\n"


def text(value: str) -> str:
    """What a value of type Text says: its escapes undone, its line ends as line feeds."""
    return _LINE_END.sub("\n", _ESCAPED.sub(lambda match: "" if match[1] in "\r\n" else match[1], value))


def simple_text(value: str) -> str:
    """What a value of type SimpleText says: all in one line, without blanks around it."""
    return text(value).replace("\n", " ").strip()


def parts(value: str) -> tuple[str, str]:
    """What the two parts of a composed value say; the second is empty where there is none."""
    match = _COMPOSED.fullmatch(value)
    return (simple_text(value), "") if match is None else (simple_text(match[1]), simple_text(match[2]))


def escape(says: str) -> str:
    """The value of type Text or SimpleText that says something."""
    return says.replace("\\", "\\\\").replace("]", "\\]")


def compose(first: str, second: str) -> str:
    """The value composed of two parts of type SimpleText, whose own colons are escaped."""
    return ":".join(escape(part).replace(":", "\\:") for part in (first, second))


class _Parser:
    """Reads game trees without recursion: a tree may be deeper than Python's stack."""

    def __init__(self) -> None:
        self._line = 1
        self._read: list[Tree] = []
        self._open: list[Tree] = []
        self._node: dict[str, tuple[str, ...]] | None = None
        self._name = ""
        self._values: list[str] = []

    def read(self, source: str, start: int) -> list[Tree]:
        """Read a collection that begins at `start`."""
        self._line += source.count("\n", 0, start)
        for token in _TOKEN.finditer(source, start):
            if token["mark"] is not None:
                if self._open or _BEGIN.match(source, token.start()):  # FF[4]: anything may stand between games
                    self._mark(token["mark"])
            elif token["name"] is not None:
                # FF[3] let small letters stand between the others; servers have digits in names of their own.
                self._check_name("".join(letter for letter in token["name"] if not letter.islower()))
            elif token["value"] is not None:
                self._value(token["value"], is_whole=bool(token["end"]))
            elif self._open and not token["other"].isspace():
                shown = source[token.start() :][:_SHOWN].partition("\n")[0]
                raise SgfError(self._line, statement("records.sgf.no_place", text=shown))
            self._line += token[0].count("\n")
        if self._open:
            raise SgfError(self._line, statement("records.sgf.cut_off"))
        return self._read

    def _mark(self, mark: str) -> None:
        self._finish_property()
        if mark == "(":
            self._begin_tree()
        elif mark == ";":
            if self._open[-1].variations:
                raise SgfError(self._line, statement("records.sgf.node_late"))
            self._node = {}
            self._open[-1].nodes.append(Node(self._node, self._line))
        else:
            if not self._open[-1].nodes:
                raise SgfError(self._line, statement("records.sgf.no_node"))
            self._open.pop()
            self._node = None

    def _begin_tree(self) -> None:
        tree = Tree()
        if self._open:
            if not self._open[-1].nodes:
                raise SgfError(self._line, statement("records.sgf.variation_early"))
            self._open[-1].variations.append(tree)
        else:
            self._read.append(tree)
        self._open.append(tree)
        self._node = None

    def _check_name(self, name: str) -> None:
        self._finish_property()
        if not self._open:
            return
        again = self._node is not None and name in self._node and name.isalpha()  # a server's own may stand twice
        if self._node is None or not name or again:
            why = statement("records.sgf.property", name=name) if name else statement("records.sgf.no_capital")
            raise SgfError(self._line, why)
        self._name = name
        self._node.setdefault(name, ())

    def _value(self, value: str, *, is_whole: bool) -> None:
        if not self._open:
            return
        if not is_whole:
            raise SgfError(self._line, statement("records.sgf.no_end", text=value[:_SHOWN]))
        if self._node is None or not self._name:
            raise SgfError(self._line, statement("records.sgf.value", text=value[:_SHOWN]))
        self._values.append(value)

    def _finish_property(self) -> None:
        if self._node is not None and self._name:
            # A server's own property may stand twice.
            values = (*self._node[self._name], *self._values)
            if not values:
                raise SgfError(self._line, statement("records.sgf.no_value", name=self._name))
            self._node[self._name] = values
        self._name = ""
        self._values = []


def _node_text(node: Properties) -> str:
    return ";" + "".join(name + "".join(f"[{value}]" for value in values) for name, values in node.items())
