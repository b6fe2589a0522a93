"""Pair double-elimination rounds: an entrant is out after the second loss."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

from gnomon.tournament.pairing._matching import Costs, Edge, best_matching
from gnomon.tournament.pairing.knockout import champion, no_further_round, paired_slots, sides_of, slots_of
from gnomon.tournament.state import Tournament
from gnomon.tournament.state.round_history import winner
from gnomon.tournament.state.rounds import Pairing

LIVES: Final = 2


def double_elimination(tournament: Tournament) -> tuple[Pairing, ...]:
    """The next round: the bracket of those who never lost, at its own boards, and after them those who lost once.

    These are paired again each time, as few as can be with somebody they have met, the stronger half with the weaker.
    The one who is left of the bracket waits until only one of the others is left, and gets another chance if they lose
    only then. Raises NoPairingError when the tournament has its winner, or nobody is left.
    """
    lost = losses(tournament)
    beaten = [number for number in tournament.seeds if lost[number] == 1 and _plays(tournament, number)]
    slots = _unbeaten(tournament, lost)
    upper = paired_slots(tournament, slots) if len(slots) > 1 else ()
    alone = [one for one in slots if one is not None] if len(slots) == 1 else []
    if upper or len(beaten) > 1:
        return (*upper, *_lower(tournament, beaten, len(slots) // 2 + 1))
    match [*alone, *beaten]:
        case [one, other]:
            return (Pairing(1, *sides_of(tournament, one, other)),)
        case left:
            raise no_further_round(tournament, left[0] if left else None)


def still_in(tournament: Tournament) -> tuple[int, ...]:
    """The numbers of those who have neither lost twice nor left, the strongest seed first."""
    lost = losses(tournament)
    return tuple(number for number in tournament.seeds if lost[number] < LIVES and _plays(tournament, number))


def losses(tournament: Tournament) -> Mapping[int, int]:
    """How often everybody has lost; a double forfeit is lost by both."""
    count = Counter(dict.fromkeys(tournament.entrants, 0))
    for round_ in tournament.rounds:
        for pairing in round_.pairings:
            if pairing.second is not None and pairing.board in round_.results:
                won = winner(pairing, round_.results[pairing.board])
                count.update(one for one in pairing.entrants if one != won)
    return count


def elimination_progress(tournament: Tournament, number: int, lost: Mapping[int, int]) -> tuple[int, int]:
    """How far somebody came: the last round they played, or all of them, and the losses they still had to spare."""
    spare = max(0, LIVES - lost[number])
    if spare and _plays(tournament, number):
        return (len(tournament.rounds), spare)
    played = [round_.number for round_ in tournament.rounds if round_.of(number) is not None]
    return (max(played, default=0), 0)


def _plays(tournament: Tournament, number: int) -> bool:
    return not tournament.has_left(number, tournament.next_round)


def _unbeaten(tournament: Tournament, lost: Mapping[int, int]) -> Sequence[int | None]:
    """The slots of the bracket; once it has been played to its end, who is left of it, if they have not lost since."""
    slots = slots_of(tournament)
    if slots or not tournament.rounds:
        return slots
    first = champion(tournament)
    return [first if first is not None and not lost[first] and _plays(tournament, first) else None]


def _lower(tournament: Tournament, beaten: Sequence[int], board: int) -> tuple[Pairing, ...]:
    """Those who have lost once, each with another; the odd one out, with the fewest byes and none just now, goes on."""
    size = len(beaten) + len(beaten) % 2
    edges = [(edge, _cost(tournament, beaten, edge)) for edge in _edges(size)]
    pairs = best_matching(size, edges) if beaten else ()
    pairings = []
    for at, (one, other) in enumerate(pairs or (), start=board):
        if other == len(beaten):
            pairings.append(Pairing(at, beaten[one]))
        else:
            pairings.append(Pairing(at, *sides_of(tournament, beaten[one], beaten[other])))
    return tuple(pairings)


def _edges(size: int) -> list[Edge]:
    return [(one, other) for one in range(size) for other in range(one + 1, size)]


def _cost(tournament: Tournament, beaten: Sequence[int], edge: Edge) -> Costs:
    one, other = edge
    if other == len(beaten):
        byes = [round_.number for round_ in tournament.rounds if _alone(round_.of(beaten[one]))]
        return (0, len(byes), int(len(tournament.rounds) in byes), one)
    met = sum({beaten[one], beaten[other]} == set(p.entrants) for r in tournament.rounds for p in r.pairings)
    return (met, 0, 0, (other - one - len(beaten) // 2) ** 2)


def _alone(pairing: Pairing | None) -> bool:
    return pairing is not None and pairing.second is None
