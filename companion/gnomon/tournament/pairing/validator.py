"""Refuse a pairing that breaks an absolute rule.

Reads the rounds itself and trusts no engine.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple, assert_never

from gnomon.refusals import Statement, statement
from gnomon.tournament.errors import TournamentError
from gnomon.tournament.pairing._preferences import Preference, compatible
from gnomon.tournament.scoring.ladder import ladder_order
from gnomon.tournament.state import Tournament
from gnomon.tournament.state.results import GameResult
from gnomon.tournament.state.round_history import histories, score
from gnomon.tournament.state.rounds import Pairing, Round
from gnomon.tournament.state.settings import Bye, System
from gnomon.tournament.strength.given_points import starting_points

SEMIFINALS: Final = 2  # boards; the two who lose there may play for the third place
LIVES: Final = 2  # losses in double elimination, and whom its final is between

_Clauses = tuple[Statement, ...]
_Past = Sequence[tuple[Round, Mapping[int, Pairing]]]
"""The rounds before, each with where everybody sat: looked up, for a thousand boards have ten thousand before them."""


class Faults(NamedTuple):
    """What is wrong with a pairing, a clause each: what nobody can wish for, who met whom, and who moves first."""

    senseless: tuple[Statement, ...] = ()
    meetings: tuple[Statement, ...] = ()
    sides: tuple[Statement, ...] = ()

    @property
    def overridable(self) -> tuple[Statement, ...]:
        """What a director may override."""
        return (*self.meetings, *self.sides)

    @property
    def all(self) -> tuple[Statement, ...]:
        """Every absolute rule that is broken."""
        return (*self.senseless, *self.overridable)


def check(tournament: Tournament, in_round: int, pairings: Sequence[Pairing], *, override: bool = False) -> None:
    """Raise TournamentError with everything that is wrong with the pairings of a round and not overridden."""
    faults = faults_of(tournament, in_round, pairings)
    told = faults.senseless if override else faults.all
    if told:
        raise TournamentError(statement("tournament.pairing.broken", round=in_round, faults=list(told)))


def faults_of(tournament: Tournament, in_round: int, pairings: Sequence[Pairing]) -> Faults:
    """Everything that is wrong with the pairings of a round; only the rounds before it count.

    A director may override who meets whom and on which side in a Swiss, a McMahon and a round robin, not
    who is there: for that there are byes and withdrawals. A bracket cannot be told otherwise.
    """
    seated = tuple(_seating_faults(tournament, pairings))
    if seated:
        return Faults(seated)
    match tournament.settings.system:
        case System.SWISS | System.MCMAHON:
            past = _past(tournament, in_round)
            return Faults(
                tuple(_all_there(tournament, in_round, pairings)),
                tuple(_meetings(tournament, past, pairings)),
                tuple(_unbalanced_sides(tournament, in_round, past, pairings)),
            )
        case System.ROUND_ROBIN:
            idle = tuple(_left_free(tournament, pairings))
            return Faults(idle, tuple(_round_robin(tournament, in_round, pairings)))
        case System.KEIZER:
            return Faults(tuple(_all_there(tournament, in_round, pairings)), tuple(apart(tournament, pairings)))
        case System.ARENA | System.LADDER:
            return Faults(*open_play_faults(tournament, in_round, pairings))
        case System.TABLES:
            return Faults((statement("tournament.broken.tables"),))
        case System.KNOCKOUT if tournament.settings.lives > 1:
            return Faults(tuple(_double(tournament, in_round, pairings)))
        case System.KNOCKOUT:
            return Faults(tuple(_knockout(tournament, in_round, pairings)))
        case _:
            assert_never(tournament.settings.system)


def _seating_faults(tournament: Tournament, pairings: Sequence[Pairing]) -> Iterator[Statement]:
    boards = Counter(pairing.board for pairing in pairings)
    places = Counter(one for pairing in pairings for one in pairing.entrants)
    if not pairings:
        yield statement("tournament.broken.nobody")
    yield from (
        statement("tournament.broken.stranger", entrant=number)
        for number in places
        if number not in tournament.entrants
    )
    yield from (
        statement("tournament.broken.places", entrant=number, count=count)
        for number, count in places.items()
        if count > 1
    )
    yield from (
        statement("tournament.broken.board_again", board=board, count=count)
        for board, count in boards.items()
        if count > 1
    )
    yield from (statement("tournament.broken.no_board", board=board) for board in boards if board < 1)


def _all_there(tournament: Tournament, in_round: int, pairings: Sequence[Pairing]) -> Iterator[Statement]:
    places = {one for pairing in pairings for one in pairing.entrants}
    for number in tournament.entrants:
        plays = tournament.plays(number, in_round)
        if plays and number not in places:
            yield statement("tournament.broken.left_out", who=tournament.label_of(number))
        if not plays and number in places:
            yield statement("tournament.broken.absent", who=tournament.label_of(number))
    idle = [pairing.first for pairing in pairings if pairing.second is None]
    if len(idle) > 1:
        yield statement("tournament.broken.byes", count=len(idle))


def _meetings(tournament: Tournament, past: _Past, pairings: Sequence[Pairing]) -> Iterator[Statement]:
    for pairing in pairings:
        first, second = pairing.first, pairing.second
        if second is None:
            if _idle_before(tournament, past, first):
                yield statement("tournament.broken.second_bye", who=tournament.label_of(first))
            continue
        one, other = tournament.label_of(first), tournament.label_of(second)
        if _have_met(past, first, second):
            yield statement("tournament.broken.met", one=one, other=other)
        if not tournament.may_meet(first, second):
            yield statement("tournament.broken.apart", one=one, other=other)


def _unbalanced_sides(
    tournament: Tournament, in_round: int, past: _Past, pairings: Sequence[Pairing]
) -> Iterator[Statement]:
    if not tournament.settings.balances:
        return
    leaders = _topscorers(tournament, in_round)
    for _, first, second in pairings:
        if second is None:
            continue
        had = {one: Preference.of(tuple(_sides(past, one))) for one in (first, second)}
        # C.04.3, C.3: two may have the same absolute preference where one of them is a topscorer (A.7).
        if {first, second} & leaders and not compatible(had[first], had[second]):
            continue
        yield from _one_sided(tournament, first, had[first], moves_first=True)
        yield from _one_sided(tournament, second, had[second], moves_first=False)


def _topscorers(tournament: Tournament, in_round: int) -> frozenset[int]:
    """Who has more than half of what can be had when the last round is paired (C.04.3, A.7); nobody before it."""
    settings = tournament.settings
    if in_round < settings.rounds:
        return frozenset()
    most = settings.scoring.win * settings.units * (in_round - 1)
    return frozenset(
        number
        for number, turns in histories(tournament).items()
        if 2 * (starting_points(tournament, number) + score(turns[: in_round - 1])) > most
    )


def _left_free(tournament: Tournament, pairings: Sequence[Pairing]) -> Iterator[Statement]:
    for pairing in pairings:
        if pairing.second is None:
            yield statement("tournament.broken.free", who=tournament.label_of(pairing.first))


def _round_robin(tournament: Tournament, in_round: int, pairings: Sequence[Pairing]) -> Iterator[Statement]:
    cycles, past = tournament.settings.cycles, _past(tournament, in_round)
    for pairing in pairings:
        first, second = pairing.first, pairing.second
        if second is not None and sum(_sat(past, first, second)) >= cycles:
            yield statement(
                "tournament.broken.once" if cycles == 1 else "tournament.broken.twice",
                one=tournament.label_of(first),
                other=tournament.label_of(second),
            )


def _knockout(tournament: Tournament, in_round: int, pairings: Sequence[Pairing]) -> Iterator[Statement]:
    places = {one for pairing in pairings for one in pairing.entrants}
    for number in sorted(places):
        if tournament.has_left(number, in_round):
            yield statement("tournament.broken.withdrawn", who=tournament.label_of(number))
    if in_round == 1:
        yield from (
            statement("tournament.broken.no_bracket", who=tournament.label_of(number))
            for number in tournament.players(1)
            if number not in places
        )
        return
    # The losers of the last round play once more where there is a match for the third place.
    last = tournament.rounds[in_round - 2].pairings
    for_third = tournament.settings.third_place and len(last) <= SEMIFINALS
    before = {one for pairing in last for one in pairing.entrants}
    for number in tournament.entrants:
        won = number in before and _won_last(tournament, in_round - 1, number)
        if number in places and number not in before:
            yield statement("tournament.broken.out_before", who=tournament.label_of(number))
        elif number in places and not won and not for_third:
            yield statement("tournament.broken.lost", who=tournament.label_of(number))
        elif won and number not in places and not tournament.has_left(number, in_round):
            yield statement("tournament.broken.winner_left_out", who=tournament.label_of(number))


def _double(tournament: Tournament, in_round: int, pairings: Sequence[Pairing]) -> Iterator[Statement]:
    lost = {
        number: sum(_has_lost(tournament, one, number) for one in range(1, in_round)) for number in tournament.entrants
    }
    still_in = [number for number in lost if lost[number] < LIVES and not tournament.has_left(number, in_round)]
    places = {one for pairing in pairings for one in pairing.entrants}
    yield from (
        statement("tournament.broken.out", who=tournament.label_of(number)) for number in sorted(places - set(still_in))
    )
    unbeaten = [number for number in still_in if not lost[number]]
    # The only one who has never lost waits until one is left of those who have lost once.
    waits = set(unbeaten) if len(unbeaten) == 1 and len(still_in) > LIVES else set()
    for number in still_in:
        if number not in places and number not in waits:
            yield statement("tournament.broken.still_in", who=tournament.label_of(number))
    for pairing in pairings:
        if pairing.second is None or len(still_in) <= LIVES:
            continue
        if lost.get(pairing.first) != lost.get(pairing.second):
            one, other = tournament.label_of(pairing.first), tournament.label_of(pairing.second)
            yield statement("tournament.broken.uneven", one=one, other=other)


def _has_lost(tournament: Tournament, in_round: int, number: int) -> bool:
    pairing = next((p for p in tournament.rounds[in_round - 1].pairings if number in p.entrants), None)
    return pairing is not None and pairing.second is not None and not _won_last(tournament, in_round, number)


def _won_last(tournament: Tournament, in_round: int, number: int) -> bool:
    round_ = tournament.rounds[in_round - 1]
    pairing = next(pairing for pairing in round_.pairings if number in pairing.entrants)
    if pairing.second is None:
        return True
    wins = {GameResult.FIRST_WON, GameResult.FIRST_BY_FORFEIT}
    games = round_.results.get(pairing.board, ())
    balance = sum((game in wins) - (game.from_other_side in wins) for game in games)
    return balance > 0 if number == pairing.first else balance < 0


def _past(tournament: Tournament, in_round: int) -> _Past:
    return [
        (round_, {one: pairing for pairing in round_.pairings for one in pairing.entrants})
        for round_ in tournament.rounds[: in_round - 1]
    ]


def _sat(past: _Past, one: int, other: int) -> Iterator[bool]:
    for _, seats in past:
        yield one in seats and other in seats[one].entrants


def _have_met(past: _Past, one: int, other: int) -> bool:
    return any(
        one in seats and other in seats[one].entrants and _sat_down(round_.results.get(seats[one].board))
        for round_, seats in past
    )


def _sat_down(result: Sequence[GameResult] | None) -> bool:
    """Whether a game was played, or may still be."""
    return result is None or any(game.played for game in result)


def _idle_before(tournament: Tournament, past: _Past, number: int) -> bool:
    """Whether an entrant had a bye worth a win, or won by forfeit: C.04.1.d."""
    for round_, seats in past:
        if tournament.byes.get((number, round_.number)) is Bye.FULL:
            return True
        pairing = seats.get(number)
        if pairing is None:
            continue
        if pairing.second is None:
            return True
        result = round_.results.get(pairing.board, ())
        by_forfeit = GameResult.FIRST_BY_FORFEIT if number == pairing.first else GameResult.SECOND_BY_FORFEIT
        if by_forfeit in result and not _sat_down(result):
            return True
    return False


def _sides(past: _Past, number: int) -> Iterator[bool]:
    """Whether an entrant moved first, for each game that they had or may still have."""
    for round_, seats in past:
        pairing = seats.get(number)
        if pairing is not None and pairing.second is not None and _sat_down(round_.results.get(pairing.board)):
            yield pairing.first == number


def _one_sided(tournament: Tournament, number: int, had: Preference, *, moves_first: bool) -> Iterator[Statement]:
    who = tournament.label_of(number)
    if had.thrice_running(first=moves_first):
        yield statement("tournament.broken.first_thrice" if moves_first else "tournament.broken.second_thrice", who=who)
    if had.too_often(first=moves_first):
        yield statement("tournament.broken.first_often" if moves_first else "tournament.broken.second_often", who=who)


def open_play_faults(tournament: Tournament, in_round: int, pairings: Sequence[Pairing]) -> tuple[_Clauses, _Clauses]:
    """What nobody can wish for, and who meets whom against a rule that a director may override."""
    senseless = (*_left_free(tournament, pairings), *_busy(tournament, in_round, pairings))
    # The order of a ladder needs entrants who are there.
    is_ladder = tournament.settings.system is System.LADDER and not senseless
    reach = _out_of_reach(tournament, in_round, pairings) if is_ladder else ()
    return senseless, (*apart(tournament, pairings), *reach)


def apart(tournament: Tournament, pairings: Sequence[Pairing]) -> Iterator[Statement]:
    """Who meets whom they are kept apart from."""
    for pairing in pairings:
        if pairing.second is not None and not tournament.may_meet(pairing.first, pairing.second):
            one, other = tournament.label_of(pairing.first), tournament.label_of(pairing.second)
            yield statement("tournament.broken.apart", one=one, other=other)


def _busy(tournament: Tournament, in_round: int, pairings: Sequence[Pairing]) -> Iterator[Statement]:
    """Who is not there, or still plays in a round before; and boards at which somebody still plays."""
    playing = {}
    boards = {}
    for round_ in tournament.rounds[: in_round - 1]:
        for pairing in round_.pairings:
            if pairing.second is not None and pairing.board not in round_.results:
                boards[pairing.board] = round_.number
                playing.update(dict.fromkeys(pairing.entrants, round_.number))
    for pairing in pairings:
        if pairing.board in boards:
            yield statement("tournament.broken.board_busy", board=pairing.board, round=boards[pairing.board])
        for number in pairing.entrants:
            if not tournament.plays(number, in_round):
                yield statement("tournament.broken.absent", who=tournament.label_of(number))
            elif number in playing:
                yield statement("tournament.broken.busy", who=tournament.label_of(number), round=playing[number])


def _out_of_reach(tournament: Tournament, in_round: int, pairings: Sequence[Pairing]) -> Iterator[Statement]:
    order, reach = ladder_order(tournament, in_round), tournament.settings.reach
    for pairing in pairings:
        one, other = pairing.entrants
        rungs = abs(order.index(one) - order.index(other))
        if rungs > reach:
            names = tournament.label_of(one), tournament.label_of(other)
            yield statement("tournament.broken.reach", one=names[0], other=names[1], rungs=rungs, reach=reach)
