"""Seat tables of three and four and enter their places: the commands `tables` and `places`."""

from collections.abc import Iterator
from typing import Final

import click

from gnomon.cli import localized
from gnomon.cli._files import write_json
from gnomon.cli._tables import TextColumn, table
from gnomon.cli.tournament_commands._boards import say_event
from gnomon.cli.tournament_commands._event_log import Desk, as_json, print_lines, tell_command, why_option
from gnomon.cli.words import command_words
from gnomon.numbers import parse_whole
from gnomon.refusals import statement
from gnomon.tournament.errors import TournamentError
from gnomon.tournament.events import PlacesEntered, TablesSeated
from gnomon.tournament.formats.tables.entrants import MOST_NUMBER
from gnomon.tournament.pairing.multiplayer import seat_tables
from gnomon.tournament.pairing.readiness import ready
from gnomon.tournament.scoring.multiplayer import check_tables_are_played, order_text, place_points, places_of
from gnomon.tournament.state import Tournament
from gnomon.tournament.state.notation import boards_text, parse_tables, points_text
from gnomon.tournament.state.rounds import Round
from gnomon.web.sheets.rounds import round_heading


@localized.command(help="command.tournament.tables")
@localized.argument("what", metavar="[NUMBER | TABLE:SEAT-SEAT-SEAT...]", nargs=-1)
@tell_command
@localized.option("--publish", is_flag=True, help="option.tournament.publish")
@why_option
@as_json
def tables(*, what: tuple[str, ...], desk: Desk, publish: bool, why: str, as_json: bool) -> None:
    """Show who sits at which table of three or four."""
    tournament = desk.look()
    check_tables_are_played(tournament)
    number = _number(what) if not publish else None
    if publish:
        ready(tournament)
        seats = parse_tables(what) if what else seat_tables(tournament)
        tournament = desk.tell(TablesSeated(tournament.next_round, seats), why=why)
    preview = number is None and not publish and not tournament.waiting
    if preview:
        ready(tournament)
        round_ = Round(tournament.next_round, (), tables=seat_tables(tournament))
    else:
        round_ = tournament.round(len(tournament.rounds) if number is None else number)
    if as_json:
        write_json(tables_value(tournament, round_))
        return
    key = "cli.tournament.preview" if preview else "cli.tournament.published" if publish else "sheet.round.of"
    click.echo(round_heading(tournament.settings, round_.number, command_words(), key))
    print_lines(list(table_lines(tournament, round_)))


@localized.command(help="command.tournament.places")
@localized.argument("board", metavar="TABLE", type=int)
@localized.argument("order", metavar="NUMBER...", nargs=-1)
@tell_command
@localized.option("--round", "in_round", type=int, help="option.tournament.places.round")
@localized.option("--undo", is_flag=True, help="option.tournament.places.undo")
@why_option
def places(  # noqa: PLR0913 - what there is to say of a table
    *, board: int, order: tuple[str, ...], desk: Desk, in_round: int | None, undo: bool, why: str
) -> None:
    """Enter how a table ended, the best first."""
    tournament = desk.look()
    check_tables_are_played(tournament)
    number = len(tournament.rounds) if in_round is None else in_round
    seats = tournament.round(number).table(board)
    event = PlacesEntered(number, board, () if undo else places_of(seats, " ".join(order)), why)
    after = desk.tell(event)
    click.echo(say_event(after, event))
    if after.waiting:
        waits = boards_text(after.waiting)
        click.echo(command_words()("cli.tournament.waits", number=len(after.rounds), boards=waits))


def table_lines(tournament: Tournament, round_: Round) -> Iterator[str]:
    """The tables of a round: who sits where, and how they ended."""
    words = command_words()
    most = max(len(each.seats) for each in round_.tables)
    columns = (
        TextColumn(words("sheet.one_table"), right=True),
        *(TextColumn(words("sheet.seat", number=seat), gives=True) for seat in range(1, most + 1)),
        TextColumn(words("sheet.order")),
        TextColumn(words("sheet.points")),
    )
    rows = []
    for each in round_.tables:
        names = [tournament.label_of(number) for number in each.seats]
        told = round_.places.get(each.board)
        order = "" if told is None else order_text(each, told)
        points = () if told is None else place_points(tournament.settings, told)
        rows.append((str(each.board), *names, *[""] * (most - len(names)), order, " : ".join(map(points_text, points))))
    return table(columns, rows)


def tables_value(tournament: Tournament, round_: Round) -> dict[str, object]:
    """The tables of a round for programs."""
    return {
        "round": round_.number,
        "tables": [
            {
                "table": each.board,
                "seats": list(each.seats),
                "names": [tournament.entrants[number].name for number in each.seats],
                "places": list(round_.places.get(each.board, ())),
            }
            for each in round_.tables
        ],
    }


def _number(what: tuple[str, ...]) -> int | None:
    """The round that was named, if any. Raises TournamentError for tables, which only a round to publish has."""
    if not what:
        return None
    number = parse_whole(what[0], MOST_NUMBER)
    if number is None or len(what) > 1:
        raise TournamentError(statement("cli.tournament.tables_to_publish"))
    return number


COMMANDS: Final = {"tables": tables, "places": places}
