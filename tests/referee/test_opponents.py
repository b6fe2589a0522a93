"""An engine that plays a side: its settings, what it announces, and hands that are held to it on every board."""

import pytest

from gnomon.games.tamsk.sensing.game import TamskGame
from gnomon.referee._correction_words import what
from gnomon.referee.effects import Announce, Effect, Sound, Tune
from gnomon.referee.errors import CorrectionError
from gnomon.referee.events import (
    CorrectionUndone,
    DeadlineReached,
    Event,
    InputChanged,
    MoveAnnounced,
    OpponentLeft,
    Paused,
    QuestionAnswered,
    ResultDeclared,
    RingsSet,
    TurnEntered,
    TurnInserted,
    TurnsVoided,
)
from gnomon.referee.game import Game, Opponent
from gnomon.referee.games import begin
from gnomon.referee.judgement import BY_HAND, Action, Phase, Repair
from gnomon.referee.opponents import (
    counts_at,
    engine_on_turn,
    engine_that_acts,
    hands_left,
    is_engines_turn,
    player_off_turn,
    steps_due,
    texts_off_turn,
    turns_to_take_back,
)
from gnomon.referee.replacement import replace
from gnomon.referee.rulings import IllegalRuled, Ruling, TimerTurned
from gnomon.referee.step import step
from gnomon.rules.protocol import SettingsError
from gnomon.timekeeping.instants import SECOND, Duration, Instant
from tests.referee.scripted_board import instant

ANN = "Ann"
ENGINE = "Gnomon"


class Evening:
    """A game against an engine, second by second; hands are edges of the board's inputs."""

    def __init__(self, name: str, **settings: object) -> None:
        self.game: Game = begin(name, {"opponent": "3", **settings}, board=name if name in {"tayu", "tamsk"} else "")
        self.effects: list[Effect] = []

    @property
    def rulings(self) -> list[Ruling]:
        return [effect.ruling for effect in self.effects if isinstance(effect, Announce)]

    @property
    def texts(self) -> list[str]:
        return [ply.text for ply in self.game.plies]

    @property
    def announced(self) -> str:
        """What is announced; empty where nothing is."""
        return "" if self.game.announced is None else self.game.announced.text

    @property
    def steps(self) -> list[tuple[Action, str]]:
        return [(each.action, each.space) for each in steps_due(self.game)]

    def tell(self, event: Event) -> None:
        self.until_before(event.at)
        self.game, effects = step(self.game, event)
        self.effects += effects

    def until_before(self, at: Instant) -> None:
        while (due := self.game.deadline()) is not None and due < at:
            self.game, effects = step(self.game, DeadlineReached(due))
            self.effects += effects

    def until(self, at: float) -> None:
        self.tell(DeadlineReached(instant(at)))

    def enter(self, at: float, text: str) -> None:
        self.tell(TurnEntered(instant(at), text, ANN))

    def announce(self, at: float, text: str) -> None:
        self.tell(MoveAnnounced(instant(at), text, ENGINE))

    def edges(self, at: float, *names: str, on: bool = True) -> None:
        for name in names:
            self.tell(InputChanged(instant(at), name, on))

    def press(self, at: float, button: str) -> None:
        self.edges(at, f"button.{button}")
        self.edges(at + 0.1, f"button.{button}", on=False)

    def move(self, at: float, origin: str, target: str, *, ring: int = 1) -> None:
        """Move a glass, turned over on its way, and drop a ring as so manieth."""
        pole = next(pole for pole in ("north", "south") if f"{origin}.{pole}" in self.game.shown)
        self.edges(at, f"{origin}.{pole}", on=False)
        self.edges(at + 0.8, f"{target}.{'south' if pole == 'north' else 'north'}")
        if ring:
            self.edges(at + 1.5, f"{target}.ring{ring}")


# The settings


def test_an_engine_plays_the_second_seat_unless_another_is_named() -> None:
    assert begin("tabik", {}).opponent is None
    assert begin("tabik", {"opponent": "none"}).opponent is None
    game = begin("tabik", {"opponent": 3, "size": 4}, players={"black": "Ada", "white": ""})
    assert game.opponent == Opponent("3", ("white",), Duration(5 * SECOND))
    assert dict(game.people) == {"black": "Ada", "white": "Gnomon 3"}
    assert begin("tabik", {"size": 4, "pie": "yes"}).given == (("size", "4"), ("pie", "yes"))
    named = begin("tabik", {"opponent": "deep-rod", "opponent_plays": "black", "opponent_hands": "2.5"})
    assert named.opponent == Opponent("deep-rod", ("black",), Duration(2_500_000))
    assert dict(named.people) == {"black": "deep-rod"}
    whole = begin("tabik", {"opponent": "3", "opponent_plays": "all"})
    assert whole.opponent is not None
    assert whole.opponent.seats == ("black", "white")


def test_a_game_has_as_many_levels_as_its_engine() -> None:
    game = begin("tamsk", {"opponent": "10"}, board="tamsk")
    assert game.opponent is not None
    assert game.opponent.level == 10


def test_in_an_exhibition_two_engines_may_play() -> None:
    evening = Evening("tabik", size=4, opponent_plays="all", second_opponent="5")
    assert dict(evening.game.people) == {"black": "Gnomon 3", "white": "Gnomon 5"}
    first = engine_on_turn(evening.game)
    evening.announce(1, "a1b1")
    evening.enter(2, "a1b1")
    second = engine_on_turn(evening.game)
    assert first is not None
    assert second is not None
    assert (first.engine, second.engine) == ("3", "5")
    four = begin("tayu", {"players": 4, "opponent": "1", "opponent_plays": "all", "second_opponent": "2"})
    assert [name for _, name in four.people] == ["Gnomon 1", "Gnomon 2", "Gnomon 1", "Gnomon 2"]


def test_where_a_person_is_on_turn_no_engine_is() -> None:
    assert engine_on_turn(Evening("tabik").game) is None
    assert engine_on_turn(begin("tabik", {})) is None


@pytest.mark.parametrize(
    ("settings", "why"),
    [
        ({"opponent": "12"}, "a level from 1 to 11"),
        ({"opponent": "0"}, "a level from 1 to 11"),
        ({"opponent": "../evil"}, "a level from 1 to 11"),
        ({"opponent_plays": "black"}, "opponent_plays is a setting of an engine"),
        ({"opponent": "1", "opponent_plays": "green"}, "opponent_plays"),
        ({"opponent": "1", "second_opponent": "2"}, "plays in an exhibition only"),
        (
            {"opponent": "1", "opponent_plays": "all", "second_opponent": "12"},
            "second_opponent is a level from 1 to 11",
        ),
        ({"second_opponent": "2"}, "second_opponent is a setting of an engine"),
        ({"opponent": "1", "opponent_hands": "soon"}, "from 0 to 60"),
        ({"opponent": "1", "opponent_hands": "61"}, "from 0 to 60"),
    ],
)
def test_wrong_settings_are_refused_in_one_sentence(settings: dict[str, object], why: str) -> None:
    with pytest.raises(SettingsError, match=why):
        begin("tabik", settings)


def test_with_the_clock_alone_no_engine_plays() -> None:
    with pytest.raises(SettingsError, match="no engine plays with the clock alone"):
        begin("clock", {"clock": "5", "opponent": "1"})


# At a table


def test_what_was_announced_is_made_and_nothing_else() -> None:
    evening = Evening("tabik", size="4")
    with pytest.raises(CorrectionError, match="no engine is on turn"):
        evening.announce(1, "a1b1")
    evening.enter(1, "a1b1")
    assert is_engines_turn(evening.game)
    assert steps_due(evening.game) == ()
    with pytest.raises(CorrectionError, match="wait for its announcement"):
        evening.enter(2, "c1c2")
    evening.announce(3, "c1c2")
    assert Sound(Tune.QUESTION) in evening.effects
    assert (steps_due(evening.game), counts_at(evening.game)) == ((), None)
    with pytest.raises(CorrectionError, match="only that turn counts"):
        evening.enter(4, "b2b3")
    evening.enter(5, "c1c2")
    assert evening.texts == ["a1b1", "c1c2"]
    assert [ruling.kind for ruling in evening.rulings] == ["turn", "turn"]
    assert not evening.announced
    assert not evening.game.undoable


def test_enter_says_that_it_was_made_and_the_other_buttons_say_nothing() -> None:
    evening = Evening("tabik", size="4")
    evening.enter(1, "a1b1")
    evening.press(2, "enter")
    evening.announce(3, "c1c2")
    evening.press(4, "next")
    evening.until(5)
    assert (evening.texts, evening.game.chooser) == (["a1b1"], None)
    evening.press(6, "enter")
    evening.until(7)
    assert evening.texts == ["a1b1", "c1c2"]


def test_in_a_pause_and_for_an_illegal_move_nothing_is_announced() -> None:
    evening = Evening("tabik", size="4", opponent_plays="black")
    with pytest.raises(CorrectionError, match="zz9"):
        evening.announce(1, "zz9")
    evening.tell(Paused(instant(2), ANN))
    with pytest.raises(CorrectionError, match="paused"):
        evening.announce(3, "a1b1")


def test_what_was_announced_may_be_said_anew_and_is_withdrawn_by_a_take_back() -> None:
    evening = Evening("tabik", size="4")
    evening.enter(1, "a1b1")
    evening.announce(2, "c1c2")
    evening.announce(3, "b2b3")
    assert evening.announced == "b2b3"
    evening.tell(TurnsVoided(instant(4), 1, give_back=True, who=ANN))
    assert (evening.announced, evening.game.turn) == ("", "black")
    evening.tell(CorrectionUndone(instant(5), ANN))
    assert is_engines_turn(evening.game)
    assert not evening.announced


def test_the_end_withdraws_it_and_an_arbiter_may_enter_what_was_missed() -> None:
    evening = Evening("tabik", size="4")
    evening.enter(1, "a1b1")
    evening.announce(2, "c1c2")
    evening.tell(TurnInserted(instant(3), 2, "b2b3", ANN))
    assert (evening.texts, evening.announced) == (["a1b1", "b2b3"], "")
    evening.enter(4, "d1d2")
    evening.announce(5, "c3d3")
    evening.tell(ResultDeclared(instant(6), "black", "resigned", ANN))
    assert not evening.announced
    assert not is_engines_turn(evening.game)


def test_an_engine_keeps_its_place_when_sides_are_swapped() -> None:
    evening = Evening("tabik", size="4", opponent_plays="black")
    assert is_engines_turn(evening.game)
    evening.announce(1, "a1b1")
    evening.enter(2, "a1b1")
    evening.enter(3, "pie")
    assert (evening.game.is_swapped, evening.game.turn) == (True, "white")
    assert is_engines_turn(evening.game)


def test_what_events_of_an_engine_did_can_be_said() -> None:
    assert str(what(MoveAnnounced(instant(1), "a1b1", ENGINE)).message) == "turn a1b1 announced"
    assert "people play its side" in what(OpponentLeft(instant(1), ENGINE)).message


def test_an_engine_that_leaves_leaves_its_side_to_people() -> None:
    evening = Evening("tabik", size="4")
    evening.enter(1, "a1b1")
    evening.announce(2, "c1c2")
    evening.tell(OpponentLeft(instant(3), ENGINE, "it is broken"))
    assert evening.rulings[-1].kind == "corrected"
    assert (evening.game.opponent, evening.announced) == (None, "")
    evening.enter(4, "b2b3")
    assert evening.texts == ["a1b1", "b2b3"]


def test_throws_are_made_by_people_and_turns_by_the_engine() -> None:
    evening = Evening("twenty-squares", opponent_plays="p1")
    assert not is_engines_turn(evening.game)
    evening.enter(1, "throw:5")
    assert is_engines_turn(evening.game)


def test_the_bidders_keep_their_engine_in_the_roles_that_they_take() -> None:
    evening = Evening("tau", rows="4", columns="4")
    first = evening.game.texts()[0]
    evening.enter(1, first)
    assert is_engines_turn(evening.game)


# On the board of Tayu


@pytest.mark.parametrize("text", ["013@h9/E", "013@j9/W"])
def test_the_tile_lies_as_it_was_announced_whichever_way_round_it_may_lie(text: str) -> None:
    evening = Evening("tayu", opponent_plays="north-south")
    evening.enter(1, "draw:013")
    evening.announce(2, text)
    assert evening.steps[0][0] is Action.LAY_TILE
    assert set(evening.steps[0][1].split()) == {"h9", "i9", "j9"}
    evening.edges(3, "h9.tile", "i9.tile", "j9.tile")
    evening.until(6)
    assert evening.texts == ["draw:013", text]


def test_a_tile_that_lies_elsewhere_is_said_and_put_right() -> None:
    evening = Evening("tayu", opponent_plays="north-south")
    evening.enter(1, "draw:013")
    evening.announce(2, "013@h9/E")
    evening.edges(3, "i8.tile", "i9.tile", "i10.tile")
    evening.until(6)
    question = evening.game.question
    assert question is not None
    evening.tell(QuestionAnswered(instant(7), question.asked.choices[0], ANN))
    told = evening.rulings[-1]
    assert isinstance(told, IllegalRuled)
    assert told.code == "not_announced"
    assert evening.texts == ["draw:013", "013@h9/E"]
    assert evening.game.judgement.code == BY_HAND
    assert told.put_right == evening.game.judgement.repairs
    assert told.put_right == (Repair(Action.TAKE_TILE, "i10 i8"), Repair(Action.PUT_TILE, "h9 i9 j9"))


# On the board of TAMSK


def test_a_turn_that_hands_did_not_make_as_announced_is_replaced_by_the_announced_one() -> None:
    evening = Evening("tamsk", level="1", opponent_plays="red")
    evening.announce(1, "D1-D2")
    assert evening.steps == [(Action.TAKE_GLASS, "D1"), (Action.PUT_GLASS, "D2"), (Action.PUT_RING, "D2")]
    evening.edges(2, "A4.north", on=False)
    evening.until(3)
    assert evening.steps == [
        (Action.PUT_GLASS, "A4"),
        (Action.TAKE_GLASS, "D1"),
        (Action.PUT_GLASS, "D2"),
        (Action.PUT_RING, "D2"),
    ]
    evening.edges(3.5, "B4.south")
    evening.edges(4, "B4.ring1")
    evening.until(6)
    assert evening.texts == ["D1-D2"]
    assert [ruling.kind for ruling in evening.rulings] == ["turn", "illegal"]
    told = evening.rulings[-1]
    assert isinstance(told, IllegalRuled)
    assert (told.code, told.text) == ("not_announced", "A4-B4")
    assert {(each.action, each.space) for each in told.put_right} == {
        (Action.TAKE_RING, "B4"),
        (Action.TAKE_GLASS, "B4"),
        (Action.TAKE_GLASS, "D1"),
        (Action.PUT_GLASS, "A4"),
        (Action.PUT_GLASS, "D2"),
        (Action.PUT_RING, "D2"),
    }
    assert evening.game.judgement.phase is Phase.WRONG


def test_a_glass_that_was_lifted_by_mistake_goes_back_first_and_as_it_stood() -> None:
    evening = Evening("tamsk", level="2")
    evening.move(1, "D1", "D2")
    evening.until(4)
    evening.announce(4, "A1-B2")
    made = [(Action.TAKE_GLASS, "A1"), (Action.PUT_TURNED, "B2"), (Action.PUT_RING, "B2")]
    assert evening.steps == made
    evening.edges(5, "G1.north", on=False)
    evening.until(6)
    assert evening.steps == [(Action.PUT_GLASS, "G1"), *made]
    evening.edges(6.5, "G1.north")
    evening.until(8)
    assert evening.steps == made


def test_a_turn_without_a_ring_is_whole_once_it_stands_as_announced() -> None:
    evening = Evening("tamsk", level="1", opponent_plays="red")
    evening.announce(1, "D1-D2=")
    evening.move(2, "D1", "D2", ring=0)
    evening.until(6)
    assert evening.texts == ["D1-D2="]


def test_a_ring_that_the_other_player_drops_late_changes_nothing() -> None:
    evening = Evening("tamsk", level="1")
    evening.move(1, "D1", "D2", ring=0)
    evening.press(4, "red")
    evening.until(6)
    assert evening.texts == ["D1-D2="]
    evening.announce(7, "A1-B2")
    evening.edges(8, "D2.ring1")
    evening.until(10)
    assert (Action.TAKE_RING, "D2") not in evening.steps
    evening.move(11, "A1", "B2")
    evening.until(15)
    assert evening.texts == ["D1-D2=", "+D2,A1-B2"]
    assert evening.rulings[-1].kind == "turn"


def test_a_correction_of_the_position_withdraws_what_was_announced() -> None:
    evening = Evening("tamsk", level="1", opponent_plays="red")
    evening.announce(1, "D1-D2")
    evening.tell(RingsSet(instant(2), "D4", 1, "red", ANN))
    assert not evening.announced


def test_what_hands_do_before_anything_is_announced_is_put_back() -> None:
    evening = Evening("tamsk", level="1", opponent_plays="red")
    evening.move(1, "D1", "D2")
    evening.until(5)
    assert evening.texts == []
    assert [each.action for each in evening.game.judgement.repairs] == [
        *(Action.TAKE_RING, Action.TAKE_GLASS, Action.PUT_GLASS),
    ]


def test_a_turn_that_time_has_forbidden_is_withdrawn() -> None:
    evening = Evening("tamsk", level="2")
    turns = [("D1", "D2"), ("A1", "B2"), ("G4", "G3"), ("G1", "F1"), ("A4", "B4"), ("D7", "D6"), ("D2", "D3")]
    for number, (origin, target) in enumerate(turns):
        at = 5 if number < 2 else 60 + 8 * number
        if number % 2:
            evening.announce(
                at + 3,
                next(text for text in evening.game.texts() if text[:5] == f"{origin}-{target}" and text[5:] != "="),
            )
        evening.move(at + 4 * (number % 2), origin, target)
        evening.until(at + 7)
    assert len(evening.texts) == len(turns)
    evening.announce(120, "B2-B3")
    assert counts_at(evening.game) == instant(125)
    assert hands_left(evening.game, instant(123)) == 2 * SECOND
    assert evening.steps
    known = evening.game
    evening.until(191)
    assert known.announced is not None
    assert not evening.announced
    assert steps_due(replace(evening.game, announced=known.announced)) == ()


def test_a_turn_that_the_rules_leave_no_choice_about_needs_no_announcement() -> None:
    evening = Evening("tamsk", level="3")
    evening.move(1, "D1", "D2")
    evening.until(5)
    evening.edges(6, "timer15.north", on=False)
    evening.edges(6.5, "timer15.south")
    evening.until(30)
    assert evening.texts == ["D1-D2", "lost"]
    assert TamskGame.of(evening.game) is not None


def test_ones_own_turn_is_the_last_that_a_person_made() -> None:
    evening = Evening("twenty-squares", opponent_plays="p1")
    assert turns_to_take_back(evening.game) == 0
    evening.enter(1, "throw:5")
    evening.announce(2, "convert")
    evening.enter(3, "convert")
    assert turns_to_take_back(evening.game) == 0
    alone = begin("tabik", {"size": "4"})
    alone, _ = step(alone, TurnEntered(instant(1), "a1b1", ANN))
    assert turns_to_take_back(alone) == 1


# While a person is on turn


def beside_a_person(**settings: object) -> Evening:
    """An engine that plays Black at level 3 has made its first turn, and Red is on turn."""
    evening = Evening("tamsk", level="3", **settings)
    evening.move(1, "D1", "D2")
    evening.until(4)
    evening.announce(4, "A1-B2")
    evening.move(5, "A1", "B2")
    evening.until(9)
    assert (evening.texts, evening.game.turn) == (["D1-D2", "A1-B2"], "red")
    return evening


def turn_timer(evening: Evening, at: float, pole: str = "north") -> None:
    """Turn the 15-second glass, which stood with this pole up."""
    evening.edges(at, f"timer15.{pole}", on=False)
    evening.edges(at + 0.8, f"timer15.{'south' if pole == 'north' else 'north'}")
    evening.until(at + 2)


def timers(evening: Evening) -> list[TimerTurned]:
    return [ruling for ruling in evening.rulings if isinstance(ruling, TimerTurned)]


def test_an_engine_that_is_not_on_turn_has_the_15_second_glass_turned() -> None:
    evening = beside_a_person()
    game = evening.game
    assert (player_off_turn(game, instant(9)), texts_off_turn(game, instant(9))) == ("black", ("flip15",))
    assert engine_that_acts(game) is None
    with pytest.raises(CorrectionError, match="no engine is on turn"):
        evening.announce(10, "G4-G3")
    evening.announce(10, "flip15")
    acts = engine_that_acts(evening.game)
    assert acts is not None
    assert acts.name == "Gnomon 3"
    assert evening.steps == [(Action.FLIP_TIMER, "")]
    assert counts_at(evening.game) == instant(15)
    turn_timer(evening, 11)
    assert [ruling.by for ruling in timers(evening)] == ["black"]
    assert not evening.announced
    assert player_off_turn(evening.game, instant(14)) == "", "it runs"
    assert player_off_turn(replace(evening.game, opponent=None), instant(40)) == ""


def test_the_15_second_glass_counts_though_no_hand_has_turned_it() -> None:
    evening = beside_a_person()
    with pytest.raises(CorrectionError, match="flip15"):
        evening.tell(TurnEntered(instant(10), "flip15", ENGINE))
    evening.announce(10, "flip15")
    evening.tell(TurnEntered(instant(15), "flip15", ENGINE))
    assert [ruling.at for ruling in timers(evening)] == [instant(15)]
    assert not evening.announced
    turn_timer(evening, 18)  # late, which changes nothing
    assert len(timers(evening)) == 1
    assert evening.game.judgement.phase is Phase.AGREED
    turn_timer(evening, 22, "south")
    assert evening.game.judgement.code == "timer15_running"


def test_a_15_second_glass_that_was_owed_and_has_run_out_is_turned_as_ever() -> None:
    evening = beside_a_person()
    evening.announce(10, "flip15")
    evening.tell(TurnEntered(instant(15), "flip15", ENGINE))
    evening.move(17, "G4", "G3")
    evening.until(31)
    assert evening.game.turn == "black"
    turn_timer(evening, 32)  # against the engine
    assert [ruling.by for ruling in timers(evening)] == ["black", "red"]


def test_what_was_announced_off_turn_lapses_with_the_turn() -> None:
    evening = beside_a_person()
    evening.announce(10, "flip15")
    evening.edges(11, "G4.north", on=False)
    assert evening.announced == "flip15"
    evening.edges(12, "G3.south")
    evening.edges(12.5, "G3.ring1")
    evening.until(15)
    assert (evening.texts[-1], evening.announced) == ("G4-G3x", "")
    assert timers(evening) == []
