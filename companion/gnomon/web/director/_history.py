"""Describe tournament events in a sentence of the reader's language."""

from gnomon.refusals import clause
from gnomon.tournament.event_log.codec import LoggedEvent
from gnomon.tournament.event_log.descriptions import describe_event
from gnomon.tournament.events import Event
from gnomon.tournament.state import Entrant, Tournament
from gnomon.words import Words, upper

_DAY = len("2026-11-20T")
_MINUTE = len("2026-11-20T18:30")


def sentence(event: Event, tournament: Tournament, say: Words) -> str:
    """What happened, by the names that entrants and teams have now."""
    teams = None if tournament.teams is None else tournament.teams.matches.entrants
    return upper(clause(describe_event(event, tournament.entrants, teams=teams), say))


def clash_sentence(told: LoggedEvent, say: Words) -> str:
    """That somebody else was quicker, and what they told."""
    entrants = _Nameless()
    at = told.at_wall[_DAY:_MINUTE]
    return say(
        "director.clash", who=told.who, at=at, what=clause(describe_event(told.event, entrants, teams=entrants), say)
    )


def minute(told: LoggedEvent) -> str:
    """When an event was told: the day and the minute."""
    return told.at_wall[:_MINUTE].replace("T", " ")


class _Nameless(dict[int, Entrant]):
    """Entrants of whom only the number is said."""

    def __missing__(self, number: int) -> Entrant:
        return Entrant(number, "")
