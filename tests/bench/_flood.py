"""The flood of the bench `page_flood`, in a process of its own: open streams, and requests one after the other.

It comes from many addresses of this machine (127.0.0.2 and on), since what one of them may ask is bounded. It says
"ready" once every stream has told something, and at the end of its input how much it was told, as JSON.
"""

import argparse
import asyncio
import json
import sys
from collections import Counter

STREAMS_OF_ONE = 25
ASKERS_OF_ONE = 4
PATHS = ("/board", "/", "/static/base.css", "/api/v1/board", "/api/v1/games", "/api/v1/board/moves", "/words/en.json")
ADDRESSES = 10
REFUSED_WITHIN = 0.05  # seconds after which a connection that says nothing is taken for one that has a place
STARTING = 40  # connections that are opened at a time


async def connect(port: int, number: int, of_one: int) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """A connection from one of the addresses."""
    return await asyncio.open_connection("127.0.0.1", port, local_addr=(f"127.0.0.{2 + number // of_one}", 0))


async def read_along(
    port: int, number: int, told: Counter[str], starting: asyncio.Semaphore, opened: asyncio.Event
) -> None:
    """Open one stream and read it for good; one that is refused is counted by its status."""
    async with starting:
        reader, writer = await connect(port, number, STREAMS_OF_ONE)
        writer.write(b"GET /board/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
        status = (await reader.readline()).split()[1].decode()
        if status == "200":
            await reader.readuntil(b"data: ")
        else:
            told[f"stream {status}"] += 1
        opened.set()
    while chunk := await reader.read(65536):
        told["events"] += chunk.count(b"event: ")


async def ask(port: int, number: int, told: Counter[str]) -> None:
    """Ask again and again, each time as soon as it was answered."""
    while True:
        try:
            reader, writer = await connect(port, number, ASKERS_OF_ONE)
            for path in PATHS * 20:
                writer.write(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
                head = await reader.readuntil(b"\r\n\r\n")
                length = next(line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length"))
                await reader.readexactly(int(length.split(b":")[1]))
                told[head.split()[1].decode()] += 1
            writer.close()
        except (OSError, asyncio.IncompleteReadError, StopIteration, ValueError):
            told["broken"] += 1
            await asyncio.sleep(0.05)


async def open_all(port: int, number: int, told: Counter[str]) -> None:
    """Open connection after connection from one of ten addresses, keep what is not refused, and never ask anything."""
    kept = []
    while True:
        try:
            where = (f"127.0.0.{100 + number % ADDRESSES}", 0)
            reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=where)
        except OSError:
            told["no connection"] += 1
            await asyncio.sleep(0.01)
            continue
        try:
            async with asyncio.timeout(REFUSED_WITHIN):
                await reader.read(1)
            told["refused"] += 1
            writer.close()
        except TimeoutError:
            told["kept"] += 1
            kept.append(writer)
        except OSError:
            told["refused"] += 1


async def flood(port: int, streams: int, askers: int, openers: int) -> None:
    """Read along, ask and open connections until the input ends."""
    told: Counter[str] = Counter()
    starting, is_open = asyncio.Semaphore(STARTING), [asyncio.Event() for _ in range(streams)]
    readers = [
        asyncio.create_task(read_along(port, number, told, starting, opened)) for number, opened in enumerate(is_open)
    ]
    for opened in is_open:
        await opened.wait()
    asking = [asyncio.create_task(ask(port, number, told)) for number in range(askers)]
    asking += [asyncio.create_task(open_all(port, number, told)) for number in range(openers)]
    told.clear()
    print("ready", flush=True)
    await asyncio.to_thread(sys.stdin.read)
    print(json.dumps(told), flush=True)
    for task in (*readers, *asking):
        task.cancel()


def main() -> None:
    """Flood the page at a port."""
    options = argparse.ArgumentParser(description=__doc__)
    for name in ("port", "streams", "askers", "openers"):
        options.add_argument(name, type=int)
    given = options.parse_args()
    asyncio.run(flood(given.port, given.streams, given.askers, given.openers))


if __name__ == "__main__":
    main()
