"""Write what hands do at the TAMSK table as a trace."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from gnomon.records.formats.traces import TraceHeader
from gnomon.records.formats.traces import trace_lines as written
from gnomon.referee.events import InputChanged
from gnomon.timekeeping.instants import SECOND, Duration, Instant, after

WATCHED_ON: Final = Duration(5 * SECOND)
"""How long a board is watched after the last touch, unless it is said."""


def trace_lines(
    settings: Mapping[str, object], happenings: Iterable[InputChanged], until: Instant | None = None
) -> Iterator[str]:
    """The lines of a trace of the TAMSK board with these edges, watched until `until`, or for a while after the last.

    Raises ValueError when an edge comes after `until`.
    """
    known = tuple(happenings)
    last = known[-1].at if known else Instant(0)
    end = after(last, WATCHED_ON) if until is None else until
    return written(TraceHeader("tamsk", dict(settings)), known, end)
