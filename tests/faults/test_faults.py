from collections.abc import Iterable
from functools import cache
from random import Random

import pytest

from gnomon.referee.events import InputChanged
from gnomon.timekeeping.instants import MILLISECOND, SECOND, Duration, Instant
from tests.faults import tamsk_games
from tests.faults.disturbances import DISTURBANCES
from tests.faults.faults import FOR_GOOD, Fault, Lie, disturbed, pulse, stuck
from tests.faults.judging import Class, judge
from tests.faults.known_games import KnownGame
from tests.faults.tamsk_games import TAMSK


@cache
def game(level: int = 2, *, is_scanned: bool = True) -> KnownGame:
    """A game of two dozen turns and more, whatever its length."""
    return tamsk_games.played(level, 1, is_scanned=is_scanned)


def levels(edges: Iterable[InputChanged], name: str) -> list[tuple[Instant, bool]]:
    """The edges of one input that change it."""
    course: list[tuple[Instant, bool]] = []
    for edge in edges:
        if edge.input == name and (not course or course[-1][1] != edge.value):
            course.append((edge.at, edge.value))
    return course


def shown(played: KnownGame, fault: Fault) -> list[InputChanged]:
    """Every edge of a game with a fault in it."""
    return [edge for _, edge in disturbed(played, fault, 0) if isinstance(edge, InputChanged)]


@pytest.mark.parametrize("level", [1, 2, 3])
def test_a_known_game_is_ruled_as_the_hands_made_it(level: int) -> None:
    assert game(level).is_right
    assert len(game(level).states) == len(game(level).edges) + 1


@pytest.mark.parametrize("is_scanned", [True, False])
def test_after_its_last_lie_an_input_is_true_again(is_scanned: bool) -> None:
    played = game(is_scanned=is_scanned)
    random = Random(1)
    for edge in random.sample(played.touches(), 40):
        start = Instant(edge.at - random.randint(0, 30) * MILLISECOND)
        lie = pulse(edge.input, start, Duration(random.randint(1, 60_000)), value=random.random() < 0.5)
        later = Instant(lie.end + 20 * MILLISECOND)
        last = [it.value for it in shown(played, Fault("pulse", (lie,))) if it.input == edge.input and it.at <= later]
        assert not last or last[-1] == played.level_of(edge.input, later)


def test_a_lie_hides_what_is_true_meanwhile() -> None:
    played = game()
    turn = played.score[3]
    assert turn.lifted is not None
    name = f"{turn.origin}.{'north' if played.level_of(f'{turn.origin}.north', turn.lifted) else 'south'}"
    start, end = Instant(turn.lifted - SECOND), Instant(turn.lifted + SECOND)
    held = shown(played, Fault("late", (Lie(name, start, end, ()),)))
    assert [at for at, _ in levels(held, name) if start < at < end] == []


def test_the_registers_hold_every_sensor_once() -> None:
    names = [name for register in TAMSK.host.registers for name in register]
    assert len(names) == len(set(names)) == 140
    assert max(map(len, TAMSK.host.registers)) == 8


def test_what_changes_nothing_is_right() -> None:
    played = game()
    name = played.touches()[0].input
    nothing = Fault("nothing", (pulse(name, Instant(SECOND), Duration(5), value=played.level_of(name, Instant(0))),))
    assert judge(played, nothing).what is Class.RIGHT


def test_a_glass_that_is_never_seen_again_is_told() -> None:
    played = game()
    turn = next(turn for turn in played.score if turn.placed is not None)
    assert turn.placed is not None
    lies = tuple(stuck(f"{turn.target}.{pole}", Instant(0), value=False) for pole in ("north", "south"))
    assert judge(played, Fault("two wires broken", lies)).what is Class.SAID


def test_a_ring_that_its_sensor_shows_for_good_is_known_to_nobody() -> None:
    # The turn stands without a ring, and a sensor says from then on that one has fallen: a board that shows this
    # and one on which it is so read alike.
    played = game(1)
    turn = next(turn for turn in played.score if turn.is_open and turn.placed is not None and "+" not in turn.text)
    assert turn.placed is not None
    name = next(name for height in "1234" if not played.level_of(name := f"{turn.target}.ring{height}", turn.placed))
    verdict = judge(played, Fault("stuck", (stuck(name, Instant(turn.placed + 100_000), value=True),)))
    assert verdict.what in {Class.OPEN, Class.SAID}
    assert verdict.kind == "ring"


def test_a_ring_that_is_all_a_player_may_do_and_cannot_be_seen_is_known_to_nobody() -> None:
    played = tamsk_games.played(3, 91001)
    number = next(number for number, turn in enumerate(played.score) if turn.text == "+E3")
    sensor = stuck("E3.ring2", Instant(played.score[number].at - 60 * SECOND), value=False)
    verdict = judge(played, Fault("stuck", (sensor,)))
    assert (verdict.what, verdict.kind, verdict.wanted) == (Class.OPEN, "missed", "('turn', 'black', '+E3')")


@pytest.mark.parametrize("what", DISTURBANCES)
def test_a_disturbance_is_over_when_it_says(what: str) -> None:
    played = game(3)
    made = [DISTURBANCES[what](played, number, Random(number)) for number in range(20)]
    faults = [fault for fault in made if fault is not None]
    assert faults
    for fault in faults:
        assert all(at >= lie.start for lie in fault.lies for at, _ in lie.edges)
        assert fault.is_for_good == (fault.last >= FOR_GOOD)
