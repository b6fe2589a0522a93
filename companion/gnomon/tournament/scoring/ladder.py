"""Order a challenge ladder: the winner takes the place of a higher opponent, and those between move down one."""

from collections.abc import Mapping

from gnomon.tournament.state import Tournament
from gnomon.tournament.state.results import Points
from gnomon.tournament.state.round_history import winner


def ladder_order(tournament: Tournament, before: int | None = None) -> tuple[int, ...]:
    """Who stands on which rung, the highest first, as of the results so far, or before a round.

    At first by seeds; an entrant who enters later stands at the foot.
    """
    last = len(tournament.rounds) if before is None else before - 1
    order = [number for number in tournament.seeds if tournament.entrants[number].since == 1]
    for round_ in tournament.rounds[:last]:
        order += _newcomers(tournament, order, round_.number)
        for board, result in sorted(round_.results.items()):
            pairing = round_.at(board)
            won = winner(pairing, result)
            if won is None:
                continue
            lost = next(number for number in pairing.entrants if number != won)
            if order.index(won) > order.index(lost):
                order.remove(won)
                order.insert(order.index(lost), won)
    return (*order, *_newcomers(tournament, order, last + 1))


def rungs(tournament: Tournament) -> Mapping[int, Points]:
    """The rung of everybody, counted from the foot, which is 1."""
    order = ladder_order(tournament)
    there = [number for number in order if not tournament.has_left(number, tournament.next_round)]
    return {
        number: Points(len(there) - there.index(number) if number in there else 0) for number in tournament.entrants
    }


def _newcomers(tournament: Tournament, order: list[int], in_round: int) -> list[int]:
    known = set(order)
    return [one for one in tournament.seeds if one not in known and tournament.entrants[one].since <= in_round]
