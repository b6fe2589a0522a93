"""Standings of a tournament and of a series, and what is made from them: cross tables, brackets and awards."""

from gnomon.tournament.standings._ranking import (
    Standing,
    TeamStanding,
    check_order,
    field_of,
    moved_places,
    standings,
    team_standings,
    totals_of,
)

__all__ = [
    "Standing",
    "TeamStanding",
    "check_order",
    "field_of",
    "moved_places",
    "standings",
    "team_standings",
    "totals_of",
]
