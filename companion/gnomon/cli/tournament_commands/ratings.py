"""Report what events do to Elo ratings, and follow them over events: the commands `ratings` and `elo`."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import click

from gnomon.cli._files import write_json
from gnomon.cli._tables import TextColumn, table
from gnomon.cli.tournament_commands._event_log import Desk, as_json, print_lines, read_command
from gnomon.cli.tournament_commands._places import tournaments_at
from gnomon.cli.tournament_commands._rating_lists import list_options, listed_players
from gnomon.cli.words import command_words
from gnomon.tournament.notation import points_text
from gnomon.tournament.particulars import shown_day
from gnomon.tournament.rating_history import PersonHistory, RatedEvent, rating_histories
from gnomon.tournament.rating_report import RatingChange, rating_report
from gnomon.tournament.results import Points
from gnomon.tournament.state import Tournament
from gnomon.tournament.tables.csv import text_of
from gnomon.tournament.tables.rating_list import ListKind, fold_name
from gnomon.words import Words

_LIST: Final = ("name", "rating", "FIDE number", "games")


@click.command()
@read_command
@click.option(
    "--k", type=click.IntRange(1, 99), metavar="K", help="The development coefficient of everybody; by default FIDE's."
)
@as_json
def ratings(*, desk: Desk, k: int | None, as_json: bool) -> None:
    """Report what the event does to Elo ratings.

    For each player: games, score and expected score against rated opponents, their average, the performance rating, the
    change, and the rating after the event.
    """
    tournament = desk.look()
    report = rating_report(tournament, None, None if k is None else dict.fromkeys(tournament.entrants, k))
    if as_json:
        write_json([_change_value(tournament, change) for change in report])
        return
    words = command_words()
    columns = (
        TextColumn(words("sheet.no"), right=True),
        TextColumn(words("sheet.name"), gives=True),
        *_change_columns(words),
    )
    rows = [(str(change.number), tournament.entrants[change.number].name, *_change_cells(change)) for change in report]
    print_lines(list(table(columns, rows)))


@click.command("elo")
@click.argument("sources", metavar="SOURCE...", nargs=-1, required=True)
@list_options
@click.option("--person", metavar="NAME", help="Show the events of one person.")
@click.option("--csv", "as_csv", is_flag=True, help="Write the list of ratings after these events, to be read again.")
@as_json
def elo(  # noqa: PLR0913 - what there is to choose
    *, sources: tuple[str, ...], list_file: Path | None, list_kind: str, person: str | None, as_csv: bool, as_json: bool
) -> None:
    """Follow Elo ratings over several events.

    The rating after one event is the rating before the next.

    SOURCE is a tournament's file, a report file (TRF), a file of OpenGotha, or the database of a hall with all its
    tournaments. The same events give the same ratings, no matter in which order they are named.
    """
    events = [tournament for source in sources for tournament in tournaments_at(source)]
    listed = [] if list_file is None else list(listed_players(list_file, ListKind(list_kind)))
    found = rating_histories(events, listed)
    chosen = [
        one
        for one in found.values()
        if (one.events or as_csv) and (person is None or fold_name(one.name) == fold_name(person))
    ]
    if as_json:
        write_json([_history_value(one) for one in chosen])
        return
    if as_csv:
        rows = [(one.name, one.rating, one.key[1:] if one.key.startswith("#") else "", one.games) for one in chosen]
        click.echo(text_of(_LIST, rows, ","), nl=False)
        return
    print_lines(list(_person_lines(chosen) if person is not None else _list_lines(chosen)))


def _list_lines(people: Sequence[PersonHistory]) -> Iterator[str]:
    words = command_words()
    columns = (
        TextColumn(words("sheet.name"), gives=True),
        TextColumn(words("sheet.rating"), right=True),
        TextColumn(words("cli.ratings.games"), right=True),
        TextColumn(words("cli.ratings.events"), right=True),
    )
    rows = [(one.name, _or_nothing(one.rating), str(one.games), str(len(one.events))) for one in people]
    return table(columns, rows)


def _person_lines(people: Sequence[PersonHistory]) -> Iterator[str]:
    words = command_words()
    columns = (
        TextColumn(words("cli.ratings.day")),
        TextColumn(words("cli.ratings.event"), gives=True),
        *_change_columns(words),
    )
    rows = [(shown_day(told.day), told.event, *_change_cells(told.change)) for one in people for told in one.events]
    return table(columns, rows)


def _change_columns(words: Words) -> tuple[TextColumn, ...]:
    titles = ("before", "games", "score", "expected", "average", "performance", "k", "change", "after")
    return tuple(TextColumn(words(f"cli.ratings.{title}"), right=True) for title in titles)


def _change_cells(change: RatingChange) -> tuple[str, ...]:
    rated = change.before is not None
    return (
        _or_nothing(change.before),
        str(change.games),
        points_text(change.score),
        _decimals(change.expected, 2) if rated else "",
        _or_nothing(change.average),
        _or_nothing(change.performance),
        str(change.k) if rated else "",
        f"{'+' if change.change > 0 else ''}{_decimals(change.change, 1)}" if rated else "",
        _or_nothing(change.after),
    )


def _or_nothing(number: int | None) -> str:
    return "" if number is None else str(number)


def _decimals(value: Points, places: int) -> str:
    return f"{float(value):.{places}f}"


def _change_value(tournament: Tournament, change: RatingChange) -> dict[str, object]:
    return {"number": change.number, "name": tournament.entrants[change.number].name, **_value(change)}


def _value(change: RatingChange) -> dict[str, object]:
    """What programs are told of a change: exact numbers as decimals, which they are."""
    return {
        "before": change.before,
        "games": change.games,
        "score": float(change.score),
        "expected": float(change.expected),
        "average": change.average,
        "performance": change.performance,
        "k": change.k,
        "change": float(change.change),
        "after": change.after,
    }


def _history_value(one: PersonHistory) -> dict[str, object]:
    def event(told: RatedEvent) -> dict[str, object]:
        return {"event": told.event, "day": told.day, **_value(told.change)}

    return {"name": one.name, "rating": one.rating, "games": one.games, "events": [event(told) for told in one.events]}


COMMANDS: Final = {"ratings": ratings, "elo": elo}
