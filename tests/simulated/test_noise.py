from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon.referee.events import InputChanged
from gnomon.timekeeping.instants import MILLISECOND, SECOND, Duration, Instant
from gnomon_pi.simulated.players._noise import CLEAN, LONGEST_BOUNCE, LONGEST_GLITCH, Noise, bounce, glitch
from gnomon_pi.simulated.players.player_timing import RandomSpan
from tests.simulated.sampled_noise import Scanning, sample_edges

SEEDS = st.integers(0, 1 << 32)
RESTING = {"D1.north": 1, "D2.north": 0, "D2.ring1": 0}
LIFT = InputChanged(Instant(1_000_000), "D1.north", value=False)
FAULTLESS = Scanning(missed=0.0, ghosts=0.0)


def values(edges: list[InputChanged]) -> list[bool]:
    return [edge.value for edge in edges]


@given(SEEDS, st.booleans())
def test_a_bounce_begins_and_ends_with_the_change_and_is_short(seed: int, value: bool) -> None:
    change = InputChanged(Instant(5_000), "D2.ring1", value)
    burst = list(bounce(change, Noise(bounces=1.0), Random(seed)))
    assert burst[0] == change
    assert values(burst) == [value, *[not value, value] * (len(burst) // 2)]
    assert all(one.at < other.at for one, other in pairwise(burst))
    assert burst[-1].at - change.at <= LONGEST_BOUNCE


def test_bounces_last_about_5_ms_in_the_mean() -> None:
    random = Random(1)
    lengths = [Noise().bounce.draw(random) for _ in range(20_000)]
    assert 4_800 < sum(lengths) / len(lengths) < 5_200
    assert max(lengths) <= LONGEST_BOUNCE


def test_a_clean_input_does_not_bounce() -> None:
    assert list(bounce(LIFT, CLEAN, Random(1))) == [LIFT]


@given(SEEDS, st.booleans())
def test_a_glitch_is_away_and_back_within_5_ms(seed: int, resting: bool) -> None:
    away, back = glitch(Instant(9), "D4.north", resting=resting, noise=Noise(), random=Random(seed))
    assert (away.value, back.value) == (not resting, resting)
    assert 0 < back.at - away.at <= LONGEST_GLITCH


@given(SEEDS, st.integers(0, 1_000), st.integers(1_000, 9_000), st.floats(0.5, 4.0))
def test_a_span_is_kept(seed: int, low: int, high: int, skew: float) -> None:
    assert low <= RandomSpan(low, high, skew).draw(Random(seed)) <= high


def test_a_scan_sees_a_change_at_its_own_time_and_grants_its_period() -> None:
    lift = InputChanged(Instant(1_234_567), "D1.north", value=False)
    seen = list(sample_edges([lift], RESTING, Instant(2 * SECOND), Random(1), FAULTLESS))
    assert seen == [InputChanged(Instant(1_240_000), "D1.north", value=False, uncertainty=Duration(10_000))]


def test_what_happens_between_two_scans_is_not_seen() -> None:
    away, back = glitch(Instant(1_000_001), "D2.north", resting=False, noise=Noise(), random=Random(1))
    assert not list(sample_edges([away, back], RESTING, Instant(2 * SECOND), Random(1), FAULTLESS))


@given(SEEDS, st.lists(st.integers(1, 200), max_size=30))
def test_scans_see_what_lasts(seed: int, gaps: list[int]) -> None:
    edges, at, value = [], 0, False
    for gap in gaps:
        at, value = at + gap * 10 * MILLISECOND, not value
        edges.append(InputChanged(Instant(at), "D2.north", value))
    seen = list(sample_edges(edges, RESTING, Instant(at + SECOND), Random(seed), FAULTLESS))
    assert values(seen) == values(edges)
    assert [edge.at for edge in seen] == [edge.at for edge in edges]


@pytest.mark.untraced
@given(SEEDS)
def test_a_missed_scan_is_made_up_for_and_its_time_granted(seed: int) -> None:
    seen = list(sample_edges([LIFT], RESTING, Instant(60 * SECOND), Random(seed), Scanning(missed=0.5, ghosts=0.0)))
    assert len(seen) == 1
    assert seen[0].at - seen[0].uncertainty < LIFT.at <= seen[0].at


@pytest.mark.untraced
@given(SEEDS)
def test_ghosts_last_until_the_next_scan(seed: int) -> None:
    scanning = Scanning(missed=0.0, ghosts=0.001)
    seen = list(sample_edges([], RESTING, Instant(60 * SECOND), Random(seed), scanning))
    for name, value in RESTING.items():
        own = [edge for edge in seen if edge.input == name]
        assert [edge.value == bool(value) for edge in own] == [False, True] * (len(own) // 2) + [False] * (len(own) % 2)


def test_faults_of_scans_are_as_frequent_as_they_are_said_to_be() -> None:
    names = {f"input{number}": 0 for number in range(100)}
    seen = list(sample_edges([], names, Instant(1_000 * SECOND), Random(1), Scanning(ghosts=1e-4)))
    # 100 000 scans of 100 inputs: 1 000 ghosts, each seen coming and going but for the 1 % of scans that fail.
    assert 1_800 < len(seen) < 2_200
    assert all(edge.uncertainty in (10_000, 20_000, 30_000, 40_000) for edge in seen)
    late = sum(edge.uncertainty > 10_000 for edge in seen)
    assert 5 < late < 45
