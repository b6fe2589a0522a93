"""Make the sheets of a tournament of teams: matches with their boards, players by board, and line-up forms."""

from typing import Final

from gnomon.refusals import clause
from gnomon.tournament.standings.crosstables import as_of, points_before
from gnomon.tournament.state import Tournament
from gnomon.tournament.state.notation import points_text
from gnomon.tournament.state.results import format_result
from gnomon.tournament.state.rounds import Pairing, Round
from gnomon.tournament.teams.individuals import board_scores
from gnomon.tournament.teams.matches import book_of, describe_verdict, match_score, team_view
from gnomon.web.sheets._heads import about, day_of_round
from gnomon.web.sheets.halls import ONE_HALL, Halls, cell_of, head_of
from gnomon.web.sheets.paper import PaperColumn, PaperTable, PrintedSheet
from gnomon.words import Words

_NUMBER: Final = "number"
_MARK: Final = "mark"


def match_tables(tournament: Tournament, in_round: int, words: Words, halls: Halls = ONE_HALL) -> list[PaperTable]:
    """A table for every match of a round, with its boards. Raises TournamentError for a round not published."""
    round_, matches = tournament.round(in_round), book_of(tournament).matches.round(in_round).pairings
    points = points_before(team_view(tournament), in_round)
    columns = (
        PaperColumn(words("sheet.board"), _NUMBER),
        *head_of(halls, words),
        PaperColumn(words("sheet.no"), _NUMBER),
        PaperColumn(words("sheet.moves_first")),
        PaperColumn(words("sheet.team")),
        PaperColumn(words("sheet.result"), _MARK),
        PaperColumn(words("sheet.no"), _NUMBER),
        PaperColumn(words("sheet.moves_second")),
        PaperColumn(words("sheet.team")),
    )
    at = {pairing.board: pairing for pairing in round_.pairings}
    tables = []
    for match in sorted(matches):
        boards = (at[board] for board in book_of(tournament).play.boards_of(match.board) if board in at)
        rows = tuple(
            (str(pairing.board), *cell_of(halls, pairing.board), *_row(tournament, round_, pairing, words))
            for pairing in boards
        )
        names = [f"{book_of(tournament).matches.label_of(one)} ({points[one]})" for one in match.entrants]
        title = f"{words('sheet.match.number', number=match.board)}: " + " – ".join(names)
        tables.append(
            PaperTable(
                columns if rows else (), rows, f"{title} {_describe_end(tournament, round_, match, words)}".rstrip()
            )
        )
    return tables


def boards_sheet(tournament: Tournament, words: Words, after: int | None = None) -> PrintedSheet:
    """What every player scored, board by board. Raises TournamentError where nobody plays in teams."""
    seen = tournament if after is None else as_of(tournament, after)
    columns = (
        PaperColumn(words("sheet.board"), _NUMBER),
        PaperColumn(words("sheet.place"), _NUMBER),
        PaperColumn(words("sheet.no"), _NUMBER),
        PaperColumn(words("sheet.name")),
        PaperColumn(words("sheet.team")),
        PaperColumn(words("sheet.points"), _NUMBER),
        PaperColumn(words("sheet.games"), _NUMBER),
    )
    rows = tuple(
        (
            *(str(one.board), str(one.place), str(one.number)),
            seen.entrants[one.number].name,
            seen.entrants[one.number].team,
            *(points_text(one.points), str(one.games)),
        )
        for one in board_scores(seen)
    )
    when = words("sheet.after", number=len(seen.rounds), rounds=seen.settings.rounds)
    parts = {"tables": [PaperTable(columns, rows)]}
    return PrintedSheet(words("sheet.by_board"), seen.settings.name, when, parts=parts, about=about(seen, words))


def lineup_sheet(tournament: Tournament, in_round: int, words: Words) -> PrintedSheet:
    """A form for every team on which its captain names who plays in a round, beside its roster."""
    book = book_of(tournament)
    columns = (
        PaperColumn(words("sheet.board"), _NUMBER),
        PaperColumn(words("sheet.lineup.player"), "blank"),
        PaperColumn(words("sheet.no"), _NUMBER),
        PaperColumn(words("sheet.roster")),
        PaperColumn(words("sheet.rating"), _NUMBER),
    )
    tables = []
    for number in sorted(book.rosters):
        if book.matches.has_left(number, in_round):
            continue
        roster = [tournament.entrants[one] for one in book.rosters[number].members]
        rows = []
        for place in range(max(book.play.boards, len(roster))):
            one = roster[place] if place < len(roster) else None
            listed = ("", "", "") if one is None else (str(one.number), one.name, str(one.rating or ""))
            rows.append((str(place + 1) if place < book.play.boards else "", "", *listed))
        tables.append(PaperTable(columns, tuple(rows), book.matches.label_of(number)))
    when = words("sheet.round.of", number=in_round, rounds=tournament.settings.rounds)
    when = " · ".join(filter(None, (when, day_of_round(tournament, in_round))))
    notes = (words("sheet.lineup.order"),)
    title = words("sheet.lineups")
    return PrintedSheet(title, tournament.settings.name, when, parts={"tables": tables}, notes=notes)


def _row(tournament: Tournament, round_: Round, pairing: Pairing, words: Words) -> tuple[str, ...]:
    names, result = tournament.entrants, format_result(round_.results.get(pairing.board, ()))
    first = names[pairing.first]
    board = (str(first.number), first.name, first.team)
    if pairing.second is None:
        return (*board, "", "", words("sheet.nobody"), "")
    second = names[pairing.second]
    return (*board, result, str(second.number), second.name, second.team)


def _describe_end(tournament: Tournament, round_: Round, match: Pairing, words: Words) -> str:
    """How a match ended once all its boards have a result, or that it is a bye."""
    if match.second is None:
        return words("sheet.bye")
    score = match_score(tournament, round_, match)
    if score.waiting:
        return ""
    goes_on = describe_verdict(tournament, round_, match)
    told = f"{points_text(score.first)} : {points_text(score.second)}"
    return told if goes_on is None else f"{told} · {clause(goes_on, words)}"
