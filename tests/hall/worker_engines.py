"""Provide pairing engines that can be sent to a process of their own."""

import os
import threading

from gnomon.tournament.errors import NoPairingError
from gnomon.tournament.state import Tournament
from gnomon.tournament.state.rounds import Pairing, at_boards


def never(tournament: Tournament) -> tuple[Pairing, ...]:
    """An engine that never ends."""
    threading.Event().wait()
    return at_boards([(number, None) for number in tournament.entrants])


def crash(tournament: Tournament) -> tuple[Pairing, ...]:
    """An engine whose process dies."""
    os._exit(3 + 0 * len(tournament.entrants))


def refuse(tournament: Tournament) -> tuple[Pairing, ...]:
    """An engine that finds no pairing."""
    message = f"round {tournament.next_round} cannot be paired: everybody is asleep"
    raise NoPairingError(message)
