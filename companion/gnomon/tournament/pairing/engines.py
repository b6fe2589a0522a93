"""Select the pairing engine of a tournament's system and validate the pairings that it returns."""

from collections.abc import Mapping
from typing import Final, Protocol

from gnomon.refusals import statement
from gnomon.tournament.errors import NoPairingError
from gnomon.tournament.pairing import validator
from gnomon.tournament.pairing._neighbours import arena, keizer, ladder
from gnomon.tournament.pairing.berger import round_robin
from gnomon.tournament.pairing.double_elimination import double_elimination
from gnomon.tournament.pairing.knockout import knockout
from gnomon.tournament.pairing.readiness import check_somebody_entered, ready
from gnomon.tournament.pairing.swiss import Watcher, swiss
from gnomon.tournament.state import Tournament
from gnomon.tournament.state.rounds import Pairing, at_boards
from gnomon.tournament.state.settings import System
from gnomon.tournament.strength.stones import with_weaker_first
from gnomon.tournament.teams.matches import team_view

_TEAMS: Final = 2  # of a Scheveningen match
_FIELDS: Final = frozenset({System.SWISS, System.MCMAHON, System.KEIZER})
"""Systems in which everybody who is there is paired; in a knockout one may go on without a match."""


def scheveningen(teams: Tournament) -> tuple[Pairing, ...]:
    """The match of two teams in which everybody meets everybody of the other team, one a round, at the boards.

    Raises NoPairingError unless there are just two.
    """
    numbers = sorted(teams.entrants)
    if len(numbers) != _TEAMS:
        raise NoPairingError(statement("tournament.team.scheveningen", count=len(numbers)))
    return at_boards([(numbers[0], numbers[1])])


class PairingEngine(Protocol):
    """Whatever pairs the next round of a tournament."""

    def __call__(self, tournament: Tournament, /) -> tuple[Pairing, ...]:
        """The pairings; raises NoPairingError when there are none without breaking an absolute rule."""
        ...


def no_pairs(tournament: Tournament) -> tuple[Pairing, ...]:
    """Nobody: tables of three and four are seated by `gnomon.tournament.pairing.multiplayer`. Raises NoPairingError."""
    raise NoPairingError(statement("tournament.pairing.tables", round=tournament.next_round))


ENGINES: Final[Mapping[System, PairingEngine]] = {
    System.ROUND_ROBIN: round_robin,
    System.SWISS: swiss,
    System.MCMAHON: swiss,
    System.KNOCKOUT: knockout,
    System.TABLES: no_pairs,
    System.KEIZER: keizer,
    System.ARENA: arena,
    System.LADDER: ladder,
}


def pair(
    tournament: Tournament, engine: PairingEngine | None = None, watcher: Watcher | None = None
) -> tuple[Pairing, ...]:
    """The next round by the system's own engine, or another, looked over by the validator.

    A watcher is told how far the pairing of a Swiss or a McMahon round has come; the others take no time. Raises
    NoPairingError when there is none, or nobody to meet in it, and TournamentError when a result is missing, the rounds
    are over, or the engine broke an absolute rule.
    """
    ready(tournament)
    if tournament.settings.system is not System.TABLES:
        check_somebody_entered(tournament)
    if tournament.teams is not None:
        # Teams are paired as single entrants are; what there is to pair are matches.
        own_engine = scheveningen if tournament.teams.play.scheveningen else None
        return pair(team_view(tournament), engine or own_engine, watcher)
    own = double_elimination if tournament.settings.lives > 1 else ENGINES[tournament.settings.system]
    chosen = own if engine is None else engine
    pairings = with_weaker_first(tournament, swiss(tournament, watcher) if chosen is swiss else chosen(tournament))
    validator.check(tournament, tournament.next_round, pairings)
    if tournament.settings.system in _FIELDS and all(pairing.second is None for pairing in pairings):
        raise NoPairingError(statement("tournament.pairing.alone", round=tournament.next_round))
    return pairings
