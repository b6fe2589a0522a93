"""Fold events into a tournament and refuse an event that is not possible in its state.

The functions are pure, so that a history can be replayed.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import assert_never

from gnomon.refusals import Statement, statement
from gnomon.tournament import events
from gnomon.tournament.errors import TournamentError
from gnomon.tournament.event_log._office_steps import (
    announce_prizes,
    check_in,
    check_out,
    set_deadline,
    set_seeds,
)
from gnomon.tournament.event_log._team_steps import announce, step_teams
from gnomon.tournament.pairing import validator
from gnomon.tournament.pairing.readiness import ready
from gnomon.tournament.pairing.table_faults import check_tables
from gnomon.tournament.scoring.multiplayer import check_places
from gnomon.tournament.settings.changes import change_settings
from gnomon.tournament.state import Amendment, Entrant, Tournament
from gnomon.tournament.state.particulars import NOBODY_KNOWN, PersonalData
from gnomon.tournament.state.payments import NO_PAYMENT
from gnomon.tournament.state.results import GameResult, Result, format_result
from gnomon.tournament.state.round_history import winner
from gnomon.tournament.state.rounds import Pairing, Round, Table
from gnomon.tournament.state.settings import Bye, System


def fold(history: Iterable[events.Event]) -> Tournament:
    """The tournament that some events make, from its opening on. Raises TournamentError at the first that cannot be."""
    tournament = None
    for event in history:
        tournament = open_tournament(event) if tournament is None else step(tournament, event)
    if tournament is None:
        raise TournamentError(statement("tournament.not_opened"))
    return tournament


def open_tournament(event: events.Event) -> Tournament:
    """The tournament that an opening begins. Raises TournamentError for any other event."""
    if not isinstance(event, events.TournamentOpened):
        raise TournamentError(statement("tournament.opening_first", event=type(event).__name__))
    return Tournament(event.settings)


def step(tournament: Tournament, event: events.Event) -> Tournament:
    """The tournament after an event. Raises TournamentError when it cannot happen now, with what to do instead."""
    if tournament.teams is None:
        return _step(tournament, event)
    if isinstance(event, events.RoundPublished):
        ready(tournament)
    return step_teams(tournament, event, _step)


def _step(tournament: Tournament, event: events.Event) -> Tournament:  # noqa: C901, PLR0911, PLR0912 - a case each
    match event:
        case events.TournamentOpened():
            raise TournamentError(statement("tournament.open_already", tournament=tournament.settings.name))
        case events.SettingsChanged():
            return change_settings(tournament, event)
        case events.EntrantRegistered():
            return _register(tournament, event)
        case events.EntrantCorrected():
            return _put_right(tournament, event)
        case events.HeadingTold(heading):
            return replace(tournament, heading=heading)
        case events.PersonTold(number, person):
            return replace(tournament, persons=_add_personal_data(tournament, number, person))
        case events.EntrantWithdrew(number, since):
            return _withdrew(tournament, number, since)
        case events.EntrantReturned(number):
            return _return_entrant(tournament, number)
        case events.EntrantsSeeded(seeds):
            return set_seeds(tournament, seeds)
        case events.EntrantCheckedIn(number, since):
            return check_in(tournament, number, since)
        case events.CheckInWithdrawn(number):
            return check_out(tournament, number)
        case events.PaymentNoted(number, payment):
            tournament.entrant(number)
            others = {one: noted for one, noted in tournament.payments.items() if one != number}
            return replace(tournament, payments=others if payment == NO_PAYMENT else {**others, number: payment})
        case events.PrizesAnnounced(prizes):
            return announce_prizes(tournament, prizes)
        case events.ByeGranted():
            return _bye_granted(tournament, event)
        case events.ByeWithdrawn(number, in_round):
            return _bye_withdrawn(tournament, number, in_round)
        case events.PairingProhibited(one, other):
            return _kept_apart(tournament, _pair(tournament, one, other))
        case events.PairingAllowed(one, other):
            return _allow(tournament, _pair(tournament, one, other))
        case events.RoundPublished():
            return _publish(tournament, event)
        case events.RoundChanged():
            return _change_round(tournament, event)
        case events.RoundRevoked(in_round, reason):
            return _revoke(tournament, in_round, reason)
        case events.DeadlineSet(in_round, until):
            return set_deadline(tournament, in_round, until)
        case events.TablesSeated(in_round, tables):
            return _seat(tournament, in_round, tables)
        case events.TablesChanged():
            return _change_tables(tournament, event)
        case events.PlacesEntered(in_round, board, places, reason):
            return _enter_places(tournament, in_round, board, places, reason)
        case events.ResultEntered(in_round, board, result):
            return _enter_result(tournament, in_round, board, result)
        case events.ResultWithdrawn(in_round, board, reason):
            return _taken_back(tournament, in_round, board, reason)
        case events.ResultCorrected():
            return _correct_result(tournament, event)
        case events.LotDrawn(numbers):
            _check_list(tournament, numbers, by_lot=True)
            return replace(tournament, lots=(*tournament.lots, numbers))
        case events.OrderDecided(numbers, reason):
            return _decide_order(tournament, numbers, reason)
        case events.TeamPlayTold(play):
            return announce(tournament, play)
        case (
            events.TeamPlayChanged()
            | events.TeamTold()
            | events.TeamWithdrew()
            | events.TeamReturned()
            | events.TeamsSeeded()
            | events.TeamPaymentNoted()
            | events.LineupTold()
        ):
            raise TournamentError(statement("tournament.team.none_play", tournament=tournament.settings.name))
        case _:
            assert_never(event)


def _register(tournament: Tournament, event: events.EntrantRegistered) -> Tournament:
    name = event.name.strip()
    if not name:
        raise TournamentError(statement("tournament.entrant.nameless", number=event.number))
    if event.number < 1:
        raise TournamentError(statement("tournament.entrant.below_one", number=event.number))
    if event.number in tournament.entrants:
        raise TournamentError(statement("tournament.entrant.taken", number=event.number))
    _to_come(tournament, event.since, statement("tournament.cannot.enter", who=name, round=event.since))
    if event.since > 1 and tournament.settings.system in {System.ROUND_ROBIN, System.KNOCKOUT}:
        raise TournamentError(
            statement(
                "tournament.cannot.enter_late", who=name, round=event.since, system=tournament.settings.system.value
            )
        )
    entrant = Entrant(event.number, name, event.rating, event.team.strip(), event.since)
    return replace(tournament, entrants={**tournament.entrants, event.number: entrant})


def _put_right(tournament: Tournament, event: events.EntrantCorrected) -> Tournament:
    was, name = tournament.entrant(event.number), event.name.strip()
    if not name:
        raise TournamentError(statement("tournament.entrant.needs_name", who=tournament.label_of(event.number)))
    entrant = was._replace(name=name, rating=event.rating, team=event.team.strip())
    return replace(tournament, entrants={**tournament.entrants, event.number: entrant})


def _add_personal_data(tournament: Tournament, number: int, person: PersonalData) -> Mapping[int, PersonalData]:
    """Of whom something is known after that was told of one. Raises TournamentError when there is none such."""
    tournament.entrant(number)
    others = {one: known for one, known in tournament.persons.items() if one != number}
    return others if person == NOBODY_KNOWN else {**others, number: person}


def _to_come(tournament: Tournament, in_round: int, what: Statement) -> None:
    """Raise TournamentError unless a round is still to be published."""
    if not tournament.next_round <= in_round <= tournament.settings.rounds:
        first, last = tournament.next_round, tournament.settings.rounds
        if first > last:
            raise TournamentError(statement("tournament.round.none_left", what=what))
        raise TournamentError(statement("tournament.round.not_to_come", what=what, first=first, last=last))


def _withdrew(tournament: Tournament, number: int, since: int) -> Tournament:
    name = tournament.entrant(number).name
    _to_come(tournament, since, statement("tournament.cannot.withdraw", who=name, round=since))
    byes = {key: bye for key, bye in tournament.byes.items() if key[0] != number or key[1] < since}
    return replace(tournament, withdrawn={**tournament.withdrawn, number: since}, byes=byes)


def _return_entrant(tournament: Tournament, number: int) -> Tournament:
    if number not in tournament.withdrawn:
        raise TournamentError(statement("tournament.cannot.return", who=tournament.entrant(number).name))
    if tournament.settings.system is System.KNOCKOUT and tournament.has_left(number, len(tournament.rounds)):
        raise TournamentError(statement("tournament.cannot.return_to_bracket", who=tournament.entrant(number).name))
    return replace(tournament, withdrawn={one: since for one, since in tournament.withdrawn.items() if one != number})


def _bye_granted(tournament: Tournament, event: events.ByeGranted) -> Tournament:
    name = tournament.entrant(event.number).name
    _to_come(tournament, event.round, statement("tournament.cannot.have_bye", who=name, round=event.round))
    system = tournament.settings.system
    if system in {System.TABLES, System.ARENA, System.LADDER}:
        raise TournamentError(statement("tournament.cannot.have_bye_but_leave", who=name, system=system.value))
    if system not in {System.SWISS, System.MCMAHON, System.KEIZER}:
        raise TournamentError(statement("tournament.cannot.have_bye_here", who=name, system=system.value))
    if tournament.entrant(event.number).since > event.round or tournament.has_left(event.number, event.round):
        raise TournamentError(statement("tournament.cannot.have_bye_absent", who=name, round=event.round))
    if event.bye is Bye.PAIRING:
        raise TournamentError(statement("tournament.cannot.have_pairing_bye", who=name))
    return replace(tournament, byes={**tournament.byes, (event.number, event.round): event.bye})


def _bye_withdrawn(tournament: Tournament, number: int, in_round: int) -> Tournament:
    name = tournament.entrant(number).name
    _to_come(tournament, in_round, statement("tournament.cannot.give_up_bye", who=name, round=in_round))
    if (number, in_round) not in tournament.byes:
        raise TournamentError(statement("tournament.cannot.give_up_no_bye", who=name, round=in_round))
    return replace(tournament, byes={key: bye for key, bye in tournament.byes.items() if key != (number, in_round)})


def _pair(tournament: Tournament, one: int, other: int) -> frozenset[int]:
    if one == other:
        raise TournamentError(
            statement("tournament.apart.themselves", who=tournament.label_of(tournament.entrant(one).number))
        )
    return frozenset((tournament.entrant(one).number, tournament.entrant(other).number))


def _kept_apart(tournament: Tournament, pair: frozenset[int]) -> Tournament:
    if tournament.settings.system not in {
        System.SWISS,
        System.MCMAHON,
        System.TABLES,
        System.KEIZER,
        System.ARENA,
        System.LADDER,
    }:
        raise TournamentError(statement("tournament.apart.table", system=tournament.settings.system.value))
    return replace(tournament, prohibited=tournament.prohibited | {pair})


def _allow(tournament: Tournament, pair: frozenset[int]) -> Tournament:
    if pair not in tournament.prohibited:
        one, other = (tournament.label_of(number) for number in sorted(pair))
        raise TournamentError(statement("tournament.apart.not", one=one, other=other))
    return replace(tournament, prohibited=tournament.prohibited - {pair})


def _publish(tournament: Tournament, event: events.RoundPublished) -> Tournament:
    ready(tournament)
    in_round, pairings = event.round, event.pairings
    if in_round != tournament.next_round:
        raise TournamentError(statement("tournament.round.next", round=in_round, next=tournament.next_round))
    override, corrections = event.override.strip(), tournament.corrections
    if override and (broken := validator.faults_of(tournament, in_round, pairings).overridable):
        corrections = (
            *corrections,
            Amendment(in_round, None, "", "; ".join(each.message for each in broken), override),
        )
    validator.check(tournament, in_round, pairings, override=bool(override))
    results = {p.board: _forfeit(tournament, in_round, p) for p in pairings if p.second is not None}
    told = {board: result for board, result in results.items() if result}
    round_ = Round(in_round, pairings, told, event.paired_by, override)
    return replace(tournament, rounds=(*tournament.rounds, round_), corrections=corrections)


def _seat(tournament: Tournament, in_round: int, tables: tuple[Table, ...]) -> Tournament:
    ready(tournament)
    if in_round != tournament.next_round:
        raise TournamentError(statement("tournament.round.next", round=in_round, next=tournament.next_round))
    check_tables(tournament, in_round, tables)
    return replace(tournament, rounds=(*tournament.rounds, Round(in_round, (), tables=tables)))


def _change_tables(tournament: Tournament, event: events.TablesChanged) -> Tournament:
    round_ = _current(tournament, event.round, event.reason)
    check_tables(tournament, event.round, event.tables)
    ended = next((table for table in round_.tables if table.board in round_.places and table not in event.tables), None)
    if ended is not None:
        raise TournamentError(statement("tournament.round.table_ended", round=event.round, board=ended.board))
    correction = Amendment(
        event.round, None, _table_list(round_.tables), _table_list(event.tables), event.reason.strip()
    )
    changed = replace(tournament, corrections=(*tournament.corrections, correction))
    return _with(changed, replace(round_, tables=event.tables))


def _enter_places(
    tournament: Tournament, in_round: int, board: int, places: tuple[int, ...], reason: str
) -> Tournament:
    round_ = tournament.round(in_round)
    table = round_.table(board)
    if places:
        check_places(table, places)
    elif board not in round_.places:
        raise TournamentError(statement("tournament.result.none_to_take_back", round=in_round, board=board))
    is_changed_late = in_round != len(tournament.rounds) and board in round_.places
    if (is_changed_late or not places) and not reason.strip():
        raise TournamentError(statement("tournament.result.reason", round=in_round, board=board))
    others = {one: told for one, told in round_.places.items() if one != board}
    return _with(tournament, replace(round_, places={**others, board: places} if places else others))


def _forfeit(tournament: Tournament, in_round: int, pairing: Pairing) -> Result:
    """What the table of a round robin makes of one who has left: they forfeit."""
    match tuple(tournament.has_left(number, in_round) for number in pairing.entrants):
        case (True, True):
            game = GameResult.DOUBLE_FORFEIT
        case (True, False):
            game = GameResult.SECOND_BY_FORFEIT
        case (False, True):
            game = GameResult.FIRST_BY_FORFEIT
        case _:
            return ()
    return (game,) * tournament.settings.games


def _change_round(tournament: Tournament, event: events.RoundChanged) -> Tournament:
    round_ = _current(tournament, event.round, event.reason)
    validator.check(tournament, event.round, event.pairings, override=event.override)
    changed = round_.with_pairings(event.pairings, event.reason.strip() if event.override else "")
    correction = Amendment(
        event.round, None, _pairing_list(round_.pairings), _pairing_list(event.pairings), event.reason.strip()
    )
    return replace(
        tournament, rounds=(*tournament.rounds[:-1], changed), corrections=(*tournament.corrections, correction)
    )


def _revoke(tournament: Tournament, in_round: int, reason: str) -> Tournament:
    round_ = _current(tournament, in_round, reason, revoke=True)
    if round_.places or any(any(game.played for game in result) for result in round_.results.values()):
        raise TournamentError(statement("tournament.round.revoke.played", round=in_round))
    correction = Amendment(in_round, None, _pairing_list(round_.pairings), "", reason.strip())
    return replace(tournament, rounds=tournament.rounds[:-1], corrections=(*tournament.corrections, correction))


def _current(tournament: Tournament, in_round: int, reason: str, *, revoke: bool = False) -> Round:
    if not reason.strip():
        raise TournamentError(
            statement("tournament.round.revoke.reason" if revoke else "tournament.round.change.reason", round=in_round)
        )
    round_ = tournament.round(in_round)
    if in_round != len(tournament.rounds):
        raise TournamentError(
            statement(
                "tournament.round.revoke.earlier" if revoke else "tournament.round.change.earlier",
                round=in_round,
                last=len(tournament.rounds),
            )
        )
    return round_


def _table_list(tables: tuple[Table, ...]) -> str:
    return ", ".join(f"{table.board}: {'–'.join(map(str, table.seats))}" for table in tables)


def _pairing_list(pairings: tuple[Pairing, ...]) -> str:
    return ", ".join(f"{p.board}: {p.first}–{'bye' if p.second is None else p.second}" for p in pairings)


def _enter_result(tournament: Tournament, in_round: int, board: int, result: Result) -> Tournament:
    round_ = tournament.round(in_round)
    if in_round != len(tournament.rounds) and board not in round_.waiting:
        raise TournamentError(statement("tournament.result.settled", round=in_round, board=board))
    _fits(tournament, round_, board, result)
    return _with(tournament, round_.with_result(board, result))


def _taken_back(tournament: Tournament, in_round: int, board: int, reason: str) -> Tournament:
    is_open = len(tournament.rounds) - in_round < tournament.settings.may_wait
    round_ = tournament.round(in_round) if is_open and reason.strip() else _current(tournament, in_round, reason)
    pairing = round_.at(board)
    if board not in round_.results:
        raise TournamentError(statement("tournament.result.none_to_take_back", round=in_round, board=board))
    gone = _forfeit(tournament, in_round, pairing)
    if gone:
        raise TournamentError(statement("tournament.result.forfeited", round=in_round, board=board))
    correction = Amendment(in_round, board, format_result(round_.results[board]), "", reason.strip())
    return replace(_with(tournament, round_.untold(board)), corrections=(*tournament.corrections, correction))


def _correct_result(tournament: Tournament, event: events.ResultCorrected) -> Tournament:
    round_ = tournament.round(event.round)
    if not event.reason.strip():
        raise TournamentError(statement("tournament.result.reason", round=event.round, board=event.board))
    pairing = round_.at(event.board)
    if event.board not in round_.results:
        raise TournamentError(statement("tournament.result.none_to_correct", round=event.round, board=event.board))
    _fits(tournament, round_, event.board, event.result)
    was = round_.results[event.board]
    moved_on = tournament.settings.system is System.KNOCKOUT and event.round < len(tournament.rounds)
    if moved_on and winner(pairing, was) != winner(pairing, event.result):
        raise TournamentError(
            statement("tournament.result.other_winner", round=event.round, board=event.board, next=event.round + 1)
        )
    correction = Amendment(
        event.round, event.board, format_result(was), format_result(event.result), event.reason.strip()
    )
    corrected = _with(tournament, round_.with_result(event.board, event.result))
    return replace(corrected, corrections=(*tournament.corrections, correction))


def _decide_order(tournament: Tournament, numbers: tuple[int, ...], reason: str) -> Tournament:
    _check_list(tournament, numbers)
    if not reason.strip():
        raise TournamentError(statement("tournament.order.reason"))
    told = ", ".join(map(str, numbers))
    correction = Amendment(len(tournament.rounds), None, "", f"order: {told}", reason.strip())
    return replace(tournament, orders=(*tournament.orders, numbers), corrections=(*tournament.corrections, correction))


def _check_list(tournament: Tournament, numbers: tuple[int, ...], *, by_lot: bool = False) -> None:
    """Raise TournamentError unless two or more entrants are named, each once."""
    for number in numbers:
        tournament.entrant(number)
    if len(numbers) < 2 or len(set(numbers)) < len(numbers):  # noqa: PLR2004 - two can be level
        named = [*numbers] or statement("tournament.word.nobody")
        raise TournamentError(statement("tournament.order.lot" if by_lot else "tournament.order.order", entrants=named))


def _fits(tournament: Tournament, round_: Round, board: int, result: Result) -> None:
    """Raise TournamentError unless a result tells every game, and in a knockout who goes on."""
    pairing, games = round_.at(board), tournament.settings.games
    knockout = tournament.settings.system is System.KNOCKOUT
    if len(result) < games or (len(result) > games and not knockout):
        raise TournamentError(
            statement(
                "tournament.result.games.one" if games == 1 else "tournament.result.games.other",
                round=round_.number,
                board=board,
                number=games,
                told=len(result),
            )
        )
    if GameResult.BOTH_WON in result and tournament.settings.grades is None:
        raise TournamentError(statement("tournament.result.both_won", round=round_.number, board=board))
    nobody = all(game is GameResult.DOUBLE_FORFEIT for game in result)
    if knockout and not nobody and winner(pairing, result) is None:
        raise TournamentError(statement("tournament.result.no_winner", round=round_.number, board=board))


def _with(tournament: Tournament, round_: Round) -> Tournament:
    rounds = tuple(round_ if one.number == round_.number else one for one in tournament.rounds)
    return replace(tournament, rounds=rounds)
