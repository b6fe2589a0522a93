"""Show the event log, undo events and repair a file torn by a power cut (`log`, `undo`, `mend`)."""

from collections.abc import Iterator, Sequence
from typing import Final

import click

from gnomon.cli import localized
from gnomon.cli._files import write_json
from gnomon.cli._tables import hanging_lines
from gnomon.cli.tournament_commands._boards import say_event
from gnomon.cli.tournament_commands._event_log import Desk, as_json, because, print_lines, read_command, tell_command
from gnomon.cli.words import CommandRefusedError, command_words
from gnomon.hall.rounds.event_log_file import FileBook
from gnomon.refusals import statement
from gnomon.tournament.event_log.codec import LoggedEvent, told_value
from gnomon.tournament.event_log.descriptions import reason_of
from gnomon.tournament.event_log.reducer import open_tournament, step
from gnomon.tournament.event_log.undo import undo_events
from gnomon.tournament.state import Tournament

_MINUTE: Final = len("2026-11-20 18:30")


@localized.command(help="command.tournament.log")
@read_command
@localized.option("--last", type=click.IntRange(1), metavar="NUMBER", help="option.tournament.last")
@as_json
def log(*, desk: Desk, last: int | None, as_json: bool) -> None:
    """List every event: when, by whom, what, and why."""
    desk.look()
    told = desk.book.read()
    shown = told[-last:] if last else told
    if as_json:
        write_json([told_value(each) for each in shown])
        return
    who = max((len(each.who) for each in shown), default=0)
    print_lines(list(_lines(told, shown[0].number, who)))
    if desk.kept.seal:
        click.echo(command_words()("cli.tournament.seal", number=len(told), seal=desk.kept.seal))


@localized.command(help="command.tournament.undo")
@localized.argument("number", type=int, required=False)
@tell_command
@because
def undo(number: int | None, desk: Desk, why: str) -> None:
    """Undo an event of the log, the last one by default."""
    desk.look()
    told = desk.book.read()
    chosen = len(told) if number is None else number
    events = undo_events(told, chosen, why)
    after = desk.tell(*events, why="" if hasattr(events[0], "reason") else why)
    what = "; ".join(say_event(after, event) for event in events)
    click.echo(command_words()("cli.tournament.undone", number=chosen, by=len(told) + 1, what=what))


@localized.command(help="command.tournament.mend")
@read_command
def mend(*, desk: Desk) -> None:
    """Set aside the torn last line that a power cut left."""
    if not isinstance(desk.book, FileBook):
        raise CommandRefusedError(statement("cli.tournament.mend.database", called=desk.kept.called))
    aside = desk.book.mend()
    count = len(desk.book.read())
    path = desk.book.path
    words = command_words()
    if aside is None:
        click.echo(words("cli.tournament.mend.whole", file=path, number=count))
    else:
        click.echo(words("cli.tournament.mend.torn", file=path, number=count, aside=aside))


def _lines(told: Sequence[LoggedEvent], first: int, who: int) -> Iterator[str]:
    tournament: Tournament | None = None
    digits = len(str(len(told)))
    for each in told:
        tournament = open_tournament(each.event) if tournament is None else step(tournament, each.event)
        if each.number >= first:
            at = each.at_wall[:_MINUTE].replace("T", " ")
            head = f"{each.number:>{digits}}  {at}  {each.who:<{who}}  "
            why = f" – {each.why}" if each.why not in {"", reason_of(each.event)} else ""
            yield from hanging_lines(head, f"{say_event(tournament, each.event)}{why}")


COMMANDS: Final = {"log": log, "undo": undo, "mend": mend}
