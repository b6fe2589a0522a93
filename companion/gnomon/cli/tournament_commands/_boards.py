"""Format the boards of a round as text tables and its events as lines, in the language of the run."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from gnomon.cli._tables import TextColumn, table
from gnomon.cli.tournament_commands._matches import match_lines
from gnomon.cli.words import command_words, say
from gnomon.refusals import Statement, statement
from gnomon.tournament.event_log.descriptions import describe_event, describe_match
from gnomon.tournament.events import Event
from gnomon.tournament.standings.crosstables import points_before
from gnomon.tournament.state import Tournament
from gnomon.tournament.state.results import Result, format_result
from gnomon.tournament.state.rounds import Pairing, Round
from gnomon.tournament.strength.stones import handicaps
from gnomon.tournament.teams.matches import source_of
from gnomon.tournament.teams.seating import seat_players
from gnomon.words import Words

_NOBODY: Final = statement("cli.tournament.nobody")


def board_lines(
    tournament: Tournament, in_round: int, pairings: Sequence[Pairing], results: Mapping[int, Result]
) -> Iterator[str]:
    """The boards in their order, with the points that everybody had before the round; of teams their matches."""
    if tournament.teams is not None:
        boards = seat_players(tournament, in_round, pairings)
        return match_lines(tournament, Round(in_round, boards, results), pairings)
    points = points_before(tournament, in_round)
    stones = handicaps(tournament, in_round, pairings)
    words = command_words()
    rows = [
        (
            str(pairing.board),
            *((str(stones.get(pairing.board, "")),) if stones else ()),
            *_seat(tournament, points, pairing.first),
            *(("", words("sheet.bye"), "") if pairing.second is None else _seat(tournament, points, pairing.second)),
            format_result(results[pairing.board]) if pairing.board in results else "",
        )
        for pairing in sorted(pairings)
    ]
    return table(_board_columns(words, stones=bool(stones)), rows)


def round_lines(tournament: Tournament, round_: Round) -> Iterator[str]:
    """A round that is published, as `board_lines` has it."""
    if tournament.teams is not None:
        return match_lines(tournament, round_, tournament.teams.matches.round(round_.number).pairings)
    return board_lines(tournament, round_.number, round_.pairings, round_.results)


def name_lines(tournament: Tournament, pairings: Sequence[Pairing]) -> Iterator[str]:
    """Everybody by name, and at which board they find whom."""
    words = command_words()
    sides = words("sheet.side.first"), words("sheet.side.second")
    seats = [
        (tournament.entrants[one].name, str(pairing.board), sides[one != pairing.first], other)
        for pairing in pairings
        for one, other in _opponents(tournament, pairing, words)
    ]
    columns = (
        TextColumn(words("sheet.name"), gives=True),
        TextColumn(words("sheet.board"), right=True),
        TextColumn(words("sheet.side")),
        TextColumn(words("sheet.against"), gives=True),
    )
    return table(columns, sorted(seats, key=lambda seat: seat[0].casefold()))


def difference_lines(tournament: Tournament, before: Sequence[Pairing], now: Sequence[Pairing]) -> Iterator[str]:
    """The boards at which others sit than before, and the boards that are no more."""
    was = {pairing.board: pairing for pairing in before}
    for pairing in now:
        old = was.pop(pairing.board, None)
        if old != pairing:
            meant = _NOBODY if old is None else describe_match(old, tournament.entrants)
            yield _difference(tournament, pairing.board, describe_match(pairing, tournament.entrants), meant)
    for pairing in was.values():
        yield _difference(tournament, pairing.board, _NOBODY, describe_match(pairing, tournament.entrants))


def say_event(after: Tournament, event: Event) -> str:
    """What happened, and the reason where the event has one; `after` is the tournament since then."""
    return say(describe_event(event, after.entrants, after))


def _board_columns(words: Words, *, stones: bool) -> tuple[TextColumn, ...]:
    def seat(title: str) -> tuple[TextColumn, ...]:
        number, points = TextColumn(words("sheet.no"), right=True), TextColumn(words("sheet.points"), right=True)
        return number, TextColumn(words(title), gives=True), points

    board, result = TextColumn(words("sheet.board"), right=True), TextColumn(words("sheet.result"))
    given = (TextColumn(words("sheet.stones"), right=True),) if stones else ()
    return board, *given, *seat("sheet.moves_first"), *seat("sheet.moves_second"), result


def _difference(tournament: Tournament, board: int, now: Statement, before: Statement) -> str:
    if source_of(tournament) is not None:
        return say(statement("cli.tournament.difference.match", match=board, now=now, before=before))
    return say(statement("cli.tournament.difference", board=board, now=now, before=before))


def _opponents(tournament: Tournament, pairing: Pairing, words: Words) -> Iterator[tuple[int, str]]:
    if pairing.second is None:
        yield pairing.first, words("sheet.bye")
        return
    yield pairing.first, tournament.entrants[pairing.second].name
    yield pairing.second, tournament.entrants[pairing.first].name


def _seat(tournament: Tournament, points: Mapping[int, str], number: int) -> tuple[str, str, str]:
    return str(number), tournament.entrants[number].name, points[number]
