"""Format measured durations as a text table with notes on their accuracy."""

from collections.abc import Iterator
from typing import Final

from gnomon.timekeeping.instants import SECOND
from gnomon_pi.tools.calibration.files import ENDS, GLASSES, Measurements
from gnomon_pi.tools.calibration.guide import nominal_of, socket_of

BY_HAND: Final = (
    "A press comes some tenths of a second after the last grain: that is in the mean, and its unevenness in the spread."
)
BY_LIGHT: Final = "The light sensor ended the runs: nobody's reaction is in these figures."
_SCANS: Final = "A run begins with the scan that sees the glass stand, at most 10 ms late."


def table(measurements: Measurements, *, light: bool) -> Iterator[str]:
    """The lines of the table, and below it what is in the figures."""
    yield "glass     stands on  end up   mean s    off nominal   spread of a run   shortest to longest   runs  date"
    for glass in GLASSES:
        for up in ENDS.values():
            found = measurements.get((glass, up))
            if found is None:
                continue
            nominal = nominal_of(glass)
            off = 100 * (found.mean - nominal) / nominal
            span = f"{found.shortest / SECOND:.2f} to {found.longest / SECOND:.2f}"
            yield (
                f"{glass:<10}{socket_of(glass):<11}{'north' if up else 'south':<7}{found.mean / SECOND:>8.2f}   "
                f"{off:>+8.2f} %     {found.deviation / SECOND:>8.2f} s       {span:<20} {found.runs:>5}  {found.date}"
            )
    yield ""
    yield BY_LIGHT if light else BY_HAND
    yield _SCANS
