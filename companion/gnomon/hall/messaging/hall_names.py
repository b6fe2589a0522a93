"""Name what belongs to another hall: `t01@south` is the board `t01` of the hall south, `t01` one of the hall itself.

Boards and tournaments are named so wherever two halls meet: in a plan, on a page, in a request. On the bus and in the
database, the hall stands apart.
"""

from typing import Final, NamedTuple

AT: Final = "@"


class HallName(NamedTuple):
    """A board or a tournament, and the hall that it belongs to."""

    name: str
    hall: str


def split_hall(name: str, own: str) -> HallName:
    """What a name means in the hall `own`."""
    plain, _, hall = name.partition(AT)
    return HallName(plain, hall or own)


def join_hall(name: str, hall: str, own: str) -> str:
    """How what belongs to a hall is called in the hall `own`."""
    return name if hall == own else f"{name}{AT}{hall}"


def hall_of(name: str) -> str:
    """The other hall that a name names; empty for what belongs to the hall itself."""
    return name.partition(AT)[2]
