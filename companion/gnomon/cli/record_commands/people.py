"""Show the people of journals, bundles and halls, and decide who is shown how (`gnomon people`)."""

import json
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from operator import methodcaller
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar

import click

from gnomon.cli import localized
from gnomon.cli._files import write_file, write_json
from gnomon.cli._tables import TextColumn, table
from gnomon.cli.words import UnusableError, command_words, say, say_sentence
from gnomon.refusals import Statement, statement

if TYPE_CHECKING:
    from gnomon.people.profiles import Meeting, People, Tally
    from gnomon.people.ratings import PersonRating
    from gnomon.people.register import Register
    from gnomon.records.journal.people_file import PeopleFile
    from gnomon.records.people.sources import PeopleSource
    from gnomon.words import Words

_SHOW: Final = "show"
CommandT = TypeVar("CommandT", bound=Callable[..., object])


class _PeopleGroup(localized.Group):
    """A group whose first word may be left out: names and options alone show people."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Take the arguments, with `show` before them where no command is named."""
        if not args or (args[0] not in self.commands and args[0] not in self.get_help_option_names(ctx)):
            args = [_SHOW, *args]
        return super().parse_args(ctx, args)


class _Place(NamedTuple):
    """Where people's games are, and where the decisions about them."""

    sources: Sequence["PeopleSource"]
    file: "PeopleFile"

    def people(self) -> "People":
        """Everybody, as of today."""
        from gnomon.hall.clock import wall
        from gnomon.people.profiles import People
        from gnomon.records.people.sources import games_in

        with _refusals():
            register = self.file.register()
            if (notice := self.file.notice()) is not None:
                click.echo(say_sentence(notice), err=True)
            return People(games_in(self.sources), register, f"{wall():%Y-%m}")

    def names(self) -> Iterator[str]:
        """Every name that is written in some game."""
        return (name for source in self.sources for name in source.names())

    def check(self, *names: str) -> None:
        """Refuse a name that no game has."""
        from gnomon.people.register import fold

        with _refusals():
            known = {fold(each) for each in self.names()} | {fold(each) for each, _ in self.file.register().joined}
        for name in names:
            if fold(name) not in known:
                raise _nobody(name)

    def decide(self, decide: Callable[["Register"], "Register"]) -> "Register":
        """Keep a decision."""
        with _refusals():
            return self.file.change(decide)


@localized.group(cls=_PeopleGroup, help="command.people")
def people() -> None:
    """List people, show one person or two head to head; publish, join, forget and export."""


def _sources_option(command: CommandT) -> CommandT:
    given = localized.option(
        "--from",
        "places",
        multiple=True,
        metavar="SOURCE",
        help="option.people.from",
    )
    register = localized.option(
        "--decisions",
        type=click.Path(path_type=Path, dir_okay=False),
        metavar="FILE",
        help="option.people.decisions",
    )
    return given(register(command))


@people.command(_SHOW, help="command.people.show")
@localized.argument("name", required=False)
@localized.argument("other", required=False)
@_sources_option
@localized.option("--json", "as_json", is_flag=True, help="option.people.json")
@localized.option("--history", is_flag=True, help="option.people.history")
@localized.option("--export", metavar="FILE", help="option.people.export")
def show(  # noqa: PLR0913 - one for each option
    *,
    name: str | None,
    other: str | None,
    places: tuple[str, ...],
    decisions: Path | None,
    as_json: bool,
    history: bool,
    export: str | None,
) -> None:
    """Show everybody, a person, or two people head to head; "gnomon people" alone does the same."""
    place = _place(places, decisions)
    if name is None:
        if export is not None or history:
            given = "--export" if export is not None else "--history"
            raise localized.WrongUsageError(statement("usage.needs", option=given, other="NAME"))
        _list(place.people(), as_json=as_json)
        return
    if export is not None:
        _export(place, name, export)
        return
    everybody = place.people()
    key = _find(everybody, name)
    if history:
        _history(everybody, key, as_json=as_json)
    elif other is not None:
        _head_to_head(everybody, key, _find(everybody, other), as_json=as_json)
    else:
        _profile(everybody, key, as_json=as_json)


def _add_decision(command: str, done: str) -> None:
    """Add a command that decides about one person what the method of its name in `Register` does."""

    @people.command(command, help=f"command.people.{command}")
    @localized.argument("name")
    @_sources_option
    def _decide(name: str, places: tuple[str, ...], decisions: Path | None) -> None:
        _tell(_place(places, decisions), name, methodcaller(command, name), done)


_add_decision("publish", "people.published")
_add_decision("withdraw", "people.withdrawn")
_add_decision("part", "people.parted")
_add_decision("recall", "people.recalled")


@people.command(help="command.people.join")
@localized.argument("name")
@localized.argument("other")
@_sources_option
def join(name: str, other: str, places: tuple[str, ...], decisions: Path | None) -> None:
    """Make NAME another spelling of OTHER: their games are those of one person."""
    place = _place(places, decisions)
    place.check(name, other)
    after = place.decide(lambda register: register.join(name, other))
    last = after.joined[-1]
    click.echo(say(statement("people.joined", name=last.name, other=last.shown)))


@people.command(help="command.people.forget")
@localized.argument("name")
@_sources_option
def forget(name: str, places: tuple[str, ...], decisions: Path | None) -> None:
    """Show a pseudonym instead of NAME from now on, also in bundles that are made afterwards."""
    place = _place(places, decisions)
    place.check(name)
    after = place.decide(lambda register: register.forget(name))
    click.echo(say(statement("people.forgotten", name=name, pseudonym=after.mask(name))))


@people.command(help="command.people.engine")
@localized.argument("name")
@localized.option("--undo", is_flag=True, help="option.people.undo")
@_sources_option
def engine(name: str, places: tuple[str, ...], decisions: Path | None, *, undo: bool) -> None:
    """Say that NAME is a program: games against it count separately, and never in ratings."""
    place = _place(places, decisions)
    if undo:
        _tell(place, name, lambda register: register.mark_person(name), "people.is_person")
    else:
        _tell(place, name, lambda register: register.mark_engine(name), "people.is_engine")


# Where it comes from


def _place(places: Sequence[str], decisions: Path | None) -> _Place:
    from gnomon.records.journal.folders import state_folder
    from gnomon.records.journal.people_file import PeopleFile

    folder = state_folder(os.environ)
    with _refusals():
        own = (str(folder),) if folder.is_dir() else ()  # nobody has played here yet
        sources = [each for one in places or own for each in _sources_of(one)]
    if not places and not sources:
        raise UnusableError(statement("cli.no_journal", folder=str(folder)))
    first = folder if not places or "://" in places[0] else Path(places[0])
    return _Place(sources, PeopleFile.beside(first) if decisions is None else PeopleFile(decisions))


def _sources_of(place: str) -> Iterable["PeopleSource"]:
    from gnomon.records.people.sources import sources_at

    if "://" in place or _is_hall(place):
        return _boards_of_hall(place)
    return sources_at(Path(place))


def _is_hall(place: str) -> bool:
    from gnomon.hall.store.backend import is_database

    return is_database(place)


def _boards_of_hall(place: str) -> Iterator["PeopleSource"]:
    from gnomon.hall.store.archive import BoardArchive, journals
    from gnomon.hall.store.backend import open_database
    from gnomon.records.people.sources import ArchiveSource

    database = open_database(place)
    click.get_current_context().call_on_close(database.close)
    for board, epoch in journals(database):
        yield ArchiveSource(BoardArchive(database, board, epoch), f"{board}/{epoch}")


@contextmanager
def _refusals() -> Iterator[None]:
    """Say in one sentence what cannot be read or decided."""
    from gnomon.hall.store.database import StoreError
    from gnomon.people.register import RegisterError
    from gnomon.records.journal.store import JournalError

    try:
        yield
    except (JournalError, RegisterError, StoreError) as error:
        raise UnusableError(error) from error


def _find(people: "People", name: str) -> str:
    key = people.find(name)
    if key is None:
        raise _nobody(name)
    return key


def _nobody(name: str) -> UnusableError:
    return UnusableError(statement("people.nobody", name=name))


def _tell(place: _Place, name: str, decide: Callable[["Register"], "Register"], done: str) -> None:
    place.check(name)
    place.decide(decide)
    click.echo(say(Statement(done, {"name": name})))


# How it is shown


def _list(people: "People", *, as_json: bool) -> None:
    from gnomon.people.json_values import summary_value

    everybody, register = people.everybody(), people.register
    if as_json:
        write_json([summary_value(one, is_public=register.is_public(one.key)) for one in everybody])
        return
    words = command_words()
    if not everybody:
        click.echo(words("people.none"))
        return
    columns = (
        TextColumn(words("people.name"), gives=True),
        *_tally_columns(words),
        TextColumn(words("people.with_engines.short"), right=True),
        TextColumn(words("people.ratings")),
    )
    rows = [
        (
            one.name,
            *_tally(one.results),
            str(one.with_engines),
            ", ".join(f"{_game(game, words)} {rating.text}" for game, rating in one.ratings.items()),
        )
        for one in everybody
    ]
    _write_table(columns, rows)


def _history(people: "People", key: str, *, as_json: bool) -> None:
    from gnomon.people.json_values import history_value

    told = people.history(key)
    if as_json:
        write_json(history_value(people.name(key), told))
        return
    words = command_words()
    columns = (
        TextColumn(words("people.game")),
        TextColumn(words("people.month")),
        TextColumn(words("people.rating"), right=True),
        TextColumn(words("people.rated_games"), right=True),
    )
    rows = [
        (_game(game, words), month.month, month.rating.text, str(month.rating.games))
        for game, months in told.items()
        for month in months
    ]
    _write_table(columns, rows)


def _profile(people: "People", key: str, *, as_json: bool) -> None:
    from gnomon.people.json_values import profile_value

    profile, is_public = people.profile(key), people.register.is_public(key)
    if as_json:
        write_json(profile_value(profile, is_public=is_public))
        return
    words = command_words()
    click.echo(f"{profile.name} ({words('people.public' if is_public else 'people.private')})")
    if len(profile.spellings) > 1:
        click.echo(words("people.spellings", names=", ".join(profile.spellings)))
    game, name = TextColumn(words("people.game")), TextColumn(words("people.opponent"), gives=True)
    if profile.by_game:
        click.echo()
        rated = (TextColumn(words("people.rating"), right=True), TextColumn(words("people.rated_games"), right=True))
        _write_table(
            (game, *_tally_columns(words), *rated),
            [
                (_game(each, words), *_tally(tally), *_rating_cells(profile.ratings.get(each)))
                for each, tally in profile.by_game.items()
            ],
        )
    if profile.opponents:
        click.echo()
        rows = [
            (one.name, _game(each, words), *_tally(tally))
            for one in profile.opponents
            for each, tally in one.by_game.items()
        ]
        _write_table((name, game, *_tally_columns(words)), rows)
    if profile.with_engines:
        click.echo(f"\n{words('people.with_engines')}")
        rows = [(_game(each, words), *_tally(tally)) for each, tally in profile.with_engines.items()]
        _write_table((game, *_tally_columns(words)), rows)


def _head_to_head(people: "People", key: str, other: str, *, as_json: bool) -> None:
    from gnomon.people.json_values import meetings_value, tally_value
    from gnomon.people.profiles import by_game

    meetings = people.meetings(key, other)
    tallies = by_game(meetings)
    if as_json:
        results = {game: tally_value(tally) for game, tally in tallies.items()}
        names = {"name": people.name(key), "other": people.name(other)}
        write_json({**names, "results": results, "games": meetings_value(meetings)})
        return
    words = command_words()
    click.echo(words("people.head_to_head", name=people.name(key), other=people.name(other)))
    if not meetings:
        click.echo(words("people.never_met"))
        return
    click.echo()
    game = TextColumn(words("people.game"))
    _write_table((game, *_tally_columns(words)), [(_game(each, words), *_tally(tallies[each])) for each in tallies])
    click.echo()
    columns = (
        TextColumn(words("people.began")),
        game,
        TextColumn(words("people.result")),
        TextColumn(words("people.where")),
    )
    _write_table(columns, [_meeting_row(one, words) for one in meetings])


def _meeting_row(meeting: "Meeting", words: "Words") -> tuple[str, ...]:
    game = meeting.encounter.game
    return (
        game.began_text,
        _game(game.game, words),
        words(f"people.{meeting.score.name.lower()}"),
        f"{game.source} #{game.number}",
    )


def _export(place: _Place, name: str, target: str) -> None:
    from gnomon.records.people.export import export_value

    register = place.file.register()
    everybody = place.people()
    key = register.key(name)
    with _refusals():
        kept = [game for source in place.sources for game in source.records_of(key, register)]
    if register.is_forgotten(name) or not kept:
        raise _nobody(name)
    value = export_value(name, everybody, kept)
    write_file(target, json.dumps(value, ensure_ascii=False, indent=1) + "\n")


def _tally_columns(words: "Words") -> Sequence[TextColumn]:
    return [TextColumn(words(f"people.column.{name}"), right=True) for name in ("games", "won", "drawn", "lost")]


def _tally(tally: "Tally") -> tuple[str, ...]:
    return tuple(map(str, (tally.games, *tally)))


def _rating_cells(one: "PersonRating | None") -> tuple[str, str]:
    return ("–", "0") if one is None else (one.text, str(one.games))


def _game(game: str, words: "Words") -> str:
    return words.name_of(f"game.{game}", game)


def _write_table(columns: Sequence[TextColumn], rows: Sequence[Sequence[str]]) -> None:
    for line in table(columns, rows):
        click.echo(line)
