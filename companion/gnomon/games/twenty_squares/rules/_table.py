"""Compute which counters bar a move in Tau (Twenty Squares), and what each move does to the counters."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial, reduce
from operator import or_
from typing import Final, NamedTuple

from gnomon.boards.routes import RouteBoard, asha, double_for_four, double_for_two, jiroft, twenty_squares
from gnomon.games.twenty_squares.rules._cache import Remembered
from gnomon.games.twenty_squares.rules._packing import Packing
from gnomon.games.twenty_squares.rules._position import PLAYERS
from gnomon.games.twenty_squares.rules._settings import TwentySquaresSettings
from gnomon.games.twenty_squares.rules.dice import odds

_ENTRY_THROWS: Final = (1, 5)  # rule 4

_BOARDS: Final[Mapping[str, Callable[[TwentySquaresSettings], RouteBoard]]] = {
    "tau": lambda _: twenty_squares(),
    "double": lambda settings: double_for_four() if settings.in_teams else double_for_two(short=settings.short),
    "jiroft": lambda _: jiroft(),
    "asha": lambda _: asha(),
}


class Stride(NamedTuple):
    """What it does that a player's counter goes from one step to another, where nothing bars it."""

    gain: int  # what `places` gain by it, piles left aside
    enemies: int  # the counters in `places` that it sends back (rule 5)
    off: bool  # it is borne off (rule 8)
    again: bool  # it ends on a rosette, and gives another throw (rule 7)


class Side(NamedTuple):
    """What decides where a player may go, as bits of `places`."""

    route: int  # their counters on the board
    hand: int  # the count of those in hand
    entry: int  # the place before the first step, from which they enter
    others: int  # counters of others that may bar their way
    free: Mapping[int, int]  # by those of them that stand there: where they may land, off the board included
    shift: int  # how far all this is above the bits of the steps


class TwentySquaresBoard:
    """A board under some settings; every tuple goes by the players' order."""

    __slots__ = (
        "_barred",
        "_walled",
        "auto",
        "board",
        "entry_throws",
        "everyone",
        "followers",
        "last",
        "packing",
        "players",
        "settings",
        "sides",
        "stacks",
        "strides",
        "team_home",
        "team_parts",
        "throws",
    )

    def __init__(self, settings: TwentySquaresSettings) -> None:
        everyone = self.everyone = range(settings.players)
        self.settings = settings
        self.board = _BOARDS[settings.board](settings)
        self.last = self.board.last
        self.packing = Packing(settings.players, self.last, settings.counters)
        self.players: Sequence[str] = PLAYERS[: settings.players]
        self.throws: Sequence[int] = tuple(odds(settings))
        self.entry_throws: Sequence[int] = _ENTRY_THROWS if settings.enters_by_second_throw else ()
        self.auto = settings.entry == "auto"
        self.stacks = settings.stacks
        #: Whose turn is next; the bits of a player and their partner, and what they are when that team has won.
        self.followers = (*everyone[1:], 0)
        teams = [self.team(player) for player in everyone]
        self.team_parts = tuple(sum(self.packing.parts[mate] for mate in team) for team in teams)
        self.team_home = tuple(sum(self.packing.home[mate] for mate in team) for team in teams)
        # What keeps a player from a step: counters in `places`, and piles.
        self._barred = tuple(self._by_step(player, self._obstacle_masks) for player in everyone)
        self._walled = tuple(self._by_step(player, self._wall_masks) for player in everyone)
        self.sides = tuple(map(self._side, everyone))
        #: What a move does, by player, by its length and by the step where it begins.
        longest = max(self.throws)
        self.strides = tuple(tuple(self._strides(player, n) for n in range(longest + 1)) for player in everyone)

    def team(self, player: int) -> Sequence[int]:
        """The player and their partner, if there is one, in the order of the turns."""
        teams = self.board.teams
        return [mate for mate in range(len(teams)) if teams[mate] == teams[player]]

    def has_finished(self, player: int, places: int) -> bool:
        """Whether a player has borne off all their counters."""
        return places & self.packing.parts[player] == self.packing.home[player]

    def has_won(self, player: int, places: int) -> bool:
        """Whether a player, and their partner if there is one, have borne off all their counters (rule 8)."""
        return places & self.team_parts[player] == self.team_home[player]

    def walls(self, player: int, piles: int) -> int:
        """The places where a player may not land because of an enemy's pile."""
        units = self.packing.units[player]
        return sum(units[step] for step, pile in enumerate(self._walled[player], 1) if piles & pile)

    def obstacles(self, player: int, step: int, places: int) -> int:
        """The counters in `places` that keep a player from a step, other than piles."""
        return places & self._barred[player][step - 1]

    def _side(self, player: int) -> Side:
        packing = self.packing
        return Side(
            route=packing.routes[player],
            hand=packing.hands[player],
            entry=packing.entries[player],
            others=reduce(or_, self._barred[player]) & ~packing.parts[player],
            free=Remembered(partial(self._free, player)),
            shift=packing.shifts[player],
        )

    def _free(self, player: int, counters: int) -> int:
        """Where a player may land as far as these counters bar their way, the place after the last step included."""
        bars = (*self._barred[player], 0)
        return sum(self.packing.landing_bit(player, step) for step, bar in enumerate(bars, 1) if not counters & bar)

    def _by_step(self, player: int, found: Callable[[int, str], int]) -> tuple[int, ...]:
        return tuple(found(player, square) for square in self.board.routes[player])

    def _obstacle_masks(self, player: int, square: str) -> int:
        """Rules 3 and 5: own counters unless they stack, a partner's, and enemies who are safe on a rosette."""
        mates = [mate for mate in self.team(player) if mate != player or not self.settings.stacks]
        return self._counters_on(square, mates) | (self._enemies(player, square) if self._rosette(square) else 0)

    def _wall_masks(self, player: int, square: str) -> int:
        """The piles of enemies who may not be captured, if such there are."""
        if self.settings.stacking != "invincible":
            return 0
        return sum(self.packing.pile(foe, step) for foe, step in self._steps(square, self._foes(player)))

    def _strides(self, player: int, number: int) -> tuple[Stride, ...]:
        """The moves of one length, by the step where they begin; none of them goes beyond the square after the last."""
        units = self.packing.units[player]
        strides = []
        for start in range(len(units) - number):
            end = start + number
            square = self.board.square(player, end) if 0 < end <= self.last else ""
            enemies = self._enemies(player, square)
            strides.append(Stride(units[end] - units[start], enemies, end > self.last, self._rosette(square)))
        return tuple(strides)

    def _rosette(self, square: str) -> bool:
        return square in self.board.rosettes

    def _enemies(self, player: int, square: str) -> int:
        return self._counters_on(square, self._foes(player))

    def _foes(self, player: int) -> Sequence[int]:
        return [other for other in range(len(self.players)) if other not in self.team(player)]

    def _counters_on(self, square: str, players: Iterable[int]) -> int:
        return sum(self.packing.units[player][step] for player, step in self._steps(square, players))

    def _steps(self, square: str, players: Iterable[int]) -> Sequence[tuple[int, int]]:
        """Each of the players whose route comes to a square, and at which step."""
        steps = [(player, self.board.step(player, square)) for player in players]
        return [(player, step) for player, step in steps if step is not None]
