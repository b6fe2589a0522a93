"""The state of a tournament and all that it holds, as immutable values: entrants, settings, rounds, results, prizes."""

from gnomon.tournament.state._tournament import Amendment, Entrant, Roster, TeamBook, Tournament

__all__ = ["Amendment", "Entrant", "Roster", "TeamBook", "Tournament"]
