"""Read from options how teams play each other: boards, match points, and which points rank first."""

from collections.abc import Callable
from functools import wraps
from typing import Any, Final

import click

from gnomon.cli import localized
from gnomon.cli.tournament_commands._places import Command
from gnomon.refusals import statement
from gnomon.tournament.settings.texts import parse_names
from gnomon.tournament.state.notation import parse_points
from gnomon.tournament.state.settings import Scoring
from gnomon.tournament.state.team_play import MOST_BOARDS, USUAL_BREAKS, TeamPlay

SCHEVENINGEN: Final = "scheveningen"

_OPTIONS: Final[tuple[Callable[[Command], Command], ...]] = (
    localized.option(
        "--boards",
        type=click.IntRange(1, MOST_BOARDS),
        metavar="NUMBER",
        help="option.tournament.boards",
    ),
    localized.option("--match-win", default="2", show_default=True, help="option.tournament.match_win"),
    localized.option("--match-draw", default="1", show_default=True, help="option.tournament.match_draw"),
    localized.option("--match-loss", default="0", show_default=True, help="option.tournament.match_loss"),
    localized.option("--match-bye", help="option.tournament.match_bye"),
    localized.option("--board-bye", default="½", show_default=True, help="option.tournament.board_bye"),
    localized.option(
        "--rank-by",
        type=click.Choice(["match-points", "game-points"]),
        default="match-points",
        show_default=True,
        help="option.tournament.rank_by",
    ),
    localized.option(
        "--cup-breaks",
        metavar="NAMES",
        default=", ".join(USUAL_BREAKS),
        show_default=True,
        help="option.tournament.cup_breaks",
    ),
    localized.option(
        "--alternate/--no-alternate",
        default=True,
        show_default=True,
        help="option.tournament.alternate",
    ),
)


def of_teams(command: Command) -> Command:
    """A command with the options of teams: it is given `play`, a TeamPlay, or None where single entrants play."""

    @wraps(command)
    def with_play(  # noqa: PLR0913 - all that is settled beforehand
        *args: Any,
        boards: int | None,
        match_win: str,
        match_draw: str,
        match_loss: str,
        match_bye: str | None,
        board_bye: str,
        rank_by: str,
        cup_breaks: str,
        alternate: bool,
        **options: Any,
    ) -> None:
        scheveningen = options["system"] == SCHEVENINGEN
        if boards is None:
            if scheveningen:
                raise localized.WrongUsageError(statement("usage.scheveningen"))
            command(*args, play=None, **options)
            return
        bye = match_draw if match_bye is None else match_bye
        scoring = Scoring(*map(parse_points, (match_win, match_draw, match_loss, bye)))
        games_first = rank_by == "game-points" or scheveningen
        breaks = parse_names(cup_breaks.upper())
        play = TeamPlay(boards, scoring, parse_points(board_bye), games_first, alternate, scheveningen, breaks)
        command(*args, play=play, **options)

    optional: Command = with_play
    for option in reversed(_OPTIONS):
        optional = option(optional)
    return optional
