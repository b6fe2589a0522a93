"""How long somebody waits who looks at a page: from a touch at the emulated chips to the page that shows it.

The daemon's own service as in `edge_to_light`, its pages in their thread, and Chromium on the same machine with the
players' page open. The clock runs from the first raw edge of a touch to the change of the page's words because of it,
and to the frame that shows them; bounce, scan, calm and the journal are in it, and the tenth of a second that lies
between two news at least. Both clocks are the machine's.
"""

import asyncio
from collections.abc import Sequence
from datetime import timedelta
from random import Random
from typing import Final, NamedTuple

from playwright.async_api import async_playwright

from gnomon.timekeeping.instants import MILLISECOND, Instant
from gnomon_pi.pages.server import Room
from gnomon_pi.runtime.service import Orders
from tests.bench._figures import Spread, parser, say, say_machine
from tests.bench._live_daemon import Live, journal_disk, live
from tests.bench.edge_to_light import SETUP, Hands, Probes, Touch
from tests.bench.page_flood import in_a_thread, served
from tests.bench_page.visits import FLAGS
from tests.chromium import find_chromium

SAMPLES: Final = 150
BETWEEN: Final = 250 * MILLISECOND  # more than the page needs, so that no touch meets the news of the one before
LATEST: Final = 2_000 * MILLISECOND
WATCH: Final = """
window.seen = [];
const now = () => (performance.timeOrigin + performance.now()) * 1000;
const watching = new MutationObserver(() => {
    const changed = now();
    requestAnimationFrame(() => {
        const painted = new MessageChannel();
        painted.port1.onmessage = () => window.seen.push([changed, now()]);
        painted.port2.postMessage(null);
    });
});
for (const name of ["banner-title", "banner-hint", "plies"]) {
    watching.observe(document.getElementById(name), { childList: true, characterData: true, subtree: true });
}
"""
"""Notes when what the page says of the turn changes, in µs of wall time, and when the next frame has been shown.

What runs by itself between the news (the sand, the players' time) stands elsewhere on the page.
"""


class Seen(NamedTuple):
    """A touch that was seen: of what kind it was, and how many µs later the page had changed and showed it."""

    kind: str
    changed: float
    painted: float


class UnhurriedHands(Hands):
    """Hands that leave the page time between two touches."""

    def _moment(self) -> Instant:
        return Instant(super()._moment() + BETWEEN)


def matched(touches: Sequence[Touch], changes: Sequence[tuple[float, float]]) -> Sequence[Seen]:
    """For each touch the first change of the page after it; none that came later than could be because of it."""
    seen = []
    for touch in touches:
        change = next((change for change in changes if change[0] >= touch.began), None)
        if change is not None and change[0] - touch.began < LATEST:
            seen.append(Seen(touch.kind, change[0] - touch.began, change[1] - touch.began))
    return seen


async def measure(samples: int, seed: int, chromium: str) -> tuple[Sequence[Touch], Sequence[Seen]]:
    """Touch the table of a running daemon while its page is looked at."""
    async with (
        live(Orders(SETUP)) as table,
        served(table, in_a_thread(Room())) as port,
        async_playwright() as playwright,
    ):
        browser = await playwright.chromium.launch(executable_path=chromium, args=FLAGS.split())
        page = await browser.new_page()
        await page.goto(f"http://127.0.0.1:{port}/board")
        await page.locator("#board-view[data-live=yes]").wait_for()
        await page.evaluate(WATCH)
        hands = UnhurriedHands(table, Probes(table), asyncio.get_running_loop(), Random(seed))
        await asyncio.to_thread(hands.play, samples)
        await asyncio.sleep(1)
        changes = await page.evaluate("window.seen")
        await browser.close()
        return hands.touches, matched(hands.touches, [_raw(table, *change) for change in changes])


def _raw(table: Live, *walls: float) -> tuple[float, float]:
    """Instants of the page as those of the daemon's raw clock."""
    ahead = table.watch.wall().timestamp() * timedelta(seconds=1) / timedelta(microseconds=1) - table.watch.now()
    changed, painted = (wall - ahead for wall in walls)
    return changed, painted


def main() -> None:
    """Measure and print."""
    options = parser(__doc__)
    options.add_argument("--samples", type=int, default=SAMPLES, help="touches")
    given = options.parse_args()
    chromium = find_chromium()
    say_machine()
    say("journal on", journal_disk())
    touches, seen = asyncio.run(measure(3 if given.quick else given.samples, given.seed, chromium))
    for kind in dict.fromkeys(touch.kind for touch in touches):
        say(f"edge to page, {kind}", Spread.of([each.changed for each in seen if each.kind == kind]))
    say("edge to page, all", Spread.of([each.changed for each in seen]))
    say("edge to frame, all", Spread.of([each.painted for each in seen]))
    say("touches that the page did not show", len(touches) - len(seen))


if __name__ == "__main__":
    main()
