"""Call a function in the running loop on SIGTERM, SIGINT, SIGHUP or SIGQUIT."""

import asyncio
import signal
from collections.abc import Callable
from typing import Final

ENDS: Final = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT)
"""What service managers send, Ctrl+C, a terminal or an SSH connection that is closed, and Ctrl+\\\\."""


def on_end(call: Callable[[], object]) -> None:
    """Call `call` in the running loop when the program is told to end; under nohup a closed terminal tells nothing."""
    loop = asyncio.get_running_loop()
    for number in ENDS:
        if number != signal.SIGHUP or signal.getsignal(number) != signal.SIG_IGN:
            loop.add_signal_handler(number, call)
