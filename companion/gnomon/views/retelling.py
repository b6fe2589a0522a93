"""Translate recorded English sentences into another language, with the English entries as patterns.

Rulings, corrections and refusals were recorded in English by version 0.1.0, and a journal keeps them for good; some
parts still report in English sentences. The English words are matched as patterns, and the same entry of another
language is filled with the values found. A sentence that matches no entry stays as it is. What is told as a statement
(`gnomon.refusals`) needs none of this.
"""

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from string import Formatter
from typing import Final

from gnomon.refusals import Statement, clause, sentence, stated
from gnomon.words import ENGLISH, Words, lower

_RULED: Final = re.compile(r"[Rr]ules? ([0-9]+)(?: and ([0-9]+))?: (.+)", re.DOTALL)


class _Quoted(str):
    """A value that stood in a sentence with its quotes."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


def told_again(said: str, area: str, words: Words) -> str:
    """What was said in English by an entry whose key begins with `area` and a dot, in the words of another language."""
    if words.language == ENGLISH.language:
        return said
    found = recognised(said, area)
    return said if found is None else clause(found, words)


def refused_again(said: str | Exception, words: Words) -> str:
    """A refusal as one whole sentence: with its rule, whatever it begins with."""
    statement: Statement = stated(said) if isinstance(said, Exception) else Statement.plain(said)
    if statement.key:
        return sentence(statement, words)
    text = str(statement.values["text"])
    found = _RULED.fullmatch(text)
    rules = tuple(int(rule) for rule in found.groups()[:2] if rule) if found else ()
    text = told_again((found[3] if found else text).removesuffix("."), "told", words)
    return sentence(Statement("", {"text": text}, rules), words)


def health_again(told: Statement, words: Words) -> str:
    """What is wrong with the machine; a board of a hall tells it in English, and so did parts of version 0.1.0."""
    return clause(told, words) if told.key else told_again(str(told.values["text"]), "health", words)


@lru_cache(maxsize=512)
def recognised(said: str, area: str) -> Statement | None:
    """The entry of an area that said this in English, however it begins, and its values; None when none could have."""
    for text in (said, lower(said)):
        for key, pattern in _patterns(area):
            found = pattern.fullmatch(text)
            if found is not None:
                return Statement(key, {name: _value(name, value) for name, value in found.groupdict().items()})
    return None


def _value(name: str, value: str) -> object:
    """A value that was found: what is a sentence of its own, several of something, or a text with its quotes."""
    if name in {"cause", "told"}:
        return recognised(value, name) or value
    return value.split(", ") if name == "players" else _Quoted(value)


@cache
def _patterns(area: str) -> tuple[tuple[str, re.Pattern[str]], ...]:
    """The entries of an area as patterns, those with the most words of their own first."""
    entries = {key: text for key, text in ENGLISH.entries.items() if key.startswith(f"{area}.")}
    order = sorted(entries, key=lambda key: -sum(len(literal) for literal, *_ in Formatter().parse(entries[key])))
    return tuple((key, re.compile("".join(_parts(entries[key])), re.DOTALL)) for key in order)


def _parts(entry: str) -> Iterator[str]:
    for literal, name, _, _ in Formatter().parse(entry):
        yield re.escape(literal)
        if name is not None:
            yield f"(?P<{name}>.+?)"
