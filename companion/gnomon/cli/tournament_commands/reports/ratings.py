"""Report what events do to Elo ratings, and follow them over events: the commands `ratings` and `elo`."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

import click

from gnomon.cli import localized
from gnomon.cli._files import write_json
from gnomon.cli._tables import TextColumn, table
from gnomon.cli.tournament_commands._event_log import Desk, as_json, print_lines, read_command
from gnomon.cli.tournament_commands._places import tournaments_at
from gnomon.cli.tournament_commands._rating_lists import list_options, listed_players
from gnomon.cli.words import CommandRefusedError, command_words
from gnomon.refusals import statement
from gnomon.tournament.formats.tables.csv import text_of
from gnomon.tournament.ratings.history import PersonHistory, RatedEvent, games_of, rating_histories
from gnomon.tournament.ratings.rating_list import ListKind, fold_name
from gnomon.tournament.ratings.report import RatingChange, rated_games, rating_report
from gnomon.tournament.state import Tournament
from gnomon.tournament.state.notation import points_text
from gnomon.tournament.state.particulars import shown_day
from gnomon.tournament.state.results import Points
from gnomon.tournament.state.settings import game_key
from gnomon.words import Words

_LIST: Final = ("name", "rating", "FIDE number", "games")


@localized.command(help="command.tournament.ratings")
@read_command
@localized.option("--k", type=click.IntRange(1, 99), metavar="K", help="option.tournament.k")
@as_json
def ratings(*, desk: Desk, k: int | None, as_json: bool) -> None:
    """Report what the event does to Elo ratings."""
    tournament = desk.look()
    factors = None if k is None else dict.fromkeys(tournament.entrants, k)
    reports = {game: rating_report(tournament, None, factors, game) for game in rated_games(tournament)}
    if as_json:
        write_json([_change_value(tournament, game, change) for game, report in reports.items() for change in report])
        return
    words = command_words()
    columns = (
        TextColumn(words("sheet.no"), right=True),
        TextColumn(words("sheet.name"), gives=True),
        *_change_columns(words),
    )
    rows = {
        game: [
            (str(change.number), tournament.entrants[change.number].name, *_change_cells(change)) for change in report
        ]
        for game, report in reports.items()
    }
    _print_games({game: list(table(columns, rows[game])) for game in rows} or {"": list(table(columns, ()))})


@localized.command("elo", help="command.tournament.elo")
@localized.argument("sources", metavar="SOURCE...", nargs=-1, required=True)
@list_options
@localized.option("--game", metavar="NAME", help="option.tournament.elo.game")
@localized.option("--person", metavar="NAME", help="option.tournament.person")
@localized.option("--csv", "as_csv", is_flag=True, help="option.tournament.csv")
@as_json
def elo(  # noqa: PLR0913 - what there is to choose
    *,
    sources: tuple[str, ...],
    list_file: Path | None,
    list_kind: str,
    game: str | None,
    person: str | None,
    as_csv: bool,
    as_json: bool,
) -> None:
    """Follow Elo ratings over several events, for each game by itself."""
    events = [tournament for source in sources for tournament in tournaments_at(source)]
    games = _chosen_games(games_of(events), game, needs_one=as_csv or list_file is not None)
    listed = [] if list_file is None else list(listed_players(list_file, ListKind(list_kind)))
    chosen = {
        each: [
            one
            for one in rating_histories(events, listed, each).values()
            if (one.events or as_csv) and (person is None or fold_name(one.name) == fold_name(person))
        ]
        for each in games
    }
    if as_json:
        write_json([_history_value(each, one) for each, people in chosen.items() for one in people])
        return
    if as_csv:
        rows = [
            (one.name, one.rating, one.key[1:] if one.key.startswith("#") else "", _plain_number(one.games))
            for people in chosen.values()
            for one in people
        ]
        click.echo(text_of(_LIST, rows, ","), nl=False)
        return
    lines_of = _list_lines if person is None else _person_lines
    _print_games({each: list(lines_of(people)) for each, people in chosen.items() if people or len(chosen) == 1})


def _chosen_games(games: Sequence[str], named: str | None, *, needs_one: bool) -> Sequence[str]:
    """The game that was named, or all. Raises ClickException for one that nobody played, and for several of a list."""
    if named is not None:
        if game_key(named) not in games:
            played = [_game_text(game) for game in games]
            raise CommandRefusedError(statement("cli.ratings.no_game", game=named, games=played))
        return (game_key(named),)
    if needs_one and len(games) > 1:
        raise CommandRefusedError(
            statement("cli.ratings.several_games", games=[_game_text(game) for game in games if game])
        )
    return games or ("",)


def _print_games(tables: Mapping[str, Sequence[str]]) -> None:
    """Print the table of each game, under its name where there are several."""
    for place, (game, lines) in enumerate(tables.items()):
        heading = [*([""] if place else []), _game_text(game)] if len(tables) > 1 else []
        print_lines([*heading, *lines])


def _game_text(game: str) -> str:
    words = command_words()
    return words.name_of(f"game.{game}", game) if game else words("cli.ratings.unnamed")


def _list_lines(people: Sequence[PersonHistory]) -> Iterator[str]:
    words = command_words()
    columns = (
        TextColumn(words("sheet.name"), gives=True),
        TextColumn(words("sheet.rating"), right=True),
        TextColumn(words("cli.ratings.games"), right=True),
        TextColumn(words("cli.ratings.events"), right=True),
    )
    rows = [(one.name, _or_nothing(one.rating), points_text(one.games), str(len(one.events))) for one in people]
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
        points_text(change.games),
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


def _change_value(tournament: Tournament, game: str, change: RatingChange) -> dict[str, object]:
    return {
        "game": game,
        "number": change.number,
        "name": tournament.entrants[change.number].name,
        **_value(change),
    }


def _value(change: RatingChange) -> dict[str, object]:
    """What programs are told of a change, in numbers."""
    return {
        "before": change.before,
        "games": _plain_number(change.games),
        "score": float(change.score),
        "expected": float(change.expected),
        "average": change.average,
        "performance": change.performance,
        "k": change.k,
        "change": float(change.change),
        "after": change.after,
    }


def _plain_number(value: Points) -> float:
    """A number of games, which is whole except at tables of three and four."""
    return value.numerator if value.denominator == 1 else round(float(value), 2)


def _history_value(game: str, one: PersonHistory) -> dict[str, object]:
    def event(told: RatedEvent) -> dict[str, object]:
        return {"event": told.event, "day": told.day, **_value(told.change)}

    return {
        "game": game,
        "name": one.name,
        "rating": one.rating,
        "games": _plain_number(one.games),
        "events": [event(told) for told in one.events],
    }


COMMANDS: Final = {"ratings": ratings, "elo": elo}
