"""Define the settings of a tournament that are announced at its opening: system, rounds, scoring, tie-break order."""

from dataclasses import dataclass
from enum import StrEnum
from math import ceil, floor
from typing import Final

from gnomon.refusals import statement
from gnomon.tournament.errors import TournamentError
from gnomon.tournament.state.results import HALF, NOTHING, ONE, Points

MOST_ROUNDS: Final = 99  # two digits on every sheet and in every federation's file
MOST_GAMES: Final = 2
MOST_STONES: Final = 9
FEWEST_SEATS: Final = 3
MOST_SEATS: Final = 4


class System(StrEnum):
    """How it is decided who meets whom."""

    ROUND_ROBIN = "round robin"
    SWISS = "swiss"
    MCMAHON = "mcmahon"
    KNOCKOUT = "knockout"
    TABLES = "tables"
    KEIZER = "keizer"
    ARENA = "arena"
    LADDER = "ladder"


class Bye(StrEnum):
    """A round without an opponent: the odd one out of a pairing, or what was asked for beforehand."""

    PAIRING = "pairing"
    FULL = "full"
    HALF = "half"
    ZERO = "zero"


@dataclass(frozen=True, slots=True)
class Scoring:
    """What a game is worth, or a match where `TournamentSettings.match_score` counts a round of several games as one.

    `bye` is what the odd one out gets for each game that was not to be had.
    """

    win: Points = ONE
    draw: Points = HALF
    loss: Points = NOTHING
    bye: Points = ONE

    def __post_init__(self) -> None:
        """Raise TournamentError unless a win is worth more than a draw, and a draw no less than a loss."""
        if not self.win > self.draw >= self.loss >= 0 or not 0 <= self.bye <= self.win:
            raise TournamentError(
                statement(
                    "tournament.setting.scoring",
                    win=str(self.win),
                    draw=str(self.draw),
                    loss=str(self.loss),
                    bye=str(self.bye),
                )
            )


class Rounding(StrEnum):
    """What becomes of half a point of a score in a McMahon."""

    NONE = "none"
    DOWN = "down"
    UP = "up"

    def round(self, points: Points) -> Points:
        """The points as they count."""
        if self is Rounding.NONE:
            return points
        return Points(floor(points) if self is Rounding.DOWN else ceil(points))


@dataclass(frozen=True, slots=True)
class GradeRules:
    """McMahon by grades, as in Go: a point to begin with for each grade above the floor, up to the bar.

    Grades count from 1 dan, which is 0, so that 1 kyu is -1. `handicap` is by how many stones fewer are given than the
    two are apart, None for even games. `rounding` is of scores, for pairing and standings alike.
    """

    bar: int = 8
    floor: int = -30
    handicap: int | None = None
    rounding: Rounding = Rounding.NONE

    def __post_init__(self) -> None:
        """Raise TournamentError for a floor above the bar, and for more stones less than there are."""
        if self.floor > self.bar:
            raise TournamentError(statement("tournament.go.floor"))
        if self.handicap is not None and not 0 <= self.handicap <= MOST_STONES:
            raise TournamentError(statement("tournament.go.handicap", most=MOST_STONES, number=self.handicap))


@dataclass(frozen=True, slots=True)
class TournamentSettings:
    """What is announced beforehand, and changes only by an event of its own.

    `games` is how many the two at a board play in a round, changing sides; `balance` whether it matters who moves
    first. `leader_first` is the lot drawn for the side of the strongest entrant in the first round. `bars` are ratings,
    each worth a point to begin with in McMahon for an entrant who reaches it. `cycles` is how often all meet all in a
    round robin; `annul` whether the results of an entrant who leaves it before half of their games fall away.
    `rule_set` names the dated rules of the tie-breaks in `tie_breaks`. `accelerated` lends the stronger half points for
    the pairing of the first rounds of a Swiss (Baku). `unrated` is what an opponent without a rating counts where
    ratings are averaged; without it they are left out. `lives` is how often an entrant must lose to be out of a
    knockout: twice in double elimination. With `check_in`, those who have entered for round 1 play only once they are
    checked in at the door. `grades` takes the place of `bars` where people are graded as in Go.
    `table_size` is how many sit at a table of three or four at most, and `place_points` what places there are worth.
    `open_rounds` is how many rounds may wait for results at once, as in play at a distance. `streak` doubles points in
    an arena after wins in a row, and `reach` is how many rungs up one may challenge on a ladder.
    `round_games` are the games of the rounds in turn, where each round plays another.
    """

    name: str
    system: System
    rounds: int
    games: int = 1
    match_score: bool = False
    balance: bool = True
    leader_first: bool = True
    scoring: Scoring = Scoring()
    team_mates_meet: bool = True
    bars: tuple[int, ...] = ()
    cycles: int = 1
    annul: bool = True
    third_place: bool = False
    rule_set: str = "FIDE_2026"
    tie_breaks: tuple[str, ...] = ("DE", "BHC1", "BH", "SB", "WIN")
    accelerated: bool = False
    unrated: int | None = None
    lives: int = 1
    check_in: bool = False
    grades: GradeRules | None = None
    table_size: int = 4
    place_points: tuple[Points, ...] = ()
    open_rounds: int = 1
    streak: bool = False
    reach: int = 3
    round_games: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Raise TournamentError for a number that no tournament has."""
        for what, number, most in (
            (statement("tournament.word.rounds"), self.rounds, MOST_ROUNDS),
            (statement("tournament.word.games"), self.games, MOST_GAMES),
            (statement("tournament.word.cycles"), self.cycles, MOST_GAMES),
            (statement("tournament.word.lives"), self.lives, MOST_GAMES),
            (statement("tournament.word.open_rounds"), self.open_rounds, MOST_ROUNDS),
            (statement("tournament.word.rungs"), self.reach, MOST_ROUNDS),
        ):
            if not 1 <= number <= most:
                raise TournamentError(
                    statement("tournament.setting.count", tournament=self.name, most=most, what=what, number=number)
                )
        if self.accelerated and self.system is not System.SWISS:
            raise TournamentError(
                statement("tournament.setting.accelerated", tournament=self.name, system=self.system.value)
            )
        if self.open_rounds > 1 and self.system is System.KNOCKOUT:
            raise TournamentError(statement("tournament.setting.open_knockout", tournament=self.name))
        if not FEWEST_SEATS <= self.table_size <= MOST_SEATS:
            raise TournamentError(
                statement("tournament.setting.table_size", tournament=self.name, size=self.table_size)
            )
        if list(self.place_points) != sorted(self.place_points, reverse=True) or min((*self.place_points, NOTHING)) < 0:
            raise TournamentError(statement("tournament.setting.place_points", tournament=self.name))
        if self.lives > 1 and (self.system is not System.KNOCKOUT or self.third_place):
            raise TournamentError(statement("tournament.setting.lives", tournament=self.name))

    def game_in(self, in_round: int) -> str:
        """The game that a round plays, empty where all rounds play the same."""
        return self.round_games[(in_round - 1) % len(self.round_games)] if self.round_games else ""

    def plays(self, game: str, in_round: int) -> bool:
        """Whether a round plays a game, given by its `game_key`; empty stands for rounds that name none."""
        return game_key(self.game_in(in_round)) == game

    @property
    def may_wait(self) -> int:
        """How many rounds may wait for results at once; in an arena and on a ladder as many as there are."""
        return MOST_ROUNDS if self.system in {System.ARENA, System.LADDER} else self.open_rounds

    @property
    def balances(self) -> bool:
        """Whether it is kept even who moves first: not where each of the two does so in every round."""
        return self.balance and self.games == 1 and not self.gives_stones

    @property
    def gives_stones(self) -> bool:
        """Whether the weaker gets a handicap, and with it the side that moves first."""
        return self.grades is not None and self.grades.handicap is not None

    @property
    def rounding(self) -> Rounding:
        """What becomes of half points of scores."""
        return Rounding.NONE if self.grades is None else self.grades.rounding

    @property
    def units(self) -> int:
        """How many times a round is worth a game's points."""
        return 1 if self.match_score else self.games


def game_key(name: str) -> str:
    """The name of a game as it is compared: `Twenty Squares` is `twenty-squares`, as the boards call it."""
    return "-".join(name.casefold().split())
