"""What the real drivers cost on the emulated chips, so that virtual time stays thousands of times faster than real.

Prints the best of several runs and ends with 1 when a call costs more than it may.
"""

import sys
import timeit
from collections.abc import Callable
from typing import Final

from PIL import Image

from gnomon_pi.config import bundled
from gnomon_pi.simulated.board import SimulatedBoard

CALLS: Final = 2_000
RUNS: Final = 5


def best(call: Callable[[], object]) -> float:
    """The cost of one call in microseconds."""
    return min(timeit.repeat(call, number=CALLS, repeat=RUNS)) / CALLS * 1_000_000


def main() -> int:
    """Measure, print, and compare with what is allowed."""
    board = SimulatedBoard(bundled("tamsk"), now=lambda: 0, later=lambda _seconds, _call: None)
    sensors, display, lights = board.drivers.sensors, board.drivers.display, board.drivers.lights
    assert display is not None
    assert lights is not None
    colours = [(number, 2 * number, 3 * number) for number in range(37)]
    pictures = [Image.new("1", (128, 64)) for _ in range(2)]
    pictures[1].putpixel((64, 32), 1)
    turns = 0

    def changed() -> None:
        nonlocal turns
        turns += 1
        board.set_input("D4.north", turns % 2 == 0)
        sensors.scan()

    def redrawn() -> None:
        nonlocal turns
        turns += 1
        display.show(pictures[turns % 2])

    over = False
    for what, call, allowed in (
        ("a scan in which nothing changed", sensors.scan, 25),
        ("a scan in which one input changed", changed, 60),
        ("37 lights", lambda: lights.show(colours), 60),
        ("a picture with one changed pixel", redrawn, 500),
        ("the same picture again", lambda: display.show(pictures[0]), 500),
    ):
        cost = best(call)
        over = over or cost > allowed
        print(f"{what:36}{cost:8.1f} µs, allowed {allowed} µs")
    board.close()
    return int(over)


if __name__ == "__main__":
    sys.exit(main())
