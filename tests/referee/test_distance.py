"""A game between two boards as one referee sees it: settings, the other board's turns, and what is refused."""

import pytest

from gnomon.referee._correction_words import what
from gnomon.referee.distance import WHO, let_time_go_on
from gnomon.referee.effects import Sound, Tune
from gnomon.referee.errors import CorrectionError
from gnomon.referee.events import (
    Adjourned,
    Claimed,
    Correction,
    DeadlineReached,
    DrawAnswered,
    DrawOffered,
    InputChanged,
    Paused,
    PlayerNamed,
    ResultDeclared,
    Resumed,
    TimeTaken,
    TurnArrived,
    TurnEntered,
    TurnsVoided,
)
from gnomon.referee.game import Game, Opponent
from gnomon.referee.games import begin
from gnomon.referee.opponents import engine_on_turn, hands_left, is_engines_turn
from gnomon.referee.people import people
from gnomon.referee.replacement import replace
from gnomon.referee.rulings import FlagFell
from gnomon.referee.step import step, watched_until
from gnomon.rules.protocol import SettingsError
from gnomon.timekeeping.instants import SECOND, Duration, Instant

ANN = "Ann"
APART = {"size": 3, "pie": "no", "opponent": "another-board", "opponent_code": "KWXPTR"}


def instant(seconds: float) -> Instant:
    return Instant(round(seconds * SECOND))


def game_of(**settings: object) -> Game:
    return begin("tabik", {**APART, **settings})


def tell(game: Game, *events: Correction) -> Game:
    for event in events:
        game, _ = step(game, event)
    return game


def enter(at: float, text: str, who: str = ANN) -> TurnEntered:
    return TurnEntered(instant(at), text, who)


def arrive(at: float, text: str, when: float) -> TurnArrived:
    return TurnArrived(instant(at), text, Duration(instant(when)), WHO)


# The settings


def test_a_code_may_be_written_as_people_read_it() -> None:
    game = game_of(opponent_code="kwx-ptr", opponent_hands="7")
    assert game.opponent == Opponent("another-board", ("white",), Duration(7 * SECOND), code="KWXPTR")
    assert game.opponent.is_distant
    assert game.people == ()
    guest = game_of(opponent_guest="yes", opponent_plays="black")
    assert guest.opponent == Opponent("another-board", ("black",), Duration(5 * SECOND), code="KWXPTR", is_guest=True)
    assert game_of(opponent_code="").opponent == Opponent("another-board", ("white",), Duration(5 * SECOND))


@pytest.mark.parametrize(
    ("game", "settings", "said"),
    [
        ("tabik", {"opponent": "3"}, "opponent_code is a setting of a game with another board"),
        ("tabik", {"opponent_code": "ABCDEO"}, "a code has six letters"),
        ("tabik", {"opponent_guest": "perhaps"}, "opponent_guest must be one of yes, no"),
        ("tabik", {"opponent_plays": "all"}, "opponent_plays must be one of black, white"),
        ("tabik", {"second_opponent": "2"}, "second_opponent plays in an exhibition only"),
        ("tamsk", {"size": None, "level": 2}, "tamsk cannot be played between two boards with these settings"),
        ("tayu", {"size": 9, "players": 3}, "tayu cannot be played between two boards"),
    ],
)
def test_settings_that_cannot_be_are_refused(game: str, settings: dict[str, object], said: str) -> None:
    wanted = {name: value for name, value in {**APART, **settings}.items() if value is not None}
    if game != "tabik":
        del wanted["pie"]
    with pytest.raises(SettingsError, match=said):
        begin(game, wanted, board="tamsk" if game == "tamsk" else "")


# The other board's turns


def test_a_turn_of_the_other_board_is_announced_and_made_by_hands() -> None:
    game = tell(game_of(), enter(1, "a1a2"))
    assert game.is_elsewhere
    assert is_engines_turn(game)
    assert engine_on_turn(game) == game.opponent
    game, said = step(game, arrive(9, "b1b2", 4))
    assert said == (Sound(Tune.QUESTION),)
    assert game.announced is not None
    assert (game.announced.text, game.announced.when, game.game_time(instant(20))) == ("b1b2", instant(4), instant(4))
    assert hands_left(game, instant(20)) is None  # nothing runs
    game = tell(game, enter(12, "b1b2"))
    assert [(ply.text, ply.when) for ply in game.plies] == [("a1a2", instant(1)), ("b1b2", instant(4))]
    assert (game.announced, game.arrived_at, engine_on_turn(game)) == (None, None, None)
    assert game.game_time(instant(13)) == instant(5)


def test_enter_at_the_table_makes_the_turn_that_arrived() -> None:
    game = tell(game_of(), enter(1, "a1a2"))
    pressed = InputChanged(instant(3), "button.enter", value=True)
    game, _ = step(game, pressed)
    game, _ = step(game, InputChanged(instant(3.5), "button.enter", value=False))
    game = tell(game, arrive(9, "b1b2", 4))
    game, _ = step(game, InputChanged(instant(10), "button.enter", value=True, uncertainty=Duration(SECOND)))
    game, _ = step(game, DeadlineReached(instant(10.5)))
    assert [(ply.text, ply.when) for ply in game.plies][1:] == [("b1b2", instant(4))]


def test_a_tile_that_lay_there_before_its_turn_arrived_counts_as_of_the_other_board() -> None:
    settings = {"opponent": "another-board", "opponent_plays": "north-south", "size": 17}
    game = begin("tayu", settings, board="tayu")
    game = tell(game, arrive(1, next(iter(game.texts())), 0.5))
    text = game.texts()[0]
    squares = game.board.steps(game, text)[0].space.split()
    for square in squares:
        game, _ = step(game, InputChanged(instant(2), f"{square}.tile", value=True))
    game, _ = step(game, DeadlineReached(instant(2.3)))
    game = tell(game, arrive(2.4, text, 1.5))
    game, _ = step(game, DeadlineReached(instant(5)))
    assert [(ply.text, ply.when) for ply in game.plies][1:] == [(text, instant(1.5))]


def test_no_turn_counts_as_of_before_the_one_that_it_follows() -> None:
    game = tell(game_of(), enter(1, "a1a2"), arrive(9, "b1b2", 4), enter(12, "b1b2"))
    game, _ = game.board.enter(game, game.texts()[0], instant(13), instant(2))
    assert game.plies[-1].when == instant(4)


def test_with_a_match_clock_the_hands_have_five_seconds() -> None:
    game = tell(game_of(clock="10"), enter(1, "a1a2"), arrive(9, "b1b2", 4))
    assert hands_left(game, instant(9)) == 5 * SECOND
    assert hands_left(game, instant(16)) == -2 * SECOND
    game = tell(game, Paused(instant(10), ANN))
    assert hands_left(game, instant(60)) == 4 * SECOND
    game = tell(game, Resumed(instant(60), ANN))
    assert hands_left(game, instant(61)) == 3 * SECOND
    assert game.game_time(instant(61)) == instant(4)
    game = tell(game, enter(62, "b1b2"))
    assert (game.plies[-1].when, game.game_time(instant(63))) == (instant(4), instant(5))
    assert game.clock is not None
    left = [account.left for account in game.clock.clock.at(instant(5)).accounts]
    assert left == [599 * SECOND, 597 * SECOND]


def test_no_flag_of_the_other_board_falls_here_before_its_turn_arrives() -> None:
    game = tell(game_of(clock="0:05"), enter(1, "a1a2"))
    assert game.deadline() is None
    game, said = watched_until(game, instant(500))
    assert said == ()
    game = tell(game, arrive(600, "b1b2", 4), enter(601, "b1b2"))
    assert game.outcome is None
    game, _ = watched_until(game, instant(700))
    assert isinstance(game.rulings[-2], FlagFell)
    assert (game.outcome is not None, game.rulings[-2].player) == (True, "black")


def test_what_is_thrown_at_the_other_board_counts_at_once() -> None:
    settings = {"opponent": "another-board", "opponent_plays": "p1", "counters": 2}
    game = begin("twenty-squares", settings)
    assert game.is_natures
    assert game.is_elsewhere
    with pytest.raises(CorrectionError, match="the other board throws"):
        step(game, enter(1, game.texts()[0]))
    game = tell(game, arrive(5, game.texts()[0], 2))
    assert (len(game.plies), game.announced, game.game_time(instant(6))) == (1, None, instant(3))


def test_a_result_ends_the_waiting_for_hands() -> None:
    game = tell(game_of(), enter(1, "a1a2"), arrive(9, "b1b2", 4))
    game = tell(game, ResultDeclared(instant(11), "white", "resigned", ANN))
    assert (game.announced, game.arrived_at) == (None, None)
    assert let_time_go_on(game, instant(12)) is game
    assert not game.is_elsewhere


# What is refused


@pytest.mark.parametrize(
    ("event", "said"),
    [
        (arrive(9, "b1b2", 0.5), "was made before the one that it follows"),
        (arrive(9, "z9z9", 4), "z9z9"),
        (TurnArrived(instant(9), "b1b2", Duration(4 * SECOND), ANN), "only another board that plays this game"),
        (TimeTaken(instant(9), "clock.white", Duration(SECOND), ANN), "nobody can do this at one of them alone"),
        (TurnsVoided(instant(9), 1, give_back=True, who=ANN), "nobody can do this at one of them alone"),
        (DrawOffered(instant(9), "white", ANN), "only the other board offers and answers a draw"),
        (DrawAnswered(instant(9), "white", True, ANN), "only the other board offers and answers a draw"),
        (ResultDeclared(instant(9), "black", "resigned", ANN), "only the other board can resign"),
        (PlayerNamed(instant(9), "white", "Bo", ANN), "only another board that plays this game"),
        (PlayerNamed(instant(9), "black", "Bo", WHO), "only the other board offers"),
        (enter(9, "b1b2"), "wait for its announcement"),
    ],
)
def test_what_the_other_board_decides_is_refused_here(event: Correction, said: str) -> None:
    game = tell(game_of(), enter(1, "a1a2"))
    with pytest.raises(CorrectionError, match=said):
        step(game, event)


def test_a_turn_that_arrives_out_of_turn_is_refused() -> None:
    with pytest.raises(CorrectionError, match="the other board is not on turn"):
        step(game_of(), arrive(1, "a1a2", 1))
    game = tell(game_of(), enter(1, "a1a2"), arrive(9, "b1b2", 4))
    with pytest.raises(CorrectionError, match="the other board is not on turn"):
        step(game, arrive(10, "b2b3", 5))
    with pytest.raises(CorrectionError, match="only another board that plays this game"):
        step(begin("tabik", {"size": 3}), arrive(1, "a1a2", 1))


@pytest.mark.parametrize(
    "event",
    [
        DrawOffered(instant(9), "white", WHO),
        DrawOffered(instant(9), "black", ANN),
        ResultDeclared(instant(9), "black", "resigned", WHO),
        ResultDeclared(instant(9), None, "abandoned", ANN),
        TimeTaken(instant(9), "clock.white", Duration(SECOND), WHO),
        Adjourned(instant(9), ANN),
        Claimed(instant(9), "black", "noise", upheld=False, who=ANN),
    ],
)
def test_what_either_board_may_decide_is_taken(event: Correction) -> None:
    game = tell(game_of(clock="10"), enter(1, "a1a2"))
    after, _ = step(game, event)
    assert after != game


def test_who_plays_at_the_other_board_is_known_once_it_has_said_so() -> None:
    game = begin("tabik", {**APART})
    game = replace(game, people=people({"black": "Ann"}))
    named, said = step(game, PlayerNamed(instant(1), "white", "Bo", WHO))
    assert dict(named.people) == {"black": "Ann", "white": "Bo"}
    assert said == ()
    assert named.position == game.position


def test_an_arrival_has_words() -> None:
    assert what(arrive(1, "a1a2", 1)).message == "turn a1a2 of the other board arrived"
    assert what(PlayerNamed(instant(1), "white", "Bo", WHO)).message == "White at the other board: Bo"
