"""List the conditions at boards that need the director's attention, and since when each has lasted."""

from collections.abc import Iterable, Iterator
from enum import StrEnum
from typing import Final, NamedTuple

from gnomon.hall.board_registry import RUNNING, Presence, RegisteredBoard, natural
from gnomon.timekeeping.instants import SECOND, Duration, Instant

OVER: Final = "over"
PATIENCE: Final = Duration(30 * SECOND)
"""So long a question may wait, or a board disagree with its game, before somebody should go there."""
LASTING: Final = Duration(600 * SECOND)
"""So long it is told that a card was changed, that two devices spoke under one name, or one spoke nonsense."""
_SENTENCES: Final = 3  # of a board's health, as `gnomon.views.status_payload` tells them
_SENTENCE: Final = 120  # letters
NOTICE: Final = "From the hall: "
"""How a board begins what it was asked to show: the people who asked for it know it already."""
BEHIND: Final = 500
"""Records that a board may be behind, some games' worth, before it is told."""


class Trouble(StrEnum):
    """What is wrong, the worst first."""

    FLAG = "flag"
    LOST = "lost"
    FIGHTING = "fighting"
    CLOCK_STOPPED = "clock-stopped"
    CONFLICT = "conflict"
    DIFFERS = "differs"
    DISPUTED = "disputed"
    UNCLEAR = "unclear"
    QUESTION = "question"
    WRONG = "wrong"
    STALE = "stale"
    SWAPPED = "swapped"
    REFUSED = "refused"
    BEHIND = "behind"
    HEALTH = "health"


class Dispute(NamedTuple):
    """A pairing or a table of a tournament, by its name and its title, of which a director has to say how it ended."""

    tournament: str
    title: str
    round: int
    board: int
    is_table: bool = False


class Alarm(NamedTuple):
    """Something that needs an eye: since when by the hall's clock, None when nobody knows, and what more.

    `board` is empty for a dispute of which no board of the hall knows: only players have told of it.
    """

    board: str
    trouble: Trouble
    since: Instant | None = None
    detail: str = ""
    dispute: Dispute | None = None


_ORDER: Final = {trouble: number for number, trouble in enumerate(Trouble)}


def alarms(places: Iterable[RegisteredBoard], now: Instant, differing: Iterable[Alarm] = ()) -> list[Alarm]:
    """Everything that needs an eye now, the worst first; `differing` are results that are told in different ways."""
    found = [alarm for place in places for alarm in alarms_of(place, now)]
    return sorted([*found, *differing], key=lambda alarm: (_ORDER[alarm.trouble], natural(alarm.board)))


def alarms_of(place: RegisteredBoard, now: Instant) -> Iterator[Alarm]:
    """What needs an eye at one board now."""
    board = place.board
    if place.presence is Presence.LOST:
        yield Alarm(board, Trouble.LOST, place.since)
    if place.is_online:
        yield from _of_the_game(place, now)
        yield from _of_the_board(place, now)
    for trouble, at in ((Trouble.FIGHTING, place.fought), (Trouble.SWAPPED, place.swapped)):
        if at is not None and now - at < LASTING:
            yield Alarm(board, trouble, at)
    if place.conflicts:
        yield Alarm(board, Trouble.CONFLICT, detail=str(place.conflicts))
    if place.refused_at is not None and now - place.refused_at < LASTING:
        yield Alarm(board, Trouble.REFUSED, place.refused_at, str(place.refused))


def _of_the_board(place: RegisteredBoard, now: Instant) -> Iterator[Alarm]:
    if place.stopped is not None:
        yield Alarm(place.board, Trouble.CLOCK_STOPPED, place.stopped)
    if place.is_stale(now):
        yield Alarm(place.board, Trouble.STALE, place.told)
    if place.lag > BEHIND:
        yield Alarm(place.board, Trouble.BEHIND, detail=str(place.lag))
    # After the end it says who has still to confirm the result, which is no trouble.
    health = [] if place.phase == OVER else place.card.get("health")
    for said in health[:_SENTENCES] if isinstance(health, list) else ():
        if isinstance(said, str) and not said.startswith(NOTICE):
            yield Alarm(place.board, Trouble.HEALTH, detail="".join(filter(str.isprintable, said[:_SENTENCE])))


def _of_the_game(place: RegisteredBoard, now: Instant) -> Iterator[Alarm]:
    # What was told long ago may have been stopped since: then nobody knows whether a flag has fallen.
    if place.phase == RUNNING and not place.is_stale(now) and place.urgent(now) == 0:
        yield Alarm(place.board, Trouble.FLAG)
    for phase, trouble in (("question", Trouble.QUESTION), ("wrong", Trouble.WRONG)):
        if place.phase == phase and now - place.phase_since > PATIENCE:
            yield Alarm(place.board, trouble, place.phase_since)
