"""The card that a hall is told of each game: what it says, and that it stays small."""

import json
from dataclasses import replace
from typing import Any, Final, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gnomon.games.tamsk.sensing.game import TamskGame
from gnomon.referee.events import Adjourned, ClockPressed, Paused, ResultDeclared, TurnEntered
from gnomon.referee.game import Game
from gnomon.referee.games import begin, tell
from gnomon.refusals import Statement, statement
from gnomon.timekeeping.instants import SECOND, Instant
from gnomon.views.status_payload import HEAVIEST, STATED, card, health_in, phase
from tests.conftest import examples
from tests.views import table_scenes, tables

PHASES = {"empty", "waiting", "running", "paused", "question", "wrong", "over", "adjourned"}
GAMES = [
    ("tamsk", {"level": 2}),
    ("tabik", {}),
    ("tau", {}),
    ("tayu", {"players": 4, "edition": "kosmos"}),
    ("twenty-squares", {"players": 4, "board": "double"}),
]
NOON = Instant(60 * SECOND)


class Seen(NamedTuple):
    """What a view is asked for, of whatever game."""

    game: Game | None
    now: Instant
    health: tuple[str, ...] = ()


SCENES = {name: Seen(*scene) for name, scene in (*tables.scenes().items(), *table_scenes.scenes().items())}


def weight(value: object) -> int:
    return len(json.dumps(value, separators=(",", ":")))


def entered(game: Game, *turns: str, every: int = 10) -> Game:
    """The game after turns, one every so many seconds."""
    for number, text in enumerate(turns, 1):
        game, _ = tell(game, TurnEntered(Instant(number * every * SECOND), text, "page"))
    return game


def of_player(told: dict[str, object], player: str) -> dict[str, Any]:
    players = told["players"]
    assert isinstance(players, list)
    return next(each for each in players if each["player"] == player)


@pytest.mark.parametrize("name", SCENES)
def test_every_state_of_play_has_a_small_card(name: str) -> None:
    scene = SCENES[name]
    told = card(scene.game, scene.now, number=7, health=tuple(map(Statement.plain, scene.health)))
    assert weight(told) <= HEAVIEST
    assert told["phase"] in PHASES
    assert told["game"] == (None if scene.game is None else scene.game.rules.name)


@settings(max_examples=examples(40))
@given(st.sampled_from(GAMES), st.lists(st.text(max_size=60), min_size=4, max_size=4), st.lists(st.text(), max_size=5))
def test_whatever_people_are_called_and_whatever_ails_the_board_the_card_stays_small(
    which: tuple[str, dict[str, object]], names: list[str], health: list[str]
) -> None:
    players = begin(*which).rules.players
    game = begin(*which, players=dict(zip(players, names, strict=False)))
    told = card(game, NOON, number=10**9, confirmed=players, health=tuple(map(Statement.plain, health)))
    assert weight(told) <= HEAVIEST


def test_without_a_game_it_says_so_and_what_ails_the_board() -> None:
    assert card(None, NOON, health=(Statement.plain("The lights do not answer."),)) == {
        "game": None,
        "phase": "empty",
        "health": ["The lights do not answer."],
    }
    assert phase(None) == "empty"


def test_long_texts_end_in_dots_and_three_sentences_are_enough() -> None:
    told = card(None, NOON, health=tuple(map(Statement.plain, ("x" * 200, "ü" * 30, "b", "c"))))
    assert told["health"] == ["x" * 104 + "…", "ü" * 17 + "…", "b"]


LATE: Final = statement("health.busy", late=12, scans=1000)


def test_what_ails_a_board_is_told_in_every_language_as_far_as_there_is_room() -> None:
    told = json.loads(json.dumps(card(None, NOON, health=(Statement.plain("x"), LATE))))
    assert told["health"] == ["x", LATE.message]
    assert health_in(told) == (Statement.plain("x"), LATE)
    full = statement("health.busy", late="ü" * HEAVIEST, scans=1)
    assert STATED not in card(None, NOON, health=(full,))


@pytest.mark.parametrize(
    "stated", [None, 7, [], [None], [7], [{"key": "gone"}], [{"key": "health.busy", "values": {}}], [{"key": [[]]}]]
)
def test_of_a_board_of_another_version_the_english_words_are_shown(stated: object) -> None:
    assert health_in({"health": ["It is late."], STATED: stated}) == (Statement.plain("It is late."),)
    assert health_in({"health": "?", STATED: stated}) == ()


def test_it_tells_who_plays_whose_turn_it_is_and_the_last_turn() -> None:
    game = entered(begin("tabik", {}, players={"black": "Ann"}), "a1b1")
    told = card(game, NOON, number=3, confirmed=["black"])
    assert (told["title"], told["number"], told["plies"], told["last"]) == ("Tabik", 3, 1, "a1b1")
    assert (told["turn"], told["outcome"], told["confirmed"]) == ("white", None, ["black"])
    assert of_player(told, "black")["name"] == "Ann"
    assert of_player(card(begin("tau", {}), NOON), "p1")["score"] is None
    assert of_player(told, "white") == {
        "player": "white",
        "name": "White",
        "on_turn": True,
        "score": 0,
        "remaining_us": None,
        "running": False,
    }
    assert (told["urgent_us"], told["timer15_us"], told["since_us"]) == (None, None, 50 * SECOND)


def test_how_a_game_stands_in_one_word() -> None:
    game = begin("tabik", {})
    assert phase(game) == "waiting"
    game = entered(game, "a1b1")
    assert phase(game) == "running"
    paused, _ = tell(game, Paused(NOON, "Ann"))
    assert phase(paused) == "paused"
    away, _ = tell(game, Adjourned(NOON, "Ann"))
    assert phase(away) == "adjourned"
    over, _ = tell(paused, ResultDeclared(NOON, None, "agreed", "Ann"))
    assert phase(over) == "over"
    assert card(over, NOON)["outcome"] == {"winner": None, "reason": "agreed"}
    assert {phase(scene.game) for scene in SCENES.values()} == PHASES - {"adjourned"}


# Time


def test_sand_that_runs_is_told_of_each_player_and_the_least_of_all_is_urgent() -> None:
    scene = SCENES["level2-play"]
    told = card(scene.game, scene.now)
    red, black = of_player(told, "red"), of_player(told, "black")
    assert (red["running"], black["running"]) == (True, True)
    assert told["urgent_us"] == min(red["remaining_us"], black["remaining_us"])
    assert scene.game is not None
    still = card(tell(scene.game, Paused(scene.now, "Ann"))[0], Instant(scene.now + SECOND))
    assert (of_player(still, "red")["running"], still["urgent_us"]) == (False, None)
    assert isinstance(of_player(still, "red")["remaining_us"], int)


def test_before_the_first_turn_no_sand_runs() -> None:
    told = card(SCENES["level2-start"].game, Instant(0))
    assert (told["turn"], of_player(told, "red")["remaining_us"], told["urgent_us"]) == ("red", None, None)


def test_sand_that_the_players_watch_decides_nothing_by_itself() -> None:
    game = tables.played(tables.new_game(3, time="sand"), tables.LINE + " flip15", every=9)
    told = card(game, tables.at(70))
    assert (of_player(told, "red")["remaining_us"], told["timer15_us"]) == (None, None)


def test_the_fifteen_second_glass_is_told_while_it_runs() -> None:
    scene = SCENES["level3-countdown"]
    told = card(scene.game, scene.now)
    assert isinstance(told["timer15_us"], int)
    assert told["urgent_us"] == told["timer15_us"]
    empty = card(scene.game, Instant(scene.now + 15 * SECOND))
    assert empty["timer15_us"] is None
    assert isinstance(scene.game, TamskGame)
    unbound = replace(scene.game, position=scene.game.position._replace(bound_until=-1))
    assert card(unbound, scene.now)["urgent_us"] != told["urgent_us"]


def test_a_match_clock_is_told_of_and_runs_for_one() -> None:
    game = begin("tabik", {"clock": "5"})
    waiting = card(game, NOON)
    assert (waiting["phase"], of_player(waiting, "black")["remaining_us"]) == ("waiting", 300 * SECOND)
    game, _ = tell(game, ClockPressed(Instant(0), "white", "page"))
    begun = card(game, Instant(10 * SECOND))
    assert begun["phase"] == "running"
    assert (of_player(begun, "black")["remaining_us"], of_player(begun, "black")["running"]) == (290 * SECOND, True)
    assert (of_player(begun, "white")["running"], begun["urgent_us"]) == (False, 290 * SECOND)
    paused, _ = tell(game, Paused(Instant(20 * SECOND), "Ann"))
    still = card(paused, NOON)
    assert (of_player(still, "black")["remaining_us"], still["urgent_us"]) == (280 * SECOND, None)


def test_a_clock_that_counts_up_decides_nothing() -> None:
    told = card(begin("tabik", {"clock": "up"}), NOON)
    assert of_player(told, "black")["remaining_us"] is None


def test_sand_and_match_clock_together_tell_what_decides_first() -> None:
    clocked = begin("tamsk", {"level": 2, "clock": "1"})
    sanded = tables.played(tables.new_game(2), tables.LINE, every=9)
    red, alone = (
        of_player(card(game, tables.at(73)), "red") for game in (replace(sanded, clock=clocked.clock), sanded)
    )
    assert red == alone
