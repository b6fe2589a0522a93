"""Run blocking calls of the pages in threads that do not delay shutdown, with a cache of answers on finished games."""

import asyncio
from collections import OrderedDict, deque
from collections.abc import Callable, Hashable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from http import HTTPStatus
from threading import Lock, Thread, get_ident, local
from typing import Any, Final, ParamSpec, TypeVar

from gnomon.refusals import statement
from gnomon.web._http_errors import HttpError

MOST: Final = 32
"""Threads at a time; what comes beyond them waits for one."""
PATIENCE: Final = 60.0
"""Seconds that a page waits for an answer. A thread that takes longer goes on, and nobody waits for it any more."""

_HERE: Final = local()
"""Has the `workers` to which a thread belongs."""

AnswerT = TypeVar("AnswerT")
Given = ParamSpec("Given")


class BusyError(RuntimeError):
    """As much waits to be worked out as may; try again later."""


async def answer(question: Callable[[], AnswerT], patience: float = PATIENCE) -> AnswerT:
    """The answer of a question that is asked in a thread, waited for so many seconds.

    Raises what the question raises, and HttpError where no answer comes in time.
    """
    deadline = asyncio.timeout(patience)
    try:
        async with deadline:
            return await asyncio.to_thread(question)
    except TimeoutError as error:
        if not deadline.expired():
            raise
        late = statement("refusal.requests.late", seconds=patience)
        raise HttpError(HTTPStatus.SERVICE_UNAVAILABLE, late) from error


async def work_out(question: Callable[[], AnswerT], patience: float = PATIENCE) -> AnswerT:
    """The same for a question that only computes, such as what a file says: it is interrupted when the program ends.

    It may hold no lock but by `with` on a plain one, and write nothing.
    """
    return await answer(partial(interruptibly, question), patience)


class StoppedError(BaseException):
    """Raised in what is worked out while the program ends. No `except Exception` of it takes it."""


def interruptibly(question: Callable[[], AnswerT]) -> AnswerT:
    """The answer of a question that may be interrupted; raises what it raises, and StoppedError."""
    workers: Workers | None = getattr(_HERE, "workers", None)
    return question() if workers is None else workers.run_interruptibly(question)


class Workers(ThreadPoolExecutor):
    """A loop's default executor, for `asyncio.to_thread`; asyncio takes none that is not a ThreadPoolExecutor.

    Python's own joins its threads when the loop ends and again when the program does: one that reads something hostile
    would hold both up. These threads are daemons and end when there is nothing to do. Nor may one that only computes go
    on while the program closes what it has open: the interpreter gives each thread the same share, so six of them make
    the rest seven times as slow. Others are not interrupted: an exception at any instant may leave a lock taken.
    """

    def __init__(self, most: int = MOST) -> None:
        super().__init__(most)
        self._most = most
        self._lock = Lock()
        self._asked: deque[tuple[Future[Any], Callable[[], Any]]] = deque()
        self._at_work = 0
        self._interruptible: set[int] = set()
        self._has_ended = False

    def submit(self, fn: Callable[Given, AnswerT], /, *args: Given.args, **kwargs: Given.kwargs) -> "Future[AnswerT]":
        """Ask a question; its answer comes in the future, which is cancelled where nothing begins any more."""
        future: Future[AnswerT] = Future()
        with self._lock:
            if self._has_ended:
                future.cancel()
                return future
            self._asked.append((future, lambda: fn(*args, **kwargs)))
            if self._at_work < self._most:
                self._at_work += 1
                Thread(target=self._work, name="worker", daemon=True).start()
        return future

    def run_interruptibly(self, question: Callable[[], AnswerT]) -> AnswerT:
        """Answer a question in a thread of these, which `shutdown` interrupts. Raises StoppedError."""
        with self._lock:
            if self._has_ended:
                raise StoppedError
            self._interruptible.add(get_ident())
        try:
            return question()
        finally:
            with self._lock:
                self._interruptible.discard(get_ident())

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:  # noqa: ARG002, FBT001, FBT002 - as it is called
        """Begin nothing more, and interrupt what only computes, without waiting for it; a loop says so twice."""
        with self._lock:
            self._has_ended = True
            left = list(self._asked)
            self._asked.clear()
            for thread in self._interruptible:
                _interrupt(thread)
            self._interruptible.clear()  # once: another thread may have the identifier later
        for future, _ in left:
            future.cancel()

    def _work(self) -> None:
        _HERE.workers = self
        while (asked := self._next()) is not None:
            future, answer = asked
            if not future.set_running_or_notify_cancel():
                continue
            try:
                future.set_result(answer())
            except BaseException as error:  # noqa: BLE001 - whatever it is, who asked is told
                future.set_exception(error)

    def _next(self) -> tuple[Future[Any], Callable[[], Any]] | None:
        with self._lock:
            if self._asked:
                return self._asked.popleft()
            self._at_work -= 1
            return None


def _interrupt(thread: int) -> None:
    """Raise StoppedError in a thread, as soon as it runs Python."""
    import ctypes  # noqa: PLC0415 - at the end of a program, and never else

    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(StoppedError))


KEPT: Final = 64
"""Answers that are remembered; a long game of TAMSK is some ten thousand values."""


class Shelf:
    """Where questions about written games are answered. To be used in one loop.

    One at a time: a game is played again to be read, and a visitor who asks for a hundred of them must not take all
    threads.
    """

    def __init__(self, kept: int = KEPT) -> None:
        self._kept = kept
        self._turn = asyncio.Lock()
        self._answers: OrderedDict[Hashable, Any] = OrderedDict()

    async def ask(self, question: Callable[[], AnswerT]) -> AnswerT:
        """The answer of a question that reads files. Raises what it raises, and HTTPException when it is late."""
        async with self._turn:
            return await answer(question)

    async def ask_once(self, key: Hashable, question: Callable[[], AnswerT]) -> AnswerT:
        """The same for an answer that stays true: it is remembered by its key."""
        async with self._turn:
            if key in self._answers:
                self._answers.move_to_end(key)
            else:
                self._answers[key] = await answer(question)
            known: AnswerT = self._answers[key]
            while len(self._answers) > self._kept:
                self._answers.popitem(last=False)
            return known
