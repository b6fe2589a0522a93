"""A match clock beside a game: who starts it, what a press is, entering before and after it, pauses, and flags."""

import pytest

from gnomon.games.tayu.rules import Tayu
from gnomon.referee.debounce import CALM, SETTLING
from gnomon.referee.effects import Tune
from gnomon.referee.errors import CorrectionError
from gnomon.referee.events import ClockPressed, DeadlineReached, InputChanged, TurnEntered
from gnomon.referee.table import LEFT
from gnomon.timekeeping.instants import SECOND, Instant
from tests.referee.clocked_table import ANN, ClockedTable
from tests.referee.scripted_board import instant

TABIK = {"size": "8", "pie": "no"}


# Starting it


@pytest.mark.parametrize(("presser", "thinks"), [("left", "right"), ("right", "left")])
def test_of_an_unknown_game_who_presses_first_starts_the_others_time(presser: str, thinks: str) -> None:
    table = ClockedTable(clock="5+3")
    assert table.until(60) == []
    table.press(100, presser)
    assert table.until(101) == [f"100 clock {thinks}"]
    side = 0 if thinks == "left" else 1
    assert table.game.turn == thinks
    assert table.left(110)[side] == 293
    assert table.left(110)[1 - side] == 303


@pytest.mark.parametrize("presser", ["left", "right"])
def test_the_player_who_begins_by_the_rules_thinks_no_matter_who_presses(presser: str) -> None:
    table = ClockedTable("tabik", clock="5", **TABIK)
    table.press(100, presser)
    assert table.until(101) == ["100 clock black"]
    assert table.left(110) == (290, 300)


def test_the_first_turn_starts_the_clock_and_costs_nothing_where_nobody_pressed() -> None:
    table = ClockedTable("tabik", clock="5", **TABIK)
    table.enter(50, "a1b1")
    assert table.left(60) == (300, 290)


def test_a_turn_is_not_entered_into_an_unknown_game_whose_clock_stands() -> None:
    table = ClockedTable(clock="5")
    with pytest.raises(CorrectionError, match="the clock has not been started"):
        table.enter(1, "press")


# Pressing


def test_a_press_ends_the_players_own_turn_as_of_its_stamp() -> None:
    table = ClockedTable(clock="5+3")
    table.press(10, "right")
    table.press(20.5, "left")
    table.press(50, "right")
    assert table.until(60) == ["10 clock left", "20.5 turn left press", "50 turn right press"]
    assert table.left(60) == (303 - 10.5 + 3 - 10, 303 - 29.5 + 3)
    assert [ply.when for ply in table.game.plies] == [instant(20.5), instant(50)]


def test_a_bouncing_button_presses_once_and_at_its_first_edge() -> None:
    table = ClockedTable(clock="5")
    table.press(10, "right")
    for later, value in ((0, True), (2_000, False), (5_000, True), (100_000, False), (104_000, True), (106_000, False)):
        table.edge(Instant(instant(20) + later), "left", value=value)
    assert table.until(21) == ["10 clock left", "20 turn left press"]


def test_a_button_that_may_not_be_pressed_is_ignored_with_a_short_sound() -> None:
    table = ClockedTable(clock="5")
    table.press(10, "right")
    table.press(20, "right", "right")
    assert table.until(22) == ["10 clock left"]
    assert table.tunes == [Tune.ACCEPTED, Tune.WRONG_BUTTON, Tune.WRONG_BUTTON]
    quiet = ClockedTable(clock="5", temperament="silent")
    quiet.press(10, "right", "right")
    quiet.until(12)
    assert quiet.tunes == []


def test_two_presses_count_in_the_order_of_their_stamps_though_the_first_settles_last() -> None:
    table = ClockedTable(clock="5")
    table.press(1, "right")
    start = instant(10)
    table.edge(start, "left", value=True)
    table.edge(Instant(start + 5_000), "right", value=True)
    for later in range(6_000, 60_000, 6_000):
        table.edge(Instant(start + later), "left", value=later % 12_000 == 0)
    table.edge(Instant(start + 70_000), "left", value=True)
    assert table.until(11)[1:] == ["10 turn left press", "10.005 turn right press"]


def test_what_was_read_late_is_granted_the_difference() -> None:
    table = ClockedTable(clock="5")
    table.press(1, "right")
    table.edge(instant(11), "left", value=True, uncertainty=SECOND)
    table.until(12)
    assert table.left(12)[0] == 300 - 9


@pytest.mark.parametrize("button", ["next", "enter", "back", "previous"])
def test_the_buttons_that_pick_a_move_say_nothing_where_no_moves_are_known(button: str) -> None:
    table = ClockedTable(clock="5")
    table.press(1, "right", button, button)
    assert table.until(3) == ["1 clock left"]
    assert table.game.chooser is None


def test_a_clock_can_be_pressed_on_a_page() -> None:
    table = ClockedTable(clock="5")
    table.tell(ClockPressed(instant(1), "right", ANN), ClockPressed(instant(11), "left", ANN))
    assert table.until(12) == ["1 clock left", "11 turn left press"]
    for player, why in (("left", "the clock of Left is not running"), ("white", "'White' has no side")):
        with pytest.raises(CorrectionError, match=why):
            table.tell(ClockPressed(instant(12), player, ANN))
    table.press(13, "arbiter")
    with pytest.raises(CorrectionError, match="the game is paused"):
        table.tell(ClockPressed(instant(14), "right", ANN))
    table.press(15, "arbiter")
    table.until(400)
    with pytest.raises(CorrectionError, match="the game is over"):
        table.tell(ClockPressed(instant(401), "right", ANN))


def test_a_game_without_a_clock_has_no_buttons_of_its_players() -> None:
    table = ClockedTable("tabik", **TABIK)
    with pytest.raises(ValueError, match=r"no input 'button\.left'"):
        table.press(1, "left")
    with pytest.raises(CorrectionError, match="this game has no match clock"):
        table.tell(ClockPressed(instant(1), "black", ANN))


# Turns of a known game


def test_a_turn_that_is_entered_presses_and_the_press_that_follows_says_nothing_more() -> None:
    table = ClockedTable("tabik", clock="5", **TABIK)
    table.press(0, "right")
    table.enter(10, "a1b1")
    table.press(12, "left")
    table.press(15, "left")
    table.until(20)
    assert table.left(20) == (290, 290)
    assert table.tunes.count(Tune.WRONG_BUTTON) == 1


def test_a_turn_may_be_entered_after_its_press() -> None:
    table = ClockedTable("tabik", clock="5", **TABIK)
    table.press(0, "right")
    table.press(10, "left")
    table.press(30, "right")
    assert len(table.match.ahead) == 2
    table.enter(41, "a1b1")
    table.enter(42, "h8g8")
    assert [ply.when for ply in table.game.plies] == [instant(10), instant(30)]
    assert table.left(50) == (270, 280)
    assert not table.match.ahead


def test_picking_a_turn_with_the_buttons_ends_it_with_the_last_press() -> None:
    table = ClockedTable("tau", clock="5", limit="70")
    table.press(0, "right")
    table.press(10, "next")
    table.press(20, "enter")
    table.until(21)
    assert [ply.text for ply in table.game.plies] == ["ca"]
    assert table.left(30) == (280, 290)


def test_with_press_button_only_the_players_own_button_ends_his_turn() -> None:
    table = ClockedTable("tabik", clock="5", press="button", **TABIK)
    table.press(0, "right")
    table.enter(10, "a1b1")
    assert table.runs(11) == 0
    table.press(20, "left")
    table.press(30, "right")
    table.enter(40, "h8g8")
    assert table.left(40) == (270, 290)


def test_who_replies_before_the_press_shows_that_the_turn_before_is_over() -> None:
    table = ClockedTable("tabik", clock="5", press="button", **TABIK)
    table.press(0, "right")
    table.enter(10, "a1b1")
    table.enter(25, "h8g8")
    assert table.left(30) == (275, 295)
    table.press(35, "right")
    assert table.left(40) == (270, 290)


def test_a_throw_and_a_second_move_of_the_same_player_press_nothing() -> None:
    table = ClockedTable("twenty-squares", clock="5")
    table.press(0, "right")
    for at, text in enumerate(("throw:1", "convert", "throw:4", "in-a1", "throw:2"), start=1):
        table.enter(at, text)
        assert table.runs(at + 0.5) == 0
    table.enter(10, "a1-b2")
    assert table.left(12) == (290, 298)


@pytest.mark.parametrize(
    ("name", "settings", "texts"),
    [
        ("twenty-squares", {"board": "double", "players": "4"}, ("throw:2", "forfeit", "throw:2", "forfeit")),
        ("tayu", {"players": "4"}, ("draw:012", "012@h9/E")),
        ("tau", {}, ("bid:70", "bid:80", "pass", "ca")),
    ],
)
def test_partners_and_the_roles_of_a_negotiation_have_their_sides(
    name: str, settings: dict[str, str], texts: tuple[str, ...]
) -> None:
    table = ClockedTable(name, clock="5", **settings)
    runs = []
    for at, text in enumerate(texts, start=1):
        table.enter(at, text)
        runs.append(table.runs(at))
    wanted = {"twenty-squares": [None, 1, 1, 0], "tayu": [None, 1], "tau": [1, 0, 1, 0]}[name]
    assert runs == wanted


def test_a_draw_entered_after_the_press_does_not_let_time_run_backwards() -> None:
    table = ClockedTable("tayu", clock="5")
    table.press(0, "right")
    table.press(10, "left")
    table.enter(15, "draw:012")
    table.enter(16, "012@h9/E")
    assert [ply.when for ply in table.game.plies] == [instant(15), instant(15)]
    assert table.left(20) == (290, 290)


def test_the_end_of_the_game_stops_the_clock() -> None:
    table = ClockedTable("tabik", clock="5", size="2", pie="no")
    table.press(0, "right")
    table.enter(5, "a1b1")
    table.enter(9, "a2b2")
    assert "over" in table.until(10)[-1]
    assert table.left(100) == table.left(9) == (295, 296)


# Pauses


def test_the_arbiters_button_stops_both_and_lets_them_go_on() -> None:
    table = ClockedTable(clock="5")
    table.press(0, "right")
    table.press(10, "arbiter")
    table.press(20, "left", "right")
    table.press(30, "arbiter")
    table.press(40, "left")
    assert table.until(41)[1:] == ["10 paused", "30 resumed", "40 turn left press"]
    assert table.left(40) == (280, 300)
    assert table.tunes.count(Tune.WRONG_BUTTON) == 2


def test_no_flag_falls_in_a_pause() -> None:
    table = ClockedTable(clock="0:10")
    table.press(0, "right")
    table.press(9.999_999, "arbiter")
    assert table.until(100)[1:] == ["9.999999 paused"]
    table.press(200, "arbiter")
    assert table.until(201)[2:] == ["200 resumed", "200.000001 flag left", "200.000001 over right flag"]


# The flag


@pytest.mark.parametrize(
    ("early", "ruled"),
    [
        (1, ["9.999999 turn left press"]),
        (0, ["10 flag left", "10 over right flag"]),
        (-1, ["10 flag left", "10 over right flag"]),
    ],
)
def test_one_microsecond_before_the_flag_is_in_time(early: int, ruled: list[str]) -> None:
    table = ClockedTable(clock="0:10")
    table.press(0, "right")
    table.edge(Instant(instant(10) - early), "left", value=True)
    assert table.until(11)[1:] == ruled


def test_a_press_in_time_counts_however_late_it_is_read_and_settles() -> None:
    table = ClockedTable(clock="0:10")
    table.press(0, "right")
    table.hands_over = False
    start = Instant(instant(10) - 1)
    for later in range(0, 200_000, 15_000):  # bounces on beyond the time for which a deadline waits
        table.edge(Instant(start + later), "left", value=later % 30_000 == 0)
    assert table.game.deadline() is not None
    table.edge(Instant(start + 201_000), "left", value=True)
    assert table.until(11)[1:] == ["9.999999 turn left press"]


def test_a_flag_is_ruled_upon_when_every_press_before_it_has_come() -> None:
    table = ClockedTable(clock="0:10")
    table.press(0, "right")
    table.until(1)
    assert table.game.deadline() == instant(10) + SETTLING
    table.tell(DeadlineReached(Instant(instant(10) + SETTLING - 1)))
    assert len(table.rulings) == 1
    table.tell(DeadlineReached(Instant(instant(10) + SETTLING)))
    assert [ruling.kind for ruling in table.rulings] == ["clock", "flag", "over"]
    assert table.game.deadline() is None
    assert table.tunes[1:] == [Tune.FLAG, Tune.OVER]


def test_a_turn_entered_after_the_flag_is_too_late() -> None:
    table = ClockedTable("tabik", clock="0:10", **TABIK)
    table.press(0, "right")
    with pytest.raises(CorrectionError, match="the game is over"):
        table.tell(TurnEntered(Instant(instant(10) + 50_000), "a1b1", ANN))


def test_a_flag_that_is_only_shown_stops_both_clocks_and_nothing_is_added() -> None:
    table = ClockedTable("tabik", clock="0:10+5", flag="shown", **TABIK)
    table.press(0, "right")
    table.until(16)
    table.enter(20, "a1b1")
    table.enter(30, "h8g8")
    assert table.until(60) == ["0 clock black", "15 flag black", "20 turn black a1b1", "30 turn white h8g8"]
    assert table.left(60) == (0, 15)
    assert table.game.outcome is None


def test_where_the_clock_runs_on_only_the_first_flag_is_ruled_upon() -> None:
    table = ClockedTable(clock="0:10, runs on", flag="shown")
    table.press(0, "right")
    table.press(12, "left")
    assert table.until(60) == ["0 clock left", "10 flag left", "12 turn left press"]
    assert table.left(60) == (0, 0)


def test_whose_flag_falls_first_is_told_by_the_other_players_name_in_the_negotiation_and_after() -> None:
    table = ClockedTable("tau", clock="0:10")
    table.enter(1, "bid:70")
    assert table.until(20)[1:] == ["11 flag p2", "11 over p1 flag"]
    table = ClockedTable("tau", clock="0:10", rows="3", columns="3")
    for at, text in enumerate(("bid:1", "bid:2", "pass", "ca"), start=1):
        table.enter(at, text)
    assert table.until(30)[-2].split()[1:] in (["flag", "low"], ["flag", "high"])


# The warning


def test_each_player_is_warned_once_in_the_last_seconds() -> None:
    table = ClockedTable(clock="0:30+1", warning="10")
    table.press(0, "right")
    table.until(21)
    assert Tune.LOW_TIME not in table.tunes
    table.until(22)
    assert table.tunes.count(Tune.LOW_TIME) == 1
    table.press(25, "left", "right")
    table.until(27)
    assert table.tunes.count(Tune.LOW_TIME) == 1
    table.press(28, "left")
    table.until(50)
    assert table.tunes.count(Tune.LOW_TIME) == 2


def test_who_begins_with_less_than_the_warning_is_warned_at_once() -> None:
    table = ClockedTable(clock="0:05 vs 1", warning="10")
    table.press(0, "right")
    table.until(1)
    assert table.tunes == [Tune.ACCEPTED, Tune.LOW_TIME]


def test_nobody_is_warned_of_a_time_that_is_counted_up() -> None:
    table = ClockedTable(clock="up", warning="10")
    table.press(0, "right")
    assert table.until(3600) == ["0 clock left"]
    assert table.game.deadline() is None


def test_a_quarantined_button_does_not_press_and_the_flag_falls() -> None:
    table = ClockedTable(clock="0:10")
    table.press(0, "right")
    start = Instant(instant(10) - 1)
    for later in range(0, 300_000, 10_000):
        table.edge(Instant(start + later), "left", value=later % 20_000 == 0)
    assert table.until(12)[1:] == ["9.999999 fault", "10 flag left", "10 over right flag"]
    assert table.game.quarantined == (LEFT,)
    assert CALM < SETTLING


# Turns that a board only has to be looked at


def tile_laid(at: float) -> ClockedTable:
    """A sensed tile of which the last square is covered at so many seconds; black's flag falls at 20."""
    table = ClockedTable("tayu", "tayu", clock="0:20")
    table.press(0, "right")
    table.enter(5, "draw:012")
    for number, square in enumerate(("h9", "i9", "j9")):
        table.tell(InputChanged(Instant(instant(at) - 1000 * (2 - number)), f"{square}.tile", value=True))
    return table


def test_a_tile_laid_before_the_flag_is_looked_at_first_and_a_question_costs_time() -> None:
    table = tile_laid(19.999_999)
    table.until(20.3)
    assert [ruling.kind for ruling in table.rulings] == ["clock", "turn"]
    table.until(20.7)
    assert [ruling.kind for ruling in table.rulings] == ["clock", "turn", "ask", "flag", "over"]


def test_a_tile_that_lies_before_the_flag_is_in_time_though_it_has_to_lie_still() -> None:
    table = tile_laid(12)
    table.enter(13, "012@h9/E")
    table.enter(14, "draw:013")
    rules, position = table.game.rules, table.game.position
    assert isinstance(rules, Tayu)
    ways = [(move, rules.squares_of(move)) for move in rules.legal_moves(position)]
    move, squares = next(each for each in ways if len(rules.placements_on(position, each[1])) == 1)
    for square in squares:
        table.tell(InputChanged(Instant(instant(33) - 1), f"{square}.tile", value=True))
    text = rules.text(position, move)
    assert table.until(34)[-1] == f"32.999999 turn east-west {text}"
    assert table.left(33)[1] == 0.000_001
    assert table.until(60)[-2:] == ["39.999999 flag north-south", "39.999999 over east-west flag"]


def test_a_tile_laid_after_the_flag_is_too_late() -> None:
    table = tile_laid(20.05)
    assert table.until(21)[-2:] == ["20 flag north-south", "20 over east-west flag"]
