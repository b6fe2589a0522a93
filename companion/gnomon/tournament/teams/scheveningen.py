"""Pair a match of two teams in which everybody meets everybody of the other team, one a round."""

from typing import Final

from gnomon.refusals import statement
from gnomon.tournament.errors import NoPairingError
from gnomon.tournament.rounds import Pairing, at_boards
from gnomon.tournament.state import Tournament

TEAMS: Final = 2


def scheveningen(teams: Tournament) -> tuple[Pairing, ...]:
    """The match of the two teams; who meets whom in a round is a matter of the boards.

    Raises NoPairingError unless there are just two.
    """
    numbers = sorted(teams.entrants)
    if len(numbers) != TEAMS:
        raise NoPairingError(statement("tournament.team.scheveningen", count=len(numbers)))
    return at_boards([(numbers[0], numbers[1])])
