"""Define the error for a pairing engine that is missing, fails, times out or returns an invalid answer."""

from gnomon.tournament.errors import TournamentError


class EngineError(TournamentError):
    """An engine that is absent, fails, takes too long or answers nonsense; the sentence says which and what to do."""
