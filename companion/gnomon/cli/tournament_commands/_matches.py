"""Format the matches of a round as text, each with its boards, and the score of a match as a line."""

from collections.abc import Iterator, Mapping, Sequence

from gnomon.cli._tables import TextColumn, table
from gnomon.cli.words import command_words
from gnomon.refusals import clause
from gnomon.tournament.standings.crosstables import points_before
from gnomon.tournament.state import Tournament
from gnomon.tournament.state.notation import points_text
from gnomon.tournament.state.results import Result, format_result
from gnomon.tournament.state.rounds import Pairing, Round
from gnomon.tournament.teams.matches import book_of, describe_verdict, match_score, team_view


def match_lines(tournament: Tournament, round_: Round, matches: Sequence[Pairing]) -> Iterator[str]:
    """The matches in their order, with the points that each team had before, and who sits at their boards."""
    words, play = command_words(), book_of(tournament).play
    points = points_before(team_view(tournament), round_.number)
    ordered = sorted(round_.pairings)
    head, *lines = table(
        (
            TextColumn(words("sheet.board"), right=True),
            TextColumn(words("sheet.no"), right=True),
            TextColumn(words("sheet.moves_first"), gives=True),
            TextColumn(words("sheet.team"), gives=True),
            TextColumn(words("sheet.no"), right=True),
            TextColumn(words("sheet.moves_second"), gives=True),
            TextColumn(words("sheet.team"), gives=True),
            TextColumn(words("sheet.result")),
        ),
        [_row(tournament, pairing, round_.results) for pairing in ordered],
    )
    at = {pairing.board: line for pairing, line in zip(ordered, lines, strict=True)}
    for match in sorted(matches):
        yield match_line(tournament, round_, match, points)
        rows = [at[board] for board in play.boards_of(match.board) if board in at]
        yield from [head, *rows] if rows else []


def match_line(tournament: Tournament, round_: Round, match: Pairing, points: Mapping[int, str] | None = None) -> str:
    """Who meets whom, and how it stands; with the points that both had before, where they are given."""
    words, book = command_words(), book_of(tournament)
    one, *other = (_team(book.matches, number, points) for number in match.entrants)
    if not other:
        return words("cli.tournament.match.bye", match=match.board, team=one)
    score = match_score(tournament, round_, match)
    line = words("cli.tournament.match", match=match.board, one=one, other=other[0])
    if len(score.waiting) == book.play.boards:
        return line
    told = f"{line}  {points_text(score.first)}–{points_text(score.second)}"
    if score.waiting:
        return f"{told} …"
    goes_on = describe_verdict(tournament, round_, match)
    return told if goes_on is None else f"{told}  {clause(goes_on, words)}"


def _team(teams: Tournament, number: int, points: Mapping[int, str] | None) -> str:
    label = teams.label_of(number)
    return label if points is None else f"{label} ({points[number]})"


def _row(tournament: Tournament, pairing: Pairing, results: Mapping[int, Result]) -> tuple[str, ...]:
    nobody = ("", command_words()("cli.tournament.nobody"), "")
    second = nobody if pairing.second is None else _seat(tournament, pairing.second)
    result = format_result(results[pairing.board]) if pairing.board in results else ""
    return (str(pairing.board), *_seat(tournament, pairing.first), *second, result)


def _seat(tournament: Tournament, number: int) -> tuple[str, str, str]:
    one = tournament.entrants[number]
    return str(number), one.name, one.team
