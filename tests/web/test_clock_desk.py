"""The arbiter's desk for a match clock: every dial is set, given to, handed over and undone, and seen before."""

import re
from typing import Any

import pytest

from gnomon.referee.events import ClockPressed
from gnomon.views.summary import summary
from gnomon.words import LANGUAGES, words
from tests.web.desk_house import DeskHouse
from tests.web.test_desk import changes, texts


def clocked(clock: str = "25+10", game: str = "clock", seconds: float = 60, **settings: object) -> DeskHouse:
    """A game at a table: of an unknown one the left player has thought for so long."""
    house = DeskHouse("tamsk" if game == "tamsk" else "table")
    house.board.begin({"clock": clock, **settings}, game)
    if game == "clock":
        press(house, "right")
    elif game == "tamsk":
        assert house.do("insert", text="D1-D2") == {"done": True}
    house.board.wait(seconds)
    return house


def press(house: DeskHouse, player: str) -> None:
    house.board.daemon.runner.correct(ClockPressed(house.board.now(), player, "Ann"))
    house.board.wait(0.01)


def sides(house: DeskHouse) -> Any:  # noqa: ANN401 - what JSON holds
    told: Any = summary(house.board.game(), house.board.now())
    return told["clock"]


@pytest.fixture(scope="module")
def asked_about() -> DeskHouse:
    """A clock about which is asked only."""
    return clocked()


@pytest.fixture(scope="module")
def long_game() -> DeskHouse:
    """A clock of several periods about which is asked only."""
    return clocked("40/90 then 0:25 then byo-yomi 5x30", seconds=5400 + 40)


@pytest.mark.parametrize(
    ("do", "fields", "wanted"),
    [
        ("clock", {"player": "left", "time": "1:05:00"}, ["Left’s clock: 24:10 → 1:05:00"]),
        ("clock", {"player": "right", "time": "7.5"}, ["Right’s clock: 25:10 → 0:07.5"]),
        ("clock", {"player": "left", "moves": "12"}, ["Left, moves made: 0 → 12"]),
        ("clock-time", {"player": "right", "how": "give", "time": "2:00"}, ["Right’s clock: 25:10 → 27:10"]),
        ("clock-time", {"player": "right", "how": "take", "time": "2:00"}, ["Right’s clock: 25:10 → 23:10"]),
        ("clock-turn", {"player": "right"}, ["Turn: Left → Right", "Whose clock runs: Left → Right"]),
        ("clock-flag", {"player": "left", "how": "stop"}, ["Result: – → Right wins. The time ran out", "over"]),
        ("clock-flag", {"player": "right", "how": "lift", "time": "0:30"}, ["Right’s clock: 25:10 → 0:30"]),
    ],
)
def test_a_dial_shows_before_and_after_and_changes_nothing(
    asked_about: DeskHouse, do: str, fields: dict[str, str], wanted: list[str]
) -> None:
    before = asked_about.board.game()
    asked = changes(asked_about.ask(do, **fields))
    for want in wanted:
        assert any(want in change for change in asked), asked
    assert asked_about.board.game() is before


def test_moves_period_and_spells_are_set_where_the_control_has_them(long_game: DeskHouse) -> None:
    page = long_game.page()
    assert 'name="period"' in page
    assert 'name="spells"' in page
    asked = changes(long_game.ask("clock", player="right", period="3", time="0:20", spells="2"))
    assert asked == [
        "Right’s clock: 1:30:00 → 0:20",
        "Right, moves to go: 40 → –",
        "Right, period: 1 / 3 → 3 / 3",
        "Right, spells left: – → 2",
    ]
    assert changes(long_game.ask("clock", player="right", moves="39")) == [
        "Right, moves made: 0 → 39",
        "Right, moves to go: 40 → 1",
    ]


@pytest.mark.parametrize(
    ("do", "fields", "sentence"),
    [
        ("clock", {"player": "left"}, "Say what the clock is to show: the time, the moves, the period or the spells."),
        ("clock", {"player": "left", "time": "soon"}, "Write the time as 1:05:00, 2:05, or as seconds such as 7.5."),
        ("clock", {"player": "left", "time": "x:05:00"}, "Write the time as 1:05:00, 2:05, or as seconds"),
        ("clock", {"player": "left", "time": "0"}, "some time must be left"),
        ("clock", {"player": "left", "period": "2"}, "this time control has 1 period"),
        ("clock", {"player": "left", "spells": "2"}, "the side is not in byo-yomi"),
        ("clock", {"player": "middle", "time": "9"}, "'middle' has no side of the clock"),
        ("clock-time", {"player": "left", "how": "give", "time": ""}, "Write the time as 1:05:00"),
        ("clock-time", {"player": "left", "how": "take", "time": "9:00:00"}, "some time must be left"),
        ("clock-turn", {"player": "left"}, "left is already to move"),
        ("clock-flag", {"player": "left", "how": "lift", "time": ""}, "Write the time as 1:05:00"),
        ("clock-flag", {"player": "nobody", "how": "stop"}, "This form is out of date"),
    ],
)
def test_what_a_clock_cannot_show_is_refused_with_one_sentence(
    asked_about: DeskHouse, do: str, fields: dict[str, str], sentence: str
) -> None:
    error = asked_about.ask(do, **fields)["error"]
    assert sentence.lower() in error.lower()
    assert error.endswith(".")
    assert "None" not in error


def test_a_game_without_a_clock_has_no_flag_to_rule_on() -> None:
    house = DeskHouse("table")
    house.board.begin({}, "tabik")
    assert 'data-do="clock"' not in house.page()
    assert house.ask("clock-flag", player="black", how="stop")["error"] == "This game has no match clock."
    assert house.ask("clock", player="black", time="5")["error"] == "This game has no match clock."


def test_what_is_set_is_undone_with_the_time_that_was_thought_since() -> None:
    house = clocked()
    assert house.do("clock", player="left", time="5:00", why="it was not stopped") == {"done": True}
    assert sides(house)["sides"][0]["text"] == "5:00"
    assert "clock of Left set" in texts(house.page())
    assert house.do("undo") == {"done": True}
    assert sides(house)["sides"][0]["text"] == "24:10"


def test_a_flag_that_is_only_shown_is_claimed_or_lifted() -> None:
    for how, fields in (("stop", {}), ("lift", {"time": "1:00"})):
        house = clocked("1", flag="shown", seconds=70)
        assert sides(house)["first_flag"] == "left"
        page = house.page()
        assert "flag has fallen" in texts(page)
        assert house.do("clock-flag", player="left", how=how, **fields) == {"done": True}
        game = house.board.game()
        assert game is not None
        if how == "stop":
            assert (game.outcome.winner, game.outcome.reason) == ("right", "flag") if game.outcome else False
        else:
            assert (game.outcome, sides(house)["first_flag"]) == (None, None)
            assert sides(house)["sides"][0]["text"] == "1:00"


def test_a_game_that_a_flag_has_ended_goes_on_when_the_flag_stands_again() -> None:
    house = clocked("1", seconds=70)
    assert house.board.game().outcome is not None  # type: ignore[union-attr]  # there is a game
    asked = changes(house.ask("clock-flag", player="left", how="lift", time="0:30"))
    assert "Left’s flag: fallen → up" in asked
    assert "Game: over → running" in asked
    assert house.do("clock-flag", player="left", how="lift", time="0:30") == {"done": True}
    assert house.board.game().outcome is None  # type: ignore[union-attr]  # as above


def test_beside_tamsk_the_clock_and_the_sand_are_put_right_apart() -> None:
    house = clocked(game="tamsk", level=2)
    asked = changes(house.ask("clock-time", player="red", how="give", time="60"))
    assert [change.partition(":")[0] for change in asked] == ["Red’s clock"]
    page = house.page()
    assert 'data-do="clock"' in page
    assert 'data-do="sand"' in page
    assert 'data-do="clock-turn"' not in page
    fallen = changes(house.ask("clock-flag", player="black", how="stop"))
    assert any("Red wins" in change for change in fallen)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_desk_tells_the_clock_in_every_language(asked_about: DeskHouse, language: str) -> None:
    page = asked_about.page(f"/desk?language={language}")
    for key in ("arbiter.act.clock", "arbiter.act.clock-time", "arbiter.act.clock-turn", "arbiter.act.clock-flag"):
        assert words(language)(key) in page


def test_without_its_program_the_page_asks_before_it_sets_the_clock() -> None:
    house = clocked()
    answer = house.ann.send("/desk/ask", do="clock", player="left", time="5:00")
    assert "24:10" in answer.text
    assert "Do this?" in answer.text


def test_a_replay_shows_what_both_sides_had_after_each_turn() -> None:
    house = clocked("25+10 vs 1")
    press(house, "left")
    house.board.wait(70)
    page = house.ann.get("/games/1?ply=1").text
    dials = re.findall(r'<li( class="\w+")?><span[^>]*></span><span class="unseen">(\w+)</span> <b>([\d:.]+)</b>', page)
    assert dials == [("", "Left", "24:20"), (' class="runs"', "Right", "1:00")]
    assert '<span class="fallen">Flag</span>' in house.ann.get("/games/1").text.replace("\n", "")
