"""The page of a game's analysis: who may ask for one, that it waits for the board, and what it shows."""

import hashlib
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from gnomon.analysis.codec import load_analysis
from gnomon.records.formats.sheets import read_sheet, sheet_text
from gnomon.records.journal.entries import EntryKind
from gnomon.records.journal.writer import Journal
from gnomon.web.access import Role
from gnomon.web.games.analyses import Analyses, key_of_game
from gnomon.web.server.workers import BusyError
from tests.analysis.test_game_analysis import random_sheet
from tests.web.spectators import SHEETS, Shelfful, fill
from tests.web.visitors import Browser, Reception

SHEET = (Path(__file__).parents[1] / "cli" / "analysed" / "game.sheet").read_text()
UNFINISHED = "Sheet: 1\nGame: tabik\nSettings: size=3\n\n1. a1b1 3\n"
PATIENCE = 60.0  # seconds
PAGE = "/games/1/analysis"


class House:
    """The pages of a board at which somebody plays or not, and what was played there."""

    def __init__(self, folder: Path, *sheets: str) -> None:
        with Journal.open(folder / "journal") as journal:
            fill(journal, sheets)
            archive = Shelfful.of(journal)
        archive.durable_seq = max(archive.last_of(game.id) for game in archive.games_)
        self.is_played = False
        self.analyses = Analyses(folder / "analyses", lambda: self.is_played)
        self.reception = Reception(archive=archive, analyses=self.analyses)

    def player(self) -> Browser:
        return self.reception.signed_in(Role.PLAYER)


def wait(until: Callable[[], object]) -> None:
    end = time.monotonic() + PATIENCE
    while not until():
        assert time.monotonic() < end
        time.sleep(0.05)


@pytest.fixture
def house(tmp_path: Path) -> House:
    return House(tmp_path, SHEET, UNFINISHED, SHEETS[0])


@pytest.fixture(scope="module")
def analysed(tmp_path_factory: pytest.TempPathFactory) -> Browser:
    """A browser at a house whose first game has been analysed."""
    house = House(tmp_path_factory.mktemp("analysed"), SHEET)
    browser = house.player()
    assert browser.send(PAGE).status_code == 303
    wait(lambda: not browser.get(f"{PAGE}/progress.json").json()["runs"])
    return browser


def test_a_replay_links_the_analysis_of_a_finished_game_only(house: House) -> None:
    visitor = house.reception.browser()
    assert f'href="{PAGE}"' in visitor.get("/games/1").text
    assert "/games/2/analysis" not in visitor.get("/games/2").text
    assert visitor.get("/games/2/analysis").status_code == 404
    assert visitor.get("/games/99/analysis").status_code == 404
    assert visitor.get("/games/x/analysis").status_code == 404
    assert visitor.get(f"{PAGE}/position.svg").status_code == 404
    assert visitor.get(f"{PAGE}/game.sgf").status_code == 404


def test_a_house_without_analyses_has_no_such_page(tmp_path: Path) -> None:
    house = House(tmp_path, SHEET)
    reception = Reception(archive=house.reception.archive)
    assert "/analysis" not in reception.browser().get("/games/1").text
    assert reception.browser().get(PAGE).status_code == 404


def test_only_players_have_a_game_analysed(house: House) -> None:
    visitor = house.reception.browser()
    page = visitor.get(PAGE)
    assert page.status_code == 200
    assert "<form" not in page.text
    assert visitor.send(PAGE).status_code == 401
    assert '<form method="post" action="/games/1/analysis">' in house.player().get(PAGE).text


def test_it_waits_until_nobody_plays(house: House) -> None:
    house.is_played = True
    browser = house.player()
    assert browser.send(PAGE).status_code == 303
    assert browser.send(PAGE).status_code == 303, "it is asked for once"
    time.sleep(0.6)
    assert "Waiting until nobody plays" in browser.get(PAGE).text
    told = browser.get(f"{PAGE}/progress.json").json()
    assert (told["runs"], told["done"], told["turns"]) == (True, 0, 0)
    house.is_played = False
    wait(lambda: not browser.get(f"{PAGE}/progress.json").json()["runs"])
    assert 'class="chart"' in browser.get(PAGE).text


def test_the_page_shows_what_the_analysis_found(analysed: Browser) -> None:
    text = analysed.get(PAGE).text
    assert "Chance of winning (Ada)" in text
    assert "Turn 2, White: a2a1 changed the result" in text
    assert "Ada (Black): accuracy 100 % in 4 turns." in text
    assert text.count('<th scope="row">') == 10
    assert f'<a href="{PAGE}?turn=2#board" aria-label="Turn 2: result">' in text
    german = analysed.get(PAGE, **{"accept-language": "de"}).text
    assert "Gewinnchance (Ada)" in german
    assert "verloren (bewiesen)" in german


def test_a_game_of_four_has_no_graph(tmp_path: Path) -> None:
    settings = {"board": "double", "players": "4", "counters": "2"}
    house = House(tmp_path, sheet_text(random_sheet("twenty-squares", settings, 2)))
    browser = house.player()
    browser.send(PAGE)
    wait(lambda: not browser.get(f"{PAGE}/progress.json").json()["runs"])
    text = browser.get(PAGE).text
    assert 'class="chart"' not in text
    assert "Player 4: accuracy" in text


def test_the_better_line_is_played_on_the_picture_of_the_board(analysed: Browser) -> None:
    pictures = [analysed.get(f"{PAGE}/position.svg?turn=2&step={step}").text for step in range(7)]
    assert "before turn 2" in pictures[0]
    assert "c1b1" in pictures[1]
    assert len(set(pictures)) == 6, "after the last move it stays"
    assert "step=2" in analysed.get(f"{PAGE}?turn=2&step=1").text
    assert analysed.get(f"{PAGE}?turn=99").status_code == 200
    assert analysed.get(f"{PAGE}/position.svg?turn=99").status_code == 404
    assert analysed.get(f"{PAGE}?turn=x&step=-1").status_code == 200


def test_it_is_taken_along_as_sgf_and_json(analysed: Browser) -> None:
    sgf = analysed.get(f"{PAGE}/game.sgf")
    assert "filename" in sgf.headers["content-disposition"]
    assert ")(;W[c1b1]" in sgf.text
    assert load_analysis(analysed.get(f"{PAGE}/analysis.json").json()).costly[0].number == 2


def test_what_was_found_is_kept_and_not_made_again(tmp_path: Path) -> None:
    house = House(tmp_path, SHEET)
    browser = house.player()
    browser.send(PAGE)
    wait(lambda: not browser.get(f"{PAGE}/progress.json").json()["runs"])
    assert len(list((tmp_path / "analyses").iterdir())) == 1
    again = House.__new__(House)
    again.analyses = Analyses(tmp_path / "analyses", lambda: True, command=("false",))
    again.reception = Reception(archive=house.reception.archive, analyses=again.analyses)
    assert 'class="chart"' in again.reception.browser().get(PAGE).text


def test_two_journals_in_one_folder_keep_their_analyses_apart(tmp_path: Path) -> None:
    house = House(tmp_path, SHEET)
    house.analyses = Analyses.beside(tmp_path / "club.journal", lambda: False)
    house.reception = Reception(archive=house.reception.archive, analyses=house.analyses)
    browser = house.player()
    (tmp_path / "analyses" / "other").mkdir(parents=True)
    of_another = tmp_path / "analyses" / "other" / "1-0.part"  # whose daemon writes it just now
    of_another.touch()
    browser.send(PAGE)
    wait(lambda: not browser.get(f"{PAGE}/progress.json").json()["runs"])
    (kept,) = (tmp_path / "analyses" / "club").iterdir()
    key = kept.stem.rpartition("-")[0]
    assert of_another.exists()
    assert Analyses.beside(tmp_path / "other.journal", lambda: False).find(key) is None
    # What an earlier version left for all of them is found, and what is damaged there is left alone.
    old = kept.rename(tmp_path / "analyses" / kept.name)
    for journal in ("club.journal", "other.journal"):
        assert Analyses.beside(tmp_path / journal, lambda: False).find(key) is not None
    old.write_bytes(b"{}")
    assert Analyses.beside(tmp_path / "club.journal", lambda: False).find(key) is None
    assert old.exists()


def test_a_damaged_analysis_is_made_again_and_not_shown(tmp_path: Path) -> None:
    """A flipped bit of a number is as bad as a bracket that is gone."""
    house = House(tmp_path, SHEET)
    browser = house.player()
    browser.send(PAGE)
    wait(lambda: not browser.get(f"{PAGE}/progress.json").json()["runs"])
    (kept,) = (tmp_path / "analyses").iterdir()
    key, good = kept.stem.rpartition("-")[0], kept.read_bytes()
    flipped = [good[:place] + bytes([good[place] ^ 1]) + good[place + 1 :] for place in range(0, len(good), 97)]
    for bad in (b"", b"[" * 200_000, b"\xff", b'{"format": 1}', good[:-2], good.replace(b"1", b"2"), *flipped):
        kept.write_bytes(bad)
        assert Analyses(tmp_path / "analyses", lambda: True).find(key) is None
        assert not kept.exists()
    later = good.replace(b'"format": 1', b'"format": 2')
    of_another_version = kept.with_name(f"{key}-{hashlib.sha256(later).hexdigest()[:16]}.json")
    of_another_version.write_bytes(later)
    assert Analyses(tmp_path / "analyses", lambda: True).find(key) is None
    kept.write_bytes(good)
    assert Analyses(tmp_path / "analyses", lambda: True).find(key) is not None


def test_a_process_that_says_nothing_any_more_is_ended(tmp_path: Path) -> None:
    program = "import sys, time; sys.stdin.read(); time.sleep(600)"
    analyses = Analyses(tmp_path, lambda: False, command=(sys.executable, "-c", program), patience=0.2)
    analyses.ask("1-a", b"sheet")
    wait(lambda: analyses.progress("1-a") is None)
    assert analyses.failure("1-a")
    assert list(tmp_path.iterdir()) == []


def test_a_process_that_fails_is_told(tmp_path: Path) -> None:
    program = "import sys; sys.stdin.read(); print('Error: no engine', file=sys.stderr); sys.exit(2)"
    analyses = Analyses(tmp_path, lambda: False, command=(sys.executable, "-c", program))
    analyses.ask("1-a", b"sheet")
    wait(lambda: analyses.progress("1-a") is None)
    assert (analyses.failure("1-a"), analyses.find("1-a")) == ("no engine", None)
    assert list(tmp_path.iterdir()) == []
    missing = Analyses(tmp_path, lambda: False, command=(str(tmp_path / "none"),))
    missing.ask("1-a", b"sheet")
    wait(lambda: missing.progress("1-a") is None)
    assert missing.failure("1-a")


def test_whatever_goes_wrong_the_next_analysis_begins(tmp_path: Path) -> None:
    def is_busy() -> bool:
        raise RuntimeError

    analyses = Analyses(tmp_path, is_busy, command=("true",))
    for key in ("1-a", "2-a"):
        analyses.ask(key, b"sheet")
        wait(partial(analyses.failure, key))
        assert analyses.failure(key) == "RuntimeError"


def test_a_process_is_stopped_while_somebody_plays(tmp_path: Path) -> None:
    """It says how far it has come ten times a second, unless it is stopped."""
    is_played = False
    program = (
        "import sys, time\nsys.stdin.read()\n"
        "for turn in range(1, 41):\n    print(f'{turn}/40', file=sys.stderr, flush=True)\n    time.sleep(0.1)\n"
    )
    analyses = Analyses(tmp_path, lambda: is_played, command=(sys.executable, "-c", program))
    analyses.ask("1-a", b"sheet")

    def done() -> int:
        progress = analyses.progress("1-a")
        assert progress is not None
        return progress.done

    def waits() -> bool:
        progress = analyses.progress("1-a")
        assert progress is not None
        return progress.waits

    wait(lambda: done() > 2)
    is_played = True
    wait(waits)
    time.sleep(0.2)  # it is stopped by then, and what it had said before is read
    stood = done()
    time.sleep(0.6)
    assert done() == stood
    is_played = False
    wait(lambda: analyses.progress("1-a") is None)


@pytest.mark.usefixtures("lowest_priority")
def test_a_process_has_what_others_leave_over(tmp_path: Path) -> None:
    program = (
        "import os, sys; sys.stdin.read(); print(open('/proc/self/oom_score_adj').read().strip(), "
        "os.sched_getscheduler(0) == os.SCHED_IDLE, os.getpgid(0) == os.getpid())"
    )
    analyses = Analyses(tmp_path, lambda: False, command=(sys.executable, "-c", program))
    analyses.ask("1-a", b"sheet")
    wait(lambda: analyses.progress("1-a") is None)
    (kept,) = tmp_path.glob("1-a-*.json")
    assert kept.read_text() == "1000 True True\n"


def test_a_process_that_is_stopped_ends_with_the_program_that_began_it(tmp_path: Path) -> None:
    program = f"""
import sys, time
from pathlib import Path
from gnomon.web.games.analyses import Analyses
child = "import os, sys, time; sys.stdin.read(); print('1/9', file=sys.stderr, flush=True); "
child += "open({str(tmp_path / "pid")!r}, 'w').write(str(os.getpid())); time.sleep(60)"
is_played = False
analyses = Analyses(Path({str(tmp_path)!r}), lambda: is_played, command=(sys.executable, "-c", child))
analyses.ask("1-a", b"sheet")
while not analyses.progress("1-a").done or not Path({str(tmp_path / "pid")!r}).exists():
    time.sleep(0.05)
is_played = True
status = Path("/proc", Path({str(tmp_path / "pid")!r}).read_text(), "status")
while "State:\\tT" not in status.read_text():  # the system ends only what has stopped by then
    time.sleep(0.05)
"""
    subprocess.run([sys.executable, "-c", program], check=True, timeout=PATIENCE)
    status = Path("/proc", (tmp_path / "pid").read_text(), "status")
    wait(lambda: not status.exists() or "State:\tZ" in status.read_text())
    assert (tmp_path / "1-a.part").exists()
    analyses = Analyses(tmp_path, lambda: False, command=("true",))
    analyses.ask("2-a", b"sheet")
    wait(lambda: analyses.progress("2-a") is None)
    assert not (tmp_path / "1-a.part").exists(), "what was left is removed"


def test_no_more_games_wait_than_may(tmp_path: Path) -> None:
    played = [True]
    analyses = Analyses(tmp_path, lambda: played[0], command=("true",))
    for number in range(8):
        analyses.ask(f"{number}-a", b"sheet")
    with pytest.raises(BusyError):
        analyses.ask("9-a", b"sheet")
    played[0] = False
    wait(lambda: all(analyses.progress(f"{number}-a") is None for number in range(8)))


def test_other_turns_of_a_game_are_another_analysis() -> None:
    sheet = read_sheet(SHEET.encode())
    assert key_of_game(1, sheet) != key_of_game(1, replace(sheet, lines=sheet.lines[:-1]))
    assert key_of_game(1, sheet).startswith("1-")


def test_an_analysis_is_still_there_when_a_daemon_has_started_with_that_game(tmp_path: Path) -> None:
    house = House(tmp_path, SHEET)
    browser = house.player()
    assert browser.send(PAGE).status_code == 303
    wait(lambda: not browser.get(f"{PAGE}/progress.json").json()["runs"])
    found = browser.get(PAGE).text
    with Journal.open(tmp_path / "journal") as journal:
        last = journal.read(1)[-1].entry
        journal.append(replace(last, kind=EntryKind.NOTE, body={"note": "resumed", "away": ""}, cause=None))
    again = House(tmp_path)
    assert 'id="graph-title"' in found
    assert 'id="graph-title"' in again.player().get(PAGE).text
