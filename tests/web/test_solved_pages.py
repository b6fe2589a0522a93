"""The pages of a solved game: what is proven of each turn, who may ask for more, and what is shown meanwhile."""

import sys
from pathlib import Path

import pytest

from gnomon.engines import engine_of
from gnomon.engines.solutions import exact_solver
from gnomon.games.tabik import KIND
from gnomon.rules.registry import rules_of
from gnomon.web.access import Role
from gnomon.web.games.analyses import Analyses
from tests.web.test_analysis_pages import wait
from tests.web.visitors import Browser, Reception

PAGE = "/solved/tabik"
SMALL = {"size": "2", "pie": "no"}


def solving(folder: Path, program: str = "") -> Reception:
    """A board that solves positions, by the real command or by a program that stands in for it."""
    solutions = Analyses.of_positions(folder / "journal", lambda: False)
    if program:
        solutions.command = (sys.executable, "-c", program)
    return Reception(solutions=solutions)


def ask(browser: Browser, **wanted: str) -> None:
    assert browser.send(PAGE, **wanted).status_code == 303
    query = "&".join(f"{name}={value}" for name, value in wanted.items())
    wait(lambda: not browser.get(f"{PAGE}/progress.json?{query}").json()["runs"])


def test_every_turn_is_shown_with_its_result_once_it_was_asked_for(tmp_path: Path) -> None:
    reception = solving(tmp_path)
    player = reception.signed_in(Role.PLAYER)
    before = player.get(f"{PAGE}?size=2").text
    assert "Not solved yet" in before
    assert "Solve this position" in before
    ask(player, **SMALL)
    after = reception.browser().get(f"{PAGE}?size=2").text  # everybody may look
    assert "Black can win." in after
    assert "These turns win" in after
    assert "These turns lose" not in after
    assert f'href="{PAGE}?size=2&amp;pie=no&amp;turns=a1b1"' in after
    assert [each.name for each in (tmp_path / "solutions").iterdir()]
    ask(player, **SMALL)  # what is known is not solved again


def test_a_game_is_played_to_its_end_and_back(tmp_path: Path) -> None:
    browser = solving(tmp_path).browser()
    second = browser.get(f"{PAGE}?size=2&pie=no&turns=a1b1").text
    assert "White to move" in second
    assert f'href="{PAGE}?size=2&amp;pie=no&amp;turns=a1b1.a2b2"' in second
    assert f'href="{PAGE}?size=2&amp;pie=no"' in second
    position, texts = rules_of("tabik", SMALL).start(), []
    rules = rules_of("tabik", SMALL)
    while rules.outcome(position) is None:
        move = rules.legal_moves(position)[0]
        texts.append(rules.text(position, move))
        position = rules.play(position, move)
    over = browser.get(f"{PAGE}?size=2&pie=no&turns={'.'.join(texts)}").text
    assert "The game is over" in over
    assert "Solve this position" not in over


@pytest.mark.parametrize(
    "query", ["size=5", "pie=maybe", "turns=a1a3", "turns=a1b1.a1b1", "turns=" + ".".join(["a1b1"] * 70)]
)
def test_what_is_no_position_is_not_there(tmp_path: Path, query: str) -> None:
    browser = solving(tmp_path).browser()
    assert browser.get(f"{PAGE}?{query}").status_code == 404
    assert browser.get(f"{PAGE}/position.svg?{query}").status_code == 404


def test_other_games_and_boards_that_solve_nothing_have_no_such_page(tmp_path: Path) -> None:
    browser = solving(tmp_path).browser()
    assert browser.get("/solved/tamsk").status_code == 404
    assert browser.get("/solved/halma").status_code == 404
    assert browser.get("/solved").headers["location"] == PAGE
    assert PAGE in browser.get("/learn").text
    nowhere = Reception().browser()
    assert nowhere.get(PAGE).status_code == 404
    assert nowhere.get("/solved").status_code == 404
    assert PAGE not in nowhere.get("/learn").text


def test_who_only_looks_on_starts_no_search(tmp_path: Path) -> None:
    browser = solving(tmp_path).browser()
    assert "Sign in" in browser.get(PAGE).text
    assert "Solve this position" not in browser.get(PAGE).text
    assert browser.send(PAGE, **SMALL).status_code == 401


def test_results_are_shown_as_they_are_proven(tmp_path: Path) -> None:
    program = (
        "import sys, time; sys.stderr.write('1/6 a1b1:0 b1a1:1\\n'); sys.stderr.flush(); "
        f"end = time.monotonic() + 60\nwhile not __import__('os').path.exists({str(tmp_path / 'go')!r}):\n"
        " time.sleep(0.02)\n assert time.monotonic() < end\nraise SystemExit('no more')"
    )
    reception = solving(tmp_path, program)
    player = reception.signed_in(Role.PLAYER)
    assert player.send(PAGE).status_code == 303
    wait(lambda: player.get(f"{PAGE}/progress.json").json().get("done") == 1)
    shown = player.get(PAGE).text
    assert "Solved so far: 1 of 6 kinds of turn" in shown
    assert "Black can win." in shown
    assert "These turns lose" in shown
    assert "Not solved yet" in shown
    (tmp_path / "go").touch()
    wait(lambda: not player.get(f"{PAGE}/progress.json").json()["runs"])
    assert "The search failed: no more" in player.get(PAGE).text


def test_no_more_wait_than_can_be_served(tmp_path: Path) -> None:
    reception = Reception(solutions=Analyses.of_positions(tmp_path / "journal", lambda: True))
    player = reception.signed_in(Role.PLAYER)
    texts = ["a1b1", "b1a1", "a1a2", "a2a1", "b1b2", "b2b1", "a2b2", "b2a2"]
    for text in texts:
        assert player.send(PAGE, **SMALL, turns=text).status_code == 303
    assert "waits" in player.get(f"{PAGE}?size=2&pie=no&turns=a1b1").text
    assert player.send(PAGE).status_code == 503


def test_the_pages_speak_every_language(tmp_path: Path) -> None:
    browser = solving(tmp_path).browser()
    for language, heading in (("de", "Tabik, gelöst"), ("fr", "Tabik, résolu")):
        assert heading in browser.get(f"{PAGE}?language={language}").text


def test_what_the_kind_offers_can_be_solved() -> None:
    for size in KIND.solved["size"]:
        assert exact_solver(engine_of(rules_of("tabik", {"size": size}))) is not None
