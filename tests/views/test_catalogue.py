"""The words of every language: complete, with the same values to fill in."""

from importlib import import_module
from string import Formatter

import pytest

from gnomon.views.catalogue import AREAS, ENGLISH, LANGUAGES, words

OTHERS = [language for language in LANGUAGES if language != "en"]


def fields(text: str) -> set[str]:
    """The values that an entry asks for."""
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


@pytest.mark.parametrize("language", OTHERS)
def test_every_language_has_every_entry_and_no_other(language: str) -> None:
    assert words(language).entries.keys() == ENGLISH.entries.keys()


@pytest.mark.parametrize("language", OTHERS)
def test_every_entry_asks_for_the_same_values_in_every_language(language: str) -> None:
    asked = {key: fields(text) - spoken(key) for key, text in words(language).entries.items()}
    assert asked == {key: fields(text) - spoken(key) for key, text in ENGLISH.entries.items()}


def spoken(key: str) -> set[str]:
    """The values that a language may say in a word of its own: one of a thing, as in "a turn"."""
    return {"number"} if key.endswith(".one") else set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_entry_is_empty_or_ends_in_blanks(language: str) -> None:
    assert [key for key, text in words(language).entries.items() if not text or text != text.strip()] == []


def test_no_two_areas_have_an_entry_of_one_name() -> None:
    assert AREAS
    keys = [key for area in AREAS for key in import_module(f"gnomon.views.languages.english.{area}").ENTRIES]
    assert len(keys) == len(set(keys))


def test_values_are_filled_in() -> None:
    assert words("de")("page.live") == "Live"
    with pytest.raises(KeyError):
        ENGLISH("page.nothing")
    with pytest.raises(KeyError):
        words("xx")
