"""Generate round-robin schedules from the Berger tables (FIDE C.05) for any number of entrants."""

from gnomon.refusals import statement
from gnomon.tournament.errors import NoPairingError
from gnomon.tournament.state import Tournament
from gnomon.tournament.state.rounds import Pairing, at_boards


def table(entrants: int) -> tuple[tuple[tuple[int, int], ...], ...]:
    """For each round who moves first against whom, by the numbers 1, 2, 3 …; with an odd number one is free."""
    even = entrants + entrants % 2
    return tuple(_round(even, entrants, number) for number in range(1, even))


def round_robin(tournament: Tournament) -> tuple[Pairing, ...]:
    """The next round of the table; the entrants stand in it in the order of their numbers.

    Raises NoPairingError when all have met, or when there are fewer than two.
    """
    numbers = sorted(tournament.entrants)
    cycles = tournament.settings.cycles
    schedule = _in_order(table(len(numbers)), cycles)
    if len(numbers) < 2 or tournament.next_round > len(schedule):  # noqa: PLR2004 - two make a pair
        rounds = len(schedule) if len(numbers) > 1 else 0
        raise NoPairingError(
            statement(
                "tournament.pairing.table.once" if cycles == 1 else "tournament.pairing.table.twice",
                round=tournament.next_round,
                entrants=len(numbers),
                rounds=rounds,
            )
        )
    pairs = schedule[tournament.next_round - 1]
    return at_boards((numbers[first - 1], numbers[second - 1]) for first, second in pairs)


def _in_order(rounds: tuple[tuple[tuple[int, int], ...], ...], cycles: int) -> tuple[tuple[tuple[int, int], ...], ...]:
    if cycles == 1:
        return rounds
    # C.05, annex 1: with two cycles the last two rounds of the first change places, or somebody would have the same
    # side three times running where the cycles meet.
    first = (*rounds[:-2], *rounds[:-3:-1])
    return first + tuple(tuple((second, one) for one, second in pairs) for pairs in rounds)


def _round(even: int, entrants: int, number: int) -> tuple[tuple[int, int], ...]:
    others = even - 1
    # The last number stays; whom it meets moves on by half a table in each round.
    pivot = (number + 1) // 2 if number % 2 else even // 2 + number // 2
    last = (pivot, even) if number % 2 else (even, pivot)
    pairs = [((pivot + step - 1) % others + 1, (pivot - step - 1) % others + 1) for step in range(1, even // 2)]
    return tuple(pair for pair in (last, *pairs) if max(pair) <= entrants)
