"""Rules pages say the same in every language: the same rules and marks, numbers, notation, tables and drawings."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

import pytest

from gnomon.rules.registry import GAMES
from gnomon.web._pictures import example
from gnomon.words import LANGUAGES, words
from tests.docs_examples import translated_rules
from tests.docs_examples.pages import drawings, rules_page, sections, table, tables
from tests.docs_examples.translated_rules import (
    digest,
    english,
    languages,
    main,
    translated_from,
    translations,
)

TRANSLATIONS = pytest.mark.parametrize(("language", "game"), translations())
MARK = re.compile(r"\[(?:D|C|L|guess)\]")
NUMBER = re.compile(r"\d+")
CODE = re.compile(r"`([^`\n]+)`")
HEADING = re.compile(r"^(#+) ", re.MULTILINE)
RULE = re.compile(r"^(\d+)\. (.*?)(?=^\d+\. |^## )", re.MULTILINE | re.DOTALL)
FENCED = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\([^)]*\)")


def translated(language: str, game: str) -> str:
    """A translated page without its appendix, which leads to the English one."""
    text = rules_page(f"{language}/{game}")
    return text[: text.rindex("\n## ") + 1]


def both(language: str, game: str) -> tuple[str, str]:
    """The English text and its translation."""
    return english(game), translated(language, game)


def rules(text: str) -> Mapping[str, str]:
    """The text of every rule, by its number."""
    found = RULE.findall(f"{text}\n## ")
    assert len(found) == len(dict(found))
    return dict(found)


def marks(text: str) -> list[str]:
    """The marks that say where a rule comes from, in order."""
    return MARK.findall(text)


def numbers(text: str) -> set[str]:
    """The numbers in a text, with those in its notation and without those in its links."""
    return set(NUMBER.findall(LINK.sub("]", text)))


def codes(text: str) -> Counter[str]:
    """How often each word of programs is in a text."""
    return Counter(CODE.findall(FENCED.sub("", text)))


def cells(text: str) -> Iterator[Sequence[Sequence[str]]]:
    """Every table: what each of its cells has in codes and numbers."""
    for rows in tables(text):
        yield [[f"{sorted(codes(cell).items())} {sorted(numbers(cell))}" for cell in row.values()] for row in rows]


def by_part(text: str) -> Sequence[str]:
    """What precedes the first section, and the text of every section."""
    return [text.partition("\n## ")[0], *sections(text).values()]


@TRANSLATIONS
def test_a_translation_is_made_from_the_english_text_of_today(language: str, game: str) -> None:
    assert translated_from(language).get(game) == digest(game), (
        f"translate what has changed in docs/rules/{game}.md, "
        f"then `python -m tests.docs_examples.translated_rules {language}/{game}`"
    )


def test_rules_are_translated_into_every_language_of_the_words() -> None:
    assert languages() == sorted(set(LANGUAGES) - {"en"})


@pytest.mark.parametrize("language", languages())
def test_every_game_is_translated_into_a_language_that_has_rules(language: str) -> None:
    assert {game for each, game in translations() if each == language} == set(GAMES)
    assert set(translated_from(language)) == set(GAMES)


@TRANSLATIONS
def test_rules_have_the_same_numbers_and_marks(language: str, game: str) -> None:
    ours, theirs = map(rules, both(language, game))
    assert list(ours) == list(theirs)
    assert {number: marks(text) for number, text in theirs.items()} == {
        number: marks(text) for number, text in ours.items()
    }


@TRANSLATIONS
def test_rules_name_the_same_numbers_and_notation(language: str, game: str) -> None:
    ours, theirs = map(rules, both(language, game))
    for number, text in ours.items():
        assert numbers(theirs[number]) == numbers(text), f"rule {number}"
        assert codes(theirs[number]) == codes(text), f"rule {number}"
        assert theirs[number].count("\n   - ") == text.count("\n   - "), f"rule {number}"


@TRANSLATIONS
def test_sections_are_the_same(language: str, game: str) -> None:
    ours, theirs = both(language, game)
    assert HEADING.findall(theirs) == HEADING.findall(ours)
    for own, other in zip(by_part(ours), by_part(theirs), strict=True):
        assert marks(other) == marks(own)
        assert numbers(other) == numbers(own)
        assert codes(other) >= codes(own)  # a letter of a drawing may need a word that English does not


@TRANSLATIONS
def test_drawings_and_tables_are_the_same(language: str, game: str) -> None:
    ours, theirs = both(language, game)
    assert drawings(theirs) == drawings(ours)
    assert list(cells(theirs)) == list(cells(ours))


@TRANSLATIONS
def test_nothing_was_left_in_english(language: str, game: str) -> None:
    ours, theirs = (set(FENCED.sub("", text).splitlines()) for text in both(language, game))
    assert [line for line in ours & theirs if re.search(r"[A-Za-z]{3}", CODE.sub("", line))] == []


@TRANSLATIONS
def test_a_page_begins_with_two_sentences_a_picture_and_a_turn(language: str, game: str) -> None:
    _, about, picture, turn, *_ = rules_page(f"{language}/{game}").split("\n\n")
    say, shown = words(language), example(game, words(language))
    assert shown is not None
    assert _plain(about) == _plain(say(f"rules.about.{game}"))
    assert picture == f"![{shown.sentence}](../../pictures/rules/{language}/{game}.svg)"
    heading, _, told = turn.partition(".** ")
    assert heading == f"**{say('rules.example')}"
    assert _plain(told) == _plain(f"{shown.sentence} {say(f'rules.example.{game}')}")


@TRANSLATIONS
def test_settings_are_headed_by_the_word_that_makes_a_table_one_of_settings(language: str, game: str) -> None:
    ours, heading = table(english(game), "setting"), words(language)("rules.setting")
    assert len(table(translated(language, game), heading)) == len(ours)


@TRANSLATIONS
def test_a_page_ends_with_the_way_to_the_english_appendix(language: str, game: str) -> None:
    last = rules_page(f"{language}/{game}")[len(translated(language, game)) :]
    assert f"](../{game}.md#appendix)" in last
    assert last.count("\n\n") == 1  # a heading and what it says


def test_a_change_of_an_english_rule_is_seen_and_its_translation_written_down(
    monkeypatch: pytest.MonkeyPatch, tmp_path: object
) -> None:
    before = digest("tabik")
    monkeypatch.setattr(translated_rules, "FOLDER", tmp_path)
    main(["de/tabik", "de/tau"])
    assert translated_from("de") == {"tabik": before, "tau": digest("tau")}
    changed = rules_page("tabik").replace("Black begins", "White begins")
    monkeypatch.setattr(translated_rules, "rules_page", lambda _: changed)
    assert digest("tabik") != before
    monkeypatch.setattr(translated_rules, "rules_page", lambda _: changed + "More figures.\n")
    after = digest("tabik")
    monkeypatch.setattr(translated_rules, "rules_page", lambda _: changed)
    assert digest("tabik") == after  # the appendix is not translated


def _plain(text: str) -> str:
    return " ".join(text.split())
