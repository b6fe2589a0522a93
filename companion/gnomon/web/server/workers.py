"""Run blocking calls of the pages in threads that do not delay shutdown, with a cache of answers on finished games."""

import asyncio
from collections import OrderedDict, deque
from collections.abc import Callable, Hashable
from concurrent.futures import Future, ThreadPoolExecutor
from http import HTTPStatus
from threading import Lock, Thread, get_ident
from typing import Any, Final, ParamSpec, TypeVar

from gnomon.refusals import statement
from gnomon.web._http_errors import HttpError

MOST: Final = 32
"""Threads at a time; what comes beyond them waits for one."""
PATIENCE: Final = 60.0
"""Seconds that a page waits for an answer. A thread that takes longer goes on, and nobody waits for it any more."""

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


class StoppedError(BaseException):
    """Raised in a thread that is at work when the program ends. No `except Exception` of what it runs takes it."""


class Workers(ThreadPoolExecutor):
    """A loop's default executor, for `asyncio.to_thread`; asyncio takes none that is not a ThreadPoolExecutor.

    Python's own joins its threads when the loop ends and again when the program does: one that reads something hostile
    would hold both up. These threads are daemons and end when there is nothing to do. Nor may they go on while the
    program closes what it has open: the interpreter gives each thread the same share, so six that compute make the
    rest seven times as slow. Those that run Python are interrupted; one that waits in C holds nobody up.
    """

    def __init__(self, most: int = MOST) -> None:
        super().__init__(most)
        self._most = most
        self._lock = Lock()
        self._asked: deque[tuple[Future[Any], Callable[[], Any]]] = deque()
        self._at_work = 0
        self._at_hand: dict[int, Future[Any]] = {}  # by the threads that work on them
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

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:  # noqa: ARG002, FBT001, FBT002 - as it is called
        """Begin nothing more, and interrupt what is at work, without waiting for it."""
        with self._lock:
            if self._has_ended:  # a loop says so twice, and by then other threads may have the identifiers of these
                return
            self._has_ended = True
            left = list(self._asked)
            self._asked.clear()
            for thread in self._at_hand:
                _interrupt(thread)
        for future, _ in left:
            future.cancel()

    def _work(self) -> None:
        try:
            while (asked := self._next()) is not None:
                future, answer = asked
                if not future.set_running_or_notify_cancel():
                    continue
                try:
                    future.set_result(answer())
                except BaseException as error:  # noqa: BLE001 - whatever it is, who asked is told
                    _fail(future, error)
        except StoppedError as error:  # before the answer was begun, after it, or while it was told
            if (begun := self._at_hand.get(get_ident())) is not None:
                _fail(begun, error)

    def _next(self) -> tuple[Future[Any], Callable[[], Any]] | None:
        with self._lock:
            if self._asked:
                asked = self._asked.popleft()
                self._at_hand[get_ident()] = asked[0]
                return asked
            self._at_hand.pop(get_ident(), None)
            self._at_work -= 1
            return None


def _fail(future: Future[Any], error: BaseException) -> None:
    """Tell who asked that there is no answer, unless they know already what there is."""
    if not future.done():
        future.set_exception(error)


def _interrupt(thread: int) -> None:
    """Raise StoppedError in a thread, as soon as it runs Python."""
    import ctypes  # noqa: PLC0415 - at the end of a program, and never else

    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(StoppedError))


KEPT: Final = 64
"""Answers that are remembered; a long game of TAMSK is some ten thousand values."""


class Shelf:
    """Where questions about written games are answered. To be used in one loop.

    One at a time: a game is played again to be read, and whoever asks for a hundred of them must not take all threads.
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
