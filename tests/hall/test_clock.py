"""The tests of the hall's own clock."""

import time

from gnomon.hall.clock import monotonic_now


def test_the_halls_clock_counts_the_time_that_its_machine_has_slept() -> None:
    before = time.clock_gettime_ns(time.CLOCK_BOOTTIME) // 1000
    assert before <= monotonic_now() <= monotonic_now() <= time.clock_gettime_ns(time.CLOCK_BOOTTIME) // 1000
