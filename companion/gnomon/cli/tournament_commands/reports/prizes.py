"""Announce prizes and show who gets what: the command `prizes`."""

from pathlib import Path
from typing import Final

import click

from gnomon.cli import localized
from gnomon.cli._files import write_json
from gnomon.cli._tables import TextColumn, table
from gnomon.cli.tournament_commands._boards import say_event
from gnomon.cli.tournament_commands._event_log import Desk, as_json, print_lines, tell_command, why_option
from gnomon.cli.words import CommandRefusedError, command_words
from gnomon.refusals import statement, statement_of
from gnomon.tournament.events import PrizesAnnounced
from gnomon.tournament.formats.tables.csv import CsvError, decode
from gnomon.tournament.standings.awards import award_rows, awards, name_of
from gnomon.tournament.state import Tournament
from gnomon.tournament.state.payments import amount_text
from gnomon.tournament.state.prizes import Sharing, parse_prizes, prizes_text


@localized.command(help="command.tournament.prizes")
@tell_command
@localized.option("--announce", "source", metavar="FILE", help="option.tournament.announce")
@localized.option(
    "--sharing",
    type=click.Choice([sharing.value for sharing in Sharing]),
    default=Sharing.TIE_BREAK.value,
    show_default=True,
    help="option.tournament.sharing",
)
@localized.option("--one-each/--several", default=True, show_default=True, help="option.tournament.one_each")
@localized.option("--list", "listed", is_flag=True, help="option.tournament.prizes.list")
@why_option
@as_json
def prizes(  # noqa: PLR0913 - what there is to say of prizes
    *, desk: Desk, source: str | None, sharing: str, one_each: bool, listed: bool, why: str, as_json: bool
) -> None:
    """Show who wins which prizes as things stand, or announce them."""
    tournament = desk.look()
    if source is not None:
        event = PrizesAnnounced(parse_prizes(_content(source), Sharing(sharing), one_each=one_each))
        tournament = desk.tell(event, why=why)
        click.echo(say_event(tournament, event))
    elif listed:
        print_lines(prizes_text(tournament.prizes).splitlines())
    elif as_json:
        write_json(_awards_value(tournament))
    else:
        _show(tournament)


def _content(source: str) -> str:
    try:
        return decode(Path(source).read_bytes())
    except CsvError as error:
        raise CommandRefusedError(statement("cli.failed", file=source, why=statement_of(error))) from error
    except OSError as error:
        raise CommandRefusedError(statement("cli.unreadable", file=source, detail=error.strerror)) from error


def _awards_value(tournament: Tournament) -> list[dict[str, object]]:
    return [
        {
            **award._asdict(),
            "name": name_of(tournament, award),
            "amount": amount_text(award.amount),
            "things": list(award.things),
            "prizes": list(award.prizes),
        }
        for award in awards(tournament)
    ]


def _show(tournament: Tournament) -> None:
    words = command_words()
    columns = (
        TextColumn(words("sheet.place"), right=True),
        TextColumn(words("sheet.no"), right=True),
        TextColumn(words("sheet.name"), gives=True),
        TextColumn(words("cli.tournament.prizes.prize"), gives=True),
        TextColumn(words("cli.tournament.prizes.amount"), right=True),
        TextColumn(words("cli.tournament.remarks"), gives=True),
    )
    rows = [tuple(str(cell or "") for cell in row) for row in award_rows(tournament)]
    print_lines(list(table(columns, rows)) if rows else [words("cli.tournament.prizes.none")])


COMMANDS: Final = {"prizes": prizes}
