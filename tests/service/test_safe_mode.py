"""Safe mode: a page and a display that say why the board does not run, whatever else is broken."""

import asyncio
import re
import socket
import sqlite3
import tracemalloc
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from threading import Event

import httpx
import pytest
from click.testing import CliRunner
from markupsafe import escape
from PIL.Image import Image
from starlette.types import Message, Scope

from gnomon.cli.words import command_words
from gnomon.refusals import Statement, statement
from gnomon.web.access import Authenticator, Role
from gnomon.web.access.authenticator import AccessTerms
from gnomon.web.access.store import AccountStore
from gnomon.words import LANGUAGES, words
from gnomon_pi.cli import safe as command
from gnomon_pi.cli._web_options import PageOptions
from gnomon_pi.cli.daemon import main
from gnomon_pi.config.description import Chain, Expanders
from gnomon_pi.drivers.protocols import DisplayDriver, DriverError
from gnomon_pi.simulated._virtual_watch import VirtualWatch
from gnomon_pi.tools.safe_mode import mode, reasons
from gnomon_pi.tools.safe_mode._page import Plight, application
from gnomon_pi.tools.safe_mode.journal_recovery import FoundJournal, look_at
from gnomon_pi.tools.safe_mode.mode import SafeModeError, SafeModeServer, pictures
from tests.service.test_journal_recovery import scratch, write
from tests.web.visitors import PIN, QUICK, SetClock

SAID = "The pins cannot be opened: permission denied; is the user in the group gpio?"
WHY = Statement.plain(SAID)


class Notebook:
    """A display that keeps what it is shown."""

    def __init__(self, failure: str = "") -> None:
        self.pictures: list[Image] = []
        self.failure = failure
        self.closed = False
        self.seen = Event()

    def show(self, image: Image) -> None:
        """Keep it, or fail."""
        self.pictures.append(image)
        if len(self.pictures) > 1:
            self.seen.set()
        if self.failure:
            raise DriverError(self.failure)

    def brighten(self) -> None:
        """It is never dimmed."""

    def close(self) -> None:
        """Note that it is dark."""
        self.closed = True


def refuge(folder: Path, display: Callable[[], DisplayDriver | None], page: tuple[str, int] | None) -> SafeModeServer:
    return SafeModeServer(WHY, folder, page, display, VirtualWatch(), "1.0", str(folder / "notify"))


def run(told: SafeModeServer, seen: Event | None = None) -> list[str]:
    """Run safe mode until the watchdog was fed and two pictures were seen; the addresses it was ready at."""
    ready: list[str] = []

    async def live() -> None:
        stop = asyncio.Event()
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
            manager.bind(str(told.notify_socket))
            manager.setblocking(False)
            running = asyncio.create_task(mode.run(told, stop, ready.append))
            fed = asyncio.create_task(asyncio.get_running_loop().sock_recv(manager, 100))
            await asyncio.wait({running, fed}, return_when=asyncio.FIRST_COMPLETED, timeout=30)
            if seen is not None:
                await asyncio.to_thread(seen.wait, 30)
            stop.set()
            await running
            assert await fed == b"WATCHDOG=1"

    asyncio.run(live())
    return ready


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything that takes turns takes them quickly."""
    monkeypatch.setattr(mode, "PERIOD", 0.02)
    monkeypatch.setattr(mode, "PICTURE_TIME", 0.001)


@pytest.mark.usefixtures("quick")
def test_display_and_page_both_say_why_and_the_display_is_dark_in_the_end(tmp_path: Path) -> None:
    display = Notebook()
    (address,) = run(refuge(tmp_path, lambda: display, ("127.0.0.1", 0)), display.seen)
    assert address.startswith("http://127.0.0.1:")
    assert display.closed
    expected = {
        picture.tobytes()
        for picture in pictures(WHY, [statement("safe.oled.do"), statement("safe.oled.page", address=address)])
    }
    assert {picture.tobytes() for picture in display.pictures} <= expected


def broken() -> DisplayDriver:
    """What opening a display may end in."""
    message = "libraries are half installed"
    raise AttributeError(message)


@pytest.mark.usefixtures("quick")
def test_a_display_that_cannot_be_opened_leaves_the_page(tmp_path: Path) -> None:
    assert len(run(refuge(tmp_path, broken, ("127.0.0.1", 0)))) == 1


@pytest.mark.usefixtures("quick")
def test_an_address_that_is_taken_leaves_the_display_though_it_fails_now_and_then(tmp_path: Path) -> None:
    display = Notebook(failure="The display does not answer.")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        assert run(refuge(tmp_path, lambda: display, taken.getsockname()), display.seen) == [""]


def test_without_either_there_is_nothing_to_run_and_all_is_said(tmp_path: Path) -> None:
    with pytest.raises(SafeModeError, match=r"group gpio\? The display cannot be used: libraries are half installed\."):
        asyncio.run(mode.run(refuge(tmp_path, broken, None), asyncio.Event(), lambda _: None))


@pytest.mark.usefixtures("quick")
def test_a_damaged_journal_is_left_for_the_daemon_and_the_display_says_so(tmp_path: Path) -> None:
    damaged = scratch(write(tmp_path / "tamsk.journal"))
    display = Notebook()
    run(refuge(tmp_path, lambda: display, ("127.0.0.1", 0)), display.seen)
    assert (tmp_path / "tamsk.journal").read_bytes() == damaged


# The display


def test_a_long_reason_is_shown_whole_on_as_many_pictures_as_it_needs() -> None:
    assert len(pictures(Statement.plain("Short."), [])) == 1
    drawn = pictures(
        Statement.plain(SAID * 4), [*map(Statement.plain, ("Look at the page.", "Page: http://gnomon:8765/"))]
    )
    assert len(drawn) > 3
    assert {picture.size for picture in drawn} == {(128, 64)}
    assert len({picture.tobytes() for picture in drawn}) == len(drawn)


# The page


class Visitor:
    """A browser at the page."""

    def __init__(self, plight: Plight, door: Authenticator | None) -> None:
        self._page = application(plight, ["board"], door)
        self._cookies = httpx.Cookies()

    def get(self, path: str, host: str = "board") -> httpx.Response:
        """The answer to one question."""
        return self.ask("GET", path, host=host)

    def ask(self, method: str, path: str, host: str = "board", **sent: str) -> httpx.Response:
        """The answer to one request, with the fields of a form."""

        async def ask() -> httpx.Response:
            transport = httpx.ASGITransport(self._page)
            async with httpx.AsyncClient(
                transport=transport, base_url=f"http://{host}", cookies=self._cookies
            ) as client:
                answer = await client.request(method, path, data=sent or None)
                self._cookies = client.cookies
                return answer

        return asyncio.run(ask())


def page(
    *journals: FoundJournal, why: Statement = WHY, door: Authenticator | None = None, copies: Path | None = None
) -> Visitor:
    plight = Plight(why, [Statement.plain("A remark.")], journals, "1.0", copies)
    return Visitor(plight, door or Authenticator.without_accounts(Role.ARBITER))


def test_the_page_says_why_and_what_to_do() -> None:
    said = page(why=Statement.plain("<the> last error")).get("/")
    assert said.status_code == 200
    for text in ("&lt;the&gt; last error", "A remark.", "gnomond doctor", "There is no journal yet.", "Gnomon 1.0"):
        assert text in said.text
    assert "default-src 'none'" in said.headers["content-security-policy"]
    assert page().get("/static/safe.css").status_code == 200


@pytest.mark.parametrize("language", LANGUAGES)
def test_page_and_display_speak_the_language_of_the_reader_and_of_the_board(language: str) -> None:
    say = words(language)
    shown = page(why=reasons.ASKED).get(f"/?language={language}")
    assert shown.headers["content-language"] == language
    assert f'<html lang="{language}">' in shown.text
    for key in ("safe.title", "safe.lead", "safe.step.file", "safe.games", "safe.because.asked"):
        assert str(escape(say(key))) in shown.text
    assert page().get(f"/journals/2?language={language}").json()["error"] == say("safe.copy.no_journal")
    advice = [statement("safe.oled.do")]
    shows_english = [picture.tobytes() for picture in pictures(reasons.ASKED, advice)]
    spoken = [picture.tobytes() for picture in pictures(reasons.ASKED, advice, say)]
    assert (spoken == shows_english) == (language == "en")


def test_the_page_lists_the_games_and_gives_a_copy_of_the_journal(tmp_path: Path) -> None:
    path = write(tmp_path / "tamsk.journal", games=2)
    client = page(look_at(path))
    assert client.get("/").text.count("<td>tamsk</td>") == 2
    given = client.get("/journals/1")
    assert given.headers["content-disposition"] == 'attachment; filename="tamsk.journal"'
    copy = tmp_path / "copy"
    copy.write_bytes(given.content)
    with closing(sqlite3.connect(copy)) as database:
        assert database.execute("SELECT count(*) FROM games").fetchone() == (2,)


def test_of_a_damaged_journal_the_copy_is_the_file_as_it_stands(tmp_path: Path) -> None:
    path = tmp_path / "tamsk.journal"
    path.write_bytes(b"no database " * 100)
    client = page(look_at(path))
    assert "No game in it can be read." in client.get("/").text
    assert client.get("/journals/1").content == b"no database " * 100


def test_a_journal_that_is_not_there_is_refused_in_a_sentence(tmp_path: Path) -> None:
    client = page(FoundJournal(tmp_path / "gone.journal", ()))
    said = {"error": "There is no such journal.", "code": "no_journal", "values": {}}
    for number in ("2", "0", "x", "9" * 5000):
        assert client.get(f"/journals/{number}").json() == said
    assert client.get("/journals/1").status_code == 503


def test_programs_are_told_the_same_and_strangers_nothing() -> None:
    told = page().get("/state.json").json()
    assert told == {"safe": True, "why": SAID, "remarks": ["A remark."], "journals": []}
    assert page().get("/state.json", host="evil.example").status_code == 421


def test_strangers_see_why_and_no_game_and_who_signs_in_sees_and_saves_them(tmp_path: Path) -> None:
    door = Authenticator(AccountStore.in_memory(), SetClock(), AccessTerms(), hasher=QUICK)
    for name, role in (("Ada", Role.ADMIN), ("Ben", Role.PLAYER)):
        asyncio.run(door.add_person(name, role, PIN))
    found = look_at(write(tmp_path / "tamsk.journal"))

    def sign_in(name: str, secret: str) -> tuple[Visitor, httpx.Response]:
        browser = page(found, door=door)
        csrf = re.search(r'name="csrf" value="([^"]+)"', browser.get("/").text)
        assert csrf is not None
        return browser, browser.ask("POST", "/sign-in", name=name, secret=secret, csrf=csrf[1])

    stranger = page(found, door=door)
    said = stranger.get("/").text
    assert SAID in said
    assert "tamsk" not in said
    assert stranger.get("/state.json").json()["journals"] == []
    assert stranger.get("/journals/1").status_code == 401
    assert stranger.ask("POST", "/sign-in", name="Ada", secret=PIN).status_code == 403
    assert sign_in("Ada", "wrong")[1].status_code == 422
    player, came = sign_in("Ben", PIN)
    assert came.status_code == 303
    assert "<td>tamsk</td>" in player.get("/").text
    assert player.get("/journals/1").status_code == 403
    admin, _ = sign_in("Ada", PIN)
    assert admin.get("/journals/1").status_code == 200
    csrf = re.search(r'name="csrf" value="([^"]+)"', admin.get("/").text)
    assert csrf is not None
    assert admin.ask("POST", "/sign-out", csrf=csrf[1]).status_code == 303
    assert admin.get("/journals/1").status_code == 401


def test_where_nobody_has_an_account_the_page_says_where_the_journals_are() -> None:
    assert "state folder" in page(door=Authenticator.without_accounts()).get("/").text


def test_what_stands_in_the_log_alone_is_in_the_copy_and_no_room_is_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "tamsk.journal"
    copies = tmp_path / "copies"
    copies.mkdir()
    with closing(sqlite3.connect(path)) as database:
        database.executescript("PRAGMA journal_mode=WAL; CREATE TABLE one (a); INSERT INTO one VALUES (42);")
        assert path.with_name("tamsk.journal-wal").stat().st_size > 0
        given = page(FoundJournal(path, ()), copies=copies).get("/journals/1")
        monkeypatch.setattr("gnomon_pi.tools.safe_mode._page.SPARE", 1 << 62)
        refused = page(FoundJournal(path, ()), copies=copies).get("/journals/1")
    whole = tmp_path / "whole"
    whole.write_bytes(given.content)
    with closing(sqlite3.connect(whole)) as database:
        assert database.execute("SELECT a FROM one").fetchall() == [(42,)]
    assert (refused.status_code, "no room for a copy" in refused.json()["error"]) == (503, True)


def test_journals_are_sent_a_few_at_a_time_and_never_held_in_memory(tmp_path: Path) -> None:
    path = tmp_path / "tamsk.journal"
    size = 8 * 1024 * 1024
    with path.open("wb") as file:
        file.truncate(size)
    app = application(
        Plight(WHY, (), [FoundJournal(path, ())], "1.0"), ["board"], Authenticator.without_accounts(Role.ARBITER)
    )

    async def download(number: int, goes_on: asyncio.Event) -> tuple[int, int]:
        status, received = 0, 0

        async def send(message: Message) -> None:
            nonlocal status, received
            if message["type"] == "http.response.start":
                status = message["status"]
                if status == 200:
                    await goes_on.wait()
            received += len(message.get("body", b""))

        async def receive() -> Message:
            await asyncio.Event().wait()
            return {"type": "http.disconnect"}

        scope: Scope = {
            "type": "http", "method": "GET", "path": "/journals/1", "raw_path": b"/journals/1", "query_string": b"",
            "root_path": "", "scheme": "http", "headers": [(b"host", b"board")], "client": (f"10.0.0.{number // 3}", 1),
            "http_version": "1.1", "server": ("board", 80),
        }  # fmt: skip
        await app(scope, receive, send)
        return status, received

    async def all_at_once() -> list[tuple[int, int]]:
        goes_on = asyncio.Event()
        asking = [asyncio.create_task(download(number, goes_on)) for number in range(24)]
        for refused in islice(asyncio.as_completed(asking), 20):
            await refused
        goes_on.set()
        return await asyncio.gather(*asking)

    tracemalloc.start()
    found = asyncio.run(all_at_once())
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert sorted(status for status, _ in found) == [200] * 4 + [503] * 20
    assert {received for status, received in found if status == 200} == {size}
    assert peak < size


# Who asks for it


def test_a_file_asks_for_it_when_it_is_there(tmp_path: Path) -> None:
    file = tmp_path / "gnomon-safe"
    assert reasons.flagged_reason([file]) is None
    file.touch()
    assert str(reasons.flagged_reason([tmp_path / "none", file])) == f"The file {file} asks for safe mode."


def test_a_wrong_description_still_finds_the_display_of_a_bundled_board(tmp_path: Path) -> None:
    wiring = tmp_path / "board.toml"
    wiring.write_text("nonsense")
    wish = command.SafeModeOptions("tamsk", wiring, tmp_path, None, simulated=True)

    async def open_it() -> DisplayDriver | None:
        return command._display(wish, VirtualWatch(epoch=datetime(2026, 11, 20, tzinfo=UTC)))()

    assert asyncio.run(open_it()) is not None


@pytest.mark.parametrize(("variant", "wired"), [("", Chain), ("expanders", Expanders), ("nonsense", Chain)])
def test_a_variant_is_the_board_whose_display_is_looked_for_and_an_unknown_one_keeps_nothing_from_coming(
    tmp_path: Path, variant: str, wired: type[Chain | Expanders]
) -> None:
    wish = command.SafeModeOptions("tamsk", None, tmp_path, None, variant=variant)
    assert isinstance(command._describe(wish).sensors, wired)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            ["--safe", "--variant=expandesr"],
            "is one of: boards, expanders, no-lights, one-space, single-pole; not 'expandesr'.",
        ),
        (
            ["safe", "--board=tamsk", "--variant=x"],
            "is one of: boards, expanders, no-lights, one-space, single-pole; not 'x'.",
        ),
        (
            ["safe", "--variant=expanders"],
            "belongs to a bundled board: name the board with --board, and leave --wiring out.",
        ),
        (["safe", "--board=tamsk", "--wiring=x", "--variant=expanders"], "and leave --wiring out."),
    ],
)
def test_a_variant_that_is_not_there_is_refused_when_it_is_typed(arguments: list[str], said: str) -> None:
    ran = CliRunner().invoke(main, arguments)
    assert ran.exit_code == 2
    assert said in ran.stderr


def test_the_command_line_hands_the_variant_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wishes: list[command.SafeModeOptions] = []
    monkeypatch.setattr(command, "start_or_exit", lambda wish, _why, _name: wishes.append(wish))
    for arguments in (["--safe"], ["safe", "--board=tamsk", "--why=A trial."]):
        ran = CliRunner().invoke(main, [*arguments, "--variant=expanders"], env={"STATE_DIRECTORY": str(tmp_path)})
        assert ran.exit_code == 0
    assert [(wish.board, wish.variant, wish.wiring) for wish in wishes] == [("tamsk", "expanders", None)] * 2


@pytest.mark.parametrize(
    ("options", "front"),
    [
        ("", PageOptions("::1", 8000)),
        (
            "--level 2 --tls-certificate /c.pem --tls-key '/my key.pem' --known-as a --known-as b --open-to player",
            PageOptions("::1", 8000, Path("/c.pem"), Path("/my key.pem"), (), ("a", "b"), "player"),
        ),
        ("--behind-proxy 127.0.0.1 --host 0.0.0.0", PageOptions("::1", 8000, proxies=("127.0.0.1",))),
        ("--tls-certificate=/c.pem --no-such-option --known-as a", PageOptions("::1", 8000, Path("/c.pem"))),
        ("--level 9 --open-to everybody --tls-certificate=/c.pem", PageOptions("::1", 8000, Path("/c.pem"))),
        ("--known-as 'a", PageOptions("::1", 8000)),
    ],
)
def test_the_page_is_reached_as_that_of_the_service_whatever_is_wrong_with_its_options(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: str, front: PageOptions
) -> None:
    wishes: list[command.SafeModeOptions] = []
    monkeypatch.setattr(command, "start_or_exit", lambda wish, _why, _name: wishes.append(wish))
    environment = {"STATE_DIRECTORY": str(tmp_path), "GNOMON_OPTIONS": options}
    ran = CliRunner().invoke(main, ["safe", "--host=::1", "--port=8000"], env=environment)
    assert (ran.exit_code, ran.output) == (0, "")
    assert [wish.front for wish in wishes] == [front]


@pytest.mark.parametrize(("options", "language"), [("--level 2 --language de", "de"), ("--language nowhere", "en")])
def test_the_display_speaks_as_the_options_of_the_service_say(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: str, language: str
) -> None:
    spoken: list[str] = []
    monkeypatch.setattr(command, "start_or_exit", lambda *_: spoken.append(command_words().language))
    environment = {"STATE_DIRECTORY": str(tmp_path), "GNOMON_OPTIONS": options}
    ran = CliRunner().invoke(main, ["safe"], env=environment)
    assert (ran.exit_code, ran.output, spoken) == (0, "", [language])
