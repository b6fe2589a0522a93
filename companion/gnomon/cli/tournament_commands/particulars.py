"""Define the options for event and personal details, and the command `heading`."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any, Final

import click

from gnomon.cli._files import write_json
from gnomon.cli.tournament_commands._event_log import Desk, as_json, print_lines, tell_command, why_option
from gnomon.cli.words import command_words, say
from gnomon.tournament.errors import TournamentError
from gnomon.tournament.event_log.descriptions import describe_heading
from gnomon.tournament.events import HeadingTold
from gnomon.tournament.state.particulars import (
    READERS,
    PersonalData,
    check_heading,
    day_of,
    federation_of,
    line_of,
    round_day_of,
)

_Command = Callable[..., None]
_PERSON: Final[Mapping[str, str]] = {
    "title": "Their title, such as WGM or 5d.",
    "federation": "The federation they play for, in three letters.",
    "club": "Their club, if it is not their team.",
    "fide_number": "Their number in the federation's list of players.",
    "born": "The year or the day they were born; no sheet or page shows it.",
    "sex": "m or w; no sheet or page shows it.",
}


def _read_by(read: Callable[[str], str]) -> Callable[..., Any]:
    """What reads the value of an option, given once or several times."""

    def callback(_ctx: click.Context, _option: click.Parameter, value: str | Sequence[str] | None) -> object:
        try:
            if value is None or isinstance(value, str):
                return None if value is None else read(value)
            return tuple(map(read, value))
        except TournamentError as error:
            raise click.BadParameter(say(error)) from error

    return callback


def of_person(command: _Command) -> _Command:
    """A command with an option for each thing that is known of a person: None where it is not given."""
    for thing in reversed(list(_PERSON)):
        name = f"--{thing.replace('_', '-')}"
        command = click.option(name, thing, callback=_read_by(READERS[thing]), help=_PERSON[thing])(command)
    return command


def changed_person(was: PersonalData, given: Mapping[str, str | None]) -> PersonalData:
    """What is known of somebody with what the options say instead."""
    return replace(was, **{thing: text for thing, text in given.items() if text is not None})


def _line(*names: str, **more: Any) -> Callable[[_Command], _Command]:
    return click.option(*names, callback=_read_by(line_of), **more)


@click.command()
@tell_command
@_line("--city", help="Where it is.")
@click.option("--federation", callback=_read_by(federation_of), help="The federation of the place, in three letters.")
@click.option("--starts", metavar="DAY", callback=_read_by(day_of), help="The first day, such as 2026-11-20.")
@click.option("--ends", metavar="DAY", callback=_read_by(day_of), help="The last day.")
@click.option(
    "--day",
    "dates",
    metavar="DAY",
    multiple=True,
    callback=_read_by(round_day_of),
    help="The day of a round; may be repeated.",
)
@_line("--arbiter", metavar="NAME", help="The chief arbiter.")
@_line("--deputy", "deputies", metavar="NAME", multiple=True, help="Another arbiter; may be repeated.")
@_line("--time", help="The time control, in words.")
@_line("--encoded-time", help="The same as a federation's code, such as 40/5400+30:900+30.")
@_line("--kind", help="What a report file calls this kind of event; by default it follows from the system.")
@why_option
@as_json
def heading(*, desk: Desk, why: str, as_json: bool, **given: str | tuple[str, ...] | None) -> None:
    """Say where and when the event takes place, and who is in charge.

    What you do not name stays as it is, and an empty text removes it. Without options, show it. It is printed in the
    head of every sheet and written to report files.
    """
    tournament = desk.look()
    changes = _changes(given)
    if changes:
        now = check_heading(replace(tournament.heading, **changes), tournament.settings)
        tournament = desk.tell(HeadingTold(now), why=why)
    if as_json:
        value = asdict(tournament.heading)
        write_json({name: told for name, told in value.items() if name != "virtual"})
        return
    facts = [say(fact) for fact in describe_heading(tournament.heading)]
    print_lines(facts or [command_words()("cli.tournament.heading.none")])


def _changes(given: Mapping[str, str | tuple[str, ...] | None]) -> dict[str, Any]:
    """What the options say; of those that repeat, none is as much as not given."""
    told = {name: value for name, value in given.items() if value is not None and value != ()}
    return {name: tuple(filter(None, value)) if isinstance(value, tuple) else value for name, value in told.items()}


COMMANDS: Final = {"heading": heading}
