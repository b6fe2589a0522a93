"""The pages as an app of the home screen: its manifest, its icons, and the shell that says that nothing is live."""

import re
from io import BytesIO

import pytest
from PIL import Image

from gnomon.web._templates import STATIC
from gnomon.words import LANGUAGES, words
from tests.web.api_house import PaperBoard
from tests.web.visitors import Browser, Reception

WORKER = (STATIC / "service_worker.js").read_text(encoding="utf-8")


@pytest.fixture
def browser() -> Browser:
    return Reception(board=PaperBoard()).browser()


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_manifest_says_what_a_browser_needs(browser: Browser, language: str) -> None:
    answer = browser.ask("GET", "/app.webmanifest", headers={"accept-language": language})
    assert answer.headers["content-type"] == "application/manifest+json"
    manifest = answer.json()
    assert manifest["description"] == words(language)("players.app.what")
    assert manifest["lang"] == language
    for path in (manifest["start_url"], *(shortcut["url"] for shortcut in manifest["shortcuts"])):
        assert browser.get(path).status_code == 200
    for icon in manifest["icons"]:
        found = browser.get(icon["src"])
        assert found.headers["content-type"].partition(";")[0] == icon["type"]
        if icon["type"] == "image/png":
            assert "x".join(map(str, Image.open(BytesIO(found.content)).size)) == icon["sizes"]


def test_the_worker_stands_at_the_root_of_what_it_works_for(browser: Browser) -> None:
    answer = browser.get("/service-worker.js")
    assert answer.headers["content-type"].startswith("text/javascript")
    assert answer.text == WORKER


def test_the_worker_keeps_the_shell_and_nothing_of_a_game(browser: Browser) -> None:
    kept = re.search(r"const KEPT = \[([^\]]*)\]", WORKER)
    assert kept is not None
    names = re.findall(r'"([^"]+)"', kept[1])
    assert names == ["/static/base.css", "/static/not_live.css", "/static/not_live.js"]
    assert WORKER.count("addAll") == 1
    assert ".put(" not in WORKER
    for name in (*names, "/not-live"):
        assert browser.get(name).status_code == 200


def test_the_shell_needs_nothing_but_what_is_kept(browser: Browser) -> None:
    page = browser.get("/not-live").text
    assert set(re.findall(r'(?:href|src)="(/[^"]+)"', page)) == {
        "/static/base.css",
        "/static/not_live.css",
        "/static/not_live.js",
    }
    assert words()("page.not_live") in page
