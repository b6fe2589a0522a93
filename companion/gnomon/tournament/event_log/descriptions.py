"""Describe tournament events as statements with the names of the entrants concerned."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from typing import Final, assert_never

from gnomon.refusals import Statement, statement
from gnomon.tournament import events
from gnomon.tournament.events import Event
from gnomon.tournament.scoring.multiplayer import order_text
from gnomon.tournament.settings.changes import describe_changes
from gnomon.tournament.settings.team_play_changes import describe_play_changes
from gnomon.tournament.state import Entrant, Tournament
from gnomon.tournament.state.notation import pairing_text, table_text
from gnomon.tournament.state.particulars import PRIVATE, Heading, PersonalData, shown_day
from gnomon.tournament.state.results import format_result
from gnomon.tournament.state.rounds import Pairing, Table
from gnomon.tournament.state.seeds import StageSeed

_MOST_LISTED: Final = 12  # boards of a round that a sentence lists


def describe_event(
    event: Event,
    entrants: Mapping[int, Entrant],
    after: Tournament | None = None,
    teams: Mapping[int, Entrant] | None = None,
) -> Statement:
    """What happened, and the reason where the event has one.

    `entrants` name those concerned, and `teams` the teams where such play. With the tournament `after` the event, a
    result says who met at its board.
    """
    if after is not None and after.teams is not None:
        teams = after.teams.matches.entrants
    if isinstance(event, events.TeamEvent):
        what = _describe_of_team(event, {} if teams is None else teams, entrants)
    else:
        numbered = teams if teams is not None and isinstance(event, events.NUMBERING_TEAMS) else entrants
        what = _describe(event, numbered, after)
    reason = reason_of(event)
    return statement("tournament.log.why", what=what, why=reason) if reason else what


def reason_of(event: Event) -> str:
    """The reason that an event itself has, empty for none; one beside it in the log may be the same."""
    reason: str = event.override if isinstance(event, events.RoundPublished) else getattr(event, "reason", "")
    return reason


def describe_match(pairing: Pairing, entrants: Mapping[int, Entrant]) -> Statement:
    """Who meets whom, with their numbers."""
    if pairing.second is None:
        return statement("tournament.log.has_bye", who=_label(pairing.first, entrants))
    return Statement.plain(" – ".join(_label(number, entrants) for number in pairing.entrants))


def describe_heading(heading: Heading) -> Iterator[Statement]:
    """What is told of the event, each thing with its name."""
    for one in fields(Heading):
        value = getattr(heading, one.name)
        if one.name == "virtual":
            yield from [statement("tournament.log.heading.virtual")] if value else []
        elif value:
            texts = tuple(map(shown_day, value)) if isinstance(value, tuple) else (shown_day(value),)
            yield Statement(f"tournament.log.heading.{one.name}", {"texts": texts})


def _describe(  # noqa: C901, PLR0911, PLR0912 - a case each
    event: events.CommonEvent, entrants: Mapping[int, Entrant], after: Tournament | None
) -> Statement:
    match event:
        case events.TournamentOpened(settings):
            system = settings.system.value
            return statement("tournament.log.opened", name=settings.name, system=system, rounds=settings.rounds)
        case events.SettingsChanged(was, now):
            return statement("tournament.log.settings", facts=_or_nothing(describe_changes(was, now)))
        case events.EntrantRegistered(number, name):
            facts = _list_entry(event, event.since)
            key = "tournament.log.entered.more" if facts else "tournament.log.entered"
            return Statement(key, {"who": f"{number} {name}", "facts": facts})
        case events.EntrantCorrected(number, name):
            facts = _list_entry(event, 1)
            key = "tournament.log.corrected.more" if facts else "tournament.log.corrected"
            return Statement(key, {"number": number, "name": name, "facts": facts})
        case events.HeadingTold(heading):
            return statement("tournament.log.heading", facts=_or_nothing(describe_heading(heading)))
        case events.PersonTold(number, person):
            facts = _or_nothing(_describe_person(person))
            return statement("tournament.log.person", who=_label(number, entrants), facts=facts)
        case events.EntrantWithdrew(number, since):
            return statement("tournament.log.withdrew", who=_label(number, entrants), round=since)
        case events.EntrantReturned(number):
            return statement("tournament.log.returned", who=_label(number, entrants))
        case events.EntrantsSeeded(seeds):
            return _describe_seeds(seeds, entrants)
        case events.EntrantCheckedIn(number, since):
            key = "tournament.log.checked_in.late" if since > 1 else "tournament.log.checked_in"
            return Statement(key, {"who": _label(number, entrants), "round": since})
        case events.CheckInWithdrawn(number):
            return statement("tournament.log.checked_out", who=_label(number, entrants))
        case events.PaymentNoted(number):
            return statement("tournament.log.payment", who=_label(number, entrants))
        case events.PrizesAnnounced(prizes):
            return statement("tournament.log.prizes", number=len(prizes.prizes))
        case events.ByeGranted(number, in_round, bye):
            who = _label(number, entrants)
            return statement("tournament.log.bye", who=who, bye=bye.value, round=in_round)
        case events.ByeWithdrawn(number, in_round):
            return statement("tournament.log.no_bye", who=_label(number, entrants), round=in_round)
        case events.PairingProhibited(one, other):
            pair = _label(one, entrants), _label(other, entrants)
            return statement("tournament.log.apart", one=pair[0], other=pair[1])
        case events.PairingAllowed(one, other):
            pair = _label(one, entrants), _label(other, entrants)
            return statement("tournament.log.may_meet", one=pair[0], other=pair[1])
        case events.RoundPublished(in_round, pairings, override):
            return statement(
                "tournament.log.published.override" if override else "tournament.log.published",
                round=in_round,
                seats=_list_seats(pairings),
            )
        case events.RoundChanged(in_round, pairings, _, override):
            return statement(
                "tournament.log.changed.override" if override else "tournament.log.changed",
                round=in_round,
                seats=_list_seats(pairings),
            )
        case events.RoundRevoked(in_round):
            return statement("tournament.log.revoked", round=in_round)
        case events.DeadlineSet(in_round, until):
            if not until:
                return statement("tournament.log.no_deadline", round=in_round)
            return statement("tournament.log.deadline", round=in_round, until=until)
        case events.TablesSeated(in_round, tables):
            return statement("tournament.log.published", round=in_round, seats=_list_tables(tables))
        case events.TablesChanged(in_round, tables):
            return statement("tournament.log.changed", round=in_round, seats=_list_tables(tables))
        case events.PlacesEntered(in_round, board, places):
            if not places:
                return statement("tournament.log.places.withdrawn", round=in_round, board=board)
            return statement("tournament.log.places", round=in_round, board=board, order=_order(after, event, places))
        case events.ResultEntered(in_round, board, result):
            place = _describe_board(in_round, board, after)
            return statement("tournament.log.result", place=place, result=format_result(result))
        case events.ResultCorrected(in_round, board, result):
            place = _describe_board(in_round, board, after)
            return statement("tournament.log.result.corrected", place=place, result=format_result(result))
        case events.ResultWithdrawn(in_round, board):
            return statement("tournament.log.result.withdrawn", place=_describe_board(in_round, board, after))
        case events.LotDrawn(numbers):
            return statement("tournament.log.lot", order=[_label(number, entrants) for number in numbers])
        case events.OrderDecided(numbers):
            return statement("tournament.log.decided", order=[_label(number, entrants) for number in numbers])
        case _:
            assert_never(event)


def _describe_of_team(
    event: events.TeamEvent, teams: Mapping[int, Entrant], members: Mapping[int, Entrant]
) -> Statement:
    match event:
        case events.TeamPlayTold(play):
            return statement("tournament.log.team.play", boards=play.boards)
        case events.TeamPlayChanged(was, now):
            return statement("tournament.log.settings", facts=_or_nothing(describe_play_changes(was, now)))
        case events.TeamTold(number, name, roster):
            listed = [_label(one, members) for one in roster]
            return statement("tournament.log.team.told", team=f"{number} {name}", members=listed)
        case events.TeamWithdrew(number, since):
            return statement("tournament.log.withdrew", who=_label(number, teams), round=since)
        case events.TeamReturned(number):
            return statement("tournament.log.returned", who=_label(number, teams))
        case events.TeamsSeeded(seeds):
            return _describe_seeds(seeds, teams)
        case events.TeamPaymentNoted(number):
            return statement("tournament.log.payment", who=_label(number, teams))
        case events.LineupTold(team, in_round, players):
            seats = [_label(one, members) if one else statement("tournament.log.team.empty") for one in players]
            key = "tournament.log.team.lineup" if seats else "tournament.log.team.no_lineup"
            return Statement(key, {"team": _label(team, teams), "round": in_round, "players": seats})
        case _:
            assert_never(event)


def _describe_seeds(seeds: Sequence[StageSeed], entrants: Mapping[int, Entrant]) -> Statement:
    ordered = sorted((one for one in seeds if one.seed), key=lambda one: one.seed)
    names = [_label(one.number, entrants) for one in ordered]
    return statement("tournament.log.seeded", order=names) if names else statement("tournament.log.by_rating")


def _label(number: int, entrants: Mapping[int, Entrant]) -> str:
    return f"{number} {entrants[number].name}".strip()


def _list_entry(event: events.EntrantRegistered | events.EntrantCorrected, since: int) -> Sequence[str | Statement]:
    """Rating, team and first round, as far as they are told."""
    more: list[str | Statement] = [str(event.rating)] if event.rating is not None else []
    more += [event.team] if event.team else []
    return [*more, statement("tournament.log.since", round=since)] if since > 1 else more


def _describe_person(person: PersonalData) -> Iterator[Statement]:
    """What is known of somebody, and that something private is: that itself stands in no list."""
    for one in sorted(fields(PersonalData), key=lambda field: field.name in PRIVATE):
        value = getattr(person, one.name)
        if value:
            values = {} if one.name in PRIVATE else {"text": value}
            yield Statement(f"tournament.log.person.{one.name}", values)


def _or_nothing(told: Iterator[Statement]) -> Sequence[Statement]:
    return tuple(told) or (statement("tournament.log.nothing"),)


def _list_tables(tables: Sequence[Table]) -> Statement:
    if len(tables) > _MOST_LISTED:
        return statement("tournament.log.boards", number=len(tables))
    return Statement.plain(" ".join(map(table_text, tables)))


def _order(after: Tournament | None, event: events.PlacesEntered, places: Sequence[int]) -> str:
    """The order at a table; without the tournament, the places of its seats."""
    if after is None:
        return " ".join(map(str, places))
    return order_text(after.round(event.round).table(event.board), event.places)


def _list_seats(pairings: Sequence[Pairing]) -> Statement:
    """Who sits where, or only how many boards there are."""
    if len(pairings) > _MOST_LISTED:
        return statement("tournament.log.boards", number=len(pairings))
    return Statement.plain(" ".join(map(pairing_text, pairings)))


def _describe_board(in_round: int, board: int, after: Tournament | None) -> Statement:
    if after is None:
        return statement("tournament.log.board", round=in_round, board=board)
    match = describe_match(after.round(in_round).at(board), after.entrants)
    return statement("tournament.log.board.match", round=in_round, board=board, match=match)
