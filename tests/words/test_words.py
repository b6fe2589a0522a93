"""The words of every language: complete, with the same values to fill in, and read from data alone."""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from string import Formatter

import click
import pytest
from click.testing import CliRunner

from gnomon.cli import main
from gnomon.referee.games import begin
from gnomon.referee.rulings import Corrected, IllegalRuled
from gnomon.refusals import statement
from gnomon.timekeeping.instants import Instant
from gnomon.views import sentences
from gnomon.words import (
    ENGLISH,
    LANGUAGES,
    NO_BREAK,
    Clause,
    Words,
    WordsError,
    keep_signs,
    own,
    register,
    unregister,
    words,
)
from gnomon_pi.cli.daemon import main as daemon
from tests.web.api_house import ApiHouse, written
from tests.web.visitors import Reception

OTHERS = [language for language in LANGUAGES if language != "en"]
ROOT = Path(__file__).parents[2]
FILES = sorted(
    file
    for package in ("companion/gnomon", "firmware/gnomon_pi")
    for folder in (ROOT / package).rglob("words")
    for file in folder.rglob("*.json")
)


def fields(text: str) -> set[str]:
    """The values that an entry asks for."""
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


@pytest.mark.parametrize("language", OTHERS)
def test_every_language_has_every_entry_and_no_other(language: str) -> None:
    assert own(language).keys() == ENGLISH.entries.keys()


@pytest.mark.parametrize("language", OTHERS)
def test_every_entry_asks_for_the_same_values_in_every_language(language: str) -> None:
    asked = {key: fields(text) - spoken(key) for key, text in own(language).items()}
    assert asked == {key: fields(text) - spoken(key) for key, text in ENGLISH.entries.items()}


def spoken(key: str) -> set[str]:
    """The values that a language may say in a word of its own: one of a thing, as in "a turn"."""
    return {"number"} if key.endswith(".one") else set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_entry_is_empty_or_ends_in_blanks(language: str) -> None:
    assert [key for key, text in words(language).entries.items() if not text or text != text.strip()] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_entry_can_be_filled_in(language: str) -> None:
    spoken = words(language)
    said = {key: spoken(key, **{name: Clause("Ann") for name in fields(text)}) for key, text in spoken.entries.items()}
    assert [key for key, text in said.items() if re.search(r"[{}]", text)] == []
    assert [key for key, text in said.items() if fields(spoken.entries[key]) and "nn" not in text] == []


def test_no_two_files_have_an_entry_of_one_name() -> None:
    read = [(file, json.loads(file.read_text("utf-8"), object_pairs_hook=list)) for file in FILES]
    keys = [(language_of(file), key) for file, entries in read if file.name != "language.json" for key, _ in entries]
    assert len(keys) == sum(len(own(language)) - 1 for language in LANGUAGES)  # but for its own name
    assert len(keys) == len(set(keys))


def language_of(file: Path) -> str:
    """Of which language a file is."""
    return file.stem if file.parent.name == "words" else file.parent.name


def test_a_file_of_words_can_be_read_by_who_translates_it() -> None:
    assert FILES
    for file in FILES:
        text = file.read_text("utf-8")
        assert text == json.dumps(json.loads(text), ensure_ascii=False, indent=2) + "\n", file


def test_values_are_filled_in() -> None:
    assert words("de")("page.live") == "Live"
    with pytest.raises(KeyError):
        ENGLISH("page.nothing")
    with pytest.raises(KeyError):
        words("xx")


def test_no_word_is_read_before_one_is_asked_for() -> None:
    program = (
        "import gnomon_pi.cli.daemon, gnomon_pi.simulated.bench._operations, gnomon.web.hall._app\n"
        "import gnomon.cli.hall_commands.hall, gnomon.cli.tournament_commands.reports.papers, gnomon.web.director\n"
        "from gnomon.words import ENGLISH, LANGUAGES, _packed_entries, language_name\n"
        "assert [language_name(code) for code in LANGUAGES] == ['English', 'Deutsch', 'Français']\n"
        "assert _packed_entries.cache_info().misses == 0\n"
        "assert ENGLISH('page.live') and _packed_entries.cache_info().misses == 1\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


def test_only_the_subjects_that_are_spoken_of_are_kept_unpacked() -> None:
    program = (
        "from gnomon.words import _entries, complete, words\n"
        "for language in ('en', 'de'):\n"
        "    spoken = words(language)\n"
        "    assert spoken('page.live') and 'page.none' not in spoken.entries\n"
        "    assert len(complete(language)) == len(spoken.entries) == len(list(spoken.entries)) > 5000\n"
        "    assert complete(language)['page.live'] == spoken('page.live')\n"
        "assert _entries.cache_info().currsize == 2\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_kept_packed_says_what_the_files_say(language: str) -> None:
    spoken = {**own("en"), **{key: keep_signs(entry, language) for key, entry in own(language).items()}}
    assert dict(words(language).entries) == spoken


def test_the_program_carries_its_words() -> None:
    packages = [str(files(package)) for package in ("gnomon", "gnomon_pi")]
    assert all(str(file).startswith(tuple(packages)) for file in FILES)
    # What git does not ignore in a package goes into the wheel, but for what the project excludes: nothing.
    ignored = subprocess.run(["git", "check-ignore", *FILES], cwd=ROOT, capture_output=True, check=False)
    assert ignored.stdout == b""
    assert "exclude" not in (ROOT / "pyproject.toml").read_text("utf-8").partition("[tool.ruff]")[0]


# A language that nobody but a folder knows


ACCENTS = str.maketrans("aeiouAEIOUcn", "áéíóúÁÉÍÓÚçñ")


def accented(entry: str) -> str:
    """An entry with accents on its letters, and what is filled in as it was."""
    return "".join(
        part if part.startswith("{") else part.translate(ACCENTS) for part in re.split(r"(\{[^{}]*\})", entry)
    )


@pytest.fixture
def pseudo(tmp_path: Path) -> Iterator[Words]:
    """The words of a language that is English with accents; of it, one entry is not translated yet."""
    (tmp_path / "qa").mkdir()
    (tmp_path / "qa/language.json").write_text('{"name": "Áççéñts", "singular": [0, 1]}', "utf-8")
    entries = {key: accented(entry) for key, entry in ENGLISH.entries.items() if key not in {"language", "page.live"}}
    (tmp_path / "qa/everything.json").write_text(json.dumps(entries), "utf-8")
    register(tmp_path)
    yield words("qa")
    unregister(tmp_path)


def test_a_language_is_a_folder(pseudo: Words) -> None:
    assert list(LANGUAGES) == ["en", "de", "fr", "qa"]
    assert pseudo("language") == "Áççéñts"
    assert pseudo("told.tabik.occupied", square="a1") == "á stóñé stáñds óñ a1"
    assert pseudo.plural("picture.tau.turns", 0) == "0 túrñ léft."
    assert pseudo("page.live") == ENGLISH("page.live")
    assert "page.live" not in own("qa")


def test_pages_offer_a_new_language_and_speak_it(pseudo: Words) -> None:
    browser = Reception().browser()
    page = browser.get("/sign-in", **{"accept-language": "qa"})
    assert page.headers["content-language"] == "qa"
    assert "/language/qa" in page.text
    assert pseudo("access.sign_in") in page.text
    assert browser.get("/words/qa.json").json()["page.not_live"] == pseudo("page.not_live")
    assert "Áççéñts" in browser.get("/sign-in").text


def test_programs_are_answered_in_a_new_language(pseudo: Words, tmp_path: Path) -> None:
    with written(tmp_path) as journal:
        house = ApiHouse(journal)
        house.board.present = begin("tabik", {"size": 4})
        told = house.ask("GET", "/board?language=qa").json()
        assert told["request"] == pseudo("due.tabik")
        assert house.ask("GET", "/openapi.json").json()["paths"]["/board"]["get"]["parameters"][0]["schema"] == {
            "type": "string",
            "enum": ["en", "de", "fr", "qa"],
        }


def test_the_display_speaks_a_new_language(pseudo: Words) -> None:
    full = IllegalRuled(Instant(0), "red", "D1-D2", "full", ())
    assert sentences.brief(full, "tamsk", pseudo) != sentences.brief(full, "tamsk")
    paused = Corrected(Instant(0), statement("corrected.paused"), "arbiter", "")
    assert "ñ" in "".join(sentences.brief(paused, "tamsk", pseudo))


SHEET = "Sheet: 1\nGame: {}\nResult: {}\n"
# Names of files, games, keys, buttons, machines and scores, and what the library click says itself.
NAMES = frozenset(
    [
        "toml",
        "tamsk",
        "tabik",
        "twenty",
        "squares",
        "tayu",
        "table",
        "tau",
        "game",
        "clock",
        "button",
        "red",
        "black",
        "arbiter",
        "enter",
        "back",
        "next",
        "previous",
        "config",
        "txt",
        "dtparam",
        "dtoverlay",
        "arm",
        "baudrate",
        "spi",
        "on",
        "cs",
        "sheet",
        "product",
        "Zero",
        "Error",
    ]
)


def without_accents(said: str) -> set[str]:
    """The words of a text that are in no language, but for names."""
    return {each for each in re.findall(r"[^\W\d_]{2,}", said) if re.search("[aeioun]", each)} - NAMES


@pytest.mark.parametrize(
    ("program", "command", "given"),
    [
        (daemon, "check-config --board tamsk", ""),
        (daemon, "check-config --board tayu", ""),
        (daemon, "check-config --board table", ""),
        (main, "sheet show -", SHEET.format("tayu", "p1 resignation")),
        (main, "sheet show -", SHEET.format("tau", "draw")),
        (main, "sheet check -", SHEET.format("tau", "void")),
        (main, "sheet convert - --to sgf", SHEET.format("clock", "draw")),
        (main, "journal verify .", ""),
    ],
    ids=lambda given: given if isinstance(given, str) else "",
)
def test_commands_speak_a_new_language(pseudo: Words, program: click.Group, command: str, given: str) -> None:
    told = CliRunner().invoke(program, ["--language", pseudo.language, *command.split()], input=given)
    assert told.output
    assert without_accents(told.output) == set()


def test_a_word_without_accents_is_found() -> None:
    assert without_accents("tamsk.toml désçríbés a TAMSK plate óf 2.5 A, in all") == {"in", "all", "plate"}


def test_a_language_that_is_gone_is_offered_no_more() -> None:
    assert list(LANGUAGES) == ["en", "de", "fr"]


def test_no_line_of_french_ends_before_its_signs() -> None:
    french, plain = words("fr").entries, own("fr")
    assert french["told.journal.damaged"] != plain["told.journal.damaged"]
    assert [key for key, entry in french.items() if re.search(r" [:;!?»%]|« ", entry)] == []
    assert {key: entry.replace(NO_BREAK, " ") for key, entry in french.items()} == {
        key: entry.replace(NO_BREAK, " ") for key, entry in plain.items()
    }


@pytest.mark.parametrize("deep", [False, True])
def test_words_that_cannot_be_read_are_refused(tmp_path: Path, deep: bool) -> None:
    folder = tmp_path if deep else Path("/dev/null")
    if deep:
        (tmp_path / "de").mkdir()
        (tmp_path / "de/deep.json").write_text("[" * 100_000, "utf-8")
    with pytest.raises(WordsError, match="cannot be read"):
        register(folder)
    assert list(LANGUAGES) == ["en", "de", "fr"]
