"""Pair knockout rounds: seeded bracket, byes to the next power of two, and the match for third place."""

from collections.abc import Sequence

from gnomon.refusals import statement
from gnomon.tournament.errors import NoPairingError
from gnomon.tournament.state import Tournament
from gnomon.tournament.state.round_history import winner
from gnomon.tournament.state.rounds import Pairing, Round

Slots = tuple[int | None, ...]


def bracket(entrants: int) -> tuple[int | None, ...]:
    """The seeds 1, 2, 3 … in the order of the bracket, so that the best meet as late as can be; None is a bye."""
    order = [1]
    while len(order) < entrants:
        size = 2 * len(order) + 1
        order = [seed for one in order for seed in (one, size - one)]
    return tuple(seed if seed <= entrants else None for seed in order)


def knockout(tournament: Tournament) -> tuple[Pairing, ...]:
    """The next round; a board keeps its number from the bracket, and the winner of two neighbours meets the other's.

    Raises NoPairingError when the tournament has its winner, or nobody is left.
    """
    slots = slots_of(tournament)
    if len(slots) < 2:  # noqa: PLR2004 - two make a pair
        raise no_further_round(tournament, slots[0] if slots else None)
    pairings = paired_slots(tournament, slots)
    if len(slots) == 2 and tournament.settings.third_place:  # noqa: PLR2004 - the final
        losers = tuple(
            None if one is None or _has_withdrawn(tournament, one) else one for one in _semifinal_losers(tournament)
        )
        pairings = (*pairings, *(p._replace(board=2) for p in paired_slots(tournament, losers)))
    if not pairings:
        raise no_further_round(tournament, None)
    return pairings


def no_further_round(tournament: Tournament, won: int | None) -> NoPairingError:
    """That a bracket is at its end: somebody has won, or nobody is left."""
    in_round = tournament.next_round
    if won is None:
        return NoPairingError(statement("tournament.pairing.nobody_left", round=in_round))
    return NoPairingError(statement("tournament.pairing.won", round=in_round, who=tournament.label_of(won)))


def slots_of(tournament: Tournament) -> Slots:
    """Who stands where in the bracket of the next round; those who lost, or withdrew, leave None."""
    if not tournament.rounds:
        numbers = tournament.players(1)
        slots: Slots = tuple(None if seed is None else numbers[seed - 1] for seed in bracket(len(numbers)))
        return slots if numbers else ()
    size = _first_boards(tournament) >> (len(tournament.rounds) - 1)
    last = tournament.rounds[-1]
    going_on = tuple(_going_on(last, board) for board in range(1, size + 1))
    return tuple(None if one is None or _has_withdrawn(tournament, one) else one for one in going_on)


def champion(tournament: Tournament) -> int | None:
    """Who won the final, or None while it is not decided."""
    boards = _first_boards(tournament) if tournament.rounds else 0
    final = boards.bit_length()
    if not final or len(tournament.rounds) < final:
        return None
    return _going_on(tournament.rounds[final - 1], 1)


def knockout_progress(tournament: Tournament, number: int) -> tuple[int, int]:
    """How far somebody came: the last round they were in, and what came of it; the higher the better."""
    seats = [(round_, pairing) for round_ in tournament.rounds if (pairing := round_.of(number)) is not None]
    if not seats:
        return (0, 0)
    round_, pairing = seats[-1]
    won = _going_on(round_, pairing.board) == number
    for_third = round_.number == _first_boards(tournament).bit_length() and pairing.board > 1
    return (round_.number, int(won) if for_third else 2 + int(won))


def _first_boards(tournament: Tournament) -> int:
    """How many boards the first round has room for: a power of two, no matter who was moved where by hand."""
    highest = max((pairing.board for pairing in tournament.rounds[0].pairings), default=1)
    return 1 << (highest - 1).bit_length()


def paired_slots(tournament: Tournament, slots: Sequence[int | None]) -> tuple[Pairing, ...]:
    """The matches between neighbours of a bracket; one without a neighbour goes on alone; if both are gone, nobody."""
    pairings = []
    for board, pair in enumerate(zip(slots[::2], slots[1::2], strict=True), start=1):
        match [one for one in pair if one is not None]:
            case [one, other]:
                pairings.append(Pairing(board, *sides_of(tournament, one, other)))
            case [alone]:
                pairings.append(Pairing(board, alone))
            case _:  # both were lost to a double forfeit or left: nobody goes on from here
                pass
    return tuple(pairings)


def sides_of(tournament: Tournament, one: int, other: int) -> tuple[int, int]:
    """The one who moved first less often does so; among equals the stronger seed, or the weaker if the lot says so."""
    firsts = {number: sum(p.first == number for r in tournament.rounds for p in r.pairings) for number in (one, other)}
    seeds = tournament.seeds
    strong, weak = sorted((one, other), key=seeds.index)
    if firsts[strong] != firsts[weak]:
        return (strong, weak) if firsts[strong] < firsts[weak] else (weak, strong)
    return (strong, weak) if tournament.settings.leader_first else (weak, strong)


def _going_on(round_: Round, board: int) -> int | None:
    pairing = next((pairing for pairing in round_.pairings if pairing.board == board), None)
    if pairing is None:
        return None
    return pairing.first if pairing.second is None else winner(pairing, round_.results.get(board, ()))


def _semifinal_losers(tournament: Tournament) -> Slots:
    if not tournament.rounds:
        return (None, None)
    last = tournament.rounds[-1]
    return tuple(_loser(last, board) for board in (1, 2))


def _loser(round_: Round, board: int) -> int | None:
    pairing = next((pairing for pairing in round_.pairings if pairing.board == board), None)
    won = _going_on(round_, board)
    if pairing is None or pairing.second is None or won is None:
        return None
    return pairing.second if won == pairing.first else pairing.first


def _has_withdrawn(tournament: Tournament, number: int) -> bool:
    return tournament.has_left(number, tournament.next_round)
