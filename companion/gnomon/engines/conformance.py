"""Test whether an engine speaks the protocol and plays by the rules, and report each fault.

What UGI itself demands is a fault where it is missing; what only UCI has, or what would be quicker, is a remark.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import suppress
from enum import Enum
from typing import Any, Final, NamedTuple

from gnomon.engines.matches import draw
from gnomon.engines.move_list import MoveList
from gnomon.engines.plugins import EnginePlugin
from gnomon.engines.process import Clocks, EngineDroppedError, EngineFailedError, EngineLines, Go
from gnomon.engines.protocol import Chance
from gnomon.refusals import Refusal, Statement, statement
from gnomon.rules.protocol import NATURE, Rules
from gnomon.timekeeping.instants import MILLISECOND, Duration

_ANSWER: Final = 10.0  # seconds for what should take none: a slow card
_SEARCH: Final = Duration(200 * MILLISECOND)
_LATE: Final = 1.0  # seconds by which an answer may be late
_QUICK_START: Final = 0.5
_QUICK_STOP: Final = 0.05
_QUIET: Final = 0.15  # for how long nothing must come
_LONGEST: Final = 600
_NODES: Final = 50
_UNKNOWN: Final = (
    b"\n",
    b"   \t \r\n",
    b"xyzzy plugh\n",
    b"setoption name NoSuchOption value 7\n",
    b"setoption\n",
    b"query\n",
    b"query weather\n",
    b"\xff\xfe\x00\x80\n",
    b"x" * 5_000 + b"\n",
)
_OPTION_TYPES: Final = {"check", "spin", "combo", "button", "string"}


class TrialGrade(Enum):
    """How bad a finding is."""

    FINE = "fine"
    REMARK = "remark"
    FAULT = "fault"


class Trial(NamedTuple):
    """What was tried, and what came of it; `why` is None where all is well."""

    grade: TrialGrade
    what: Statement
    why: Statement | None = None


class _FoundError(Exception):
    """Something is not as it should be."""

    def __init__(self, why: Statement, grade: TrialGrade = TrialGrade.FAULT) -> None:
        super().__init__(why.key)
        self.why = why
        self.grade = grade


class _Trial(NamedTuple):
    """One thing to try; where it is UCI's and not UGI's, an engine may do without."""

    what: Statement
    run: Callable[[], Awaitable[Statement | None]]
    """It answers with a remark, or None."""
    worst: TrialGrade = TrialGrade.FAULT


async def examine(plugin: EnginePlugin, rules: Rules[Any, Any], chance: Chance) -> AsyncIterator[Trial]:
    """Try everything out, and tell of each thing as soon as it is known.

    Raises EngineDroppedError for a program that cannot be started.
    """
    examiner = _Examiner(plugin, rules, chance)
    try:
        for trial in examiner.trials():
            yield await examiner.judge(trial)
    finally:
        await examiner.end()


class _Examiner:
    """One engine that is tried out; after a fault it is started again."""

    def __init__(self, plugin: EnginePlugin, rules: Rules[Any, Any], chance: Chance) -> None:
        self._plugin = plugin
        self._rules = rules
        self._chance = chance
        self._lines: EngineLines | None = None
        self._options: Sequence[str] = ()

    def trials(self) -> Sequence[_Trial]:
        """What is tried, in order."""
        every = Go(nodes=_NODES)
        by_clock = Go(clocks=Clocks(*[Duration(10 * _SEARCH)] * 2, *[Duration(0)] * 2))
        return (
            _Trial(statement("engine.check.hello"), self._hello),
            _Trial(statement("engine.check.ready"), self._ready),
            _Trial(statement("engine.check.options"), self._defaults),
            _Trial(statement("engine.check.unknown"), self._unknown),
            _Trial(statement("engine.check.idle"), self._idle_stop),
            _Trial(statement("engine.check.start"), self._start_position),
            _Trial(statement("engine.check.nodes"), lambda: self._search(every)),
            _Trial(statement("engine.check.depth"), lambda: self._search(Go(depth=1))),
            _Trial(statement("engine.check.movetime"), lambda: self._search(Go(time=_SEARCH))),
            _Trial(statement("engine.check.clocks"), lambda: self._search(by_clock)),
            _Trial(statement("engine.check.infinite"), self._infinite),
            _Trial(statement("engine.check.additions"), self._additions),
            _Trial(statement("engine.check.searchmoves"), self._search_moves, TrialGrade.REMARK),
            _Trial(statement("engine.check.ponder"), self._ponder, TrialGrade.REMARK),
            _Trial(statement("engine.check.illegal"), self._illegal),
            _Trial(statement("engine.check.game"), self._game),
            _Trial(statement("engine.check.again"), self._again),
            _Trial(statement("engine.check.quit"), self._quit),
            _Trial(statement("engine.check.eof"), self._end_of_input),
        )

    async def judge(self, trial: _Trial) -> Trial:
        """Try one thing. Raises EngineDroppedError for a program that cannot be started."""
        try:
            remark = await trial.run()
        except EngineDroppedError:
            raise
        except (EngineFailedError, _FoundError) as error:
            await self.end()
            why = error.why if isinstance(error, _FoundError) else error.statement
            return Trial(trial.worst, trial.what, why)
        return Trial(TrialGrade.FINE if remark is None else TrialGrade.REMARK, trial.what, remark)

    async def end(self) -> None:
        """End the program."""
        lines, self._lines = self._lines, None
        if lines is not None:
            await lines.close(politely=False)

    # The trials

    async def _hello(self) -> Statement | None:
        loop = asyncio.get_running_loop()
        began = loop.time()
        lines = self._lines = await EngineLines.start(self._plugin)
        lines.send("ugi")
        _, before = await lines.read_to("ugiok", _ANSWER, "ugi")
        took = loop.time() - began
        self._options = [line for line in before if line.startswith("option ")]
        if not any(line.startswith("id name ") for line in before):
            raise _FoundError(statement("engine.check.no_name"))
        return statement("engine.check.slow", seconds=round(took, 2)) if took > _QUICK_START else None

    async def _ready(self) -> None:
        await self._sync(await self._program())

    async def _defaults(self) -> None:
        lines = await self._program()
        for option in self._options:
            head, found, tail = option.removeprefix("option name ").partition(" type ")
            words = tail.split()
            if not (found and head.strip() and words) or words[0] not in _OPTION_TYPES:
                raise _FoundError(statement("engine.check.option", text=option[:120]))
            value = tail.partition(" default ")[2]
            for end in (" min ", " max ", " var "):
                value = value.partition(end)[0]
            if words[0] != "button" and value:
                lines.send(f"setoption name {head} value {value}")
        await self._sync(lines)
        await self.end()  # a setting that is given may mean another than one that is left open

    async def _unknown(self) -> None:
        lines = await self._program()
        for line in _UNKNOWN:
            lines.send_bytes(line)
        await self._sync(lines)

    async def _idle_stop(self) -> None:
        lines = await self._program()
        lines.send("stop")
        lines.send("ponderhit")
        for line in await self._sync(lines):
            if line.startswith("bestmove"):
                raise _FoundError(statement("engine.check.unasked", text=line[:120]))

    async def _start_position(self) -> None:
        lines = await self._program()
        lines.send("uginewgame")
        await self._compare(lines, MoveList.begin(self._rules))

    async def _search(self, go: Go) -> None:
        lines = await self._program()
        await self._move(lines, self._playable(), go)

    async def _infinite(self) -> Statement | None:
        lines, game = await self._program(), self._playable()
        loop = asyncio.get_running_loop()
        self._place(lines, game)
        lines.send(Go(is_endless=True).line(game))
        await self._keep_quiet(lines, _QUIET)
        for line in await self._sync(lines):
            if line.startswith("bestmove"):
                raise _FoundError(statement("engine.check.early"))
        lines.send("stop")
        began = loop.time()
        answer, _ = await lines.read_to("bestmove", _LATE + _ANSWER, "stop")
        took = loop.time() - began
        self._legal(answer, game)
        if took > _LATE:
            raise _FoundError(statement("engine.check.late", seconds=round(took, 2)))
        return statement("engine.check.late", seconds=round(took, 2)) if took > _QUICK_STOP else None

    async def _additions(self) -> None:
        lines, game = await self._program(), self._playable()
        self._place(lines, game)
        lines.send(f"go nodes {_NODES} at 12.5 sand D1 170 A4 0 sand15 0 hands 3.1 2")
        answer, _ = await lines.read_to("bestmove", _ANSWER, "go")
        self._legal(answer, game)
        if game.rules.off_turn(game.position):
            lines.send(f"go offturn nodes {_NODES} at 12.5 sand15 0 hands 3.1 2")
            await lines.read_to("bestmove", _ANSWER, "go offturn")  # whatever it is: a turn is as good as nothing

    async def _search_moves(self) -> None:
        lines, game = await self._program(), self._playable()
        moves = game.rules.legal_moves(game.position)
        for move in (moves[0], moves[-1]):
            text = game.rules.text(game.position, move)
            answer = await self._move(lines, game, Go(nodes=_NODES, moves=(text,)))
            if game.rules.parse(game.position, answer) != move:
                raise _FoundError(statement("engine.check.other", move=answer, text=text))

    async def _ponder(self) -> None:
        lines, game = await self._program(), self._playable()
        for end in ("ponderhit", "stop"):
            self._place(lines, game)
            lines.send(f"go ponder nodes {_NODES}")
            await self._keep_quiet(lines, _QUIET)
            lines.send(end)
            answer, _ = await lines.read_to("bestmove", _ANSWER, end)
            self._legal(answer, game)

    async def _illegal(self) -> None:
        lines = await self._program()
        lines.send("position startpos moves no-such-move")
        lines.send("query result")
        await self._sync(lines)
        await self._move(lines, self._playable(), Go(nodes=_NODES))

    async def _game(self) -> None:
        lines = await self._program()
        lines.send("uginewgame")
        game = MoveList.begin(self._rules)
        rules = self._rules
        while not game.is_over and len(game.texts) < _LONGEST:
            if rules.turn(game.position) == NATURE:
                text = rules.text(game.position, draw(rules, game.position, self._chance))
            else:
                text = await self._move(lines, game, Go(nodes=1))
            game = game.add(text)
            await self._compare(lines, game)

    async def _again(self) -> None:
        lines = await self._program()
        lines.send("uginewgame")
        await self._sync(lines)
        await self._compare(lines, MoveList.begin(self._rules))
        await self._move(lines, self._playable(), Go(nodes=_NODES))

    async def _quit(self) -> None:
        lines = await self._program()
        lines.send("quit")
        await self._expect_end(lines)

    async def _end_of_input(self) -> None:
        lines = await self._program()
        lines.hang_up()
        await self._expect_end(lines)

    # What they share

    async def _program(self) -> EngineLines:
        """The program, started again if it has ended."""
        lines = self._lines
        if lines is None:
            lines = self._lines = await EngineLines.start(self._plugin)
            lines.send("ugi")
            await lines.read_to("ugiok", _ANSWER, "ugi")
            offered = " ".join(self._options).casefold()
            if "option name game " in offered:
                lines.send(f"setoption name Game value {self._rules.name}")
            for name, value in self._plugin.options.items():
                lines.send(f"setoption name {name} value {value}")
            await self._sync(lines)
        return lines

    async def _sync(self, lines: EngineLines) -> Sequence[str]:
        """Wait until it is ready; answers what it has said before."""
        lines.send("isready")
        _, before = await lines.read_to("readyok", _ANSWER, "isready")
        return before

    async def _keep_quiet(self, lines: EngineLines, patience: float) -> None:
        with suppress(EngineFailedError):
            await lines.read_to("bestmove", patience, "go")
            raise _FoundError(statement("engine.check.early"))
        if lines.has_ended() is not None:
            await lines.read(_ANSWER, "go")  # which says how it has ended

    def _place(self, lines: EngineLines, game: MoveList) -> None:
        lines.send(" ".join(("position startpos", *(("moves", *game.texts) if game.texts else ()))))

    def _playable(self) -> MoveList:
        """The first position in which a player is on turn."""
        game, rules = MoveList.begin(self._rules), self._rules
        while rules.turn(game.position) == NATURE:
            game = game.add(rules.text(game.position, draw(rules, game.position, self._chance)))
        return game

    async def _move(self, lines: EngineLines, game: MoveList, go: Go) -> str:
        """The answer to a search, which must be legal and in time."""
        self._place(lines, game)
        lines.send(go.line(game))
        patience = go.patience(game, _ANSWER)
        answer, _ = await lines.read_to("bestmove", patience, go.line(game))
        return self._legal(answer, game)

    def _legal(self, answer: str, game: MoveList) -> str:
        text = [*answer.split(), ""][1]
        try:
            return game.rules.text(game.position, game.rules.parse(game.position, text))
        except Refusal as error:
            told = statement("engine.illegal", engine=self._plugin.name, move=repr(text[:80]), why=error.statement)
            raise _FoundError(told) from error

    async def _compare(self, lines: EngineLines, game: MoveList) -> None:
        """Ask it what it knows of a position, and compare that with the rules."""
        self._place(lines, game)
        wanted = {"gameover": "true" if game.is_over else "false", "result": game.result}
        if not game.is_over:
            wanted["p1turn"] = "true" if game.first_acts else "false"
        for asked, answer in wanted.items():
            lines.send(f"query {asked}")
            line, _ = await lines.read_to("response", _ANSWER, f"query {asked}")
            if line.split()[1:] != [answer]:
                told = statement(
                    "engine.check.query", text=asked, answer=line[:80], wanted=answer, moves=" ".join(game.texts) or "-"
                )
                raise _FoundError(told)

    async def _expect_end(self, lines: EngineLines) -> None:
        status = await lines.wait(_LATE + 1)
        await self.end()
        if status is None:
            raise _FoundError(statement("engine.check.runs_on"))
        if status != 0:
            raise _FoundError(statement("engine.check.status", number=status))
