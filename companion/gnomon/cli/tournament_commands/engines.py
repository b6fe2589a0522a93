"""The only place that chooses the engine of a pairing for the command line."""

from typing import Final

import click

from gnomon.tournament.rounds import Pairing
from gnomon.tournament.state import Tournament

_ENGINES: Final = ("own", "bbp")

engine_option = click.option(
    "--engine", type=click.Choice(_ENGINES), default="own", show_default=True, help="bbp: bbpPairings on this machine."
)


def paired(tournament: Tournament, engine: str) -> tuple[Pairing, ...]:
    """The next round by an engine. Raises TournamentError where it cannot be paired, and BookError."""
    from gnomon.tournament.pairing import pair

    return pair(tournament)
