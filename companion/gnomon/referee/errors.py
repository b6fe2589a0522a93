"""Define the error that the referee raises for a correction that cannot be made."""

from gnomon.rules.protocol import RulesError


class CorrectionError(RulesError):
    """The correction cannot be made; the game is as it was."""
