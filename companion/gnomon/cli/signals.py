"""Interrupt a command on SIGTERM, SIGHUP or SIGQUIT so that it closes what it has opened."""

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import current_thread, main_thread
from typing import Final

KILLS: Final = (signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)
"""What service managers send, a terminal or an SSH connection that is closed, and Ctrl+\\."""


@contextmanager
def closing_on_end() -> Iterator[None]:
    """Interrupt what is done here when the program is told to end, as Ctrl+C does, so that it closes what it has open.

    After that the program ends by the signal that told it to end, because the process that started it waits for that.
    What is ignored stays ignored, and a program that was told once is not interrupted again while it closes.
    """
    if current_thread() is not main_thread():  # which alone hears of signals
        yield
        return
    told: list[int] = []

    def interrupt(number: int, _frame: object) -> None:
        told.append(number)
        for each in mine:
            signal.signal(each, signal.SIG_IGN)
        raise KeyboardInterrupt

    mine = [number for number in KILLS if signal.getsignal(number) == signal.SIG_DFL]
    for number in mine:
        signal.signal(number, interrupt)
    is_closed = True
    try:
        yield
    except KeyboardInterrupt:
        is_closed = not told
        raise
    finally:
        for number in mine:
            signal.signal(number, signal.SIG_DFL)
        if not is_closed:
            with suppress(OSError, ValueError):
                sys.stdout.flush()
            os.kill(os.getpid(), told[0])
