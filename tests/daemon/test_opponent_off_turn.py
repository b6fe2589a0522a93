"""An engine at TAMSK that has the 15-second glass turned against a person, in virtual time (decision 31)."""

from itertools import count
from random import Random

import pytest

from gnomon.engines.protocol import Limits
from gnomon.games.tamsk.engine import TamskEngine
from gnomon.games.tamsk.rules import PLAYERS, Tamsk
from gnomon.games.tamsk.show import _lights as lights
from gnomon.records.bundles import bundle, difference
from gnomon.referee.events import MoveAnnounced, Paused, Resumed, TurnEntered
from gnomon.referee.judgement import Action, Phase, Repair
from gnomon.referee.opponents import steps_due
from gnomon.referee.rulings import TimerTurned
from gnomon.timekeeping.instants import SECOND
from gnomon.views import opponents
from gnomon.views.display import large_oled, oled
from gnomon.views.summary import summary
from gnomon.words import LANGUAGES, words
from gnomon_pi.runtime.engine_play.opponent import Inquiry
from gnomon_pi.runtime.runner import RunnerError
from gnomon_pi.simulated._table import TableAct, Verb
from tests.daemon.test_opponent_in_sand import STEP, Evening
from tests.views.display import written


def asked(**settings: object) -> Evening:
    """The engine has made its first turn at level 3, a person is on turn, and it is asked what it does meanwhile."""
    evening = Evening.begin(3, **settings)
    evening.answer("A1-B2")
    evening.make("A1", "B2", "black")
    evening.wait(3)
    assert evening.game.turn == "red"
    return evening


def is_asked_off_turn(evening: Evening) -> bool:
    """Whether the engine was last asked what it does while a person is on turn."""
    return evening.engine.asked[-1].go.is_off_turn


def turned_at(evening: Evening) -> list[int]:
    """When the 15-second glass was turned, in board time."""
    return [ruling.at for ruling in evening.game.rulings if isinstance(ruling, TimerTurned)]


def test_an_engine_that_is_not_on_turn_is_asked_what_it_does_meanwhile() -> None:
    evening = asked()
    inquiry = evening.engine.asked[-1]
    assert inquiry.go.is_off_turn
    assert inquiry.go.line(inquiry.moves).startswith("go offturn movetime 1000 ")
    assert inquiry.moves.rules.turn(inquiry.moves.position) == "red"
    assert inquiry.go.hands is not None
    own, other = inquiry.go.hands
    assert 3 * SECOND < own < 5 * SECOND, "it has seen one turn that took a second"
    assert other == 3 * SECOND, "and of the person one turn alone, which has no beginning"


def test_it_learns_how_long_the_other_player_usually_takes() -> None:
    evening = asked()
    evening.wait(20)
    evening.make("G4", "G3", "red")
    evening.wait(2)
    hands = evening.engine.asked[-1].go.hands
    assert hands is not None
    assert hands[1] == 8 * SECOND, "who has little sand left hurries"
    evening.answer("G1-F1x")
    evening.make("G1", "F1", "black")
    evening.wait(3)
    inquiry = evening.engine.asked[-1]
    assert inquiry.go.is_off_turn
    assert inquiry.go.hands is not None
    assert 20 * SECOND < inquiry.go.hands[1] < 30 * SECOND


@pytest.mark.parametrize("settings", [{"level": 2}, {"level": 3, "opponent_plays": "all"}])
def test_it_is_asked_only_where_there_is_something_to_do(settings: dict[str, int | str]) -> None:
    level = int(settings.pop("level"))
    evening = Evening.begin(level, **settings)
    evening.answer("A1-B2")
    evening.make("A1", "B2", "black")
    evening.wait(30)
    assert not any(inquiry.go.is_off_turn for inquiry in evening.engine.asked)


def test_hands_turn_the_glass_that_was_announced_and_the_sensors_see_it() -> None:
    evening = asked()
    evening.answer("flip15")
    assert evening.announced() == "flip15"
    assert steps_due(evening.game) == (Repair(Action.FLIP_TIMER),)
    evening.turn_timer()
    game = evening.game
    assert not evening.announced()
    assert game.position.timer15_binds
    ruling = game.rulings[-1]
    assert isinstance(ruling, TimerTurned)
    assert ruling.by == "black"
    evening.wait(16)
    assert [ply.text for ply in evening.game.plies] == ["D1-D2", "A1-B2", "lost"]


def test_the_fifteen_seconds_count_after_five_even_if_nobody_turns_the_glass() -> None:
    evening = asked()
    evening.answer("flip15")
    told = evening.game.announced
    assert told is not None
    evening.wait(4.8)
    assert not turned_at(evening)
    evening.wait(0.4)
    assert 0 <= turned_at(evening)[0] - told.at - 5 * SECOND <= STEP
    assert evening.game.judgement.phase is Phase.AGREED
    assert not evening.announced()
    evening.make("G4", "G3", "red")
    evening.wait(1)
    assert evening.game.plies[-1].text == "G4-G3x"


def test_who_turns_the_glass_after_that_changes_nothing() -> None:
    evening = asked()
    evening.answer("flip15")
    evening.wait(8)
    assert len(turned_at(evening)) == 1
    until = evening.game.position.bound_until
    evening.turn_timer()
    assert evening.game.judgement.phase is Phase.AGREED
    assert (len(turned_at(evening)), evening.game.position.bound_until) == (1, until)
    evening.turn_timer()  # but twice is once too often
    evening.wait(1)
    assert evening.game.judgement.code == "timer15_running"


def test_a_glass_in_the_air_has_begun_a_turn_and_may_be_late_all_the_same() -> None:
    evening = asked()
    evening.answer("flip15")
    evening.do(TableAct(Verb.LIFT, "G4"))
    evening.wait(5)
    assert len(turned_at(evening)) == 1
    assert evening.game.judgement.phase is Phase.IN_HAND
    evening.wait(15)
    evening.do(TableAct(Verb.PLACE, "G3", turned=True))
    evening.do(TableAct(Verb.DROP_RING, "G3", "red"), 2)
    assert evening.game.plies[-1].text == "G4-G3x"
    assert evening.game.position.penalty  # rule 18
    inquiry = evening.engine.asked[-1]
    told = [text for text in inquiry.moves.texts if not text.startswith("@")]
    assert told[-3:] == ["flip15", "lift:G4", "G4-G3x"], "the engine is told how that came about"
    assert inquiry.moves.position.penalty


def test_a_turn_that_is_complete_withdraws_it() -> None:
    evening = asked()
    evening.answer("flip15")
    evening.make("G4", "G3", "red")
    evening.wait(6)
    assert not evening.announced()
    assert not turned_at(evening)
    assert not evening.engine.asked[-1].go.is_off_turn


def test_while_the_board_is_wrong_nothing_counts() -> None:
    evening = asked()
    evening.answer("flip15")
    evening.do(TableAct(Verb.LIFT, "G4"))
    evening.do(TableAct(Verb.PLACE, "E5"), 4)
    assert evening.game.judgement.phase is Phase.WRONG
    evening.wait(10)
    assert not turned_at(evening)
    evening.do(TableAct(Verb.LIFT, "E5"))
    evening.do(TableAct(Verb.PLACE, "G4"), 3)
    assert len(turned_at(evening)) == 1


@pytest.mark.parametrize("text", ["", "G4-G3", "flip16"])
def test_who_does_nothing_is_asked_again_after_ten_seconds(text: str) -> None:
    evening = asked()
    asked_before = len(evening.engine.asked)
    evening.answer(text)
    evening.wait(9)
    assert (len(evening.engine.asked), evening.announced()) == (asked_before, "")
    evening.wait(1.5)
    assert len(evening.engine.asked) == asked_before + 1
    assert evening.player.due() is None
    evening.answer("flip15")
    assert evening.player.due() is not None
    assert evening.announced() == "flip15"


def test_it_is_asked_once_the_glass_may_be_turned_again() -> None:
    evening = asked()
    evening.answer("flip15")
    evening.turn_timer()
    evening.make("G4", "G3", "red")
    evening.wait(1)
    evening.answer("G1-F1x")
    evening.make("G1", "F1", "black")
    evening.wait(1)
    assert evening.game.turn == "red"
    assert not is_asked_off_turn(evening)
    due = evening.player.due()
    assert due is not None
    assert 1 * SECOND < due - evening.daemon.watch.now() < 14 * SECOND
    evening.wait((due - evening.daemon.watch.now()) / SECOND + 0.2)
    assert is_asked_off_turn(evening)
    evening.answer("flip15")
    assert evening.announced() == "flip15"
    evening.wait(3)
    assert evening.announced() == "flip15"
    evening.wait(3)
    assert len(turned_at(evening)) == 2


def test_an_answer_in_a_pause_is_not_announced() -> None:
    evening = asked()
    evening.daemon.runner.correct(Paused(evening.daemon.runner.now(), "Ann"))
    evening.answer("flip15")
    evening.wait(1)
    evening.daemon.runner.correct(Resumed(evening.daemon.runner.now(), "Ann"))
    assert not evening.announced()
    evening.wait(11)
    assert evening.engine.asked[-1].go.is_off_turn


def test_nobody_else_enters_the_15_second_glass() -> None:
    evening = asked()
    now = evening.daemon.runner.now
    with pytest.raises(RunnerError, match="turn"):
        evening.daemon.runner.correct(TurnEntered(now(), "flip15", "Ann"))
    with pytest.raises(RunnerError, match="No engine is on turn"):
        evening.daemon.runner.correct(MoveAnnounced(now(), "G4-G3", "Gnomon"))


def test_an_engine_is_told_of_every_turning_of_the_glass() -> None:
    evening = asked()
    evening.answer("flip15")
    evening.turn_timer()
    evening.wait(16)
    assert evening.game.plies[-1].text == "lost"
    inquiry = evening.engine.asked[-1]
    assert not inquiry.go.is_off_turn
    assert [text for text in inquiry.moves.texts if not text.startswith("@")] == ["D1-D2", "A1-B2", "flip15", "lost"]
    evening.turn_timer()  # against the engine
    evening.answer("G1-F1x")
    evening.make("G1", "F1", "black")
    evening.wait(16)
    assert [text for text in evening.engine.asked[-1].moves.texts if text == "flip15"] == ["flip15"] * 2


def test_lights_page_and_displays_say_what_to_do() -> None:
    evening = asked()
    evening.answer("flip15")
    game, now = evening.game, evening.daemon.runner.now()
    corners = {space for space, word in enumerate(lights.words(game, now)) if word is lights.Word.FLIP_TIMER}
    assert len(corners) > 3  # but where the last turn shows, or a glass runs out
    told = summary(game, now)["opponent"]
    assert isinstance(told, dict)
    assert (told["on_turn"], told["name"]) == (False, "Gnomon 4")
    assert told["announced"] == {
        "player": "black",
        "text": "flip15",
        "sentence": "Gnomon 4 announces: The 15-second glass is turned against Red.",
        "steps": ["Turn the 15-second glass over."],
        "squares": [[]],
        "counts_in": 5,
        "confirmed": False,
    }
    for language in LANGUAGES:
        said = words(language)
        step = opponents.next_steps(game, said)[0]
        with written() as small:
            oled.screen(game, now, words=said)
        assert " ".join(line[4] for line in small).endswith(f"{opponents.brief_announcement(game, said)} {step}")
        with written() as large:
            large_oled.screen(game, now, words=said)
        head, _, *short = (line[4] for line in large)
        assert head == "Gnomon 4"
        assert " ".join(short) == said("oled.repair.flip_timer")
    evening.turn_timer()
    now = evening.daemon.runner.now()
    assert lights.Word.FLIP_TIMER not in lights.words(evening.game, now)


def test_a_replay_and_a_killed_daemon_rule_the_same() -> None:
    evening = asked()
    evening.answer("flip15")
    evening.wait(8)
    evening.turn_timer()
    evening.make("G4", "G3", "red")
    evening.wait(2)
    store = evening.daemon.store
    assert difference(bundle(store.games[0], store.read(1)).trace) is None  # type: ignore[attr-defined]  # the daemon's own store


class Thinking:
    """What answers for the engine: TAMSK's own, with few nodes."""

    def __init__(self, evening: Evening) -> None:
        self.evening = evening
        self.chance = Random(3)

    def reply(self, inquiry: Inquiry) -> None:
        """Answer as the engine's process does."""
        rules, position = inquiry.moves.rules, inquiry.moves.position
        assert isinstance(rules, Tamsk)
        assert inquiry.go.hands is not None
        limits = Limits(nodes=200, hands=inquiry.go.hands, spread=0.0)
        engine = TamskEngine(rules)
        if inquiry.go.is_off_turn:
            move = engine.off_turn(position, limits, self.chance, bool)
            self.evening.answer("" if move is None else rules.text(position, move))
            return
        best = list(engine.think(position, limits, self.chance, bool))[-1].candidates[0]
        self.evening.answer(rules.text(position, best.move), best.wait / SECOND)


def test_a_whole_game_in_which_hands_turn_the_glass_for_the_engine() -> None:
    evening = Evening.begin(3, ring="auto", opponent_hands="5")
    thinking, chance, answered = Thinking(evening), Random(5), 0
    for _ in count():
        game = evening.game
        if game.outcome is not None or len(game.plies) >= 24:
            break
        if len(evening.engine.asked) > answered:
            answered = len(evening.engine.asked)
            thinking.reply(evening.engine.asked[-1])
        game = evening.game
        if game.announced is not None and game.announced.text == "flip15":
            evening.turn_timer()
            continue
        own = "" if game.announced is None else game.announced.text
        if not own and (game.turn != "red" or chance.random() < 0.7):
            evening.wait(1)
            continue
        entries = [own] if own else list(game.rules.entries(game.position_at(evening.daemon.runner.now())))
        text = chance.choice(entries)
        if "-" not in text:
            evening.wait(1)
            continue
        origin, target = text[:2], text[3:5]
        evening.make(origin, target, game.turn)
        evening.wait(2)
    turns = [ruling for ruling in evening.game.rulings if isinstance(ruling, TimerTurned)]
    assert turns
    assert {ruling.by for ruling in turns} == {PLAYERS[1]}
    assert evening.game.opponent is not None
    assert len(evening.game.plies) >= 24 or evening.game.outcome is not None
