"""Convert a score sheet to a trace, played by faultless hands on the game's own board or entered at a table.

The simulated hands of the daemon model people's hands, with bounce, hesitation and mistakes.
"""

from collections.abc import Iterable, Iterator
from operator import attrgetter
from typing import Final

from gnomon.records.bundles import Bundle
from gnomon.records.formats.line_play import Step, line_play
from gnomon.records.formats.sheet_play import play_to_end, steps
from gnomon.records.formats.sheets import Sheet
from gnomon.records.formats.trace_rulings import rulings
from gnomon.records.formats.traces import PEOPLE, TraceHeader
from gnomon.referee.rulings import TurnLost, TurnRuled
from gnomon.refusals import InvalidValueError, statement
from gnomon.rules.registry import rules_of
from gnomon.timekeeping.instants import SECOND, Duration, Instant, after

WATCHED_ON: Final = Duration(5 * SECOND)
"""How long the board is watched after the last turn, or after the end of the game."""


def sheet_trace(sheet: Sheet) -> Bundle:
    """The trace of a sheet, which gives the sheet's turns again: on the game's own board, or at a table.

    Raises what `ending` raises for a sheet that is not legal, and ValueError with one sentence for lines that hands
    cannot play, and for turns too close in time for a board to tell them apart.
    """
    played = list(steps(sheet))
    game = line_play(rules_of(sheet.game, sheet.settings))
    done = game.on_board(played)
    until = after(Instant(max(done.last, _over_at(sheet))), WATCHED_ON)
    extras = {PEOPLE: dict(sheet.players)} if sheet.players else {}
    header = TraceHeader.of(done.board, sheet.game, {**sheet.settings, **done.settings}, extras)
    trace = Bundle(header, tuple(sorted(done.happenings, key=attrgetter("at"))), until)
    _check(trace, (step for step in played if game.is_ply(step)))
    return trace


def _over_at(sheet: Sheet) -> Instant:
    """When time ended the game, if it did."""
    now = getattr(play_to_end(sheet).position, "now", 0)
    return Instant(now)


def _check(trace: Bundle, plies: Iterable[Step]) -> None:
    """Raise InvalidValueError at the first turn that the referee does not find in the trace."""
    given: Iterator[str] = (
        "lost" if isinstance(ruling, TurnLost) else ruling.text
        for ruling in rulings(trace.trace)
        if isinstance(ruling, TurnRuled | TurnLost)
    )
    for step in plies:
        if next(given, None) != step.text:
            raise InvalidValueError(statement("records.sheet.not_by_hand", number=step.number, text=step.text))
