"""Make the bracket sheet of a knockout, in parts that fit a page."""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from gnomon.refusals import statement
from gnomon.tournament.crosstables import Bracket, Match, bracket_of, has_bracket
from gnomon.tournament.errors import TournamentError
from gnomon.tournament.state import Tournament
from gnomon.tournament.teams.matches import as_shown
from gnomon.web.sheets._heads import about
from gnomon.web.sheets.paper import PrintedSheet
from gnomon.words import Words

ROUNDS_ACROSS: Final = 4
"""Rounds that a page shows side by side, and so 16 entrants below each other."""
_NAMED: Final = {1: "sheet.final", 2: "sheet.semifinals", 4: "sheet.quarterfinals"}


class _Seat(NamedTuple):
    name: str
    won: bool


class _BracketMatch(NamedTuple):
    """A match beside the two that lead to it: `span` is how many rows it takes."""

    span: int
    seats: tuple[_Seat, ...]
    told: str


class _Part(NamedTuple):
    title: str
    rounds: tuple[str, ...]
    rows: tuple[tuple[_BracketMatch, ...], ...]


def bracket_sheet(tournament: Tournament, words: Words) -> PrintedSheet:
    """The bracket of a knockout as far as it has come, with room for what is to come.

    Raises TournamentError for a tournament that has none.
    """
    if not has_bracket(tournament):
        raise TournamentError(statement("director.refused.no_bracket", tournament=tournament.settings.name))
    seen = as_shown(tournament)
    drawn = bracket_of(seen)
    third = None if drawn.third is None else _draw(seen, drawn.third, 1, words)
    parts = {"sections": list(_parts(seen, drawn, words)), "third": third}
    when = words("sheet.after", number=len(tournament.rounds), rounds=len(drawn.rounds))
    return PrintedSheet(
        words("sheet.bracket"),
        tournament.settings.name,
        when,
        "sheet_bracket.html",
        parts,
        landscape=True,
        about=about(tournament, words),
    )


def _parts(tournament: Tournament, drawn: Bracket, words: Words) -> Iterator[_Part]:
    """Up to four rounds of up to 16 entrants at a time, from the first round to the final."""
    for start in range(0, len(drawn.rounds), ROUNDS_ACROSS):
        rounds = drawn.rounds[start : start + ROUNDS_ACROSS]
        lasts = len(rounds[-1])
        titles = tuple(_round_title(len(matches), at, words) for at, matches in enumerate(rounds, start=start + 1))
        for part in range(lasts):
            mine = [_share(matches, part, lasts) for matches in rounds]
            boards = words("sheet.bracket.boards", first=mine[0][0].board, last=mine[0][-1].board)
            yield _Part(boards if lasts > 1 else "", titles, tuple(_rows(tournament, mine, words)))


def _share(matches: Sequence[Match], part: int, parts: int) -> Sequence[Match]:
    size = len(matches) // parts
    return matches[part * size : (part + 1) * size]


def _rows(
    tournament: Tournament, rounds: Sequence[Sequence[Match]], words: Words
) -> Iterator[tuple[_BracketMatch, ...]]:
    for row in range(len(rounds[0])):
        yield tuple(
            _draw(tournament, matches[row >> column], 1 << column, words)
            for column, matches in enumerate(rounds)
            if row % (1 << column) == 0
        )


def _draw(tournament: Tournament, match: Match, span: int, words: Words) -> _BracketMatch:
    seats = tuple(_seat(tournament, match, place, words) for place in range(len(match.slots)))
    return _BracketMatch(span, seats, match.told)


def _seat(tournament: Tournament, match: Match, place: int, words: Words) -> _Seat:
    slot, other = match.slots[place], match.slots[1 - place]
    if slot.number is not None:
        return _Seat(tournament.label_of(slot.number), slot.won)
    bye = match.round == 1 and other.number is not None
    return _Seat(words("sheet.bye") if bye else "\u00a0", won=False)


def _round_title(matches: int, number: int, words: Words) -> str:
    return words(_NAMED[matches]) if matches in _NAMED else words("sheet.round.number", number=number)
