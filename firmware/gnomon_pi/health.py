"""The only place that knows what is wrong with the machine, in short sentences for people."""

from collections.abc import Callable, Mapping
from threading import Lock
from types import MappingProxyType


class Health:
    """What is wrong now, one sentence a part of the machine; any thread may report.

    Offline is a state: a part reports what is wrong, and later that it is well again.
    """

    def __init__(self, on_change: Callable[[], None] = lambda: None) -> None:
        self._lock = Lock()
        self._wrong: Mapping[str, str] = MappingProxyType({})
        self._on_change = on_change

    def on_change(self, call: Callable[[], None]) -> None:
        """From now on call `call` after every change, from the thread that reported it."""
        self._on_change = call

    def wrong(self, part: str, sentence: str) -> None:
        """Report what is wrong with a part; the same report again changes nothing."""
        with self._lock:
            changed = self._wrong.get(part) != sentence
            self._wrong = MappingProxyType({**self._wrong, part: sentence})
        if changed:
            self._on_change()

    def well(self, part: str) -> None:
        """Report that a part is well."""
        if part not in self._wrong:  # The usual case, a hundred times a second: nothing to lock for.
            return
        with self._lock:
            self._wrong = MappingProxyType({name: said for name, said in self._wrong.items() if name != part})
        self._on_change()

    def sentences(self) -> tuple[str, ...]:
        """Everything that is wrong, oldest first; empty when all is well."""
        return tuple(self._wrong.values())

    def __getitem__(self, part: str) -> str:
        """What is wrong with a part; empty when it is well."""
        return self._wrong.get(part, "")
