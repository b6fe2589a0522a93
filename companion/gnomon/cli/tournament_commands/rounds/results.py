"""Enter and correct the results of a round: the commands `result` and `correct`."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import click

from gnomon.cli import localized
from gnomon.cli.tournament_commands._boards import place_lines, say_event
from gnomon.cli.tournament_commands._event_log import Desk, because, print_lines, tell_command, why_option
from gnomon.cli.tournament_commands._matches import match_line
from gnomon.cli.words import command_words
from gnomon.numbers import parse_whole
from gnomon.refusals import statement
from gnomon.tournament.errors import TournamentError, quote
from gnomon.tournament.events import ResultCorrected, ResultEntered, ResultWithdrawn
from gnomon.tournament.formats.tables.entrants import MOST_NUMBER
from gnomon.tournament.state import Tournament
from gnomon.tournament.state.notation import boards_text
from gnomon.tournament.state.results import Result, format_result, parse_result
from gnomon.tournament.teams.matches import book_of

# A forfeit, such as -/+, begins like an option and is none.
_WORDS: Final = {"ignore_unknown_options": True}
_BOTH_LOST: Final = "00"
"""0-0 as arbiters type it on the page; no board has this number."""


@localized.command(context_settings=_WORDS, help="command.tournament.result")
@localized.argument("words", metavar="BOARD RESULT...", nargs=-1, required=True)
@tell_command
@localized.option("--round", "in_round", type=int, help="option.tournament.result.round")
@why_option
def result(words: tuple[str, ...], desk: Desk, in_round: int | None, why: str) -> None:
    """Enter results of the round being played."""
    tournament = desk.look()
    number = len(tournament.rounds) if in_round is None else in_round
    events = [ResultEntered(number, board, told) for board, told in _boards(words)]
    after = desk.tell(*events, why=why)
    print_lines(list(_result_lines(after, events, tournament.round(number).results if tournament.rounds else {})))
    if after.teams is not None:
        print_lines(list(_matches(after, [event.board for event in events])))
    click.echo(_to_come(after))


@localized.command(context_settings=_WORDS, help="command.tournament.correct")
@localized.argument("board", type=int)
@localized.argument("words", metavar="RESULT...", nargs=-1, required=True)
@tell_command
@localized.option("--round", "in_round", type=int, help="option.tournament.places.round")
@because
def correct(*, board: int, words: tuple[str, ...], desk: Desk, in_round: int | None, why: str) -> None:
    """Correct the result of a BOARD, in any round."""
    tournament = desk.look()
    number = len(tournament.rounds) if in_round is None else in_round
    before = format_result(tournament.round(number).results.get(board, ()) if tournament.rounds else ())
    if words == ("none",):
        after = desk.tell(ResultWithdrawn(number, board, why))
        click.echo(command_words()("cli.tournament.no_result", round=number, board=board, before=before))
    else:
        result = parse_result(" ".join(words))
        after = desk.tell(ResultCorrected(number, board, result, why))
        what = say_event(after, ResultEntered(number, board, result))
        click.echo(command_words()("cli.tournament.was", what=what, before=before))
    if number < len(after.rounds):
        print_lines(list(_consequences(tournament, after, number)))
    if number == len(after.rounds) or after.open_rounds:
        click.echo(_to_come(after))


def _consequences(before: Tournament, after: Tournament, number: int) -> Iterator[str]:
    """What follows from a correction of a round after which others were paired: they stay, and places change."""
    words = command_words()
    yield words("cli.tournament.rounds_stay", number=number)
    yield from place_lines(before, after)


def _result_lines(after: Tournament, events: Sequence[ResultEntered], earlier: Mapping[int, Result]) -> Iterator[str]:
    """What was entered, and which other result a board had before."""
    known = dict(earlier)
    for event in events:
        what, was = say_event(after, event), known.get(event.board, event.result)
        known[event.board] = event.result
        changes = was != event.result
        yield command_words()("cli.tournament.was", what=what, before=format_result(was)) if changes else what


def _boards(words: tuple[str, ...]) -> Iterator[tuple[int, Result]]:
    """The boards that are told, each with its result. Raises TournamentError where one of the two is missing."""
    board, told = "", list[str]()
    for word in (*words, ""):
        if word == _BOTH_LOST or (word and not word.isdecimal()):
            told.append("0-0" if word == _BOTH_LOST else word)
            continue
        if board:
            number = parse_whole(board, MOST_NUMBER)
            if number is None:
                raise TournamentError(statement("cli.tournament.no_board", text=quote(board)))
            if not told:
                raise TournamentError(statement("cli.tournament.no_result_told", board=number))
            yield number, parse_result(" ".join(told))
        elif told:
            raise TournamentError(statement("cli.tournament.no_board_told", text=told[0]))
        board, told = word, []


def _matches(tournament: Tournament, boards: Sequence[int]) -> Iterator[str]:
    """How the matches of some boards stand."""
    book, round_ = book_of(tournament), tournament.rounds[-1]
    told = {book.play.place_of(board)[0] for board in boards}
    for match in book.matches.rounds[-1].pairings:
        if match.board in told:
            yield match_line(tournament, round_, match)


def _to_come(tournament: Tournament) -> str:
    number, words = len(tournament.rounds), command_words()
    if tournament.open_rounds:
        return "\n".join(
            words("cli.tournament.waits", number=round_.number, boards=boards_text(round_.waiting))
            for round_ in tournament.open_rounds
        )
    is_last = number == tournament.settings.rounds
    return words("cli.tournament.complete.last" if is_last else "cli.tournament.complete", number=number)


COMMANDS: Final = {"result": result, "correct": correct}
