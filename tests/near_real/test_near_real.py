"""The parts of the machines that need no machine: what they report, what they need, how the board answers the relay."""

import socket
import struct
import subprocess
import threading
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path

import pytest
from PIL import Image, ImageChops

from gnomon.records.bundles import Bundle, bundle
from gnomon.referee.games import begin
from gnomon_pi import config
from gnomon_pi.config.description import Chain
from gnomon_pi.drivers._display import shift
from tests.daemon.halves import begun, edges_of_a_game, let_pass
from tests.near_real import container, installer, roots
from tests.near_real.__main__ import MACHINES
from tests.near_real.guest import board_end
from tests.near_real.guest.board_end import BoardEnd
from tests.near_real.guest.checks import last_of
from tests.near_real.guest.hands import NOISE, set_out_tamsk
from tests.near_real.guest.looks import Looks, expect_picture, expect_views
from tests.near_real.guest.stories import STORIES
from tests.near_real.guest.story import Story, expect
from tests.near_real.machine import Ran, run
from tests.near_real.records import CUT, MARK, Found, format_found, parse_found
from tests.near_real.report import report
from tests.service.debian_root import ROOT
from tests.virtual_daemon import VirtualDaemon

PAGE = (ROOT / "docs/near-real.md").read_text(encoding="utf-8")
RIGHT = Found("smoke", "the page answers", is_right=True, seen='after "2" s', seconds=2.0)
REQUEST, ANSWER, MESSAGE = struct.Struct("=IBBHII"), struct.Struct("=IiI"), struct.Struct("=HHH")
PIN, I2C, SPI = 1, 2, 3
WRITE, READ = 0, 1
LATCH = 25


class Kernel:
    """The kernel's end of the relay: it asks, and hears what the board answers."""

    def __init__(self, end: socket.socket) -> None:
        self._end = end
        self._number = 0

    def ask(self, kind: int, bus: int, arg: int, body: bytes, speed: int = 0) -> tuple[int, bytes]:
        self._number += 1
        self._end.sendall(REQUEST.pack(self._number, kind, bus, arg, speed, len(body)) + body)
        answer = self._end.recv(1 << 16)
        number, status, length = ANSWER.unpack_from(answer)
        assert (number, length) == (self._number, len(answer) - ANSWER.size)
        return status, answer[ANSWER.size :]

    def pulse(self, pin: int) -> None:
        for level in (0, 1):
            self._end.sendall(REQUEST.pack(0, PIN, 0, pin, 0, 2) + bytes((1, level)))

    def driven(self) -> bytes:
        return self._end.recv(ANSWER.size + 2)[ANSWER.size :]


@pytest.fixture
def relay() -> Iterator[tuple[Kernel, int]]:
    """The kernel, and the file that stands for its relay."""
    kernel, board = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with kernel, board:
        yield Kernel(kernel), board.fileno()
        kernel.shutdown(socket.SHUT_RDWR)
        for thread in threading.enumerate():  # before the number of the file is another one's
            if thread.name == "board":
                thread.join()


def attach(relay: tuple[Kernel, int], name: str, variant: str = "") -> tuple[Kernel, BoardEnd]:
    """A board, whose wires have let every pin go."""
    kernel, file = relay
    description = config.load_bundled(name, None, variant)
    end = BoardEnd(description, relay=file)
    interrupt = getattr(description.sensors, "interrupt", None)
    let_go = {kernel.driven() for _ in range(len(description.buttons) + (interrupt is not None))}
    assert let_go == {
        bytes((pin, board_end._LET_GO)) for pin in [*(button.pin for button in description.buttons), interrupt] if pin
    }
    return kernel, end


def test_what_was_found_comes_over_a_console_whole() -> None:
    assert parse_found(f"\x1b[2J{format_found(RIGHT)}\n") == RIGHT
    assert parse_found("[   12.18] board_relay: loading out-of-tree module\n") is None
    disturbed = parse_found(MARK + '{"story": "smo[ 12.18] random: crng init done')
    assert disturbed is not None
    assert not disturbed.is_right


def test_a_check_that_fails_is_told_and_the_next_one_is_made(capsys: pytest.CaptureFixture[str]) -> None:
    story = Story("smoke")
    with story.checked("something") as see:
        see("half of it")
        expect(condition=False, otherwise="the other half is missing")
    with story.checked("something else") as see:
        see("all of it")
    told = [found for line in capsys.readouterr().out.splitlines() if (found := parse_found(line))]
    assert [(found.is_right, found.seen) for found in told] == [
        (False, "half of it; the other half is missing"),
        (True, "all of it"),
    ]
    assert story.failures == 1


@pytest.mark.parametrize(
    ("ran", "is_right"),
    [
        (Ran([RIGHT], is_complete=True, seconds=9.0), True),
        (Ran([RIGHT], is_complete=False, seconds=9.0), False),
        (Ran([], is_complete=True, seconds=9.0), False),
        (Ran([RIGHT, Found("smoke", "lights", False, "", 0.0)], is_complete=True, seconds=9.0), False),
    ],
)
def test_the_report_is_content_only_when_all_was_checked_and_right(ran: Ran, is_right: bool) -> None:
    text, verdict = report({"smoke": ran})
    assert verdict is is_right
    assert "Not judged here" in text
    assert ("did not come to its end" in text) is not ran.is_complete


def test_a_machine_s_power_is_cut_when_it_asks_for_that(tmp_path: Path) -> None:
    ran = run(["sh", "-c", f"echo '{format_found(RIGHT)}'; echo {CUT}; sleep 60"], tmp_path / "log", 30)
    assert (list(ran.found), ran.is_complete) == ([RIGHT], False)
    assert ran.seconds < 30


def test_a_container_is_started_until_its_story_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    starts = iter([Ran([RIGHT], is_complete=number == 3, seconds=2.0, processor=1.0) for number in (1, 2, 3)])
    logs: list[str] = []

    def start(_words: object, log: Path, _seconds: float) -> Ran:
        logs.append(log.name)
        return next(starts)

    monkeypatch.setattr(container, "run", start)
    monkeypatch.setattr(container, "_groups", nullcontext)
    monkeypatch.setattr(container, "_processor_seconds", lambda: 3.0)
    ran = container.run_container(tmp_path, tmp_path / "service.log", 30)
    assert ran == Ran((RIGHT,) * 3, is_complete=True, seconds=6.0, processor=3.0)
    assert logs == ["service-1.log", "service-2.log", "service-3.log"]


def test_groups_of_processes_are_removed_when_they_are_empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "group/init.scope").mkdir(parents=True)
    busy = tmp_path / "group/init.scope/process"
    busy.touch()
    monkeypatch.setattr("time.sleep", lambda _seconds: busy.unlink())
    container._remove(tmp_path / "group")
    assert list(tmp_path.iterdir()) == []


def test_dpkg_takes_packages_for_installed_that_were_only_unpacked(tmp_path: Path) -> None:
    (tmp_path / "var/lib/dpkg").mkdir(parents=True)
    installer.tell_dpkg(tmp_path, ["gcc", "swig"])
    told = [
        "dpkg-query",
        f"--admindir={tmp_path}/var/lib/dpkg",
        "--show",
        "--showformat=${Package} ${db:Status-Status}\n",
    ]
    said = subprocess.run(told, stdout=subprocess.PIPE, check=True, text=True).stdout
    assert said == "gcc installed\nswig installed\n"


def test_missing_programs_are_named_with_their_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.which", lambda *_words, **_options: None)
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    with pytest.raises(roots.AbsentError, match=r"sudo apt-get install cpio qemu-system-x86$"):
        roots.need("qemu-system-x86_64", "cpio")


@pytest.mark.parametrize("machine", MACHINES)
def test_the_page_tells_of_every_machine(machine: str) -> None:
    assert f"| `{machine}` |" in PAGE


def test_every_story_has_a_machine() -> None:
    source = Path(roots.HERE, "__main__.py").read_text(encoding="utf-8")
    assert [story for story in STORIES if story not in source] == []


def test_the_chain_answers_through_the_relay(relay: tuple[Kernel, int]) -> None:
    kernel, end = attach(relay, "tamsk")
    set_out_tamsk(end, 1)
    for button in end.description.buttons:
        assert kernel.driven()[0] == button.pin
    kernel.ask(SPI, 0x00, 2, bytes(1), 1_000_000)  # the clock rests where this mode has it from then on
    kernel.pulse(LATCH)
    status, read = kernel.ask(SPI, 0x00, 2, bytes(19), 1_000_000)
    sensors = end.description.sensors
    assert isinstance(sensors, Chain)
    assert (status, len(read), read[-1]) == (0, 19, sensors.canary)
    assert len(set(read[:-1])) > 1
    assert end.modes == {"0.0": (2, 1_000_000)}


def test_a_chip_that_is_not_there_is_not_acknowledged(relay: tuple[Kernel, int]) -> None:
    kernel, end = attach(relay, "tamsk")
    off = MESSAGE.pack(0x3C, WRITE, 2) + b"\x00\xae"
    assert kernel.ask(I2C, 1, 1, off) == (0, b"")
    assert kernel.ask(I2C, 1, 1, MESSAGE.pack(0x3D, WRITE, 2) + b"\x00\xae") == (-end.unanswered, b"")
    end.unplugged.add((1, 0x3C))
    assert kernel.ask(I2C, 1, 1, off) == (-end.unanswered, b"")


def test_an_expander_is_read_from_the_register_that_was_named(relay: tuple[Kernel, int]) -> None:
    kernel, _ = attach(relay, "tamsk", "expanders")
    read = MESSAGE.pack(0x20, WRITE, 1) + b"\x00" + MESSAGE.pack(0x20, READ, 2)
    assert kernel.ask(I2C, 4, 2, read) == (0, b"\xff\xff")


def test_a_button_closes_its_pin_to_ground(relay: tuple[Kernel, int]) -> None:
    kernel, end = attach(relay, "table", "clock")
    end.set_input("button.left", value=True)
    assert kernel.driven() == bytes((5, 0))
    end.set_input("button.left", value=False)
    assert kernel.driven() == bytes((5, board_end._LET_GO))


@pytest.mark.parametrize(("right", "is_right"), [(0, True), (1, True), (-1, False)])
def test_a_picture_may_be_moved_as_the_driver_moves_it(right: int, is_right: bool) -> None:
    with Image.open(ROOT / "tests/views/golden/level1-start.png") as approved:
        wanted = approved.convert("1")
    shown = shift(wanted, 1, 0) if right == 1 else ImageChops.offset(wanted, right, 0)
    with nullcontext() if is_right else pytest.raises(AssertionError, match="pixels differ from a start"):
        expect_picture(shown, wanted, "a start")


def shown_and_recorded(daemon: VirtualDaemon) -> tuple[Looks, Bundle]:
    """What a daemon in virtual time shows, and its record."""
    stored = daemon.store.last_game()
    assert stored is not None
    looks = Looks(daemon.board.display_image().convert("1"), daemon.board.lights())
    return looks, bundle(stored, daemon.store.read(stored.id))


@pytest.mark.parametrize("is_paused", [False, True])
def test_a_recorded_game_tells_what_was_shown_of_it(is_paused: bool) -> None:
    daemon = begun(1, with_display=True)
    daemon.play(edges_of_a_game(1, seed=7, turns=4))
    let_pass(daemon, 3)
    if is_paused:
        for value in (True, False):
            daemon.touch("button.arbiter", value=value)
            let_pass(daemon, 0.2)
        let_pass(daemon, 1)
    looks, record = shown_and_recorded(daemon)
    expect_views(looks, daemon.board.description, last_of(record), record.until)
    with pytest.raises(AssertionError, match="pixels differ from the view of the game"):
        expect_views(looks, daemon.board.description, begin("tamsk", {"level": 1}), record.until)


def test_every_contact_bounces() -> None:
    assert NOISE.bounces == 1.0
