"""Brain and hand at the board: a lift is judged by lights, display and page, and a turn is helped along once."""

import pytest

from gnomon.coaching import coach_of
from gnomon.engines.protocol import Report
from gnomon.referee.setup import GameSetup
from gnomon.timekeeping.instants import SECOND
from gnomon_pi.runtime.engine_play.coach import REST, TurnCoach
from gnomon_pi.simulated._table import TableAct, TamskTable, Verb
from gnomon_pi.simulated._virtual_watch import VirtualWatch
from tests.daemon.test_coach import BAD, BEST, Evening, Scripted
from tests.virtual_daemon import Notebook, VirtualDaemon, virtual_board

GREEN, AMBER, DARK = "green", "amber", "dark"


def at_tamsk(**settings: object) -> Evening:
    """A board of TAMSK with its sensors, and somebody on turn."""
    watch = VirtualWatch()
    daemon = VirtualDaemon(watch, Notebook(), virtual_board(watch), with_display=True)
    daemon.new_game(GameSetup("tamsk", {"level": 1, "ring": "auto", **settings}))
    engine = Scripted()
    evening = Evening(daemon, engine, TurnCoach(daemon.runner, engine))
    evening.wait(1)
    return evening


class Glasses:
    """The hands at that board."""

    def __init__(self, evening: Evening) -> None:
        self.evening = evening
        self.table = TamskTable.set_out(1, evening.daemon.host.sensing)

    def do(self, act: TableAct, seconds: float) -> set[str]:
        """Move a hand, and see what the lights say in the seconds after it."""
        before, self.table = self.table.inputs(), self.table.after(act)
        for name, value in self.table.inputs().items():
            if before[name] != value:
                self.evening.daemon.touch(name, value=bool(value))
        seen: set[str] = set()
        for _ in range(round(seconds / 0.05)):
            self.evening.wait(0.05)
            seen |= set(map(colour, self.evening.daemon.board.lights()))
        return seen


def colour(light: tuple[int, int, int]) -> str:
    """What a light looks like; the driver has its own cap."""
    red, green, blue = light
    if green > red == blue == 0:
        return GREEN
    if red > green > blue == 0:
        return AMBER
    return DARK if not any(light) else "other"


def with_glass(evening: Evening, space: str) -> list[str]:
    """The turns that are made with the glass on a space."""
    game = evening.game
    return [text for text in game.texts() if text.startswith(f"{space}-")]


def said(evening: Evening) -> str:
    """What the player on turn is told at present; empty for nothing."""
    helped = evening.game.helped
    return "" if helped is None else str(helped.said)


def events(evening: Evening) -> list[tuple[object, object]]:
    """What was said of turns under way, as it was written down."""
    store = evening.daemon.store
    assert isinstance(store, Notebook)
    bodies = [each.entry.body for each in store.records if each.entry.body.get("event") == "player_helped"]
    return [(body["held"], body["fits"]) for body in bodies]


def test_a_lift_is_judged_by_lights_display_and_page_and_forgotten_when_the_glass_stands_again() -> None:
    evening = at_tamsk(help="hand")
    hands = Glasses(evening)
    evening.weigh({**dict.fromkeys(with_glass(evening, "D1"), BAD)})
    seen = hands.do(TableAct(Verb.LIFT, "D1"), 2)
    assert AMBER in seen
    assert GREEN not in seen
    assert said(evening) == "no: every good turn uses something else"
    picture = evening.daemon.board.display_image().tobytes()
    hands.do(TableAct(Verb.PLACE, "D1"), 1)
    assert said(evening) == ""
    assert evening.daemon.board.display_image().tobytes() != picture
    seen = hands.do(TableAct(Verb.LIFT, "A4"), 2)
    assert GREEN in seen
    assert AMBER not in seen
    hands.do(TableAct(Verb.PLACE, "A4"), 1)
    hands.do(TableAct(Verb.LIFT, "D1"), 2)  # a player who lifts it once more is answered once more
    assert events(evening) == [("D1", False), ("A4", True), ("D1", False)]


def test_one_good_turn_is_enough_for_a_glass() -> None:
    evening = at_tamsk(help="hand")
    hands = Glasses(evening)
    first, *others = with_glass(evening, "D1")
    evening.weigh({first: BEST, **dict.fromkeys(others, BAD)})
    assert GREEN in hands.do(TableAct(Verb.LIFT, "D1"), 2)
    assert events(evening) == [("D1", True)]


def test_a_glass_that_only_passes_is_not_judged_and_nothing_is_said_before_the_engine_knows() -> None:
    evening = at_tamsk(help="hand")
    hands = Glasses(evening)
    seen = hands.do(TableAct(Verb.LIFT, "D1"), 3)
    assert not seen & {AMBER, GREEN}
    evening.weigh(dict.fromkeys(with_glass(evening, "D1"), BAD))
    assert events(evening) == [("D1", False)]
    hands.do(TableAct(Verb.PLACE, "D1"), 1)
    hands.do(TableAct(Verb.LIFT, "A4"), 0.1)
    hands.do(TableAct(Verb.PLACE, "A4"), 2)
    assert events(evening) == [("D1", False)]


def test_what_was_not_searched_deep_enough_is_not_judged() -> None:
    evening = at_tamsk(help="hand")
    evening.weigh(dict.fromkeys(with_glass(evening, "D1"), BAD), deep=False)
    Glasses(evening).do(TableAct(Verb.LIFT, "D1"), 2)
    assert events(evening) == []


@pytest.mark.parametrize("settings", [{}, {"help": "brain"}, {"warnings": "on"}])
def test_where_nobody_wants_that_no_lift_is_judged(settings: dict[str, object]) -> None:
    evening = at_tamsk(**settings)
    if settings:
        evening.weigh(dict.fromkeys(with_glass(evening, "D1"), BAD))
    else:
        assert evening.engine.asked == []
    before = events(evening)
    Glasses(evening).do(TableAct(Verb.LIFT, "D1"), 2)
    assert events(evening) == before


def test_in_a_tournament_nobody_is_helped() -> None:
    evening = at_tamsk(help="hand")
    engine = Scripted()
    evening.coach = TurnCoach(evening.daemon.runner, engine, lambda: True)
    Glasses(evening).do(TableAct(Verb.LIFT, "D1"), 2)
    assert engine.asked == []
    assert events(evening) == []


def test_the_brain_says_once_a_turn_with_what_to_play_and_not_where() -> None:
    evening = Evening.begin("tabik", size=3, warnings="off", help="brain")
    assert said(evening) == ""
    evening.weigh({})
    assert said(evening) == "place two new stones"
    evening.press("next")
    evening.wait(10)
    assert events(evening) == [("", False)]
    evening.press("enter", "enter", "enter", "enter")
    assert len(evening.game.plies) == 1
    assert said(evening) == ""
    evening.weigh({})
    assert events(evening) == [("", False)] * 2


@pytest.mark.parametrize("wish", ["brain", "hand"])
def test_what_was_hinted_is_what_the_brain_says_and_what_the_hand_calls_good(wish: str) -> None:
    evening = Evening.begin("tabik", size=3, warnings="off", help=wish)
    evening.press("next", "enter", "enter", "enter", "enter")
    texts = list(evening.game.texts())
    best = texts[0]
    hinted = next(text for text in texts if say_piece(evening, text) != say_piece(evening, best))
    assert evening.coach.advice() == ""
    evening.coach.note_hint(hinted)
    evening.weigh(dict.fromkeys(set(texts) - {best}, BAD))
    assert evening.coach.advice() == hinted
    assert said(evening) == (say_piece(evening, hinted) if wish == "brain" else "")
    assert str(evening.coach.judge_picked([hinted])) == "yes: a good turn uses it"
    evening.press("next", "enter", "enter", "enter", "enter")
    assert evening.coach.advice() == ""  # that was advice for another position


def say_piece(evening: Evening, text: str) -> str:
    """With what a turn is made, as the coach says it."""
    game = evening.game
    return str(coach_of(game.rules).piece(game.position, game.rules.parse(game.position, text)))


def test_the_brain_is_silent_where_the_engine_has_found_nothing() -> None:
    evening = Evening.begin("tabik", size=3, warnings="off", help="brain")
    evening.coach.take_report(evening.engine.asked[-1], Report([], 0, 0), deep=True)
    evening.coach.look()
    assert events(evening) == []


def test_what_is_picked_with_the_buttons_is_judged_as_a_lift_is() -> None:
    evening = Evening.begin("tabik", size=3, warnings="off", help="hand")
    texts = list(evening.game.texts())
    evening.weigh(dict.fromkeys([text for text in texts if text.startswith("a")], BAD))
    evening.press("next", "enter")
    evening.wait(REST / SECOND + 0.1)
    assert events(evening) == [("a", False)]
    assert evening.coach.judge_picked([text for text in texts if text.startswith("a")]) is not None
    assert str(evening.coach.judge_picked(texts)) == "yes: a good turn uses it"
    assert evening.coach.judge_picked(["nonsense"]) is None
    evening.press("back")
    assert said(evening) == ""
