"""Show standings, rounds, cross tables and brackets: the commands `standings`, `rounds` and `cross`."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

import click

from gnomon.cli import localized
from gnomon.cli._files import write_json
from gnomon.cli._tables import TextColumn, hanging_lines, table
from gnomon.cli.tournament_commands._boards import name_lines, round_lines
from gnomon.cli.tournament_commands._event_log import Desk, as_json, print_lines, read_command
from gnomon.cli.tournament_commands._json_views import (
    cross_value,
    round_value,
    standings_value,
    teams_value,
)
from gnomon.cli.tournament_commands.rounds.multiplayer import table_lines, tables_value
from gnomon.cli.words import command_words
from gnomon.tournament.standings import Standing, team_standings
from gnomon.tournament.standings import standings as ranked_now
from gnomon.tournament.standings.crosstables import (
    FIRST,
    CrossTableRow,
    Match,
    Slot,
    all_against_all,
    as_of,
    bracket_of,
    cross_table,
    has_bracket,
    is_table,
)
from gnomon.tournament.standings.pentamind import pentamind_points
from gnomon.tournament.state import Tournament
from gnomon.tournament.state.notation import boards_text, points_text, value_text
from gnomon.tournament.state.round_history import counts_bye_early
from gnomon.tournament.state.rounds import Round
from gnomon.tournament.teams.individuals import board_scores
from gnomon.tournament.teams.matches import as_shown
from gnomon.web.sheets.brackets import second_final
from gnomon.web.sheets.rounds import game_of_round, round_heading

if TYPE_CHECKING:
    from gnomon.cli.tournament_commands._luck import WorkedOutLuck

_round = localized.option("--round", "after", type=int, help="option.tournament.round")


@localized.command(help="command.tournament.standings")
@read_command
@_round
@localized.option(
    "--teams",
    type=click.IntRange(1),
    metavar="BEST",
    help="option.tournament.teams",
)
@localized.option("--boards", is_flag=True, help="option.tournament.standings.boards")
@localized.option("--pentamind", is_flag=True, help="option.tournament.pentamind")
@localized.option(
    "--luck",
    "with_luck",
    is_flag=True,
    help="option.tournament.luck",
)
@localized.option(
    "--games",
    multiple=True,
    metavar="FILE",
    help="option.tournament.standings.games",
)
@as_json
def standings(  # noqa: PLR0913 - what there is to choose
    *,
    desk: Desk,
    after: int | None,
    teams: int | None,
    boards: bool,
    pentamind: bool,
    with_luck: bool,
    games: tuple[str, ...],
    as_json: bool,
) -> None:
    """Show the standings: points, then the tie-breaks."""
    tournament = _state_after(desk, after)
    if teams is not None:
        _show_teams(tournament, teams, as_json=as_json)
        return
    if boards:
        _show_boards(tournament, as_json=as_json)
        return
    luck = _luck(desk, tournament, games) if with_luck or games else None
    tournament, title = as_shown(tournament), _title(tournament, command_words()("sheet.standings"))
    ranked = ranked_now(tournament)
    worth = {one: f"{float(points):.2f}" for one, points in pentamind_points(ranked).items()} if pentamind else {}
    if as_json:
        rows = standings_value(tournament, ranked, worth)
        more = {} if luck is None else luck.values(tournament)
        write_json([row | more.get(one.number, {}) for row, one in zip(rows, ranked, strict=True)])
        return
    click.echo(title)
    breaks = (*tournament.settings.tie_breaks, *(["Pentamind"] if pentamind else []))
    columns = (*_place_columns(), *(TextColumn(name, right=True) for name in breaks))
    last = {one: (text,) for one, text in worth.items()}
    lines = [(*_row(tournament, one), *map(value_text, one.values), *last.get(one.number, ())) for one in ranked]
    print_lines(list(table(columns, lines)))
    if counts_bye_early(tournament):
        click.echo(command_words()("sheet.waiting.bye"))
    if luck is not None:
        print_lines(["", *luck.lines(tournament)])


@localized.command(help="command.tournament.rounds")
@localized.argument("number", type=int, required=False)
@read_command
@localized.option("--by-name", is_flag=True, help="option.tournament.by_name")
@as_json
def rounds(*, number: int | None, desk: Desk, by_name: bool, as_json: bool) -> None:
    """Show the round NUMBER, or all of them, with results."""
    tournament = desk.look()
    shown = tournament.rounds if number is None else (tournament.round(number),)
    if as_json:
        write_json([(tables_value if round_.tables else round_value)(tournament, round_) for round_ in shown])
        return
    if not shown:
        click.echo(command_words()("cli.tournament.no_round", number=len(tournament.entrants)))
    for place, round_ in enumerate(shown):
        print_lines([""] * bool(place) + [_round_title(tournament, round_)])
        print_lines(list(name_lines(tournament, round_.pairings) if by_name else _boards(tournament, round_)))


@localized.command(help="command.tournament.cross")
@read_command
@_round
@as_json
def cross(*, desk: Desk, after: int | None, as_json: bool) -> None:
    """Show who met whom."""
    played = _state_after(desk, after)
    tournament = as_shown(played)
    if has_bracket(tournament) and not as_json:
        print_lines(list(_bracket(tournament)))
        return
    rows = all_against_all(tournament) if is_table(tournament) else cross_table(tournament)
    if as_json:
        write_json(cross_value(tournament, rows))
        return
    click.echo(_title(played, command_words()("sheet.cross")))
    print_lines(list(_cross(tournament, rows)))


_OWN: Final = "×"  # where an entrant would meet themselves


def _luck(desk: Desk, tournament: Tournament, files: Sequence[str]) -> "WorkedOutLuck":
    from gnomon.cli.tournament_commands._luck import work_out

    return work_out(desk, tournament, files)


def _state_after(desk: Desk, after: int | None) -> Tournament:
    tournament = desk.look()
    return tournament if after is None else as_of(tournament, after)


def _row(tournament: Tournament, one: Standing) -> tuple[str, ...]:
    return str(one.place), str(one.number), tournament.entrants[one.number].name, points_text(one.points)


def _title(tournament: Tournament, what: str) -> str:
    words, played, rounds = command_words(), len(tournament.rounds), tournament.settings.rounds
    if tournament.waiting:
        boards = boards_text(tournament.waiting)
        return words("cli.tournament.as_of.without", what=what, number=played, rounds=rounds, boards=boards)
    return words("cli.tournament.as_of", what=what, number=played, rounds=rounds)


def _round_title(tournament: Tournament, round_: Round) -> str:
    words, number, rounds = command_words(), round_.number, tournament.settings.rounds
    if round_.waiting:
        game, boards = game_of_round(tournament.settings, number, words), boards_text(round_.waiting)
        told = words("cli.tournament.round.waiting", number=number, rounds=rounds, boards=boards)
        return f"{told} – {game}" if game else told
    return round_heading(tournament.settings, number, words)


def _place_columns() -> tuple[TextColumn, ...]:
    words = command_words()
    return (
        TextColumn(words("sheet.place"), right=True),
        TextColumn(words("sheet.no"), right=True),
        TextColumn(words("sheet.name"), gives=True),
        TextColumn(words("sheet.points"), right=True),
    )


def _boards(tournament: Tournament, round_: Round) -> Iterator[str]:
    if round_.tables:
        return table_lines(tournament, round_)
    return round_lines(tournament, round_)


def _show_teams(tournament: Tournament, best: int, *, as_json: bool) -> None:
    teams = team_standings(tournament, best)
    if as_json:
        write_json(teams_value(teams))
        return
    words = command_words()
    click.echo(_title(tournament, words.plural("sheet.teams", best)))
    names = tournament.entrants
    rows = [(str(t.place), t.team, points_text(t.points), ", ".join(names[n].name for n in t.counted)) for t in teams]
    columns = (
        TextColumn(words("sheet.place"), right=True),
        TextColumn(words("sheet.team"), gives=True),
        TextColumn(words("sheet.points"), right=True),
        TextColumn(words("sheet.counted"), gives=True),
    )
    print_lines(list(table(columns, rows)))


def _show_boards(tournament: Tournament, *, as_json: bool) -> None:
    told = board_scores(tournament)
    if as_json:
        write_json([{**one._asdict(), "points": str(one.points)} for one in told])
        return
    words, names = command_words(), tournament.entrants
    click.echo(_title(tournament, words("sheet.by_board")))
    rows = [
        (
            str(one.board),
            str(one.place),
            str(one.number),
            names[one.number].name,
            names[one.number].team,
            points_text(one.points),
            str(one.games),
        )
        for one in told
    ]
    columns = (
        TextColumn(words("sheet.board"), right=True),
        TextColumn(words("sheet.place"), right=True),
        TextColumn(words("sheet.no"), right=True),
        TextColumn(words("sheet.name"), gives=True),
        TextColumn(words("sheet.team"), gives=True),
        TextColumn(words("sheet.points"), right=True),
        TextColumn(words("sheet.games"), right=True),
    )
    print_lines(list(table(columns, rows)))


def _cross(tournament: Tournament, rows: Sequence[CrossTableRow]) -> Iterator[str]:
    against_all = is_table(tournament)
    heads = range(1, (len(rows) if against_all else len(tournament.rounds)) + 1)
    words = command_words()
    *entrant, points_column = _place_columns()
    columns = (
        *entrant,
        *(TextColumn(str(head) if against_all else f"R{head}", right=True) for head in heads),
        points_column,
    )
    lines = []
    for at, row in enumerate(rows):
        cells = [_OWN if against_all and column == at else text for column, text in enumerate(row.cells)]
        place, number, name, points = _row(tournament, row.standing)
        lines.append((place, number, name, *cells, points))
    yield from table(columns, lines)
    if not against_all:
        yield from hanging_lines("", words("sheet.cross.cells"))
        yield words("sheet.cross.idle")
        if tournament.settings.balances:
            yield words("sheet.cross.first", sign=FIRST)


def _bracket(tournament: Tournament) -> Iterator[str]:
    drawn, words = bracket_of(tournament), command_words()

    def by_round(name: str, rounds: Sequence[Sequence[Match]]) -> list[tuple[str, Sequence[Match]]]:
        title = f"{words(name)} · " if tournament.settings.lives > 1 else ""
        return [(f"{title}{words('sheet.round.number', number=matches[0].round)}", matches) for matches in rounds]

    third = ((words("sheet.third"), (drawn.third,)),) if drawn.third else ()
    finals = (
        (words(name), (match,)) for name, match in zip(("sheet.final", second_final(drawn)), drawn.finals, strict=False)
    )
    lower = by_round("sheet.bracket.lower", drawn.lower)
    for title, matches in (*by_round("sheet.bracket.upper", drawn.rounds), *third, *lower, *finals):
        yield title
        seats = [[_slot(tournament, slot) for slot in match.slots] for match in matches]
        rows = [(str(match.board), *pair, match.told) for match, pair in zip(matches, seats, strict=True)]
        columns = (
            TextColumn(words("sheet.board"), right=True),
            TextColumn("", gives=True),
            TextColumn("", gives=True),
            TextColumn(words("sheet.result")),
        )
        yield from table(columns, rows)


def _slot(tournament: Tournament, slot: Slot) -> str:
    return "–" if slot.number is None else f"{tournament.label_of(slot.number)}{' *' if slot.won else ''}"


COMMANDS: Final = {"standings": standings, "rounds": rounds, "cross": cross}
