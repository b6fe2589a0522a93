"""Takes the moving picture of the bench for the README: `python -m tests.bench_page.picture [FILE] [--dark]`.

A game on the real daemon, played with the mouse in a minute and a half; nothing is drawn by hand.
"""

import sys
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, Literal

from PIL import Image
from playwright.sync_api import Page, ViewportSize, expect, sync_playwright

from tests.bench_page.visits import FLAGS, Daemon, Visit
from tests.chromium import find_chromium

PICTURE: Final = Path(__file__).parents[2] / "docs" / "pictures" / "bench.webp"
SIZE: Final[ViewportSize] = {"width": 1280, "height": 800}
SMALL: Final = (960, 600)
OPENING: Final = "D1-D2 A1-B2 A4-B4 D7-D6 G4-F4 G1-F2"
THEN: Final = "D2-D3 B2-C3 F4-E4 D6-D5"
AT_LAST: Final = "B4-A3 F2-G2 D3-D4 C3-C4 E4-E5 D5-C5"
LIT: Final = "() => getComputedStyle(document.querySelector('[data-space=D3] [data-part=lamp]')).opacity > 0.5"
A_WHILE: Final = 45_000  # ms, for the sand to run
A_MOMENT: Final = 9_000
A_LOOK: Final = 250  # until lights and display show a touch
A_TOUCH: Final = 900  # for so long the picture shows what a touch has changed
A_BLINK: Final = 500
BLINKS: Final = 8


def look_away(_: int) -> None:
    """Photograph nothing."""


def turn(visit: Visit, text: str, look: Callable[[int], None] = look_away) -> None:
    """Play a turn with the mouse: carry the glass, drop a ring; `look` sees it, and for how many milliseconds."""
    origin, target = text.split("-")
    turns = visit.page.locator("#plies li[data-player]").count()
    visit.drag(visit.tile(origin), visit.tile(target))
    visit.page.wait_for_timeout(A_LOOK)
    look(A_TOUCH)
    visit.page.get_by_role("button", name=f"Drop a ring on {target}").click()
    expect(visit.page.locator("#plies li[data-player]")).to_have_count(turns + 1)
    visit.page.wait_for_timeout(A_LOOK)
    look(A_TOUCH)


def play(page: Page, daemon: Daemon, look: Callable[[int], None]) -> None:
    """Play until something is going on: Black hurries Red, whose glass is in the air. The last turns are looked at."""
    visit = Visit(page, daemon)
    page.goto(daemon.address)
    visit.begin(level=3, temperament="coach")
    for line, wait in ((OPENING, A_WHILE), (THEN, A_MOMENT), (AT_LAST, 0)):
        for text in line.split():
            turn(visit, text, look if line == AT_LAST else look_away)
        page.wait_for_timeout(wait)
    page.locator("#timer-glass").click()
    expect(page.locator("#timer-hint")).to_have_text("hurries Red")
    page.mouse.click(*visit.tile("D4"))
    expect(visit.title).to_have_text("Red: a glass is in the air")
    expect(page.locator("#timer-number")).to_have_text("12")
    page.wait_for_function(LIT)
    for _ in range(BLINKS):
        look(A_BLINK)
        page.wait_for_timeout(A_BLINK)


def main(arguments: list[str]) -> None:
    """Take the picture."""
    files = [Path(argument) for argument in arguments if not argument.startswith("--")]
    with TemporaryDirectory() as folder, sync_playwright() as playwright:
        daemon = Daemon(Path(folder))
        daemon.start()
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=FLAGS.split())
        scheme: Literal["dark", "light"] = "dark" if "--dark" in arguments else "light"
        page = browser.new_page(viewport=SIZE, color_scheme=scheme)
        frames: list[Image.Image] = []
        lengths: list[int] = []

        def look(length: int) -> None:
            frames.append(Image.open(BytesIO(page.screenshot())).convert("RGB").resize(SMALL, Image.Resampling.LANCZOS))
            lengths.append(length)

        try:
            play(page, daemon, look)
        finally:
            browser.close()
            daemon.stop()
    first, *rest = frames
    path = files[0] if files else PICTURE
    first.save(path, save_all=True, append_images=rest, duration=lengths, loop=0, quality=70, method=6)


if __name__ == "__main__":
    main(sys.argv[1:])
