"""Look up sentences by key in the word catalogue of a language, with plural forms and parameters."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from typing import Final

_PACKAGES: Final[Mapping[str, str]] = {"en": "english", "de": "german", "fr": "french"}
AREAS: Final = (
    "access",
    "arbiter",
    "bench",
    "clock_pages",
    "clocks",
    "corrections",
    "director",
    "hall",
    "health",
    "landing",
    "pages",
    "pictures",
    "players",
    "reasons",
    "refusals",
    "rulings",
    "settings",
    "table_rulings",
    "time_controls",
    "tournament_sheets",
    "tournaments",
    "watching",
)
"""Every package of a language has a module for each."""
_ONE: Final = (1,)
_SINGULAR: Final[Mapping[str, tuple[int, ...]]] = {"fr": (0, 1)}
"""Of which numbers a language speaks in the singular, where it is not of one alone (Unicode CLDR, plural rules)."""
LANGUAGES: Final = tuple(_PACKAGES)
"""By their codes (ISO 639-1), English first."""


@dataclass(frozen=True, slots=True)
class Words:
    """The words of one language: `words("page.live")`, `words("turn.moves", origin="D1", target="D2")`."""

    language: str
    entries: Mapping[str, str] = field(compare=False, repr=False)

    def __call__(self, key: str, **values: object) -> str:
        """The entry with its values filled in. Raises KeyError for an entry or a value that is missing."""
        return self.entries[key].format_map(values) if values else self.entries[key]

    def counted(self, key: str, number: int, **values: object) -> str:
        """The entry for so many: `key.one` or `key.other`, with the number and the values filled in."""
        singular = number in _SINGULAR.get(self.language, _ONE)
        return self(f"{key}.{'one' if singular else 'other'}", number=number, **values)

    def first(self, *keys: str) -> str:
        """The first of some keys that has an entry, or else the last of them."""
        return next((key for key in keys if key in self.entries), keys[-1])


@cache
def words(language: str = LANGUAGES[0]) -> Words:
    """The words of a language by its code. Raises KeyError for one that there is not."""
    package = f"gnomon.views.languages.{_PACKAGES[language]}"
    entries: dict[str, str] = {}
    for area in AREAS:
        entries |= import_module(f"{package}.{area}").ENTRIES
    return Words(language, entries)


ENGLISH: Final = words()
