"""What people read at the bench is in their own language: the page, its programs, what it is told and refused."""

import re
from html.parser import HTMLParser
from importlib import resources
from typing import Final

import pytest

from gnomon.web.language import LANGUAGE_COOKIE
from gnomon.words import LANGUAGES, words
from gnomon_pi.simulated.bench._hands import Deed
from tests.bench_page.paper import Visitor

OTHERS: Final = [language for language in LANGUAGES if language != "en"]
READ: Final = {"aria-label", "aria-roledescription", "title", "placeholder", "alt"}
NAMES: Final = frozenset({"Gnomon", "TAMSK", "Tayu", "Tabik", "TAU", "Tau", "Tau (Twenty Squares)"})
SHARED: Final[dict[str, set[str]]] = {"de": set(), "fr": {"Menu", "Pages"}}
"""Words on the page that are the same in English."""
OF_THE_BENCH: Final = {
    *("board_page.js", "board_view.js", "banner.js", "controls.js", "fingers.js", "hands.js", "pad.js"),
    *("seats.js", "table_picture.js", "tamsk.js"),
}
SCRIPTS: Final = {
    file.name: file.read_text(encoding="utf-8")
    for file in (resources.files("gnomon.web") / "static").iterdir()
    if file.name in OF_THE_BENCH
}
WORDY: Final = re.compile(r"[A-Z][a-z]{2}|[a-z] [a-z]|[a-z][.?!]$|…")
CODES: Final = {deed.value for deed in Deed} | {
    *("in hand", "may go on", "agreed draw", "setting out"),  # of the referee
    *("last move", "to move", "running out", "put here", "take away", "15 s glass"),  # of the lights
    *("Enter", "Escape", "ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight", "viewBox", "textLength"),  # of browsers
    *("seat clocked", "sign sign-*", "sign sign-* hue-* of-*", "action quiet", ".holder svg"),  # of style sheets
}


def literals(source: str) -> list[str]:
    """Every text that a program writes, without its comments; `*` stands for what is filled in."""
    code = re.sub(r"(?m)(^|\s)//.*$", "", re.sub(r"(?s)/\*\*.*?\*/", "", source))
    found = re.findall(r'"([^"\n]*)"|`([^`]*)`', code)
    return [re.sub(r"\$\{[^{}]*\}", "*", plain or filled) for plain, filled in found]


class Said(HTMLParser):
    """Everything that a page says to those who see it and to those who listen."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.language = ""
        self.texts: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.language = str(given.get("lang")) if tag == "html" else self.language
        self.texts += [text for name, text in attrs if name in READ and text]
        if tag == "meta" and given.get("name") == "description":
            self.texts.append(str(given["content"]))

    def handle_data(self, data: str) -> None:
        if re.search(r"[^\W\d_]", data):
            self.texts.append(data.strip())


def opened(client: Visitor, language: str) -> Said:
    return Said(client.get("/bench/", headers={"accept-language": language}).text)


@pytest.mark.parametrize("language", LANGUAGES)
def test_everything_on_the_page_is_an_entry_of_its_language(client: Visitor, language: str) -> None:
    page = opened(client, language)
    own = {words(code)("language") for code in LANGUAGES} | set(words(language).entries.values())
    assert page.language == language
    assert len(page.texts) > 60
    assert [text for text in page.texts if text.removesuffix(" · Gnomon") not in own | NAMES] == []


@pytest.mark.parametrize("language", OTHERS)
def test_no_english_word_remains_on_a_page_of_another_language(client: Visitor, language: str) -> None:
    english, other = opened(client, "en").texts, opened(client, language).texts
    assert len(english) == len(other)
    alike = {one for one, said in zip(english, other, strict=True) if one == said}
    languages = {words(code)("language") for code in LANGUAGES}
    assert alike - NAMES - languages == SHARED[language]


def test_no_program_of_the_page_writes_words_of_its_own() -> None:
    assert len(SCRIPTS) == len(OF_THE_BENCH)
    assert {text for source in SCRIPTS.values() for text in literals(source) if WORDY.search(text)} <= CODES


def test_a_program_that_wrote_words_would_be_found() -> None:
    source = 'say("bench.live"); /** Not "This one". */ put(`${name} glass in hand`, "Not live"); // "Nor this"\n'
    assert [text for text in literals(source) if WORDY.search(text)] == ["* glass in hand", "Not live"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_entry_that_the_programs_ask_for_is_in_the_catalogue(language: str) -> None:
    asked = {key for source in SCRIPTS.values() for key in re.findall(r'"(bench\.[a-z0-9_.]+)"', source)}
    counted = {"bench.space", "bench.legal.count"}
    assert len(asked) > 60
    assert asked - counted <= words(language).entries.keys()


def test_the_language_is_the_one_that_the_reader_chose_before_the_browsers(client: Visitor) -> None:
    answer = client.get("/bench/", headers={"cookie": f"{LANGUAGE_COOKIE}=fr", "accept-language": "de"})
    assert Said(answer.text).language == "fr"
    assert answer.headers["content-language"] == "fr"
    assert answer.headers["vary"] == "Accept-Language, Cookie, gnomon-published"
    assert opened(client, "xx").language == "en"


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "There is no glass on D2."),
        ("de", "Auf D2 steht keine Sanduhr."),
        ("fr", "Il n’y a pas de sablier en D2."),
    ],
)
def test_what_no_hand_can_do_is_said_in_the_language_of_the_reader(
    client: Visitor, language: str, sentence: str
) -> None:
    lift = {"verb": "lift", "space": "D2"}
    told = client.post("simulation/hands", json=lift, headers={"accept-language": language}).json()
    assert told == {"error": sentence, "code": "no_glass", "values": {"space": "D2"}}
