"""What people read is in their own language: in every language everything, and nothing of another one."""

import re
from collections.abc import Iterator
from functools import cache
from itertools import combinations
from pathlib import Path
from string import Formatter
from typing import Any, Final
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given, settings
from PIL import ImageFont

from gnomon.games.tamsk.show._sentences import REASONS
from gnomon.referee.judgement import Repair
from gnomon.referee.rulings import Corrected, IllegalRuled, Ruling
from gnomon.refusals import statement
from gnomon.rules.protocol import SettingsError
from gnomon.rules.registry import GAMES, rules_of
from gnomon.timekeeping.instants import Instant
from gnomon.views import sentences
from gnomon.views.phrases import join_items
from gnomon.views.pictures._letters import spelt
from gnomon.views.pictures.drawing import Text, texts
from gnomon.views.show import show
from gnomon.views.summary import summary
from gnomon.words import ENGLISH, LANGUAGES, Words, words
from tests.conftest import examples
from tests.views.pictures.scenes import scenes as pictures
from tests.views.table_scenes import scenes as table_scenes
from tests.views.tables import REPAIR, rulings, scenes
from tests.words.statements import as_stated

OTHERS: Final = [words(language) for language in LANGUAGES if language != ENGLISH.language]
TABLE_GAMES = tuple(game for game in GAMES if show(game).turns)

EACH_OTHER = pytest.mark.parametrize("other", OTHERS, ids=lambda other: other.language)
TABLES: Final = {**scenes(), **table_scenes()}
PICTURES: Final = pictures()

# What is meant for programs, or is the same in every language: codes, notation, numbers.
FOR_PROGRAMS: Final = frozenset(
    {
        "actor",
        "asked",
        "button",
        "choice",
        "choices",
        "chooser",
        "code",
        "due",
        "game",
        "kind",
        "label",
        "light",
        "may_offer",
    }
    | {"moves", "name", "origin", "partners", "people", "phase", "player", "quarantined", "repair_squares", "settings"}
    | {"space", "state", "target", "temperament", "text", "tile", "title", "touch", "turn", "winner"}
)
NOTATION: Final = re.compile(
    r"[A-G][1-7]x?|([a-z][0-9]{1,2}){1,2}|[pP][1-9]|[a-z]|[ESWN]|[0-9]*e[0-9]+|c[a-z]{1,2}|ring[1-9]|"
    r"bid|draw|pick|plain|left|right|pass|pie|in|off|throw|convert|forfeit|lost|ring|"
    r"HIGH|LOW|TAMSK|TAU|TAYU|TABIK|Tamsk|Tau|Tayu|Tabik|Twenty|Squares|TWENTY|SQUARES|"
    r"arbiter|gnomond|Zoë|Ann|min|s|h|resigns|"
    r"Points"  # the same word in French
)


def veiled(entry: str) -> str:
    """An entry without a letter of its own: what is left of letters came from elsewhere."""
    parts = []
    for literal, name, wish, _ in Formatter().parse(entry):
        parts.append(re.sub(r"[^\W\d_]", "•", literal))
        if name is not None:
            parts.append(f"{{{name}{':' if wish else ''}{wish}}}")
    return "".join(parts)


VEILED: Final = Words("veiled", {key: veiled(entry) for key, entry in ENGLISH.entries.items()})


def read(told: object, key: str = "", within: str = "") -> Iterator[tuple[str, str]]:
    """Every text for people in a summary, with the key that it stands under."""
    if key in FOR_PROGRAMS and (key, within) != ("name", "players"):
        return
    if isinstance(told, dict):
        for name, value in told.items():
            if (name, key) != ("reason", "outcome"):  # its code, which `sentence` says
                yield from read(value, name, key)
    elif isinstance(told, list | tuple):
        for value in told:
            yield from read(value, key, within)
    elif key == "picture":
        yield from ((key, text) for text in drawn(str(told)))
    elif isinstance(told, str):
        yield key, told


def drawn(svg: str) -> Iterator[str]:
    """Everything that a picture says, to those who see it and to those who listen."""
    for element in ET.fromstring(svg).iter():
        if element.tag.rpartition("}")[2] in {"title", "desc", "text"}:
            yield element.text or ""


def foreign(text: str) -> list[str]:
    """The words that are neither names nor notation."""
    tokens: list[str] = re.findall(r"\w*[^\W\d_]\w*", text)
    return [token for token in tokens if not NOTATION.fullmatch(token)]


@pytest.mark.untraced
@pytest.mark.parametrize("name", TABLES)
def test_nothing_that_a_summary_tells_people_stands_outside_the_catalogue(name: str) -> None:
    game, now, _ = TABLES[name]
    told = list(read(summary(game, now, words=VEILED)))
    assert told or game is None
    assert [(key, text) for key, text in told if foreign(text) or "{" in text] == []


@EACH_OTHER
@pytest.mark.parametrize("name", ["level3-countdown", "refused", "tayu-wrong", "tabik-refused"])
def test_a_summary_differs_in_every_language(name: str, other: Words) -> None:
    english, told = (list(read(summary(*as_stated(TABLES[name]), words=each))) for each in (ENGLISH, other))
    assert len(told) == len(english)
    assert [text for (_, text), (_, said) in zip(english, told, strict=True) if text == said and foreign(text)] == []


@settings(max_examples=examples(60))
@given(rulings())
def test_a_ruling_is_said_otherwise_and_says_the_same(ruling: Ruling) -> None:
    said = [sentences.sentence(ruling, "tamsk", words(language)) for language in LANGUAGES]
    assert len(set(said)) == len(said)
    assert not any(sign in text for text in said for sign in "{}_")
    assert len({tuple(sorted(re.findall("[0-9]+", text))) for text in said}) == 1
    assert all(sentences.brief(ruling, "tamsk", other) for other in OTHERS)


@EACH_OTHER
def test_every_reason_and_every_ending_is_said_otherwise(other: Words) -> None:
    for code in REASONS:
        assert sentences.reason(code, "tamsk", other).text != sentences.reason(code, "tamsk").text
    for game in TABLE_GAMES:
        for code in [*show(game).reasons, "unheard_of"]:
            reason = sentences.reason(code, game, other)
            assert reason.text != sentences.reason(code, game).text
            assert reason.rule == sentences.reason(code, game).rule
        for code in ("draw", "resigned", "agreed", "time", "absent", "arbiter", *show(game).endings):
            assert sentences.ending_reason(code, game, other).text != sentences.ending_reason(code, game).text


@settings(max_examples=examples(30))
@given(REPAIR)
def test_a_step_of_a_repair_is_told_again_as_it_is_asked_for(step: Repair) -> None:
    ruling = IllegalRuled(Instant(0), "red", None, "full", (step,))
    for language in LANGUAGES:
        asked = sentences.repair(step, words(language)).rstrip(".")
        assert asked[1:] in sentences.sentence(ruling, "tamsk", words(language))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", PICTURES)
def test_what_a_picture_says_has_room_in_every_language(name: str, language: str) -> None:
    drawing = PICTURES[name].drawn(words(language))
    boxes = [(box(text), text.text) for text in texts(drawing.shapes) if text.text]
    assert [said for (left, right, _, _), said in boxes if left < 0 or right > drawing.width] == []
    together = [(one, other) for (a, one), (b, other) in combinations(boxes, 2) if overlap(a, b)]
    assert together == []


def box(text: Text) -> tuple[float, float, float, float]:
    """Where a text stands, letters as wide as the font of the PNG makes them: left, right, top, bottom."""
    wide = font(text.size).getlength(spelt(text.text)) + text.spacing * len(text.text)
    left = text.at[0] - {"start": 0.0, "middle": wide / 2, "end": wide}[text.anchor]
    return left, left + wide, text.at[1] - 0.7 * text.size, text.at[1]


font = cache(ImageFont.load_default)


def overlap(one: tuple[float, float, float, float], other: tuple[float, float, float, float]) -> bool:
    """Whether two texts stand on each other."""
    (left, right, top, bottom), (other_left, other_right, other_top, other_bottom) = one, other
    return left < other_right and other_left < right and top < other_bottom and other_top < bottom


def test_who_gave_no_name_is_called_by_his_role() -> None:
    for who, said in (("arbiter", "Schiedsrichter"), ("board", "am Brett"), ("Zoë", "Zoë")):
        ruling = Corrected(Instant(0), statement("corrected.paused"), who, "")
        assert sentences.sentence(ruling, "tamsk", words("de")) == f"Von Hand, {said}: Partie angehalten."


def test_german_keeps_its_capitals_and_french_its_small_letters_after_a_rule() -> None:
    ruling = IllegalRuled(Instant(0), "red", "D1-D2", "full", ())
    assert sentences.sentence(ruling, "tamsk", words("de")) == (
        "Nicht erlaubt, Rot D1-D2. Regel 4: Das Feld ist voller Ringe: Dorthin zieht keine Sanduhr."
    )
    assert sentences.sentence(ruling, "tamsk", words("fr")) == (
        "Coup interdit, Rouge D1-D2. Règle 4\xa0: la case est pleine d’anneaux\xa0: aucun sablier ne peut y entrer."
    )


def test_what_is_counted_has_the_number_of_its_language() -> None:
    counts = {
        language: [words(language).plural("picture.tau.turns", number) for number in (0, 1, 2)]
        for language in LANGUAGES
    }
    assert counts == {
        "en": ["0 turns left.", "1 turn left.", "2 turns left."],
        "de": ["Noch 0 Züge.", "Noch 1 Zug.", "Noch 2 Züge."],
        "fr": ["Encore 0 coup.", "Encore 1 coup.", "Encore 2 coups."],
    }


def test_several_are_listed_in_words() -> None:
    assert join_items(["a", "b", "c"], words("de")) == "a und b und c"
    assert join_items([]) == ""


# Settings


@pytest.mark.parametrize("game", GAMES)
def test_every_setting_has_a_name_and_every_choice_too(game: str) -> None:
    rules: Any = rules_of(game, {})
    expected = set()
    for name in type(rules.settings).__dataclass_fields__:
        expected.add(f"setting.{game}.{name}")
        with pytest.raises(SettingsError) as refused:
            rules_of(game, {name: "?"})
        offered = re.search("must be one of (.*), not", str(refused.value))
        if offered:
            expected |= {f"setting.{game}.{name}.{choice}" for choice in offered[1].split(", ")}
    assert {key for key in ENGLISH.entries if key.startswith(f"setting.{game}.")} == expected


# The whole catalogue


def literals() -> Iterator[str]:
    """Every text in the programs and pages, with `*` for what is filled in."""
    root = Path(sentences.__file__).parents[3]
    files = {
        "companion/gnomon": ("**/*.py", "web/templates/*", "web/static/*.js"),
        "firmware/gnomon_pi": ("**/*.py", "tools/*/templates/*"),
    }
    for folder, patterns in files.items():
        for file in (file for pattern in patterns for file in sorted((root / folder).glob(pattern))):
            text = file.read_text(encoding="utf-8")
            for quote in """\"'`""":  # between any two quotes of a line: those of attributes hold others
                for said in re.findall(rf"(?<={quote})[^{quote}\n]+(?={quote})", text):
                    yield re.sub(r"\$?\{[^{}]*\}", "*", said)


def test_every_entry_is_used_somewhere() -> None:
    said = set(literals())
    whole = {text for text in said if "*" not in text}
    patterns = {text for text in said if "*" in text} | {f"{text}*" for text in whole if text[-1:] == "."}
    beginnings = {key[:end] for key in ENGLISH.entries for end in range(1, len(key) + 1)}
    parts = [text.split("*") for text in patterns if text.partition("*")[0] in beginnings]
    known = re.compile("|".join(".*".join(map(re.escape, part)) for part in parts))

    def is_used(key: str) -> bool:
        stem, _, end = key.rpartition(".")
        if key in whole or known.fullmatch(key):
            return True
        return end in {"brief", "one", "other"} and is_used(stem)  # turns in brief, and what is counted

    assert [key for key in ENGLISH.entries if not is_used(key)] == []
