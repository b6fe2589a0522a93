"""Select the pairing engine and deadline on the command line, and report the progress of a pairing."""

import sys
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

import click

from gnomon.cli.words import say_sentence
from gnomon.tournament.rounds import Pairing
from gnomon.tournament.state import Tournament

_ENGINES: Final = ("own", "bbp")
_PATIENCE: Final = 300  # players who are paired in about a second; more get a process of their own, with a deadline

engine_option = click.option(
    "--engine",
    type=click.Choice(_ENGINES),
    default="own",
    show_default=True,
    help="bbp: the program bbpPairings, if it is installed.",
)
deadline_option = click.option(
    "--deadline",
    type=click.IntRange(1, 86_400),
    default=600,
    show_default=True,
    metavar="SECONDS",
    help="How long a pairing may take.",
)


def pair_round(tournament: Tournament, engine: str, deadline: int) -> tuple[Pairing, ...]:
    """The next round by an engine. Raises TournamentError where it cannot be paired, or not in time."""
    if engine == "bbp":
        from gnomon.hall.pairing.bbp import Bbp, find_bbp
        from gnomon.tournament.pairing.engines import pair

        return pair(tournament, Bbp(find_bbp(), timedelta(seconds=deadline)))
    if len(tournament.players(tournament.next_round)) > _PATIENCE:
        from gnomon.hall.pairing.worker import pair_in_worker

        told = _Progress(in_place=sys.stderr.isatty())
        try:
            return pair_in_worker(
                tournament, deadline=timedelta(seconds=deadline), tell=lambda one: told(say_sentence(one))
            )
        finally:
            told("")
    from gnomon.tournament.pairing.engines import pair

    return pair(tournament)


@dataclass(frozen=True, slots=True)
class _Progress:
    """Says how far a pairing has come, beside the output, which may be for a program: in one line of a terminal."""

    in_place: bool

    def __call__(self, text: str) -> None:
        if self.in_place:
            click.echo(f"\r\x1b[K{text}", err=True, nl=False)
        elif text:
            click.echo(text, err=True)
