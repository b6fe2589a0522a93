"""Keep the current faults of the machine as statements, each with its audience."""

from collections.abc import Callable, Mapping
from enum import Enum
from threading import Lock
from types import MappingProxyType
from typing import NamedTuple

from gnomon.refusals import NOTHING, Statement


class Audience(Enum):
    """Whom a statement concerns besides those who look after the board, who are told everything."""

    KEEPERS = "keepers"  # nobody besides: desk, doctor and log
    PLAYERS = "players"  # those at the board, while they play: it explains what they see, or they can help
    ALWAYS = "always"  # those at the board, after the end of a game too: it asks something of them


class PartReport(NamedTuple):
    """What a part said last."""

    told: Statement
    audience: Audience


class Health:
    """What is wrong now, one statement a part of the machine; any thread may report.

    Offline is a state: a part reports what is wrong, and later that it is well again.
    """

    def __init__(self, on_change: Callable[[], None] = lambda: None) -> None:
        self._lock = Lock()
        self._wrong: Mapping[str, PartReport] = MappingProxyType({})
        self._on_change = on_change

    def on_change(self, call: Callable[[], None]) -> None:
        """From now on call `call` after every change, from the thread that reported it."""
        self._on_change = call

    def wrong(self, part: str, told: Statement | str, audience: Audience = Audience.KEEPERS) -> None:
        """Report what is wrong with a part, as a statement or in words of one's own; the same again changes nothing."""
        report = PartReport(Statement.plain(told) if isinstance(told, str) else told, audience)
        with self._lock:
            changed = self._wrong.get(part) != report
            self._wrong = MappingProxyType({**self._wrong, part: report})
        if changed:
            self._on_change()

    def well(self, part: str) -> None:
        """Report that a part is well."""
        if part not in self._wrong:  # The usual case, a hundred times a second: nothing to lock for.
            return
        with self._lock:
            self._wrong = MappingProxyType({name: said for name, said in self._wrong.items() if name != part})
        self._on_change()

    def all(self) -> tuple[Statement, ...]:
        """Everything that is wrong, oldest first; empty when all is well."""
        return tuple(report.told for report in self._wrong.values()) if self._wrong else ()

    def sentences(self) -> tuple[str, ...]:
        """The same in English."""
        return tuple(told.message for told in self.all())

    def notices(self, *, is_over: bool = False) -> tuple[Statement, ...]:
        """What those at the board are told of it, oldest first; only what is asked of them may stand over a result."""
        told = {Audience.ALWAYS} if is_over else {Audience.ALWAYS, Audience.PLAYERS}
        return tuple(report.told for report in self._wrong.values() if report.audience in told)

    def fault(self, part: str) -> Statement:
        """What is wrong with a part; NOTHING when it is well."""
        report = self._wrong.get(part)
        return NOTHING if report is None else report.told

    def __getitem__(self, part: str) -> str:
        """What is wrong with a part, in English; empty when it is well."""
        report = self._wrong.get(part)
        return "" if report is None else report.told.message
