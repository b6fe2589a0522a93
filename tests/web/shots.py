"""List all pages, states, sizes and schemes, and visit and photograph each.

    python -m tests.web.shots [--into FOLDER] [part of a name …]

visits every one, says what is wrong with it, and writes the pictures of docs/pages.md, or all of them into a folder.
"""

import argparse
import sys
import tempfile
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from typing import Final, NamedTuple, NoReturn, Protocol, cast

from axe_playwright_python.sync_playwright import Axe
from PIL import Image
from playwright.sync_api import Browser, ConsoleMessage, Page, ViewportSize, expect, sync_playwright
from playwright.sync_api import Error as PlaywrightError

from gnomon.web.access import Role
from tests.bench_page.visits import DESK, FLAGS, PATIENCE, PHONE, TABLET, WALL
from tests.chromium import find_chromium
from tests.web.street import opened

ROOT: Final = Path(__file__).parents[2]
PICTURES: Final = ROOT / "docs" / "pictures" / "pages"
LYING: Final[ViewportSize] = {"width": 844, "height": 390}
SIZES: Final = {"phone": PHONE, "lying": LYING, "tablet": TABLET, "desk": DESK, "wall": WALL}
COLOURS: Final = 128  # half of those of a picture
WIDEST: Final = 1280  # pixels of a picture; a wall is shown smaller
SILENCE: Final = 6000  # ms without news after which a page says that it is not live
STILL: Final = 250  # ms in which nothing moves any more
LOOKS: Final = 20
TABS: Final = 80  # more than any page has controls before the first one comes again
AXE: Final = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}
LOOK: Final = (Path(__file__).parent / "inspection.js").read_text(encoding="utf-8")
PLACES: Final = """[...document.querySelectorAll("a, button, input, h1, h2, li")].map((part) => {
    const box = part.getBoundingClientRect();
    return [box.x, box.y, box.width, box.height].map(Math.round).join();
}).join(" ")"""
LISTEN: Final = """document.addEventListener("securitypolicyviolation",
    (event) => console.error(`policy: ${event.violatedDirective} ${event.blockedURI}`))"""
COMES_INTO_VIEW: Final = """new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => {
  const box = document.activeElement.getBoundingClientRect();
  done(box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth);
})))"""
FOCUS: Final = (Path(__file__).parent / "focus.js").read_text(encoding="utf-8")


class Shot(NamedTuple):
    """A page in a state, as somebody sees it; `opens` is clicked before it is looked at."""

    name: str
    path: str
    state: str = "empty"
    size: str = "desk"
    scheme: str = "light"
    language: str = "en"
    role: Role = Role.SPECTATOR
    opens: str = ""
    is_live: bool = True
    in_docs: bool = False


class Houses(Protocol):
    """Where pages are visited: the address of each state, and the cookies of the people who are expected there."""

    @property
    def cookies(self) -> Mapping[tuple[str, Role], Mapping[str, str]]:
        """By state and role."""
        ...

    def address(self, state: str) -> str:
        """Where a state is served."""
        ...


PLAYER: Final = Role.PLAYER
ARBITER: Final = Role.ARBITER
ZOE: Final = "Zo%C3%AB+Kaya"

SHOTS: Final = (
    Shot("landing", "/", "empty", "phone", in_docs=True),
    Shot("landing-desk-dark", "/", "level2-play", "desk", "dark", in_docs=True),
    Shot("landing-admin", "/", "empty", "tablet", "light", "fr", Role.ADMIN),
    Shot("landing-wall-german", "/", "level2-play", "wall", "light", "de"),
    Shot("board-empty", "/board", "empty", "phone", role=PLAYER, in_docs=True),
    Shot("board-begins", "/board", "level1-start", "tablet", "dark", "de", PLAYER),
    Shot("board-running", "/board", "level2-play", "phone", role=PLAYER, in_docs=True),
    Shot("board-running-tablet", "/board", "level3-countdown", "tablet", "dark", "fr", PLAYER, in_docs=True),
    Shot("board-in-hand", "/board", "level2-in-hand-coach", "desk", role=PLAYER),
    Shot("board-wrong", "/board", "refused", "phone", "dark", role=PLAYER, in_docs=True),
    Shot("board-wrong-german", "/board", "refused", "desk", "light", "de", PLAYER),
    Shot("board-question", "/board", "question-of-three", "phone", "light", "fr", PLAYER, in_docs=True),
    Shot("board-paused", "/board", "paused", "tablet", role=PLAYER, in_docs=True),
    Shot("board-over", "/board", "over-red", "phone", "light", "de", PLAYER, in_docs=True),
    Shot("board-trouble", "/board", "trouble", "desk", "dark", "de", PLAYER, in_docs=True),
    Shot("board-not-live", "/board", "level2-play", "phone", "dark", "fr", PLAYER, is_live=False, in_docs=True),
    Shot("board-tabik", "/board", "tabik-play", "tablet", role=PLAYER),
    Shot("board-tau", "/board", "tau-play", "phone", "dark", role=PLAYER),
    Shot("board-tayu", "/board", "tayu-play", "desk", "light", "fr", PLAYER, in_docs=True),
    Shot("board-twenty-squares", "/board", "counters-play", "phone", "light", "de", PLAYER),
    Shot("learn", "/learn", "empty", "tablet", "light", "de", in_docs=True),
    Shot("lesson", "/learn/tabik/first?step=3&answer=a1~b1", "empty", "phone", in_docs=True),
    Shot("lesson-bid", "/learn/tau/first", "empty", "desk", "dark", "fr"),
    Shot("lesson-right", "/learn/tamsk/first?step=1&answer=D1-D2", "empty", "desk", "dark", "de", in_docs=True),
    Shot("rules-phone", "/rules/tabik", "empty", "phone", "light", "fr"),
    Shot("new-game", "/board/new", "empty", "phone", role=PLAYER, in_docs=True),
    Shot("new-game-desk", "/board/new", "level2-play", "desk", "dark", "de", PLAYER, in_docs=True),
    Shot("new-game-form", "/board/new?game=tamsk", "empty", "phone", "dark", "fr", PLAYER, in_docs=True),
    Shot("new-game-tayu", "/board/new?game=tayu", "level2-play", "tablet", "light", "de", PLAYER),
    Shot("board-by-hand", "/board", "tabik-play", "phone", "dark", "de", PLAYER, opens="#by-hand summary"),
    Shot("clock", "/clock", "level3-countdown", "phone", in_docs=True),
    Shot("clock-tablet-dark", "/clock", "level2-play", "tablet", "dark", "de"),
    Shot("clock-over", "/clock", "over-black", "phone", "dark", "fr"),
    Shot("clock-not-live", "/clock", "level2-play", "phone", is_live=False),
    Shot("clock-match", "/clock", "clock-alone-left", "phone", role=PLAYER, in_docs=True),
    Shot("clock-match-start", "/clock", "clock-alone-start", "phone", "dark", "de", PLAYER),
    Shot("clock-match-lying", "/clock", "clock-alone-to-go", "lying", "light", "fr", PLAYER),
    Shot("clock-match-paused", "/clock", "clock-alone-paused", "tablet", "dark", "fr", PLAYER),
    Shot("clock-match-low", "/clock", "clock-alone-tenths", "lying", "dark", "en", PLAYER),
    Shot("clock-match-flag", "/clock", "clock-alone-flag-shown", "wall", "light", "de"),
    Shot("clock-match-byo-yomi", "/clock", "clock-alone-byo-yomi", "wall", "dark", in_docs=True),
    Shot("clock-match-over", "/clock", "clock-alone-flag", "phone", "light", "fr", PLAYER),
    Shot("clock-match-delay", "/clock", "clock-alone-delay", "desk", "light", "de", PLAYER),
    Shot("clock-match-beside", "/clock", "clock-beside-tenths", "desk", "dark", "en", PLAYER),
    Shot("clock-match-tamsk", "/clock", "clock-tamsk-running", "tablet", "light", "de", in_docs=True),
    Shot("clock-match-tamsk-phone", "/clock", "clock-tamsk-flag", "phone", "dark"),
    Shot("clock-match-not-live", "/clock", "clock-alone-left", "lying", "light", "de", PLAYER, is_live=False),
    Shot("board-clock", "/board", "clock-beside-running", "phone", "light", "de", PLAYER, in_docs=True),
    Shot("board-clock-tamsk", "/board", "clock-tamsk-running", "desk", "dark", "fr", PLAYER),
    Shot("board-clock-alone", "/board", "clock-alone-flag-shown", "tablet", "light", "fr", PLAYER),
    Shot("watch-clock", "/watch", "clock-beside-tenths", "wall", "dark", "de"),
    Shot("overlay-clock", "/overlay?ground=dark", "clock-beside-tenths", "desk"),
    Shot("overlay-clock-tamsk", "/overlay?ground=light", "clock-tamsk-running", "desk", "light", "fr"),
    Shot("new-game-clock", "/board/new?game=clock", "empty", "phone", "light", "de", PLAYER, in_docs=True),
    Shot("new-game-clock-more", "/board/new?game=clock", "empty", "desk", "dark", "fr", PLAYER, ".clock-sheet summary"),
    Shot(
        "desk-clock",
        "/desk",
        "clock-beside-running",
        "desk",
        "light",
        "en",
        ARBITER,
        "#act-clock summary",
        in_docs=True,
    ),
    Shot("desk-clock-tablet", "/desk", "clock-alone-byo-yomi", "tablet", "dark", "de", ARBITER),
    Shot(
        "desk-clock-flag", "/desk", "clock-alone-flag-shown", "phone", "light", "fr", ARBITER, "#act-clock-flag summary"
    ),
    Shot("desk-clock-tamsk", "/desk", "clock-tamsk-running", "tablet", "light", "fr", ARBITER),
    Shot("watch-empty", "/watch", "empty", "desk", "dark", "de"),
    Shot("watch", "/watch", "level2-play", "wall", in_docs=True),
    Shot("watch-wall-dark", "/watch", "level3-countdown", "wall", "dark", "fr", in_docs=True),
    Shot("watch-phone", "/watch", "counters-play", "phone", "dark", "de", in_docs=True),
    Shot("watch-over", "/watch", "over-black", "tablet", "light", "fr"),
    Shot("watch-tayu", "/watch", "tayu-play", "wall", "dark"),
    Shot("overlay", "/overlay?ground=dark", "level3-countdown", "desk", in_docs=True),
    Shot("games", "/games", "empty", "desk", in_docs=True),
    Shot("games-phone", "/games", "empty", "phone", "dark", "de", in_docs=True),
    Shot("games-none", "/games?text=nobody", "empty", "phone", "light", "fr"),
    Shot("replay", "/games/2", "empty", "desk", "light", "fr", in_docs=True),
    Shot("replay-phone", "/games/1", "empty", "phone", "dark", in_docs=True),
    Shot("guess-phone", "/guess/1", "empty", "phone", role=PLAYER),
    Shot("guess", "/guess/4", "empty", "desk", "dark", "de", PLAYER),
    Shot("guess-none-missing", "/guess/2", "empty", "phone", "light", "de", PLAYER),
    Shot("replay-missing", "/games/99", "empty", "phone", "light", "de"),
    Shot("analysis", "/games/1/analysis", "empty", "desk", in_docs=True),
    Shot("analysis-phone", "/games/1/analysis", "empty", "phone", "dark", "de", in_docs=True),
    Shot("analysis-tablet", "/games/1/analysis", "empty", "tablet", "light", "fr"),
    Shot("analysis-none", "/games/4/analysis", "empty", "phone", "light", "en", PLAYER),
    Shot("solved", "/solved/tabik?size=3", "empty", "desk"),
    Shot("solved-phone", "/solved/tabik?turns=b1c1.b2c2&pie=yes", "empty", "phone", "dark", "de", PLAYER),
    Shot("puzzles", "/puzzles", "empty", "tablet", "light", "de"),
    Shot("sign-in", "/sign-in", "empty", "phone", in_docs=True),
    Shot("sign-in-dark", "/sign-in", "empty", "tablet", "dark", "fr"),
    Shot("signed-in", "/sign-in", "empty", "phone", "light", "de", ARBITER),
    Shot("players", "/players", "empty", "desk", role=ARBITER, in_docs=True),
    Shot("players-phone", "/players", "empty", "phone", "dark", "de", ARBITER),
    Shot("players-tablet", "/players", "empty", "tablet", "light", "fr", ARBITER),
    Shot("players-wall", "/players", "empty", "wall", "dark", "fr", ARBITER),
    Shot("player", f"/players/person?name={ZOE}", "empty", "phone", role=ARBITER, in_docs=True),
    Shot("player-forget", f"/players/person?name={ZOE}", "empty", "tablet", "dark", "fr", ARBITER, ".players summary"),
    Shot("player-wall", f"/players/person?name={ZOE}", "empty", "wall", "light", "de", ARBITER),
    Shot("player-versus", f"/players/person?name={ZOE}&other=%C3%89mile+Roux", "empty", "phone", "dark", "de", ARBITER),
    Shot("people", "/people", "empty", "desk", "light", "de", Role.ADMIN, in_docs=True),
    Shot("people-change", "/people", "empty", "phone", "light", "fr", Role.ADMIN, opens="details summary"),
    Shot("people-phone", "/people", "empty", "phone", "dark", "en", Role.ADMIN),
    Shot("desk", "/desk", "refused", "desk", role=ARBITER, in_docs=True),
    Shot("desk-dark", "/desk", "level3-countdown", "tablet", "dark", "de", ARBITER, in_docs=True),
    Shot("desk-phone", "/desk", "question", "phone", "light", "fr", ARBITER, in_docs=True),
    Shot("desk-tayu", "/desk", "tayu-play", "desk", "dark", "de", ARBITER),
    Shot("desk-form", "/desk", "level2-play", "phone", "light", "de", ARBITER, opens=".act summary", in_docs=True),
    Shot("desk-over", "/desk", "over-red", "tablet", role=ARBITER),
    Shot("desk-empty", "/desk", "empty", "desk", role=ARBITER),
    Shot("help", "/help", "empty", "phone", "light", "de", in_docs=True),
    Shot("help-dark", "/help", "level2-play", "desk", "dark", "fr"),
    Shot("connect", "/connect", "empty", "tablet", in_docs=True),
    Shot("connect-phone", "/connect", "empty", "phone", "dark", "de"),
    Shot("rules", "/rules/tamsk", "empty", "phone", "dark", in_docs=True),
    Shot("guide", "/guides/install", "empty", "desk"),
    Shot("no-such-page-missing", "/nowhere", "empty", "phone", "light", "fr"),
    Shot("not-live", "/not-live", "empty", "phone", "dark", "fr"),
)
"""Every page, and every state in which it looks different; the sizes, schemes and languages are dealt out over them."""


@dataclass
class Visit:
    """A page that is open, and what the browser and the eye complain of."""

    page: Page
    shot: Shot
    site: str
    faults: list[str] = field(default_factory=list)

    def listen(self) -> None:
        """Hear what the browser says."""
        self.page.on("console", self._hear)
        self.page.on("pageerror", lambda error: self._complain(str(error)))
        self.page.on("request", lambda asked: self._asked(asked.url))

    def _hear(self, said: ConsoleMessage) -> None:
        if said.type == "error":
            self._complain(f"{said.text} ({said.location['url'].removeprefix(self.site)})")

    def _asked(self, url: str) -> None:
        if not url.startswith((f"{self.site}/", "data:", "blob:")):
            self.faults.append(f"asks {url}")

    def _complain(self, text: str) -> None:
        is_meant = not self.shot.is_live or self.shot.name.endswith("missing")  # a request fails, and is to
        if not (is_meant and text.startswith("Failed to load resource")):
            self.faults.append(f"the browser says: {text}")

    def arrive(self) -> None:
        """Open the page and wait until it shows what is on the board."""
        page, shot = self.page, self.shot
        page.add_init_script(LISTEN)
        if not shot.is_live:
            page.clock.install()
        page.goto(f"{self.site}{shot.path}", wait_until="load")
        page.evaluate("document.fonts.ready.then(() => true)")
        if shot.path.startswith("/overlay"):
            expect(page.locator("#overlay")).to_be_visible()  # it is not there before there is something to show
        live = page.locator("[data-live]").first
        if live.count():
            expect(live).to_have_attribute("data-live", "yes")
        if not shot.is_live:
            page.route("**/events*", lambda route: route.abort())
            page.clock.fast_forward(SILENCE)
            expect(live).to_have_attribute("data-live", "no")
        if shot.opens:
            page.locator(shot.opens).first.click()
        page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        self._settle()

    def _settle(self) -> None:
        """Wait until everything stands where it stays: a wall arranges its tiles again when it hears of a round."""
        before = ""
        for _ in range(LOOKS):
            places = self.page.evaluate(PLACES)
            if places == before:
                return
            before = places
            self.page.wait_for_timeout(STILL)

    def look(self) -> None:
        """Judge the page as it stands: by our own rules, and by those of axe for people who cannot see or point."""
        self.faults += self.page.evaluate(LOOK)
        found = Axe().run(self.page, options=AXE).response["violations"]
        self.faults += [f"axe, {each['id']}: {node['html'][:120]}" for each in found for node in each["nodes"]]

    def walk_by_keyboard(self) -> None:
        """Go through all controls with the Tab key: each comes once, is in the window and seen to have the focus."""
        met: list[str] = []
        for _ in range(TABS):
            self.page.keyboard.press("Tab")
            here = self.page.evaluate(FOCUS)
            if here is None or here["number"] < len(met):
                break
            met.append(here["name"])
            if not here["visible"]:
                self.faults.append(f"“{here['name']}” does not show that it has the focus")
            # A row that is laid out only now, because it came into view, may move what has the focus for a frame.
            if not here["inside"] and not self.page.evaluate(COMES_INTO_VIEW):
                self.faults.append(f"“{here['name']}” has the focus outside the window")
        self.page.evaluate("document.activeElement?.blur()")


@contextmanager
def visiting(browser: Browser, street: Houses, shot: Shot) -> Iterator[Visit]:
    """Open a page for somebody who wants nothing to move."""
    site = street.address(shot.state)
    context = browser.new_context(
        viewport=SIZES[shot.size],
        color_scheme="dark" if shot.scheme == "dark" else "light",
        reduced_motion="reduce",
        locale=shot.language,
        service_workers="block",
    )
    context.set_default_timeout(PATIENCE)
    for name, value in street.cookies[shot.state, shot.role].items():
        context.add_cookies([{"name": name, "value": value, "url": site}])
    visit = Visit(context.new_page(), shot, site)
    visit.listen()
    try:
        visit.arrive()
        yield visit
    finally:
        context.close()


def photographed(visit: Visit) -> bytes:
    """The page as a small PNG: what the window shows, in few colours, and no wider than is looked at."""
    with Image.open(BytesIO(visit.page.screenshot())) as shown:
        picture = shown.convert("RGB")
    if picture.width > WIDEST:
        picture = picture.resize((WIDEST, round(picture.height * WIDEST / picture.width)), Image.Resampling.LANCZOS)
    packed = BytesIO()
    picture.quantize(palette=_palette(picture), dither=Image.Dither.NONE).save(packed, "PNG", optimize=True)
    return packed.getvalue()


def _palette(picture: Image.Image) -> Image.Image:
    """The colours of most of the picture as they are, and the widest choice of the others."""
    counted = sorted(picture.getcolors(picture.width * picture.height) or [], reverse=True)
    often = [part for _, colour in counted[:COLOURS] for part in cast(tuple[int, int, int], colour)]
    seldom = picture.quantize(COLOURS, Image.Quantize.MAXCOVERAGE).getpalette() or []
    palette = Image.new("P", (1, 1))
    palette.putpalette(often + seldom[: 3 * COLOURS])
    return palette


def faults_of(browser: Browser, street: Houses, shot: Shot, folder: Path | None = None) -> Sequence[str]:
    """What is wrong with a page; it is photographed into a folder if there is one."""
    try:
        with visiting(browser, street, shot) as visit:
            if folder is not None:
                (folder / f"{shot.name}.png").write_bytes(photographed(visit))
            visit.look()
            visit.walk_by_keyboard()
    except PlaywrightError as error:
        return [f"{shot.name}: cannot be visited: {error.message}"]
    return [f"{shot.name}: {fault}" for fault in visit.faults]


def visit_all(
    what: str,
    shots: Sequence[Shot],
    pictures: Path,
    served: Callable[[Path, Collection[tuple[str, Role]]], AbstractContextManager[Houses]],
) -> NoReturn:
    """Visit, judge and photograph what the command line names of some pages; the exit code says whether all is well.

    `served` opens the houses of some states, in a folder, to somebody of a role.
    """
    options = argparse.ArgumentParser(description=f"Visit {what}, say what is wrong with it, and photograph it.")
    options.add_argument("parts", nargs="*", help="visit only pages whose name has one of these in it")
    options.add_argument("--into", type=Path, help="photograph all of them into this folder")
    given = options.parse_args()
    wished = [shot for shot in shots if not given.parts or any(part in shot.name for part in given.parts)]
    chromium = find_chromium()
    into: Path = given.into or pictures
    into.mkdir(parents=True, exist_ok=True)
    wrong = 0
    with (
        tempfile.TemporaryDirectory(prefix="gnomon-shots-") as folder,
        served(Path(folder), {(shot.state, shot.role) for shot in wished}) as street,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS.split())
        for shot in wished:
            faults = faults_of(browser, street, shot, into if shot.in_docs or given.into else None)
            wrong += len(faults)
            print("\n".join(faults) or f"{shot.name}: well", flush=True)
        browser.close()
    sys.exit(wrong > 0)


if __name__ == "__main__":
    visit_all("every page of a board", SHOTS, PICTURES, opened)
