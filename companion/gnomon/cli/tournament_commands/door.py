"""Check entrants in at the door and keep the till: the commands `check-in` and `payment`."""

from typing import Final

import click

from gnomon.cli._files import write_json
from gnomon.cli._tables import TextColumn, table
from gnomon.cli.tournament_commands._boards import say_event
from gnomon.cli.tournament_commands._event_log import Desk, as_json, print_lines, tell_command, why_option
from gnomon.cli.words import command_words
from gnomon.tournament.events import CheckInWithdrawn, EntrantCheckedIn, PaymentNoted
from gnomon.tournament.payments import amount_text, parse_amount, till
from gnomon.tournament.state import Tournament


@click.command("check-in")
@click.argument("numbers", metavar="[NUMBER]...", type=int, nargs=-1)
@tell_command
@click.option("--since", type=int, help="The first round they play; by default the next.")
@click.option("--undo", is_flag=True, help="They are not there, after all.")
@why_option
@as_json
def check_in(  # noqa: PLR0913 - what there is to say of them
    *, numbers: tuple[int, ...], desk: Desk, since: int | None, undo: bool, why: str, as_json: bool
) -> None:
    """Check entrants in, or list those who are missing.

    Who is not checked in is not paired, if the tournament asks for it (`settings --check-in yes`). Whoever comes
    late plays from the next round on.
    """
    tournament = desk.look()
    if numbers:
        coming = since or tournament.next_round
        events = [CheckInWithdrawn(one) if undo else EntrantCheckedIn(one, coming) for one in numbers]
        tournament = desk.tell(*events, why=why)
        if not as_json:
            print_lines([say_event(tournament, event) for event in events])
    if as_json:
        write_json({"checked_in": dict(tournament.checked_in), "missing": list(tournament.missing)})
        return
    words, missing = command_words(), tournament.missing
    if not tournament.settings.check_in:
        click.echo(words("cli.tournament.check_in.off"))
    elif not missing:
        click.echo(words("cli.tournament.check_in.all", number=len(tournament.checked_in)))
    else:
        click.echo(words.plural("cli.tournament.check_in.missing", len(missing), round=tournament.next_round))
        print_lines([f"  {tournament.label_of(number)}" for number in missing])


@click.command()
@click.argument("numbers", metavar="[NUMBER]...", type=int, nargs=-1)
@tell_command
@click.option("--all", "everybody", is_flag=True, help="Of everybody for whom nothing is noted yet.")
@click.option("--owed", metavar="AMOUNT", help="What they owe.")
@click.option("--paid", metavar="AMOUNT", help="What they have paid so far; `all` for what they owe.")
@click.option("--note", help="A remark, such as member.")
@why_option
@as_json
def payment(  # noqa: PLR0913 - what there is to say of a payment
    *,
    numbers: tuple[int, ...],
    desk: Desk,
    everybody: bool,
    owed: str | None,
    paid: str | None,
    note: str | None,
    why: str,
    as_json: bool,
) -> None:
    """Note what entrants owe and have paid, or list it for the till.

    What you do not name stays as it is. No page or sheet for the public shows it.
    """
    tournament = desk.look()
    chosen = [one for one in tournament.entrants if one not in tournament.payments] if everybody else list(numbers)
    events = [_payment_event(tournament, number, owed, paid, note) for number in chosen]
    if events:
        tournament = desk.tell(*events, why=why)
    if as_json:
        write_json(_till_value(tournament))
    elif chosen and not everybody:
        print_lines([say_event(tournament, event) for event in events])
    else:
        _show_till(tournament)


def _payment_event(
    tournament: Tournament, number: int, owed: str | None, paid: str | None, note: str | None
) -> PaymentNoted:
    tournament.entrant(number)
    was = tournament.payment(number)
    owes = was.owed if owed is None else parse_amount(owed)
    has_paid = was.paid if paid is None else owes if paid == "all" else parse_amount(paid)
    return PaymentNoted(number, type(was)(owes, has_paid, was.note if note is None else note))


def _till_value(tournament: Tournament) -> dict[str, object]:
    sums = till(tournament.payments.values())
    return {
        "entrants": [
            {"number": number, "name": tournament.entrants[number].name, **_payment_value(tournament, number)}
            for number in sorted(tournament.payments)
        ],
        "owed": amount_text(sums.owed),
        "paid": amount_text(sums.paid),
        "due": amount_text(sums.due),
    }


def _payment_value(tournament: Tournament, number: int) -> dict[str, str]:
    one = tournament.payment(number)
    return {"owed": amount_text(one.owed), "paid": amount_text(one.paid), "due": amount_text(one.due), "note": one.note}


def _show_till(tournament: Tournament) -> None:
    words = command_words()
    columns = (
        TextColumn(words("sheet.no"), right=True),
        TextColumn(words("sheet.name"), gives=True),
        *(TextColumn(words(f"cli.tournament.till.{what}"), right=True) for what in ("owed", "paid", "due")),
        TextColumn(words("cli.tournament.remarks"), gives=True),
    )
    rows = [
        (str(number), tournament.entrants[number].name, *_payment_value(tournament, number).values())
        for number in sorted(tournament.payments)
    ]
    print_lines(list(table(columns, rows)))
    owed, paid, due = map(amount_text, till(tournament.payments.values()))
    click.echo(words("cli.tournament.till", owed=owed, paid=paid, due=due))


COMMANDS: Final = {"check-in": check_in, "payment": payment}
