"""False readings of a board that gives them all the time mean nothing; on a quiet one they are remembered."""

from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon.referee._noise import FLASH, QUIET, Noise
from gnomon.referee.debounce import CALM, Debouncer
from gnomon.referee.evidence import STANDING
from gnomon.timekeeping.instants import MILLISECOND, SECOND, Duration, Instant
from tests.bench.noisy_turns import judged

SCAN = 10 * MILLISECOND
INPUT = "D4.ring1"
NOISY = [(Instant(number * SECOND // 2), f"A{number % 8}.north") for number in range(60)]
"""Two false readings a second, of eight inputs, for half a minute."""
LATER = Instant(30 * SECOND)


def told(*flashes: tuple[Instant, str]) -> Noise:
    return QUIET.after_flashes(flashes)


def test_many_inputs_for_long_drown_one_that_is_asked_about() -> None:
    assert told(*NOISY).drowns(LATER, INPUT)


def test_no_input_drowns_itself() -> None:
    assert not told(*((at, INPUT) for at, _ in NOISY)).drowns(LATER, INPUT)
    assert not told(*NOISY[:-40], *((at, "A1.north") for at, _ in NOISY[-40:])).drowns(LATER, INPUT)


def test_nothing_drowns_once_the_board_is_quiet_again() -> None:
    assert not told(*NOISY).drowns(Instant(LATER + 5 * SECOND), INPUT)


@given(
    st.lists(st.tuples(st.integers(0, 14_999), st.sampled_from([f"A{each}.north" for each in range(20)])), max_size=80)
)
def test_what_lasts_for_fifteen_seconds_never_drowns_anything(flashes: Iterable[tuple[int, str]]) -> None:
    stamps = ((Instant(10 * SECOND + at * MILLISECOND), name) for at, name in sorted(flashes))
    assert not told(*stamps).drowns(Instant(25 * SECOND), INPUT)


def flashed(debouncer: Debouncer, at: Instant, name: str, lasts: int) -> Debouncer:
    """One false reading, and all that is due after it."""
    debouncer = debouncer.edge(at, name, value=True).edge(Instant(at + lasts), name, value=False)
    while (due := debouncer.due()) is not None:
        debouncer, _ = debouncer.settle(Instant(due))
    return debouncer


@pytest.mark.parametrize("lasts", [SCAN, CALM + SCAN, FLASH])
@pytest.mark.parametrize("noise", [QUIET, told(*NOISY)])
def test_a_single_false_reading_is_remembered_on_a_quiet_board_only(lasts: Duration, noise: Noise) -> None:
    debouncer = flashed(Debouncer(frozenset(), evidence=STANDING, noise=noise), LATER, INPUT, lasts)
    assert (INPUT in debouncer.history) is (noise is QUIET)
    assert (INPUT in debouncer.glimpses) is (noise is QUIET and lasts > CALM)
    assert debouncer.noise.flashes[-1] == (LATER, INPUT)


def test_an_input_that_flashes_again_and_again_is_remembered_whatever_the_others_do() -> None:
    debouncer = Debouncer(frozenset(), evidence=STANDING, noise=told(*NOISY))
    for number in range(3):
        debouncer = debouncer.edge(Instant(LATER + number * CALM), INPUT, value=number % 2 == 0)
    debouncer = flashed(debouncer.settle(Instant(LATER + SECOND))[0], Instant(LATER + SECOND), INPUT, SCAN)
    assert INPUT in debouncer.history


NOISY_GAMES = ((1, 92011), (1, 92032), (1, 92061), (2, 92008), (2, 92058), (3, 92042))


@pytest.mark.parametrize(
    ("level", "seed"), [*(pytest.param(*game, marks=pytest.mark.untraced) for game in NOISY_GAMES), (3, 92122)]
)
def test_noise_makes_no_word_and_no_question(level: int, seed: int) -> None:
    """Each of them had one: for a forgotten ring, the 15-second glass, sand, a glass that stood elsewhere first."""
    assert judged(level, seed).is_flawless
