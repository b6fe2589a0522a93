"""Define the options for event and personal details, and the command `heading`."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any, Final

import click

from gnomon.cli import localized
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
_PERSON: Final = ("title", "federation", "club", "fide_number", "born", "sex")


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
    for thing in reversed(_PERSON):
        name = f"--{thing.replace('_', '-')}"
        command = localized.option(
            name, thing, callback=_read_by(READERS[thing]), help=f"option.tournament.person.{thing}"
        )(command)
    return command


def changed_person(was: PersonalData, given: Mapping[str, str | None]) -> PersonalData:
    """What is known of somebody with what the options say instead."""
    return replace(was, **{thing: text for thing, text in given.items() if text is not None})


def _line(*names: str, **more: Any) -> Callable[[_Command], _Command]:
    return localized.option(*names, callback=_read_by(line_of), **more)


@localized.command(help="command.tournament.heading")
@tell_command
@_line("--city", help="option.tournament.city")
@localized.option("--federation", callback=_read_by(federation_of), help="option.tournament.federation")
@localized.option("--starts", metavar="DAY", callback=_read_by(day_of), help="option.tournament.starts")
@localized.option("--ends", metavar="DAY", callback=_read_by(day_of), help="option.tournament.ends")
@localized.option(
    "--day",
    "dates",
    metavar="DAY",
    multiple=True,
    callback=_read_by(round_day_of),
    help="option.tournament.day",
)
@_line("--arbiter", metavar="NAME", help="option.tournament.arbiter")
@_line("--deputy", "deputies", metavar="NAME", multiple=True, help="option.tournament.deputy")
@_line("--time", help="option.tournament.time")
@_line("--encoded-time", help="option.tournament.encoded_time")
@_line("--kind", help="option.tournament.kind")
@why_option
@as_json
def heading(*, desk: Desk, why: str, as_json: bool, **given: str | tuple[str, ...] | None) -> None:
    """Say where and when the event takes place, and who is in charge."""
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
