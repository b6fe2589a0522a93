"""How much of the wait for another board's turn is credited, and how much its player is charged with."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon.distance.exchange import BOUND, charge, credit
from gnomon.timekeeping.instants import SECOND, Duration

HANDS = Duration(5 * SECOND)
NONE = Duration(0)


def after(seconds: float) -> Duration:
    return Duration(round(seconds * SECOND))


@pytest.mark.parametrize(
    ("waited", "took", "trip", "charged"),
    [
        (10.0, 10.0, 0.04, 0.0),
        (10.0, 9.2, 0.8, 0.0),  # the way explains it
        (10.0, 3.0, 0.04, 0.0),  # the way, a repetition and the hands do
        (10.0, 2.0, 0.04, 0.76),
        (30.0, 1.0, 0.04, 21.76),
        (30.0, 1.0, 60.0, 19.0),  # the way is credited up to its bound
        (3.0, 9.0, 0.04, 0.0),  # their clock says more than ours: it is theirs
    ],
)
def test_what_nothing_explains_is_charged(waited: float, took: float, trip: float, charged: float) -> None:
    found = charge(after(waited), after(took), [after(trip)], HANDS, NONE)
    assert found == round(charged * SECOND)


durations = st.integers(0, 10**9).map(Duration)


@given(durations, durations, st.lists(durations, max_size=16), durations, durations)
def test_credit_and_charge_are_the_wait(
    waited: Duration, took: Duration, trips: list[Duration], hands: Duration, outage: Duration
) -> None:
    credited = credit(waited, took, trips, hands, outage)
    assert credited + charge(waited, took, trips, hands, outage) == max(0, waited - took)
    assert 0 <= credited <= BOUND + hands + outage
