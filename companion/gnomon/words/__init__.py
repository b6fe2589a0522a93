"""Look up texts for people by key and language, in data files beside the code that uses them.

A folder of words has for each language, by its code, one file `de.json` or a folder `de/` of files, one an area. Each
file is one JSON object of keys and entries. A language is there when some folder has a `de/language.json`: `name` is
its name in the language itself, and `singular` are the numbers of which it speaks in the singular (Unicode CLDR,
plural rules; without it, 1 alone). A space before a sign of `no_break_before`, or after one of `no_break_after`, ends
no line. Folders stand beside this module, in each package that has words of its own, such
as `gnomon.tournament`, in each game, in `gnomon_pi`, and wherever `register` is told; a game of another distribution is
an `add_part`. What a language lacks is said in English.

No word is read before one is asked for. Then the files of a language are read, all of them at once, so that a later
version of the program which is put in their place changes nothing; but they are kept compressed, subject by subject. A
subject is the first word of a key, such as `turn`, and most boards never say a word of most of them.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from string import Formatter
from typing import Final, Protocol, overload
from zlib import compress, decompress

_FIRST: Final = "en"
NO_BREAK: Final = "\N{NO-BREAK SPACE}"
_LANGUAGE_FILE: Final = "language.json"
_END: Final = "\0"  # of a key or an entry, where they are packed: no file of words has one
_FAST: Final = 1  # zlib's level: the best one takes three times as long for a tenth less
_PACKAGES: Final = ("gnomon", "gnomon_pi")
"""Of this distribution: either may have words, and a hall tells what boards say, whose own package it never imports."""


class Folder(Protocol):
    """What is read of a folder or a file: a `pathlib.Path`, or a part of a package as `importlib.resources` has it."""

    @property
    def name(self) -> str:
        """Its name, without where it is."""
        ...

    def iterdir(self) -> Iterable["Folder"]:
        """What is in it."""
        ...

    def is_dir(self) -> bool:
        """Whether it is a folder."""
        ...

    def is_file(self) -> bool:
        """Whether it is a file."""
        ...

    def __truediv__(self, child: str, /) -> "Folder":
        """What is in it by that name, whether it exists or not."""
        ...

    def read_text(self, encoding: str | None = None) -> str:
        """What stands in it."""
        ...


class Clause(str):
    """Words that an entry may want otherwise at its beginning: `{text:lower}` or `{text:upper}`."""

    __slots__ = ()

    def __format__(self, wish: str) -> str:
        """The words with their first letter as wished."""
        return {"lower": lower, "upper": upper}.get(wish, str)(self)


class WordsError(ValueError):
    """A file of words cannot be used; the message is one sentence for people."""


@dataclass(frozen=True, slots=True)
class Words:
    """The words of one language: `words("page.live")`, `words("turn.moves", origin="D1", target="D2")`."""

    language: str
    entries: Mapping[str, str] = field(compare=False, repr=False)
    singular: tuple[int, ...] = field(default=(1,), compare=False, repr=False)

    def __call__(self, key: str, /, **values: object) -> str:
        """The entry with its values filled in. Raises KeyError for an entry or a value that is missing."""
        return self.entries[key].format_map(values) if values else self.entries[key]

    def plural(self, key: str, number: int, /, **values: object) -> str:
        """The entry for so many: `key.one` or `key.other`, with the number and the values filled in."""
        return self(f"{key}.{'one' if number in self.singular else 'other'}", number=number, **values)

    def player(self, player: str) -> str:
        """A player as people say it."""
        key = f"player.{player}"
        if player[:1] == "p" and player[1:].isdigit():
            return self("player.numbered", number=player[1:])
        return self(key) if key in self.entries else player.capitalize()

    def name_of(self, key: str, name: str) -> str:
        """The entry, or where there is none the name of what it is about: a game or a role of another distribution."""
        return self(key) if key in self.entries else name

    def first(self, *keys: str) -> str:
        """The first of some keys that has an entry, or else the last of them."""
        return next((key for key in keys if key in self.entries), keys[-1])


class _Entries(Mapping[str, str]):
    """The entries of a language, read when the first of them is asked for."""

    def __init__(self, language: str) -> None:
        self._language = language

    def __getitem__(self, key: str) -> str:
        return _entries(self._language, _subject(key))[key]

    def __contains__(self, key: object) -> bool:
        return isinstance(key, str) and key in _entries(self._language, _subject(key))

    def __iter__(self) -> Iterator[str]:
        return iter(complete(self._language))

    def __len__(self) -> int:
        return len(complete(self._language))


class _Languages(Sequence[str]):
    """The codes of the languages, looked for when they are asked for."""

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[str]: ...
    def __getitem__(self, index: int | slice) -> str | Sequence[str]:
        return tuple(_languages())[index]

    def __len__(self) -> int:
        return len(_languages())


ENGLISH: Final = Words(_FIRST, _Entries(_FIRST))
LANGUAGES: Final[Sequence[str]] = _Languages()
"""By their codes (ISO 639-1), English first."""

_parts: Final[list[Folder]] = []
_registered: Final[list[Folder]] = []


def words(language: str = _FIRST) -> Words:
    """The words of a language by its code. Raises KeyError for one that there is not."""
    return _words(language)


def language_name(language: str) -> str:
    """The name of a language in the language itself: what a page offers, without reading its other words.

    Raises KeyError for a language that there is not.
    """
    return str(_languages()[language].get("name", language))


def upper(text: str) -> str:
    """The text as a sentence begins."""
    return text[:1].upper() + text[1:]


def lower(text: str) -> str:
    """The text as a sentence goes on."""
    return text[:1].lower() + text[1:]


def register(folder: Folder) -> None:
    """Add a folder of words of the user's: a language, or other words for one.

    Its entries precede those that are there. Raises WordsError when a file in it cannot be read, or asks for a value
    that its English entry is not given.
    """
    if folder not in _registered:
        _check(folder)
        _registered.append(folder)
        _forget()


def add_part(folder: Folder) -> None:
    """Add the words of a part that another distribution brings, such as a game.

    What Gnomon or the user says in an entry of the same name stays. Raises WordsError as `register` does.
    """
    if folder not in _parts:
        _check(folder)
        _parts.append(folder)
        _forget()


def unregister(folder: Folder) -> None:
    """Leave out a folder that was registered or added."""
    (_registered if folder in _registered else _parts).remove(folder)
    _forget()


def _check(folder: Folder) -> None:
    try:
        read = {language: _read(folder, language) for language in {**_languages(), **_languages_in(folder)}}
    except OSError as error:
        message = f"the words {folder} cannot be read: {error.strerror}"
        raise WordsError(message) from error
    english = {**complete(_FIRST), **read[_FIRST]}
    for language, entries in read.items():
        for key, entry in entries.items():
            if extra := _fields(entry) - _fields(english.get(key, entry)):
                message = (
                    f"the words {language}: {key} asks for {', '.join(sorted(extra))}, which English does not know"
                )
                raise WordsError(message)


def own(language: str) -> Mapping[str, str]:
    """What a language says itself, without what English lends it. Raises KeyError for a language that there is not.

    It is read from the files for each call.
    """
    entries: dict[str, str] = {"language": language_name(language)}
    for folder in (*_parts, *_folders(), *_registered):
        entries |= _read(folder, language)
    return entries


@cache
def _words(language: str) -> Words:
    singular = _languages()[language].get("singular", [1])
    if language == _FIRST:
        return ENGLISH
    return Words(language, _Entries(language), tuple(singular) if isinstance(singular, list) else (1,))


def complete(language: str) -> Mapping[str, str]:
    """Every entry in a language, put together for each call. Raises KeyError for a language that there is not."""
    entries: dict[str, str] = {}
    for each in (_FIRST, language):
        for packed in _packed_entries(each).values():
            entries |= _unpack(packed)
    return entries


@cache
def _entries(language: str, subject: str) -> Mapping[str, str]:
    """What a language says on a subject, and English where it says nothing."""
    return {
        key: entry
        for each in dict.fromkeys((_FIRST, language))
        for key, entry in _unpack(_packed_entries(each).get(subject, b"")).items()
    }


@cache
def _packed_entries(language: str) -> Mapping[str, bytes]:
    """What a language says itself, by subject, compressed."""
    subjects: dict[str, list[str]] = {}
    signs = _signs(language)
    for key, entry in own(language).items():
        subjects.setdefault(_subject(key), []).extend((key, _replace(entry, signs)))
    return {subject: compress(_END.join(texts).encode(), _FAST) for subject, texts in subjects.items()}


def _unpack(packed: bytes) -> Mapping[str, str]:
    texts = iter(decompress(packed).decode().split(_END) if packed else ())
    return dict(zip(texts, texts, strict=True))


def _subject(key: str) -> str:
    return key.partition(".")[0]


def keep_signs(text: str, language: str) -> str:
    """A text in which every sign stays on the line of its word, where the language puts a space between them."""
    return _replace(text, _signs(language))


@cache
def _signs(language: str) -> Mapping[str, str]:
    about = _languages()[language]
    before = {f" {sign}": f"{NO_BREAK}{sign}" for sign in str(about.get("no_break_before", ""))}
    return before | {f"{sign} ": f"{sign}{NO_BREAK}" for sign in str(about.get("no_break_after", ""))}


def _replace(text: str, others: Mapping[str, str]) -> str:
    for old, new in others.items():
        text = text.replace(old, new)
    return text


@cache
def _languages() -> Mapping[str, Mapping[str, object]]:
    """What each language says of itself, by its code, English first."""
    found = {
        code: about for folder in (*_parts, *_folders(), *_registered) for code, about in _languages_in(folder).items()
    }
    return {code: found[code] for code in sorted(found, key=lambda code: (code != _FIRST, code))}


def _forget() -> None:
    for kept in (_languages, _signs, _packed_entries, _entries, _words):
        kept.cache_clear()


@cache
def _folders() -> Sequence[Folder]:
    """The folders of words in the packages of this distribution."""
    from importlib.resources import files  # noqa: PLC0415  # costs as much as all else here, and is needed late
    from importlib.util import find_spec  # noqa: PLC0415 - start-up does not pay for it

    roots: list[Folder] = [files(package) for package in _PACKAGES if find_spec(package) is not None]
    parts = [each for folder in (roots[0], roots[0] / "games") for each in folder.iterdir() if each.is_dir()]
    parts.sort(key=lambda part: part.name)
    return [root / "words" for root in (*roots, *parts) if (root / "words").is_dir()]


def _languages_in(folder: Folder) -> Mapping[str, Mapping[str, object]]:
    found = {each.name: each / _LANGUAGE_FILE for each in folder.iterdir() if each.is_dir()}
    return {code: _load(file) for code, file in found.items() if file.is_file()}


def _read(folder: Folder, language: str) -> Mapping[str, str]:
    """What a folder has in a language; nothing when it does not know it."""
    entries: dict[str, str] = {}
    for file in _files(folder, language):
        for key, entry in _load(file).items():
            if not isinstance(entry, str):
                message = f"the words {language}/{file.name}: {key} is text, not {entry!r}"
                raise WordsError(message)
            entries[key] = entry
    return entries


def _files(folder: Folder, language: str) -> Iterator[Folder]:
    alone = folder / f"{language}.json"
    if alone.is_file():
        yield alone
    areas = folder / language
    if areas.is_dir():
        yield from sorted(
            (file for file in areas.iterdir() if file.name.endswith(".json") and file.name != _LANGUAGE_FILE),
            key=lambda file: file.name,
        )


def _load(file: Folder) -> Mapping[str, object]:
    import json  # noqa: PLC0415  # as late as the words themselves

    try:
        value = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        message = f"the words {file.name} cannot be read: {error}"
        raise WordsError(message) from error
    if not isinstance(value, dict):
        message = f"the words {file.name} are no JSON object of keys and entries"
        raise WordsError(message)
    return value


def _fields(entry: str) -> set[str]:
    """The values that an entry asks for. Raises WordsError when its braces do not match."""
    try:
        return {name for _, name, _, _ in Formatter().parse(entry) if name is not None}
    except ValueError as error:
        message = f"{entry!r} cannot be filled in: {error}"
        raise WordsError(message) from error
