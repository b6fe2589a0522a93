"""Check entrants in at the door and keep the till: the commands `check-in` and `payment`."""

from typing import Final

import click

from gnomon.cli import localized
from gnomon.cli._files import write_json
from gnomon.cli._tables import TextColumn, table
from gnomon.cli.tournament_commands._boards import say_event
from gnomon.cli.tournament_commands._event_log import Desk, as_json, print_lines, tell_command, why_option
from gnomon.cli.words import command_words
from gnomon.tournament.events import CheckInWithdrawn, EntrantCheckedIn, PaymentNoted, TeamPaymentNoted
from gnomon.tournament.state import Tournament
from gnomon.tournament.state.payments import Payment, amount_text, parse_amount, till
from gnomon.tournament.teams.matches import all_payments, book_of


@localized.command("check-in", help="command.tournament.check_in")
@localized.argument("numbers", metavar="[NUMBER]...", type=int, nargs=-1)
@tell_command
@localized.option("--since", type=int, help="option.tournament.check_in.since")
@localized.option("--undo", is_flag=True, help="option.tournament.check_in.undo")
@why_option
@as_json
def check_in(  # noqa: PLR0913 - what there is to say of them
    *, numbers: tuple[int, ...], desk: Desk, since: int | None, undo: bool, why: str, as_json: bool
) -> None:
    """Check entrants in, or list those who are missing."""
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


@localized.command(help="command.tournament.payment")
@localized.argument("numbers", metavar="[NUMBER]...", type=int, nargs=-1)
@tell_command
@localized.option("--all", "everybody", is_flag=True, help="option.tournament.all")
@localized.option("--team", "of_team", is_flag=True, help="option.tournament.payment.team")
@localized.option("--owed", metavar="AMOUNT", help="option.tournament.owed")
@localized.option("--paid", metavar="AMOUNT", help="option.tournament.paid")
@localized.option("--note", help="option.tournament.note")
@why_option
@as_json
def payment(  # noqa: PLR0913 - what there is to say of a payment
    *,
    numbers: tuple[int, ...],
    desk: Desk,
    everybody: bool,
    of_team: bool,
    owed: str | None,
    paid: str | None,
    note: str | None,
    why: str,
    as_json: bool,
) -> None:
    """Note what is owed and has been paid, or list it for the till."""
    tournament = desk.look()
    payers = book_of(tournament).matches if of_team else tournament
    chosen = [one for one in payers.entrants if one not in payers.payments] if everybody else list(numbers)
    noted = [(number, _payment(payers, number, owed, paid, note)) for number in chosen]
    events = [TeamPaymentNoted(*one) if of_team else PaymentNoted(*one) for one in noted]
    if events:
        tournament = desk.tell(*events, why=why)
    if as_json:
        write_json(_till_value(tournament))
    elif chosen and not everybody:
        print_lines([say_event(tournament, event) for event in events])
    else:
        _show_till(tournament)


def _payment(payers: Tournament, number: int, owed: str | None, paid: str | None, note: str | None) -> Payment:
    payers.entrant(number)
    was = payers.payment(number)
    owes = was.owed if owed is None else parse_amount(owed)
    has_paid = was.paid if paid is None else owes if paid == "all" else parse_amount(paid)
    return Payment(owes, has_paid, was.note if note is None else note)


def _till_value(tournament: Tournament) -> dict[str, object]:
    sums = till(all_payments(tournament))
    teams = {} if tournament.teams is None else {"teams": _payments_value(tournament.teams.matches)}
    return {
        "entrants": _payments_value(tournament),
        **teams,
        "owed": amount_text(sums.owed),
        "paid": amount_text(sums.paid),
        "due": amount_text(sums.due),
    }


def _payments_value(payers: Tournament) -> list[dict[str, object]]:
    return [
        {"number": number, "name": payers.entrants[number].name, **_payment_value(payers, number)}
        for number in sorted(payers.payments)
    ]


def _payment_value(tournament: Tournament, number: int) -> dict[str, str]:
    one = tournament.payment(number)
    return {"owed": amount_text(one.owed), "paid": amount_text(one.paid), "due": amount_text(one.due), "note": one.note}


def _show_till(tournament: Tournament) -> None:
    words = command_words()
    if tournament.teams is not None and tournament.teams.matches.payments:
        _show_payments(tournament.teams.matches, "sheet.team")
    if tournament.payments or tournament.teams is None:
        _show_payments(tournament, "sheet.name")
    owed, paid, due = map(amount_text, till(all_payments(tournament)))
    click.echo(words("cli.tournament.till", owed=owed, paid=paid, due=due))


def _show_payments(payers: Tournament, who: str) -> None:
    words = command_words()
    columns = (
        TextColumn(words("sheet.no"), right=True),
        TextColumn(words(who), gives=True),
        *(TextColumn(words(f"cli.tournament.till.{what}"), right=True) for what in ("owed", "paid", "due")),
        TextColumn(words("cli.tournament.remarks"), gives=True),
    )
    rows = [
        (str(number), payers.entrants[number].name, *_payment_value(payers, number).values())
        for number in sorted(payers.payments)
    ]
    print_lines(list(table(columns, rows)))


COMMANDS: Final = {"check-in": check_in, "payment": payment}
