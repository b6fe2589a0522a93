"""Build the rows of the tables in which teams play teams: matches with their boards, and players by board."""

from collections.abc import Sequence
from typing import NamedTuple

from gnomon.refusals import Statement
from gnomon.tournament.standings.crosstables import points_before
from gnomon.tournament.state import Tournament
from gnomon.tournament.state.notation import points_text
from gnomon.tournament.state.rounds import Pairing, Round
from gnomon.tournament.teams.individuals import board_scores
from gnomon.tournament.teams.matches import book_of, describe_verdict, match_score, team_view
from gnomon.web.director._tables import BoardRow, BoardSeat, board_rows


class MatchRow(NamedTuple):
    """A match of a round: the two teams, or the one that has the bye; the points so far, and its boards.

    `goes_on` says of a level match of a knockout who goes on.
    """

    match: int
    first: BoardSeat
    second: BoardSeat | None
    score: str
    waits: bool
    boards: Sequence[BoardRow]
    goes_on: Statement | None = None


class ScoreRow(NamedTuple):
    """What a player scored, at which board, and their place there."""

    board: int
    place: int
    number: int
    name: str
    team: str
    points: str
    games: int


def match_rows(tournament: Tournament, in_round: int) -> list[MatchRow]:
    """The matches of a round that is published; none where nobody plays in teams. Raises TournamentError."""
    if tournament.teams is None or not in_round:
        return []
    round_ = tournament.round(in_round)
    points = points_before(team_view(tournament), in_round)
    boards = {row.board: row for row in board_rows(tournament, in_round)}
    book = book_of(tournament)

    def seat(number: int) -> BoardSeat:
        return BoardSeat(number, book.matches.entrants[number].name, points[number])

    return [
        MatchRow(
            match.board,
            seat(match.first),
            None if match.second is None else seat(match.second),
            *_score(tournament, round_, match),
            [boards[board] for board in book.play.boards_of(match.board) if board in boards],
            describe_verdict(tournament, round_, match),
        )
        for match in sorted(book.matches.round(in_round).pairings)
    ]


def score_rows(tournament: Tournament) -> list[ScoreRow]:
    """What everybody scored, board by board; nothing where nobody plays in teams."""
    if tournament.teams is None:
        return []
    names = tournament.entrants
    return [
        ScoreRow(
            one.board,
            one.place,
            one.number,
            names[one.number].name,
            names[one.number].team,
            points_text(one.points),
            one.games,
        )
        for one in board_scores(tournament)
    ]


def _score(tournament: Tournament, round_: Round, match: Pairing) -> tuple[str, bool]:
    """The points of a match as far as it has come, and whether a board is missing."""
    if match.second is None:
        return "", False
    first, second, waiting = match_score(tournament, round_, match)
    if len(waiting) == book_of(tournament).play.boards:
        return "", True
    return f"{points_text(first)} : {points_text(second)}", bool(waiting)
