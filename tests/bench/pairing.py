"""How long it takes to pair a Swiss tournament, how well it is paired, and what memory that takes, by entrants.

Nine rounds with byes, withdrawals, late entries and forfeits; the stronger wins more often. Every round is paired by
weighted matching and looked over by the validator, which knows nothing of the engine: it counts rematches, third games
running on one side, second byes and whatever else is absolute. Quality is how far apart the scores are of those who
meet, how many pairs float, and how many do not get the side that is due to them. Processor time of the process; how far
it has come is shown at a terminal.
"""

import random
import resource
import time
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple
from unittest.mock import patch

from gnomon.tournament.errors import NoPairingError
from gnomon.tournament.event_log.reducer import fold, step
from gnomon.tournament.events import (
    ByeGranted,
    EntrantRegistered,
    EntrantWithdrew,
    ResultEntered,
    RoundPublished,
    TournamentOpened,
)
from gnomon.tournament.pairing import _matching as matching
from gnomon.tournament.pairing._preferences import NONE, STRONG
from gnomon.tournament.pairing.engines import pair
from gnomon.tournament.pairing.players import players
from gnomon.tournament.pairing.swiss import PairingProgress
from gnomon.tournament.pairing.validator import faults_of
from gnomon.tournament.standings import standings
from gnomon.tournament.state import Tournament
from gnomon.tournament.state.results import NOTHING, GameResult, Points
from gnomon.tournament.state.round_history import histories, score
from gnomon.tournament.state.rounds import Pairing
from gnomon.tournament.state.settings import Bye, System, TournamentSettings
from tests.bench._figures import Spread, parser, progress, say, say_machine

SIZES: Final = (100, 200, 1000)
QUICK: Final = (16, 40)
ROUNDS: Final = 9
SPREAD: Final = 200.0  # rating points in which the better player's advantage is worth a class
LARGEST_WHOLE: Final = 200  # entrants whose every meeting is matched as well, to see what the few that are kept cost
MICROSECONDS: Final = 1_000_000


class Quality(NamedTuple):
    """What came of the pairs of some rounds together."""

    pairs: int = 0
    apart: Points = NOTHING
    floats: int = 0
    wishes: int = 0
    unmet: int = 0
    strong_unmet: int = 0

    def and_of(self, other: "Quality") -> "Quality":
        """Both together."""
        return Quality(
            self.pairs + other.pairs,
            self.apart + other.apart,
            self.floats + other.floats,
            self.wishes + other.wishes,
            self.unmet + other.unmet,
            self.strong_unmet + other.strong_unmet,
        )

    def __str__(self) -> str:
        """A line for people."""
        return (
            f"scores {float(self.apart / max(1, self.pairs)):.3f} points apart in the mean, "
            f"{self.floats} of {self.pairs} pairs float; "
            f"{self.unmet} of {self.wishes} wishes for a side unmet, {self.strong_unmet} of them strong"
        )


def gathered(size: int, chance: random.Random) -> Tournament:
    """A tournament with its entrants, of ratings around 1600."""
    entrants = (
        EntrantRegistered(number, f"Entrant {number}", round(chance.gauss(1600, 250))) for number in range(1, size + 1)
    )
    return fold([TournamentOpened(TournamentSettings("Bench", System.SWISS, ROUNDS)), *entrants])


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


def quality(tournament: Tournament, pairings: Sequence[Pairing]) -> Quality:
    """How well the next round is paired, by the scores and the sides so far."""
    made = {number: score(turns) for number, turns in histories(tournament).items()}
    wish = {one.number: one.preference for one in players(tournament)}
    count: Counter[str] = Counter()
    apart = NOTHING
    for pairing in pairings:
        if pairing.second is None:
            continue
        difference = abs(made[pairing.first] - made[pairing.second])
        apart += difference
        count.update(pairs=1, floats=difference > 0)
        for number, first in ((pairing.first, True), (pairing.second, False)):
            if wish[number].strength != NONE:
                unmet = wish[number].first != first
                count.update(wishes=1, unmet=unmet, strong=unmet and wish[number].strength >= STRONG)
    return Quality(count["pairs"], apart, count["floats"], count["wishes"], count["unmet"], count["strong"])


def spent(work: Callable[[], object]) -> float:
    """The processor time that some work takes, in microseconds."""
    before = time.process_time()
    work()
    return (time.process_time() - before) * MICROSECONDS


def tournament_of(size: int, chance: random.Random) -> None:
    """Play one tournament and print what its rounds took and how good they were."""
    tournament = gathered(size, chance)
    pairing, checking, broken, without, few, all_of_them = [], [], 0, 0, Quality(), Quality()
    compared = matching.WHOLE < size <= LARGEST_WHOLE
    for number in range(1, ROUNDS + 1):
        tournament = disturbed(tournament, chance)

        def watched(told: PairingProgress, number: int = number) -> None:
            of = f" of {told.of}" if told.of else ""
            progress(f"{size} entrants, round {number} of {ROUNDS}: {told.done}{of} {told.doing}")

        before = time.process_time()
        try:
            pairings = pair(tournament, watcher=watched)
        except NoPairingError:
            without += 1
            break
        pairing.append((time.process_time() - before) * MICROSECONDS)
        before = time.process_time()
        broken += len(faults_of(tournament, number, pairings).all)
        checking.append((time.process_time() - before) * MICROSECONDS)
        few = few.and_of(quality(tournament, pairings))
        if compared:
            with patch.object(matching, "WHOLE", size + 1):
                all_of_them = all_of_them.and_of(quality(tournament, pair(tournament)))
        tournament = told(step(tournament, RoundPublished(number, pairings)), chance)
    progress("")
    who = f"{size} entrants"
    say(f"{who}: a round paired", f"{Spread.of(pairing)}  in round {1 + pairing.index(max(pairing))}")
    say(f"{who}: a round looked over again", Spread.of(checking))
    say(f"{who}: the standings", Spread.of([spent(lambda: standings(tournament)) for _ in range(3)]))
    say(f"{who}: absolute rules broken", f"{broken}, rounds without a pairing {without}")
    say(f"{who}: quality", few)
    if compared:
        say(f"{who}: the same with every meeting matched", all_of_them)
    say(f"{who}: most memory so far", f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB resident")


def main() -> None:
    """Pair tournaments of growing size."""
    options = parser(__doc__).parse_args()
    say_machine()
    for size in QUICK if options.quick else SIZES:
        tournament_of(size, random.Random(options.seed + size))


if __name__ == "__main__":
    main()
