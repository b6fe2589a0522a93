"""Run the daemon's vital work in threads: failures end the daemon, and a slow display gets its own thread."""

import asyncio
from collections.abc import Callable
from functools import partial
from threading import Condition, Event, Thread

from PIL.Image import Image

from gnomon_pi.drivers.protocols import DisplayDriver, DriverError


class CriticalThread:
    """A thread whose failure is the daemon's: nobody restarts half a daemon, and systemd restarts a whole one."""

    def __init__(self, name: str, work: Callable[[Event], None]) -> None:
        """`work` is given the event at which it has to return."""
        self._loop = asyncio.get_running_loop()
        self._ended: asyncio.Future[None] = self._loop.create_future()
        self._stop = Event()
        self._thread = Thread(target=self._run, args=(work,), name=name, daemon=True)
        self._thread.start()

    async def wait(self) -> None:
        """Wait until it ends. Raises what ended it."""
        await asyncio.shield(self._ended)

    def stop(self) -> None:
        """Tell it to return, without waiting for it."""
        self._stop.set()

    def join(self, timeout: float) -> None:
        """Wait for its end, at most so many seconds."""
        self._thread.join(timeout)

    def _run(self, work: Callable[[Event], None]) -> None:
        failure: BaseException | None = None
        try:
            work(self._stop)
        except BaseException as error:  # noqa: BLE001 - it is raised again, in the thread that can end the daemon
            failure = error
        self._loop.call_soon_threadsafe(self._end, failure)

    def _end(self, failure: BaseException | None) -> None:
        if self._ended.done():
            return
        if failure is None:
            self._ended.set_result(None)
        else:
            self._ended.set_exception(failure)


class BackgroundDisplay:
    """A display behind a slot for the newest picture: its bus takes 23 ms for a whole one, and nobody waits for that.

    A failure is told by the next `show`. `failed` is called at once, by the thread: without it that might be half a
    minute later, and nobody would see the picture until then.
    """

    def __init__(self, display: DisplayDriver, failed: Callable[[], None] = lambda: None) -> None:
        self._display = display
        self._failed = failed
        self._changed = Condition()
        self._picture: Image | None = None
        self._was_touched = False
        self._failure: DriverError | None = None

    def show(self, image: Image) -> None:
        """Leave a picture for the thread. Raises the DriverError of the one before."""
        with self._changed:
            self._picture = image
            failure, self._failure = self._failure, None
            self._changed.notify()
        if failure is not None:
            raise failure

    def brighten(self) -> None:
        """Somebody is there: let the thread lighten a display that was dimmed. From any thread, and without waiting."""
        with self._changed:
            self._was_touched = True
            self._changed.notify()

    def work(self, stop: Event) -> None:
        """Send pictures until told to stop; to be run by a thread of its own."""
        while not stop.is_set():
            self.send_one(stop)

    def send_one(self, stop: Event) -> None:
        """Wait for a picture or a touch, and send what it takes; nothing when told to stop."""
        with self._changed:
            self._changed.wait_for(lambda: self._picture is not None or self._was_touched or stop.is_set())
            picture, self._picture = self._picture, None
            was_touched, self._was_touched = self._was_touched, False
        if was_touched:
            self._send(self._display.brighten)
        if picture is not None:
            self._send(partial(self._display.show, picture))

    def wake(self) -> None:
        """Make the thread see that it is told to stop."""
        with self._changed:
            self._changed.notify()

    def close(self) -> None:
        """Blank the display and let the bus go."""
        self._display.close()

    def _send(self, send: Callable[[], None]) -> None:
        try:
            send()
        except DriverError as error:
            with self._changed:
                self._failure = error
            self._failed()
