"""Order entrants who are level after all tie-breaks, by lot or by decision: the commands `lot` and `order`."""

from typing import Final

import click

from gnomon.cli import localized
from gnomon.cli.tournament_commands._boards import say_event
from gnomon.cli.tournament_commands._event_log import Desk, because, tell_command, why_option
from gnomon.tournament.events import LotDrawn, OrderDecided
from gnomon.tournament.standings import check_order


@localized.command(help="command.tournament.lot")
@localized.argument("numbers", metavar="NUMBER...", type=int, nargs=-1, required=True)
@tell_command
@why_option
def lot(numbers: tuple[int, ...], desk: Desk, why: str) -> None:
    """Enter the order that a drawing of lots gave tied entrants."""
    event = LotDrawn(numbers)
    check_order(desk.look(), event)
    click.echo(say_event(desk.tell(event, why=why), event))


@localized.command(help="command.tournament.order")
@localized.argument("numbers", metavar="NUMBER...", type=int, nargs=-1, required=True)
@tell_command
@because
def order(numbers: tuple[int, ...], desk: Desk, why: str) -> None:
    """Decide the order of tied entrants."""
    event = OrderDecided(numbers, why)
    check_order(desk.look(), event)
    click.echo(say_event(desk.tell(event), event))


COMMANDS: Final = {"lot": lot, "order": order}
