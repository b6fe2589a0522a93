"""Make the list sheets of a tournament: pairings, entrants, standings, teams and cross tables."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from gnomon.tournament.scoring.multiplayer import order_text
from gnomon.tournament.standings import Standing, standings, team_standings
from gnomon.tournament.standings.crosstables import (
    FIRST,
    CrossTableRow,
    all_against_all,
    as_of,
    cross_table,
    is_table,
    points_before,
)
from gnomon.tournament.state import Tournament
from gnomon.tournament.state.notation import boards_text, points_text, value_text
from gnomon.tournament.state.particulars import in_public
from gnomon.tournament.state.results import format_result
from gnomon.tournament.state.rounds import Pairing, Round
from gnomon.tournament.strength.stones import handicaps
from gnomon.tournament.teams.matches import as_shown
from gnomon.web._tie_breaks import tie_break_text
from gnomon.web.sheets._heads import about, day_of_round
from gnomon.web.sheets.halls import ONE_HALL, Halls, cell_of, head_of
from gnomon.web.sheets.paper import PaperColumn, PaperTable, PrintedSheet
from gnomon.web.sheets.rounds import deadline_text, round_heading
from gnomon.web.sheets.teams import match_tables
from gnomon.words import Words

MOST_ACROSS: Final = 24
"""Columns of opponents that one page takes beside the names; more go on in a table below."""
_NUMBER: Final = "number"
_MARK: Final = "mark"


class _Some(NamedTuple):
    """A column for what some have: there is none where nobody has it."""

    head: tuple[PaperColumn, ...]
    texts: Mapping[int, str]

    def of(self, number: int) -> tuple[str, ...]:
        """The cell of an entrant, if there is the column."""
        return (self.texts.get(number, ""),) if self.head else ()


def pairings_by_board(tournament: Tournament, in_round: int, words: Words, halls: Halls = ONE_HALL) -> PrintedSheet:
    """Who sits at which board of a round, with room for results. Raises TournamentError for one not published."""
    round_ = tournament.round(in_round)
    if tournament.teams is not None:
        matches = match_tables(tournament, in_round, words, halls)
        return _of_round(tournament, in_round, words("sheet.matches"), matches, words)
    if round_.tables:
        table = _tables(tournament, round_, words, halls)
        return _of_round(tournament, in_round, words("sheet.tables"), [table], words)
    points = points_before(tournament, in_round)
    stones = handicaps(tournament, in_round, round_.pairings)
    given = (PaperColumn(words("sheet.stones"), _NUMBER),) if stones else ()
    columns = (
        PaperColumn(words("sheet.board"), _NUMBER),
        *head_of(halls, words),
        PaperColumn(words("sheet.no"), _NUMBER),
        PaperColumn(words("sheet.moves_first")),
        PaperColumn(words("sheet.points"), _NUMBER),
        PaperColumn(words("sheet.result"), _MARK),
        PaperColumn(words("sheet.no"), _NUMBER),
        PaperColumn(words("sheet.moves_second")),
        PaperColumn(words("sheet.points"), _NUMBER),
        *given,
    )
    rows = tuple(
        (
            str(pairing.board),
            *cell_of(halls, pairing.board),
            *_board_row(tournament, round_, pairing, points, words),
            *((str(stones.get(pairing.board, "")),) if stones else ()),
        )
        for pairing in sorted(round_.pairings)
    )
    return _of_round(tournament, in_round, words("sheet.pairings"), [PaperTable(columns, rows)], words)


def _tables(tournament: Tournament, round_: Round, words: Words, halls: Halls) -> PaperTable:
    """The tables of three and four of a round, with room for the order in which they end."""
    most = max(len(table.seats) for table in round_.tables)
    columns = (
        PaperColumn(words("sheet.one_table"), _NUMBER),
        *head_of(halls, words),
        *(PaperColumn(words("sheet.seat", number=seat)) for seat in range(1, most + 1)),
        PaperColumn(words("sheet.order"), _MARK),
    )
    rows = []
    for table in round_.tables:
        names = [tournament.label_of(number) for number in table.seats]
        places = round_.places.get(table.board)
        order = "" if places is None else order_text(table, places)
        where = (str(table.board), *cell_of(halls, table.board))
        rows.append((*where, *names, *[""] * (most - len(names)), order))
    return PaperTable(columns, tuple(rows))


def pairings_by_name(tournament: Tournament, in_round: int, words: Words, halls: Halls = ONE_HALL) -> PrintedSheet:
    """Everybody by name, and where they sit. Raises TournamentError for a round that is not published."""
    round_ = tournament.round(in_round)
    if round_.tables:
        table = _tables_by_name(tournament, round_, words, halls)
        return _of_round(tournament, in_round, words("sheet.tables.by_name"), [table], words)
    columns = (
        PaperColumn(words("sheet.name")),
        PaperColumn(words("sheet.board"), _NUMBER),
        *head_of(halls, words),
        PaperColumn(words("sheet.side"), _MARK),
        PaperColumn(words("sheet.against")),
    )
    seats = (seat for pairing in round_.pairings for seat in _seats(tournament, pairing, words, halls))
    rows = tuple(sorted(seats, key=lambda row: row[0].casefold()))
    return _of_round(tournament, in_round, words("sheet.pairings.by_name"), [PaperTable(columns, rows)], words)


def _tables_by_name(tournament: Tournament, round_: Round, words: Words, halls: Halls) -> PaperTable:
    """Everybody by name, with their table of three or four, their seat, and who else sits there."""
    columns = (
        PaperColumn(words("sheet.name")),
        PaperColumn(words("sheet.one_table"), _NUMBER),
        *head_of(halls, words),
        PaperColumn(words("sheet.one_seat"), _NUMBER),
        PaperColumn(words("sheet.with")),
    )
    rows = []
    for table in round_.tables:
        names = [tournament.entrants[number].name for number in table.seats]
        for seat, name in enumerate(names):
            others = ", ".join(names[:seat] + names[seat + 1 :])
            rows.append((name, str(table.board), *cell_of(halls, table.board), str(seat + 1), others))
    return PaperTable(columns, tuple(sorted(rows, key=lambda row: row[0].casefold())))


def entrants_sheet(tournament: Tournament, words: Words) -> PrintedSheet:
    """Who takes part, the strongest first."""
    people = [tournament.entrants[number] for number in tournament.seeds]
    late = any(one.since > 1 for one in people)
    title = _known_people(tournament, "title", words("sheet.title"), _MARK)
    federation = _known_people(tournament, "federation", words("sheet.federation"), _MARK)
    club = _known_people(tournament, "club", words("sheet.club"))
    columns = (
        PaperColumn(words("sheet.no"), _NUMBER),
        *title.head,
        PaperColumn(words("sheet.name")),
        *federation.head,
        PaperColumn(words("sheet.rating"), _NUMBER),
        PaperColumn(words("sheet.team")),
        *club.head,
        *((PaperColumn(words("sheet.since"), _NUMBER),) if late else ()),
    )
    rows = tuple(
        (
            str(one.number),
            *title.of(one.number),
            one.name,
            *federation.of(one.number),
            "" if one.rating is None else str(one.rating),
            one.team,
            *club.of(one.number),
            *((str(one.since) if one.since > 1 else "",) if late else ()),
        )
        for one in people
    )
    tables = {"tables": [PaperTable(columns, rows)]}
    return PrintedSheet(words("sheet.entrants"), tournament.settings.name, parts=tables, about=about(tournament, words))


def standings_sheet(tournament: Tournament, words: Words, after: int | None = None) -> PrintedSheet:
    """The standings as of the end of a round, or as they are. Raises TournamentError for one not published."""
    played = _state_after(tournament, after)
    seen = as_shown(played)
    breaks = seen.settings.tie_breaks
    title = _known_people(seen, "title", words("sheet.title"), _MARK)
    federation = _known_people(seen, "federation", words("sheet.federation"), _MARK)
    team = _some(words("sheet.team"), {one.number: one.team for one in seen.entrants.values()})
    group = team if team.head else _known_people(seen, "club", words("sheet.club"))  # there is room for one of them
    ratings = {one.number: str(one.rating) for one in seen.entrants.values() if one.rating is not None}
    rating = _some(words("sheet.rating"), ratings, _NUMBER)
    place, number, name = _places(words)
    columns = (
        *(place, number, *title.head, name, *federation.head, *group.head, *rating.head),
        PaperColumn(words("sheet.points"), _NUMBER),
        *(PaperColumn(name, _NUMBER) for name in breaks),
    )
    rows = tuple(
        (
            *(str(one.place), str(one.number), *title.of(one.number), seen.entrants[one.number].name),
            *(*federation.of(one.number), *group.of(one.number), *rating.of(one.number)),
            *(points_text(one.points), *map(value_text, one.values)),
        )
        for one in standings(seen)
    )
    notes = tuple(f"{name}: {tie_break_text(name, words)}" for name in breaks)
    return _as_it_is(played, words("sheet.standings"), [PaperTable(columns, rows)], words, notes)


def teams_sheet(tournament: Tournament, best: int, words: Words, after: int | None = None) -> PrintedSheet:
    """The teams by the points of their best so many, and who counted."""
    seen = _state_after(tournament, after)
    columns = (
        PaperColumn(words("sheet.place"), _NUMBER),
        PaperColumn(words("sheet.team")),
        PaperColumn(words("sheet.points"), _NUMBER),
        PaperColumn(words("sheet.counted")),
    )
    rows = tuple(
        (
            str(one.place),
            one.team,
            points_text(one.points),
            ", ".join(seen.entrants[number].name for number in one.counted),
        )
        for one in team_standings(seen, best)
    )
    return _as_it_is(seen, words.plural("sheet.teams", best), [PaperTable(columns, rows)], words)


def cross_sheet(tournament: Tournament, words: Words, after: int | None = None) -> PrintedSheet:
    """Who met whom: the table of all against all of a round robin, or round by round."""
    played = _state_after(tournament, after)
    seen = as_shown(played)
    if is_table(seen):
        return _as_it_is(played, words("sheet.table"), list(_against_all(seen, words)), words)._replace(landscape=True)
    rows = cross_table(seen)
    rounds = tuple(PaperColumn(str(round_.number), _MARK) for round_ in seen.rounds)
    columns = (*_places(words), *rounds, PaperColumn(words("sheet.points"), _NUMBER))
    lines = tuple((*_place(seen, row.standing), *row.cells, points_text(row.standing.points)) for row in rows)
    first = (words("sheet.cross.first", sign=FIRST),) if seen.settings.balances else ()
    notes = (words("sheet.cross.cells"), words("sheet.cross.idle"), *first)
    landscape = len(rounds) > MOST_ACROSS // 3
    return _as_it_is(played, words("sheet.cross"), [PaperTable(columns, lines)], words, notes)._replace(
        landscape=landscape
    )


def _against_all(seen: Tournament, words: Words) -> Iterator[PaperTable]:
    rows = all_against_all(seen)
    for start in range(0, max(1, len(rows)), MOST_ACROSS):
        across = range(start, min(start + MOST_ACROSS, len(rows)))
        heads = tuple(PaperColumn(str(at + 1), _MARK) for at in across)
        columns = (PaperColumn("", _NUMBER), *_places(words), *heads, PaperColumn(words("sheet.points"), _NUMBER))
        lines = tuple(_against_row(seen, at, row, across) for at, row in enumerate(rows))
        yield PaperTable(columns, lines, f"{start + 1}–{across.stop}" if len(rows) > MOST_ACROSS else "")


def _against_row(seen: Tournament, at: int, row: CrossTableRow, across: Sequence[int]) -> tuple[str, ...]:
    cells = ("×" if other == at else row.cells[other] for other in across)
    return (str(at + 1), *_place(seen, row.standing), *cells, points_text(row.standing.points))


def _places(words: Words) -> tuple[PaperColumn, ...]:
    return (
        PaperColumn(words("sheet.place"), _NUMBER),
        PaperColumn(words("sheet.no"), _NUMBER),
        PaperColumn(words("sheet.name")),
    )


def _place(seen: Tournament, one: Standing) -> tuple[str, str, str]:
    return str(one.place), str(one.number), seen.entrants[one.number].name


def _known_people(tournament: Tournament, thing: str, title: str, kind: str = "name") -> _Some:
    """What is known of people: never what is private."""
    return _some(title, {number: getattr(in_public(one), thing) for number, one in tournament.persons.items()}, kind)


def _some(title: str, texts: Mapping[int, str], kind: str = "name") -> _Some:
    return _Some((PaperColumn(title, kind),) if any(texts.values()) else (), texts)


def _board_row(
    tournament: Tournament, round_: Round, pairing: Pairing, points: Mapping[int, str], words: Words
) -> tuple[str, ...]:
    first, second = pairing.first, pairing.second
    names = tournament.entrants
    board = (str(first), names[first].name, points[first])
    if second is None:
        return (*board, "", "", words("sheet.bye"), "")
    result = format_result(round_.results.get(pairing.board, ()))
    return (*board, result, str(second), names[second].name, points[second])


def _seats(tournament: Tournament, pairing: Pairing, words: Words, halls: Halls) -> Iterator[tuple[str, ...]]:
    board, names = (str(pairing.board), *cell_of(halls, pairing.board)), tournament.entrants
    first, second = pairing.first, pairing.second
    if second is None:
        yield names[first].name, *board, "", words("sheet.bye")
        return
    yield names[first].name, *board, words("sheet.side.first"), names[second].name
    yield names[second].name, *board, words("sheet.side.second"), names[first].name


def _state_after(tournament: Tournament, after: int | None) -> Tournament:
    return tournament if after is None else as_of(tournament, after)


def _of_round(
    tournament: Tournament, in_round: int, title: str, tables: list[PaperTable], words: Words
) -> PrintedSheet:
    heading = round_heading(tournament.settings, in_round, words)
    when = " · ".join(filter(None, (heading, day_of_round(tournament, in_round))))
    name, until = tournament.settings.name, deadline_text(tournament, in_round, words)
    return PrintedSheet(title, name, when, parts={"tables": tables}, remark=until, about=about(tournament, words))


def _as_it_is(
    seen: Tournament,
    title: str,
    tables: list[PaperTable],
    words: Words,
    notes: tuple[str, ...] = (),
) -> PrintedSheet:
    when = words("sheet.after", number=len(seen.rounds), rounds=seen.settings.rounds)
    waiting = words("sheet.waiting", boards=boards_text(seen.waiting)) if seen.waiting else ""
    parts = {"tables": tables}
    return PrintedSheet(
        title, seen.settings.name, when, parts=parts, notes=notes, remark=waiting, about=about(seen, words)
    )
