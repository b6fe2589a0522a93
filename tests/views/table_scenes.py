"""Provide the tests of the views with games without glasses in every state, and at random."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache
from random import Random
from typing import NamedTuple

from hypothesis import strategies as st

from gnomon.games.tamsk.sensing.game import TamskGame
from gnomon.referee.errors import CorrectionError
from gnomon.referee.events import (
    DeadlineReached,
    Event,
    InputChanged,
    Paused,
    ResultDeclared,
    Resumed,
    TurnEntered,
    TurnsVoided,
)
from gnomon.referee.game import Game
from gnomon.referee.games import begin, foresee, tell
from gnomon.referee.judgement import Temperament
from gnomon.referee.table import TABLE_BUTTONS
from gnomon.refusals import Statement
from gnomon.rules.protocol import NotationError, RulesError
from gnomon.timekeeping.instants import MILLISECOND, Instant
from tests.views.tables import AWAY, HEALTH

ANN = "Ann"
GAMES: Mapping[str, Sequence[Mapping[str, object]]] = {
    "tabik": ({}, {"size": 2}, {"size": 19, "pie": "no"}, {"size": 3}),
    "tau": ({}, {"rows": 3, "columns": 4, "limit": 7}, {"rows": 40, "columns": 30}, {"rows": 1, "columns": 5}),
    "tayu": (
        {},
        {"edition": "kosmos", "players": 4},
        {"players": 3, "auction": "yes", "size": 9, "copies": 2},
        {"players": 3, "draw": "backs", "size": 7},
        {"draw": "stacks", "size": 5},
    ),
    "twenty-squares": (
        {},
        {"dice": "cube", "stacking": "invincible", "counters": 7},
        {"board": "double", "players": 4},
        {"board": "asha"},
        {"ruleset": "aseb", "counters": 1},
        {"board": "jiroft", "entry": "auto"},
    ),
}


class Scene(NamedTuple):
    """What a view is asked for."""

    game: Game
    now: Instant
    health: tuple[str, ...] = ()


class Hands:
    """Hands, buttons and sensors at a table; every event is half a second after the one before."""

    def __init__(self, name: str, sensors: str = "", /, **settings: object) -> None:
        temperament = Temperament(str(settings.pop("temperament", "assistant")))
        game = begin(name, settings, temperament, board=sensors)
        assert not isinstance(game, TamskGame)
        self.game = game
        self.now = Instant(0)

    def tell(self, event: Event) -> "Hands":
        game, _ = tell(self.game, event)
        assert not isinstance(game, TamskGame)
        self.game, self.now = game, event.at
        return self

    def enter(self, line: str, who: str = ANN) -> "Hands":
        """Enter turns, one after the other."""
        for text in line.split():
            self.tell(TurnEntered(self.after(500), text, who))
        return self

    def press(self, *buttons: str) -> "Hands":
        for button in buttons:
            for value in (True, False):
                self.tell(InputChanged(self.after(100), f"button.{button}", value))
            self.wait(200)
        return self

    def cover(self, *squares: str, value: bool = True) -> "Hands":
        for square in squares:
            self.tell(InputChanged(self.after(5), f"{square}.tile", value))
        return self

    def wait(self, milliseconds: int) -> "Hands":
        return self.tell(DeadlineReached(self.after(milliseconds)))

    def after(self, milliseconds: int) -> Instant:
        return Instant(self.now + milliseconds * MILLISECOND)

    def table(self, *health: str) -> Scene:
        shown = foresee(self.game)
        assert not isinstance(shown, TamskGame)
        return Scene(shown, self.now, health)


TABIK = "a1b1 a1~a2 c3c4 d3d4 e5f5 h8g8"
TAU = "bid:70 bid:500 pass cd r5 ca r2"
COUNTERS = "throw:1 convert throw:4 in-a1 throw:2 a1-b2 throw:1 convert throw:3 in-b3"


@cache
def scenes() -> Mapping[str, Scene]:
    """One table for every state of the display, game by game."""
    first = Hands("tayu").enter("draw:012 012@h9/E draw:013")
    where = str(first.game.rules.text(first.game.position, first.game.rules.legal_moves(first.game.position)[0]))
    worn = "The journal cannot be written: rulings are not shown. Free some space."
    laid = Hands("tayu", "tayu").enter("draw:012").cover("h9", "i9", "j9").wait(1500)
    lying = Hands("tayu", "tayu").enter("draw:012").cover("h9", "i9", "j9").wait(1500).press("enter")
    return {
        "tabik-start": Hands("tabik").table(),
        "tabik-pie": Hands("tabik").enter("a1b1").table(),
        "tabik-play": Hands("tabik").enter(TABIK).table(),
        "tabik-19": Hands("tabik", size=19).enter("a1b1 s19s18").table(),
        "tabik-picking-first": Hands("tabik").enter(TABIK).press("next", "next", "next").table(),
        "tabik-picking-last": Hands("tabik").enter(TABIK).press("enter", "enter", "enter", "next").table(),
        "tabik-refused": Hands("tabik").enter(f"{TABIK} a1b1").table(),
        "tabik-refused-swap": Hands("tabik").enter("a1b1 a1~b1").table(),
        "tabik-paused": _paused(Hands("tabik").enter(TABIK)).table(),
        "tabik-paused-by-hand": _paused(Hands("tabik"), AWAY).table(),
        "tabik-over": Hands("tabik", size=2, pie="no").enter("a1b1 b2a2 a1~a2 b1~b2").table(),
        "tabik-declared": _declared(Hands("tabik").enter("a1b1"), "white", "resigns").table(),
        "tabik-trouble": Hands("tabik").enter(TABIK).wait(4500).table(worn),
        "tau-start": Hands("tau").table(),
        "tau-bidding": Hands("tau").enter("bid:70").table(),
        "tau-bidding-far": Hands("tau").enter("bid:12345678901234567890").table(),
        "tau-picking-bid": Hands("tau").enter("bid:70").press("enter", "enter", "next", "next").table(),
        "tau-play": Hands("tau").enter(TAU).table(),
        "tau-picking-line": Hands("tau").enter(TAU).press("next", "enter", "next").table(),
        "tau-refused": Hands("tau").enter(f"{TAU} ca").table(),
        "tau-refused-bid": Hands("tau").enter("bid:12345678901234567890 bid:9").table(),
        "tau-over-high": Hands("tau", rows=3, columns=3, limit=1).enter("ca r1").table(),
        "tau-over-low": Hands("tau", rows=3, columns=3, limit=99).enter("ca r1").table(),
        "tayu-start": Hands("tayu").table(),
        "tayu-drawn": Hands("tayu").enter("draw:012").table(),
        "tayu-play": _grown(Hands("tayu"), 25).enter("draw:067").table(),
        "tayu-picking-far": _grown(Hands("tayu"), 25).enter("draw:067").press("enter", "next", "enter").table(),
        "tayu-over": _grown(Hands("tayu", size=5), 60).table(),
        "tayu-picking-square": first.press("enter", "next").table(),
        "tayu-picking-placement": Hands("tayu").enter("draw:012").press("enter", "enter", "enter", "next").table(),
        "tayu-picking-draw": Hands("tayu").press("enter", "next").table(),
        "tayu-refused": Hands("tayu").enter("draw:012 012@h9/E draw:013 013@h10/E").table(),
        "tayu-refused-longest": Hands("tayu", players=3, auction="yes").enter("bid:24 pass").table(),
        "tayu-saboteur": Hands("tayu", players=3).enter("draw:012 012@h9/E draw:013 " + where + " draw:024").table(),
        "tayu-auction": Hands("tayu", players=3, auction="yes").enter("bid:28 bid:25").table(),
        "tayu-backs": Hands("tayu", draw="backs").table(),
        "tayu-four": Hands("tayu", players=4, edition="kosmos").enter("draw:012 012@i10/E").table(),
        "tayu-question": laid.table(),
        "tayu-question-other": Hands("tayu", "tayu")
        .enter("draw:012")
        .cover("h9", "i9", "j9")
        .wait(1500)
        .press("next")
        .table(),
        "tayu-question-left": Hands("tayu", "tayu")
        .enter("draw:012")
        .cover("h9", "i9", "j9")
        .wait(1500)
        .press("back")
        .table(),
        "tayu-being-laid": Hands("tayu", "tayu").enter("draw:012").cover("h9").wait(40).table(),
        "tayu-lies-well": Hands("tayu", "tayu").enter("draw:012").cover("h9", "i9", "j9").wait(60).table(),
        "tayu-unsettled": lying.enter("draw:024").cover("a1", "a2", "a3").wait(60).table(),
        "tayu-wrong": lying.wait(4000).table(),
        "tayu-wrong-tiles": lying.cover("c1", "c2", "c3", "d1", "e1", "f1").wait(5000).table(),
        "tayu-tile-away": Hands("tayu", "tayu")
        .enter("draw:012")
        .cover("h9", "i9", "j9")
        .wait(1500)
        .press("enter")
        .cover("h9", "i9", "j9", value=False)
        .wait(5000)
        .table(),
        "tayu-by-hand": Hands("tayu", "tayu").enter("draw:012 012@h9/E").table(),
        "counters-start": Hands("twenty-squares").table(),
        "counters-thrown": Hands("twenty-squares").enter("throw:1").table(),
        "counters-again": Hands("twenty-squares").enter("throw:1 convert").table(),
        "counters-forfeit": Hands("twenty-squares").enter("throw:2").table(),
        "counters-play": Hands("twenty-squares").enter(COUNTERS).table(),
        "counters-move": Hands("twenty-squares").enter(f"{COUNTERS} throw:2").table(),
        "counters-picking": Hands("twenty-squares").enter(f"{COUNTERS} throw:1").press("enter", "next").table(),
        "counters-picking-only": Hands("twenty-squares").enter("throw:2").press("enter").table(),
        "counters-picking-throw": Hands("twenty-squares").press("enter", "next").table(),
        "counters-refused": Hands("twenty-squares").enter(f"{COUNTERS} throw:2 in-c1").table(),
        "counters-four": Hands("twenty-squares", board="double", players=4).enter("throw:1 convert throw:3").table(),
        "counters-over": Hands("twenty-squares", ruleset="aseb", counters=1)
        .enter("throw:4 in-a1 throw:4 a1-d2 throw:4 d2-h2 throw:4 h2-l2 throw:1 l2-off")
        .table(),
        "counters-over-four": _declared(
            Hands("twenty-squares", board="double", players=4).enter("throw:1 convert"), "p3", "resigns"
        ).table(),
    }


def _grown(hands: Hands, tiles: int) -> Hands:
    """Tiles of every kind by turns, each laid at the last place in the order of the texts."""
    kinds = [text for text in hands.game.texts() if text.startswith("draw:")]
    for number in range(tiles):
        if hands.game.outcome is not None:
            break
        hands.enter(kinds[5 * number % len(kinds)])
        if hands.game.outcome is None:
            hands.enter(max(hands.game.texts()))
    return hands


def _paused(hands: Hands, why: str | Statement = "") -> Hands:
    return hands.tell(Paused(hands.after(500), "gnomond", why))


def _declared(hands: Hands, winner: str | None, reason: str) -> Hands:
    return hands.tell(ResultDeclared(hands.after(500), winner, reason, ANN))


KINDS = st.sampled_from(sorted(GAMES))
SETTINGS = {name: st.sampled_from(settings) for name, settings in GAMES.items()}
TEMPERAMENTS = st.sampled_from(Temperament)
SEEDS = st.integers(0, 1 << 32)
LENGTHS = st.sampled_from([8, 1, 20, 60])
ENDINGS = st.integers(0, 9)
WHYS = st.sampled_from(["resigns", "abandoned", "agreed draw"])
LATER = st.sampled_from([0, 1, 300, 600, 1300, 4000, 90_000])


@st.composite
def table_games(draw: st.DrawFn) -> Scene:
    """A game of any kind to which anything happens: turns legal and not, buttons, sensors, pauses, corrections."""
    name = draw(KINDS)
    settings = draw(SETTINGS[name])
    sensed = name == "tayu" and draw(st.booleans())
    temperament = draw(TEMPERAMENTS).value
    hands = Hands(name, "tayu" if sensed else "", **settings, temperament=temperament)
    chance = Random(draw(SEEDS))
    squares = sorted(hands.game.inputs - set(TABLE_BUTTONS))
    deeds = ["turn"] * 12 + ["button"] * 6 + ["nonsense"] * 3 + ["undo", "wait", "pause"] + ["sense"] * 4 * sensed
    for _ in range(draw(LENGTHS)):
        paused = hands.game.paused_at is not None
        with suppress(CorrectionError):
            _do(hands, "pause" if paused else chance.choice(deeds), chance, squares)
    with suppress(CorrectionError):
        if draw(ENDINGS) == 0:
            winner = draw(st.sampled_from([None, *hands.game.rules.players]))
            _declared(hands, winner, draw(WHYS))
    later = draw(LATER)
    return Scene(hands.game, hands.after(later), draw(HEALTH))


def _do(hands: Hands, deed: str, chance: Random, squares: Sequence[str]) -> None:
    pick = chance.choice
    game = hands.game
    match deed:
        case "turn":
            hands.enter(pick(game.texts()) if game.outcome is None else "pass")
        case "nonsense":
            hands.enter(pick([ply.text for ply in game.plies] + [text for text in NONSENSE if reads(game, text)]))
        case "button":
            hands.press(pick(["next", "previous", "enter", "enter", "enter", "back"]))
        case "sense":
            name = pick(squares)
            hands.tell(InputChanged(hands.after(3), name, name not in game.debouncer.on))
        case "undo":
            hands.tell(TurnsVoided(hands.after(500), 1, give_back=True, who=ANN))
        case "pause":
            why = pick(["", "Spilt tea"])
            at = hands.after(500)
            hands.tell(Paused(at, ANN, why) if game.paused_at is None else Resumed(at, ANN, why))
        case _:
            hands.wait(pick([20, 700, 4000]))


def reads(game: Game, text: str) -> bool:
    """Whether a text is written as the game's moves are, legal or not."""
    try:
        game.rules.parse(game.position, text)
    except NotationError:
        return False
    except RulesError:
        return True
    return True


NONSENSE = (
    "a1b1",
    "c3~d3",
    "pie",
    "r1",
    "cb",
    "pass",
    "bid:0",
    f"bid:{10**40}",
    "throw:3",
    "in-b1",
    "a1-d2",
    "convert",
    "forfeit",
    "draw:012",
    "012@a1/E",
    "013@h9/N",
    "pick:ring",
)
