"""Boards of the bench `hall_load`, many in one process: lean connections of MQTT 5, and the outbox of a real board.

Each tells its state once a second and makes a move each ten seconds, which is two records, unless it is told otherwise.
The state's own clock is this machine's, so that a receiver knows how old it is; the move bears it too, as its text.
Orders come on standard input: `reset` begins to count, `until N` says when everybody has been acknowledged what is
written now, and `tell` asks for the counts. Answers are lines of JSON.
"""

import argparse
import asyncio
import json
import resource
import socket
import struct
import sys
import time
from collections import deque
from random import Random
from threading import Thread
from typing import Final, NamedTuple

from gnomon.hall.messaging import decoder
from gnomon.hall.messaging.messages import BEAT, Records, State, Status, Topic, encode
from gnomon.hall.messaging.outbox import Outbox
from gnomon.records.journal.entries import Entry, EntryKind, GameStart, Record, StoredGame
from gnomon.timekeeping.instants import SECOND, Duration, Instant
from tests.bench._figures import Spread

HOST: Final = "127.0.0.1"
TOGETHER: Final = 50
"""Boards that connect at the same time."""
NEAR: Final = 20_000
"""Connections from one address of this machine; from one address to one port there are 28 000 in all."""
LOOK: Final = 0.004
"""Seconds between two looks which boards are due."""
FIRST: Final = 1.0
LONGEST: Final = 30.0
"""Seconds before a lost connection is tried again, doubled from try to try, and a part of that by chance."""
KEEPALIVE: Final = 300
"""Seconds; longer than tens of thousands of boards take to connect, before the first of them tells anything."""
LINGER: Final = 10
_NO_PORT_YET: Final = 24  # IP_BIND_ADDRESS_NO_PORT: ip(7)
_CONNACK: Final = 2
_PUBLISH: Final = 3
_START: Final = GameStart(
    "tamsk",
    {"level": 2},
    "silent",
    Instant(0),
    "boot",
    "2026-11-20T10:00:00+01:00",
    "0.1",
    players={"red": "Ada Lovelace", "black": "Bo Diddley"},
)
_CLOCK: Final = {"score": 21, "remaining_us": 600_000_000}


def now() -> Instant:
    """Microseconds of the machine's monotonic clock, as in the hall's own process."""
    return Instant(time.monotonic_ns() // 1000)


def length(value: int) -> bytes:
    """A length as MQTT writes it (1.5.5)."""
    written = bytearray()
    while True:
        value, seven = divmod(value, 128)
        written.append(seven | (0x80 if value else 0))
        if not value:
            return bytes(written)


def text(words: str | bytes) -> bytes:
    """A text, or bytes, with their length before them."""
    raw = words.encode() if isinstance(words, str) else words
    return struct.pack(">H", len(raw)) + raw


def packet(first: int, body: bytes) -> bytes:
    """A packet of MQTT."""
    return bytes([first]) + length(len(body)) + body


class Board(asyncio.Protocol):
    """One board and its connection."""

    def __init__(self, name: str, number: int, counts: "Counts") -> None:
        self.name, self.counts = name, counts
        self.outbox = Outbox("e1")
        self.chance = Random(name)
        self.unacked: deque[tuple[Record, Instant]] = deque()
        self.last = ""
        self.tries = 0
        self.is_up = False
        self.number = number
        self._transport: asyncio.Transport | None = None
        self._heard = b""
        self._number = 0
        self._topics = {kind: kind.of(name) for kind in Topic}

    # The connection

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport, self._heard = transport, b""
        gone = encode(Status(self.name, online=False, epoch="e1", session="s1"))
        will = bytes([5, 0x18]) + struct.pack(">I", LINGER) + text(self._topics[Topic.STATUS]) + text(gone)
        head = text("MQTT") + bytes([5, 0x02 | 0x04 | 0x08 | 0x20]) + struct.pack(">H", KEEPALIVE)
        expiry = bytes([5, 0x11]) + struct.pack(">I", LINGER)
        transport.write(packet(0x10, head + expiry + text(self.name) + will))

    def data_received(self, data: bytes) -> None:
        self._heard += data
        while (end := _end(self._heard)) is not None:
            first, body = self._heard[0], self._heard[end[0] : end[1]]
            self._heard = self._heard[end[1] :]
            if first >> 4 == _CONNACK and body[1] == 0:
                self._up()
            elif first >> 4 == _PUBLISH:
                self._taken(first, body)

    def connection_lost(self, _exc: Exception | None) -> None:
        self.is_up = False
        self.outbox = self.outbox.disconnect()
        self.counts.lost(self)

    def _up(self) -> None:
        self.is_up, self.tries = True, 0
        wanted = b"".join(text(self._topics[kind]) + b"\1" for kind in (Topic.ACK, Topic.ASK, Topic.REQUEST))
        self._write(packet(0x82, struct.pack(">HB", self._next(), 0) + wanted))
        here = Status(self.name, online=True, epoch="e1", session="s1", boot="boot", kind="tamsk", games=("tamsk",))
        self._publish(Topic.STATUS, encode(here), sure=True, retain=True)
        self.outbox = self.outbox.connect()
        self.send(now())

    def _taken(self, first: int, body: bytes) -> None:
        (size,) = struct.unpack_from(">H", body)
        at, topic = 2 + size, body[2 : 2 + size].decode()
        if first & 0x06:
            self._write(packet(0x40, body[at : at + 2]))
            at += 2
        payload = body[at + 1 + body[at] :]  # properties are few
        moment = now()
        if topic.endswith("/ack"):
            self.outbox = self.outbox.acknowledge(decoder.ack(topic, payload), moment, self.chance.random())
            while self.unacked and self.unacked[0][0].seq <= self.outbox.mark:
                self.counts.acked(moment - self.unacked.popleft()[1])
            self.counts.reached(self)
        elif topic.endswith("/ask"):
            self.outbox = self.outbox.resend(decoder.ask(topic, payload), moment)
        self.send(moment)

    # What a board does

    def tick(self, second: int) -> None:
        """One second: perhaps a move, then the state."""
        moment = now()
        pace = self.counts.pace
        if (second - self.number) % pace.move == 0:
            self._move(moment)
        self.outbox = self.outbox.wake(moment)
        if self.is_up:
            if (second - self.number) % pace.state == 0:
                self._tell(moment)
            self.send(moment)

    def send(self, moment: Instant) -> None:
        """Send the records that are due."""
        while self.is_up and (due := self.outbox.due()) is not None:
            records = tuple(record for record, _ in self.unacked if due.first <= record.seq <= due.last)
            told = Records(self.name, "e1", (StoredGame(1, _START, None),), records, self.outbox.last)
            self._publish(Topic.RECORDS, encode(told), sure=True)
            self.outbox = self.outbox.went_out(due.last, moment, self.chance.random())

    def _move(self, moment: Instant) -> None:
        self.last = f"a1-b{moment}"
        seq = self.outbox.last + 1
        event: dict[str, object] = {"event": "GlassTurned", "space": "C4", "to": "D5", "at_us": moment}
        ruling: dict[str, object] = {"ruling": "turn", "player": "red", "text": self.last, "article": "rule 7"}
        for number, (kind, body) in enumerate(((EntryKind.EVENT, event), (EntryKind.RULING, ruling))):
            cause = None if number == 0 else seq
            entry = Entry(1, kind, moment, body, "boot", "2026-11-20T10:00:01.250+01:00", cause)
            self.unacked.append((Record(seq + number, entry), moment))
        self.outbox = self.outbox.extend(seq + 1)
        self.counts.written += 2

    def _tell(self, moment: Instant) -> None:
        left = 600_000_000 - moment % 500_000_000
        players = [
            {"player": "red", "name": "Ada Lovelace", "on_turn": True, **_CLOCK, "remaining_us": left, "running": True},
            {"player": "black", "name": "Bo Diddley", "on_turn": False, **_CLOCK, "running": False},
        ]
        card = {
            "game": "tamsk",
            "title": "TAMSK",
            "number": 1,
            "phase": "running",
            "plies": self.outbox.last // 2,
            "turn": "red",
            "last": self.last,
            "players": players,
            "urgent_us": left,
            "timer15_us": None,
            "outcome": None,
            "confirmed": [],
            "health": [],
            "since_us": 0,
        }
        beat = Duration(max(BEAT, self.counts.pace.state * SECOND))
        state = State(self.name, "e1", "s1", "boot", moment, self.outbox.last, card, beat=beat)
        self._publish(Topic.STATE, encode(state), sure=False, retain=True)
        self.counts.states += 1

    def _publish(self, kind: Topic, payload: bytes, *, sure: bool, retain: bool = False) -> None:
        number = struct.pack(">H", self._next()) if sure else b""
        self._write(packet(0x30 | 2 * sure | retain, text(self._topics[kind]) + number + b"\0" + payload))

    def _write(self, data: bytes) -> None:
        if self._transport is not None and not self._transport.is_closing():
            self._transport.write(data)

    def _next(self) -> int:
        self._number = self._number % 65_535 + 1
        return self._number


def _end(heard: bytes) -> tuple[int, int] | None:
    """Where the body of the first packet begins and ends, None while it is not whole."""
    size = 0
    for place in range(1, min(5, len(heard))):
        size |= (heard[place] & 0x7F) << 7 * (place - 1)
        if not heard[place] & 0x80:
            end = place + 1 + size
            return (place + 1, end) if len(heard) >= end else None
    return None


class Pace(NamedTuple):
    """Seconds between two states, and between two moves, of a board."""

    state: int
    move: int


class Counts:
    """What all boards of this process have seen."""

    def __init__(self, names: list[str], port: int, pace: Pace) -> None:
        self.pace = pace
        self.states = self.written = 0
        self._acks: list[int] = []
        self._port = port
        self._targets: dict[str, int] = {}
        self._asked_at = 0
        self._longest_lag = 0.0
        self.boards = [Board(name, number, self) for number, name in enumerate(names)]

    async def run(self) -> None:
        """Connect all, and let them live."""
        for first in range(0, len(self.boards), TOGETHER):
            await asyncio.gather(*map(self._connect, self.boards[first : first + TOGETHER]))
        say(up=True)
        started, ticks, count = time.monotonic(), 0, len(self.boards)
        while True:
            await asyncio.sleep(LOOK)
            due = int((time.monotonic() - started) * count)
            self._longest_lag = max(self._longest_lag, (due - ticks - 1) / count)
            while ticks < due:
                self.boards[ticks % count].tick(ticks // count)
                ticks += 1

    def obey(self, order: str) -> None:
        """Do what a line orders."""
        word = order.strip()
        if word == "reset":
            self.states = self.written = 0
            self._acks.clear()
            self._longest_lag = 0.0
        elif word == "until":
            self._targets = {board.name: board.outbox.last for board in self.boards}
            self._asked_at = now()
            for board in self.boards:
                self.reached(board)
        else:
            spread = Spread.of(self._acks)
            late = round(self._longest_lag * 1000)
            say(states=self.states, written=self.written, acks=spread, late_ms=late, up=self._up())

    def acked(self, took: int) -> None:
        """A record was acknowledged so many microseconds after it was written."""
        self._acks.append(took)

    def reached(self, board: Board) -> None:
        """A board may have been acknowledged all that is waited for."""
        target = self._targets.get(board.name)
        if target is None or target > board.outbox.mark:
            return
        del self._targets[board.name]
        if not self._targets:
            say(recovered=(now() - self._asked_at) / SECOND, last=board.name)

    def lost(self, board: Board) -> None:
        """A board has lost its connection: it tries again by itself, as real ones do."""
        asyncio.get_running_loop().call_later(_pause(board), self._again, board)

    def _again(self, board: Board) -> None:
        board.tries += 1
        task = asyncio.get_running_loop().create_task(self._connect(board))
        _TASKS.add(task)
        task.add_done_callback(_TASKS.discard)

    async def _connect(self, board: Board) -> None:
        try:
            loop, line = asyncio.get_running_loop(), socket.socket()
            line.setblocking(False)
            # Which port is free is asked when it connects: asked before, it takes longer the more there are.
            line.setsockopt(socket.SOL_IP, _NO_PORT_YET, 1)
            line.bind((f"127.0.1.{1 + board.number // NEAR}", 0))
            await loop.sock_connect(line, (HOST, self._port))
            await loop.create_connection(lambda: board, sock=line)
        except OSError:
            self.lost(board)

    def _up(self) -> int:
        return sum(board.is_up for board in self.boards)


_TASKS: Final[set[asyncio.Task[None]]] = set()


def _pause(board: Board) -> float:
    longest = min(LONGEST, FIRST * 2.0 ** min(board.tries, 5))
    return board.chance.uniform(longest / 4, longest)


def say(**what: object) -> None:
    """Tell the bench something."""
    print(json.dumps(what), flush=True)


async def main(names: list[str], port: int, pace: Pace) -> None:
    """Run the boards until standard input ends."""
    loop, counts, ended = asyncio.get_running_loop(), Counts(names, port, pace), asyncio.Event()

    def listen() -> None:
        for line in sys.stdin:
            loop.call_soon_threadsafe(counts.obey, line)
        loop.call_soon_threadsafe(ended.set)

    Thread(target=listen, daemon=True).start()
    running = asyncio.create_task(counts.run())
    waiting = asyncio.create_task(ended.wait())
    done, _ = await asyncio.wait([running, waiting], return_when=asyncio.FIRST_COMPLETED)
    for task in done:
        task.result()
    running.cancel()


if __name__ == "__main__":
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("port", type=int)
    options.add_argument("first", type=int)
    options.add_argument("last", type=int)
    options.add_argument("state", type=int, help="seconds between two states of a board")
    options.add_argument("move", type=int, help="seconds between two moves")
    told = options.parse_args()
    boards = [f"t{number:04}" for number in range(told.first, told.last + 1)]
    asyncio.run(main(boards, told.port, Pace(told.state, told.move)))
