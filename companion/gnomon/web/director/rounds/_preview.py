"""Annotate proposed pairings for the director: sides, floats, byes, changes and faults."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from gnomon.refusals import Statement
from gnomon.tournament.pairing import validator
from gnomon.tournament.pairing.players import Player, players
from gnomon.tournament.state import Tournament
from gnomon.tournament.state.round_history import histories, sides
from gnomon.tournament.state.rounds import Pairing
from gnomon.tournament.state.settings import System
from gnomon.web.director._tables import BoardRow, board_rows

FIRST, SECOND = "●", "○"
"""A game in which somebody moved first, and one in which they did not."""


class BoardNote(NamedTuple):
    """Something about a board: the words that say it, with their values."""

    key: str
    values: Mapping[str, object] = {}


class PreviewRow(NamedTuple):
    """A board of a pairing that is not published: who, what sides they had before, and what is to be said of it."""

    row: BoardRow
    first_sides: str
    second_sides: str
    notes: tuple[BoardNote, ...]
    is_new: bool


class PairingPreview(NamedTuple):
    """A pairing looked over: its boards, who does not play, what it would change, and what is wrong with it.

    `broken` rules out that it is published; the rules in `overridable` a director may break, with a reason.
    """

    rows: Sequence[PreviewRow]
    absent: Sequence[str]
    broken: Sequence[Statement]
    overridable: Sequence[Statement]
    differences: Sequence[tuple[int, str, str]]


def looked_over(base: Tournament, pairings: Sequence[Pairing], compared: Sequence[Pairing]) -> PairingPreview:
    """A pairing of the next round of a tournament; `compared` is what it would replace, if anything."""
    in_round = base.next_round
    told = histories(base)
    was = {(pairing.board, *pairing.entrants) for pairing in compared}
    known = {one.number: one for one in players(base)} if _by_score(base) else {}
    had = {number: "".join(FIRST if first else SECOND for first in sides(told[number])) for number in base.entrants}
    boards = {pairing.board: pairing for pairing in pairings}
    rows = []
    for row in board_rows(base, in_round, pairings):
        pairing = boards[row.board]
        first, second = row.first.number, 0 if row.second is None else row.second.number
        notes = tuple(_notes(base, known, pairing))
        is_new = bool(compared) and (pairing.board, *pairing.entrants) not in was
        rows.append(PreviewRow(row, had[first], had.get(second, ""), notes, is_new))
    seated = {number for pairing in pairings for number in pairing.entrants}
    absent = [base.label_of(number) for number in base.seeds if number not in seated]
    faults = validator.faults_of(base, in_round, pairings)
    return PairingPreview(
        rows,
        absent,
        faults.senseless,
        faults.overridable,
        list(_differences(base, compared, pairings)) if compared else [],
    )


def _by_score(base: Tournament) -> bool:
    return base.settings.system in {System.SWISS, System.MCMAHON}


def _notes(base: Tournament, known: Mapping[int, Player], pairing: Pairing) -> Iterator[BoardNote]:
    one = known.get(pairing.first)
    if pairing.second is None:
        yield _bye_note(base, known, one)
        return
    other = known.get(pairing.second)
    if one is not None and other is not None and one.score != other.score:
        higher, lower = (one, other) if one.score > other.score else (other, one)
        yield BoardNote("director.note.float", {"down": higher.number, "up": lower.number})
        if higher.floated > 0 or lower.floated < 0:
            yield BoardNote("director.note.again", {"who": higher.number if higher.floated > 0 else lower.number})
    team = base.entrants[pairing.first].team
    if team and team == base.entrants[pairing.second].team:
        yield BoardNote("director.note.mates", {"team": team})


def _bye_note(base: Tournament, known: Mapping[int, Player], one: Player | None) -> BoardNote:
    if base.settings.system is System.KNOCKOUT:
        return BoardNote("director.note.bye.bracket")
    lower = 0 if one is None else sum(each.had_bye and each.score < one.score for each in known.values())
    return BoardNote("director.note.bye.passed", {"count": lower}) if lower else BoardNote("director.note.bye.lowest")


def _differences(base: Tournament, before: Sequence[Pairing], now: Sequence[Pairing]) -> Iterator[tuple[int, str, str]]:
    """The boards at which others sit, with who would and who did."""
    was = {pairing.board: pairing for pairing in before}
    boards = {pairing.board: pairing for pairing in now}
    for board in sorted({*was, *boards}):
        one, other = was.get(board), boards.get(board)
        if one != other:
            yield board, _earlier_rounds(base, other), _earlier_rounds(base, one)


def _earlier_rounds(base: Tournament, pairing: Pairing | None) -> str:
    return "–" if pairing is None else " – ".join(base.label_of(number) for number in pairing.entrants)
