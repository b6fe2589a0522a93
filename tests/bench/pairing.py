"""How long it takes to pair a Swiss tournament, to look the pairing over and to reckon the standings, by entrants.

Nine rounds with byes, withdrawals, late entries and forfeits; the stronger wins more often. Every round is paired by
weighted matching and looked over by the validator, which refuses a rematch, a third game running on one side and a
second bye; a round that nobody can pair without one is counted. Processor time of the process.
"""

import random
import time
from collections.abc import Callable
from typing import Final

from gnomon.tournament.errors import NoPairingError
from gnomon.tournament.events import (
    ByeGranted,
    EntrantRegistered,
    EntrantWithdrew,
    ResultEntered,
    RoundPublished,
    TournamentOpened,
)
from gnomon.tournament.fold import fold, step
from gnomon.tournament.pairing import pair
from gnomon.tournament.results import GameResult
from gnomon.tournament.settings import Bye, Settings, System
from gnomon.tournament.standings import standings
from gnomon.tournament.state import Tournament
from gnomon.tournament.validator import violations
from tests.bench._figures import LABEL, parser, say_machine

SIZES: Final = (16, 64, 100, 200)
QUICK: Final = (16, 40)
ROUNDS: Final = 9
SPREAD: Final = 200.0  # rating points in which the better player's advantage is worth a class


def gathered(size: int, chance: random.Random) -> Tournament:
    """A tournament with its entrants, of ratings around 1600."""
    entrants = (
        EntrantRegistered(number, f"Entrant {number}", round(chance.gauss(1600, 250))) for number in range(1, size + 1)
    )
    return fold([TournamentOpened(Settings("Bench", System.SWISS, ROUNDS)), *entrants])


def disturbed(tournament: Tournament, chance: random.Random) -> Tournament:
    """One in fifty asks for half a point, one in a hundred leaves, and now and then somebody comes late."""
    number = tournament.next_round
    for one in tournament.players(number):
        fate = chance.random()
        if fate < 0.02:
            tournament = step(tournament, ByeGranted(one, number, Bye.HALF))
        elif fate < 0.03:
            tournament = step(tournament, EntrantWithdrew(one, number))
    if number > 1 and chance.random() < 0.5:
        late = max(tournament.entrants) + 1
        tournament = step(
            tournament, EntrantRegistered(late, f"Entrant {late}", round(chance.gauss(1600, 250)), "", number)
        )
    return tournament


def told(tournament: Tournament, chance: random.Random) -> Tournament:
    """The round with its results: one in a hundred is a forfeit, and the stronger wins more often."""
    round_ = tournament.rounds[-1]
    for board in round_.waiting:
        pairing = round_.at(board)
        first, second = (tournament.entrants[one].rating or 0 for one in pairing.entrants)
        edge = chance.gauss(first - second, SPREAD)
        result = GameResult.FIRST_WON if edge > 0 else GameResult.SECOND_WON
        if abs(edge) < SPREAD / 2:
            result = GameResult.DRAWN
        if chance.random() < 0.01:
            result = GameResult.FIRST_BY_FORFEIT
        tournament = step(tournament, ResultEntered(round_.number, board, (result,)))
    return tournament


def spent(work: Callable[[], object]) -> float:
    """The processor time that some work takes, in milliseconds."""
    before = time.process_time()
    work()
    return (time.process_time() - before) * 1_000


def tournament_of(size: int, chance: random.Random) -> None:
    """Play one tournament and print what its rounds took."""
    tournament = gathered(size, chance)
    pairing, checking, broken, without = [], [], 0, 0
    for number in range(1, ROUNDS + 1):
        tournament = disturbed(tournament, chance)
        before = time.process_time()
        try:
            pairings = pair(tournament)
        except NoPairingError:
            without += 1
            break
        pairing.append((time.process_time() - before) * 1_000)
        before = time.process_time()
        broken += len(violations(tournament, number, pairings))
        checking.append((time.process_time() - before) * 1_000)
        tournament = told(step(tournament, RoundPublished(number, pairings)), chance)
    ranked = spent(lambda: standings(tournament))
    label = f"{size} entrants, {len(tournament.rounds)} rounds"
    print(
        f"  {label:<{LABEL}} pairing mean {sum(pairing) / len(pairing):7.1f} ms worst {max(pairing):7.1f} ms  "
        f"validator worst {max(checking):6.1f} ms  standings {ranked:6.1f} ms  "
        f"{broken} rules broken, {without} rounds without a pairing"
    )


def main() -> None:
    """Pair tournaments of growing size."""
    options = parser(__doc__).parse_args()
    say_machine()
    for size in QUICK if options.quick else SIZES:
        tournament_of(size, random.Random(options.seed + size))


if __name__ == "__main__":
    main()
