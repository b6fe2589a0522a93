"""Enter teams with their rosters and line-ups: the commands `team`, `teams` and `lineup`."""

from collections.abc import Sequence
from typing import Final

import click

from gnomon.cli import localized
from gnomon.cli._files import write_json
from gnomon.cli._tables import TextColumn, hanging_lines, table
from gnomon.cli.tournament_commands._boards import say_event
from gnomon.cli.tournament_commands._event_log import (
    Desk,
    as_json,
    namesake_option,
    print_lines,
    refuse_namesakes,
    tell_command,
    why_option,
)
from gnomon.cli.tournament_commands.setup.entrants import parse_rating
from gnomon.cli.words import command_words
from gnomon.numbers import parse_whole
from gnomon.refusals import statement
from gnomon.tournament.errors import TournamentError, quote
from gnomon.tournament.events import EntrantRegistered, LineupTold, TeamTold
from gnomon.tournament.formats.tables.entrants import MOST_NUMBER, is_name
from gnomon.tournament.state import Tournament
from gnomon.tournament.teams.matches import book_of, named_teams, team_view
from gnomon.tournament.teams.seating import EMPTY, lineup_of

_NOBODY: Final = "-"
# Nobody is written as a dash, which begins like an option and is none.
_WORDS: Final = {"ignore_unknown_options": True}


@localized.command(help="command.tournament.team")
@localized.argument("name")
@localized.argument("members", metavar="[MEMBER]...", nargs=-1)
@tell_command
@localized.option("--number", type=int, help="option.tournament.team.number")
@localized.option("--captain", help="option.tournament.captain")
@localized.option("--since", type=int, help="option.tournament.team.since")
@localized.option("--add", "adds", is_flag=True, help="option.tournament.add")
@localized.option("--rename", help="option.tournament.rename")
@namesake_option
@why_option
def team(  # noqa: PLR0913 - what there is to say of a team
    *,
    name: str,
    members: tuple[str, ...],
    desk: Desk,
    number: int | None,
    captain: str | None,
    since: int | None,
    adds: bool,
    rename: str | None,
    namesake: bool,
    why: str,
) -> None:
    """Enter the team NAME, or change what is known of it."""
    tournament = desk.look()
    teams = team_view(tournament)
    rosters = book_of(tournament).rosters
    known = next((one for one in teams.entrants.values() if one.name == name), None)
    new, numbers = _members(tournament, members)
    if not namesake:
        refuse_namesakes(tournament, new)
    if known is None:
        chosen = number or max(teams.entrants, default=0) + 1
        roster, speaks, first = numbers, captain or "", since or teams.next_round
    else:
        was = rosters[known.number]
        chosen, first = known.number, known.since
        roster = (*was.members, *numbers) if adds else numbers or was.members
        speaks = was.captain if captain is None else captain
    called = rename or name
    if not is_name(called):
        raise TournamentError(statement("cli.tournament.team_name", text=quote(called)))
    event = TeamTold(chosen, called, roster, speaks, first)
    after = desk.tell(*new, event, why=why)
    print_lines([say_event(after, event)])


@localized.command(help="command.tournament.teams")
@tell_command
@localized.option("--enter", is_flag=True, help="option.tournament.enter")
@as_json
def teams(*, desk: Desk, enter: bool, as_json: bool) -> None:
    """List the teams with their rosters, the strongest first."""
    tournament = desk.look()
    if enter:
        tournament = desk.tell(*named_teams(tournament))
    shown = team_view(tournament)
    rosters = book_of(tournament).rosters
    if as_json:
        write_json(
            [
                {
                    **shown.entrants[number]._asdict(),
                    "members": list(rosters[number].members),
                    "captain": rosters[number].captain,
                    "withdrawn_since": shown.withdrawn.get(number),
                }
                for number in shown.seeds
            ]
        )
        return
    words = command_words()
    columns = (
        TextColumn(words("sheet.no"), right=True),
        TextColumn(words("sheet.team"), gives=True),
        TextColumn(words("sheet.rating"), right=True),
        TextColumn(words("sheet.captain"), gives=True),
    )
    rows = [
        (
            str(number),
            shown.entrants[number].name,
            "" if shown.entrants[number].rating is None else str(shown.entrants[number].rating),
            rosters[number].captain,
        )
        for number in shown.seeds
    ]
    head, *lines = table(columns, rows)
    click.echo(head)
    for line, number in zip(lines, shown.seeds, strict=True):
        click.echo(line)
        print_lines(list(hanging_lines("    ", ", ".join(map(tournament.label_of, rosters[number].members)))))
    playing = len(shown.players(shown.next_round))
    click.echo(words.plural("cli.tournament.team_count", len(rows), playing=playing, round=shown.next_round))


@localized.command(context_settings=_WORDS, help="command.tournament.lineup")
@localized.argument("name", metavar="TEAM")
@localized.argument("players", metavar="[PLAYER]...", nargs=-1)
@tell_command
@localized.option("--round", "in_round", type=int, help="option.tournament.bye.round")
@localized.option("--roster", is_flag=True, help="option.tournament.roster")
@why_option
def lineup(  # noqa: PLR0913 - what there is to say of a line-up
    *, name: str, players: tuple[str, ...], desk: Desk, in_round: int | None, roster: bool, why: str
) -> None:
    """Say who plays for TEAM in a round, board by board."""
    tournament = desk.look()
    number = _team(tournament, name)
    chosen = in_round or tournament.next_round
    if not players and not roster:
        told = LineupTold(number, chosen, lineup_of(tournament, number, chosen))
        print_lines([say_event(tournament, told)])
        return
    event = LineupTold(number, chosen, () if roster else tuple(map(_player, players)))
    print_lines([say_event(desk.tell(event, why=why), event)])


def _team(tournament: Tournament, text: str) -> int:
    """The team of a number or a name. Raises TournamentError when there is none."""
    teams = book_of(tournament).matches
    named = next((one.number for one in teams.entrants.values() if one.name.casefold() == text.casefold()), None)
    number = named or parse_whole(text, MOST_NUMBER)
    if number is None or number not in teams.entrants:
        raise TournamentError(statement("cli.tournament.no_team", text=quote(text)))
    return number


def _player(text: str) -> int:
    number = EMPTY if text == _NOBODY else parse_whole(text, MOST_NUMBER)
    if number is None:
        raise TournamentError(statement("cli.tournament.no_player", text=quote(text)))
    return number


def _members(tournament: Tournament, words: Sequence[str]) -> tuple[list[EntrantRegistered], tuple[int, ...]]:
    """Who enters with a team, and the numbers of all its members."""
    new: list[EntrantRegistered] = []
    numbers: list[int] = []
    following = max(tournament.entrants, default=0) + 1
    for word in words:
        number = parse_whole(word, MOST_NUMBER)
        if number is None:
            number = following + len(new)
            new.append(EntrantRegistered(number, *parse_rating(word, None), since=tournament.next_round))
        numbers.append(number)
    return new, tuple(numbers)


COMMANDS: Final = {"team": team, "teams": teams, "lineup": lineup}
