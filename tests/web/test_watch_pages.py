"""The pages of written games and for spectators: found, looked at, taken along, and what they say when they cannot."""

import asyncio
import json
import re
import sqlite3
import threading
from collections.abc import Callable, Coroutine, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from datetime import datetime
from html import unescape
from pathlib import Path
from typing import Any, Final, TypeVar

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from gnomon.cli.record_commands.journal import journal as journal_command
from gnomon.games.tamsk.rules import PLAYERS
from gnomon.records.journal.entries import CUT, GameStart, Record, StoredGame
from gnomon.records.journal.event_codec import body_of
from gnomon.records.journal.rescue import open_or_rescue
from gnomon.records.journal.store import JournalError
from gnomon.records.journal.writer import Journal
from gnomon.referee.events import Paused, Resumed
from gnomon.rules.protocol import Outcome
from gnomon.timekeeping.instants import Instant
from gnomon.views.phrases import elapsed_text
from gnomon.web.games import exports
from gnomon.web.games.archive import ArchivedGame, GameFilter
from gnomon.web.middleware.origin_check import FRAMELESS
from gnomon.web.pages.archive import EACH, Library
from gnomon.words import LANGUAGES, words
from tests.web.spectators import SHEETS, Answer, Evening, Shelfful, World, fill, settle
from tests.web.visitors import Reception

BEGUN: Final = GameStart("tamsk", {"level": 2}, "assistant", Instant(0), "boot", "2026-11-20T10:30:00+00:00", "1")
AnswerT = TypeVar("AnswerT")
PATIENCE: Final = 60  # seconds; a bound for a machine in trouble, never waited for
RED_WON: Final = Outcome("red", "fewest_rings")


@pytest.fixture(scope="module")
def journal(tmp_path_factory: pytest.TempPathFactory) -> Shelfful:
    with Journal.open(tmp_path_factory.mktemp("pages") / "journal") as journal:
        fill(journal, (*SHEETS, SHEETS[0].replace("Result: black resigned\n", "")))
        found = Shelfful.of(journal)
        assert found.games_ == journal.games()
        found.durable_seq = found.last_of(3)
        for last in (found.last_of(1), found.last_of(3)):
            assert found.endings(last=last) == journal.endings(last=last)
        assert found.endings(2) == journal.endings(2)
        return found


@pytest.fixture(scope="module")
def evening(journal: Shelfful) -> Iterator[Evening]:
    evening = Evening(journal)
    yield evening
    evening.close()


def visit(archive: Shelfful, what: Callable[[World], Coroutine[object, object, AnswerT]]) -> AnswerT:
    """What a spectator sees of a house without delay."""

    async def go() -> AnswerT:
        world = World(archive, delay=0)
        try:
            return await what(world)
        finally:
            world.close()

    return asyncio.run(go())


def get(archive: Shelfful, path: str) -> Answer:
    return visit(archive, lambda world: world.ask(path))


def many(count: int) -> Shelfful:
    """So many games, one a day, of people called after their numbers."""
    games = [
        StoredGame(
            number,
            replace(BEGUN, wall=f"2026-{1 + number // 28:02d}-{1 + number % 28:02d}T10:30:00+00:00",
                    players={"red": f"Person {number}", "black": "<b>Ömer</b>"}),
            None,
        )
        for number in range(1, count + 1)
    ]  # fmt: skip
    found = Shelfful(games, ())
    found._so_far = lambda game: game  # type: ignore[method-assign]  # games without entries
    return found


# The list


def test_a_lesson_or_a_puzzle_on_the_board_is_listed_as_one() -> None:
    archive = many(2)
    for place, practised in enumerate(("lesson:first:1", "puzzle:0123abcd")):
        stored = archive.games_[place]
        start = replace(stored.start, settings={**stored.start.settings, "exercise": practised}, players={})
        archive.games_ = [*archive.games_[:place], replace(stored, start=start), *archive.games_[place + 1 :]]
    text = get(archive, "/games").text
    assert text.count('<span class="soft">Lesson</span>') == 1
    assert text.count('<span class="soft">Puzzle</span>') == 1


def test_a_game_that_is_not_installed_any_more_is_listed_by_its_name() -> None:
    archive = many(2)
    stored = archive.games_[0]
    start = replace(stored.start, game="hex7", settings={"size": 7})
    archive.games_ = [replace(stored, start=start), *archive.games_[1:]]
    answer = get(archive, "/games")
    assert answer.status == 200
    assert re.findall(r'href="/games/(\d+)"', answer.text) == ["2", "1"]
    assert "hex7" in answer.text


def test_games_are_listed_fifty_on_a_page_the_newest_first() -> None:
    archive = many(120)
    pages = [get(archive, f"/games?page={number}").text for number in (1, 2, 3)]
    numbers = [[int(each) for each in re.findall(r'href="/games/(\d+)"', page)] for page in pages]
    assert [len(each) for each in numbers] == [EACH, EACH, 20]
    assert [each for page in numbers for each in page] == list(range(120, 0, -1))
    assert 'rel="prev"' not in pages[0]
    assert 'rel="next"' not in pages[2]
    for beyond in ("4", "0", "x", "99999999", "-1"):
        assert get(archive, f"/games?page={beyond}").status == 200


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_game_whose_end_a_damaged_journal_lost_says_so(tmp_path: Path, language: str) -> None:
    path = tmp_path / "journal"
    with Journal.open(path) as journal:
        fill(journal, (*SHEETS, SHEETS[0]))
        first = journal.read(2)[0].seq
    with closing(sqlite3.connect(path)) as harmed, harmed:
        harmed.execute("UPDATE entries SET at_us = at_us + 1 WHERE seq = ?", (first + 4,))
    journal, rescued = open_or_rescue(path, datetime.fromisoformat("2026-11-21T10:00:00+00:00"))
    with journal:
        assert rescued is not None
        last = journal.read(2)[-1]
        kind, body = body_of(Paused(last.entry.at, "gnomond", CUT))  # as the daemon does when it brings the game back
        journal.wait_durable(journal.append(replace(last.entry, kind=kind, body=body, cause=None)), PATIENCE)
        assert set(journal.cut_off()) == {2, 3}
        told = CliRunner().invoke(journal_command, ["games", str(path)]).output.splitlines()
        assert [line.endswith("  end lost") for line in told] == [False, True, True]
        browser, said = Reception(archive=journal).browser(), words(language)("watching.result.cut-off")
        listed = unescape(browser.get(f"/games?language={language}").text)
        assert (listed.count(f">{said}<"), words(language)("watching.result.going-on") in listed) == (2, False)
        found = browser.get("/games?result=cut-off").text
        assert re.findall(r'href="/games/(\d+)"', found) == ["3", "2"]
        for number in (2, 3):
            assert f'<p class="result">{said}</p>' in unescape(browser.get(f"/games/{number}?language={language}").text)
        kind, body = body_of(Resumed(last.entry.at, "Ann"))
        journal.wait_durable(journal.append(replace(last.entry, kind=kind, body=body, cause=None)), PATIENCE)
        assert set(journal.cut_off()) == {3}


def test_what_is_looked_for_stays_in_the_form_and_in_the_links_to_other_pages() -> None:
    page = get(many(120), "/games?player=omer&text=level&since=2026-01-01&game=tamsk&result=going-on").text
    assert 'value="omer"' in page
    assert '<option value="going-on" selected>' in page
    link = unescape(re.findall(r'rel="next" href="([^"]+)"', page)[0])
    assert link == "/games?text=level&player=omer&game=tamsk&result=going-on&since=2026-01-01&page=2"


def test_names_of_people_are_text_and_nothing_else() -> None:
    page = get(many(1), "/games?text=%22%3E%3Cscript%3E").text
    assert "<script>" not in page
    assert "<b>Ömer" not in get(many(1), "/games").text
    assert "&lt;b&gt;Ömer" in get(many(1), "/games").text


def test_empty_archives_and_empty_findings_say_what_to_do() -> None:
    assert words("en")("watching.games.none") in get(Shelfful((), ()), "/games").text
    assert words("en")("watching.found.none") in get(many(3), "/games?player=nobody").text


def test_games_that_cannot_be_read_are_a_sentence_and_no_error_of_the_server(journal: Shelfful) -> None:
    failing = Shelfful(journal.games_, journal.records, failing=JournalError("the journal cannot be used"))
    assert get(failing, "/games").status == 503
    assert words("en")("watching.games.failed") in get(failing, "/games").text
    assert get(failing, "/games/1").status == 503
    assert get(failing, "/games/1/frames.json").status == 503


def written(
    number: int = 7, outcome: Outcome | None = RED_WON, players: Mapping[str, str] | None = None
) -> ArchivedGame:
    stored = StoredGame(number, replace(BEGUN, players=players or {}), None if outcome is None else Instant(5))
    return ArchivedGame(stored, outcome)


@pytest.mark.parametrize(
    ("wish", "fits"),
    [
        (GameFilter(), True),
        (GameFilter(player="sahin"), True),
        (GameFilter(player="ŞAHİN"), True),
        (GameFilter(player="Ada"), False),
        (GameFilter(game="tamsk"), True),
        (GameFilter(game="tau"), False),
        (GameFilter(result="decided"), True),
        (GameFilter(result="drawn"), False),
        (GameFilter(result="going-on"), False),
        (GameFilter(since="2026-11-20", until="2026-11-20"), True),
        (GameFilter(since="2026-11-21"), False),
        (GameFilter(until="2026-11-19"), False),
        (GameFilter(text="#7 fewest level=2"), True),
        (GameFilter(text="red 10:30"), True),
        (GameFilter(text="tabik"), False),
    ],
)
def test_games_are_found_by_player_game_result_date_and_words(wish: GameFilter, fits: bool) -> None:
    assert wish.fits(written(players={"red": "Ömer Şahin"})) is fits


def test_draws_and_unfinished_games_are_found_as_such() -> None:
    assert GameFilter(result="drawn").fits(written(outcome=Outcome(None, "agreed")))
    assert GameFilter(result="going-on").fits(written(outcome=None))


@given(st.text(max_size=20), st.text(max_size=20))
def test_a_game_is_found_by_any_part_of_a_players_name(before: str, part: str) -> None:
    assert GameFilter(player=part).fits(written(players={"red": f"{before}{part} and more"})) or part != part.strip()


def test_how_games_ended_is_read_once_and_the_oldest_is_forgotten(
    journal: Shelfful, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []

    def endings(_self: Shelfful, first: int = 1, last: int | None = None) -> Mapping[int, Mapping[str, object]]:
        del last
        asked.append(first)
        return {}

    monkeypatch.setattr(Shelfful, "endings", endings)

    async def twice(world: World) -> None:
        await world.ask("/games")
        await world.ask("/games")

    visit(journal, twice)
    assert asked == [1, 1]  # nothing was found, so it is asked again


def test_a_library_remembers_so_many_endings(journal: Shelfful, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gnomon.web.pages.archive._CATALOGUE", 1)

    async def read(world: World) -> Library:
        library = Library(world.house)
        await library.all(world.visitor)
        found = await library.all(world.visitor)
        assert [game.outcome for game in found] == [None, Outcome("red", "resigned"), Outcome("black", "resigned")]
        return library

    assert len(visit(journal, read)._endings) <= 3


# The replay


def test_a_game_opens_at_its_end_and_at_any_turn_by_its_link(evening: Evening) -> None:
    end, third, beyond = (evening.get(f"/games/2{query}").text for query in ("", "?ply=3", "?ply=99"))
    assert 'data-number="7"' in end
    assert "Black wins" not in third.partition('<p class="caption-line"')[2].partition("</p>")[0]
    assert 'data-number="3"' in third
    assert "G4-G3" in third.partition('aria-current="true"')[2][:400]
    assert 'data-number="7"' in beyond
    assert 'src="/games/2/position.svg?ply=3&amp;language=en"' in third
    for wrong in ("-1", "x", "1e3", "²", "9" * 12):
        assert evening.get(f"/games/2?ply={wrong}").status == 200


def test_a_replay_can_be_walked_without_its_program(evening: Evening) -> None:
    page = evening.get("/games/2?ply=3").text
    assert dict(re.findall(r'id="(first|back|on|last)" href="/games/2\?ply=(\d)"', page)) == {
        "first": "0", "back": "2", "on": "4", "last": "7"
    }  # fmt: skip


def test_times_and_sand_are_those_of_the_moment(journal: Shelfful) -> None:
    async def frames(world: World) -> list[dict[str, Any]]:
        told: list[dict[str, Any]] = json.loads((await world.ask("/games/2/frames.json")).body)
        return told

    shown = visit(journal, frames)
    assert [frame["clock"] for frame in shown[1:7]] == ["0:04", "0:09", "0:15", "0:21", "0:30", "0:41"]
    assert [frame["took"] for frame in shown[1:7]] == ["0:04", "0:05", "0:06", "0:06", "0:09", "0:11"]
    # The first glass was put down, and so turned, at 3 s; on the third turn 15 s are over.
    assert [(glass["space"], glass["left"]) for glass in shown[3]["glasses"] if glass["runs"]] == [
        ("D2", "2:48"), ("G3", "2:59"), ("B2", "2:53")
    ]  # fmt: skip
    unturned = [glass for glass in shown[3]["glasses"] if glass["part"] is None]
    assert {glass["left"] for glass in unturned} == {"unturned"}
    assert len(unturned) + sum(glass["runs"] or glass["is_out"] for glass in shown[3]["glasses"]) == len(PLAYERS) * 3
    assert shown[7]["text"] == ""
    assert "Red wins" in shown[7]["sentence"]


def test_rulings_lead_to_the_turn_that_they_belong_to(evening: Evening) -> None:
    page = evening.get("/games/2").text
    ruled = page.partition('id="rulings"')[2].partition("</ol>")[0]
    assert re.findall(r'data-ply="(\d)"', ruled) == ["1", "2", "3", "4", "5", "6", "7", "7"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_replay_speaks_the_readers_language(evening: Evening, language: str) -> None:
    answer = evening.get(f"/games/2?language={language}")
    assert words(language)("watching.take") in unescape(answer.text)
    assert answer.headers["content-language"] == language


def test_games_that_are_not_there_and_those_that_cannot_be_followed_are_pages_of_their_own(
    journal: Shelfful, evening: Evening
) -> None:
    missing = evening.get("/games/99")
    assert (missing.status, words("en")("watching.missing") in missing.text) == (404, True)
    broken = Shelfful(journal.games_, [_spoilt(each) for each in journal.records], journal.durable_seq)
    page = get(broken, "/games/2")
    assert (page.status, words("en")("watching.missing.follow") in page.text) == (409, True)
    assert get(broken, "/games/2/files/sgf").status == 409
    assert evening.get("/games/99/frames.json").status == 404


@pytest.mark.parametrize("number", ["9" * 21, "9" * 5000, "none", "²"])
def test_a_game_of_no_possible_number_is_said_not_to_be_there(evening: Evening, number: str) -> None:
    page = evening.get(f"/games/{number}")
    assert (page.status, re.findall(r"<h[12]>([^<]*)", page.text)) == (404, [words("en")("watching.missing")])
    for file in ("frames.json", "position.svg", "files/gif"):
        answer = evening.get(f"/games/{number}/{file}")
        told = {"error": "There is no such game.", "code": "no_such_game", "values": {}}
        assert (answer.status, json.loads(answer.text)) == (404, told)


def test_a_game_that_could_be_there_is_said_by_its_number_not_to_be(evening: Evening) -> None:
    answer = evening.get("/games/0/frames.json")
    assert (answer.status, json.loads(answer.text)) == (
        404,
        {"error": "There is no game 0.", "code": "no_game", "values": {"number": 0}},
    )


def _spoilt(each: Record) -> Record:
    entry = each.entry
    return each if "input" not in entry.body else replace(each, entry=replace(entry, body={"input": "Z9.north"}))


def test_an_unfinished_game_says_so_and_leads_to_the_board(evening: Evening) -> None:
    page = evening.get("/games/3").text
    assert words("en")("watching.result.going-on") in page
    assert 'href="/watch"' in page


@pytest.mark.parametrize("kind", exports.FORMATS)
def test_every_file_has_its_type_and_its_name(evening: Evening, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exports, "WIDE", 40)
    answer = evening.get(f"/games/2/files/{kind}?ply=3")
    assert answer.status == 200
    assert answer.headers["content-type"] == exports.FORMATS[kind].media
    turn = "-turn-3" if kind in exports.OF_A_POSITION else ""
    ending = exports.FORMATS[kind].ending
    assert f'filename="tamsk-2-Omer{turn or "-"}.{ending}"'.replace("-.", "-.") in answer.headers["content-disposition"]
    assert answer.headers["x-content-type-options"] == "nosniff"


def test_a_file_of_no_kind_is_refused_with_those_that_there_are(evening: Evening) -> None:
    answer = evening.get("/games/2/files/docx")
    assert answer.status == 404
    assert "sheet, sgf, json" in answer.text


def test_the_animation_is_made_once_and_no_more_than_some_may_wait_for_it(
    journal: Shelfful, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[int] = []
    may_go = threading.Event()

    def slow(*_: object) -> bytes:
        made.append(1)
        assert may_go.wait(PATIENCE)
        return b"GIF89a"

    monkeypatch.setattr(exports, "animation", slow)

    async def crowd(world: World) -> list[Answer]:
        asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(2))
        asked = [asyncio.create_task(world.ask("/games/2/files/gif")) for _ in range(exports.WAITING + 3)]
        done, waiting = set[Any](), set(asked)
        while len(done) < 2:
            done, waiting = await asyncio.wait(waiting | done, timeout=PATIENCE, return_when=asyncio.FIRST_COMPLETED)
        may_go.set()
        return await asyncio.gather(*asked)

    answers = visit(journal, crowd)
    assert sorted(answer.status for answer in answers) == [200] * (exports.WAITING + 1) + [503] * 2
    assert {answer.headers["content-type"] for answer in answers if answer.status == 200} == {"image/gif"}
    assert {answer.headers.get("retry-after") for answer in answers if answer.status == 503} == {"30"}
    assert made == [1]


def test_an_animation_that_takes_too_long_is_given_up(journal: Shelfful, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exports, "PATIENCE", 0)
    monkeypatch.setattr(exports, "FILM_WIDE", 40)

    async def ask(world: World) -> Answer:
        answer = await world.ask("/games/2/files/gif")
        await settle()
        return answer

    answer = visit(journal, ask)
    assert answer.status == 503
    assert "took too long" in answer.text


def test_the_position_as_text_is_that_of_the_turn(evening: Evening) -> None:
    first, third = (evening.get(f"/games/1/position.json?ply={ply}").text for ply in (0, 2))
    assert '"turn":"black"' in first
    assert first != third


@pytest.mark.parametrize(
    ("seconds", "says"), [(0, "0:00"), (59.99, "0:59"), (60, "1:00"), (3725.5, "1:02:05"), (-1, "0:00")]
)
def test_times_are_written_as_people_do(seconds: float, says: str) -> None:
    assert elapsed_text(round(seconds * 1_000_000)) == says


# Spectators


def test_the_page_for_spectators_has_nothing_to_enter(evening: Evening) -> None:
    page = evening.get("/watch").text
    assert "<form" not in page
    assert 'method="post"' not in page
    assert 'id="board-view"' in page
    assert 'data-words="Live"' in page


def test_only_the_overlay_may_stand_in_a_frame() -> None:
    browser = Reception().browser()
    overlay, other = browser.get("/overlay"), browser.get("/sign-in")
    assert FRAMELESS not in overlay.headers["content-security-policy"]
    assert "frame-ancestors *" in overlay.headers["content-security-policy"]
    assert "x-frame-options" not in overlay.headers
    assert FRAMELESS in other.headers["content-security-policy"]
    assert "csrf" not in overlay.text


@pytest.mark.parametrize(
    ("asked", "scale"), [("150", 150), ("1", 50), ("9999", 400), ("x", 100), ("", 100), ("²", 100)]
)
def test_the_overlay_has_the_size_that_is_asked_for(asked: str, scale: int) -> None:
    page = Reception().browser().get(f"/overlay?scale={asked}&place=top&ground=light").text
    assert f'data-scale="{scale}"' in page
    assert 'data-place="top" data-ground="light"' in page
    assert 'data-place="bottom" data-ground="dark"' in Reception().browser().get("/overlay?place=x&ground=x").text


def test_an_imported_game_that_does_not_say_when_it_was_played_has_a_dash_for_its_date(journal: Shelfful) -> None:
    undated = [replace(game, start=replace(game.start, wall="unknown")) for game in journal.games_]
    shelf = replace(journal, games_=undated)
    for page in (get(shelf, "/games").text, get(shelf, "/games/1").text):
        assert ">–</time>" in page
        assert "unknown" not in page.partition("<main")[2]
