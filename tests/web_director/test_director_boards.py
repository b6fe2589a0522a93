"""Which board stands where, what is played, and what became of a round that was sent."""

from pathlib import Path
from random import Random

import pytest

from gnomon.hall.hub.hub import HubTerms
from gnomon.hall.messaging.hall_topics import BoardBus
from gnomon.hall.rounds.board_assignment import Accept
from gnomon.tournament.events import DeadlineSet
from gnomon.tournament.state.settings import System
from gnomon.web.access import Role
from tests.hall.boards import FaultyBus, ModelBoard
from tests.web_director.houses import DirectorHouse, Person

PAGE = "/tournaments/open/boards"


def test_a_round_goes_to_the_boards_and_each_fate_is_told(house: DirectorHouse, dora: Person) -> None:
    house.tournament(count=8)
    assert "No board has reported" in dora.page(PAGE)
    boards = [house.board(f"t{number}") for number in (1, 2, 10)]
    assert dora.send(f"{PAGE}/order").status_code == 303
    assert house.hall.plan("open").boards == {1: "t1", 2: "t2", 3: "t10"}
    sent = {"game": "tamsk", "level": "2", "time": "sand", "accept": "at once", "temperament": "coach"}
    assert dora.send(f"{PAGE}/plan", **sent).status_code == 303
    plan = house.hall.plan("open")
    assert (plan.game, plan.settings["level"], plan.accept, plan.temperament) == ("tamsk", "2", Accept.AT_ONCE, "coach")
    assert "disabled aria-describedby" in dora.page(PAGE)
    house.publish()
    boards[1].refuses = "a game is being played"
    house.hall.request("t10", {"do": "notice", "text": "hello"}, "Dora")
    assert dora.send(f"{PAGE}/send").status_code == 303
    text = dora.page(PAGE)
    assert text.count("sent, waiting") == 3
    assert "not sent" in text
    house.run()
    text = dora.page(PAGE)
    assert text.count("fate-done") == 2
    assert "A game is being played." in text
    boards[1].refuses = ""
    assert dora.send(f"{PAGE}/send", board="2").status_code == 303
    house.run()
    assert dora.page(PAGE).count("fate-done") == 3


def test_a_board_whose_answer_is_lost_has_given_none_until_its_records_prove_that_it_began(
    house: DirectorHouse, dora: Person
) -> None:
    house.tournament(count=4)
    boards = [house.board(name) for name in ("t1", "t2")]
    dora.send(f"{PAGE}/order")
    dora.send(f"{PAGE}/plan", game="tabik")
    house.publish()
    dora.send(f"{PAGE}/send")
    roads = [board.bus for board in boards]
    for board in boards:
        board.bus = FaultyBus(board.bus, Random(1), lose=1.0)
    house.run()
    house.clock.wait(18)
    house.run()
    text = dora.page(PAGE)
    assert (text.count("fate-unanswered"), text.count("no answer")) == (2, 2)
    boards[0].bus = roads[0]
    boards[0].restart("s2")
    house.run()
    text = dora.page(PAGE)
    assert (text.count("fate-unanswered"), text.count("fate-done"), text.count("begun (record 1)")) == (1, 1, 1)


@pytest.mark.parametrize("is_heard", [False, True], ids=["no answer", "refused"])
def test_open_pages_are_told_what_became_of_a_request(house: DirectorHouse, dora: Person, is_heard: bool) -> None:
    house.tournament(count=2)
    board = house.board("t1")
    dora.send(f"{PAGE}/order")
    dora.send(f"{PAGE}/plan", game="tabik")
    house.publish()
    house.run()
    dora.send(f"{PAGE}/send")
    board.refuses = "a game is being played"
    if not is_heard:
        board.bus = FaultyBus(board.bus, Random(1), lose=1.0)
    listener = house.hall.listen(lambda: None)
    house.run()
    assert listener.take().tournaments == ({"open"} if is_heard else set())
    house.clock.wait(18)
    house.run()
    assert listener.take().tournaments == (set() if is_heard else {"open"})
    assert ("fate-refused" if is_heard else "fate-unanswered") in dora.page(PAGE)


def test_devices_are_assigned_one_by_one(house: DirectorHouse, dora: Person) -> None:
    house.tournament(count=8)
    answer = dora.send(f"{PAGE}/assign", **{"board-1": "t05", "board-2": "", "board-3": "t07", "from": "0"})
    assert answer.headers["location"] == f"{PAGE}?from=0"
    assert house.hall.plan("open").boards == {1: "t05", 3: "t07"}
    answer = dora.send(f"{PAGE}/assign", **{"board-2": "t05"})
    assert (answer.status_code, "Two boards cannot have one device" in answer.text) == (409, True)
    assert dora.send(f"{PAGE}/assign", **{"board-1": "", "board-2": "t05"}).status_code == 303
    assert house.hall.plan("open").boards == {2: "t05", 3: "t07"}


def test_many_boards_are_shown_a_hundred_at_a_time(house: DirectorHouse, dora: Person) -> None:
    house.tournament(count=300)
    assert dora.page(PAGE).count('name="board-') == 100
    assert dora.page(f"{PAGE}?from=100").count('name="board-') == 50
    assert 'name="board-101"' in dora.page(f"{PAGE}?from=100")
    assert 'name="board-1"' in dora.page(f"{PAGE}?from=9999")


def test_what_cannot_be_played_is_refused(house: DirectorHouse, dora: Person) -> None:
    house.tournament(count=4)
    house.publish()
    assert "there is no game chess".capitalize() in dora.send(f"{PAGE}/plan", game="chess").text
    assert "choose the game" in dora.send(f"{PAGE}/send").text
    assert dora.send(f"{PAGE}/plan", game="").status_code == 303
    for game in ("tamsk", "tayu", "tabik", "tau", "twenty-squares"):
        assert dora.send(f"{PAGE}/plan", game=game).status_code == 303
        assert 'name="temperament"' in dora.page(PAGE)
        assert house.hall.plan("open").game == game


def test_a_game_may_have_a_match_clock(house: DirectorHouse, dora: Person) -> None:
    house.tournament(count=4)
    sent = {"game": "tabik", "of": "", "clock-own": "club", "clock-press": "button"}
    assert dora.send(f"{PAGE}/plan", **sent).status_code == 303
    assert house.hall.plan("open").settings == {
        "size": "8",
        "pie": "yes",
        "clock": "25+10",
        "flag": "ends",
        "press": "button",
    }
    text = dora.page(PAGE)
    assert 'value="25+10"' in text
    assert "25 min" in text
    assert '<option value="button" selected>' in text
    assert dora.send(f"{PAGE}/plan", **{**sent, "clock-own": ""}).status_code == 303
    assert "clock" not in house.hall.plan("open").settings


def test_a_clock_that_cannot_be_is_refused_and_what_was_written_stays(house: DirectorHouse, dora: Person) -> None:
    house.tournament(count=4)
    answer = dora.send(f"{PAGE}/plan", **{"game": "tabik", "of": "tabik", "size": "6", "clock-own": "25 and some"})
    assert answer.status_code == 409
    assert 'value="25 and some"' in answer.text
    assert 'value="6"' in answer.text
    assert "needs a game" in dora.send(f"{PAGE}/plan", **{"game": "", "clock-own": "25+10"}).text
    assert house.hall.plan("open").game == ""


def test_what_was_chosen_for_another_game_says_nothing_about_this_one(house: DirectorHouse, dora: Person) -> None:
    house.tournament(count=4)
    assert dora.send(f"{PAGE}/plan", game="tabik", of="tabik", size="6", pie="no").status_code == 303
    assert dora.send(f"{PAGE}/plan", game="tayu", of="tabik", size="6", pie="no").status_code == 303
    plan = house.hall.plan("open")
    assert (plan.game, plan.settings.get("size")) == ("tayu", None)
    assert "setting.tayu" not in dora.page(PAGE)


def test_score_sheets_are_those_of_the_game_of_the_round(house: DirectorHouse, dora: Person) -> None:
    house.tournament("mix", count=4, round_games=("tayu", "Chess"))
    house.publish("mix")
    assert "<h1>Score sheet: Tayu</h1>" in dora.page("/tournaments/mix/print/score")
    house.tournament(count=4)
    house.publish()
    assert "<h1>Score sheet</h1>" in dora.page("/tournaments/open/print/score"), "no game is planned"


def test_pages_tell_the_game_of_the_round_and_its_deadline(house: DirectorHouse) -> None:
    house.tournament("mix", count=4, round_games=("twenty squares", "Chess"))
    house.publish("mix")
    book = house.hall.book("mix")
    book.append(DeadlineSet(1, "2026-12-01 20:00"), "Dora", after=len(book.read()))
    code = house.hall.player_codes("mix")[1]
    for page in ("/tournaments/mix/wall", f"/my/{code}", "/tournaments/mix"):
        shown = house.anybody().page(page)
        assert "Round 1 of 3 – Tau (Twenty Squares)" in shown, page
        assert "Results may come in until 2026-12-01 20:00." in shown, page


def test_pages_say_in_which_hall_a_board_stands(tmp_path: Path) -> None:
    house = DirectorHouse(tmp_path, named="north", terms=HubTerms(other_halls=frozenset({"south"})))
    house.tournament(count=4)
    house.board("t2")
    south = DirectorHouse(tmp_path, house.clock, broker=house.broker, numbers=100, named="south")
    south.boards["t1"] = ModelBoard("t1", BoardBus(house.broker.connect(), "south"), house.clock)
    south.boards["t1"].tell_state("empty")
    house.run()
    dora = house.person(Role.DIRECTOR, "Dora")
    assert dora.send(f"{PAGE}/order").status_code == 303
    assert house.hall.plan("open").boards == {1: "t2", 2: "t1@south"}, "those of other halls last"
    house.publish()
    assert dora.page(PAGE).count("in hall south") == 1
    away = house.hall.book("open").tournament().rounds[-1].pairings[1]
    name = house.hall.book("open").tournament().entrant(away.first).name
    for page in ("/tournaments/open", "/tournaments/open/wall"):
        assert "in hall south" in house.anybody().page(page)
    assert house.anybody().page(f"/tournaments/open?find={name}").count("in hall south") == 2
    code = house.hall.player_codes("open")[away.first]
    assert "in hall south" in house.anybody().page(f"/my/{code}")
    assert dora.send(f"{PAGE}/plan", game="tamsk").status_code == 303
    dora.send(f"{PAGE}/send")
    for _ in range(3):
        house.clock.wait(1)
        house.run()
        south.run()
    results = dora.page("/tournaments/open/results")
    assert "t1@south" not in results
    assert '<span class="device">t1</span> <span class="soft in-hall">in hall south</span>' in results
    for sheet in ("pairings", "names"):
        printed = house.anybody().page(f"/tournaments/open/print/{sheet}")
        assert (printed.count(">north<") > 0, printed.count(">south<") > 0, "Hall" in printed) == (True, True, True)
    assert "<br>in hall south</span>" in dora.page("/tournaments/open/print/slips")
    assert "2 in hall south</div>" in dora.page("/tournaments/open/print/score")
    house.tournament("tayu", count=8, system=System.TABLES, tie_breaks=())
    dora.send("/tournaments/tayu/tables/seat")
    house.hall.set_plan("tayu", house.hall.plan("tayu").assign(1, "t2").assign(2, "t1@south"))
    for path in ("", "/tables"):
        assert house.anybody().page(f"/tournaments/tayu{path}").count("in hall south") == 1
    house.hall.set_plan("open", house.hall.plan("open").assign(2, "t3"))
    assert "in hall south" not in house.anybody().page("/tournaments/open")
    assert ">north<" not in house.anybody().page("/tournaments/open/print/names")
    south.close()
    house.close()
