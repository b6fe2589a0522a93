"""Define the exceptions that a tournament raises when it refuses an event or a pairing."""

from typing import Final

from gnomon.refusals import InvalidValueError

MOST_QUOTED: Final = 40  # letters of what is wrong


class TournamentError(InvalidValueError):
    """An event or a pairing that the tournament cannot take; the statement names what, where and what to do."""


class NoPairingError(TournamentError):
    """A round that nobody can pair without breaking an absolute rule."""


def quote(text: str, most: int = MOST_QUOTED) -> str:
    """What somebody wrote, cut to so many letters as a sentence can quote."""
    return text if len(text) <= most else f"{text[:most]}…"
