"""How much faster than real time whole games of level 3 run in virtual time, and what display and disk add to it.

The daemon of the tests: hands, emulated chips, real drivers, scans, debouncing, referee, journal and views; time
jumps to the next thing that happens. Measured from the making of the score to the last grain, in processor time of the
process, which other programs on the machine do not lengthen; the disk is waited for, so that kind is measured by the
clock, too. The factor is virtual seconds for each second of that, over all games of a kind.
"""

import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final

from gnomon.records.journal.writer import Journal
from gnomon_pi.runtime._journal_writer import EventStore
from tests.bench._figures import parser, progress, say, say_machine
from tests.bench._live_daemon import journal_disk
from tests.virtual_daemon import play_virtual

SETTINGS: Final[Mapping[str, object]] = {"level": 3}
GAMES: Final = 30
KINDS: Final[Mapping[str, Mapping[str, bool]]] = {
    "lights and sound": {"display": False, "disk": False},
    "lights, sound and display": {"display": True, "disk": False},
    "lights, sound, journal on disk": {"display": False, "disk": True},
}


def measure(games: int, seed: int, *, display: bool, disk: bool) -> str:
    """Play so many games and say how fast."""
    virtual, processor, clock, slowest = 0.0, 0.0, 0.0, 0.0
    for number in range(games):
        with _journal(disk=disk) as store:
            begun, begun_clock = time.process_time(), time.perf_counter()
            played = play_virtual(SETTINGS, seed + number, store=store, with_display=display)
            taken, waited = time.process_time() - begun, time.perf_counter() - begun_clock
        virtual += played.daemon.watch.now() / 1_000_000
        processor, clock, slowest = processor + taken, clock + waited, max(slowest, taken)
        progress(f"game {number + 1} of {games}")
    progress("")
    return (
        f"{virtual / processor:7,.0f} x in processor time, {virtual / clock:7,.0f} x by the clock; "
        f"a game: {virtual / games:5.0f} s in {1000 * processor / games:5.0f} ms, the slowest in {1000 * slowest:.0f}"
    )


@contextmanager
def _journal(*, disk: bool) -> Iterator[EventStore | None]:
    """A journal on disk, or None for one in memory."""
    if not disk:
        yield None
        return
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="gnomon-bench-"))
        yield stack.enter_context(Journal.open(Path(folder, "journal")))


def main() -> None:
    """Measure and print."""
    options = parser(__doc__)
    options.add_argument("--games", type=int, default=GAMES, help="of each kind")
    given = options.parse_args()
    say_machine()
    say("journal on", journal_disk())
    if not given.quick:
        play_virtual(SETTINGS, given.seed)  # once for what is loaded when it is first used
    for label, kind in KINDS.items():
        say(label, measure(1 if given.quick else given.games, given.seed, **kind))


if __name__ == "__main__":
    main()
