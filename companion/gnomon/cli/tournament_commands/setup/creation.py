"""Open a tournament, or import entrants (CSV) or a whole one (TRF, OpenGotha): the commands `new` and `import`."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import click

from gnomon.cli import localized
from gnomon.cli.tournament_commands._event_log import Desk, namesake_option, open_command, print_lines, refuse_namesakes
from gnomon.cli.tournament_commands._places import TournamentLocation
from gnomon.cli.tournament_commands._rating_lists import filled_entries, list_options
from gnomon.cli.tournament_commands._team_play import SCHEVENINGEN, of_teams
from gnomon.cli.words import CommandRefusedError, command_words, say
from gnomon.refusals import Statement, statement, statement_of
from gnomon.tournament.errors import TournamentError, quote
from gnomon.tournament.events import TeamPlayTold, TournamentOpened
from gnomon.tournament.formats.go.opengotha import is_opengotha, read_opengotha
from gnomon.tournament.formats.tables.csv import decode
from gnomon.tournament.formats.tables.entrants import is_name, read_entrants
from gnomon.tournament.formats.trf import Imported, read_trf
from gnomon.tournament.settings.scope import check_scope
from gnomon.tournament.settings.texts import parse_names, parse_several_points
from gnomon.tournament.state.notation import parse_points
from gnomon.tournament.state.settings import (
    MOST_ROUNDS,
    MOST_STONES,
    GradeRules,
    Rounding,
    Scoring,
    System,
    TournamentSettings,
)
from gnomon.tournament.state.team_play import TeamPlay
from gnomon.tournament.strength.grades import parse_grade
from gnomon.tournament.teams.tiebreaks import USUAL, check_team_tie_break
from gnomon.tournament.tiebreaks.rule_sets import RULE_SETS, usual_rules, usual_tie_breaks
from gnomon.tournament.tiebreaks.values import check_tie_break, name_of

SYSTEMS: Final = {system.value.replace(" ", "-"): system for system in System}
_OR_OF_TEAMS: Final = SYSTEMS | {SCHEVENINGEN: System.ROUND_ROBIN}
_ROUNDS: Final = 5  # an evening's


@localized.command(help="command.tournament.new")
@localized.argument("name")
@open_command
@localized.option(
    "--system",
    type=click.Choice(list(_OR_OF_TEAMS)),
    default="swiss",
    show_default=True,
    help="option.tournament.system",
)
@localized.option("--rounds", type=int, help="option.tournament.new.rounds")
@localized.option("--entrants", type=click.IntRange(2, 9_999), metavar="NUMBER", help="option.tournament.entrants")
@localized.option("--games", type=int, default=1, show_default=True, help="option.tournament.new.games")
@localized.option("--match-score", is_flag=True, help="option.tournament.match_score")
@localized.option("--balance/--no-balance", default=True, show_default=True, help="option.tournament.balance")
@localized.option(
    "--lot",
    type=click.Choice(["first", "second"]),
    default="first",
    help="option.tournament.lot",
)
@localized.option("--win", default="1", show_default=True, help="option.tournament.win")
@localized.option("--draw", default="½", show_default=True, help="option.tournament.draw")
@localized.option("--loss", default="0", show_default=True, help="option.tournament.loss")
@localized.option("--bye", help="option.tournament.bye")
@localized.option("--mates/--no-mates", default=True, show_default=True, help="option.tournament.mates")
@localized.option(
    "--bar",
    "bars",
    metavar="RATING|GRADE",
    multiple=True,
    help="option.tournament.bar",
)
@localized.option("--floor", metavar="GRADE", help="option.tournament.floor")
@localized.option(
    "--handicap",
    type=click.IntRange(0, MOST_STONES),
    metavar="STONES",
    help="option.tournament.handicap",
)
@localized.option(
    "--rounding",
    type=click.Choice([one.value for one in Rounding]),
    default="none",
    show_default=True,
    help="option.tournament.rounding",
)
@localized.option("--cycles", type=int, default=1, show_default=True, help="option.tournament.cycles")
@localized.option("--annul/--no-annul", default=True, help="option.tournament.annul")
@localized.option("--third-place", is_flag=True, help="option.tournament.third_place")
@localized.option("--lives", type=click.IntRange(1, 2), default=1, show_default=True, help="option.tournament.lives")
@localized.option("--accelerated", is_flag=True, help="option.tournament.accelerated")
@localized.option(
    "--table-size", type=click.IntRange(3, 4), default=4, show_default=True, help="option.tournament.table_size"
)
@localized.option("--place-points", default="", help="option.tournament.new.place_points")
@localized.option("--round-games", default="", help="option.tournament.round_games")
@localized.option("--open-rounds", type=int, default=1, show_default=True, help="option.tournament.open_rounds")
@localized.option("--streak", is_flag=True, help="option.tournament.streak")
@localized.option("--reach", type=int, default=3, show_default=True, help="option.tournament.reach")
@localized.option("--check-in", is_flag=True, help="option.tournament.check_in")
@localized.option("--rule-set", "rules_name", type=click.Choice(list(RULE_SETS)), help="option.tournament.rule_set")
@localized.option("--tie-breaks", metavar="NAMES", help="option.tournament.tie_breaks")
@localized.option("--unrated", type=click.IntRange(0), metavar="RATING", help="option.tournament.unrated")
@of_teams
def new(  # noqa: PLR0913 - all that is settled beforehand
    *,
    name: str,
    place: TournamentLocation,
    who: str,
    system: str,
    rounds: int | None,
    entrants: int | None,
    games: int,
    match_score: bool,
    balance: bool,
    lot: str,
    win: str,
    draw: str,
    loss: str,
    bye: str | None,
    mates: bool,
    bars: tuple[str, ...],
    floor: str | None,
    handicap: int | None,
    rounding: str,
    cycles: int,
    annul: bool,
    third_place: bool,
    lives: int,
    accelerated: bool,
    check_in: bool,
    open_rounds: int,
    round_games: str,
    streak: bool,
    reach: int,
    table_size: int,
    place_points: str,
    rules_name: str | None,
    tie_breaks: str | None,
    unrated: int | None,
    play: TeamPlay | None,
) -> None:
    """Open the tournament NAME."""
    if not is_name(name):
        raise TournamentError(statement("cli.tournament.no_name", text=quote(name)))
    chosen = _OR_OF_TEAMS[system]
    if play is not None and play.scheveningen:
        rounds = rounds or play.boards * cycles
    settings = TournamentSettings(
        name=name,
        system=chosen,
        rounds=_rounds(chosen, rounds, entrants, cycles if chosen is System.ROUND_ROBIN else lives),
        games=games,
        match_score=match_score,
        balance=balance,
        leader_first=lot == "first",
        scoring=Scoring(*map(parse_points, (win, draw, loss, win if bye is None else bye))),
        team_mates_meet=mates,
        bars=tuple(int(bar) for bar in bars if bar.isdecimal()),
        grades=_grade_rules(bars, floor, handicap, Rounding(rounding)),
        cycles=cycles,
        annul=annul,
        third_place=third_place,
        lives=lives,
        accelerated=accelerated,
        check_in=check_in,
        open_rounds=open_rounds,
        round_games=parse_names(round_games),
        streak=streak,
        reach=reach,
        table_size=table_size,
        place_points=parse_several_points(place_points),
        unrated=unrated,
    )
    rules = RULE_SETS[rules_name] if rules_name else usual_rules(chosen)
    usual = rules.tie_breaks if rules_name else usual_tie_breaks(chosen, rules)
    if play is not None:
        usual = USUAL.get(chosen, usual)
    check = check_tie_break if play is None else check_team_tie_break
    breaks = usual if tie_breaks is None else _parse_tie_breaks(tie_breaks, check)
    settings = replace(settings, rule_set=rules.name, tie_breaks=breaks)
    check_scope(settings)
    desk = Desk(place.new(name), who)
    desk.tell(TournamentOpened(settings), *([] if play is None else [TeamPlayTold(play)]))
    _print_opened(desk, settings)


@localized.command("import", help="command.tournament.import")
@localized.argument("source", metavar="FILE", type=click.Path(path_type=Path))
@namesake_option
@list_options
@open_command
def import_(  # noqa: PLR0913 - what there is to choose
    *, source: Path, place: TournamentLocation, who: str, namesake: bool, list_file: Path | None, list_kind: str
) -> None:
    """Bring in entrants, or a whole tournament."""
    text = _text_of(source)
    if _is_report(text):
        _import_report(source, read_trf, text, place, who)
    elif is_opengotha(text):
        _import_report(source, read_opengotha, text, place, who)
    else:
        _import_entrants(source, text, Desk(place.find(), who), (list_file, list_kind), namesake=namesake)


def _import_entrants(source: Path, text: str, desk: Desk, listed: tuple[Path | None, str], *, namesake: bool) -> None:
    tournament = desk.look()
    try:
        found = read_entrants(text, tuple(tournament.entrants))
        if not namesake:
            refuse_namesakes(tournament, found.registrations, found.lines)
    except TournamentError as error:
        raise CommandRefusedError(statement("cli.failed", file=source, why=statement_of(error))) from error
    words = command_words()
    why = words("cli.tournament.import", file=source.name)
    filled = filled_entries(*listed, found.registrations, found.persons)
    desk.tell(*filled.registrations, *filled.persons, why=why)
    click.echo(words.plural("cli.tournament.registered", len(found.registrations), file=source))
    if found.is_list:
        click.echo(words("cli.tournament.listed"))
    if found.left_out:
        columns = ", ".join(found.left_out)
        click.echo(words.plural("cli.tournament.columns", len(found.left_out), columns=columns))


def _import_report(
    source: Path, read: Callable[[str], Imported], text: str, place: TournamentLocation, who: str
) -> None:
    try:
        found = read(text)
    except TournamentError as error:
        raise CommandRefusedError(statement("cli.failed", file=source, why=statement_of(error))) from error
    desk = Desk(place.new(found.tournament.settings.name), who)
    words = command_words()
    desk.tell(*found.events, why=words("cli.tournament.import", file=source.name))
    _print_opened(desk, found.tournament.settings)
    rounds = len(found.tournament.rounds)
    click.echo(words("cli.tournament.read", number=len(found.tournament.entrants), rounds=rounds))
    print_lines([say(statement("cli.tournament.left_out", what=remark.statement)) for remark in found.left_out])


def _text_of(source: Path) -> str:
    try:
        return decode(_content(source))
    except TournamentError as error:
        raise CommandRefusedError(statement("cli.failed", file=source, why=statement_of(error))) from error


def _content(source: Path) -> bytes:
    try:
        return source.read_bytes()
    except OSError as error:
        raise CommandRefusedError(statement("cli.unreadable", file=source, detail=error.strerror)) from error


def _is_report(text: str) -> bool:
    """Whether a text begins as a report file does: three digits, or three letters, and a blank."""
    return re.match(r"\s*(?:[0-9]{3}|XX[A-Z]|BB[A-Z]|###)(?: |\r|\n)", text) is not None


def _print_opened(desk: Desk, settings: TournamentSettings) -> None:
    """Say where the tournament is kept, and what was settled."""
    opened = statement("cli.failed", file=desk.kept.called, why=describe(settings))
    click.echo(say(opened))


def describe(settings: TournamentSettings) -> Statement:
    """What was settled, in a line."""
    words = command_words()
    rounds = words.plural("cli.tournament.rounds", settings.rounds)
    if settings.games > 1:
        rounds = words("cli.tournament.rounds.games", rounds=rounds, games=settings.games)
    return statement(
        "cli.tournament.settings",
        name=settings.name,
        system=settings.system.value,
        rounds=rounds,
        breaks=settings.tie_breaks or statement("cli.tournament.no_breaks"),
        edition=settings.rule_set,
    )


def _rounds(system: System, rounds: int | None, entrants: int | None, times: int) -> int:
    """How many; `times` is how often all meet all in a round robin, or how often one must lose in a knockout."""
    if rounds is not None:
        return rounds
    if system in {System.ARENA, System.LADDER}:
        return MOST_ROUNDS
    if entrants is not None:
        if system is System.ROUND_ROBIN:
            return (entrants - 1 + entrants % 2) * times
        # In double elimination the losers take as long again, and one who loses only the final gets another.
        return (entrants - 1).bit_length() * times + (times > 1)
    if system in {System.ROUND_ROBIN, System.KNOCKOUT}:
        raise localized.WrongUsageError(statement("usage.number_of_rounds", system=system.value))
    return _ROUNDS


def _grade_rules(bars: Sequence[str], floor: str | None, handicap: int | None, rounding: Rounding) -> GradeRules | None:
    """McMahon by grades where any of this was settled. Raises TournamentError for what is no grade."""
    usual = GradeRules(handicap=handicap, rounding=rounding)
    graded = [parse_grade(bar) for bar in bars if not bar.isdecimal()]
    told = replace(
        usual,
        bar=graded[-1] if graded else usual.bar,
        floor=usual.floor if floor is None else parse_grade(floor),
    )
    return None if told == GradeRules() and not graded and floor is None else told


def _parse_tie_breaks(names: str, check: Callable[[str], None]) -> tuple[str, ...]:
    """Tie-breaks by their names. Raises TournamentError for one that there is not."""
    chosen = tuple(filter(None, map(name_of, names.split(","))))
    for name in chosen:
        check(name)
    return chosen


COMMANDS: Final = {"new": new, "import": import_}
