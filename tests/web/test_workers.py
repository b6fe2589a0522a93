"""Threads that answer pages: nobody waits for one that takes for ever, neither a reader nor a stop."""

import asyncio
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from queue import SimpleQueue
from threading import Event, current_thread
from typing import Final

import pytest
from starlette.exceptions import HTTPException

from gnomon.web.server.workers import StoppedError, Workers, answer, interruptibly

LIMIT: Final = 60.0
"""Seconds after which a test gives up; nothing is measured by it."""


@pytest.fixture
def never() -> Iterator[Event]:
    """What does not happen while a test looks on."""
    event = Event()
    yield event
    event.set()


def test_a_question_without_an_answer_is_given_up_and_a_stop_waits_for_no_thread(never: Event) -> None:
    async def ask() -> int:
        asyncio.get_running_loop().set_default_executor(Workers())
        with pytest.raises(HTTPException, match=r"no answer came within 0\.01 seconds") as given_up:
            await answer(never.wait, patience=0.01)
        return given_up.value.status_code

    assert asyncio.run(ask()) == 503  # Python's own executor would wait here until it happened


def test_the_program_ends_though_a_thread_reads_for_ever() -> None:
    program = (
        "import asyncio, threading\n"
        "from gnomon.web.server.workers import Workers\n"
        "async def ask():\n"
        "    loop = asyncio.get_running_loop()\n"
        "    loop.set_default_executor(Workers())\n"
        "    loop.run_in_executor(None, threading.Event().wait)\n"
        "asyncio.run(ask())\n"
    )
    assert subprocess.run([sys.executable, "-c", program], timeout=60, check=False).returncode == 0


def test_answers_and_errors_come_back_from_threads_of_which_there_are_so_many() -> None:
    async def ask() -> list[object]:
        asyncio.get_running_loop().set_default_executor(Workers(2))
        names = await asyncio.gather(*(asyncio.to_thread(lambda: current_thread().daemon) for _ in range(20)))
        with pytest.raises(ZeroDivisionError):
            await answer(lambda: 1 // 0)
        with pytest.raises(TimeoutError, match="theirs"):
            await answer(lambda: (_ for _ in ()).throw(TimeoutError("theirs")))
        return [*names]

    assert asyncio.run(ask()) == [True] * 20


def test_what_waits_for_a_thread_at_a_stop_is_not_begun(never: Event) -> None:
    workers, at_work = Workers(1), Event()

    def work() -> bool:
        at_work.set()
        return never.wait()

    begun, waiting = workers.submit(work), workers.submit(pytest.fail)
    at_work.wait()
    workers.shutdown()
    never.set()
    assert begun.result()
    assert waiting.cancelled()


def test_a_stop_ends_what_is_worked_out_and_takes_its_share_of_the_processor(never: Event) -> None:
    workers = Workers()
    at_work: SimpleQueue[int] = SimpleQueue()  # in C: an exception in the midst of an Event may leave its lock taken

    def read_something_hostile() -> None:
        at_work.put(1)
        while not never.is_set():
            with suppress(Exception):  # as a parser that goes on with the next line
                sum(range(1000))

    begun = [workers.submit(interruptibly, read_something_hostile) for _ in range(3)]
    for _ in begun:
        at_work.get(timeout=LIMIT)
    workers.shutdown()
    for future in begun:
        assert isinstance(future.exception(LIMIT), StoppedError)


def test_a_second_stop_interrupts_nobody_since_another_thread_may_have_the_identifier(never: Event) -> None:
    workers, at_work, stopped = Workers(), Event(), Event()
    times: list[int] = []

    def work() -> int:
        while True:
            try:
                at_work.set()
                while not never.is_set():
                    sum(range(1000))
                return len(times)
            except StoppedError:
                times.append(1)
                stopped.set()

    begun = workers.submit(interruptibly, work)
    at_work.wait()
    workers.shutdown()
    assert stopped.wait(LIMIT)
    workers.shutdown()
    never.set()
    assert begun.result(LIMIT) == 1


def test_a_thread_that_was_stopped_says_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    for _ in range(50):  # the stop comes at any instant, also between two questions
        workers = Workers()
        done = workers.submit(current_thread).result()
        workers.shutdown()
        done.join(LIMIT)
        assert not done.is_alive()
        assert workers.submit(pytest.fail).cancelled()
    assert capsys.readouterr().err == ""
