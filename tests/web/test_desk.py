"""The arbiter's desk: every correction with what it changes, made once, undone, written down with who and why."""

import asyncio
import re
from dataclasses import replace
from typing import Any

import pytest

from gnomon.games.tamsk.sensing.game import TamskGame
from gnomon.records.bundles import difference, read_bundle
from gnomon.records.journal.store import JournalError
from gnomon.referee.events import MoveAnnounced
from gnomon.referee.game import Game
from gnomon.rules.protocol import Outcome
from gnomon.timekeeping.instants import SECOND
from gnomon.views.phrases import name as name_of
from gnomon.views.show import prompt_of
from gnomon.web.access import Role
from gnomon.web.arbiter.orders import ORDERS
from gnomon.words import LANGUAGES, words
from tests.web.desk_house import DeskHouse

TABLE_GAMES = ("tabik", "tau", "twenty-squares", "tayu")


def begun(level: int = 3, **settings: object) -> DeskHouse:
    """A game of TAMSK with a turn of each player."""
    house = DeskHouse()
    house.board.begin({"level": level, **settings})
    for text in ("D1-D2", "A1-B2"):
        assert house.do("insert", text=text) == {"done": True}
    return house


def game_of(house: DeskHouse) -> Game:
    game = house.board.game()
    assert game is not None
    return game


def changes(asked: dict[str, Any]) -> list[str]:
    return [f"{each['what']}: {each['before']} → {each['after']}" for each in asked["changes"]]


def texts(html: str) -> str:
    """The words of a page without its marks."""
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", html))


# Corrections

CORRECTIONS = [
    ("sand", {"glass": "D2", "how": "set", "time": "2:05"}, ["Red’s glass on D2, time left: 3:00 → 2:05"]),
    ("sand", {"glass": "D2", "how": "take", "time": "30"}, ["Red’s glass on D2, time left: 3:00 → 2:30"]),
    ("sand", {"glass": "timer15", "how": "give", "time": "7,5"}, ["15-second glass, time left: 0:00 → 0:08"]),
    (
        "rings",
        {"space": "D4", "count": "2", "player": "red"},
        ["Rings left, Red: 31 → 29", "Rings on D4: 0 → 2"],
    ),
    ("place", {"glass": "D2", "space": "E3"}, ["Red’s glass stands on: D2 → E3"]),
    ("place", {"glass": "D2", "space": "D2", "turned": "yes"}, ["Red’s glass on D2, time left: 3:00 → 0:00"]),
    ("turn", {"player": "black"}, ["Turn: Red → Black"]),
    ("second", {"due": "yes"}, ["Second ring this turn: no → yes"]),
    (
        "void",
        {"count": "1", "give_back": "yes"},
        [
            "Turn: Red → Black",
            "Turns made: 2 (A1-B2) → 1 (D1-D2)",
            "Rings left, Black: 31 → 32",
            "Black’s glass stands on: B2 → A1",
            "Black’s glass on B2, time left: 3:00 → 0:00",
            "Rings on B2: 1 → 0",
        ],
    ),
    ("insert", {"text": "A4-B4", "number": "3"}, ["Turn: Red → Black", "Turns made: 2 (A1-B2) → 3 (A4-B4)"]),
    ("restore", {"turns": "0"}, ["Turns made: 2 (A1-B2) → 0", "Rings on D2: 1 → 0"]),
    ("claim", {"player": "black", "upheld": "yes"}, ["Turn: Red → Black"]),
    ("claim", {"player": "black", "claim": "a ring fell", "upheld": "no"}, []),
    ("result", {"winner": "draw", "reason": "agreed"}, ["Result: – → A draw. By agreement.", "Game: running → over"]),
    ("note", {"text": "showed the rules", "took": "1:15"}, []),
    ("adjourn", {}, ["Game: running → adjourned"]),
    ("pause", {}, ["Game: running → paused"]),
]


@pytest.fixture(scope="module")
def asked_about() -> DeskHouse:
    """A game about which is asked only."""
    return begun()


@pytest.mark.parametrize(("do", "fields", "wanted"), CORRECTIONS)
def test_a_correction_shows_what_it_would_change_and_changes_nothing(
    asked_about: DeskHouse, do: str, fields: dict[str, str], wanted: list[str]
) -> None:
    before = asked_about.board.game()
    asked = asked_about.ask(do, **fields)
    assert [change for change in changes(asked) if change in wanted] == wanted
    assert bool(asked["changes"]) == bool(wanted)
    assert asked["rulings"][0].startswith("By hand, Ann: ")
    assert asked_about.board.game() is before


def test_every_correction_that_can_be_made_is_tried() -> None:
    tried = {do for do, *_ in CORRECTIONS} | {"resume", "undo", "answer", "trust"}
    tried |= {"clock", "clock-time", "clock-turn", "clock-flag"}  # in test_clock_desk.py
    assert tried == set(ORDERS)


def test_what_is_made_is_what_was_shown_and_it_is_undone() -> None:
    house = begun()
    before = game_of(house)
    asked = house.ask("sand", glass="D2", how="set", time="2:05", why="it was knocked over")
    assert asked["repairs"] == []
    assert house.do("sand", glass="D2", how="set", time="2:05", why="it was knocked over") == {"done": True}
    assert "Undo: sand of D2 set to 125 s" in texts(house.page())
    assert changes(house.ask("undo")) == ["Red’s glass on D2, time left: 2:05 → 3:00"]
    assert house.do("undo", why="the wrong one") == {"done": True}
    after = game_of(house)
    assert (after.timeless, after.plies) == (before.timeless, before.plies)
    said = texts(house.page())
    assert "By hand, Ann: last correction undone (the wrong one)." in said
    assert "By hand, Ann: sand of D2 set to 125 s (it was knocked over)." in said


def test_the_board_is_told_to_follow() -> None:
    house = begun()
    assert house.ask("restore", turns="0")["repairs"] == []  # the pieces were never moved
    assert "Put a glass on E3." in house.ask("place", glass="D2", space="E3")["repairs"]


def test_a_game_is_paused_and_resumed_at_once() -> None:
    house = begun()
    for do, paused in (("pause", True), ("resume", False)):
        assert house.send("/desk/do", do=do) == {"done": True}
        assert (game_of(house).paused_at is not None) is paused


def test_what_was_looked_at_before_the_game_went_on_is_looked_at_again() -> None:
    house = begun()
    seen = house.ask("void", count="1")["seen"]
    house.do("insert", text="A4-B4")
    answer = house.send("/desk/do", do="void", count="1", seen=seen)
    assert answer == {"error": "The game has gone on since you looked: look again."}
    assert len(game_of(house).plies) == 3


@pytest.mark.parametrize(
    ("do", "fields", "sentence"),
    [
        ("nonsense", {}, "This form is out of date: load the page again."),
        ("sand", {"glass": "D2", "how": "set", "time": "soon"}, "Write the time as 2:05, or as seconds such as 7.5."),
        ("sand", {"glass": "D2", "how": "set", "time": "x:05"}, "Write the time as 2:05, or as seconds such as 7.5."),
        ("sand", {"glass": "D2", "how": "set", "time": "99999:05"}, "Write the time as 2:05, or as seconds"),
        ("sand", {"glass": "D2", "how": "set", "time": ""}, "Fill in every field; only “Why” may stay empty."),
        ("sand", {"glass": "red", "how": "set", "time": "5"}, "Set the time of one glass at a time"),
        ("sand", {"glass": "D2", "how": "set", "time": "9:00"}, "This glass does not hold that much."),
        ("sand", {"glass": "timer15", "how": "set", "time": "16"}, "This glass does not hold that much."),
        ("sand", {"glass": "D5", "how": "set", "time": "16"}, "No glass stands on D5 in the game."),
        ("sand", {"glass": "D5", "how": "give", "time": "9"}, "No glass stands on D5 in the game."),
        ("sand", {"glass": "D2", "how": "stop"}, ""),
        ("rings", {"space": "D4", "count": "many", "player": "red"}, "Write a whole number."),
        ("rings", {"space": "D4", "count": "5", "player": "red"}, "D4 can hold 0 to 4 rings, not 5."),
        ("insert", {"text": "D1-D9"}, ""),
        ("result", {"winner": "", "reason": "x"}, "Choose who has won, or a draw."),
        ("note", {"text": "x" * 501}, "That is too long: at most 500 characters."),
        ("undo", {"why": "x" * 501}, "That is too long: at most 500 characters."),
        ("resume", {}, "The game is not paused."),
        ("answer", {"choice": "yes"}, "No question is open that"),
        ("trust", {"input": "D2.ring1"}, "D2.ring1 is not quarantined."),
    ],
)
def test_what_cannot_be_is_refused_with_one_sentence(
    asked_about: DeskHouse, do: str, fields: dict[str, str], sentence: str
) -> None:
    for answer in (asked_about.ask(do, **fields), asked_about.send("/desk/do", do=do, seen="2.4", **fields)):
        error = answer["error"]
        assert sentence in error
        assert error.endswith(".")


def test_without_a_game_nothing_is_corrected() -> None:
    house = DeskHouse()
    assert "There is no game yet." in house.page()
    assert house.ask("pause") == {"error": "There is no game yet."}


def test_the_15_second_glass_is_for_level_3_and_sand_for_level_2() -> None:
    assert "level 3" in begun(2).ask("sand", glass="timer15", how="set", time="5")["error"]
    assert "level 1" in begun(1).ask("sand", glass="D2", how="set", time="5")["error"]


def test_a_journal_that_cannot_be_read_leaves_the_game_to_be_corrected() -> None:
    house = begun()

    def broken() -> None:
        message = "the disk is gone"
        raise JournalError(message)

    house.notes.last_game = broken  # type: ignore[method-assign]  # a disk that fails
    assert "It is Red’s turn" in texts(house.page())
    assert house.do("pause") == {"done": True}


def test_sand_is_said_to_have_run_out_where_eyes_decide() -> None:
    house = DeskHouse()
    house.board.begin({"level": 2, "time": "sand"})
    house.do("insert", text="D1-D2")
    assert house.do("sand", glass="D2", how="stop") == {"done": True}
    assert "the glass on D2 has run out" in texts(house.page())


# Without JavaScript


def test_a_plain_form_is_asked_about_on_a_page_and_then_made() -> None:
    house = begun()
    form = {"do": "sand", "glass": "D2", "how": "set", "time": "2:05", "why": "spilt"}
    page = house.ann.send("/desk/ask", **form)
    assert page.status_code == 200
    assert "Do this?" in page.text
    assert "Red’s glass on D2, time left 3:00 2:05" in texts(page.text)
    hidden = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', page.text.split("</section>")[0]))
    assert hidden | form == hidden
    assert house.ann.send("/desk/do", **hidden).headers["location"] == "/desk"
    assert "sand of D2 set to 125 s (spilt)" in texts(house.page())


def test_a_plain_form_that_cannot_be_is_shown_again_with_what_is_wrong() -> None:
    house = begun()
    page = house.ann.send("/desk/ask", do="insert", text="D1-D9", why="x")
    assert page.status_code == 409
    assert 'value="D1-D9"' in page.text
    assert re.search(r'<p class="notice wrong" id="wrong" role="alert">[^<]+\.</p>', page.text)


# Who


@pytest.mark.parametrize("path", ["/desk/ask", "/desk/do", "/desk/take-up"])
def test_only_an_arbiter_corrects(path: str) -> None:
    house = begun()
    before = house.board.game()
    player = house.reception.signed_in(Role.PLAYER)
    assert player.send(path, do="pause").status_code == 403
    assert player.get("/desk").status_code == 403
    assert house.reception.browser().get("/desk").headers["location"] == "/sign-in?back=%2Fdesk"
    assert house.reception.browser().get("/desk/bundle/1.jsonl").status_code in {303, 401}
    assert house.board.game() is before


# Tables and languages


@pytest.mark.parametrize("name", TABLE_GAMES)
def test_the_desk_of_a_game_at_a_table(name: str) -> None:
    house = DeskHouse("table")
    house.board.begin({}, name)
    game = game_of(house)
    assert not isinstance(game, TamskGame)
    text = next(iter(game.texts()), "")
    if game.is_natures:
        house.board.daemon.throw()
        house.board.wait(0.01)
    else:
        assert house.do("insert", text=text) == {"done": True}
    page = house.page()
    assert "<svg" in page
    assert 'id="act-sand"' not in page
    assert house.do("void", count="1") == {"done": True}
    assert game_of(house).plies == ()
    assert "error" in house.ask("sand", glass="a1", how="give", time="3")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("name", "due"),
    [("twenty-squares", "throw"), ("tayu", "draw")],
)
def test_what_chance_decides_next_is_said_as_what_a_player_does(name: str, due: str, language: str) -> None:
    house, say = DeskHouse("table"), words(language)
    house.board.begin({}, name)
    first = game_of(house).rules.players[0]
    awaited = say(f"players.does.{due}", name=name_of(first, say))
    shown = texts(house.page(f"/desk?language={language}"))
    assert awaited in shown
    assert prompt_of(game_of(house), say).request in shown
    assert say("player.nature") not in shown
    house.board.daemon.throw()
    house.board.wait(0.01)
    asked = house.send(f"/desk/ask?language={language}", do="void", count="1")
    assert f"{say('arbiter.fact.turn')}: {name_of(first, say)} → {awaited}" in changes(asked)


def test_a_move_that_is_entered_at_a_table_in_a_pause_is_refused_with_what_to_do() -> None:
    house = DeskHouse("table")
    house.board.begin({}, "tabik")
    game = game_of(house)
    assert not isinstance(game, TamskGame)
    text = next(iter(game.texts()))
    house.do("pause")
    assert house.ask("insert", text=text) == {"error": "The game is paused; resume it first."}
    house.do("resume")
    assert house.do("insert", text=text) == {"done": True}


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_desk_speaks_every_language(language: str) -> None:
    house = begun()
    page = house.page(f"/desk?language={language}")
    assert f'<html lang="{language}">' in page
    assert "arbiter." not in texts(page)


def test_the_desk_says_that_a_game_is_a_demonstration() -> None:
    house = begun()
    said = words()("players.demonstration")
    assert said not in house.page("/desk")
    house.board.is_demonstrated = True
    assert said in house.page("/desk")


# Incidents, claims and bundles


def test_incidents_are_listed_newest_first_and_filtered() -> None:
    house = begun()
    house.do("note", text="a spectator spoke", took="2:00")
    house.do("note", text="again", took="30")
    page = house.page()
    said = re.findall(r'<span class="said">([^<]+)</span>', page)
    assert said[0] == "By hand, Ann: note: again, 0:30 min."
    assert said[-1] == "By hand, Ann: turn D1-D2 entered."
    assert "Arbiter’s time in this game: 2:30 min" in texts(page)
    assert re.findall(r'data-group="(\w+)"', house.page("/desk?show=fault")) == []
    assert len(re.findall(r'data-group="(\w+)"', house.page("/desk?show=correction"))) == len(said)


def test_an_upheld_claim_leads_to_its_result() -> None:
    house = begun()
    assert 'data-opens="result" data-winner' not in house.page()
    house.do("claim", player="black", claim="a ring fell", upheld="yes")
    assert 'href="/desk?winner=black#act-result" data-opens="result" data-winner="black"' in house.page()
    form = house.page("/desk?winner=black")
    assert '<details class="act" id="act-result" data-do="result" data-key="e" open>' in form
    assert '<option value="black" selected>' in form
    house.do("note", text="that was all")
    assert 'data-opens="result" data-winner' not in house.page()
    house.do("claim", player="black", claim="a ring fell", upheld="no")
    assert 'data-opens="result" data-winner' not in house.page()


def test_an_outage_is_an_incident() -> None:
    house = begun()
    daemon = house.board.daemon
    house.do("pause")
    live_game = daemon.runner.live_game
    assert live_game is not None
    daemon.journal_writer.resume(live_game, "3 min 20 s")
    daemon.journal_writer.resume(live_game, "an unknown time")
    said = texts(house.page())
    assert "The board was down for 3 min 20 s; the game was restored and is paused." in said
    assert "The board was down for an unknown time" in said


def test_who_pressed_first_is_told_from_the_raw_edges() -> None:
    house = begun()
    assert "Nothing has been touched yet." in texts(house.page())
    for button in ("button.red", "button.black"):
        house.board.daemon.touch(button, value=True)
        house.board.wait(0.1)
        house.board.daemon.touch(button, value=False)
        house.board.wait(0.1)
    said = texts(house.page())
    assert re.search(r"Red pressed first, 200\.\d ms before Black \(uncertainty: \d+\.\d ms\)", said)
    assert "The black button pressed" in said
    assert "button.black off" not in said


def test_the_bundle_gives_the_same_rulings_anywhere() -> None:
    house = begun()
    house.do("sand", glass="D2", how="take", time="100")
    house.do("undo")
    house.do("place", glass="D2", space="E3", turned="yes")
    house.do("adjourn")
    answer = house.ann.get("/desk/bundle/1.jsonl")
    assert answer.headers["content-disposition"] == 'attachment; filename="gnomon-tamsk-1.jsonl"'
    bundle = read_bundle(answer.content.splitlines(keepends=True))
    assert difference(bundle.trace) is None
    assert {"version", "boots", "ruled", "began"} <= bundle.header.extras.keys()
    for number in ("9", "0", "-1", "x", "9" * 5000):
        assert house.ann.get(f"/desk/bundle/{number}.jsonl").status_code == 404


# Adjourned


@pytest.mark.parametrize(("language", "said"), [("en", "resigned"), ("de", "aufgegeben"), ("fr", "abandon")])
def test_a_reason_in_the_arbiters_words_is_recorded_by_its_key(language: str, said: str) -> None:
    house = begun()
    page = house.ann.get(f"/desk?language={language}").text
    assert f'name="language" value="{language}"' in page
    assert f'required value="{said}"' in page
    house.do("result", winner="red", reason=said, language=language)
    assert game_of(house).outcome == Outcome("red", "resigned")
    assert '<a class="button big quiet" href="/games/1">' in house.page()  # where it ended, its replay is near


def test_where_the_result_is_declared_nobody_is_asked_to_put_the_board_right() -> None:
    house = begun()
    house.do("insert", text="D1-D2")
    assert "Put a glass on D2." in house.page()
    house.do("result", winner="red", reason="resigned")
    (state,) = re.findall(r'<section class="card state".*?</section>', house.page(), re.DOTALL)
    assert "Red wins" in state
    assert "Put a glass on D2." not in state
    assert 'class="phase"' not in state
    assert 'data-phase=""' in state


def test_a_reason_of_the_arbiters_own_is_recorded_as_it_was_written() -> None:
    house = begun()
    house.do("result", winner="red", reason="abandon", language="en")
    assert game_of(house).outcome == Outcome("red", "abandon")


def test_players_have_the_signs_that_other_pages_give_them() -> None:
    page = begun(level=2).page()
    assert page.count('class="sign sign-1 hue-0 of-red"') == 4  # on turn, and each glass
    assert page.count('class="sign sign-2 hue-0 of-black"') == 3


def test_a_game_is_put_away_another_played_and_the_first_taken_up_again() -> None:
    house = begun(level=2)
    house.board.wait(20)
    assert house.do("adjourn", why="evening") == {"done": True}
    assert "adjourned" in texts(house.page())
    house.board.begin({"level": 1})
    assert "Take up again" not in house.page()
    assert "Finish or adjourn the current game first." in house.page()
    assert "error" in house.send("/desk/take-up", game="1")
    house.do("result", winner="red", reason="resigned")
    assert 'action="/desk/take-up"' in house.page()
    assert house.send("/desk/take-up", game="7")["error"] == "There is no such game in the journal."
    assert house.send("/desk/take-up", game="x")["error"] == "There is no such game in the journal."
    assert house.ann.send("/desk/take-up", game="1").headers["location"] == "/desk"
    game = game_of(house)
    assert [ply.text for ply in game.plies] == ["D1-D2", "A1-B2"]
    assert game.adjourned
    house.send("/desk/do", do="resume")
    now = game_of(house).game_time(house.board.now())
    assert abs(now - 20 * SECOND) < SECOND


def test_a_game_that_is_not_installed_any_more_stands_on_the_desk_by_its_name() -> None:
    house = begun(level=2)
    house.do("adjourn", why="evening")
    games = house.notes.store.games
    games[0] = replace(games[0], start=replace(games[0].start, game="hex7"))
    house.board.begin({"level": 1})
    house.do("result", winner="red", reason="resigned")
    assert "hex7 · " in house.page()
    assert "there is no game 'hex7'" in house.send("/desk/take-up", game="1")["error"]


# Against an engine


def test_the_desk_says_what_the_engine_does() -> None:
    house = DeskHouse()
    house.board.begin({"level": 1, "opponent": "2"})
    assert "Gnomon 2 is thinking" not in texts(house.page())
    house.do("insert", text="D1-D2")
    assert "Gnomon 2 is thinking" in texts(house.page())
    asyncio.run(house.board.correct(MoveAnnounced(house.board.now(), "A1-B2", "Gnomon")))
    page = texts(house.page())
    assert "Gnomon 2 announces: Black moves A1 to B2 and drops a ring." in page
    assert "thinking" not in page
