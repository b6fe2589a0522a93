"""Set until when results of a round may come in, and list what is overdue: the command `deadline`."""

import re
from typing import Final

import click

from gnomon.cli import localized
from gnomon.cli._files import write_json
from gnomon.cli._tables import TextColumn, table
from gnomon.cli.tournament_commands._boards import say_event
from gnomon.cli.tournament_commands._event_log import Desk, as_json, print_lines, tell_command, why_option
from gnomon.cli.words import command_words
from gnomon.hall.clock import timestamp
from gnomon.tournament.events import DeadlineSet
from gnomon.tournament.state import Tournament
from gnomon.tournament.state.deadlines import deadline_of, open_deadlines
from gnomon.tournament.state.notation import boards_text

_NONE: Final = "none"


@localized.command(help="command.tournament.deadline")
@localized.argument("number", metavar="[ROUND]", type=int, required=False)
@localized.argument("until", metavar="[WHEN]", required=False)
@tell_command
@why_option
@as_json
def deadline(*, number: int | None, until: str | None, desk: Desk, why: str, as_json: bool) -> None:
    """Say until WHEN results of a ROUND may come in."""
    tournament = desk.look()
    if number is not None and until is not None:
        event = DeadlineSet(number, "" if until == _NONE else deadline_of(until))
        tournament = desk.tell(event, why=why)
        click.echo(say_event(tournament, event))
        return
    now = re.sub("T", " ", timestamp(desk.kept.wall()))[: len("2026-12-01 20:00")]
    if as_json:
        write_json([{**one._asdict(), "boards": list(one.boards)} for one in open_deadlines(tournament, now)])
        return
    _show(tournament, now)


def _show(tournament: Tournament, now: str) -> None:
    words = command_words()
    columns = (
        TextColumn(words("sheet.round"), right=True),
        TextColumn(words("cli.tournament.deadline.until")),
        TextColumn(words("cli.tournament.deadline.boards")),
        TextColumn(words("cli.tournament.remarks"), gives=True),
    )
    rows = [
        (
            str(one.round),
            one.until,
            boards_text(one.boards),
            words("cli.tournament.deadline.overdue") if one.is_overdue else "",
        )
        for one in open_deadlines(tournament, now)
    ]
    print_lines(list(table(columns, rows)) if rows else [words("cli.tournament.deadline.none")])


COMMANDS: Final = {"deadline": deadline}
