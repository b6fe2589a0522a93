"""Enter and correct the results of a round: the commands `result` and `correct`."""

from collections.abc import Iterator
from typing import Final

import click

from gnomon.cli.tournament_commands._boards import match_line
from gnomon.cli.tournament_commands._event_log import Desk, because, print_lines, tell_command, why_option
from gnomon.numbers import parse_whole
from gnomon.tournament.errors import TournamentError, quote
from gnomon.tournament.events import ResultCorrected, ResultEntered, ResultWithdrawn
from gnomon.tournament.notation import boards_text
from gnomon.tournament.results import Result, format_result, parse_result
from gnomon.tournament.state import Tournament
from gnomon.tournament.tables.entrants import MOST_NUMBER

# A forfeit, such as -/+, begins like an option and is none.
_WORDS: Final = {"ignore_unknown_options": True}


@click.command(context_settings=_WORDS)
@click.argument("words", metavar="BOARD RESULT...", nargs=-1, required=True)
@tell_command
@why_option
def result(words: tuple[str, ...], desk: Desk, why: str) -> None:
    """Enter results of the round being played.

    `3 1-0` is the result of board 3; several boards at once are `3 1-0 4 = 5 -/+`.

    1-0, 0-1, ½-½ (or =), 0-0 are played; +/-, -/+ and -/- are forfeits. With two games in a round there are two for
    each board. If you enter a board again, its last result counts.
    """
    tournament = desk.look()
    number = len(tournament.rounds)
    events = [ResultEntered(number, board, told) for board, told in _boards(words)]
    after = desk.tell(*events, why=why)
    print_lines([_line(after, number, event.board) for event in events])
    click.echo(_to_come(after))


@click.command(context_settings=_WORDS)
@click.argument("board", type=int)
@click.argument("words", metavar="RESULT...", nargs=-1, required=True)
@tell_command
@click.option("--round", "in_round", type=int, help="Which round; by default the one being played.")
@because
def correct(*, board: int, words: tuple[str, ...], desk: Desk, in_round: int | None, why: str) -> None:
    """Correct the result of a BOARD, in any round.

    `none` takes it back while the round is being played.
    """
    tournament = desk.look()
    number = len(tournament.rounds) if in_round is None else in_round
    was = tournament.round(number).results.get(board, ()) if tournament.rounds else ()
    if words == ("none",):
        after = desk.tell(ResultWithdrawn(number, board, why))
        click.echo(f"round {number}, board {board} has no result any more (was {format_result(was)})")
    else:
        after = desk.tell(ResultCorrected(number, board, parse_result(" ".join(words)), why))
        click.echo(f"{_line(after, number, board)} (was {format_result(was)})")
    click.echo(_to_come(after))


def _boards(words: tuple[str, ...]) -> Iterator[tuple[int, Result]]:
    """The boards that are told, each with its result. Raises TournamentError where one of the two is missing."""
    board, told = "", list[str]()
    for word in (*words, ""):
        if word and not word.isdecimal():
            told.append(word)
            continue
        if board:
            number = parse_whole(board, MOST_NUMBER)
            if number is None:
                message = f"there is no board {quote(board)}: name one that was published"
                raise TournamentError(message)
            yield number, parse_result(" ".join(told))
        elif told:
            message = f"{told[0]} is told of no board: write the board before its result, as in 3 1-0"
            raise TournamentError(message)
        board, told = word, []


def _line(tournament: Tournament, in_round: int, board: int) -> str:
    round_ = tournament.round(in_round)
    players, result = match_line(tournament, round_.at(board)), format_result(round_.results[board])
    return f"round {in_round}, board {board}: {players}  {result}"


def _to_come(tournament: Tournament) -> str:
    number = len(tournament.rounds)
    if tournament.waiting:
        return f"round {number} waits for board {boards_text(tournament.waiting)}"
    if number == tournament.settings.rounds:
        return f"round {number} is complete, the last"
    return f"round {number} is complete"


COMMANDS: Final = {"result": result, "correct": correct}
