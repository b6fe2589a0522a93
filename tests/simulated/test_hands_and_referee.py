from collections.abc import Iterable, Mapping
from random import Random
from typing import NamedTuple

import pytest

from gnomon.games.tamsk.rules import LOST, PLAYERS, Tamsk
from gnomon.games.tamsk.sensing.board import new_game
from gnomon.games.tamsk.sensing.game import TamskGame
from gnomon.games.tamsk.sensing.verdicts import ENDS
from gnomon.referee.effects import Announce
from gnomon.referee.events import DeadlineReached, Event, InputChanged, QuestionAnswered
from gnomon.referee.rulings import (
    GameOver,
    IllegalRuled,
    PenaltyRuled,
    Righted,
    Ruling,
    TimerTurned,
    TurnLost,
    TurnRuled,
)
from gnomon.referee.step import step
from gnomon.timekeeping.glasses import FIFTEEN_SECONDS
from gnomon.timekeeping.instants import MILLISECOND, SECOND, Instant
from gnomon_pi.simulated._table import TamskTable
from gnomon_pi.simulated.players._noise import Noise
from gnomon_pi.simulated.players.game_script import Score, random_score
from gnomon_pi.simulated.players.hands import edges, play
from gnomon_pi.simulated.players.player_timing import Habits, RandomSpan
from tests.conftest import random_games
from tests.player_mistakes import CAREFUL, PATIENT, Clumsiness, PlayerMistake
from tests.simulated.sampled_noise import sample_edges
from tests.timed_scores import time_script

UNTIL_THE_LAST_GRAIN = 200 * SECOND  # after the last touch: then no glass runs any more
NOISE = Noise(glitches=0.3)

LEVELS = (1, 2, 3)
HABITS = {
    "ordinary": Habits(),
    "hurried": Habits(
        think=RandomSpan(0, 600 * MILLISECOND),
        react=RandomSpan(120 * MILLISECOND, 250 * MILLISECOND),
        carry=RandomSpan(250 * MILLISECOND, 400 * MILLISECOND),
        ring=RandomSpan(60 * MILLISECOND, 200 * MILLISECOND),
        button=RandomSpan(80 * MILLISECOND, 300 * MILLISECOND),
    ),
    "on the brink": Habits(cuts_it_fine=1.0, turns_timer15=0.8, loses_turn=0.2, comes_late=0.4),
    "thoughtful": Habits(think=RandomSpan(SECOND, 120 * SECOND), carry=RandomSpan(250 * MILLISECOND, 30 * SECOND, 3.0)),
    "no button": Habits(leaves_end_open=1.0, drops_ring=0.4, plays_forgotten=0.9, presses_needlessly=0.3),
    "hesitant": Habits(hesitates=0.5, hovers=0.8, presses_needlessly=0.5),
}


class Refereed(NamedTuple):
    """A game that hands played, and what the referee ruled."""

    score: Score
    rulings: tuple[Ruling, ...]

    @property
    def turns(self) -> list[tuple[Instant, str, str]]:
        """Every accepted or lost turn, with its stamp."""
        return [
            (ruling.at, ruling.player, ruling.text if isinstance(ruling, TurnRuled) else LOST.kind)
            for ruling in self.rulings
            if isinstance(ruling, TurnRuled | TurnLost)
        ]

    @property
    def wanted(self) -> list[tuple[Instant, str, str]]:
        """What the turns must be."""
        return [(turn.at, turn.player, turn.text) for turn in self.score]


class AtWork(NamedTuple):
    """A referee at work, and what he has ruled."""

    game: TamskGame
    rulings: tuple[Ruling, ...] = ()

    def told(self, event: Event) -> "AtWork":
        game, effects = step(self.game, event)
        said = tuple(effect.ruling for effect in effects if isinstance(effect, Announce))
        return AtWork(game, self.rulings + said)

    def waited(self, until: Instant) -> "AtWork":
        at_work = self
        while (deadline := at_work.game.deadline()) is not None and deadline <= until:
            at_work = at_work.told(DeadlineReached(deadline))
        return at_work


def ruled(rules: Tamsk, raw: Iterable[InputChanged]) -> tuple[Ruling, ...]:
    """What the referee rules on these edges, watching until the last grain has fallen."""
    at_work = AtWork(new_game(rules))
    last = Instant(0)
    for edge in raw:
        at_work = at_work.waited(Instant(edge.at - 1)).told(edge)
        last = edge.at
    at_work = at_work.waited(Instant(last + UNTIL_THE_LAST_GRAIN))
    if at_work.game.question is not None and at_work.game.question.asked.question == ENDS:
        # A ghost has made a sensor doubtful in one of the last turns: hands know that the game is over.
        at_work = at_work.told(QuestionAnswered(Instant(last + UNTIL_THE_LAST_GRAIN), "yes", "hands"))
    return at_work.rulings


def refereed(
    level: int,
    seed: int,
    habits: Habits | None = None,
    mistakes: Clumsiness = CAREFUL,
    settings: Mapping[str, str | int] | None = None,
) -> Refereed:
    rules = Tamsk.from_settings({"level": level, **(settings or {})})
    random = Random(seed)
    score = random_score(rules, random, habits)
    strokes = play(score, random, level=level, habits=habits, mistakes=mistakes, noise=NOISE)
    return Refereed(score, ruled(rules, edges(strokes)))


def codes(game: Refereed) -> set[str]:
    return {ruling.code for ruling in game.rulings if isinstance(ruling, IllegalRuled)}


@pytest.mark.untraced
@pytest.mark.parametrize("seed", random_games(10))
@pytest.mark.parametrize("level", LEVELS)
def test_the_referee_rules_what_was_played(level: int, seed: int) -> None:
    game = refereed(level, seed)
    assert game.turns == game.wanted
    assert codes(game) == set()
    assert isinstance(game.rulings[-1], GameOver) or level > 1
    assert sum(isinstance(ruling, GameOver) for ruling in game.rulings) == 1


@pytest.mark.untraced
@pytest.mark.parametrize("seed", random_games(20))
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("kind", HABITS)
def test_whatever_the_habits_of_the_players(kind: str, level: int, seed: int) -> None:
    game = refereed(level, 110 + seed, HABITS[kind])
    assert game.turns == game.wanted
    assert codes(game) == set()


@pytest.mark.untraced
@pytest.mark.parametrize("seed", random_games(20))
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(
    "settings",
    [{"ring": "auto"}, {"late": "skip_turn"}, {"full_space": "take_back"}, {"stall": 0}, {"stall": 4}],
    ids=lambda settings: " ".join(f"{key}={value}" for key, value in settings.items()),
)
def test_under_every_setting(settings: Mapping[str, str | int], level: int, seed: int) -> None:
    if level == 1 and settings == {"stall": 0}:
        settings = {"stall": 0, "ring": "auto"}  # With optional rings and no stall a game may never end (rule 9).
    game = refereed(level, 210 + seed, settings=settings)
    assert game.turns == game.wanted


@pytest.mark.untraced
@pytest.mark.parametrize("seed", [20261145, 20261151])
def test_a_ring_by_right_may_be_the_whole_turn_where_every_move_drops_one(seed: int) -> None:
    """The player late for the 15-second glass leaves a free ring to an opponent none of whose glasses may move."""
    game = refereed(3, 210 + seed, settings={"ring": "auto"})
    assert game.turns == game.wanted
    assert any(turn.free is not None and turn.lifted is None for turn in game.score)


@pytest.mark.untraced
@pytest.mark.parametrize("seed", range(6))
def test_the_15_second_glass_is_turned_by_the_one_who_waits(seed: int) -> None:
    game = refereed(3, 300 + seed, Habits(turns_timer15=0.7))
    wanted = [
        (turn.timer15, PLAYERS[1 - PLAYERS.index(turn.player)], turn.timer15 + FIFTEEN_SECONDS)
        for turn in game.score
        if turn.timer15 is not None
    ]
    ruled_so = [(ruling.at, ruling.by, ruling.until_us) for ruling in game.rulings if isinstance(ruling, TimerTurned)]
    assert ruled_so == wanted


@pytest.mark.untraced
@pytest.mark.parametrize("seed", range(6))
def test_a_penalty_is_ruled_to_the_player_who_may_use_it(seed: int) -> None:
    game = refereed(3, 400 + seed, HABITS["on the brink"])
    wanted = {turn.player for turn in game.score if turn.free is not None}
    assert wanted <= {ruling.player for ruling in game.rulings if isinstance(ruling, PenaltyRuled)}
    late = [at for at, _, _ in game.turns]
    assert all(ruling.at in late for ruling in game.rulings if isinstance(ruling, PenaltyRuled))


# What the referee does not yet rule as the rules say


def written(level: int, text: str, seed: int) -> Refereed:
    """A written game with every turn ended by ring or button, and what the referee ruled."""
    rules, random = Tamsk.from_settings({"level": level}), Random(seed)
    habits = Habits(leaves_end_open=0.0, turns_timer15=0.0)
    score = time_script(rules, text.split(), random, habits)
    return Refereed(score, ruled(rules, edges(play(score, random, level=level, habits=habits, noise=NOISE))))


def test_a_second_ring_may_fall_on_the_space_of_the_forgotten_one() -> None:
    game = written(3, "D1-D2= A1-B2,+D2", 1)
    assert game.turns == game.wanted


def test_the_forgotten_and_the_second_ring_may_fall_on_one_space() -> None:
    game = written(3, "D1-D2= +D2,A1-B2,+D2", 1)
    assert game.turns == game.wanted


def test_the_15_second_glass_may_be_turned_at_once_when_a_lift_has_ended_the_turn() -> None:
    touches = [
        *((5_000, "D1.north", 0), (5_500, "D2.south", 1)),
        *((8_000, "A1.north", 0), (8_500, "B2.south", 1)),
        *((9_000, "A4.north", 0), (9_050, "timer15.north", 0), (9_150, "timer15.south", 1), (9_600, "B4.south", 1)),
        (10_000, "B4.ring1", 1),
    ]
    raw = [InputChanged(Instant(at * MILLISECOND), name, bool(value)) for at, name, value in touches]
    rulings = ruled(Tamsk.from_settings({"level": 3}), raw)
    assert [ruling.by for ruling in rulings if isinstance(ruling, TimerTurned)] == ["black"]


def test_a_glass_that_never_left_its_socket_has_not_moved() -> None:
    game = refereed(1, 5001, HABITS["no button"])
    assert game.turns == game.wanted


# Mistakes

HARMLESS = [kind for kind in PlayerMistake if kind is not PlayerMistake.FULL_SPACE]
FAULTS = {
    PlayerMistake.RING_ON_WRONG_SPACE: {"ring_elsewhere"},
    PlayerMistake.TWO_RINGS: {"two_rings", "ring_elsewhere"},
    PlayerMistake.RING_TAKEN: {"ring_removed"},
    PlayerMistake.NOT_TURNED: {"not_turned"},
    PlayerMistake.OPPONENTS_GLASS: {"not_yours", "not_your_turn"},
}


@pytest.mark.untraced
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("kind", HARMLESS)
def test_a_mistake_put_right_at_once_leads_to_no_ruling(kind: PlayerMistake, level: int) -> None:
    game = refereed(level, 500, mistakes=Clumsiness(frozenset({kind})))
    assert [turn[1:] for turn in game.turns] == [turn[1:] for turn in game.wanted]
    assert codes(game) == set()


@pytest.mark.untraced
@pytest.mark.parametrize("level", [2, 3])
@pytest.mark.parametrize("kind", FAULTS)
def test_a_mistake_that_stands_is_named_and_righted(kind: PlayerMistake, level: int) -> None:
    game = refereed(level, 600, mistakes=Clumsiness(frozenset({kind}), lasts=PATIENT))
    assert [turn[1:] for turn in game.turns] == [turn[1:] for turn in game.wanted]
    assert codes(game)
    assert codes(game) <= FAULTS[kind]
    wrong = sum(isinstance(ruling, IllegalRuled) for ruling in game.rulings)
    assert wrong == sum(isinstance(ruling, Righted) for ruling in game.rulings)


@pytest.mark.untraced
@pytest.mark.parametrize("level", LEVELS)
def test_a_glass_on_a_full_space_that_nobody_ends_the_turn_with_is_refused(level: int) -> None:
    game = refereed(level, 700, mistakes=Clumsiness(frozenset({PlayerMistake.FULL_SPACE}), lasts=PATIENT))
    assert [turn[1:] for turn in game.turns] == [turn[1:] for turn in game.wanted]
    assert codes(game) == {"full"}


@pytest.mark.untraced
@pytest.mark.parametrize("level", LEVELS)
def test_a_glass_on_a_full_space_may_be_taken_back(level: int) -> None:
    mistakes = Clumsiness(frozenset({PlayerMistake.FULL_SPACE}))
    game = refereed(level, 700, mistakes=mistakes, settings={"full_space": "take_back"})
    assert [turn[1:] for turn in game.turns] == [turn[1:] for turn in game.wanted]


# A board that is scanned


@pytest.mark.untraced
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("level", LEVELS)
def test_a_scanned_board_with_ghosts_and_missed_scans_shows_the_same_game(level: int, seed: int) -> None:
    # A lateness below the uncertainty of a scan is granted to the player, so nobody cuts it fine here.
    rules, random = Tamsk.from_settings({"level": level}), Random(800 + seed)
    habits = Habits(cuts_it_fine=0.0)
    score = random_score(rules, random, habits)
    raw = list(edges(play(score, random, level=level, habits=habits, noise=NOISE)))
    until = Instant(raw[-1].at + SECOND)
    seen = sample_edges(raw, TamskTable.set_out(level).inputs(), until, random)
    game = Refereed(score, ruled(rules, seen))
    assert [turn[1:] for turn in game.turns] == [turn[1:] for turn in game.wanted]
    assert codes(game) == set()
