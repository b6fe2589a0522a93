"""Provide the tests of the views with match clocks in every state, and at random."""

from collections.abc import Mapping
from contextlib import suppress
from random import Random
from typing import NamedTuple

from hypothesis import strategies as st

from gnomon.games.tamsk.sensing.game import TamskGame
from gnomon.referee.errors import CorrectionError
from gnomon.referee.events import Paused, Resumed, TimeGiven, TurnsVoided
from gnomon.timekeeping.instants import SECOND, Duration, Instant
from tests.referee.scripted_board import instant
from tests.referee.test_tamsk_clock import ClockedBoard, two_turns
from tests.views.table_scenes import ANN, Hands, Scene, _paused
from tests.views.tables import AWAY, HEALTH

WORN = "The journal cannot be written: rulings are not shown. Free some space."
CONTROLS = (
    "25+10",
    "0:30",
    "0:21 vs 1:00:05",
    "25d10",
    "25b10",
    "40/90+30 then 30+30",
    "0:25 then byo-yomi 5x30",
    "1 then canadian 20/5",
    "hourglass 0:25",
    "up",
    "0:05, runs on",
    "168:00:00",
)
GAMES: Mapping[str, Mapping[str, object]] = {
    "clock": {},
    "tabik": {"size": 4},
    "tau": {},
    "tayu": {"size": 7},
    "twenty-squares": {},
}


class TamskScene(NamedTuple):
    """What a view is asked for of TAMSK."""

    game: TamskGame
    now: Instant
    health: tuple[str, ...] = ()


def running(seconds: float, *buttons: str, clock: str = "25+10", **settings: object) -> Hands:
    """An unknown game: the left player thinks, the buttons are pressed, and so many seconds pass."""
    return Hands("clock", clock=clock, **settings).press("right", *buttons).wait(round(seconds * 1000))


def scenes() -> Mapping[str, Scene]:
    """One display for every state of a clock, alone and beside a board."""
    tabik = Hands("tabik", clock="25+10").enter("a1b1 h8g8 c3c4")
    return {
        "alone-start": Hands("clock", clock="25+10").table(),
        "alone-left": running(100).table(),
        "alone-right": running(65.3, "left").table(),
        "alone-paused": _paused(running(3, "left")).table(),
        "alone-paused-by-hand": _paused(running(3, "left"), AWAY).table(),
        "alone-tenths": running(3.4, clock="0:20").table(),
        "alone-flag": running(30, clock="0:05").table(),
        "alone-flag-shown": running(30, "left", clock="0:05", flag="shown").table(),
        "alone-byo-yomi": running(640, clock="10 then byo-yomi 5x30").table(),
        "alone-to-go": running(640, "left", "right", clock="40/90+30 then 30+30").table(),
        "alone-delay": running(4.2, clock="25d10").table(),
        "alone-overtime": running(1600, clock="25 then up").table(),
        "alone-days": running(600, clock="150:00:00 vs 20:00:00").table(),
        "alone-notice": running(4.5).table(WORN),
        "beside-start": Hands("tabik", clock="25+10").table(),
        "beside-running": tabik.wait(100_000).table(),
        "beside-picking": tabik.press("next").table(),
        "beside-picking-last": tabik.press("enter", "enter").table(),
        "beside-tenths": Hands("tabik", clock="1:30:00 vs 0:20").enter("a1b1").wait(5000).table(),
        "beside-flag": Hands("tabik", clock="0:05").enter("a1b1").wait(6000).table(),
        "beside-refused": Hands("tabik", clock="25+10").enter("a1b1 a1b1").table(),
        "beside-paused": _paused(Hands("tabik", clock="25+10").enter("a1b1")).table(),
        "beside-tile": Hands("tayu", clock="10 then byo-yomi 3x20").enter("draw:012 012@h9/E draw:013").table(),
        "beside-delay": Hands("tau", clock="10d5").enter("bid:70 bid:500 pass cd r5").wait(3000).table(),
        "beside-to-go": Hands("twenty-squares", clock="10/5").enter("throw:1 convert throw:4 in-a1 throw:2").table(),
        "beside-notice": Hands("tabik", clock="25+10").enter("a1b1 h8g8").wait(4500).table(WORN),
        "beside-days": Hands("tabik", clock="168:00:00").enter("a1b1").table(),
    }


def tamsk_scenes() -> Mapping[str, TamskScene]:
    """One display of TAMSK for every state of its clock."""
    started, paused, wrong = two_turns(3), two_turns(1), two_turns(2)
    paused.press(40, "arbiter")
    wrong.lift(40, "D2")
    wrong.place(41, "D4")
    ended = ClockedBoard(clock="0:30")
    ended.press(10, "black")
    ended.moved(20, "D1", "D2")
    boards = {
        "tamsk-start": (ClockedBoard(3, clock="5"), 0.0),
        "tamsk-running": (started, 47.3),
        "tamsk-paused": (paused, 50.0),
        "tamsk-wrong": (wrong, 46.0),
        "tamsk-flag": (ended, 60.0),
        "tamsk-days": (two_turns(1, clock="150:00:00"), 40.0),
    }
    for board, at in boards.values():
        board.until(at)
    return {name: TamskScene(board.game, instant(at)) for name, (board, at) in boards.items()}


KINDS = st.sampled_from(sorted(GAMES))
FLAGS = st.sampled_from(["ends", "shown"])
CLOCKS = st.sampled_from(CONTROLS)
SEEDS = st.integers(0, 1 << 32)
LENGTHS = st.sampled_from([8, 1, 25])
LATER = st.sampled_from([0, 1, 300, 1300, 90_000])


@st.composite
def clocked_games(draw: st.DrawFn) -> Scene:
    """A game with a match clock to which anything happens."""
    name = draw(KINDS)
    flag = draw(FLAGS)
    hands = Hands(name, clock=draw(CLOCKS), flag=flag, **GAMES[name])
    chance = Random(draw(SEEDS))
    for _ in range(draw(LENGTHS)):
        with suppress(CorrectionError):
            _do(hands, chance)
    return Scene(hands.game, hands.after(draw(LATER)), draw(HEALTH))


def _do(hands: Hands, chance: Random) -> None:
    game = hands.game
    at = hands.after(500)
    match chance.choice(["turn", "press", "press", "press", "wait", "pick", "undo", "pause", "give"]):
        case "turn":
            hands.enter(chance.choice(game.texts()) if game.outcome is None else "pass")
        case "press":
            hands.press(chance.choice(["left", "right"]))
        case "pick":
            hands.press(chance.choice(["next", "enter", "enter", "back"]))
        case "undo":
            hands.tell(TurnsVoided(at, 1, chance.random() < 0.5, ANN))
        case "pause":
            hands.tell(Paused(at, ANN) if game.paused_at is None else Resumed(at, ANN))
        case "give":
            hands.tell(TimeGiven(at, chance.choice(game.rules.players), Duration(30 * SECOND), ANN))
        case _:
            hands.wait(chance.choice([20, 700, 4000, 19_000, 60_000]))
