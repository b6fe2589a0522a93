"""The only place that says why a tournament refuses something."""


class TournamentError(ValueError):
    """An event or a pairing that the tournament cannot take; the sentence names what, where and what to do."""


class NoPairingError(TournamentError):
    """A round that nobody can pair without breaking an absolute rule."""
