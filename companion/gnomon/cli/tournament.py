"""Dispatch `gnomon tournament` to its subcommands, and report each refusal as one sentence."""

from importlib import import_module
from typing import Final

import click

from gnomon.cli import localized
from gnomon.cli.words import CommandRefusedError
from gnomon.hall.rounds.event_log import BookError
from gnomon.refusals import statement
from gnomon.tournament.errors import TournamentError

_MODULES: Final = {
    "setup.creation": ("new", "import"),
    "setup.settings": ("settings",),
    "setup.particulars": ("heading",),
    "setup.door": ("check-in", "payment"),
    "reports.prizes": ("prizes",),
    "setup.entrants": ("add", "entrant", "withdraw", "return", "bye", "apart", "entrants"),
    "setup.teams": ("team", "teams", "lineup"),
    "setup.stages": ("split", "advance", "seed"),
    "rounds.pairing": ("pair", "publish", "change", "revoke"),
    "rounds.results": ("result", "correct"),
    "rounds.deadlines": ("deadline",),
    "reports.standings": ("standings", "rounds", "cross"),
    "rounds.multiplayer": ("tables", "places"),
    "reports.series": ("series",),
    "reports.ratings": ("ratings", "elo"),
    "rounds.tie_order": ("lot", "order"),
    "rounds.history": ("log", "undo", "mend"),
    "reports.papers": ("export", "print"),
}
_COMMANDS: Final = {name: module for module, names in _MODULES.items() for name in names}


class _Tournament(localized.Group):
    """A group whose refusals are one sentence and exit 1."""

    def invoke(self, ctx: click.Context) -> object:
        """Run the command; what the tournament or its book refuses is one sentence."""
        try:
            return super().invoke(ctx)
        except (TournamentError, BookError) as error:
            raise CommandRefusedError(error) from error
        except ModuleNotFoundError as error:
            raise CommandRefusedError(statement("cli.tournament.extra", package=error.name)) from error

    def list_commands(self, _ctx: click.Context) -> list[str]:
        """The names of all commands, in the order of an evening."""
        return list(_COMMANDS)

    def get_command(self, _ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name, or None."""
        if cmd_name not in _COMMANDS:
            return None
        module = import_module(f"gnomon.cli.tournament_commands.{_COMMANDS[cmd_name]}")
        command: click.Command = module.COMMANDS[cmd_name]
        return command


@localized.group(cls=_Tournament, help="command.tournament")
def tournament() -> None:
    """Run a tournament: entries, pairings, results, standings, printed sheets."""
