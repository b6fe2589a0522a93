"""Read deadlines of rounds, and say which rounds have one and what is overdue."""

import re
from datetime import date
from typing import Final, NamedTuple

from gnomon.refusals import statement
from gnomon.tournament.errors import TournamentError, quote
from gnomon.tournament.state._tournament import Tournament

_UNTIL: Final = re.compile(r"(\d{4}-\d{2}-\d{2})(?:[ T](\d{2}:\d{2}))?")
_END_OF_DAY: Final = "24:00"


class Deadline(NamedTuple):
    """Until when a round may be played, the boards of it that have no result, and whether the time is over."""

    round: int
    until: str
    boards: tuple[int, ...]
    is_overdue: bool


def deadline_of(text: str) -> str:
    """A day, with a time or without, as it is kept. Raises TournamentError for anything else."""
    found = _UNTIL.fullmatch(text.strip())
    try:
        day = None if found is None else date.fromisoformat(found[1])
    except ValueError:
        day = None
    if found is None or day is None or (found[2] and not "00:00" <= found[2] < _END_OF_DAY):
        raise TournamentError(statement("tournament.deadline.time", text=quote(text)))
    return f"{found[1]} {found[2]}" if found[2] else found[1]


def open_deadlines(tournament: Tournament, now: str) -> tuple[Deadline, ...]:
    """Every round with a deadline or without a result somewhere, as of a day and time such as `2026-12-01 20:00`.

    A day without a time lasts until it is over.
    """
    waiting = {round_.number: round_.waiting for round_ in tournament.rounds}
    numbers = sorted({*tournament.deadlines, *(number for number, boards in waiting.items() if boards)})
    found = []
    for number in numbers:
        until, boards = tournament.deadlines.get(number, ""), waiting.get(number, ())
        ends = until if " " in until else f"{until} {_END_OF_DAY}"
        found.append(Deadline(number, until, boards, bool(until and boards and now > ends)))
    return tuple(found)
