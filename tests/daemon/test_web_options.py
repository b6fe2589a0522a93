"""How the pages are reached, who is believed, what the board shows of codes, and what helps when a PIN is lost."""

import asyncio
import ssl
import subprocess
from asyncio.sslproto import _SSLProtocolTransport
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner
from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import Message, Receive, Scope, Send

from gnomon.timekeeping.instants import SECOND, Instant
from gnomon.views.display import oled, pairing_code
from gnomon.web.access import Role, names
from gnomon.web.access.authenticator import AccessTerms, Authenticator
from gnomon.web.access.codes import Code
from gnomon.web.access.store import AccountStore
from gnomon.web.middleware import error_pages
from gnomon.web.server.connections import LONGEST_HEAD, CountedConnection
from gnomon.web.server.listener import PLAIN, ErrorLog, FaultReporter, Listener, PortError, Way
from gnomon_pi.cli.daemon import main
from gnomon_pi.pages import pairing_codes
from gnomon_pi.pages.pairing_codes import FILE, Notices, open_to
from gnomon_pi.runtime.outputs import POSTED, Poster
from gnomon_pi.runtime.system.clock import MachineWatch
from tests.conftest import FindProgram
from tests.daemon.halves import begun, let_pass, summarized
from tests.debian_12 import abort_as_of_debian_12
from tests.virtual_daemon import VirtualDaemon
from tests.web.visitors import PIN, QUICK, SetClock

POSTER = Poster(pairing_code.picture("WMQA-9X3W", for_admin=True), pairing_code.notice("WMQA-9X3W"))


def seen(daemon: VirtualDaemon) -> bytes:
    return daemon.board.display_image().convert("1").tobytes()


def test_a_code_takes_turns_with_what_the_board_shows_while_nothing_is_played() -> None:
    daemon = VirtualDaemon.of_new_board(with_display=True)
    daemon.show.put_up(POSTER)
    shown = set()
    for _ in range(2 * POSTED // SECOND):
        let_pass(daemon, 1)
        shown.add(seen(daemon))
    waiting = oled.screen(None, Instant(0)).tobytes()
    assert shown == {POSTER.picture.tobytes(), waiting}
    daemon.show.put_up(None)
    for _ in range(POSTED // SECOND):
        let_pass(daemon, 1)
        assert seen(daemon) == waiting


def test_during_a_game_a_code_is_one_notice_among_others_and_on_no_page() -> None:
    daemon = begun(1, with_display=True)
    daemon.show.put_up(POSTER)
    let_pass(daemon, 5)
    game, now = daemon.runner.shown, daemon.runner.now()
    assert seen(daemon) == oled.screen(game, now, (POSTER.notice,)).tobytes()
    assert seen(daemon) != oled.screen(game, now).tobytes()
    assert "WMQA" not in str(summarized(daemon.runner))


@pytest.mark.parametrize("role", [Role.ADMIN, Role.PLAYER])
@pytest.mark.parametrize("is_seen", [True, False])
def test_a_code_is_put_up_or_said_where_nobody_could_read_it_else(role: Role, is_seen: bool) -> None:
    put_up: list[Poster | None] = []
    said: list[str] = []

    async def show() -> None:
        notices = Notices(put_up.append if is_seen else None, said.append)
        await asyncio.to_thread(notices.show, Code("WMQA9X3W", role, Instant(0)))
        await asyncio.to_thread(notices.show, None)
        await asyncio.sleep(0)

    asyncio.run(show())
    poster = Poster(pairing_code.picture("WMQA-9X3W", for_admin=role is Role.ADMIN), POSTER.notice)
    assert put_up == [poster, None] * is_seen
    assert ["WMQA-9X3W" in line for line in said] == [True] * (role is Role.ADMIN or not is_seen)


def test_a_code_is_taken_down_when_its_time_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pairing_codes, "LIFETIME", 0)
    put_up: list[Poster | None] = []

    async def show() -> None:
        gone = asyncio.Event()

        def put(poster: Poster | None) -> None:
            put_up.append(poster)
            if poster is None:
                gone.set()

        Notices(put, lambda _: None).show(Code("WMQA9X3W", Role.PLAYER, Instant(0)))
        await gone.wait()

    asyncio.run(show())
    assert [poster is None for poster in put_up] == [False, True]


@pytest.mark.parametrize(
    ("wished", "host", "simulated", "proxied", "role"),
    [
        ("", "127.0.0.1", True, False, Role.ARBITER),
        ("", "localhost", True, False, Role.ARBITER),
        ("", "::1", True, False, Role.ARBITER),
        ("", "127.0.0.1", True, True, Role.SPECTATOR),
        ("", "127.0.0.1", False, False, Role.SPECTATOR),
        ("", "0.0.0.0", True, False, Role.SPECTATOR),
        ("", "board.local", True, False, Role.SPECTATOR),
        ("player", "0.0.0.0", False, False, Role.PLAYER),
        ("spectator", "127.0.0.1", True, False, Role.SPECTATOR),
    ],
)
def test_only_ones_own_board_in_software_is_open_by_itself(
    wished: str, host: str, simulated: bool, proxied: bool, role: Role
) -> None:
    assert open_to(wished, host, is_simulated=simulated, is_behind_proxy=proxied) is role


async def tell(request: Request) -> Response:
    client = "" if request.client is None else request.client.host
    return JSONResponse({"scheme": request.url.scheme, "client": client})


def asked(way: Way, request: str, tls: ssl.SSLContext | None = None) -> str:
    """What a listener answers to the bytes of a request."""

    async def ask() -> str:
        listener = Listener("127.0.0.1", 0, way)
        serving = asyncio.create_task(listener.listen(Starlette(routes=[Route("/", tell)])))
        reader, writer = await asyncio.open_connection("127.0.0.1", listener.port, ssl=tls)
        writer.write(request.encode())
        answer = (await reader.read()).decode()
        writer.close()
        listener.stop()
        await serving
        return answer

    return asyncio.run(ask())


FORWARDED = (
    "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-Forwarded-For: 203.0.113.9\r\nX-Forwarded-Proto: https\r\n\r\n"
)


def test_a_proxy_is_believed_only_where_it_is_named() -> None:
    assert '{"scheme":"http","client":"127.0.0.1"}' in asked(PLAIN, FORWARDED)
    assert '{"scheme":"http","client":"127.0.0.1"}' in asked(Way(proxies=("10.0.0.1",)), FORWARDED)
    assert '{"scheme":"https","client":"203.0.113.9"}' in asked(Way(proxies=("127.0.0.1",)), FORWARDED)


LINE, HOST = "GET / HTTP/1.1\r\n", "Host: x\r\nConnection: close\r\n"


def with_head_of(size: int) -> str:
    """A request whose first line and headers have so many bytes."""
    name = "X: "
    return f"{LINE}{HOST}{name}{'a' * (size - len(LINE + HOST + name) - 2)}\r\n\r\n"


@pytest.mark.parametrize(
    "request_",
    [
        f"GET /{'x' * LONGEST_HEAD}",
        with_head_of(LONGEST_HEAD + 1),
        with_head_of(70_000),
        f"GET /?{'x' * 70_000} HTTP/1.1\r\n{HOST}\r\n",
        LINE + HOST + "".join(f"X-{number}: {'a' * 90}\r\n" for number in range(700)) + "\r\n",
    ],
    ids=["endless", "a byte", "one header", "the line", "many headers"],
)
def test_a_head_that_is_too_long_is_refused_in_one_sentence_also_when_it_comes_in_one_piece(request_: str) -> None:
    answer = asked(PLAIN, request_)
    assert answer.startswith("HTTP/1.1 431 Request Header Fields Too Large\r\n")
    assert "the headers of a request may have 16 KiB at most" in answer
    assert "uvicorn" not in answer


def test_a_head_of_the_greatest_length_is_answered() -> None:
    assert asked(PLAIN, with_head_of(LONGEST_HEAD)).startswith("HTTP/1.1 200 OK")


def test_the_second_head_on_a_connection_is_bounded_too() -> None:
    first = f"GET / HTTP/1.1\r\nHost: x\r\n\r\n{with_head_of(70_000)}"
    answer = asked(PLAIN, first)
    assert answer.startswith("HTTP/1.1 200 OK")
    assert answer.count("HTTP/1.1 200") == 1


@pytest.fixture(scope="module")
def certificate(find_program: FindProgram, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Key and certificate in one file, made as docs/access.md says."""
    openssl = find_program("openssl", package="openssl")
    folder = tmp_path_factory.mktemp("tls")
    made = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 825 -subj /CN=gnomon.local"
    subprocess.run(
        [openssl, *made.split(), "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", "board.key", "-out", "board.crt"],
        cwd=folder,
        check=True,
        capture_output=True,
    )
    return folder


def test_the_page_is_served_with_ones_own_certificate(certificate: Path) -> None:
    way = Way(certificate / "board.crt", certificate / "board.key")
    trusting = ssl.create_default_context(cafile=str(certificate / "board.crt"))
    answer = asked(way, "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n", trusting)
    assert '"scheme":"https"' in answer
    listener = Listener("127.0.0.1", 0, way)
    assert listener.address.startswith("https://127.0.0.1:")
    listener.close()


def test_a_connection_over_tls_that_was_closed_twice_gives_its_place_back(
    certificate: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_SSLProtocolTransport, "abort", abort_as_of_debian_12)
    connected: asyncio.Queue[CountedConnection] = asyncio.Queue()
    connection_made = CountedConnection.connection_made

    def made(connection: CountedConnection, transport: asyncio.Transport) -> None:
        connection_made(connection, transport)
        connected.put_nowait(connection)

    monkeypatch.setattr(CountedConnection, "connection_made", made)
    way = Way(certificate / "board.crt", certificate / "board.key")
    trusting = ssl.create_default_context(cafile=str(certificate / "board.crt"))

    async def ask() -> None:
        listener = Listener("127.0.0.1", 0, way)
        serving = asyncio.create_task(listener.listen(Starlette()))
        reader, writer = await asyncio.open_connection("127.0.0.1", listener.port, ssl=trusting)
        connection = await connected.get()
        for _ in range(2):
            connection.transport.close()
        connection._place.close()
        assert await reader.read() == b""
        writer.close()
        listener.stop()
        await serving

    asyncio.run(ask())


def test_a_certificate_that_cannot_be_used_is_said_in_one_sentence(certificate: Path) -> None:
    crt, key = certificate / "board.crt", certificate / "board.key"
    for way, why in ((Way(crt.with_name("none.crt")), "No such file"), (Way(crt), str(crt)), (Way(key, key), str(key))):
        with pytest.raises(PortError, match="certificate and key in") as refused:
            Listener("127.0.0.1", 0, way)
        assert why in str(refused.value)
        assert "None" not in str(refused.value)


def test_a_key_without_a_certificate_is_a_mistake() -> None:
    answer = CliRunner().invoke(main, ["--simulated", "--tls-key", "x.key"])
    assert (answer.exit_code, "--tls-key needs --tls-certificate." in answer.output) == (2, True)


def test_a_delay_that_is_no_number_is_a_mistake() -> None:
    answer = CliRunner().invoke(main, ["--simulated", "--spectator-delay=nan"])
    assert (answer.exit_code, "'nan' is not a number." in answer.output) == (2, True)


def test_the_daemon_does_not_start_without_its_certificate(tmp_path: Path) -> None:
    arguments = ["--simulated", "--port=0", f"--journal={tmp_path / 'j'}", f"--tls-certificate={tmp_path / 'no.crt'}"]
    answer = CliRunner().invoke(main, arguments)
    assert answer.exit_code == 1
    assert answer.output == (
        f"gnomond: The page cannot be served with the certificate and key in {tmp_path / 'no.crt'}: "
        "No such file or directory.\n"
    )


@pytest.fixture
def access(tmp_path: Path) -> Callable[..., tuple[int, str]]:
    """The command `gnomond access`, in a folder where Anna is admin."""
    store = AccountStore.open(tmp_path / FILE)
    store.add_person("Anna", names.fold("Anna"), Role.ADMIN, QUICK.hash(PIN), 0)
    store.add_person("Phone", names.fold("Phone"), Role.PLAYER, "", 0)
    store.close()

    def run(*arguments: str, typed: str = "") -> tuple[int, str]:
        answer = CliRunner().invoke(main, ["access", *arguments, "--state", str(tmp_path)], input=typed)
        return answer.exit_code, answer.output

    return run


def test_a_lost_pin_is_replaced_from_the_shell(access: Callable[..., tuple[int, str]], tmp_path: Path) -> None:
    assert access("list") == (0, "Anna: Admin\nPhone: Player, a device without a PIN\n")
    assert access("reset", "nobody", typed="")[0] == 1
    code, said = access("reset", "ANNA", typed="111111\n111111\n")
    assert (code, "too easy to guess" in said) == (1, True)
    code, said = access("reset", "ANNA", typed="602214\n602214\n")
    assert (code, "Anna (Admin) has a new PIN" in said, "602214" in said) == (0, True, False)
    store = AccountStore.open(tmp_path / FILE)
    [anna, _] = store.people()
    store.close()
    assert QUICK.verify(anna.secret, "602214")


@pytest.mark.parametrize("header", ["Forwarded", "Via", "X-Forwarded-For", "X-Forwarded-Host", "X-Real-IP"])
@pytest.mark.parametrize("is_local", [True, False])
def test_a_board_open_to_its_own_machine_is_not_open_to_whom_a_proxy_lets_through(header: str, is_local: bool) -> None:
    async def roles() -> list[Role]:
        door = Authenticator(AccountStore.in_memory(), SetClock(), AccessTerms(Role.ARBITER, is_local=is_local))
        asked = (Headers({}), Headers({header: "203.0.113.9"}))
        return [(await door.visitor(headers, "127.0.0.1", secure=False)).role for headers in asked]

    assert asyncio.run(roles()) == [Role.ARBITER, Role.SPECTATOR if is_local else Role.ARBITER]


def test_everyone_can_be_forgotten_from_the_shell(access: Callable[..., tuple[int, str]], tmp_path: Path) -> None:
    assert access("reset")[0] == access("reset", "Anna", "--everyone")[0] == 2
    assert access("reset", "--everyone")[0] == 0
    assert "There is no admin" in access("list")[1]
    (tmp_path / FILE).unlink()
    code, said = access("list")
    assert (code, f"{FILE} does not exist" in said) == (1, True)


def test_the_door_stands_on_the_file_in_the_folder_of_state(tmp_path: Path) -> None:
    async def open_it() -> bool:
        with pairing_codes.open_authenticator(tmp_path, MachineWatch("boot"), AccessTerms(Role.PLAYER)) as door:
            return door.has_admin or door.open_to is not Role.PLAYER

    assert not asyncio.run(open_it())
    assert (tmp_path / FILE).exists()


def test_what_fails_in_a_page_is_written_where_its_answer_says(capsys: pytest.CaptureFixture[str]) -> None:
    async def fail(_: Request) -> Response:
        message = "the spoon is missing"
        raise LookupError(message)

    async def ask() -> bytes:
        listener = Listener("127.0.0.1", 0)
        app = Starlette(routes=[Route("/{name}", fail)], exception_handlers=error_pages.handlers())
        serving = asyncio.create_task(listener.listen(app))
        reader, writer = await asyncio.open_connection("127.0.0.1", listener.port)
        writer.write(b"GET /a%0Ab HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
        answer = await reader.read()
        writer.close()
        listener.stop()
        await serving
        return answer

    answer = asyncio.run(ask())
    assert b"500" in answer.splitlines()[0]
    assert b"journal of gnomond" in answer
    said = capsys.readouterr().err
    assert said.startswith("The page failed at GET '/a\\nb':\nTraceback")
    assert said.endswith("LookupError: the spoon is missing\n")


def test_a_stream_that_is_cut_when_the_daemon_stops_is_no_fault_to_be_told(capsys: pytest.CaptureFixture[str]) -> None:
    async def stream(_: Scope, __: Receive, ___: Send) -> None:
        await asyncio.sleep(0)
        raise asyncio.CancelledError

    async def cut() -> None:
        with pytest.raises(asyncio.CancelledError):
            await FaultReporter(stream, ErrorLog(lambda: 0.0))({"type": "http"}, _nothing, _nowhere)

    asyncio.run(cut())
    assert capsys.readouterr().err == ""


async def _nothing() -> Message:
    return {"type": "http.disconnect"}


async def _nowhere(_: Message) -> None:
    """Send nothing."""
