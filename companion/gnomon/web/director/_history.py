"""Describe tournament events in a sentence of the reader's language."""

from collections.abc import Mapping
from dataclasses import astuple
from typing import assert_never

from gnomon.tournament.codec import LoggedEvent
from gnomon.tournament.events import (
    ByeGranted,
    ByeWithdrawn,
    EntrantCorrected,
    EntrantRegistered,
    EntrantReturned,
    EntrantWithdrew,
    Event,
    HeadingTold,
    LotDrawn,
    OrderDecided,
    PairingAllowed,
    PairingProhibited,
    PersonTold,
    ResultCorrected,
    ResultEntered,
    ResultWithdrawn,
    RoundChanged,
    RoundPublished,
    RoundRevoked,
    TournamentOpened,
)
from gnomon.tournament.particulars import in_public, shown_day
from gnomon.tournament.results import format_result
from gnomon.tournament.state import Entrant
from gnomon.words import Words

_DAY = len("2026-11-20T")
_MINUTE = len("2026-11-20T18:30")

Entrants = Mapping[int, Entrant]


def sentence(event: Event, entrants: Entrants, say: Words) -> str:
    """What happened, by the names that the entrants have now."""
    overridden = ".override" if getattr(event, "override", False) else ""
    return say(f"director.event.{type(event).__name__}{overridden}", **_values(event, entrants, say))


def clash_sentence(told: LoggedEvent, say: Words) -> str:
    """That somebody else was quicker, and what they told."""
    entrants = _Nameless()
    at = told.at_wall[_DAY:_MINUTE]
    return say("director.clash", who=told.who, at=at, what=sentence(told.event, entrants, say))


def minute(told: LoggedEvent) -> str:
    """When an event was told: the day and the minute."""
    return told.at_wall[:_MINUTE].replace("T", " ")


class _Nameless(dict[int, Entrant]):
    """Entrants of whom only the number is said."""

    def __missing__(self, number: int) -> Entrant:
        return Entrant(number, "")


def _values(event: Event, entrants: Entrants, say: Words) -> Mapping[str, object]:  # noqa: C901, PLR0911, PLR0912 - a case each
    def label(number: int) -> str:
        return f"{number} {entrants[number].name}".strip()

    match event:
        case TournamentOpened(settings):
            system = say(f"director.system.{settings.system.value.replace(' ', '_')}")
            return {"name": settings.name, "system": system, "rounds": settings.rounds}
        case EntrantRegistered() | EntrantCorrected():
            more = ", ".join(filter(None, (str(event.rating or ""), event.team)))
            return {"who": f"{event.number} {event.name}", "more": f" ({more})" if more else ""}
        case HeadingTold(heading):
            days = " – ".join(map(shown_day, filter(None, (heading.starts, heading.ends))))
            return {"what": ", ".join(filter(None, (heading.city, days, heading.arbiter))) or "–"}
        case PersonTold(number, person):
            public = in_public(person)
            return {"who": label(number), "what": ", ".join(filter(None, astuple(public))) or "–"}
        case EntrantWithdrew(number, since):
            return {"who": label(number), "round": since}
        case EntrantReturned(number):
            return {"who": label(number)}
        case ByeGranted(number, in_round, bye):
            return {"who": label(number), "round": in_round, "worth": say(f"director.bye.{bye.value}")}
        case ByeWithdrawn(number, in_round):
            return {"who": label(number), "round": in_round}
        case PairingProhibited(one, other) | PairingAllowed(one, other):
            return {"one": label(one), "other": label(other)}
        case RoundPublished(in_round, pairings):
            return {"round": in_round, "boards": len(pairings)}
        case RoundChanged(in_round, _, reason) | RoundRevoked(in_round, reason):
            return {"round": in_round, "why": reason}
        case ResultEntered(in_round, board, result):
            return {"round": in_round, "board": board, "result": format_result(result)}
        case ResultCorrected(in_round, board, result, reason):
            return {"round": in_round, "board": board, "result": format_result(result), "why": reason}
        case ResultWithdrawn(in_round, board, reason):
            return {"round": in_round, "board": board, "why": reason}
        case LotDrawn(numbers):
            return {"order": ", ".join(map(label, numbers))}
        case OrderDecided(numbers, reason):
            return {"order": ", ".join(map(label, numbers)), "why": reason}
        case _:
            assert_never(event)
