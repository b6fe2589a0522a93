"""Register, edit, withdraw and list entrants, grant byes and forbid pairings."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import click

from gnomon.cli import localized
from gnomon.cli._files import write_json
from gnomon.cli._tables import TextColumn, table
from gnomon.cli.tournament_commands._boards import say_event
from gnomon.cli.tournament_commands._event_log import (
    Desk,
    as_json,
    namesake_option,
    print_lines,
    read_command,
    refuse_namesakes,
    tell_command,
    why_option,
)
from gnomon.cli.tournament_commands._json_views import entrants_value
from gnomon.cli.tournament_commands._rating_lists import filled_entries, list_options
from gnomon.cli.tournament_commands.setup.particulars import changed_person, of_person
from gnomon.cli.words import command_words, say
from gnomon.numbers import parse_whole
from gnomon.refusals import statement
from gnomon.tournament.errors import TournamentError, quote
from gnomon.tournament.events import (
    ByeGranted,
    ByeWithdrawn,
    EntrantCorrected,
    EntrantRegistered,
    EntrantReturned,
    EntrantWithdrew,
    Event,
    PairingAllowed,
    PairingProhibited,
    PersonTold,
    TeamReturned,
    TeamWithdrew,
)
from gnomon.tournament.formats.tables.entrants import MOST_RATING, is_name
from gnomon.tournament.state import Entrant, Tournament
from gnomon.tournament.state.particulars import NOBODY_KNOWN
from gnomon.tournament.state.settings import Bye
from gnomon.tournament.strength.grades import grade_text, is_grade, parse_grade, rating_or_least
from gnomon.tournament.teams.matches import as_shown

_SHOWN: Final = ("title", "federation", "club")
_a_team = localized.option("--team", "of_team", is_flag=True, help="option.tournament.number_of_team")
_BYES: Final = {"full": Bye.FULL, "half": Bye.HALF, "zero": Bye.ZERO}


@localized.command(help="command.tournament.add")
@localized.argument("names", metavar="NAME...", nargs=-1, required=True)
@tell_command
@localized.option("--rating", type=click.IntRange(0, MOST_RATING), help="option.tournament.add.rating")
@localized.option("--team", default="", help="option.tournament.add.team")
@localized.option("--number", type=int, help="option.tournament.add.number")
@localized.option("--since", type=int, help="option.tournament.check_in.since")
@namesake_option
@list_options
@of_person
@why_option
def add(  # noqa: PLR0913 - what there is to say of an entrant
    *,
    names: tuple[str, ...],
    desk: Desk,
    rating: int | None,
    team: str,
    number: int | None,
    since: int | None,
    namesake: bool,
    list_file: Path | None,
    list_kind: str,
    why: str,
    **known: str | None,
) -> None:
    """Register entrants, who play from the next round on."""
    _of_one(names, known)
    tournament = desk.look()
    first = number or max(tournament.entrants, default=0) + 1
    events = [
        EntrantRegistered(at, *parse_rating(name, rating), team, since or tournament.next_round)
        for at, name in enumerate(names, start=first)
    ]
    if not namesake:
        refuse_namesakes(tournament, events)
    person = changed_person(NOBODY_KNOWN, known)
    graded = [replace(person, title=grade or person.title) for grade in map(grade_in, names)]
    known_of = zip(events, graded, strict=True)
    persons = [PersonTold(event.number, one) for event, one in known_of if one != NOBODY_KNOWN]
    found = filled_entries(list_file, list_kind, events, persons)
    after = desk.tell(*found.registrations, *found.persons, why=why)
    words = command_words()
    print_lines([words("cli.tournament.added", who=after.label_of(event.number)) for event in events])


@localized.command(help="command.tournament.entrant")
@localized.argument("number", type=int)
@tell_command
@localized.option("--name", help="option.tournament.name")
@localized.option("--rating", type=click.IntRange(-1, 9_999), help="option.tournament.rating")
@localized.option("--team", help="option.tournament.entrant.team")
@of_person
@why_option
def entrant(  # noqa: PLR0913 - what there is to say of an entrant
    *,
    number: int,
    desk: Desk,
    name: str | None,
    rating: int | None,
    team: str | None,
    why: str,
    **known: str | None,
) -> None:
    """Correct the entry of entrant NUMBER."""
    tournament = desk.look()
    was, person = tournament.entrant(number), tournament.person(number)
    now = was._replace(
        name=was.name if name is None else name,
        rating=was.rating if rating is None else None if rating < 0 else rating,
        team=was.team if team is None else team,
    )
    events: list[Event] = [EntrantCorrected(number, now.name, now.rating, now.team)]
    if any(text is not None for text in known.values()):
        told = PersonTold(number, changed_person(person, known))
        events = [told] if now == was else [*events, told]
    after = desk.tell(*events, why=why)
    print_lines([say_event(after, event) for event in events])


@localized.command(help="command.tournament.withdraw")
@localized.argument("number", type=int)
@tell_command
@localized.option("--since", type=int, help="option.tournament.withdraw.since")
@_a_team
@why_option
def withdraw(*, number: int, desk: Desk, since: int | None, of_team: bool, why: str) -> None:
    """Take entrant NUMBER out of all rounds to come."""
    tournament = desk.look()
    event = (TeamWithdrew if of_team else EntrantWithdrew)(number, since or tournament.next_round)
    click.echo(say_event(desk.tell(event, why=why), event))


@localized.command("return", help="command.tournament.return")
@localized.argument("number", type=int)
@tell_command
@_a_team
@why_option
def return_(number: int, desk: Desk, *, of_team: bool, why: str) -> None:
    """Let entrant NUMBER, who had withdrawn, play again."""
    desk.look()
    after = desk.tell((TeamReturned if of_team else EntrantReturned)(number), why=why)
    who = (as_shown(after) if of_team else after).label_of(number)
    click.echo(command_words()("cli.tournament.returns", who=who, round=after.next_round))


@localized.command(help="command.tournament.bye")
@localized.argument("number", type=int)
@localized.argument("worth", type=click.Choice([*_BYES, "none"]))
@tell_command
@localized.option("--round", "in_round", type=int, help="option.tournament.bye.round")
@why_option
def bye(number: int, worth: str, desk: Desk, in_round: int | None, why: str) -> None:
    """Grant entrant NUMBER a round off."""
    tournament = desk.look()
    chosen = in_round or tournament.next_round
    if worth == "none":
        after = desk.tell(ByeWithdrawn(number, chosen), why=why)
        click.echo(command_words()("cli.tournament.plays", who=as_shown(after).label_of(number), round=chosen))
    else:
        event = ByeGranted(number, chosen, _BYES[worth])
        click.echo(say_event(desk.tell(event, why=why), event))


@localized.command(help="command.tournament.apart")
@localized.argument("one", type=int)
@localized.argument("other", type=int)
@tell_command
@localized.option("--lift", is_flag=True, help="option.tournament.lift")
@why_option
def apart(*, one: int, other: int, desk: Desk, lift: bool, why: str) -> None:
    """Keep two entrants apart: they are never paired."""
    desk.look()
    event = (PairingAllowed if lift else PairingProhibited)(one, other)
    click.echo(say_event(desk.tell(event, why=why), event))


@localized.command(help="command.tournament.entrants")
@read_command
@as_json
def entrants(*, desk: Desk, as_json: bool) -> None:
    """List who takes part, the strongest first."""
    tournament = desk.look()
    if as_json:
        write_json(entrants_value(tournament))
        return
    shown = [thing for thing in _SHOWN if any(getattr(one, thing) for one in tournament.persons.values())]
    rows = [_row(tournament, tournament.entrants[number], shown) for number in tournament.seeds]
    words = command_words()
    columns = (
        TextColumn(words("sheet.no"), right=True),
        TextColumn(words("sheet.name"), gives=True),
        TextColumn(words("sheet.rating"), right=True),
        TextColumn(words("sheet.team"), gives=True),
        *(TextColumn(words(f"sheet.{thing}"), gives=thing == "club") for thing in shown),
        TextColumn(words("cli.tournament.remarks"), gives=True),
    )
    print_lines(list(table(columns, rows)))
    print_lines(list(_apart(as_shown(tournament))))
    playing = len(tournament.players(tournament.next_round))
    click.echo(words.plural("cli.tournament.count", len(rows), playing=playing, round=tournament.next_round))


def _of_one(names: tuple[str, ...], known: Mapping[str, str | None]) -> None:
    """Raise UsageError where several are told what only one can have."""
    told = next((thing for thing in ("fide_number", "born") if known[thing]), None)
    if told and len(names) > 1:
        raise localized.WrongUsageError(
            statement("usage.one_by_one", option=f"--{told.replace('_', '-')}", number=len(names))
        )


def parse_rating(text: str, rating: int | None) -> tuple[str, int | None]:
    """Name and rating of somebody who is added. Raises UsageError and TournamentError."""
    name, colon, told = text.rpartition(":")
    if colon and told.strip().isdecimal():
        found = parse_whole(told.strip(), MOST_RATING)
        if found is None:
            raise localized.WrongUsageError(statement("usage.no_rating", text=quote(told.strip()), most=MOST_RATING))
        return _quote(name), found
    if grade_in(text):
        return _quote(name), rating_or_least(parse_grade(told))
    return _quote(text), rating


def grade_in(text: str) -> str:
    """The grade of Go that is written behind a name, empty where there is none."""
    _, colon, told = text.rpartition(":")
    return grade_text(parse_grade(told)) if colon and is_grade(told) else ""


def _quote(name: str) -> str:
    if not is_name(name):
        raise TournamentError(statement("cli.tournament.entrant_name", text=quote(name)))
    return name


def _row(tournament: Tournament, one: Entrant, shown: Sequence[str]) -> tuple[str, ...]:
    rating = "" if one.rating is None else str(one.rating)
    known = (str(getattr(tournament.person(one.number), thing)) for thing in shown)
    return (str(one.number), one.name, rating, one.team, *known, ", ".join(_remarks(tournament, one)))


def _remarks(tournament: Tournament, one: Entrant) -> Iterator[str]:
    if one.since > 1:
        yield say(statement("tournament.log.since", round=one.since))
    for (number, in_round), granted in sorted(tournament.byes.items()):
        if number == one.number:
            yield say(statement("cli.tournament.remark.bye", bye=granted.value, round=in_round))
    if one.number in tournament.withdrawn:
        yield say(statement("cli.tournament.remark.out", round=tournament.withdrawn[one.number]))


def _apart(tournament: Tournament) -> Iterator[str]:
    for pair in sorted(map(sorted, tournament.prohibited)):
        one, other = map(tournament.label_of, pair)
        yield command_words()("cli.tournament.kept_apart", one=one, other=other)


COMMANDS: Final = {
    "add": add,
    "entrant": entrant,
    "withdraw": withdraw,
    "return": return_,
    "bye": bye,
    "apart": apart,
    "entrants": entrants,
}
