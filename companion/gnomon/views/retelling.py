"""Translate recorded English sentences into another language, with the English entries as patterns.

Rulings, corrections and refusals are recorded in English, and a journal keeps them for good; drivers and rules report
errors in English too. The English words are matched as patterns, and the same entry of another language is filled with
the values found. A sentence that matches no entry stays as it is.
"""

import re
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from string import Formatter
from typing import Final

from gnomon.referee.correction_words import current
from gnomon.views import wording
from gnomon.views.wording import Clause
from gnomon.words import ENGLISH, Words

_PLAYERS: Final = frozenset({"player", "winner", "to", "of"})
_WORDS: Final[Mapping[str, str]] = {
    **{name: f"word.{{{name}}}" for name in ("colour", "side", "pick", "line")},
    "choice": "choice.{choice}",
    "why": "ending.{why}",
}
"""Fields whose values are words themselves, and the entries of those."""
_RULED: Final = re.compile(r"(?P<kind>[Rr]ules?) (?P<rule>[0-9]+)(?: and (?P<also>[0-9]+))?: (?P<text>.+)", re.DOTALL)

_VOIDED: Final = re.compile(r"\blast ([0-9]+) turn\(s\) voided")

Recognised = tuple[str, Mapping[str, str]]


def told_again(said: str, area: str, words: Words) -> str:
    """What was said in English by an entry whose key begins with `area` and a dot, in the words of another language."""
    said = current(said)
    if words.language == ENGLISH.language:
        return _VOIDED.sub(_voided, said)
    found = recognised(said, area)
    if found is None:
        return said
    key, values = found
    return words(key, **{name: _value(name, value, words) for name, value in values.items()})


def refused_again(said: str, words: Words) -> str:
    """A refusal of the rules or of the referee as one whole sentence: with its rule, whatever it begins with."""
    if said.endswith(("?", "!")):
        return wording.upper(said)
    found = _RULED.fullmatch(said)
    text = Clause(told_again((found["text"] if found else said).removesuffix("."), "told", words))
    if found is None:
        return words("refusal.plain", text=text)
    if found["also"]:
        return words("refusal.cited.two", rule=found["rule"], also=found["also"], text=text)
    return words("refusal.cited", rule=found["rule"], text=text)


def health_again(said: str, words: Words) -> str:
    """What a part of the machine reports; a reader's refusal in it is told again too."""
    found = recognised(said, "health") if words.language != ENGLISH.language else None
    if found is None or "told" not in found[1]:
        return told_again(said, "health", words)
    key, values = found
    told = told_again(values["told"], "told", words)
    return words(key, **{**values, "told": told})


@lru_cache(maxsize=512)
def recognised(said: str, area: str) -> Recognised | None:
    """The entry of an area that said this in English, however it begins, and its values; None when none could have."""
    for text in (said, wording.lower(said)):
        for key, pattern in _patterns(area):
            found = pattern.fullmatch(text)
            if found is not None:
                return key, found.groupdict()
    return None


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


def _value(name: str, value: str, words: Words) -> str:
    """A value in the words of a language, where it is a word and not a name or notation."""
    if name in _PLAYERS:
        return _player(value, words)
    if name == "cause":
        return told_again(value, "cause", words)
    if name == "players":
        return ", ".join(wording.name(player, words) for player in value.split(", "))
    key = _WORDS.get(name, "").format_map({name: value})
    return words(key).rstrip(".") if key in words.entries else value


def _player(value: str, words: Words) -> str:
    """A player, that nobody has won, or a glass to which time is given."""
    key = f"word.{value}"
    return words(key) if key in words.entries and f"player.{value}" not in words.entries else _named(value, words)


def _named(value: str, words: Words) -> str:
    player = value.strip("'")
    known = f"player.{player}" in words.entries or player[1:].isdigit()
    return wording.name(player, words) if known else value


def _voided(found: re.Match[str]) -> str:
    """How many turns were voided, which is kept with a plural for any number."""
    return "last turn voided" if found[1] == "1" else f"last {found[1]} turns voided"
