"""Split a tournament into groups, and fill a stage from those before it: the commands `split` and `advance`."""

from pathlib import Path
from typing import Final

import click

from gnomon.cli import localized
from gnomon.cli._tables import TextColumn, table
from gnomon.cli.tournament_commands._boards import say_event
from gnomon.cli.tournament_commands._event_log import Desk, because, open_command, print_lines, tell_command
from gnomon.cli.tournament_commands._places import TournamentLocation
from gnomon.cli.tournament_commands.setup.creation import SYSTEMS
from gnomon.cli.words import command_words
from gnomon.refusals import statement
from gnomon.tournament.events import EntrantsSeeded, TeamsSeeded
from gnomon.tournament.stages import (
    Carry,
    Qualifier,
    Seeding,
    StageFeed,
    StageRule,
    group_events,
    groups_of,
    parse_places,
    stage_events,
)
from gnomon.tournament.state.notation import points_text
from gnomon.tournament.state.seeds import StageSeed
from gnomon.tournament.state.settings import System
from gnomon.tournament.teams.matches import as_shown


@localized.command(help="command.tournament.split")
@open_command
@localized.option("--groups", type=int, required=True, help="option.tournament.groups")
@localized.option(
    "--system",
    type=click.Choice(list(SYSTEMS)),
    default="round-robin",
    show_default=True,
    help="option.tournament.split.system",
)
@localized.option("--rounds", type=int, help="option.tournament.split.rounds")
def split(place: TournamentLocation, who: str, groups: int, system: str, rounds: int | None) -> None:
    """Draw the entrants into groups, each a new tournament."""
    desk = Desk(place.find(), who)
    tournament = desk.look()
    chosen = SYSTEMS[system]
    if rounds is None and chosen is not System.ROUND_ROBIN:
        raise localized.WrongUsageError(statement("usage.group_rounds", system=chosen.value))
    for one in groups_of(tournament, groups, chosen, rounds):
        group = Desk(place._replace(file=None, tournament="").new(one.settings.name), who)
        group.tell(*group_events(tournament, one))
        names = ", ".join(as_shown(tournament).entrants[number].name for number in one.numbers)
        click.echo(command_words()("cli.tournament.group", where=group.kept.called, names=names))


@localized.command(help="command.tournament.advance")
@open_command
@localized.option(
    "--from", "sources", metavar="SOURCE[:PLACES]", multiple=True, required=True, help="option.tournament.from"
)
@localized.option("--places", default="1-2", show_default=True, help="option.tournament.places")
@localized.option("--rest", type=click.IntRange(0), default=0, help="option.tournament.rest")
@localized.option(
    "--seeding",
    type=click.Choice([one.value for one in Seeding]),
    default="places",
    show_default=True,
    help="option.tournament.seeding",
)
@localized.option(
    "--carry",
    type=click.Choice([one.value for one in Carry]),
    default="nothing",
    show_default=True,
    help="option.tournament.carry",
)
@localized.option("--preview", is_flag=True, help="option.tournament.advance.preview")
def advance(  # noqa: PLR0913 - the rule of a stage
    *,
    place: TournamentLocation,
    who: str,
    sources: tuple[str, ...],
    places: str,
    rest: int,
    seeding: str,
    carry: str,
    preview: bool,
) -> None:
    """Enter those who go on from earlier stages."""
    desk = Desk(place.find(), who)
    tournament = desk.look()
    feeds = [_feed(place, source, places) for source in sources]
    rule = StageRule(Seeding(seeding), Carry(carry), rest)
    going_on, events = stage_events(tournament, feeds, rule)
    if not preview:
        desk.tell(*events, why=", ".join(feed.name for feed in feeds))
    _show(going_on)
    if preview:
        click.echo(command_words()("cli.tournament.settings.preview"))


@localized.command("seed", help="command.tournament.seed")
@localized.argument("numbers", metavar="[NUMBER]...", type=int, nargs=-1)
@tell_command
@because
def set_seeds(numbers: tuple[int, ...], desk: Desk, why: str) -> None:
    """Set the seeds by hand, the best first."""
    tournament = desk.look()
    before = (tournament if tournament.teams is None else tournament.teams.matches).stage_seeds
    brought = {number: one for number, one in before.items() if number not in numbers}
    seeds = [before.get(number, StageSeed(number))._replace(seed=at) for at, number in enumerate(numbers, start=1)]
    told = (*seeds, *(one._replace(seed=0) for one in brought.values()))
    event = EntrantsSeeded(told) if tournament.teams is None else TeamsSeeded(told)
    click.echo(say_event(desk.tell(event, why=why), event))


def _feed(place: TournamentLocation, source: str, places: str) -> StageFeed:
    name, colon, own = source.rpartition(":")
    if not colon or not own[:1].isdigit():
        name, own = source, places
    where = place._replace(tournament=name) if place.database else TournamentLocation(Path(name))
    desk = Desk(where.find())
    stage = desk.look()
    origin = desk.kept.seal or desk.kept.called.message
    return StageFeed(stage.settings.name, stage, *parse_places(own), origin)


def _show(going_on: tuple[Qualifier, ...]) -> None:
    words = command_words()
    columns = (
        TextColumn(words("sheet.no"), right=True),
        TextColumn(words("sheet.name"), gives=True),
        TextColumn(words("cli.tournament.stage.from"), gives=True),
        TextColumn(words("sheet.place"), right=True),
        TextColumn(words("sheet.points"), right=True),
    )
    rows = [
        (str(at), one.entrant.name, one.stage, str(one.place), points_text(one.carried))
        for at, one in enumerate(going_on, start=1)
    ]
    print_lines(list(table(columns, rows)))


COMMANDS: Final = {"split": split, "advance": advance, "seed": set_seeds}
