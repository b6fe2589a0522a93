"""Describe tournament events as sentences with the names of the entrants concerned."""

from collections.abc import Iterator, Sequence
from dataclasses import fields
from typing import Final, assert_never

from gnomon.cli.tournament_commands._boards import match_line
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
from gnomon.tournament.notation import pairing_text
from gnomon.tournament.particulars import PRIVATE, Heading, PersonalData, shown_day
from gnomon.tournament.results import format_result
from gnomon.tournament.rounds import Pairing
from gnomon.tournament.state import Tournament
from gnomon.tournament.tables.entrants import PERSONAL

_TOLD: Final = 12  # boards of a round that a sentence lists


def sentence(after: Tournament, event: Event) -> str:
    """What happened, and the reason where the event has one; `after` is the tournament since then."""
    reason = getattr(event, "reason", "")
    return f"{_what(after, event)}{f': {reason}' if reason else ''}"


def in_order(after: Tournament, numbers: Sequence[int]) -> str:
    """Some entrants in their order, the best first."""
    return " before ".join(after.label_of(number) for number in numbers)


def heading_facts(heading: Heading) -> Iterator[str]:
    """What is told of the event, each thing with its name."""
    for one in fields(Heading):
        value = getattr(heading, one.name)
        if one.name == "virtual":
            yield from (["points lent for pairing"] if value else [])
        elif value:
            several = map(shown_day, value) if isinstance(value, tuple) else [shown_day(value)]
            yield f"{one.name.replace('_', ' ')} {', '.join(several)}"


def _known_of(person: PersonalData) -> Iterator[str]:
    """What is known of somebody, and that something private is: that itself stands in no list."""
    for thing, name in PERSONAL.items():
        value = getattr(person, thing)
        if value:
            yield f"{name} noted" if thing in PRIVATE else f"{name} {value}"


def _what(after: Tournament, event: Event) -> str:  # noqa: C901, PLR0911, PLR0912 - a sentence each
    match event:
        case TournamentOpened(settings):
            return f"{settings.name} was opened: {settings.system.value}, {settings.rounds} rounds"
        case EntrantRegistered():
            return f"{after.label_of(event.number)} entered{_said_of(event, event.since)}"
        case EntrantCorrected():
            return f"entrant {event.number} was corrected to {event.name}{_said_of(event, 1)}"
        case HeadingTold(heading):
            return f"the event: {'; '.join(heading_facts(heading)) or 'nothing is told'}"
        case PersonTold(number, person):
            return f"{after.label_of(number)}: {', '.join(_known_of(person)) or 'nothing is told'}"
        case EntrantWithdrew(number, since):
            return f"{after.label_of(number)} withdrew from round {since} on"
        case EntrantReturned(number):
            return f"{after.label_of(number)} returned"
        case ByeGranted(number, in_round, bye):
            return f"{after.label_of(number)} has a {bye.value}-point bye in round {in_round}"
        case ByeWithdrawn(number, in_round):
            return f"{after.label_of(number)} gave up the bye in round {in_round}"
        case PairingProhibited(one, other):
            return f"{after.label_of(one)} and {after.label_of(other)} are kept apart"
        case PairingAllowed(one, other):
            return f"{after.label_of(one)} and {after.label_of(other)} may meet"
        case RoundPublished(in_round, pairings, override):
            return (
                f"round {in_round} was published{_against(override)} ({_seats(pairings)}){override and f': {override}'}"
            )
        case RoundChanged(in_round, pairings, _, override):
            return f"round {in_round} was changed{_against(override)} ({_seats(pairings)})"
        case RoundRevoked(in_round):
            return f"round {in_round} was revoked"
        case ResultEntered(in_round, board, result):
            return f"{_at(after, in_round, board)}  {format_result(result)}"
        case ResultCorrected(in_round, board, result):
            return f"{_at(after, in_round, board)}  corrected to {format_result(result)}"
        case ResultWithdrawn(in_round, board):
            return f"{_at(after, in_round, board)}  result taken back"
        case LotDrawn(numbers):
            return f"the lot put {in_order(after, numbers)}"
        case OrderDecided(numbers):
            return f"the director put {in_order(after, numbers)}"
        case _:
            assert_never(event)


def _said_of(event: EntrantRegistered | EntrantCorrected, since: int) -> str:
    more = [str(event.rating)] if event.rating is not None else []
    more += [event.team] if event.team else []
    more += [f"from round {since}"] if since > 1 else []
    return f" ({', '.join(more)})" if more else ""


def _against(override: str | bool) -> str:  # noqa: FBT001 - a reason, or that there is one
    return " against the rules" if override else ""


def _seats(pairings: tuple[Pairing, ...]) -> str:
    """Who sits where, or only how many boards there are; `log --json` tells all of them."""
    return " ".join(map(pairing_text, pairings)) if len(pairings) <= _TOLD else f"{len(pairings)} boards"


def _at(after: Tournament, in_round: int, board: int) -> str:
    return f"round {in_round}, board {board}: {match_line(after, after.round(in_round).at(board))}"
