"""Show the standings of a series of events: the command `series`."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import click

from gnomon.cli import localized
from gnomon.cli._files import write_json
from gnomon.cli._tables import TextColumn, table
from gnomon.cli.tournament_commands._event_log import Desk, as_json, print_lines
from gnomon.cli.tournament_commands._places import TournamentLocation, location_options
from gnomon.cli.words import command_words
from gnomon.tournament.standings.series import (
    SeriesEvent,
    SeriesScoring,
    SeriesStanding,
    parse_place_points,
    series_standings,
    usual_rule,
)
from gnomon.tournament.state.notation import parse_points, value_text
from gnomon.tournament.state.results import ONE


@localized.command(help="command.tournament.series")
@localized.argument("sources", metavar="EVENT[=KIND][*FACTOR]...", nargs=-1, required=True)
@location_options
@localized.option(
    "--scoring",
    type=click.Choice([one.value for one in SeriesScoring]),
    default="grand-prix",
    show_default=True,
    help="option.tournament.scoring",
)
@localized.option("--best", type=click.IntRange(0), help="option.tournament.series.best")
@localized.option("--place-points", metavar="POINTS", help="option.tournament.series.place_points")
@as_json
def series(  # noqa: PLR0913 - the rule of a series
    *,
    sources: tuple[str, ...],
    place: TournamentLocation,
    scoring: str,
    best: int | None,
    place_points: str | None,
    as_json: bool,
) -> None:
    """Show the standings of a series of events."""
    rule = usual_rule(SeriesScoring(scoring))
    rule = rule._replace(
        best=rule.best if best is None else best,
        places=rule.places if place_points is None else parse_place_points(place_points),
    )
    events = [_event(place, source) for source in sources]
    ranked = series_standings(events, rule)
    if as_json:
        write_json([_value(events, one) for one in ranked])
        return
    _show(events, ranked)


def _event(place: TournamentLocation, source: str) -> SeriesEvent:
    rest, star, factor = source.partition("*")
    name, _, kind = rest.partition("=")
    where = place._replace(tournament=name) if place.database else TournamentLocation(Path(name))
    kept = where.find()
    tournament = Desk(kept).look()
    origin = kept.seal or kept.called.message
    return SeriesEvent(tournament.settings.name, tournament, kind, parse_points(factor) if star else ONE, origin)


def _value(events: Sequence[SeriesEvent], one: SeriesStanding) -> dict[str, object]:
    scores = [
        {"event": events[each.event].name, "place": each.place, "points": str(each.points), "counts": each.counts}
        for each in one.scores
    ]
    return {"place": one.place, "name": one.name, "total": str(one.total), "scores": scores}


def _show(events: Sequence[SeriesEvent], ranked: Sequence[SeriesStanding]) -> None:
    words = command_words()
    columns = (
        TextColumn(words("sheet.place"), right=True),
        TextColumn(words("sheet.name"), gives=True),
        TextColumn(words("sheet.points"), right=True),
        *(TextColumn(event.name, right=True) for event in events),
    )
    rows = []
    for one in ranked:
        cells = {
            each.event: value_text(each.points) if each.counts else f"({value_text(each.points)})"
            for each in one.scores
        }
        rows.append(
            (str(one.place), one.name, value_text(one.total), *(cells.get(at, "") for at in range(len(events))))
        )
    print_lines([*table(columns, rows), words("cli.tournament.series.left_out")])


COMMANDS: Final = {"series": series}
