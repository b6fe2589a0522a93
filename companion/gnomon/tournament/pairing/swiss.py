"""Pair a Swiss or McMahon round by minimum-cost matching.

A meeting that breaks an absolute rule is left out of the graph; the quality of the others is their cost.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from gnomon.refusals import Statement, statement
from gnomon.tournament.errors import NoPairingError
from gnomon.tournament.pairing._matching import Costs, Edge, best_matching
from gnomon.tournament.pairing._preferences import compatible, disappointment, moves_first
from gnomon.tournament.pairing.players import Player, players
from gnomon.tournament.state import Tournament
from gnomon.tournament.state.rounds import Pairing, at_boards


class Rule(NamedTuple):
    """An absolute rule, and what would happen without it."""

    name: str
    otherwise: Statement


REMATCH: Final = Rule("rematch", statement("tournament.rule.rematch"))
SIDES: Final = Rule("sides", statement("tournament.rule.sides"))
SECOND_BYE: Final = Rule("bye", statement("tournament.rule.bye"))
KEPT_APART: Final = Rule("prohibition", statement("tournament.rule.prohibition"))
RULES: Final = (SIDES, SECOND_BYE, KEPT_APART, REMATCH)


_Meeting = tuple[Player, Player | None]


class PairingProgress(NamedTuple):
    """How far the pairing of a round has come: what is being done, how much of it is done, and of how much.

    `of` is 0 where nobody knows beforehand: how long the matching searches shows only in the end.
    """

    doing: str
    done: int
    of: int


Watcher = Callable[[PairingProgress], None]
MEETINGS: Final = "meetings"
"""The meetings of players are weighed."""
SEARCHES: Final = "searches"
"""Players are looked at for the best matching."""
TOLD_EACH: Final = 50  # players between two words about the meetings


@dataclass(frozen=True, slots=True)
class _Meetings:
    """Everybody with everybody, the higher ranked first; and with nobody, where there is an odd number.

    It is gone through instead of kept: a thousand players have half a million meetings.
    """

    players: tuple[Player, ...]
    watcher: Watcher | None = None

    @property
    def size(self) -> int:
        """How many there are to match, nobody among them."""
        return len(self.players) + len(self.players) % 2

    def at(self, edge: Edge) -> _Meeting:
        """Who meets, by their ranks."""
        one, other = edge
        return self.players[one], self.players[other] if other < len(self.players) else None

    def all(self) -> Iterator[tuple[Edge, _Meeting]]:
        """Every meeting by the ranks of the two."""
        idle = (None,) * (len(self.players) % 2)
        for one in self.players:
            for rank, other in enumerate((*self.players[one.rank + 1 :], *idle), start=one.rank + 1):
                yield (one.rank, rank), (one, other)

    def __iter__(self) -> Iterator[tuple[Edge, Costs]]:
        """The meetings that break no absolute rule, with their costs."""
        for edge, (one, other) in self.all():
            if self.watcher is not None and edge[1] == edge[0] + 1 and one.rank % TOLD_EACH == 0:
                self.watcher(PairingProgress(MEETINGS, one.rank, len(self.players)))
            if next(_broken_rules(one, other), None) is None:
                yield edge, _costs(one, other)


def swiss(tournament: Tournament, watcher: Watcher | None = None) -> tuple[Pairing, ...]:
    """The next round, at boards from the highest score down, the bye last; a watcher is told how far it has come.

    Raises NoPairingError when every way breaks an absolute rule: nobody meets the same opponent or gets a bye twice,
    moves first or second three times running or three times more often, or meets whom they are kept apart from.
    """
    meetings = _Meetings(players(tournament), watcher)
    searched = None if watcher is None else lambda count: watcher(PairingProgress(SEARCHES, count, 0))
    pairs = best_matching(meetings.size, meetings, searched) if meetings.players else None
    if pairs is None:
        raise NoPairingError(_why(tournament, meetings))
    return _boards(tournament, [meetings.at(pair) for pair in pairs])


def _broken_rules(one: Player, other: Player | None) -> Iterator[Rule]:
    """The absolute rules that a meeting would break; a player who meets nobody has the bye."""
    if other is None:
        if one.had_bye:
            yield SECOND_BYE
        return
    if other.number in one.met:
        yield REMATCH
    if other.number in one.kept_from:
        yield KEPT_APART
    if one.balanced and not compatible(one.preference, other.preference):
        yield SIDES


def _costs(one: Player, other: Player | None) -> Costs:
    """What a meeting costs, the weightiest first; `one` stands above `other` in the ranking.

    The group of the player who gets the bye, how far apart the scores are, a side that should have been the other's,
    floating twice running, two of the same half of a group, and how far they are from the places by which halves are
    matched.
    """
    if other is None:
        return (one.group, 0, 0, int(one.floated > 0), 0, (one.mates - 1 - one.place) ** 2)
    apart = one.score - other.score
    unmet = disappointment(one.preference, other.preference) ** 2 if one.balanced else 0
    if apart == 0:
        # The upper half meets the lower half, in order: C.04.3, S1 against S2.
        half = one.mates // 2
        return (0, 0, unmet, 0, int((one.place < half) == (other.place < half)), (other.place - one.place - half) ** 2)
    again = int(one.floated > 0) + int(other.floated < 0)
    # The lowest of a group floats down, and meets the highest of the next.
    return (0, apart**2, unmet, again, one.mates - 1 - one.place + other.place, 0)


def _boards(tournament: Tournament, pairs: Sequence[_Meeting]) -> tuple[Pairing, ...]:
    met = [(one, other) for one, other in pairs if other is not None]
    met.sort(key=lambda pair: (-pair[0].score, -pair[1].score, pair[0].rank))
    idle = [(one.number, None) for one, other in pairs if other is None]
    # C.04.3 E.5: of two without a wish the higher ranked has the lot's side if their pairing number is odd.
    entered = (one for one in tournament.seeds if tournament.entrants[one].since <= tournament.next_round)
    odd = {one: number % 2 == 1 for number, one in enumerate(entered, start=1)}
    settings = tournament.settings
    lots = (odd[higher.number] == settings.leader_first for higher, _ in met)
    return at_boards([*(_seats(*pair, lot=lot) for pair, lot in zip(met, lots, strict=True)), *idle])


def _seats(higher: Player, lower: Player, *, lot: bool) -> tuple[int, int]:
    first = moves_first(higher.preference, lower.preference, lot=lot)
    return (higher.number, lower.number) if first else (lower.number, higher.number)


def _why(tournament: Tournament, meetings: _Meetings) -> Statement:
    """Why a round cannot be paired, by the one rule without which it could be."""
    in_round = tournament.next_round
    if not meetings.players:
        return statement("tournament.pairing.nobody", round=in_round)
    broken = [(edge, {rule.name for rule in _broken_rules(*meeting)}) for edge, meeting in meetings.all()]
    for rule in RULES:
        without: list[tuple[Edge, Costs]] = [(edge, (0,)) for edge, rules in broken if rules <= {rule.name}]
        if best_matching(meetings.size, without) is not None:
            return statement("tournament.pairing.impossible", round=in_round, cause=rule.otherwise)
    several = statement("tournament.rule.several")
    return statement("tournament.pairing.impossible", round=in_round, cause=several)
