"""Run an engine of another author as a process, and hold it to the rules, its time and its memory.

It is a foreign program, and whatever it does, the game goes on: each move that it answers is checked, an engine that
hangs, lies, ends or is silent is started once more, and the second time it no longer plays. There are no threads, and
nothing waits but the caller's own loop.
"""

import asyncio
import json
import os
import signal
import subprocess
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from math import inf
from pathlib import Path
from typing import Any, Final, NamedTuple, Self

from gnomon.engines._infos import Info, read_duration, read_info
from gnomon.engines.move_list import MoveList
from gnomon.engines.plugins import EnginePlugin
from gnomon.refusals import Refusal, Statement, statement
from gnomon.timekeeping.instants import MILLISECOND, SECOND, Duration, seconds

_LONGEST_LINE: Final = 1 << 16
_MOST_LINES: Final = 20_000  # of one answer; an engine that writes more is no longer listened to
_MOST_MIB: Final = 8  # the same; so many of the longest lines are more than a small board has memory
_MOST_RANKS: Final = 500  # what our own engines tell of, at most
_START: Final = 10.0  # seconds until `ugiok`: a slow card, and a large program
_READY: Final = 60.0  # until `readyok`: tables may be loaded
_GRACE: Final = 3.0  # beyond the time that a search was given
_STOP: Final = 2.0  # until `bestmove` after `stop`
_END: Final = 1.0  # until it has ended after `quit`
_REAP: Final = 0.1  # seconds, for a program that has been killed
_TAIL: Final = 2_000
_PULSE: Final = 0.5  # seconds after which a search without an end asks whether it was told to stop
_MIB: Final = 1 << 20
_NICEST: Final = 19


class EngineFailedError(Refusal, RuntimeError):
    """An engine cannot go on; its words say what it did."""


class EngineDroppedError(EngineFailedError):
    """An engine has failed for the second time, or cannot be started: it no longer plays in this game."""


class _SilentError(EngineFailedError):
    """Nothing has come in time."""


class EngineLines:
    """A program and the lines that go to it and come from it."""

    def __init__(self, name: str, process: "subprocess.Popen[bytes]") -> None:
        self.name = name
        self.pid = process.pid
        self._process = process
        self._reader = asyncio.StreamReader(limit=_LONGEST_LINE)
        self._errors = _Tail()
        self._transports: list[asyncio.BaseTransport] = []

    @classmethod
    async def start(cls, plugin: EnginePlugin) -> Self:
        """Start the program, at the lowest priority. Raises EngineDroppedError."""
        try:
            process = subprocess.Popen(  # noqa: ASYNC220, S603 - it takes a millisecond; who wrote the file decided what runs
                plugin.command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=plugin.folder,
                start_new_session=True,  # so that what it starts ends with it
                bufsize=0,
            )
        except (OSError, ValueError) as error:
            why = error.strerror if isinstance(error, OSError) else str(error)
            raise EngineDroppedError(statement("engine.start", engine=plugin.name, why=why)) from error
        lower_priority(process.pid, plugin.memory)
        lines = cls(plugin.name, process)
        loop = asyncio.get_running_loop()
        assert process.stdin is not None  # noqa: S101 - all three were asked for
        os.set_blocking(process.stdin.fileno(), False)
        try:
            output, _ = await loop.connect_read_pipe(
                lambda: asyncio.StreamReaderProtocol(lines._reader), process.stdout
            )
            lines._transports.append(output)
            errors, _ = await loop.connect_read_pipe(lambda: lines._errors, process.stderr)
            lines._transports.append(errors)
        except asyncio.CancelledError:  # nobody waits for it any more, so nobody would end it either
            await lines.close(politely=False)
            for pipe in (process.stdout, process.stderr):
                if pipe is not None:
                    pipe.close()
            raise
        return lines

    def send(self, line: str) -> None:
        """Write one line. Raises EngineFailedError for a program that reads nothing any more."""
        self.send_bytes(f"{line}\n".encode())

    def send_bytes(self, data: bytes) -> None:
        """Write anything. Raises EngineFailedError."""
        assert self._process.stdin is not None  # noqa: S101 - as above
        try:
            written = self._process.stdin.write(data)
        except OSError as error:
            raise EngineFailedError(self._why_ended()) from error
        if written != len(data):  # None where the pipe is full
            raise EngineFailedError(statement("engine.deaf", engine=self.name))

    async def read(self, patience: float, awaited: str) -> str:
        """The next line. Raises EngineFailedError after so many seconds, and for a program that has ended."""
        try:
            async with asyncio.timeout(patience):
                line = await self._reader.readline()
        except TimeoutError as error:
            if self._process.poll() is not None:  # what it has started may hold its output open
                raise EngineFailedError(self._why_ended()) from error
            told = statement("engine.silent", engine=self.name, command=awaited, seconds=round(patience, 1))
            raise _SilentError(told) from error
        except ValueError as error:
            raise EngineFailedError(statement("engine.long", engine=self.name, number=_LONGEST_LINE)) from error
        if not line:
            await self._wait(0.2)
            raise EngineFailedError(self._why_ended())
        return line.decode("utf-8", "replace").strip()

    async def read_to(self, first: str, patience: float, awaited: str) -> tuple[str, Sequence[str]]:
        """The next line that begins with this word, and those before. Raises EngineFailedError."""
        loop = asyncio.get_running_loop()
        until = loop.time() + patience
        before: list[str] = []
        size = 0
        while True:
            left = until - loop.time()
            if left <= 0:
                told = statement("engine.silent", engine=self.name, command=awaited, seconds=round(patience, 1))
                raise _SilentError(told)
            line = await self.read(left, awaited)
            if line.split(maxsplit=1)[:1] == [first]:
                return line, before
            before.append(line)
            size += len(line)
            if len(before) > _MOST_LINES:
                raise EngineFailedError(statement("engine.chatter", engine=self.name, number=_MOST_LINES))
            if size > _MOST_MIB * _MIB:
                raise EngineFailedError(statement("engine.flood", engine=self.name, number=_MOST_MIB))

    def has_ended(self) -> int | None:
        """The exit status of the program; None while it runs."""
        return self._process.poll()

    async def wait(self, patience: float) -> int | None:
        """The exit status, waited for so many seconds; None for a program that runs on."""
        await self._wait(patience)
        return self._process.poll()

    async def close(self, *, politely: bool = True) -> None:
        """Let it end, or end it, with all that it has started, even if nobody waits for that."""
        try:
            if politely and self._process.poll() is None:
                with suppress(EngineFailedError):
                    self.send("quit")
                    await self._wait(_END)
        finally:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self.pid, signal.SIGKILL)
            self.hang_up()
            for transport in self._transports:
                transport.close()
            try:
                await self._wait(_END)
            except asyncio.CancelledError:
                with suppress(subprocess.TimeoutExpired):  # it has been killed: somebody has to take note of its end
                    self._process.wait(_REAP)
                raise

    def hang_up(self) -> None:
        """Close its input."""
        if self._process.stdin is not None and not self._process.stdin.closed:
            self._process.stdin.close()

    async def _wait(self, patience: float) -> None:
        # A child is reaped by asking: the loop's own watcher of children is a thread in Python 3.11.
        loop = asyncio.get_running_loop()
        until, pause = loop.time() + patience, 0.002
        while self._process.poll() is None and loop.time() < until:
            await asyncio.sleep(pause)
            pause = min(2 * pause, 0.05)

    def _why_ended(self) -> Statement:
        status = self._process.poll()
        said = self._errors.last_line
        if status is None:
            return statement("engine.closed", engine=self.name)
        if status < 0:
            with suppress(ValueError):
                return statement("engine.killed", engine=self.name, text=signal.Signals(-status).name)
        if said:
            return statement("engine.ended.saying", engine=self.name, number=status, text=said)
        return statement("engine.ended", engine=self.name, number=status)


class _Tail(asyncio.Protocol):
    """The end of what a program has written to its standard error: the reason, if it ends by a fault."""

    def __init__(self) -> None:
        self._kept = b""

    def data_received(self, data: bytes) -> None:
        """Keep the end."""
        self._kept = (self._kept + data)[-_TAIL:]

    @property
    def last_line(self) -> str:
        """The last line that is not empty, as far as it can be shown."""
        lines = [line for line in self._kept.decode("utf-8", "replace").splitlines() if line.strip()]
        return "".join(each if each.isprintable() else "?" for each in lines[-1].strip())[:200] if lines else ""


def lower_priority(pid: int, memory: int) -> None:
    """Let a process have what others leave over, and no more memory than so many MiB.

    It is done from outside: code that runs between fork and exec may wait for ever beside the threads of a daemon.
    """
    with suppress(OSError, AttributeError):
        os.setpriority(os.PRIO_PROCESS, pid, _NICEST)
    with suppress(OSError, AttributeError):
        os.sched_setscheduler(pid, os.SCHED_IDLE, os.sched_param(0))
    with suppress(OSError):  # where memory runs out, it goes first
        Path(f"/proc/{pid}/oom_score_adj").write_text("1000", encoding="ascii")
    if memory:
        with suppress(OSError, ImportError, AttributeError, ValueError):
            import resource  # noqa: PLC0415 - there is none on Windows

            resource.prlimit(pid, resource.RLIMIT_AS, (memory * _MIB, memory * _MIB))


# What is asked and answered


class Clocks(NamedTuple):
    """What is left on the clocks of both persons, the one who began first, and what a turn gives back."""

    first: Duration
    second: Duration
    first_gain: Duration = Duration(0)
    second_gain: Duration = Duration(0)


@dataclass(frozen=True, slots=True)
class Go:
    """How an engine is to think: each limit that is given holds.

    `hands` is how long the player and the opponent need to carry a move out; `moves` are those to choose among.
    `is_off_turn`: the engine is not on turn, and may do something beside the turn of the other player, or nothing.
    """

    nodes: int | None = None
    depth: int | None = None
    time: Duration | None = None
    clocks: Clocks | None = None
    hands: tuple[Duration, Duration] | None = None
    moves: Sequence[str] = ()
    is_endless: bool = False
    is_off_turn: bool = False

    def line(self, game: MoveList) -> str:
        """The line that asks for it."""
        words = ["go", "offturn"] if self.is_off_turn else ["go"]
        if self.clocks is not None:
            for name, duration in zip(("p1time", "p2time", "p1inc", "p2inc"), self.clocks, strict=True):
                words += [name, str(max(0, duration) // MILLISECOND)]
        if self.time is not None:
            words += ["movetime", str(self.time // MILLISECOND)]
        if self.nodes is not None:
            words += ["nodes", str(self.nodes)]
        if self.depth is not None:
            words += ["depth", str(self.depth)]
        if self.is_endless:
            words.append("infinite")
        sand = game.sand
        if sand:
            words += ["at", str(seconds(game.now)), *sand]
        if self.hands is not None and sand:
            words += ["hands", *(str(seconds(each)) for each in self.hands)]
        if self.moves:
            words += ["searchmoves", *self.moves]
        return " ".join(words)

    def patience(self, game: MoveList, usual: float) -> float:
        """For how many seconds an answer is waited for."""
        if self.time is not None:
            return self.time / SECOND + _GRACE
        if self.clocks is not None:
            return (self.clocks.first if game.first_acts else self.clocks.second) / SECOND + _GRACE
        return usual


class Answer(NamedTuple):
    """The move of an engine, which is legal: as the rules have it, and as text, with the last told of each rank.

    The text is empty where an engine that is not on turn does nothing. `wait` is for how long to do nothing before the
    move, and `ponder` what the engine expects then.
    """

    move: Any
    text: str
    infos: tuple[Info, ...] = ()
    wait: Duration = Duration(0)
    ponder: str = ""


class _Wait:
    """Until when an answer is waited for: after `stop`, a short while more."""

    def __init__(self, began: float, patience: float) -> None:
        self.began = began
        self.until = began + patience
        self.is_stopped = False

    def stop(self, now: float) -> None:
        """It has been told to stop."""
        self.is_stopped = True
        self.until = now + _STOP


@dataclass
class EngineProcess:
    """An engine that plays one game: it is started when it is first asked, and `told` hears what goes wrong."""

    plugin: EnginePlugin
    settings: Mapping[str, str]
    told: Callable[[Statement], None] = field(default=lambda _: None)
    _lines: EngineLines | None = None
    _has_failed: bool = False
    _dropped: Statement | None = None
    _is_thinking: bool = False
    _is_ready: bool = False
    _wait: _Wait | None = None

    async def move(self, game: MoveList, go: Go, heard: Callable[[Info], None] | None = None) -> Answer:
        """The engine's move; `heard` is told of the search while it goes on. Raises EngineDroppedError.

        An engine that fails is started once more in a game, and asked again. One whose answer is not waited for may be
        asked something else at once: it is then started again, which is no failure.
        """
        while True:
            if self._dropped is not None:
                raise EngineDroppedError(self._dropped)
            try:
                return await self._ask(game, go, heard)
            except EngineDroppedError as error:
                self._dropped = error.statement
                await self.close(politely=False)
            except EngineFailedError as error:
                await self.close(politely=False)
                if self._has_failed:
                    self._dropped = statement("engine.dropped", why=error.statement)
                else:
                    self._has_failed = True
                    self.told(statement("engine.restarted", why=error.statement))

    async def stop(self) -> None:
        """Let the search end: `move` then answers what has been found. Raises EngineFailedError."""
        if self._lines is not None and self._wait is not None and not self._wait.is_stopped:
            self._wait.stop(asyncio.get_running_loop().time())
            self._lines.send("stop")

    async def close(self, *, politely: bool = True) -> None:
        """End the program."""
        lines, self._lines = self._lines, None
        self._is_thinking = self._is_ready = False
        if lines is not None:
            await lines.close(politely=politely)

    async def _ask(self, game: MoveList, go: Go, heard: Callable[[Info], None] | None) -> Answer:
        if self._is_thinking:  # somebody did not wait for the last answer, which would now be taken for this one's
            await self.close(politely=False)
        lines = await self._start(game)
        self._is_thinking = True
        lines.send(" ".join(("position startpos", *(("moves", *game.texts) if game.texts else ()))))
        lines.send(go.line(game))
        infos: dict[int, Info] = {}
        async for line in self._answers(lines, go, game):
            words = line.split()
            if words[:1] == ["bestmove"]:
                self._is_thinking = False
                return _check(self.plugin.name, game, go, words, infos)
            info = read_info(line)
            if info is not None and info.rank <= _MOST_RANKS:
                infos[info.rank] = info
                if heard is not None:
                    heard(info)
        raise EngineFailedError(statement("engine.closed", engine=self.plugin.name))

    async def _answers(self, lines: EngineLines, go: Go, game: MoveList) -> AsyncIterator[str]:
        """What comes until `bestmove`; when the time is up it is told to stop, and then there is no more patience."""
        loop = asyncio.get_running_loop()
        wait = self._wait = _Wait(loop.time(), inf if go.is_endless else go.patience(game, self.plugin.patience))
        size = 0
        for _ in range(_MOST_LINES):
            line = ""
            while not line:
                left = wait.until - loop.time()
                if left > 0:
                    with suppress(_SilentError):
                        # Not all at once: somebody may tell an endless search to stop.
                        line = await lines.read(min(left, _PULSE), "go") or " "
                elif not wait.is_stopped:
                    await self.stop()
                else:
                    waited = round(loop.time() - wait.began, 1)
                    raise EngineFailedError(
                        statement("engine.silent", engine=self.plugin.name, command="go", seconds=waited)
                    )
            size += len(line)
            if size > _MOST_MIB * _MIB:
                raise EngineFailedError(statement("engine.flood", engine=self.plugin.name, number=_MOST_MIB))
            yield line
        raise EngineFailedError(statement("engine.chatter", engine=self.plugin.name, number=_MOST_LINES))

    async def _start(self, game: MoveList) -> EngineLines:
        """The program that runs, or else a new one that has been told what game is played."""
        if self._lines is not None and self._is_ready:
            return self._lines
        # A caller that did not wait for it has left one that knows neither the game's settings nor its level.
        await self.close(politely=False)
        lines = self._lines = await EngineLines.start(self.plugin)
        lines.send("ugi")
        _, before = await lines.read_to("ugiok", _START, "ugi")
        exact = {name for name in map(_option_name, before) if name}  # TAMSK has both `level` and `Level`
        offered = {name.casefold() for name in exact}
        for name, value in {"Game": game.rules.name, **self.settings, **self.plugin.options}.items():
            if name in exact or (name.casefold() in offered and name in self.plugin.options):
                lines.send(f"setoption name {name} value {value}")
        lines.send("uginewgame")
        lines.send("isready")
        await lines.read_to("readyok", _READY, "isready")
        self._is_ready = True
        return lines


def _option_name(line: str) -> str:
    """The name in a line that tells of an option; empty for any other line."""
    head, found, tail = line.partition("option name ")
    return tail.partition(" type ")[0].strip() if found and not head.strip() else ""


def _check(name: str, game: MoveList, go: Go, words: Sequence[str], infos: Mapping[int, Info]) -> Answer:
    """The answer that `bestmove …` gives, held against the rules. Raises EngineFailedError."""
    text = words[1] if len(words) > 1 else ""
    if go.is_off_turn:
        return _check_off_turn(game, text)
    try:
        move = game.rules.parse(game.position, text)
    except Refusal as error:
        told = statement("engine.illegal", engine=name, move=json.dumps(text[:80]), why=error.statement)
        raise EngineFailedError(told) from error
    text = game.rules.text(game.position, move)
    if go.moves and text not in go.moves:
        raise EngineFailedError(statement("engine.other_move", engine=name, move=text))
    rest = dict(zip(words[2::2], words[3::2], strict=False))
    ranked = tuple(infos[rank] for rank in sorted(infos))
    return Answer(move, text, ranked, read_duration(rest.get("wait", "")), rest.get("ponder", ""))


def _check_off_turn(game: MoveList, text: str) -> Answer:
    """The answer of an engine that is not on turn: what is not allowed then is nothing, as a turn is not."""
    moves = {game.rules.text(game.position, move): move for move in game.rules.off_turn(game.position)}
    return Answer(moves[text], text) if text in moves else Answer(None, "")
