"""How heavy each page is, and how soon it is seen: bytes and requests of a browser that has kept nothing.

The daemon as a process of its own, with a game of TAMSK that hands play on the simulated board, and Chromium on the
same machine, so that the network takes no time. Bytes are those on the wire with their headers; a page is there when
the browser has painted the first of it, and live when it has shown the first news of the board.
"""

import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from time import sleep
from typing import Any, Final, NamedTuple

from playwright.sync_api import Browser, sync_playwright

from gnomon.web.middleware.limits import Allowance
from tests.bench._figures import MILLISECOND, Spread, parser, say, say_machine
from tests.bench_page.visits import DESK, FLAGS, PATIENCE, started
from tests.chromium import find_chromium

PAGES: Final = {
    "/": "[data-live=yes]",
    "/board": "#board-view[data-live=yes]",
    "/board/new": "",
    "/clock": "[data-live=yes]",
    "/watch": "#board-view[data-live=yes]",
    "/overlay": "#overlay:not([hidden])",
    "/games": "",
    "/desk": "[data-live=yes]",
    "/help": "",
    "/sign-in": "",
    "/bench/": "",
}
"""The pages, and what is there once they are live; those without a stream are live as soon as they are loaded."""
FEW: Final = ("/", "/board")
ROUNDS: Final = 8
KIB: Final = 1024
GAME: Final = ("--level", "2", "--let-it-play", "--set", "opponent=none", "--seed", "1")
PAINTED: Final = """() => new Promise((done) => new PerformanceObserver((list) => done(list.getEntries()[0].startTime))
    .observe({ type: "paint", buffered: true }))"""


class View(NamedTuple):
    """One visit: bytes on the wire, requests, and µs from the first request to what was seen."""

    weight: int
    requests: int
    painted: float
    live: float


def visited(browser: Browser, address: str, sign: str) -> View:
    """Open a page in a browser that has kept nothing."""
    context = browser.new_context(viewport={"width": DESK["width"], "height": DESK["height"]}, service_workers="block")
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    wire = context.new_cdp_session(page)
    loaded: list[float] = []
    streams: set[str] = set()

    def answered(event: Mapping[str, Any]) -> None:
        if event["response"]["mimeType"] == "text/event-stream":
            streams.add(event["requestId"])

    wire.on("Network.responseReceived", answered)
    wire.on(
        "Network.loadingFinished",
        lambda event: None if event["requestId"] in streams else loaded.append(event["encodedDataLength"]),
    )
    wire.send("Network.enable")
    page.goto(address, wait_until="load")
    if sign:
        page.locator(sign).first.wait_for()
    live = page.evaluate("performance.now()")
    painted = page.evaluate(PAINTED)
    context.close()
    return View(round(sum(loaded)), len(loaded) + len(streams), painted * MILLISECOND, live * MILLISECOND)


def measure(rounds: int, pages: Sequence[str]) -> Mapping[str, Sequence[View]]:
    """Every visit to each page, round after round."""
    chromium = find_chromium()
    views: dict[str, list[View]] = {page: [] for page in pages}
    with (
        tempfile.TemporaryDirectory(prefix="gnomon-bench-") as folder,
        started(Path(folder), "tamsk", *GAME) as daemon,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS.split())
        for _ in range(rounds):
            for page in pages:
                view = visited(browser, f"{daemon.site.rstrip('/')}{page}", PAGES[page])
                views[page].append(view)
                sleep(0 if rounds == 1 else view.requests / Allowance().rate)  # else the daemon refuses to be asked
        browser.close()
    return views


def main() -> None:
    """Measure and print."""
    options = parser(__doc__)
    options.add_argument("--rounds", type=int, default=ROUNDS, help="visits to each page")
    given = options.parse_args()
    say_machine()
    for page, views in measure(1 if given.quick else given.rounds, FEW if given.quick else tuple(PAGES)).items():
        heaviest = max(views, key=lambda view: view.weight)
        say(page, f"{heaviest.weight / KIB:.1f} KiB in {heaviest.requests} requests")
        say("  first paint", Spread.of([view.painted for view in views]))
        say("  live, or loaded", Spread.of([view.live for view in views]))


if __name__ == "__main__":
    main()
