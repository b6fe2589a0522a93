"""Draw the brackets of a knockout and of a double elimination, in parts that fit a page or a screen."""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from gnomon.refusals import statement
from gnomon.tournament.errors import TournamentError
from gnomon.tournament.standings.crosstables import Bracket, Match, bracket_of, has_bracket
from gnomon.tournament.state import Tournament
from gnomon.tournament.teams.matches import as_shown
from gnomon.web.sheets._heads import about
from gnomon.web.sheets.paper import PrintedSheet
from gnomon.words import Words

ROUNDS_ACROSS: Final = 4
"""Rounds that a page shows side by side."""
MATCHES_DOWN: Final = 1 << (ROUNDS_ACROSS - 1)
"""Matches that a page shows below each other, and so 16 entrants."""
_NOBODY: Final = "\u00a0"
_NAMED: Final = {1: "sheet.final", 2: "sheet.semifinals", 4: "sheet.quarterfinals"}


class _Seat(NamedTuple):
    name: str
    won: bool


class _BracketMatch(NamedTuple):
    seats: tuple[_Seat, ...]
    told: str


class _Column(NamedTuple):
    title: str
    matches: tuple[_BracketMatch, ...]


class BracketPart(NamedTuple):
    """Rounds side by side, `until` the last of them; in a tree each match stands between the two that lead to it.

    `note` stands below.
    """

    title: str
    columns: tuple[_Column, ...]
    until: int
    is_tree: bool = False
    note: str = ""

    @property
    def has_people(self) -> bool:
        """Whether anybody stands in it yet."""
        return any(seat.name != _NOBODY for column in self.columns for match in column.matches for seat in match.seats)


def bracket_sheet(tournament: Tournament, words: Words) -> PrintedSheet:
    """The brackets of a knockout as far as they have come, with room for what is to come.

    Raises TournamentError for a tournament that has none.
    """
    if not has_bracket(tournament):
        raise TournamentError(statement("director.refused.no_bracket", tournament=tournament.settings.name))
    parts = bracket_parts(tournament, words)
    return PrintedSheet(
        words("sheet.bracket"),
        tournament.settings.name,
        words("sheet.after", number=len(tournament.rounds), rounds=tournament.settings.rounds),
        "sheet_bracket.html",
        {"parts": parts},
        landscape=True,
        about=about(tournament, words),
    )


def bracket_parts(tournament: Tournament, words: Words) -> list[BracketPart]:
    """The brackets of a knockout: that to the final, and of a double elimination those who have lost once."""
    seen = as_shown(tournament)
    drawn = bracket_of(seen)
    parts = [*_upper(seen, drawn, words)]
    last = len(drawn.rounds)
    if drawn.third is not None:
        column = _Column(words("sheet.third"), (_draw(seen, drawn.third, words),))
        parts.append(BracketPart("", (column,), last))
    if seen.settings.lives > 1 and drawn.rounds:
        lower = [*_lower(seen, drawn, words)]
        count = len(lower)
        numbered = (part._replace(title=f"{part.title} · {at}/{count}") for at, part in enumerate(lower, start=1))
        parts += numbered if count > 1 else lower
    if drawn.finals:
        titles = ("sheet.final", second_final(drawn))
        columns = (
            _Column(words(title), (_draw(seen, match, words),))
            for title, match in zip(titles, drawn.finals, strict=False)
        )
        parts.append(BracketPart("", tuple(columns), drawn.finals[-1].round))
    return parts


def second_final(drawn: Bracket) -> str:
    """The words for the second final of a double elimination: nobody stands there before it is known to be needed."""
    return "sheet.final.second" if drawn.finals and drawn.finals[-1].slots[0].number else "sheet.final.maybe"


def _upper(tournament: Tournament, drawn: Bracket, words: Words) -> Iterator[BracketPart]:
    """Up to four rounds of up to 16 entrants at a time, from the first round to the final."""
    twice = tournament.settings.lives > 1
    for start in range(0, len(drawn.rounds), ROUNDS_ACROSS):
        rounds = drawn.rounds[start : start + ROUNDS_ACROSS]
        lasts = len(rounds[-1])
        titles = [
            _round_title(len(matches), at, words, is_numbered=twice)
            for at, matches in enumerate(rounds, start=start + 1)
        ]
        for part in range(lasts):
            mine = [_share(matches, part, lasts) for matches in rounds]
            boards = words("sheet.bracket.boards", first=mine[0][0].board, last=mine[0][-1].board)
            told = ([words("sheet.bracket.upper")] if twice else []) + ([boards] if lasts > 1 else [])
            columns = (
                _Column(title, tuple(_draw(tournament, match, words) for match in matches))
                for title, matches in zip(titles, mine, strict=True)
            )
            yield BracketPart(" · ".join(told), tuple(columns), start + len(rounds), is_tree=True)


def _share(matches: Sequence[Match], part: int, parts: int) -> Sequence[Match]:
    size = len(matches) // parts
    return matches[part * size : (part + 1) * size]


def _lower(tournament: Tournament, drawn: Bracket, words: Words) -> Iterator[BracketPart]:
    """The rounds of those who have lost once; the last part also names those who wait."""
    title, note = words("sheet.bracket.lower"), words("sheet.bracket.lower.why")
    if drawn.waiting:
        note = words("sheet.bracket.waiting", names=", ".join(map(tournament.label_of, drawn.waiting)))
    if not drawn.lower:
        yield BracketPart(title, (), len(tournament.rounds), note=note)
    for start in range(0, len(drawn.lower), ROUNDS_ACROSS):
        rounds = drawn.lower[start : start + ROUNDS_ACROSS]
        for top in range(0, max(map(len, rounds)), MATCHES_DOWN):
            columns = tuple(
                _Column(
                    words("sheet.round.number", number=matches[0].round),
                    tuple(_draw(tournament, match, words) for match in matches[top : top + MATCHES_DOWN]),
                )
                for matches in rounds
                if len(matches) > top
            )
            is_last = start + ROUNDS_ACROSS >= len(drawn.lower) and top + MATCHES_DOWN >= max(map(len, rounds))
            yield BracketPart(title, columns, rounds[-1][0].round, note=note if is_last else "")


def _draw(tournament: Tournament, match: Match, words: Words) -> _BracketMatch:
    seats = tuple(_seat(tournament, match, place, words) for place in range(len(match.slots)))
    return _BracketMatch(seats, match.told)


def _seat(tournament: Tournament, match: Match, place: int, words: Words) -> _Seat:
    slot, other = match.slots[place], match.slots[1 - place]
    if slot.number is not None:
        return _Seat(tournament.label_of(slot.number), slot.won)
    bye = other.number is not None and (match.round == 1 or other.won)
    return _Seat(words("sheet.bye") if bye else _NOBODY, won=False)


def _round_title(matches: int, number: int, words: Words, *, is_numbered: bool) -> str:
    if is_numbered or matches not in _NAMED:
        return words("sheet.round.number", number=number)
    return words(_NAMED[matches])
