"""Pages whose module is imported when somebody asks for one of them: they answer as all others do."""

from collections.abc import Sequence

import pytest
from starlette.routing import BaseRoute, Mount, Route

from gnomon.web._later_pages import LaterPages
from gnomon.web.access.gate import OpenActionError
from gnomon.web.app import LATER
from gnomon.web.app_context import AppContext
from gnomon.web.pages import puzzles
from tests.web.visitors import Browser, Reception


def later(reception: Reception) -> list[LaterPages]:
    return [each for each in reception.app.routes if isinstance(each, LaterPages)]  # type: ignore[attr-defined]  # an application of Starlette


@pytest.fixture
def browser() -> Browser:
    return Reception().browser()


def test_every_address_of_such_a_page_is_under_its_path() -> None:
    *found, api = later(Reception())
    assert len(found) == len(LATER)
    assert [route.path for route in api.routes if isinstance(route, Mount)] == ["/api/v1"]
    for pages, under in zip(found, LATER.values(), strict=True):
        paths = [route.path for route in pages.routes if isinstance(route, Route)]
        assert len(paths) == len(pages.routes) > 0
        assert all(path == under or path.startswith(f"{under}/") for path in paths)


def test_they_answer_and_refuse_as_all_pages_do(browser: Browser) -> None:
    assert browser.get("/learn").status_code == 200
    assert browser.get("/learn/").status_code == 307  # to the address without the last stroke
    assert browser.get("/learn/tabik/no-such-lesson").status_code == 404
    assert browser.get("/learned").status_code == 404
    assert browser.send("/learn").status_code == 405
    assert browser.send("/players/join").status_code == 401
    assert browser.get("/players/join").status_code == 405


def test_none_of_them_is_made_before_it_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[AppContext] = []
    original = puzzles.routes

    def make(house: AppContext) -> Sequence[BaseRoute]:
        made.append(house)
        return original(house)

    monkeypatch.setattr(puzzles, "routes", make)
    browser = Reception().browser()
    assert browser.get("/learn").status_code == 200
    assert not made
    for _ in range(2):
        browser.get("/puzzles")
    assert len(made) == 1


def test_an_action_for_everybody_is_refused_when_its_page_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    reception = Reception()
    monkeypatch.setattr(puzzles, "routes", lambda _: [Route("/puzzles/open", puzzles.routes, methods=["POST"])])
    with pytest.raises(OpenActionError, match="/puzzles/open"):
        reception.browser().get("/puzzles")
