"""What the real drivers cost on the emulated chips: virtual time makes each of these calls thousands of times.

Prints the best of several runs, which other programs on the machine disturb least.
"""

import timeit
from collections.abc import Callable
from typing import Final

from PIL import Image

from gnomon_pi.config import load_bundled
from gnomon_pi.simulated.board import SimulatedBoard
from tests.bench._figures import parser, say, say_machine

CALLS: Final = 2_000
RUNS: Final = 5


def best(call: Callable[[], object], calls: int) -> str:
    """The cost of one call."""
    return f"{min(timeit.repeat(call, number=calls, repeat=RUNS)) / calls * 1_000_000:8.1f} µs"


def main() -> None:
    """Measure and print."""
    options = parser(__doc__)
    options.add_argument("--calls", type=int, default=CALLS, help="in each run")
    given = options.parse_args()
    calls = 50 if given.quick else given.calls
    say_machine()
    board = SimulatedBoard(load_bundled("tamsk"), now=lambda: 0, later=lambda _seconds, _call: None)
    sensors, display, lights = board.drivers.sensors, board.drivers.display, board.drivers.lights
    assert sensors is not None
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

    say("a scan in which nothing changed", best(sensors.scan, calls))
    say("a scan in which one input changed", best(changed, calls))
    say("37 lights", best(lambda: lights.show(colours), calls))
    say("a picture with one changed pixel", best(redrawn, calls))
    say("the same picture again", best(lambda: display.show(pictures[0]), calls))
    board.close()


if __name__ == "__main__":
    main()
