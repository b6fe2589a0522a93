"""Derive for each entrant what every round was: game, forfeit, bye or nothing."""

from collections.abc import Mapping, Sequence
from enum import Enum, auto
from typing import Final, NamedTuple

from gnomon.tournament.state._tournament import Tournament
from gnomon.tournament.state.results import NOTHING, GameResult, Points, Result, from_chair
from gnomon.tournament.state.rounds import Pairing, Round
from gnomon.tournament.state.settings import Bye, Scoring, System, TournamentSettings


class RoundKind(Enum):
    """What a round was for an entrant."""

    PLAYED = auto()
    PENDING = auto()  # the result is not told yet
    FORFEIT_WIN = auto()
    FORFEIT_LOSS = auto()
    PAIRING_BYE = auto()
    FULL_BYE = auto()
    HALF_BYE = auto()
    ZERO_BYE = auto()  # asked for, late, absent or gone
    FREE = auto()  # the table of a round robin, or a bracket, has nobody for them


class Turn(NamedTuple):
    """One round of one entrant: against whom, whether moving first, and what it brought.

    `games` is told with the entrant as the first of each; `units_won` counts games won over the board (a match, where
    matches are scored), `units_drawn` those drawn, and `units_given` those won without playing.
    """

    round: int
    kind: RoundKind
    opponent: int | None = None
    first: bool = False
    points: Points = NOTHING
    games: Result = ()
    units_won: int = 0
    units_drawn: int = 0
    units_given: int = 0

    @property
    def played(self) -> bool:
        """Whether a game was played to its result."""
        return self.kind is RoundKind.PLAYED


History = tuple[Turn, ...]

_ASKED: Final = {Bye.FULL: RoundKind.FULL_BYE, Bye.HALF: RoundKind.HALF_BYE, Bye.ZERO: RoundKind.ZERO_BYE}


def histories(tournament: Tournament) -> Mapping[int, History]:
    """What the published rounds were for every entrant; results against one who is annulled are left out."""
    annulled = _annulled_entrants(tournament)
    seats = [{one: pairing for pairing in round_.pairings for one in pairing.entrants} for round_ in tournament.rounds]
    told: dict[int, History] = {}
    for number in tournament.entrants:
        turns = (_turn(tournament, round_, seat, number) for round_, seat in zip(tournament.rounds, seats, strict=True))
        told[number] = tuple(
            Turn(turn.round, RoundKind.FREE) if number in annulled or turn.opponent in annulled else turn
            for turn in turns
        )
    return told


def counts_bye_early(tournament: Tournament) -> bool:
    """Whether somebody already has the points of a bye in the last round, while others still play it.

    A bye is settled when its round is published, so its points count from then on, as those of a result do that is in
    early; a table in the meantime has to say so.
    """
    turns = (history[-1] for history in histories(tournament).values() if history)
    return bool(tournament.waiting) and any(turn.opponent is None and turn.points > NOTHING for turn in turns)


def score(history: Sequence[Turn]) -> Points:
    """The points of some rounds together."""
    return sum((turn.points for turn in history), NOTHING)


def winner(pairing: Pairing, result: Result) -> int | None:
    """Who won more of the games at a board, extra games included, or None."""
    mine = _match(result)
    if mine is None:
        return None
    return pairing.first if mine else pairing.second


def _turn(tournament: Tournament, round_: Round, seats: Mapping[int, Pairing], number: int) -> Turn:
    settings = tournament.settings
    pairing = seats.get(number)
    if pairing is None:
        return _unpaired_turn(tournament, round_.number, number)
    if pairing.second is None:
        if settings.system is System.KNOCKOUT:
            return Turn(round_.number, RoundKind.FREE)
        return Turn(round_.number, RoundKind.PAIRING_BYE, points=settings.scoring.bye * settings.units)
    first = number == pairing.first
    opponent = pairing.second if first else pairing.first
    result = round_.results.get(pairing.board)
    if result is None:
        return Turn(round_.number, RoundKind.PENDING, opponent, first)
    return _score(
        settings, Turn(round_.number, RoundKind.PLAYED, opponent, first, games=from_chair(result, first=first))
    )


def _unpaired_turn(tournament: Tournament, in_round: int, number: int) -> Turn:
    settings = tournament.settings
    granted = tournament.byes.get((number, in_round))
    if granted is None:
        idle = settings.system in {System.SWISS, System.MCMAHON, System.KEIZER}
        return Turn(in_round, RoundKind.ZERO_BYE if idle else RoundKind.FREE)
    scoring = settings.scoring
    worth = {Bye.FULL: scoring.win, Bye.HALF: scoring.draw, Bye.ZERO: NOTHING}
    return Turn(in_round, _ASKED[granted], points=worth[granted] * settings.units)


def _score(settings: TournamentSettings, turn: Turn) -> Turn:
    won = sum(game in {GameResult.FIRST_WON, GameResult.BOTH_WON} for game in turn.games)
    given = sum(game is GameResult.FIRST_BY_FORFEIT for game in turn.games)
    drawn = sum(game is GameResult.DRAWN for game in turn.games)
    points = sum((worth(settings.scoring, game) for game in turn.games), NOTHING)
    played = any(game.played for game in turn.games)
    if settings.match_score and settings.games > 1:
        points, won, drawn, given = _as_match(settings.scoring, turn.games, played=played)
    unplayed = RoundKind.FORFEIT_WIN if any(map(_wins, turn.games)) else RoundKind.FORFEIT_LOSS
    return turn._replace(
        kind=RoundKind.PLAYED if played else unplayed,
        points=points,
        units_won=won,
        units_drawn=drawn,
        units_given=given,
    )


def worth(scoring: Scoring, game: GameResult) -> Points:
    """What a game brings who moves first in the pairing."""
    if _wins(game):
        return scoring.win
    if game is GameResult.DRAWN:
        return scoring.draw
    # A player who does not come gets nothing, whatever a game that was lost is worth.
    return scoring.loss if game.played else NOTHING


def _as_match(scoring: Scoring, games: Result, *, played: bool) -> tuple[Points, int, int, int]:
    won = _match(games)
    if won is None:
        drawn = GameResult.DRAWN in games or any(_wins(game) for game in games)
        return (scoring.draw if drawn else scoring.loss if played else NOTHING), 0, int(drawn), 0
    if won:
        return scoring.win, int(played), 0, int(not played)
    return (scoring.loss if played else NOTHING), 0, 0, 0


def _wins(game: GameResult) -> bool:
    return game in {GameResult.FIRST_WON, GameResult.BOTH_WON, GameResult.FIRST_BY_FORFEIT}


def _match(games: Result) -> bool | None:
    mine, theirs = sum(map(_wins, games)), sum(_wins(game.from_other_side) for game in games)
    return None if mine == theirs else mine > theirs


def _annulled_entrants(tournament: Tournament) -> frozenset[int]:
    settings = tournament.settings
    if settings.system is not System.ROUND_ROBIN or not settings.annul:
        return frozenset()
    # FIDE C.05: a player who leaves before half of their games were played has played none.
    games = (len(tournament.entrants) - 1) * settings.cycles
    return frozenset(number for number in tournament.withdrawn if 2 * _sat_down(tournament, number) < games)


def _sat_down(tournament: Tournament, number: int) -> int:
    count = 0
    for round_ in tournament.rounds:
        pairing = round_.of(number)
        result = round_.results.get(pairing.board, ()) if pairing else ()
        count += any(game.played for game in result)
    return count


def sides(history: Sequence[Turn]) -> tuple[bool, ...]:
    """Whether an entrant moved first, for each game played; one whose result is still to come counts."""
    return tuple(turn.first for turn in history if turn.kind in {RoundKind.PLAYED, RoundKind.PENDING})
