"""Credit a player for the way of a message between two boards, and not for more than a bound.

The board at which a turn is made says how long it took. The other board has measured how long it waited, and the
difference is what the way took, both ways, and the hands at the other board. It is credited as long as it is not more
than the measured round trips explain, and never more than `BOUND`; what is beyond is charged to the player's clock, on
both boards.
"""

from collections.abc import Sequence
from typing import Final

from gnomon.timekeeping.instants import MILLISECOND, SECOND, Duration

BOUND: Final = Duration(5 * SECOND)
"""The way of one turn is credited up to this, however long it took."""
REPEATS: Final = Duration(2 * SECOND)
"""A message may be lost, and lost again when it is repeated: that much is no sign of a slow player."""
SILENCE: Final = Duration(3 * SECOND)
"""Two boards that hear nothing of each other for longer are not connected."""
OUTAGES: Final = Duration(60 * SECOND)
"""So much of lost connections is credited to a player in a game."""
_SETTLING: Final = Duration(200 * MILLISECOND)
"""What both daemons need to write a turn down and to rule on it."""


def credit(waited: Duration, took: Duration, trips: Sequence[Duration], hands: Duration, outage: Duration) -> Duration:
    """How much of the wait is credited for a turn that `took` so long there, while this board `waited`.

    `trips` are the last round trips, `hands` is what hands may need there for this board's own turn, and `outage` what
    may be credited for a lost connection.
    """
    way = min(BOUND, (max(trips, default=0)) + REPEATS + _SETTLING)
    return Duration(min(max(0, waited - took), way + hands + outage))


def charge(waited: Duration, took: Duration, trips: Sequence[Duration], hands: Duration, outage: Duration) -> Duration:
    """How much of the wait nothing explains, and the player is charged with."""
    return Duration(max(0, waited - took - credit(waited, took, trips, hands, outage)))
