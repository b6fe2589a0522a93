"""What the daemon needed for a moment it does not keep."""

import asyncio
import resource
import subprocess
import sys
from pathlib import Path

import pytest
from starlette.types import Message, Receive, Scope, Send

from gnomon_pi.pages import server
from gnomon_pi.runtime.system.process import give_back_what_is_free, give_back_what_is_large

MEGABYTE = 1 << 20
PIECE = b"\x01" * MEGABYTE


async def no_message() -> Message:
    return {}


async def no_answer(_message: Message) -> None:
    pass


def resident() -> int:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize()


def test_what_a_large_picture_needed_goes_back_to_the_system() -> None:
    if not give_back_what_is_large():
        pytest.skip("this C library has no mallopt")
    before = resident()
    for megabytes in (24, 16):  # without the order the first one freed would teach the library to keep the second
        painted = PIECE * megabytes
        assert resident() > before + megabytes * MEGABYTE // 2
        del painted
    assert resident() < before + 4 * MEGABYTE


def test_what_is_free_between_pieces_that_stay_goes_back_to_the_system() -> None:
    give_back_what_is_free()  # the pieces must not fit into what earlier tests have left
    before = resident()
    pieces = [b"\x01" * (MEGABYTE // 16) for _ in range(16 * 32)]
    kept = pieces[::16]  # each of them holds what lies below it
    del pieces
    assert resident() > before + 24 * MEGABYTE
    if not give_back_what_is_free():
        pytest.skip("this C library has no malloc_trim")
    assert resident() < before + 6 * MEGABYTE
    assert len(kept) == 32


def test_what_the_first_page_needed_goes_back_once_it_has_been_made(monkeypatch: pytest.MonkeyPatch) -> None:
    given_back: list[bool] = []
    monkeypatch.setattr(server, "SETTLED", 0.0)
    monkeypatch.setattr(server, "give_back_what_is_free", lambda: given_back.append(True))

    async def page(_scope: Scope, _receive: Receive, _send: Send) -> None:
        assert not given_back

    async def visit() -> None:
        pages = server.SparingPages(page)
        await pages({}, no_message, no_answer)
        await asyncio.sleep(0.01)
        assert given_back == [True]
        given_back.clear()
        await pages({}, no_message, no_answer)
        await asyncio.sleep(0.01)

    asyncio.run(visit())
    assert given_back == []


THREADS = """
import re
from threading import Barrier, Thread
from gnomon_pi.runtime.system.process import keep_one_heap
print(keep_one_heap())
ready, done = Barrier(5), Barrier(5)
def work():
    piece = bytearray(2000)
    ready.wait()
    done.wait()
threads = [Thread(target=work) for _ in range(4)]
for thread in threads: thread.start()
ready.wait()
reserved = re.findall(r"^(\\w+)-(\\w+) ---p 0+ 00:00 0 *$", open("/proc/self/maps").read(), re.MULTILINE)
print(sum(60 << 20 < int(end, 16) - int(begin, 16) < 64 << 20 for begin, end in reserved))
done.wait()
"""


def test_threads_share_one_heap() -> None:
    told = subprocess.run([sys.executable, "-c", THREADS], capture_output=True, text=True, check=True).stdout.split()
    if told[0] == "False":
        pytest.skip("this C library has no mallopt")
    assert told[1] == "0"
