"""An engine that plays a side: its settings, what it announces, and hands that are held to it on every board."""

import pytest

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
    ResultDeclared,
    TurnEntered,
    TurnInserted,
    TurnsVoided,
)
from gnomon.referee.game import Game, Opponent
from gnomon.referee.games import begin
from gnomon.referee.judgement import Action
from gnomon.referee.opponents import counts_at, engine_on_turn, is_engines_turn, steps_due
from gnomon.referee.rulings import Ruling
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
        ({"opponent": "14"}, "a level from 1 to 13"),
        ({"opponent": "0"}, "a level from 1 to 13"),
        ({"opponent": "../evil"}, "a level from 1 to 13"),
        ({"opponent_plays": "black"}, "opponent_plays is a setting of an engine"),
        ({"opponent": "1", "opponent_plays": "green"}, "opponent_plays"),
        ({"opponent": "1", "second_opponent": "2"}, "plays in an exhibition only"),
        (
            {"opponent": "1", "opponent_plays": "all", "second_opponent": "14"},
            "second_opponent is a level from 1 to 13",
        ),
        ({"second_opponent": "2"}, "second_opponent is a setting of an engine"),
        ({"opponent": "1", "opponent_hands": "soon"}, "from 0 to 60"),
        ({"opponent": "1", "opponent_hands": "61"}, "from 0 to 60"),
        ({"opponent": "1", "opponent_clock": "flies"}, "opponent_clock .*stands.*runs"),
        ({"opponent": "another-board", "opponent_clock": "runs"}, "and none plays here"),
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
    with pytest.raises(CorrectionError, match="only the announced turn counts"):
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
