"""Pack the counters of Tau (Twenty Squares) into integers.

In a player's part of `places`, bits 1 to `last` are their counters on the board by step; bit 0 and the bit after the
last stay empty; above them four bits count the counters that are home, and four those in hand. The players' parts lie
one above the other. Where own counters share a square, `piles` counts those beyond the first: four bits a step.
"""

from collections.abc import Sequence
from typing import Final

from gnomon.games.twenty_squares.rules._position import HAND

_COUNT: Final = 4  # bits: a player has twelve counters at most
_COUNT_MASK: Final = (1 << _COUNT) - 1


class Packing:
    """Where the counters of so many players, on routes of so many steps, are in two integers.

    Steps go from 0, the hand, to the step after the last, off the board.
    """

    __slots__ = ("_width", "counters", "entries", "hands", "home", "last", "parts", "routes", "shifts", "units")

    def __init__(self, players: int, last: int, counters: int) -> None:
        home_bit = last + 2
        hand_bit = home_bit + _COUNT
        self.last = last
        self.counters = counters
        self._width = hand_bit + _COUNT
        #: By player: where their part begins; all its bits; the one that stays empty below the first step, from which
        #: a counter enters; those of the steps on the board; those that count their hand.
        self.shifts = tuple(self._width * player for player in range(players))
        self.parts: tuple[int, ...] = tuple((1 << self._width) - 1 << shift for shift in self.shifts)
        self.entries = tuple(1 << shift for shift in self.shifts)
        self.routes = tuple((2 << last) - 2 << shift for shift in self.shifts)
        self.hands = tuple(_COUNT_MASK << hand_bit + shift for shift in self.shifts)
        #: By player and step: what one counter adds to `places`; by player: their part with all counters home.
        bits = (hand_bit, *range(1, last + 1), home_bit)
        self.units: tuple[tuple[int, ...], ...] = tuple(
            tuple(1 << bit + shift for bit in bits) for shift in self.shifts
        )
        self.home: tuple[int, ...] = tuple(counters * units[-1] for units in self.units)

    def start(self) -> int:
        """The `places` in which every counter is in hand (rule 1)."""
        return sum(self.counters * units[HAND] for units in self.units)

    def landing_bit(self, player: int, step: int) -> int:
        """The bit where a counter arrives on a step from 1 to the one after the last."""
        return self.entries[player] << step

    def pile(self, player: int, step: int, count: int = _COUNT_MASK) -> int:
        """So many counters beyond the first on a step, as `piles` has them; without a number, all bits of the pile."""
        return count << _COUNT * (player * (self.last + 1) + step)

    def in_hand(self, places: int, player: int) -> int:
        """How many counters a player still has to enter."""
        return places // self.units[player][HAND] & _COUNT_MASK

    def at_home(self, places: int, player: int) -> int:
        """How many counters a player has borne off."""
        return places // self.units[player][-1] & _COUNT_MASK

    def on_step(self, places: int, piles: int, player: int, step: int) -> int:
        """How many counters a player has on a step of the board."""
        if not places & self.units[player][step]:
            return 0
        return 1 + (piles & self.pile(player, step)) // self.pile(player, step, 1)

    def on_board(self, places: int, piles: int, player: int) -> Sequence[int]:
        """The steps of a player's counters on the board, the hindmost first, one for each counter."""
        steps = range(1, self.last + 1)
        return [step for step in steps for _ in range(self.on_step(places, piles, player, step))]

    def owner(self, counter: int) -> tuple[int, int]:
        """Whose counter on the board a bit of `places` is, and its step."""
        return divmod(counter.bit_length() - 1, self._width)

    def move(self, places: int, piles: int, player: int, start: int, end: int) -> tuple[int, int]:
        """The `places` and `piles` after a player's counter went from a step to another, leaving and joining piles."""
        units = self.units[player]
        if piles & self.pile(player, start):
            piles -= self.pile(player, start, 1)
        else:
            places -= units[start]
        if end <= self.last and places & units[end]:
            piles += self.pile(player, end, 1)
        else:
            places += units[end]
        return places, piles

    def sent_back(self, places: int, piles: int, counter: int) -> tuple[int, int]:
        """The `places` and `piles` after all counters on a step went back to their owner's hand (rule 5).

        `counter` is their bit in `places`.
        """
        player, step = self.owner(counter)
        number = self.on_step(places, piles, player, step)
        return places - counter + number * self.units[player][HAND], piles & ~self.pile(player, step)
