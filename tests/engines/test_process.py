"""Engines of others as processes: what they may do, and that nothing they do ends the game."""

import asyncio
import os
import sys
from pathlib import Path
from time import monotonic, sleep

import pytest

from gnomon.engines import process as module
from gnomon.engines._infos import Info, read_info
from gnomon.engines.move_list import MoveList
from gnomon.engines.plugins import PATIENCE, EnginePlugin, own_plugin
from gnomon.engines.process import (
    Answer,
    Clocks,
    EngineDroppedError,
    EngineFailedError,
    EngineProcess,
    Go,
)
from gnomon.engines.protocol import Score
from gnomon.refusals import Statement
from gnomon.rules.registry import rules_of
from gnomon.timekeeping.instants import MILLISECOND, SECOND, Duration, Instant
from tests.engines import foreign
from tests.words.every_language import told_in_every_language  # noqa: F401 - a fixture

SMALL = {"size": "3"}
SOON = Go(time=Duration(100 * MILLISECOND))
AT_ONCE = Go(nodes=1)


def begin(size: int = 3) -> MoveList:
    return MoveList.begin(rules_of("tabik", {"size": str(size)}))


def ask(plugin: EnginePlugin, *games: MoveList, go: Go = AT_ONCE, told: list[Statement] | None = None) -> list[Answer]:
    """Its moves in some positions of one game."""

    async def run() -> list[Answer]:
        engine = EngineProcess(plugin, SMALL, (told if told is not None else []).append)
        try:
            return [await engine.move(game, go) for game in games]
        finally:
            await engine.close()

    return asyncio.run(run())


@pytest.fixture
def short_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Gives an engine up after a moment: for those that answer never, for a busy machine lets none run at once."""
    for name in ("_GRACE", "_STOP", "_END"):
        monkeypatch.setattr(module, name, 0.1)


def test_an_engine_in_another_language_plays_a_game(tabik_in_c: EnginePlugin) -> None:
    async def run() -> MoveList:
        engine = EngineProcess(tabik_in_c, SMALL)
        game = begin()
        while not game.is_over:
            game = game.add((await engine.move(game, Go(nodes=10))).text)
        await engine.close()
        return game

    assert asyncio.run(run()).result in {"p1win", "p2win"}


@pytest.mark.parametrize(
    ("said", "text"),
    [("flip15", "flip15"), ("0000", ""), ("D2-D3", ""), ("nonsense", ""), ("", "")],
)
def test_an_engine_that_is_not_on_turn_may_say_what_it_likes(tmp_path: Path, said: str, text: str) -> None:
    line = MoveList.begin(rules_of("tamsk", {"level": "3"})).elapse(Instant(SECOND)).add("D1-D2")
    asked = Go(time=Duration(100 * MILLISECOND), hands=(Duration(SECOND), Duration(SECOND)), is_off_turn=True)
    assert asked.line(line).startswith("go offturn movetime 100 at 1")
    told: list[Statement] = []
    plugin = foreign.bad_engine(tmp_path, f"echo bestmove {said}")
    assert [answer.text for answer in ask(plugin, line, line, go=asked, told=told)] == [text, text]
    assert not told, "one that does not know the word plays on"


def test_gnomons_own_engine_is_asked_like_any_other() -> None:
    heard: list[Info] = []

    async def run() -> Answer:
        engine = EngineProcess(own_plugin("tabik", {"Level": "2", "MultiPV": "2", "Seed": "1"}), SMALL)
        answer = await engine.move(begin(), Go(nodes=100), heard.append)
        await engine.close()
        return answer

    answer = asyncio.run(run())
    assert begin().rules.text(begin().position, answer.move) == answer.text
    assert [info.rank for info in answer.infos] == [1, 2]
    assert heard[-1] == answer.infos[-1]
    assert all(info.score is not None and 0 <= info.score.chance <= 1 for info in heard)


@pytest.mark.parametrize(
    ("go", "why"),
    [
        (foreign.LYING, 'bad answered "a1c3", which is no legal move: '),
        (foreign.WITHOUT_A_MOVE, 'bad answered "", which is no legal move: '),
        (foreign.DYING, "bad has ended by itself with status 3: no table found"),
        (foreign.KILLED, "bad was ended by the signal SIGSEGV"),
        (foreign.WITHOUT_LINES, "bad wrote a line of more than 65536 bytes"),
        (foreign.CLOSING, "bad has closed its output"),
    ],
)
def test_an_engine_that_fails_is_started_once_more_and_then_plays_no_further(go: str, why: str, tmp_path: Path) -> None:
    told: list[Statement] = []
    plugin = foreign.bad_engine(tmp_path, go)
    with pytest.raises(EngineDroppedError) as dropped:
        ask(plugin, begin(), told=told)
    assert len(told) == 1
    assert str(told[0]).startswith(why)
    assert str(told[0]).endswith("; it was started again")
    assert str(dropped.value).startswith(why)
    assert str(dropped.value).endswith(", for the second time; it no longer plays in this game")
    assert foreign.starts(tmp_path) == 2


def test_the_end_of_an_engine_is_noticed_though_what_it_started_holds_its_output_open(tmp_path: Path) -> None:
    began = monotonic()
    with pytest.raises(EngineDroppedError, match="bad has ended by itself with status 4, for the second time"):
        ask(foreign.bad_engine(tmp_path, foreign.LEAVING), begin())
    assert monotonic() - began < PATIENCE / 2


@pytest.mark.usefixtures("short_patience")
@pytest.mark.parametrize("go", [foreign.HANGING, foreign.SILENT])
def test_an_engine_that_never_answers_is_started_once_more_and_then_plays_no_further(go: str, tmp_path: Path) -> None:
    told: list[Statement] = []
    with pytest.raises(EngineDroppedError, match=r"bad has not answered go within 0\.[0-9] s, for the second time; "):
        ask(foreign.bad_engine(tmp_path, go), begin(), go=SOON, told=told)
    assert len(told) == 1
    assert foreign.starts(tmp_path) == 2


def test_an_engine_that_has_been_dropped_is_not_asked_again(tmp_path: Path) -> None:
    async def run() -> None:
        engine = EngineProcess(foreign.bad_engine(tmp_path, foreign.LYING), SMALL)
        for _ in range(3):
            with pytest.raises(EngineDroppedError):
                await engine.move(begin(), AT_ONCE)
        await engine.close()

    asyncio.run(run())
    assert foreign.starts(tmp_path) == 2


def test_an_engine_that_fails_once_goes_on(tmp_path: Path) -> None:
    told: list[Statement] = []
    once = 'if [ -e "$0.died" ]; then echo bestmove a1b1; else touch "$0.died"; exit 1; fi'
    (answer,) = ask(foreign.bad_engine(tmp_path, once), begin(), told=told)
    assert (answer.text, len(told)) == ("a1b1", 1)


def test_an_engine_that_talks_without_end_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_MOST_LINES", 500)
    with pytest.raises(EngineDroppedError, match="bad wrote more than 500 lines without an answer"):
        ask(foreign.bad_engine(tmp_path, foreign.TALKING), begin())


LONG_LINES = "yes info depth 1 multipv 1 score cp 1 pv $(printf 'a1b1 %.0s' $(seq 10000))"


@pytest.mark.parametrize("when", ["go", "ugi"])
def test_an_engine_that_writes_more_than_a_board_has_memory_is_given_up(when: str, tmp_path: Path) -> None:
    plugin = foreign.bad_engine(tmp_path, LONG_LINES)
    if when == "ugi":
        program = tmp_path / "bad"
        program.write_text(program.read_text("utf-8").replace("ugi) ", f"ugi) {LONG_LINES};; ugi) "), "utf-8")
    with pytest.raises(EngineDroppedError, match="bad wrote more than 8 MiB without an answer"):
        ask(plugin, begin())


def test_no_more_of_a_search_is_kept_than_anybody_reads(tmp_path: Path) -> None:
    told = "; ".join(
        f"echo info depth 1 multipv {rank} score cp 1 pv $(printf 'a1b1 %.0s' $(seq {moves}))"
        for rank, moves in ((1, 3), (500, 1000), (501, 1))
    )
    (answer,) = ask(foreign.bad_engine(tmp_path, f"{told}; echo bestmove a1b1"), begin())
    assert [(info.rank, len(info.line)) for info in answer.infos] == [(1, 3), (500, 200)]


@pytest.mark.skipif(sys.platform != "linux", reason="memory is bounded on Linux only")
def test_an_engine_that_takes_too_much_memory_ends_and_nothing_else_does(tmp_path: Path) -> None:
    with pytest.raises(EngineDroppedError, match="status 1: MemoryError"):
        ask(foreign.bad_engine(tmp_path, foreign.HUNGRY, memory=256), begin())


def test_an_engine_that_is_late_is_told_to_stop_and_its_answer_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_GRACE", 0.1)
    monkeypatch.setattr(module, "_STOP", 20)
    told: list[Statement] = []
    (answer,) = ask(foreign.bad_engine(tmp_path, ":", "echo bestmove a1b1"), begin(), go=SOON, told=told)
    assert (answer.text, told) == ("a1b1", [])


def test_a_program_that_there_is_not_is_tried_once() -> None:
    told: list[Statement] = []
    with pytest.raises(EngineDroppedError, match="none cannot be started: No such file or directory"):
        ask(EnginePlugin("none", ("/no/such/program",)), begin(), told=told)
    assert told == []


@pytest.mark.skipif(sys.platform != "linux", reason="there is no SCHED_IDLE elsewhere")
@pytest.mark.usefixtures("lowest_priority")
def test_an_engine_has_what_others_leave_over_and_ends_with_all_that_it_started(tmp_path: Path) -> None:
    async def run() -> tuple[int, int, int]:
        engine = EngineProcess(
            foreign.bad_engine(tmp_path, 'sleep 60 & echo $! > "$0.child"; echo bestmove a1b1'), SMALL
        )
        await engine.move(begin(), AT_ONCE)
        assert engine._lines is not None
        pid = engine._lines.pid
        found = os.getpriority(os.PRIO_PROCESS, pid), os.sched_getscheduler(pid)
        await engine.close()
        return *found, int((tmp_path / "bad.child").read_text("utf-8"))

    nice, policy, child = asyncio.run(run())
    assert (nice, policy) == (19, os.SCHED_IDLE)
    for _ in range(500):  # it has been killed, and dies when the machine has a moment for it
        try:
            state = Path(f"/proc/{child}/stat").read_text("utf-8").split(")")[1].split()[0]
        except (FileNotFoundError, ProcessLookupError):
            break
        if state == "Z":
            break
        sleep(0.02)
    else:
        pytest.fail("what it has started runs on")


def test_an_endless_search_is_stopped(tabik_in_c: EnginePlugin) -> None:
    async def run() -> Answer:
        engine = EngineProcess(tabik_in_c, SMALL)
        await engine.move(begin(), AT_ONCE)
        thinking = asyncio.create_task(engine.move(begin(), Go(is_endless=True)))
        await asyncio.sleep(0.1)
        assert not thinking.done()
        await engine.stop()
        answer = await thinking
        await engine.close()
        return answer

    assert asyncio.run(run()).text


@pytest.mark.usefixtures("short_patience")
def test_an_endless_search_that_does_not_stop_is_given_up(tmp_path: Path) -> None:
    async def run() -> None:
        engine = EngineProcess(foreign.bad_engine(tmp_path, foreign.SILENT), SMALL)
        engine._has_failed = True
        thinking = asyncio.create_task(engine.move(begin(), Go(is_endless=True)))
        await asyncio.sleep(0.3)
        await engine.stop()
        with pytest.raises(EngineDroppedError, match="has not answered go"):
            await thinking

    asyncio.run(run())


def test_a_move_beside_those_that_were_asked_about_is_no_answer(tmp_path: Path) -> None:
    with pytest.raises(EngineDroppedError, match="a1b1, which is not one of the moves it was asked about"):
        ask(foreign.bad_engine(tmp_path, "echo bestmove a1b1"), begin(), go=Go(nodes=1, moves=("b1a1",)))


def test_an_engine_that_reads_nothing_is_not_waited_for(tmp_path: Path) -> None:
    async def run() -> None:
        engine = EngineProcess(foreign.bad_engine(tmp_path, foreign.HANGING), SMALL)
        lines = await engine._start(begin())
        lines.send("go infinite")
        with pytest.raises(EngineFailedError, match="bad no longer reads its input"):
            lines.send("x" * 1_000_000)
        await engine.close(politely=False)

    asyncio.run(run())


def test_who_does_not_wait_for_an_answer_is_not_given_it_later(tabik_in_c: EnginePlugin) -> None:
    async def run() -> tuple[Answer, bool]:
        engine = EngineProcess(tabik_in_c, SMALL)
        thinking = asyncio.create_task(engine.move(begin(), Go(is_endless=True)))
        await asyncio.sleep(0.2)
        thinking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await thinking
        later = begin().add("a1b1")
        answer = await engine.move(later, Go(nodes=1, moves=("b2b3",)))
        await engine.close()
        return answer, engine._has_failed

    answer, has_failed = asyncio.run(run())
    assert (answer.text, has_failed) == ("b2b3", False)


# What is said and read


def test_a_go_says_what_is_left_and_what_time_it_is() -> None:
    rules = rules_of("tamsk", {"level": "3"})
    game = MoveList.begin(rules).elapse(Instant(12_300_000)).add("D1-D2").elapse(Instant(20_000_000))
    assert game.texts == ("@12.3", "D1-D2", "@20")
    go = Go(clocks=Clocks(Duration(60_000_000), Duration(59_500_000)), hands=(Duration(3_100_000), Duration(2_000_000)))
    line = go.line(game)
    assert line.startswith("go p1time 60000 p2time 59500 p1inc 0 p2inc 0 at 20 sand ")
    assert " D2 172.3 " in line
    assert line.endswith(" sand15 0 hands 3.1 2")
    plain = MoveList.begin(rules_of("tamsk", {"level": "1"})).elapse(Instant(12_300_000))
    assert plain.texts == ()
    assert go.line(plain) == "go p1time 60000 p2time 59500 p1inc 0 p2inc 0"


@pytest.mark.parametrize(
    ("line", "score"),
    [
        ("info depth 3 score cp 0 nodes 12 pv a1b1 b2b3", Score(0.5)),
        ("info depth 3 nodes 12 score cp 120 chance 0.612 margin +1.5 proven pv a1b1 b2b3", Score(0.612, 1.5, True)),
        ("info depth 3 nodes 12 score mate -2 pv a1b1 b2b3", Score(0.0, None, True)),
        ("info depth 3 nodes 12 score cp many pv a1b1 b2b3", None),
        ("info depth 3 nodes 12 pv a1b1 b2b3", None),
    ],
)
def test_what_an_engine_tells_of_its_search_is_read(line: str, score: Score | None) -> None:
    assert read_info(line) == Info(("a1b1", "b2b3"), score, 3, 12, 1)


@pytest.mark.parametrize("line", ["info string I like pv a1b1", "info depth 3", "bestmove a1b1", ""])
def test_other_lines_tell_nothing_of_it(line: str) -> None:
    assert read_info(line) is None


def test_an_engine_that_nobody_waits_for_any_more_while_it_starts_is_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pids: list[int] = []
    asked: list[asyncio.Task[Answer]] = []

    def note(pid: int, _memory: int) -> None:
        pids.append(pid)
        asked[0].cancel()

    monkeypatch.setattr(module, "lower_priority", note)

    async def run() -> None:
        engine = EngineProcess(foreign.bad_engine(tmp_path, foreign.SILENT), SMALL)
        asked.append(asyncio.create_task(engine.move(begin(), AT_ONCE)))
        await asyncio.wait(asked)
        await engine.close()

    asyncio.run(run())
    with pytest.raises(ProcessLookupError):
        os.kill(pids[0], 0)


def test_settings_whose_names_differ_in_capitals_only_are_both_told(tmp_path: Path) -> None:
    program = tmp_path / "notes"
    program.write_text(
        """#!/bin/sh
while read -r line; do
  echo "$line" >> "$0.log"
  case $line in
    ugi) echo 'option name level type spin default 3 min 1 max 3'
         echo 'option name Level type spin default 8 min 1 max 8'; echo ugiok;;
    isready) echo readyok;;
    go*) echo bestmove D1-D2;;
  esac
done
""",
        "utf-8",
    )
    program.chmod(0o755)
    plugin = EnginePlugin("notes", (str(program),), ("tamsk",), {"Level": "2"})

    async def run() -> None:
        engine = EngineProcess(plugin, {"level": "1"})
        await engine.move(MoveList.begin(rules_of("tamsk", {"level": "1"})), AT_ONCE)
        await engine.close()

    asyncio.run(run())
    told = (tmp_path / "notes.log").read_text("utf-8").splitlines()
    assert [line for line in told if line.casefold().startswith("setoption name l")] == [
        "setoption name level value 1",
        "setoption name Level value 2",
    ]


def test_an_engine_whose_start_nobody_waited_for_is_started_again_with_the_settings_of_the_game() -> None:
    told: list[Statement] = []

    async def play() -> str:
        rules = rules_of("tabik", SMALL)
        process = EngineProcess(own_plugin("tabik", {"Level": "1"}), SMALL, told.append)
        game = MoveList.begin(rules)
        try:
            for wait in (0.01, 0.05, 0.1):  # while it starts, and nothing has been said to it
                asking = asyncio.create_task(process.move(game, Go()))
                await asyncio.sleep(wait)
                asking.cancel()
                await asyncio.wait({asking})
            return (await process.move(game, Go())).text
        finally:
            await process.close()

    rules = rules_of("tabik", SMALL)
    assert asyncio.run(play()) in rules.entries(rules.start())
    assert told == []
