"""Find what is wrong with pairings of open play, in an arena or on a ladder, where not everybody plays at once.

Reads the rounds itself and trusts no engine.
"""

from collections.abc import Iterator, Sequence

from gnomon.refusals import Statement, statement
from gnomon.tournament._ladder import ladder_order
from gnomon.tournament.rounds import Pairing
from gnomon.tournament.settings import System
from gnomon.tournament.state import Tournament

_Clauses = tuple[Statement, ...]


def open_play_faults(tournament: Tournament, in_round: int, pairings: Sequence[Pairing]) -> tuple[_Clauses, _Clauses]:
    """What nobody can wish for, and who meets whom against a rule that a director may override."""
    senseless = (*_alone(tournament, pairings), *_busy(tournament, in_round, pairings))
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


def _alone(tournament: Tournament, pairings: Sequence[Pairing]) -> Iterator[Statement]:
    for pairing in pairings:
        if pairing.second is None:
            yield statement("tournament.broken.free", who=tournament.label_of(pairing.first))


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
