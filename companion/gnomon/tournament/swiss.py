"""The only place that pairs a Swiss or a McMahon round: absolute rules are edges left out, quality is a cost."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import lcm
from typing import Final, NamedTuple

from gnomon.tournament.errors import NoPairingError
from gnomon.tournament.histories import History, Kind, histories, score, sides
from gnomon.tournament.matching import Costs, best_matching
from gnomon.tournament.preferences import Preference, compatible, disappointment, moves_first
from gnomon.tournament.results import NOTHING, Points
from gnomon.tournament.rounds import Pairing, numbered
from gnomon.tournament.settings import System
from gnomon.tournament.state import Tournament

# What leaves no bye to hope for (C.04.1.d): a round won without playing.
HAD_ONE: Final = frozenset({Kind.PAIRING_BYE, Kind.FULL_BYE, Kind.FORFEIT_WIN})


class Rule(NamedTuple):
    """An absolute rule, and what would happen without it."""

    name: str
    otherwise: str


REMATCH: Final = Rule("rematch", "two would have to meet again")
SIDES: Final = Rule("sides", "somebody would move first, or second, three times running or three times more often")
SECOND_BYE: Final = Rule("bye", "the bye would go to somebody who already had a round without a game")
KEPT_APART: Final = Rule("prohibition", "two would have to meet who are kept apart")
RULES: Final = (SIDES, SECOND_BYE, KEPT_APART, REMATCH)


@dataclass(frozen=True, slots=True)
class _Player:
    """What pairing wants to know of one: their place, their group of equal scores, and what they have had."""

    number: int
    rank: int
    score: int  # in the smallest unit of points that occurs
    group: int  # 0 for the lowest score
    place: int  # in the group, the best first
    mates: int  # how many are in the group
    preference: Preference
    met: frozenset[int]
    had_bye: bool
    floated: int  # in the last round: 1 down, -1 up


_Meeting = tuple[_Player, _Player | None]


def swiss(tournament: Tournament) -> tuple[Pairing, ...]:
    """The next round, at boards from the highest score down, the bye last.

    Raises NoPairingError when every way breaks an absolute rule: nobody meets the same opponent or gets a bye twice,
    moves first or second three times running or three times more often, or meets whom they are kept apart from.
    """
    players = _players(tournament)
    meetings = _meetings(players)
    edges = {
        edge: _costs(*meeting)
        for edge, meeting in meetings.items()
        if next(_broken(tournament, *meeting), None) is None
    }
    pairs = best_matching(len(players) + len(players) % 2, edges) if players else None
    if pairs is None:
        raise NoPairingError(_why(tournament, meetings, len(players)))
    return _boards(tournament, [meetings[pair] for pair in pairs])


def starting_points(tournament: Tournament, number: int) -> Points:
    """What an entrant begins with: a point for each bar that their rating reaches in McMahon, else nothing."""
    settings = tournament.settings
    if settings.system is not System.MCMAHON:
        return NOTHING
    rating = tournament.entrants[number].rating
    return Points(sum(rating is not None and rating >= bar for bar in settings.bars))


def _players(tournament: Tournament) -> tuple[_Player, ...]:
    told = histories(tournament)
    numbers = tournament.players(tournament.next_round)
    scores = {number: starting_points(tournament, number) + score(told[number]) for number in tournament.entrants}
    unit = lcm(*(points.denominator for points in scores.values()))
    ranked = sorted(numbers, key=lambda number: -scores[number])  # stable: equals stay in the order of their seeds
    groups = sorted({scores[number] for number in numbers})
    members = {group: [number for number in ranked if scores[number] == group] for group in groups}
    return tuple(
        _Player(
            number,
            rank,
            int(scores[number] * unit),
            groups.index(scores[number]),
            members[scores[number]].index(number),
            len(members[scores[number]]),
            Preference.of(sides(told[number])),
            frozenset(turn.opponent for turn in told[number] if turn.opponent is not None and _counts(turn.kind)),
            any(turn.kind in HAD_ONE for turn in told[number]),
            _floated(tournament, told, number),
        )
        for rank, number in enumerate(ranked)
    )


def _meetings(players: Sequence[_Player]) -> Mapping[tuple[int, int], _Meeting]:
    """Everybody with everybody, the higher ranked first; and with nobody, where there is an odd number."""
    meetings: dict[tuple[int, int], _Meeting] = {
        (one.rank, other.rank): (one, other) for one, other in combinations(players, 2)
    }
    if len(players) % 2:
        meetings |= {(one.rank, len(players)): (one, None) for one in players}
    return meetings


def _counts(kind: Kind) -> bool:
    return kind in {Kind.PLAYED, Kind.PENDING}


def _floated(tournament: Tournament, told: Mapping[int, History], number: int) -> int:
    """Whether the opponent of the last round had fewer points before it (1), or more (-1); a round won idle is down."""
    if not told[number]:
        return 0
    last = told[number][-1]
    if last.opponent is None:
        return int(last.kind in HAD_ONE)
    mine, theirs = (starting_points(tournament, one) + score(told[one][:-1]) for one in (number, last.opponent))
    return (mine > theirs) - (mine < theirs)


def _broken(tournament: Tournament, one: _Player, other: _Player | None) -> Iterator[Rule]:
    """The absolute rules that a meeting would break; who meets nobody has the bye."""
    if other is None:
        if one.had_bye:
            yield SECOND_BYE
        return
    if other.number in one.met:
        yield REMATCH
    if not tournament.may_meet(one.number, other.number):
        yield KEPT_APART
    if tournament.settings.balances and not compatible(one.preference, other.preference):
        yield SIDES


def _costs(one: _Player, other: _Player | None) -> Costs:
    """What a meeting costs, the weightiest first; `one` stands above `other` in the ranking.

    The group of whoever gets the bye, how far apart the scores are, a side that should have been the other's, floating
    twice running, two of the same half of a group, and how far they are from the places by which halves are matched.
    """
    if other is None:
        return (one.group, 0, 0, int(one.floated > 0), 0, (one.mates - 1 - one.place) ** 2)
    apart = one.score - other.score
    unmet = disappointment(one.preference, other.preference) ** 2
    if apart == 0:
        # The upper half meets the lower half, in order: C.04.3, S1 against S2.
        half = one.mates // 2
        return (0, 0, unmet, 0, int((one.place < half) == (other.place < half)), (other.place - one.place - half) ** 2)
    again = int(one.floated > 0) + int(other.floated < 0)
    return (0, apart**2, unmet, again, 0, (one.mates - 1 - one.place + other.place) ** 2)


def _boards(tournament: Tournament, pairs: Sequence[_Meeting]) -> tuple[Pairing, ...]:
    met = [(one, other) for one, other in pairs if other is not None]
    met.sort(key=lambda pair: (-pair[0].score, -pair[1].score, pair[0].rank))
    idle = [(one.number, None) for one, other in pairs if other is None]
    return numbered([*(_seated(tournament, board, *pair) for board, pair in enumerate(met)), *idle])


def _seated(tournament: Tournament, board: int, higher: _Player, lower: _Player) -> tuple[int, int]:
    settings = tournament.settings
    # C.04.3 E.5: in the first round the lot's side goes to every other board.
    lot = settings.leader_first if board % 2 == 0 else not settings.leader_first
    first = moves_first(higher.preference, lower.preference, lot=lot)
    return (higher.number, lower.number) if first else (lower.number, higher.number)


def _why(tournament: Tournament, meetings: Mapping[tuple[int, int], _Meeting], players: int) -> str:
    """Why a round cannot be paired, by the one rule without which it could be."""
    start = f"round {tournament.next_round} cannot be paired: "
    advice = "; grant byes, lift a prohibition, or let this be the end of the tournament"
    if not players:
        return f"{start}nobody is there to play; register entrants"
    broken = {edge: frozenset(_broken(tournament, *meeting)) for edge, meeting in meetings.items()}
    for rule in RULES:
        without: Mapping[tuple[int, int], Costs] = {edge: (0,) for edge, rules in broken.items() if rules <= {rule}}
        if best_matching(players + players % 2, without) is not None:
            return f"{start}{rule.otherwise}{advice}"
    return f"{start}more than one absolute rule stands in the way of every pairing{advice}"
