"""Show and change the settings of a tournament: the command `settings`."""

from collections.abc import Callable, Iterator, Mapping
from functools import reduce
from typing import Final

import click

from gnomon.cli._files import write_json
from gnomon.cli.tournament_commands._boards import say_event
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
from gnomon.tournament.teams.matches import as_shown, book_of

_Command = Callable[..., None]
_Change = SettingsChanged | TeamPlayChanged
_HELP: Final = {
    "name": "What the tournament is called.",
    "rounds": "How many rounds.",
    "win": "Points for a win.",
    "draw": "Points for a draw.",
    "loss": "Points for a loss.",
    "bye": "Points for the bye of the odd one out.",
    "tie_breaks": "The tie-breaks in order, with commas.",
    "rule_set": "The dated rules of the tie-breaks.",
    "unrated": "What an unrated player counts in averages; empty for none.",
    "match_score": "yes or no: count a round of several games as one match.",
    "balance": "yes or no: balance who moves first.",
    "team_mates_meet": "yes or no: members of a team may meet.",
    "annul": "yes or no: the games of those who leave a round robin early are cancelled.",
    "third_place": "yes or no: play for third place in a knockout.",
    "system": "Before round 1: the system.",
    "games": "Before round 1: games that two play in a round.",
    "leader_first": "Before round 1: yes or no, the strongest moves first.",
    "bars": "Before round 1: the ratings worth a point in McMahon.",
    "grades": "Before round 1: floor and bar of McMahon by grades, such as `20k 4d handicap=1 rounding=down`.",
    "cycles": "Before round 1: how often everybody meets everybody in a round robin.",
    "accelerated": "Before round 1: yes or no, lend the stronger points in a Swiss.",
    "lives": "Before round 1: losses until out of a knockout.",
    "table_size": "Before round 1: 3 or 4 players at a table.",
    "place_points": "What places at a table are worth, such as 5,3,1,0; empty for even shares.",
    "open_rounds": "How many rounds may wait for results at once.",
    "round_games": "The games of the rounds in turn, with commas.",
    "streak": "yes or no: double points after wins in a row in an arena.",
    "reach": "How many rungs up a challenge on a ladder reaches.",
    "check_in": "Before round 1: yes or no, ask everybody to check in at the door.",
}


_PLAY_HELP: Final = {
    "match_win": "Teams: match points for a win.",
    "match_draw": "Teams: match points for a draw.",
    "match_loss": "Teams: match points for a loss.",
    "match_bye": "Teams: match points for a bye.",
    "board_bye": "Teams: points a bye brings for each game at a board.",
    "rank_by": "Teams: match-points or game-points come first.",
    "cup_breaks": "Teams in a knockout: what decides a level match.",
    "boards": "Teams, before round 1: at how many boards they play.",
    "alternate": "Teams, before round 1: yes or no, who moves first changes from board to board.",
}


def _options(command: _Command) -> _Command:
    """A command with an option for each setting: None where it is not given."""
    texts = {**_HELP, **_PLAY_HELP}
    for name in reversed(list(texts)):
        command = click.option(f"--{name.replace('_', '-')}", name, metavar="TEXT", help=texts[name])(command)
    return command


@click.command()
@tell_command
@_options
@click.option("--preview", is_flag=True, help="Only show what would follow.")
@why_option
@as_json
def settings(*, desk: Desk, why: str, preview: bool, as_json: bool, **given: str | None) -> None:
    """Show the settings, or change some, with a reason.

    Standings are computed again. Settings on which published rounds are based can no longer change.
    """
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
    print_lines(list(_consequences(before, after)))


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


def _consequences(before: Tournament, after: Tournament) -> Iterator[str]:
    """What follows: whose place in the standings is another."""
    words, moves = command_words(), moved_places(before, after)
    if not moves:
        yield words("cli.tournament.settings.same_places")
    for number, was, now in moves:
        who = as_shown(after).label_of(number)
        yield words("cli.tournament.settings.moved", who=who, before=was, now=now)


COMMANDS: Final = {"settings": settings}
