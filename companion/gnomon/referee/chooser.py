"""Let players pick a legal move part by part with four buttons.

A canonical text is cut into parts (letters, a number, a sign) and an empty one that ends it; the buttons step through
the parts that some legal move has at this place, go in, and go back. A part on which all moves agree is skipped.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from gnomon.numbers import natural_order
from gnomon.referee.replacement import replace

_PARTS = re.compile(r"[0-9]+|[A-Za-z]+|[^0-9A-Za-z]")


@dataclass(frozen=True)
class Chooser:
    """A choice among texts as far as it has been made: `parts` are chosen, `cursor` stands on one of `options`."""

    texts: tuple[str, ...]
    parts: tuple[str, ...] = ()
    cursor: int = 0

    @classmethod
    def among(cls, texts: Sequence[str]) -> Self:
        """A choice that begins on the first part in which the texts differ."""
        return cls(tuple(texts)).skip_settled()

    @property
    def options(self) -> tuple[str, ...]:
        """The parts that may come next, in order: numbers by value, letters by the alphabet."""
        depth = len(self.parts)
        return tuple(sorted({parts[depth] for parts in self._matches() if len(parts) > depth}, key=natural_order))

    @property
    def complete_text(self) -> str | None:
        """The text, once every part of it has been chosen."""
        return "".join(self.parts) if self.parts and not self.parts[-1] else None

    @property
    def begun(self) -> tuple[str, ...]:
        """The texts that begin with what has been chosen; none where all of them do, or none has been chosen."""
        texts = tuple(map("".join, self._matches()))
        return texts if len(texts) < len(self.texts) else ()

    @property
    def preview(self) -> str:
        """What has been chosen with the part under the cursor."""
        options = self.options
        return "".join(self.parts) + (options[self.cursor] if options else "")

    def next(self) -> Self:
        """The cursor one option on, round and round."""
        return self._move_cursor(1)

    def previous(self) -> Self:
        """The cursor one option back, round and round."""
        return self._move_cursor(-1)

    def enter(self) -> Self:
        """The option under the cursor chosen, and every part after it that leaves no choice."""
        options = self.options
        if not options:
            return self
        return replace(self, parts=(*self.parts, options[self.cursor]), cursor=0).skip_settled()

    def back(self) -> Self:
        """The last choice undone; the cursor stands where it stood."""
        parts = list(self.parts)
        while parts:
            last = parts.pop()
            before = replace(self, parts=tuple(parts), cursor=0)
            options = before.options
            if len(options) > 1:
                return replace(before, cursor=options.index(last))
        return self

    def skip_settled(self) -> Self:
        """Take every part on which all fitting texts agree."""
        chooser = self
        while len(chooser.options) == 1:
            chooser = replace(chooser, parts=(*chooser.parts, chooser.options[0]), cursor=0)
        return chooser

    def _move_cursor(self, steps: int) -> Self:
        options = self.options
        return replace(self, cursor=(self.cursor + steps) % len(options)) if options else self

    def _matches(self) -> list[tuple[str, ...]]:
        depth = len(self.parts)
        split = ((*_PARTS.findall(text), "") for text in self.texts)
        return [parts for parts in split if parts[:depth] == self.parts]
