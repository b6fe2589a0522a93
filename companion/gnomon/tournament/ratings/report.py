"""Compute what an event does to Elo ratings, by FIDE's rating rules of 2024 (Handbook B.02, 8).

The same results make the same report to the last digit: expected scores are hundredths, and sums are exact.

FIDE rates no tables of three and four. Here everybody at a table has met everybody else there: the better place has
won, and the same place is a draw. Each of these pairs counts 1/(n - 1), so that a table of n is one game for each of
them. This is what programs for club evenings do, first among them https://github.com/FigBug/Multiplayer-ELO.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from math import floor
from typing import Final, NamedTuple

from gnomon.tournament.state import Tournament
from gnomon.tournament.state.results import HALF, NOTHING, ONE, GameResult, Points
from gnomon.tournament.state.round_history import histories
from gnomon.tournament.state.rounds import Table
from gnomon.tournament.state.settings import game_key
from gnomon.tournament.strength.elo import HUNDRED, difference, expected_score, round_half_up

CAP: Final = 400  # 8.3.1: a larger difference counts as this
UNCAPPED: Final = 2650  # from whom on it counts as it is, since October 2025
UNCAPPED_SINCE: Final = "2025/10/01"
K_NEW: Final = 40
K_USUAL: Final = 20
K_MASTER: Final = 10
_MASTER: Final = 2400
_JUNIOR: Final = 2300
_JUNIOR_YEARS: Final = 18
MOST_GAMES_TIMES_K: Final = 700
# 8.2: a player without a rating gets one after five games, with two draws against 1800 counted in.
LEAST_GAMES: Final = 5
_STRANGERS: Final = (1800, 1800)
LEAST_RATING: Final = 1400
MOST_INITIAL: Final = 2200

_SCORES: Final = {GameResult.FIRST_WON: ONE, GameResult.DRAWN: HALF, GameResult.SECOND_WON: NOTHING}


class RatingChange(NamedTuple):
    """What an event was for a rating: `before` is None for a player who had none, `after` if they still have none.

    `games` are those at the board against opponents with a rating, a fraction where somebody at a table of three or
    four has none; `average` is the average of their ratings, `expected` the score to be expected, and `change` what the
    rating moves by before it is rounded.
    """

    number: int
    before: int | None
    games: Points
    score: Points
    average: int | None
    performance: int | None
    expected: Points = NOTHING
    k: int = 0
    change: Points = NOTHING
    after: int | None = None


class _Meeting(NamedTuple):
    """An opponent's rating, the score against them, and how much of a game that was."""

    rating: int
    score: Points
    weight: Points = ONE


def rated_games(tournament: Tournament) -> tuple[str, ...]:
    """The games of the rounds that are published, by their `game_key`: an empty one stands for rounds that name none.

    Each has ratings of its own.
    """
    games = (game_key(tournament.settings.game_in(round_.number)) for round_ in tournament.rounds)
    return tuple(dict.fromkeys(games))


def rating_report(
    tournament: Tournament,
    ratings: Mapping[int, int] | None = None,
    factors: Mapping[int, int] | None = None,
    game: str = "",
) -> tuple[RatingChange, ...]:
    """What the event is for everybody who met somebody with a rating at the board, by their numbers.

    `ratings` take the place of those with which people entered, and `factors` of the K that the rules give. `game` is
    one of `rated_games`: what was played in rounds of other games does not count for its ratings.
    """
    known = _entered_ratings(tournament) if ratings is None else ratings
    given = factors or {}
    met: dict[int, list[_Meeting]] = defaultdict(list)
    for number, opponent, score, weight in (*_pair_results(tournament, game), *_table_results(tournament, game)):
        if opponent in known:
            met[number].append(_Meeting(known[opponent], score, weight))
    return tuple(
        _change(tournament, number, known.get(number), met[number], given.get(number)) for number in sorted(met)
    )


def _entered_ratings(tournament: Tournament) -> Mapping[int, int]:
    return {number: one.rating for number, one in tournament.entrants.items() if one.rating is not None}


_Result = tuple[int, int, Points, Points]  # of whom, against whom, the score, and how much of a game it was


def _pair_results(tournament: Tournament, game: str) -> Iterator[_Result]:
    """Every game of two that was played at a board and won by one of them, or drawn."""
    for number, turns in histories(tournament).items():
        for turn in turns:
            if turn.opponent is not None and tournament.settings.plays(game, turn.round):
                yield from ((number, turn.opponent, _SCORES[result], ONE) for result in turn.games if result in _SCORES)


def _table_results(tournament: Tournament, game: str) -> Iterator[_Result]:
    """Everybody at each table of three or four against everybody else there."""
    for round_ in tournament.rounds:
        if tournament.settings.plays(game, round_.number):
            for table in round_.tables:
                if table.board in round_.places:
                    yield from _at_table(table, round_.places[table.board])


def _at_table(table: Table, places: Sequence[int]) -> Iterator[_Result]:
    seated = tuple(zip(table.seats, places, strict=True))
    weight = Points(1, len(seated) - 1)
    for number, place in seated:
        for opponent, theirs in seated:
            if opponent != number:
                yield number, opponent, ONE if place < theirs else HALF if place == theirs else NOTHING, weight


def _change(
    tournament: Tournament, number: int, rating: int | None, met: Sequence[_Meeting], k: int | None
) -> RatingChange:
    games = sum((one.weight for one in met), NOTHING)
    score = sum((one.score * one.weight for one in met), NOTHING)
    total = sum((one.rating * one.weight for one in met), NOTHING)
    average = int(round_half_up(total / games))
    report = RatingChange(
        number, rating, games, score, average, average + difference(score / games), after=_initial(games, total, score)
    )
    if rating is None:
        return report
    cap = None if rating >= UNCAPPED and (tournament.heading.starts or UNCAPPED_SINCE) >= UNCAPPED_SINCE else CAP
    chances = (expected_score(rating, one.rating, cap) * one.weight for one in met)
    expected = sum(chances, NOTHING) / HUNDRED
    used = min(_factor(tournament, number, rating) if k is None else k, int(MOST_GAMES_TIMES_K // games))
    change = used * (score - expected)
    return report._replace(expected=expected, k=used, change=change, after=rating + away_from_zero(change))


def _initial(games: Points, total: Points, score: Points) -> int | None:
    """The first rating of a player who had none, None for too few games, no point at all, or too low to be published.

    `total` is the sum of the opponents' ratings, each as often as it counts as a game.
    """
    if games < LEAST_GAMES or not score:
        return None
    counted = games + len(_STRANGERS)
    average = int(round_half_up((total + sum(_STRANGERS)) / counted))
    rating = min(MOST_INITIAL, average + difference((score + len(_STRANGERS) * HALF) / counted))
    return rating if rating >= LEAST_RATING else None


def _factor(tournament: Tournament, number: int, rating: int) -> int:
    """The development coefficient: 8.3.3. Whether a player is new to the list is not known here; a list may say so."""
    born, starts = tournament.person(number).born[:4], tournament.heading.starts[:4]
    junior = bool(born and starts) and int(starts) - int(born) <= _JUNIOR_YEARS and rating < _JUNIOR
    return K_NEW if junior else K_USUAL if rating < _MASTER else K_MASTER


def away_from_zero(change: Points) -> int:
    """A change of a rating as it counts: to a whole number, halves away from zero (8.3.4)."""
    size = floor(abs(change) + HALF)
    return size if change >= 0 else -size
