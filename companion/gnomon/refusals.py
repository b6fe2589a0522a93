"""Refuse and report by a key with values, which become words when they are shown."""

import json
import re
from collections.abc import Iterable, Mapping
from functools import reduce
from typing import Final, NamedTuple, Self

from gnomon.words import ENGLISH, LANGUAGES, Clause, Words, lower, upper, words

_PLAYERS: Final = frozenset({"player", "winner", "to", "of"})
_DECLARED: Final = "corrected.result"
_TWO: Final = 2
_NUMBERED: Final = re.compile(r"p[1-9]")
_KEYS: Final[Mapping[str, str]] = {
    **{name: f"word.{{{name}}}" for name in ("colour", "side", "pick", "line")},
    "choice": "choice.{choice}",
    "system": "word.system.{system}",
    "bye": "word.bye.{bye}",
    "role": "access.role.{role}",
    "held": "access.role.{held}",
}
"""Values that are words themselves, by the name under which an entry asks for them, and the entries of those."""


class Statement(NamedTuple):
    """Something to tell people, not in a language yet: the key of its words, and the values that they ask for.

    `rules` are those of the game that say so. A value is a text, a number, several of them, or another statement.
    What nobody has a key for (a person's own words, a library's error) has none, and is told as its `text` stands.
    """

    key: str
    values: Mapping[str, object] = {}
    rules: tuple[int, ...] = ()
    short: str = ""

    @property
    def code(self) -> str:
        """A short fixed word for programs: the last part of the key, unless another was given."""
        return self.short or self.key.rpartition(".")[2]

    @property
    def message(self) -> str:
        """The statement in English, as a part of a sentence: what logs, programs and the line protocol have."""
        return clause(self)

    def __str__(self) -> str:
        return self.message

    @classmethod
    def plain(cls, text: str) -> Self:
        """What somebody said in words of their own."""
        return cls("", {"text": text})

    @classmethod
    def load(cls, value: object) -> Self:
        """Read what `dump` wrote, or a sentence as version 0.1.0 wrote it. Raises ValueError for anything else."""
        match value:
            case str(text):
                return cls.plain(text)
            case {"key": str(key), "text": str(text)} if key not in ENGLISH.entries:
                return cls.plain(text)  # of a later version, or of a game that is not here
            case {"key": str(key), "values": dict(values), "rules": list(rules), **others}:
                read = {name: _load_value(each) for name, each in values.items()}
                loaded = cls(key, read, tuple(map(int, rules)), str(others.get("code", "")))
                return loaded if _can_be_told(loaded) else cls.plain(str(others.get("text", key)))
            case _:
                message = f"{value!r} is no statement"
                raise ValueError(message)

    @classmethod
    def from_message(cls, text: str, dumped: object, heaviest: int) -> Self:
        """What another machine states, perhaps of another version: its English words where its key says nothing here.

        `dumped` is its key and values, of fewer than `heaviest` bytes as JSON.
        """
        try:
            # Half characters can be written nowhere: encoding refuses them.
            size = len(json.dumps(dumped, ensure_ascii=False).encode())
            if isinstance(dumped, dict) and "key" in dumped and size < heaviest:
                return cls.load({"rules": [], **dumped, "text": text})
        except (ValueError, TypeError, RecursionError):
            pass  # whatever it is, its English words can be shown
        return cls.plain(text)

    def dump(self) -> Mapping[str, object]:
        """The statement for JSON, with its English words beside for those who do not know the key."""
        values = {name: _dump_value(each) for name, each in self.values.items()}
        told = {"key": self.key, "values": values, "rules": [*self.rules], "text": self.message}
        return told | {"code": self.short} if self.short else told


NOTHING: Final = Statement.plain("")


class Refusal(Exception):  # noqa: N818 - what it is; those who raise it are errors
    """Something is refused, for a reason: `code` and `values` for programs, as text the English sentence.

    The reason is a statement, or a sentence of those who have no key for it; or another refusal gives its own.
    """

    def __init__(self, why: "Statement | Refusal | str") -> None:
        self.statement: Final = _statement(why)
        super().__init__(self.statement)

    @property
    def code(self) -> str:
        """A short fixed word for programs; empty for a sentence that has no key."""
        return self.statement.code

    @property
    def values(self) -> Mapping[str, object]:
        """What the sentence is filled in with."""
        return self.statement.values

    def __str__(self) -> str:
        return self.statement.message


class RequestRefusedError(Refusal):
    """What somebody asks for cannot be done now; as text it is a whole sentence."""

    def __str__(self) -> str:
        return sentence(self.statement)


class InvalidValueError(Refusal, ValueError):
    """A value that nothing of its kind can have."""


def statement(key: str, /, *, rules: tuple[int, ...] = (), short: str = "", **values: object) -> Statement:
    """What the words of a key say with these values."""
    return Statement(key, values, rules, short)


def _can_be_told(what: Statement) -> bool:
    """Whether the values are those that the words of this version ask for, in every language: each asks in its way."""
    if not what.values:
        return "{" not in ENGLISH.entries.get(what.key, "{")
    try:
        return all(clause(what, words(language)) for language in LANGUAGES)
    except (KeyError, ValueError, TypeError, IndexError, AttributeError):
        return False


def _load_value(value: object) -> object:
    if isinstance(value, list):
        return [_load_value(each) for each in value]
    return Statement.load(value) if isinstance(value, dict) and "key" in value else value


def _dump_value(value: object) -> object:
    if isinstance(value, list | tuple) and not isinstance(value, Statement):
        return [_dump_value(each) for each in value]
    return value.dump() if isinstance(value, Statement) else value


def _statement(why: Statement | Refusal | str) -> Statement:
    if isinstance(why, Refusal):
        return why.statement
    return Statement.plain(why) if isinstance(why, str) else why


def together(told: Iterable[Statement]) -> Statement:
    """Several statements as one, sentence after sentence; of none, one that says nothing."""
    every = list(told)
    return reduce(lambda one, other: statement("refusal.both", first=one, last=other), every) if every else NOTHING


def join(told: Iterable[Statement]) -> Statement:
    """Several things as one, of which all are meant; of none, one that says nothing."""
    every = list(told)
    return reduce(lambda one, other: statement("list.and", first=one, last=other), every) if every else NOTHING


def statement_of(error: Exception) -> Statement:
    """What an error states, or says in words of its own."""
    return error.statement if isinstance(error, Refusal) else Statement.plain(str(error))


def error_payload(error: Exception) -> Mapping[str, object]:
    """The code and the values of an error for programs, beside its sentence; nothing for words of its own."""
    dumped = statement_of(error).dump()
    return {"code": statement_of(error).code, "values": dumped["values"]} if dumped["key"] else {}


def clause(what: Statement, words: Words = ENGLISH) -> str:
    """A statement as a part of a sentence, after the rules that say so: `rule 4: a stone stands on a1`."""
    text = _render(what, words)
    if not what.rules:
        return text
    return _add_source("refusal.clause", what.rules, text, words)


def render(what: Statement | str, words: Words = ENGLISH) -> str:
    """A statement as a part of a sentence; what a person said stands as it is."""
    return what if isinstance(what, str) else clause(what, words)


def sentence(what: Statement, words: Words = ENGLISH) -> str:
    """A statement as a whole sentence, after the rules that say so: `Rule 4: D2 is full.` in English."""
    text = _render(what, words)
    if text.endswith(("?", "!")) or not text:
        return upper(text)
    clean = Clause(text.removesuffix("."))
    return _add_source("refusal.cited", what.rules, clean, words) if what.rules else words("refusal.plain", text=clean)


def _add_source(key: str, rules: tuple[int, ...], text: str, words: Words) -> str:
    rule, *others = rules
    return words(f"{key}.two", rule=rule, also=others[0], text=text) if others else words(key, rule=rule, text=text)


def _render(what: Statement, words: Words) -> str:
    if not what.key:
        return str(what.values["text"])
    values = {name: _value(name, value, words) for name, value in what.values.items()}
    if what.key == _DECLARED:
        values["why"] = _ending_text(str(what.values.get("why", "")), words)
    return words(what.key, **values)


class _Several:
    """Several values with commas between them, or with what an entry asks for: `{faults:; }`.

    What goes between the last two stands after a bar: `{who:, | and }`.
    What `{value!r}` asks for is the list as somebody gave it.
    """

    __slots__ = ("_given", "_said")

    def __init__(self, given: object, said: Iterable[str]) -> None:
        self._given = given
        self._said = tuple(said)

    def __str__(self) -> str:
        return ", ".join(self._said)

    def __format__(self, between: str) -> str:
        among, bar, last = (between or ", ").partition("|")
        if not bar or len(self._said) < _TWO:
            return among.join(self._said)
        return f"{among.join(self._said[:-1])}{last}{self._said[-1]}"

    def __repr__(self) -> str:
        return repr(self._given)


def _value(name: str, value: object, words: Words) -> object:
    """A value in the words of a language, where it is words and not a name or notation."""
    if isinstance(value, Statement):
        return Clause(clause(value, words))
    if isinstance(value, list | tuple):
        return _Several(value, (str(_value(name.removesuffix("s"), each, words)) for each in value))
    if not isinstance(value, str):
        return value
    if name in _PLAYERS:
        return _player(value, words)
    if words.language == ENGLISH.language:
        return value  # in English any other value is its own word
    key = _KEYS.get(name, "").format_map({name: value})
    return words(key).rstrip(".") if key in words.entries else value


def _ending_text(why: str, words: Words) -> str:
    """Why a game ended, by its code; what somebody declared in other words stands as it is."""
    key = f"ending.{why}"
    return lower(words(key).rstrip(".")) if key in words.entries else why


def _player(value: str, words: Words) -> str:
    """A player, that nobody has won, or a glass to which time is given."""
    key = f"word.{value}"
    if key in words.entries and f"player.{value}" not in words.entries:
        return words(key)
    player = value.strip("'")
    return words.player(player) if f"player.{player}" in words.entries or _NUMBERED.fullmatch(player) else value
