"""The only place that finds words in a language: one catalogue for rulings, pages and everything people read."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Final

_PACKAGES: Final[Mapping[str, str]] = {"en": "english", "de": "german", "fr": "french"}
AREAS: Final = ("access", "pages")
"""Every package of a language has a module for each."""
LANGUAGES: Final = tuple(_PACKAGES)
"""By their codes (ISO 639-1), English first."""


@dataclass(frozen=True, slots=True)
class Words:
    """The words of one language: `words("page.live")`, `words("turn.moves", origin="D1", target="D2")`."""

    language: str
    entries: Mapping[str, str]

    def __call__(self, key: str, **values: object) -> str:
        """The entry with its values filled in. Raises KeyError for an entry or a value that is missing."""
        return self.entries[key].format_map(values) if values else self.entries[key]


@cache
def words(language: str = LANGUAGES[0]) -> Words:
    """The words of a language by its code. Raises KeyError for one that there is not."""
    package = f"gnomon.views.languages.{_PACKAGES[language]}"
    entries: dict[str, str] = {}
    for area in AREAS:
        entries |= import_module(f"{package}.{area}").ENTRIES
    return Words(language, entries)


ENGLISH: Final = words()
