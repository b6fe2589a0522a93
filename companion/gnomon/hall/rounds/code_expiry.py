"""Compute the day until which the codes of a tournament's players are valid.

Days are those of the hall's machine, as on the cards. A director may choose the day. Otherwise it follows from what is
known of the event, so that no card that somebody keeps in a pocket speaks for anybody a year later.
"""

from collections.abc import Sequence
from contextlib import suppress
from datetime import date, timedelta
from typing import Final

from gnomon.tournament.event_log.codec import LoggedEvent
from gnomon.tournament.state import Tournament
from gnomon.tournament.state.particulars import shown_day

AFTER: Final = timedelta(days=3)
"""After the end of an event: a player who was away looks their result up."""
QUIET: Final = timedelta(days=90)
"""After what was told last of an event that has no end: in a league a round may take two months."""


def last_day(chosen: str, tournament: Tournament, told: Sequence[LoggedEvent]) -> date | None:
    """The last day on which codes are good; None where no day is known.

    It is the `chosen` one. Without, the event ends on the day that its heading says, or on that of its last entry where
    all rounds are over or that day was too early.
    """
    if (day := parse_day(chosen)) is not None:
        return day
    ends, entered = parse_day(tournament.heading.ends), parse_day(told[-1].at_wall[:10])
    is_over = len(tournament.rounds) >= tournament.settings.rounds and not tournament.waiting
    if ends is None and not is_over:
        return None if entered is None else entered + QUIET
    days = [day for day in (ends, entered) if day is not None]
    return max(days) + AFTER if days else None


def parse_day(text: str) -> date | None:
    """The day that somebody wrote; None where it is none."""
    with suppress(ValueError):
        return date.fromisoformat(shown_day(text.strip()))
    return None
