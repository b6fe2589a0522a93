"""Show and change the settings of a tournament: the command `settings`."""

from collections.abc import Callable, Iterator, Mapping
from functools import reduce
from typing import Final

import click

from gnomon.cli import localized
from gnomon.cli._files import write_json
from gnomon.cli.tournament_commands._boards import place_lines, say_event
from gnomon.cli.tournament_commands._event_log import Desk, as_json, print_lines, tell_command, why_option
from gnomon.cli.words import command_words, say
from gnomon.refusals import Statement
from gnomon.tournament.event_log.reducer import step
from gnomon.tournament.events import SettingsChanged, TeamPlayChanged
from gnomon.tournament.settings.changes import describe_changes, describe_settings
from gnomon.tournament.settings.team_play_changes import (
    PLAY,
    describe_play,
    describe_play_changes,
    play_texts,
    play_with,
)
from gnomon.tournament.settings.texts import setting_texts, settings_with
from gnomon.tournament.standings import moved_places
from gnomon.tournament.state import Tournament
from gnomon.tournament.teams.matches import book_of

_Command = Callable[..., None]
_Change = SettingsChanged | TeamPlayChanged
_SETTINGS: Final = (
    "name",
    "rounds",
    "win",
    "draw",
    "loss",
    "bye",
    "tie_breaks",
    "rule_set",
    "unrated",
    "match_score",
    "balance",
    "team_mates_meet",
    "annul",
    "third_place",
    "system",
    "games",
    "leader_first",
    "bars",
    "grades",
    "cycles",
    "accelerated",
    "lives",
    "table_size",
    "place_points",
    "open_rounds",
    "round_games",
    "streak",
    "reach",
    "check_in",
)


_TEAM_SETTINGS: Final = (
    "match_win",
    "match_draw",
    "match_loss",
    "match_bye",
    "board_bye",
    "rank_by",
    "cup_breaks",
    "boards",
    "alternate",
)


def _options(command: _Command) -> _Command:
    """A command with an option for each setting: None where it is not given."""
    for name in reversed((*_SETTINGS, *_TEAM_SETTINGS)):
        written, key = f"--{name.replace('_', '-')}", f"option.tournament.settings.{name}"
        command = localized.option(written, name, metavar="TEXT", help=key)(command)
    return command


@localized.command(help="command.tournament.settings")
@tell_command
@_options
@localized.option("--preview", is_flag=True, help="option.tournament.settings.preview")
@why_option
@as_json
def settings(*, desk: Desk, why: str, preview: bool, as_json: bool, **given: str | None) -> None:
    """Show the settings, or change some, with a reason."""
    before = desk.look()
    texts = {name: text for name, text in given.items() if text is not None}
    if not texts:
        _show(before, as_json=as_json)
        return
    events = _events(before, texts, why or ("?" if preview else ""))
    after = reduce(step, events, before) if preview else desk.tell(*events)
    if as_json:
        write_json({"settings": _texts(after), "moved": list(moved_places(before, after))})
        return
    for event in events:
        click.echo(say_event(after, event) if why else "; ".join(map(say, _changes(event))))
    if preview:
        click.echo(command_words()("cli.tournament.settings.preview"))
    print_lines(list(place_lines(before, after)))


def _show(tournament: Tournament, *, as_json: bool) -> None:
    if as_json:
        write_json(_texts(tournament))
    else:
        of_teams = [] if tournament.teams is None else describe_play(tournament.teams.play)
        print_lines([say(each) for each in (*describe_settings(tournament.settings), *of_teams)])


def _texts(tournament: Tournament) -> dict[str, str]:
    of_teams = {} if tournament.teams is None else play_texts(tournament.teams.play)
    return {**setting_texts(tournament.settings), **of_teams}


def _events(before: Tournament, texts: Mapping[str, str], why: str) -> list[_Change]:
    """The changes of settings, and of how teams play. Raises TournamentError."""
    of_play = {name: text for name, text in texts.items() if name in PLAY}
    others = {name: text for name, text in texts.items() if name not in PLAY}
    events: list[_Change] = []
    if others:
        events.append(SettingsChanged(before.settings, settings_with(before.settings, others), why))
    if of_play:
        play = book_of(before).play
        events.append(TeamPlayChanged(play, play_with(play, of_play), why))
    return events


def _changes(event: _Change) -> Iterator[Statement]:
    if isinstance(event, SettingsChanged):
        return describe_changes(event.was, event.now)
    return describe_play_changes(event.was, event.now)


COMMANDS: Final = {"settings": settings}
