"""Export a tournament as CSV, TRF or JSON and print its sheets as HTML: the commands `export` and `print`."""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple

import click

from gnomon.cli import localized
from gnomon.cli.game_choice import GameChoice
from gnomon.cli.tournament_commands._event_log import Desk, OpenDesk, perhaps_reading, read_command
from gnomon.cli.words import CommandRefusedError, command_words
from gnomon.cli.words import say as say_here
from gnomon.hall.clock import timestamp
from gnomon.refusals import statement
from gnomon.rules.registry import GAMES, find_game
from gnomon.tournament.event_log.codec import SCHEMA, told_value
from gnomon.tournament.formats.go.reports import write_aga, write_h9
from gnomon.tournament.formats.tables.entrants import write_entrants
from gnomon.tournament.formats.tables.results import write_pairings, write_results, write_standings
from gnomon.tournament.formats.trf import Remark, TrfEdition, write_trf
from gnomon.tournament.state import Tournament
from gnomon.web.sheets.brackets import bracket_sheet
from gnomon.web.sheets.lists import (
    cross_sheet,
    entrants_sheet,
    pairings_by_board,
    pairings_by_name,
    standings_sheet,
    teams_sheet,
)
from gnomon.web.sheets.paper import Paper, PrintedSheet, render
from gnomon.web.sheets.slips import ANY_GAME, score_sheets, slips_sheet
from gnomon.web.sheets.teams import boards_sheet, lineup_sheet
from gnomon.words import LANGUAGES, Words, words

_output = localized.option("--output", "-o", default="-", metavar="FILE", help="option.output")
_PAPERS: Final = {"a4": Paper.A4, "letter": Paper.LETTER}
_MINUTE: Final = len("2026-11-20 18:30")
_SEAL: Final = 12  # letters of it that stand below a sheet: more than anybody can forge by trying


class _Wish(NamedTuple):
    """What was chosen beside the sheet itself."""

    in_round: int | None
    best: int = 4
    game: str | None = None
    separator: str = ","
    private: bool = False


_Make = Callable[[Tournament, Words, _Wish], PrintedSheet]

_TABLES: Final[Mapping[str, Callable[[Tournament, _Wish], str]]] = {
    "entrants": lambda of, wish: write_entrants(of, wish.separator, private=wish.private),
    "pairings": lambda of, wish: write_pairings(of, _round(of, wish), wish.separator),
    "results": lambda of, wish: write_results(of, wish.separator),
    "standings": lambda of, wish: write_standings(of, wish.separator),
}
_EDITIONS: Final = {"trf16": TrfEdition.TRF16, "trf26": TrfEdition.TRF26}
_GO: Final[Mapping[str, Callable[[Tournament], tuple[str, Sequence[Remark]]]]] = {
    "egf": lambda of: (write_h9(of), ()),
    "aga": write_aga,
}
SHEETS: Final[Mapping[str, _Make]] = {
    "entrants": lambda of, say, _: entrants_sheet(of, say),
    "pairings": lambda of, say, wish: pairings_by_board(of, _round(of, wish), say),
    "names": lambda of, say, wish: pairings_by_name(of, _round(of, wish), say),
    "standings": lambda of, say, wish: standings_sheet(of, say, wish.in_round),
    "cross": lambda of, say, wish: cross_sheet(of, say, wish.in_round),
    "bracket": lambda of, say, _: bracket_sheet(of, say),
    "teams": lambda of, say, wish: teams_sheet(of, wish.best, say, wish.in_round),
    "boards": lambda of, say, wish: boards_sheet(of, say, wish.in_round),
    "lineups": lambda of, say, wish: lineup_sheet(of, wish.in_round or of.next_round, say),
    "slips": lambda of, say, wish: slips_sheet(of, _round(of, wish), say),
    "score": lambda of, say, wish: score_sheets(of, _game(of, wish), say, _round(of, wish)),
}


@localized.command(help="command.tournament.export")
@localized.argument("form", metavar="FORMAT", type=click.Choice([*_TABLES, *_EDITIONS, *_GO, "json"]))
@read_command
@localized.option("--round", "in_round", type=int, help="option.tournament.export.round")
@localized.option(
    "--separator",
    type=click.Choice([",", ";", "tab"]),
    default=",",
    show_default=True,
    help="option.tournament.separator",
)
@localized.option("--private", is_flag=True, help="option.tournament.private")
@_output
def export(  # noqa: PLR0913 - what there is to choose
    *, form: str, desk: Desk, in_round: int | None, separator: str, private: bool, output: str
) -> None:
    """Write the tournament for other programs."""
    tournament = desk.look()
    if form in _TABLES:
        wish = _Wish(in_round, separator="\t" if separator == "tab" else separator, private=private)
        text = _TABLES[form](tournament, wish)
    elif form in _EDITIONS:
        made = write_trf(tournament, _EDITIONS[form])
        text = made.text
        _say_left_out(made.left_out)
    elif form in _GO:
        text, left_out = _GO[form](tournament)
        _say_left_out(left_out)
    else:
        seal = {"seal": desk.kept.seal} if desk.kept.seal else {}
        value = {"schema": SCHEMA, **seal, "events": [told_value(told) for told in desk.book.read()]}
        text = json.dumps(value, ensure_ascii=False, indent=2) + "\n"
    _write(text, output)


def _say_left_out(remarks: Sequence[Remark]) -> None:
    for remark in remarks:
        click.echo(say_here(statement("cli.tournament.left_out", what=remark.statement)), err=True)


@localized.command("print", help="command.tournament.print")
@localized.argument("sheet", metavar="SHEET", type=click.Choice(list(SHEETS)))
@perhaps_reading
@localized.option("--round", "in_round", type=int, help="option.tournament.print.round")
@localized.option("--best", type=click.IntRange(1), default=4, show_default=True, help="option.tournament.print.best")
@localized.option(
    "--game",
    type=GameChoice((*GAMES, ANY_GAME)),
    help="option.tournament.print.game",
)
@localized.option("--blank", is_flag=True, help="option.tournament.blank")
@localized.option("--language", type=click.Choice(LANGUAGES), help="option.tournament.language")
@localized.option(
    "--paper", type=click.Choice(list(_PAPERS)), default="a4", show_default=True, help="option.tournament.paper"
)
@_output
def print_(  # noqa: PLR0913 - what there is to choose
    *,
    sheet: str,
    desk: OpenDesk,
    in_round: int | None,
    best: int,
    game: str | None,
    blank: bool,
    language: str | None,
    paper: str,
    output: str,
) -> None:
    """Write a sheet to print, as HTML."""
    say = words(language) if language else command_words()
    if blank and sheet == "score":
        _write(render(score_sheets(None, game or ANY_GAME, say), say, _PAPERS[paper]), output)
        return
    opened = desk()
    made = SHEETS[sheet](opened.look(), say, _Wish(in_round, best, game))
    day = timestamp(opened.kept.wall())[:_MINUTE].replace("T", " ")
    label = f"{day} · {opened.kept.seal[:_SEAL] or len(opened.book.read())}"
    _write(render(made, say, _PAPERS[paper], label), output)


def _round(tournament: Tournament, wish: _Wish) -> int:
    """The round that was named, or the last. Raises TournamentError when none is published."""
    return tournament.round(len(tournament.rounds) if wish.in_round is None else wish.in_round).number


def _game(tournament: Tournament, wish: _Wish) -> str:
    """The game that was named, or that of the round, or any."""
    return wish.game or find_game(tournament.settings.game_in(_round(tournament, wish))) or ANY_GAME


def _write(text: str, output: str) -> None:
    try:
        with click.open_file(output, "wb") as target:  # a table and a report file have line ends of their own
            target.write(text.encode())
    except OSError as error:
        raise CommandRefusedError(statement("cli.unwritable", file=output, detail=error.strerror)) from error


COMMANDS: Final = {"export": export, "print": print_}
