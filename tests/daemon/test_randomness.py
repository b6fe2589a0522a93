"""Chance: the exact odds of every throw and draw, sources that are named, and seeds that repeat."""

from collections import Counter
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon.referee.events import ResultDeclared, TurnEntered
from gnomon.referee.game import Game
from gnomon.referee.games import begin, tell
from gnomon.rules.odds import weights
from gnomon.rules.protocol import RulesError
from gnomon.timekeeping.instants import Instant
from gnomon_pi.runtime.system.randomness import SYSTEM, Chance, SeededChance, throw

EMPTY: dict[str, object] = {}


class Ticket:
    """A source of chance that gives what it is told to."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.bound = 0

    def below(self, bound: int, number: int) -> int:
        """The number that was told."""
        assert number >= 0
        self.bound = bound
        return self.number

    def name(self, number: int) -> str:
        """Which ply it is for."""
        return f"ticket for {number}"


def after(game: Game, *texts: str) -> Game:
    for number, text in enumerate(texts, 1):
        game, _ = tell(game, TurnEntered(Instant(number), text, "page"))
    return game


def odds(game: Game) -> dict[str, Fraction]:
    """What chance gives, ticket by ticket, each exactly as likely as the others."""
    source = Ticket(0)
    throw(game, Instant(0), source)
    texts = Counter(throw(game, Instant(0), Ticket(number)).text for number in range(source.bound))
    return {text: Fraction(count, source.bound) for text, count in texts.items()}


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        (EMPTY, {1: Fraction(1, 4), 2: Fraction(3, 8), 3: Fraction(1, 4), 4: Fraction(1, 16), 5: Fraction(1, 16)}),
        ({"dice": "cube"}, {number: Fraction(1, 5) for number in range(1, 6)}),
    ],
)
def test_sticks_and_cube_fall_by_their_exact_odds(settings: dict[str, object], expected: dict[int, Fraction]) -> None:
    game = begin("twenty-squares", settings)
    assert odds(game) == {f"throw:{number}": chance for number, chance in expected.items()}


@pytest.mark.parametrize("number", range(3))
def test_each_tile_that_is_left_is_as_likely_to_be_drawn(number: int) -> None:
    game = begin("tayu", EMPTY)
    for _ in range(number):
        game = after(game, "draw:013")
        game = after(game, game.rules.text(game.position, game.rules.legal_moves(game.position)[0]))
    drawn = odds(game)
    left = 84 - number
    assert len(drawn) == 28
    assert drawn["draw:013"] == Fraction(3 - number, left)
    assert {chance for text, chance in drawn.items() if text != "draw:013"} == {Fraction(3, left)}


def test_with_backs_only_the_tiles_behind_the_chosen_back_are_drawn() -> None:
    drawn = odds(after(begin("tayu", {"draw": "backs"}), "pick:ring"))
    assert len(drawn) == 12
    assert set(drawn.values()) == {Fraction(1, 12)}


@pytest.mark.parametrize("chance", [SYSTEM, SeededChance(0)])
def test_what_is_thrown_can_be_thrown_and_names_its_source(chance: Chance) -> None:
    game = begin("twenty-squares", EMPTY)
    event = throw(game, Instant(5), chance)
    assert event.text in dict(weights(game.rules, game.position))
    assert (event.at, event.who, event.why) == (5, "companion", f"thrown by {chance.name(0)}")


@given(st.integers(), st.integers(0, 500), st.integers(1, 10_000))
def test_a_seed_repeats_and_stays_within_its_bounds(seed: int, number: int, bound: int) -> None:
    first = SeededChance(seed).below(bound, number)
    assert 0 <= first < bound
    assert SeededChance(seed).below(bound, number) == first


def test_seeds_and_plies_give_different_numbers() -> None:
    numbers = {SeededChance(seed).below(1 << 60, number) for seed in range(30) for number in range(30)}
    assert len(numbers) == 900


@pytest.mark.parametrize(
    "game",
    [
        begin("tabik", EMPTY),
        after(begin("tayu", EMPTY), "draw:013"),
        begin("tamsk", {"level": 1}),
        tell(begin("twenty-squares", EMPTY), ResultDeclared(Instant(1), "p1", "resigned", "page"))[0],
    ],
)
def test_where_nothing_is_due_nothing_is_thrown(game: Game) -> None:
    with pytest.raises(RulesError, match="nothing is to be thrown or drawn now"):
        throw(game, Instant(9), SYSTEM)
