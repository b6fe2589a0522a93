"""Provide visits to the bench: a daemon, a browser's page, and what is done there."""

import re
import select
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from playwright.sync_api import ConsoleMessage, Locator, Page, Request, ViewportSize, expect

# A window of Chromium loads a page of its own for the list below its address bar, and starts a process for the next
# site: more than half of the processor time of a page, and nothing of it is ours. Chromium heeds the last list alone,
# so that those which Playwright switches off are named again.
SWITCHED_OFF: Final = (
    "WebUIOmniboxPopup",
    "WebUIOmniboxAimPopup",
    "WebUIOmniboxFullPopup",
    "PreloadTopChromeWebUI",
    "SpareRendererForSitePerProcess",
    # Playwright's
    "AimEnabled",
    "AvoidCorsURLLoaderRestartOnRedirect",
    "AvoidUnnecessaryBeforeUnloadCheckSync",
    "DestroyProfileOnBrowserClose",
    "HttpsFirstBalancedModeAutoEnable",
    "HttpsUpgrades",
    "LensOverlay",
    "MediaRouter",
    "NetworkTimeServiceQuerying",
    "OptimizationHints",
    "PaintHolding",
    "PreconnectToSearch",
    "TcpPortRandomizationWin",
    "ThirdPartyStoragePartitioning",
)
FLAGS: Final = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    f"--disable-component-update --disable-sync --disable-features={','.join(SWITCHED_OFF)}"
)
TIMED: Final = 3  # the level of TAMSK with the 15-second glass
PHONE: Final[ViewportSize] = {"width": 390, "height": 844}
TABLET: Final[ViewportSize] = {"width": 820, "height": 1180}
DESK: Final[ViewportSize] = {"width": 1280, "height": 800}
WALL: Final[ViewportSize] = {"width": 1920, "height": 1080}
PATIENCE: Final = 60_000  # ms; a bound for a machine in trouble, never waited for

# What a finger misses (WCAG 2.2, success criterion 2.5.5). All at one moment: buttons come and go with the news.
SMALL_BUTTONS: Final = """() => [...document.querySelectorAll("button")].filter((one) => one.checkVisibility())
    .map((one) => [one.textContent, one.getBoundingClientRect()])  // not rounded
    .filter(([, box]) => Math.min(box.width, box.height) < 44).map(([text, box]) => [text, box.width, box.height])"""

SEND_FORM: Final = """async ([to, fields]) => {
    const csrf = document.querySelector("meta[name=csrf]").content;
    return (await fetch(to, { method: "POST", body: new URLSearchParams({ csrf, ...fields }) })).url;
}"""

expect.set_options(timeout=PATIENCE)


@dataclass
class Daemon:
    """The command gnomond with its simulated board, its journal in a folder of its own."""

    folder: Path
    board: str = "tamsk"
    more: tuple[str, ...] = ()
    port: int = 0
    process: subprocess.Popen[str] | None = None

    @property
    def site(self) -> str:
        return f"http://127.0.0.1:{self.port}/"

    @property
    def address(self) -> str:
        return f"{self.site}bench/"

    def start(self) -> None:
        self.process = subprocess.Popen(
            [
                *(sys.executable, "-m", "gnomon_pi.cli.daemon", "--board", self.board, "--simulated"),
                *("--port", str(self.port), "--journal", str(self.folder / "journal.db"), *self.more),
            ],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        assert self.process.stdout is not None
        said = ""
        while not (found := re.search(r"http://127\.0\.0\.1:(\d+)/", said)):
            ready, _, _ = select.select([self.process.stdout], [], [], PATIENCE / 1000)
            line = self.process.stdout.readline() if ready else ""
            assert line, f"gnomond gave no address, but said: {said}"
            said += line
        self.port = int(found[1])

    def stop(self) -> None:
        if self.process is None:
            return
        self.process.send_signal(signal.SIGTERM)
        self.process.communicate(timeout=PATIENCE / 1000)
        self.process = None


@dataclass
class Visit:
    """One open page, what the browser complained of and whom it asked."""

    page: Page
    daemon: Daemon
    complaints: list[str] = field(default_factory=list)
    outside: list[str] = field(default_factory=list)

    def listen(self) -> None:
        self.page.on("console", self._heard)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("request", self._asked)

    def _heard(self, said: ConsoleMessage) -> None:
        if said.type == "error":
            self.complaints.append(said.text)

    def _asked(self, request: Request) -> None:
        if not request.url.startswith(self.daemon.site):
            self.outside.append(request.url)

    def space(self, name: str) -> Locator:
        return self.page.locator(f"[data-space={name}]")

    def start(self, game: str, **fields: str) -> None:
        """Send the form of a new game from this page, without looking at it, and give up an unfinished one."""
        wish = {"game": game, "at": "bench", "abandon": "yes", **fields}
        assert self.page.evaluate(SEND_FORM, ["/board/new", wish]) == self.daemon.address
        # The title alone may still be that of the game before.
        expect(self.page.locator("#plies li")).to_have_text(["none yet"])

    def begin(self, level: int = 1, temperament: str = "assistant") -> None:
        """Start a game of TAMSK."""
        self.start("tamsk", level=str(level), temperament=temperament)
        expect(self.title).to_have_text("Red begins")
        # An earlier game may have begun so, too.
        expect(self.page.locator("#timer")).to_be_visible(visible=level == TIMED)

    @property
    def title(self) -> Locator:
        return self.page.locator("#banner-title")

    @property
    def newest_ruling(self) -> Locator:
        return self.page.locator("#rulings li").first

    def middle(self, what: Locator, down: float = 0.5) -> tuple[float, float]:
        expect(what).to_be_visible()
        box = what.bounding_box()
        assert box is not None
        return box["x"] + box["width"] / 2, box["y"] + box["height"] * down

    def drag(self, start: tuple[float, float], end: tuple[float, float]) -> None:
        mouse = self.page.mouse
        mouse.move(*start)
        mouse.down()
        mouse.move((start[0] + end[0]) / 2, (start[1] + end[1]) / 2, steps=4)
        mouse.move(*end, steps=4)
        mouse.up()

    def tile(self, name: str) -> tuple[float, float]:
        return self.middle(self.space(name).locator("[data-part=plate]"), 0.75)


Open = Callable[..., Visit]


@contextmanager
def started(folder: Path, board: str = "tamsk", *more: str) -> Iterator[Daemon]:
    """A daemon that runs meanwhile; hands that play by themselves hardly think, so that nobody waits for them."""
    daemon = Daemon(folder, board, ("--hurried", *more))
    daemon.start()
    try:
        yield daemon
    finally:
        daemon.stop()
