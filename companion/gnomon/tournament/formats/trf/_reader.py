"""Read a report file of any edition into tournament events, with remarks on what was left out."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from gnomon.refusals import statement
from gnomon.tournament.events import Event
from gnomon.tournament.formats.trf._columns import RoundColumn, columns_of, merge_columns, two_games
from gnomon.tournament.formats.trf._course import course_of, enter_all
from gnomon.tournament.formats.trf._parser import parse
from gnomon.tournament.formats.trf._regulations import (
    OWN_ROUND_ROBIN,
    SHORT_FOR,
    SystemFormat,
    columns_per_round,
    format_of,
    own_code_of,
    settings_of,
    words_of,
)
from gnomon.tournament.formats.trf._team_codes import team_code_of, team_format_of, team_tie_breaks_of, team_words_of
from gnomon.tournament.formats.trf._team_course import play_of, team_course_of
from gnomon.tournament.formats.trf.sheet import Remark, TrfError, TrfSheet
from gnomon.tournament.formats.trf.sheets import lent_to_teams
from gnomon.tournament.state import Tournament
from gnomon.tournament.state.particulars import Heading
from gnomon.tournament.state.round_history import histories, score
from gnomon.tournament.state.settings import System, TournamentSettings
from gnomon.tournament.strength.given_points import lent_points, starting_points


@dataclass(frozen=True, slots=True)
class Imported:
    """What a file tells: events that can be replayed, the tournament they make, and what was left out."""

    events: tuple[Event, ...]
    tournament: Tournament
    left_out: tuple[Remark, ...]


def read_trf(text: str) -> Imported:
    """The events that a report file of any edition tells.

    Raises TrfError, with line and column where there are, for what is no such file, contradicts itself, breaks an
    absolute rule, or cannot be held.
    """
    sheet, unread = parse(text)
    if not sheet.players:
        raise TrfError(statement("tournament.trf.nobody"))
    if sheet.of_teams:
        return _read_teams(sheet, unread)
    told = format_of(sheet.system, sheet.heading.kind)
    columns, unrated = columns_of(sheet)
    # A round robin has no code of its own for two games: its rounds show them.
    if sheet.system == OWN_ROUND_ROBIN and two_games(columns):
        told = told._replace(games=2)
    plain = told.system is System.SWISS and not told.accelerated
    bars, no_bars = _bars(sheet) if plain else ((), _no_bonus(sheet))
    settings, untold = settings_of(sheet, told, bars)
    if told.games > 1:
        columns = merge_columns(columns)
    heading = sheet.heading
    if heading.virtual:
        settings, heading, kept = _add_acceleration(sheet, settings, columns)
        untold = (*untold, *kept)
    if heading.kind == words_of(settings):  # as every file has it where nobody has told another
        heading = replace(heading, kind="")
    course = course_of(replace(sheet, heading=heading), settings, columns)
    return Imported(
        tuple(course.events),
        course.tournament,
        (
            *unread,
            *unrated,
            *no_bars,
            *untold,
            *course.remarks,
            *_of_system(sheet, settings),
            *_of_points(sheet, course.tournament),
        ),
    )


def _read_teams(sheet: TrfSheet, unread: tuple[Remark, ...]) -> Imported:
    """The events of a competition in which teams play teams."""
    told = team_format_of(sheet.system, sheet.heading.kind)
    columns, unrated = columns_of(sheet)
    plain = SystemFormat(told.system, told.cycles, accelerated=told.accelerated)
    settings, untold = settings_of(replace(sheet, tie_breaks=None), plain)
    tie_breaks, unknown = team_tie_breaks_of(sheet.tie_breaks or ())
    settings = replace(settings, tie_breaks=tie_breaks)
    play = play_of(sheet, told, columns, settings)
    if sheet.heading.kind == team_words_of(settings, play):
        sheet = replace(sheet, heading=replace(sheet.heading, kind=""))
    course = team_course_of(sheet, settings, play, columns)
    if sheet.heading.virtual:
        is_own = settings.accelerated and {*sheet.heading.virtual} == {*lent_to_teams(course.tournament)}
        if is_own:
            heading = replace(sheet.heading, virtual=())
            course = team_course_of(replace(sheet, heading=heading), settings, play, columns)
        else:
            untold = (*untold, Remark(statement("tournament.trf.lent")))
    remarks = (*unread, *unrated, *_no_bonus(sheet), *untold, *unknown, *course.remarks)
    own = team_code_of(settings, play)
    if sheet.system not in {"", own}:
        remarks = (*remarks, Remark(statement("tournament.trf.system_becomes", code=sheet.system, own=own)))
    return Imported(tuple(course.events), course.tournament, remarks)


def _add_acceleration(
    sheet: TrfSheet, settings: TournamentSettings, columns: Sequence[RoundColumn]
) -> tuple[TournamentSettings, Heading, tuple[Remark, ...]]:
    """The settings with Baku's acceleration where the file lends just what it does; else what it lends is handed on."""
    if settings.system is System.SWISS:
        accelerated = replace(settings, accelerated=True)
        entrants = enter_all(sheet, accelerated, columns).tournament
        width = columns_per_round(settings)
        lent = {
            (one, number): points
            for number in range(1, settings.rounds + 1)
            for one, points in lent_points(entrants, number).items()
        }
        told = {
            (one, (number + width - 1) // width): virtual.points
            for virtual in sheet.heading.virtual
            for number in range(virtual.first, virtual.last + 1)
            for one in range(virtual.one, virtual.other + 1)
            if one in entrants.entrants
        }
        if told == lent:
            return accelerated, replace(sheet.heading, virtual=()), ()
    what = statement("tournament.trf.lent")
    return settings, sheet.heading, (Remark(what),)


def _bars(sheet: TrfSheet) -> tuple[tuple[int, ...], tuple[Remark, ...]]:
    """The ratings from which a player begins with a point more, where the bonuses of a file go by rating."""
    begin = {player.number: 0 for player in sheet.players}
    for bonus in sheet.bonuses:
        if bonus.round is not None or bonus.points.denominator != 1 or bonus.points < 0:
            return (), _no_bonus(sheet)
        begin |= {one: begin.get(one, 0) + int(bonus.points) for one in bonus.numbers}
    rated = {player.number: player.rating for player in sheet.players if player.rating is not None}
    if any(points and one not in rated for one, points in begin.items()):
        return (), _no_bonus(sheet)
    most = max(begin.values())
    bars = tuple(min(rated[one] for one in rated if begin[one] >= level) for level in range(1, most + 1))
    if any(sum(rated.get(one, -1) >= bar for bar in bars) != points for one, points in begin.items()):
        return (), _no_bonus(sheet)
    return bars, ()


def _no_bonus(sheet: TrfSheet) -> tuple[Remark, ...]:
    what = statement("tournament.trf.no_bonus")
    return tuple(Remark(what, bonus.line) for bonus in sheet.bonuses)


def _of_system(sheet: TrfSheet, settings: TournamentSettings) -> tuple[Remark, ...]:
    own = own_code_of(settings)
    if SHORT_FOR.get(sheet.system, sheet.system) in {"", own}:
        return ()
    return (Remark(statement("tournament.trf.system_becomes", code=sheet.system, own=own)),)


def _of_points(sheet: TrfSheet, tournament: Tournament) -> tuple[Remark, ...]:
    told = histories(tournament)
    return tuple(
        Remark(
            statement(
                "tournament.trf.points_differ",
                who=f"{player.number} {player.name}",
                told=float(player.points),
                counted=float(computed),
            ),
            player.line,
        )
        for player in sheet.players
        if player.points is not None
        and player.points != (computed := starting_points(tournament, player.number) + score(told[player.number]))
    )
