"""Format the boards of a round as text tables: players, points before the round, results and changes."""

from collections.abc import Iterator, Mapping, Sequence

from gnomon.cli.tournament_commands._tables import TextColumn, table
from gnomon.tournament.crosstables import as_of
from gnomon.tournament.notation import points_text
from gnomon.tournament.results import Result, format_result
from gnomon.tournament.rounds import Pairing
from gnomon.tournament.standings import field_of
from gnomon.tournament.state import Tournament

_COLUMNS = (
    TextColumn("Board", right=True),
    TextColumn("No", right=True),
    TextColumn("Moves first", gives=True),
    TextColumn("Pts", right=True),
    TextColumn("No", right=True),
    TextColumn("Moves second", gives=True),
    TextColumn("Pts", right=True),
    TextColumn("Result"),
)


def board_lines(
    tournament: Tournament, in_round: int, pairings: Sequence[Pairing], results: Mapping[int, Result]
) -> Iterator[str]:
    """The boards in their order, with the points that everybody had before the round."""
    points = points_before(tournament, in_round)
    rows = [
        (
            str(pairing.board),
            *_seat(tournament, points, pairing.first),
            *(("", "bye", "") if pairing.second is None else _seat(tournament, points, pairing.second)),
            format_result(results[pairing.board]) if pairing.board in results else "",
        )
        for pairing in sorted(pairings)
    ]
    return table(_COLUMNS, rows)


def name_lines(tournament: Tournament, pairings: Sequence[Pairing]) -> Iterator[str]:
    """Everybody by name, and at which board they find whom."""
    seats = [
        (tournament.entrants[one].name, str(pairing.board), "first" if one == pairing.first else "second", other)
        for pairing in pairings
        for one, other in _opponents(tournament, pairing)
    ]
    columns = (
        TextColumn("Name", gives=True),
        TextColumn("Board", right=True),
        TextColumn("Moves"),
        TextColumn("Against", gives=True),
    )
    return table(columns, sorted(seats, key=lambda seat: seat[0].casefold()))


def difference_lines(tournament: Tournament, before: Sequence[Pairing], now: Sequence[Pairing]) -> Iterator[str]:
    """The boards at which others sit than before, and the boards that are no more."""
    was = {pairing.board: pairing for pairing in before}
    for pairing in now:
        old = was.pop(pairing.board, None)
        if old != pairing:
            meant = "nobody" if old is None else match_line(tournament, old)
            yield f"board {pairing.board}: {match_line(tournament, pairing)} (was {meant})"
    for pairing in was.values():
        yield f"board {pairing.board}: nobody (was {match_line(tournament, pairing)})"


def match_line(tournament: Tournament, pairing: Pairing) -> str:
    """Who meets whom, with their numbers."""
    return " – ".join(tournament.label_of(number) for number in pairing.entrants) + (
        " has the bye" if pairing.second is None else ""
    )


def points_before(tournament: Tournament, in_round: int) -> Mapping[int, str]:
    """The points of everybody when a round begins."""
    field = field_of(as_of(tournament, in_round - 1))
    return {number: points_text(field.total(number)) for number in tournament.entrants}


def _opponents(tournament: Tournament, pairing: Pairing) -> Iterator[tuple[int, str]]:
    if pairing.second is None:
        yield pairing.first, "bye"
        return
    yield pairing.first, tournament.entrants[pairing.second].name
    yield pairing.second, tournament.entrants[pairing.first].name


def _seat(tournament: Tournament, points: Mapping[int, str], number: int) -> tuple[str, str, str]:
    return str(number), tournament.entrants[number].name, points[number]
