"""Show and change the settings of a tournament: the command `settings`."""

from collections.abc import Callable, Iterator
from typing import Final

import click

from gnomon.cli._files import write_json
from gnomon.cli.tournament_commands._boards import say_event
from gnomon.cli.tournament_commands._event_log import Desk, as_json, print_lines, tell_command, why_option
from gnomon.cli.words import command_words, say
from gnomon.tournament.events import SettingsChanged
from gnomon.tournament.reducer import step
from gnomon.tournament.setting_changes import describe_changes, describe_settings
from gnomon.tournament.setting_texts import setting_texts, settings_with
from gnomon.tournament.standings import moved_places
from gnomon.tournament.state import Tournament
from gnomon.tournament.teams.matches import as_shown

_Command = Callable[..., None]
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


def _options(command: _Command) -> _Command:
    """A command with an option for each setting: None where it is not given."""
    for name in reversed(list(_HELP)):
        command = click.option(f"--{name.replace('_', '-')}", name, metavar="TEXT", help=_HELP[name])(command)
    return command


@click.command()
@tell_command
@_options
@click.option("--preview", is_flag=True, help="Only show what would follow.")
@why_option
@as_json
def settings(*, desk: Desk, why: str, preview: bool, as_json: bool, **given: str | None) -> None:
    """Show the settings, or change some, with a reason.

    Standings are computed anew. What the published rounds rest on stays as it is.
    """
    before = desk.look()
    texts = {name: text for name, text in given.items() if text is not None}
    if not texts:
        _show(before, as_json=as_json)
        return
    event = SettingsChanged(before.settings, settings_with(before.settings, texts), why or ("?" if preview else ""))
    after = step(before, event) if preview else desk.tell(event)
    if as_json:
        write_json({"settings": dict(setting_texts(after.settings)), "moved": list(moved_places(before, after))})
        return
    click.echo(say_event(after, event) if why else "; ".join(map(say, describe_changes(event.was, event.now))))
    if preview:
        click.echo(command_words()("cli.tournament.settings.preview"))
    print_lines(list(_consequences(before, after)))


def _show(tournament: Tournament, *, as_json: bool) -> None:
    if as_json:
        write_json(dict(setting_texts(tournament.settings)))
    else:
        print_lines([say(each) for each in describe_settings(tournament.settings)])


def _consequences(before: Tournament, after: Tournament) -> Iterator[str]:
    """What follows: whose place in the standings is another."""
    words, moves = command_words(), moved_places(before, after)
    if not moves:
        yield words("cli.tournament.settings.same_places")
    for number, was, now in moves:
        who = as_shown(after).label_of(number)
        yield words("cli.tournament.settings.moved", who=who, before=was, now=now)


COMMANDS: Final = {"settings": settings}
