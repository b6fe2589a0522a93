"""Fold events into a tournament and refuse an event that is not possible in its state.

The functions are pure, so that a history can be replayed.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import assert_never

from gnomon.tournament.errors import TournamentError
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
from gnomon.tournament.pairing import validator
from gnomon.tournament.particulars import NOBODY_KNOWN, PersonalData
from gnomon.tournament.results import GameResult, Result, written
from gnomon.tournament.round_history import winner
from gnomon.tournament.rounds import Pairing, Round
from gnomon.tournament.settings import Bye, System
from gnomon.tournament.state import Amendment, Entrant, Tournament


def fold(events: Iterable[Event]) -> Tournament:
    """The tournament that some events make, from its opening on. Raises TournamentError at the first that cannot be."""
    tournament = None
    for event in events:
        tournament = opened(event) if tournament is None else step(tournament, event)
    if tournament is None:
        message = "a tournament begins with its opening, and nothing has happened"
        raise TournamentError(message)
    return tournament


def opened(event: Event) -> Tournament:
    """The tournament that an opening begins. Raises TournamentError for any other event."""
    if not isinstance(event, TournamentOpened):
        message = f"a tournament begins with its opening, not with {type(event).__name__}"
        raise TournamentError(message)
    return Tournament(event.settings)


def step(tournament: Tournament, event: Event) -> Tournament:  # noqa: C901, PLR0911, PLR0912 - a case each
    """The tournament after an event. Raises TournamentError when it cannot happen now, with what to do instead."""
    match event:
        case TournamentOpened():
            message = f"{tournament.settings.name} is open already: open another tournament for other settings"
            raise TournamentError(message)
        case EntrantRegistered():
            return _registered(tournament, event)
        case EntrantCorrected():
            return _put_right(tournament, event)
        case HeadingTold(heading):
            return replace(tournament, heading=heading)
        case PersonTold(number, person):
            return replace(tournament, persons=_known(tournament, number, person))
        case EntrantWithdrew(number, since):
            return _withdrew(tournament, number, since)
        case EntrantReturned(number):
            return _returned(tournament, number)
        case ByeGranted():
            return _bye_granted(tournament, event)
        case ByeWithdrawn(number, in_round):
            return _bye_withdrawn(tournament, number, in_round)
        case PairingProhibited(one, other):
            return _kept_apart(tournament, _pair(tournament, one, other))
        case PairingAllowed(one, other):
            return _allowed(tournament, _pair(tournament, one, other))
        case RoundPublished():
            return _published(tournament, event)
        case RoundChanged():
            return _changed(tournament, event)
        case RoundRevoked(in_round, reason):
            return _revoked(tournament, in_round, reason)
        case ResultEntered(in_round, board, result):
            return _entered(tournament, in_round, board, result)
        case ResultWithdrawn(in_round, board, reason):
            return _taken_back(tournament, in_round, board, reason)
        case ResultCorrected():
            return _corrected(tournament, event)
        case LotDrawn(numbers):
            _listed(tournament, numbers, "the lot")
            return replace(tournament, lots=(*tournament.lots, numbers))
        case OrderDecided(numbers, reason):
            return _decided(tournament, numbers, reason)
        case _:
            assert_never(event)


def _registered(tournament: Tournament, event: EntrantRegistered) -> Tournament:
    name = event.name.strip()
    if event.number < 1 or event.number in tournament.entrants or not name:
        fault = "needs a name" if not name else "is none" if event.number < 1 else "is taken"
        message = f"entrant number {event.number} {fault}: give a number from 1 up that nobody has, and a name"
        raise TournamentError(message)
    _to_come(tournament, event.since, f"{name} cannot enter")
    if event.since > 1 and tournament.settings.system in {System.ROUND_ROBIN, System.KNOCKOUT}:
        message = (
            f"{name} cannot enter in round {event.since}: a {tournament.settings.system.value} is full at its start"
        )
        raise TournamentError(message)
    entrant = Entrant(event.number, name, event.rating, event.team.strip(), event.since)
    return replace(tournament, entrants={**tournament.entrants, event.number: entrant})


def _put_right(tournament: Tournament, event: EntrantCorrected) -> Tournament:
    was, name = tournament.entrant(event.number), event.name.strip()
    if not name:
        message = f"entrant {tournament.called(event.number)} needs a name: give one"
        raise TournamentError(message)
    entrant = was._replace(name=name, rating=event.rating, team=event.team.strip())
    return replace(tournament, entrants={**tournament.entrants, event.number: entrant})


def _known(tournament: Tournament, number: int, person: PersonalData) -> Mapping[int, PersonalData]:
    """Of whom something is known after that was told of one. Raises TournamentError when there is none such."""
    tournament.entrant(number)
    others = {one: known for one, known in tournament.persons.items() if one != number}
    return others if person == NOBODY_KNOWN else {**others, number: person}


def _to_come(tournament: Tournament, in_round: int, what: str) -> None:
    """Raise TournamentError unless a round is still to be published."""
    if not tournament.next_round <= in_round <= tournament.settings.rounds:
        last = tournament.settings.rounds
        rounds = f"from {tournament.next_round} to {last}" if tournament.next_round <= last else "left: there is none"
        message = f"{what} in round {in_round}: name a round {rounds}"
        raise TournamentError(message)


def _withdrew(tournament: Tournament, number: int, since: int) -> Tournament:
    _to_come(tournament, since, f"{tournament.entrant(number).name} cannot withdraw")
    byes = {key: bye for key, bye in tournament.byes.items() if key[0] != number or key[1] < since}
    return replace(tournament, withdrawn={**tournament.withdrawn, number: since}, byes=byes)


def _returned(tournament: Tournament, number: int) -> Tournament:
    if number not in tournament.withdrawn:
        message = f"{tournament.entrant(number).name} has not withdrawn and cannot return"
        raise TournamentError(message)
    if tournament.settings.system is System.KNOCKOUT and tournament.left(number, len(tournament.rounds)):
        message = f"{tournament.entrant(number).name} cannot return: the bracket has gone on without them"
        raise TournamentError(message)
    return replace(tournament, withdrawn={one: since for one, since in tournament.withdrawn.items() if one != number})


def _bye_granted(tournament: Tournament, event: ByeGranted) -> Tournament:
    name = tournament.entrant(event.number).name
    _to_come(tournament, event.round, f"{name} cannot have a bye")
    if tournament.settings.system not in {System.SWISS, System.MCMAHON}:
        message = f"{name} cannot have a bye: a {tournament.settings.system.value} has none to grant, enter a forfeit"
        raise TournamentError(message)
    if tournament.entrant(event.number).since > event.round or tournament.left(event.number, event.round):
        message = f"{name} cannot have a bye in round {event.round}: they do not take part in it"
        raise TournamentError(message)
    if event.bye is Bye.PAIRING:
        message = f"{name} cannot be granted the pairing's own bye: grant a full, half or zero-point bye"
        raise TournamentError(message)
    return replace(tournament, byes={**tournament.byes, (event.number, event.round): event.bye})


def _bye_withdrawn(tournament: Tournament, number: int, in_round: int) -> Tournament:
    name = tournament.entrant(number).name
    _to_come(tournament, in_round, f"{name} cannot give up a bye")
    if (number, in_round) not in tournament.byes:
        message = f"{name} has no bye in round {in_round} to give up"
        raise TournamentError(message)
    return replace(tournament, byes={key: bye for key, bye in tournament.byes.items() if key != (number, in_round)})


def _pair(tournament: Tournament, one: int, other: int) -> frozenset[int]:
    if one == other:
        message = f"{tournament.called(tournament.entrant(one).number)} never meets themselves: name two entrants"
        raise TournamentError(message)
    return frozenset((tournament.entrant(one).number, tournament.entrant(other).number))


def _kept_apart(tournament: Tournament, pair: frozenset[int]) -> Tournament:
    if tournament.settings.system not in {System.SWISS, System.MCMAHON}:
        message = f"nobody can be kept apart in a {tournament.settings.system.value}: its table says who meets whom"
        raise TournamentError(message)
    return replace(tournament, prohibited=tournament.prohibited | {pair})


def _allowed(tournament: Tournament, pair: frozenset[int]) -> Tournament:
    if pair not in tournament.prohibited:
        names = " and ".join(tournament.called(number) for number in sorted(pair))
        message = f"{names} are not kept apart: there is no prohibition to lift"
        raise TournamentError(message)
    return replace(tournament, prohibited=tournament.prohibited - {pair})


def _published(tournament: Tournament, event: RoundPublished) -> Tournament:
    ready(tournament)
    in_round, pairings = event.round, event.pairings
    if in_round != tournament.next_round:
        message = f"round {in_round} cannot be published: round {tournament.next_round} is next"
        raise TournamentError(message)
    override, corrections = event.override.strip(), tournament.corrections
    if override and (broken := validator.faults_of(tournament, in_round, pairings).overridable):
        corrections = (*corrections, Amendment(in_round, None, "", "; ".join(broken), override))
    validator.check(tournament, in_round, pairings, override=bool(override))
    results = {p.board: _gone(tournament, in_round, p) for p in pairings if p.second is not None}
    told = {board: result for board, result in results.items() if result}
    round_ = Round(in_round, pairings, told, event.paired_by, override)
    return replace(tournament, rounds=(*tournament.rounds, round_), corrections=corrections)


def ready(tournament: Tournament) -> None:
    """Raise TournamentError when there is no further round, or a result of the last is still missing."""
    rounds = tournament.settings.rounds
    if tournament.next_round > rounds:
        told = "only round" if rounds == 1 else f"{rounds} rounds"
        message = f"{tournament.settings.name} has had its {told}: there is no other"
        raise TournamentError(message)
    if tournament.waiting:
        boards = ", ".join(map(str, tournament.waiting))
        message = (
            f"round {tournament.next_round} must wait: round {len(tournament.rounds)} "
            f"has no result yet at board {boards}; enter it"
        )
        raise TournamentError(message)


def _gone(tournament: Tournament, in_round: int, pairing: Pairing) -> Result:
    """What the table of a round robin makes of one who has left: they forfeit."""
    match tuple(tournament.left(number, in_round) for number in pairing.entrants):
        case (True, True):
            game = GameResult.DOUBLE_FORFEIT
        case (True, False):
            game = GameResult.SECOND_BY_FORFEIT
        case (False, True):
            game = GameResult.FIRST_BY_FORFEIT
        case _:
            return ()
    return (game,) * tournament.settings.games


def _changed(tournament: Tournament, event: RoundChanged) -> Tournament:
    round_ = _current(tournament, event.round, event.reason, "changed")
    validator.check(tournament, event.round, event.pairings, override=event.override)
    changed = round_.changed(event.pairings, event.reason.strip() if event.override else "")
    correction = Amendment(event.round, None, _told(round_.pairings), _told(event.pairings), event.reason.strip())
    return replace(
        tournament, rounds=(*tournament.rounds[:-1], changed), corrections=(*tournament.corrections, correction)
    )


def _revoked(tournament: Tournament, in_round: int, reason: str) -> Tournament:
    round_ = _current(tournament, in_round, reason, "revoked")
    if any(any(game.played for game in result) for result in round_.results.values()):
        message = f"round {in_round} cannot be revoked: it has results; change it, or correct them"
        raise TournamentError(message)
    correction = Amendment(in_round, None, _told(round_.pairings), "", reason.strip())
    return replace(tournament, rounds=tournament.rounds[:-1], corrections=(*tournament.corrections, correction))


def _current(tournament: Tournament, in_round: int, reason: str, what: str) -> Round:
    if not reason.strip():
        message = f"round {in_round} cannot be {what} without a reason: write one, it is kept"
        raise TournamentError(message)
    round_ = tournament.round(in_round)
    if in_round != len(tournament.rounds):
        message = f"round {in_round} cannot be {what}: round {len(tournament.rounds)} is being played"
        raise TournamentError(message)
    return round_


def _told(pairings: tuple[Pairing, ...]) -> str:
    return ", ".join(f"{p.board}: {p.first}–{'bye' if p.second is None else p.second}" for p in pairings)


def _entered(tournament: Tournament, in_round: int, board: int, result: Result) -> Tournament:
    round_ = tournament.round(in_round)
    if in_round != len(tournament.rounds):
        message = f"round {in_round}, board {board} is settled: correct it, with a reason"
        raise TournamentError(message)
    _fits(tournament, round_, board, result)
    return _with(tournament, round_.told(board, result))


def _taken_back(tournament: Tournament, in_round: int, board: int, reason: str) -> Tournament:
    round_ = _current(tournament, in_round, reason, "changed")
    pairing = round_.at(board)
    if board not in round_.results:
        message = f"round {in_round}, board {board} has no result to take back"
        raise TournamentError(message)
    gone = _gone(tournament, in_round, pairing)
    if gone:
        message = f"round {in_round}, board {board} was forfeited by who has left: correct it"
        raise TournamentError(message)
    correction = Amendment(in_round, board, written(round_.results[board]), "", reason.strip())
    return replace(_with(tournament, round_.untold(board)), corrections=(*tournament.corrections, correction))


def _corrected(tournament: Tournament, event: ResultCorrected) -> Tournament:
    round_ = tournament.round(event.round)
    where = f"round {event.round}, board {event.board}"
    if not event.reason.strip():
        message = f"{where} cannot be corrected without a reason: write one, it is kept"
        raise TournamentError(message)
    pairing = round_.at(event.board)
    if event.board not in round_.results:
        message = f"{where} has no result to correct: enter it"
        raise TournamentError(message)
    _fits(tournament, round_, event.board, event.result)
    was = round_.results[event.board]
    moved_on = tournament.settings.system is System.KNOCKOUT and event.round < len(tournament.rounds)
    if moved_on and winner(pairing, was) != winner(pairing, event.result):
        message = f"{where} cannot have another winner: round {event.round + 1} is published; revoke it first"
        raise TournamentError(message)
    correction = Amendment(event.round, event.board, written(was), written(event.result), event.reason.strip())
    corrected = _with(tournament, round_.told(event.board, event.result))
    return replace(corrected, corrections=(*tournament.corrections, correction))


def _decided(tournament: Tournament, numbers: tuple[int, ...], reason: str) -> Tournament:
    _listed(tournament, numbers, "the order")
    if not reason.strip():
        message = "an order cannot be decided without a reason: write one, it is kept"
        raise TournamentError(message)
    told = ", ".join(map(str, numbers))
    correction = Amendment(len(tournament.rounds), None, "", f"order: {told}", reason.strip())
    return replace(tournament, orders=(*tournament.orders, numbers), corrections=(*tournament.corrections, correction))


def _listed(tournament: Tournament, numbers: tuple[int, ...], what: str) -> None:
    """Raise TournamentError unless two or more entrants are named, each once."""
    for number in numbers:
        tournament.entrant(number)
    if len(numbers) < 2 or len(set(numbers)) < len(numbers):  # noqa: PLR2004 - two can be level
        message = f"{what} of {', '.join(map(str, numbers)) or 'nobody'} parts nobody: name two or more, each once"
        raise TournamentError(message)


def _fits(tournament: Tournament, round_: Round, board: int, result: Result) -> None:
    """Raise TournamentError unless a result tells every game, and in a knockout who goes on."""
    pairing, games = round_.at(board), tournament.settings.games
    where = f"round {round_.number}, board {board}"
    knockout = tournament.settings.system is System.KNOCKOUT
    if len(result) < games or (len(result) > games and not knockout):
        message = f"{where} has {games} game{'s' * (games > 1)}, and {len(result)} results were told: tell one for each"
        raise TournamentError(message)
    nobody = all(game is GameResult.DOUBLE_FORFEIT for game in result)
    if knockout and not nobody and winner(pairing, result) is None:
        message = f"{where} has no winner: add the result of a deciding game"
        raise TournamentError(message)


def _with(tournament: Tournament, round_: Round) -> Tournament:
    rounds = tuple(round_ if one.number == round_.number else one for one in tournament.rounds)
    return replace(tournament, rounds=rounds)
