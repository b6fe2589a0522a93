"""The only place that says why a pairing made outside of this process did not come."""

from gnomon.tournament.errors import TournamentError


class EngineError(TournamentError):
    """An engine that is absent, fails, takes too long or answers nonsense; the sentence says which and what to do."""
