"""Read the TAMSK board from its inputs, and record its changes since it last agreed with the game.

Which sockets hold a glass, which pole is up, how many rings lie, and what was touched when.
"""

from collections.abc import Collection, Mapping, Sequence
from functools import cache, lru_cache
from typing import Final, NamedTuple, Self

from gnomon.games.tamsk.rules import BOARD, CAPACITY
from gnomon.games.tamsk.rules.position import NOWHERE, SHIFT
from gnomon.games.tamsk.sensing.inputs import BUTTONS, GLASS, POLES, TIMER, is_socket
from gnomon.referee.evidence import NUDGE, OUTAGE
from gnomon.timekeeping.instants import Duration, Instant

NORTH: Final = 0
SOUTH: Final = 1
BOTH: Final = 2
"""No glass shows both poles: one of the two inputs lies."""

UNSEEN: Final = 3
"""A glass stands on a sensor that sees one pole: which way up, it cannot tell."""

_STAND: Final = -2
_POLE: Final = {"north": NORTH, "south": SOUTH, GLASS: UNSEEN}


class Heights(NamedTuple):
    """How many rings a stack may hold by its sensors: fewest and most, alike unless a sensor is not believed."""

    fewest: int
    most: int


BARE: Final = Heights(0, 0)


class BoardReading(NamedTuple):
    """What the inputs show, without any belief about the game.

    Spaces are indices of the board. A glass is seen as the pole under it; `blind` are the sockets whose glass sensor
    is quarantined. A stack that is no thermometer code stands in `odd` and counts as high as its lowest gap.
    `stacks` are the fewest rings on each space, three bits a space as in a position.
    """

    glasses: Mapping[int, int]
    blind: frozenset[int]
    rings: Mapping[int, Heights]
    odd: frozenset[int]
    timer: int | None
    stacks: int

    def heights(self, space: int) -> Heights:
        """The rings seen on a space."""
        return self.rings.get(space, BARE)


# One board is looked at several times while it is judged.
@lru_cache(maxsize=4)
def look(on: frozenset[str], quarantined: frozenset[str], timer_trusted: int | None = None) -> BoardReading:
    """Read the board from the inputs that are 1, leaving out the quarantined ones.

    `timer_trusted` is how the 15-second glass stands, by what is trusted, where its stand sees one pole.
    """
    glasses: dict[int, int] = {}
    levels: dict[int, int] = {}
    timer = None
    for name in on - quarantined:
        space, pole, bit = _sensor(name)
        if space == _STAND:
            seen = timer_trusted if pole == UNSEEN else pole
            timer = seen if timer is None else BOTH
        elif bit:
            levels[space] = levels.get(space, 0) | bit
        elif pole is not None:
            glasses[space] = BOTH if space in glasses else pole
    dead: dict[int, int] = {}
    blind = set()
    for name in quarantined:
        space, pole, bit = _sensor(name)
        if bit:
            dead[space] = dead.get(space, 0) | bit
        elif pole is not None and space != _STAND:
            blind.add(space)
    rings = {space: _heights(levels.get(space, 0), dead.get(space, 0), CAPACITY[space]) for space in levels | dead}
    return BoardReading(
        {space: pole for space, pole in glasses.items() if space not in blind},
        frozenset(blind),
        rings,
        frozenset(space for space, bits in levels.items() if _is_odd(bits, dead.get(space, 0))),
        timer,
        sum(heights.fewest << SHIFT[space] for space, heights in rings.items()),
    )


@cache
def _sensor(name: str) -> tuple[int, int | None, int]:
    """The space of an input, or that it is at the stand, and what it shows there: a pole, or a ring as a bit."""
    place, _, what = name.partition(".")
    space = _STAND if place == TIMER else BOARD.index.get(place, NOWHERE)
    return space, _POLE.get(what), 1 << int(what[4:]) - 1 if what.startswith("ring") else 0


@cache
def _is_odd(bits: int, dead: int) -> bool:
    """Whether a believed sensor reads 0 below one that reads 1."""
    return bool(~(bits | dead) & (1 << bits.bit_length()) - 1)


@cache
def _heights(bits: int, dead: int, capacity: int) -> Heights:
    fewest = 0
    while fewest < capacity and (bits | dead) >> fewest & 1:
        fewest += 1
    most = fewest
    while fewest and not bits >> fewest - 1 & 1:
        fewest -= 1
    return Heights(fewest, most)


_KINDS: Final = (*POLES, GLASS)
_SOCKETS: Final = tuple(frozenset(f"{name}.{kind}" for kind in _KINDS) for name in BOARD.names)
_STACKS: Final = tuple(
    frozenset(f"{name}.ring{height + 1}" for height in range(capacity))
    for name, capacity in zip(BOARD.names, CAPACITY, strict=True)
)
_STANDS: Final = tuple(f"{TIMER}.{kind}" for kind in _KINDS)


class Touch(NamedTuple):
    """One debounced change, with both of its times.

    `at` is the board's stamp; `game` the game time it meant when it was seen; `granted` the earliest game time at
    which it may have happened, by the uncertainty of its sampling: what a deadline is compared with. A sensor that
    flickered has changed at some board time from `first` to `last`.
    """

    at: Instant
    game: Instant
    granted: Instant
    input: str
    value: bool
    first: Instant = Instant(0)
    last: Instant = Instant(0)

    def moved_to(self, at: Instant) -> Self:
        """The change as of another board time."""
        by = at - self.at
        return self._replace(at=at, game=Instant(self.game + by), granted=Instant(self.granted + by))

    @property
    def since(self) -> Instant:
        """The stamp, or after an outage the earliest board time at which it may have happened."""
        unsure = self.game - self.granted
        return Instant(self.at - unsure) if unsure > OUTAGE else self.at


def flickers(touch: Touch) -> bool:
    """Whether a sensor flickered for longer than contacts bounce and scans are lost, which is granted."""
    return touch.last - touch.first > OUTAGE


class ChangeHistory(NamedTuple):
    """The changes since agreement, in the order of their stamps."""

    touches: tuple[Touch, ...] = ()

    def add(self, touch: Touch) -> Self:
        """The trail with one more change."""
        return self._replace(touches=(*self.touches, touch))

    def without(self, name: str) -> Self:
        """The trail without the changes of an input that is not believed any more."""
        return self._replace(touches=tuple(touch for touch in self.touches if touch.input != name))

    def about(self, spaces: Collection[int]) -> Self:
        """The trail of these spaces and of the 15-second glass alone: the rest has been explained."""
        names = {BOARD.names[space] for space in spaces} | {TIMER}
        return self._replace(touches=tuple(touch for touch in self.touches if touch.input.partition(".")[0] in names))

    def timer_set_down(self, but: str = "") -> Touch | None:
        """When the 15-second glass last came to stand on its stand, `but` for what one of its inputs says."""
        downs = (touch for touch in reversed(self.touches) if touch.value and touch.input in _STANDS)
        return next((touch for touch in downs if touch.input != but), None)

    def timer_lifted(self) -> Touch | None:
        """When the 15-second glass last left its stand, or a pole of it did."""
        return next((touch for touch in reversed(self.touches) if not touch.value and touch.input in _STANDS), None)

    def latest(self) -> Touch | None:
        """The last change of anything but a button."""
        return next((touch for touch in reversed(self.touches) if touch.input not in BUTTONS), None)

    def is_unsure(self) -> bool:
        """Whether some of it was seen after an outage: stamps do not tell its order."""
        return any(touch.since < touch.at for touch in self.touches)

    def sharp_histories(self) -> tuple[Self, ...]:
        """The changes with those of sensors that flickered as early, and as late, as they may have happened."""
        if not any(touch.last for touch in self.touches):
            return ()
        early = tuple(touch.moved_to(touch.first) if touch.last else touch for touch in self.touches)
        late = tuple(touch.moved_to(touch.last) if touch.last else touch for touch in self.touches)
        return self._replace(touches=early), self._replace(touches=late)

    def without_blinks(self, length: Duration) -> Self:
        """The changes without those of sockets that lost a glass which they had shown, for less than so long."""
        stood: dict[str, Touch | None] = {}
        blinks: set[Touch] = set()
        for touch in self.touches:
            lost = stood.get(touch.input)
            if not touch.value and touch.input in stood:
                stood[touch.input] = touch
            elif touch.value and is_socket(touch.input):
                blinks |= {lost, touch} if lost is not None and touch.at - lost.at < length else set()
                stood[touch.input] = None
        return self._replace(touches=tuple(touch for touch in self.touches if touch not in blinks))

    def stays(self, space: int) -> Sequence[tuple[Touch, Touch]]:
        """When glasses came to stand in the socket that have left it again, and when they did."""
        on: set[str] = set()
        placed: Touch | None = None
        found = []
        for touch in self.touches:
            if touch.input in _SOCKETS[space]:
                placed = touch if touch.value and not on else placed
                (on.add if touch.value else on.discard)(touch.input)
                if placed is not None and not on:
                    found.append((placed, touch))
                    placed = None
        return found

    def without_lifts(self, space: int, since: Instant) -> Self:
        """The changes without those of the socket from a board time on."""
        names = _SOCKETS[space]
        touches = (touch for touch in self.touches if touch.input not in names or touch.at < since)
        return self._replace(touches=tuple(touches))

    def last_lift(self, space: int) -> Touch | None:
        """When a glass last left the socket."""
        return self._last(space, value=False)

    def lift_by(self, space: int, at: Instant, stands: Duration) -> Touch | None:
        """When a glass last left the socket; if it came back after an instant for less than it `stands`, before."""
        shown = [touch for touch in self.touches if touch.input in _SOCKETS[space]]
        lifts = [touch for touch in shown if not touch.value]
        back = [touch.at for touch in shown if touch.value]
        while len(lifts) > 1 and back and at < back[-1] <= lifts[-1].at < back[-1] + stands:
            lifts.pop()
            back.pop()
        return lifts[-1] if lifts else None

    def last_set_down(self, space: int) -> Touch | None:
        """When a glass last came to stand in the socket."""
        return self._last(space, value=True)

    def first_stood(self, space: int, pressed: Instant | None = None) -> Touch | None:
        """When a socket that showed nothing last showed a glass.

        One that it lost as the button was `pressed`, and showed again, has stood there all the time.
        """
        on: set[str] = set()
        found, lost, names = None, self.lost_at(space, pressed), _SOCKETS[space]
        for touch in self.touches:
            if touch.input in names:
                is_back = lost is not None and touch.at > lost.at and touch.input == lost.input
                found = touch if touch.value and not on and not is_back else found
                (on.add if touch.value else on.discard)(touch.input)
        return found

    def lost_at(self, space: int, pressed: Instant | None) -> Touch | None:
        """When a socket lost a glass that it had shown, just before a button was pressed; None: it did not."""
        if pressed is None:
            return None
        stood: set[str] = set()
        for touch in self.touches:
            if touch.input in _SOCKETS[space]:
                if not touch.value and touch.input in stood and touch.at <= pressed < touch.at + NUDGE:
                    return touch
                stood |= {touch.input} if touch.value else set()
        return None

    def has_shown(self, space: int, length: Duration) -> bool:
        """Whether the socket has shown a glass for so long, and lost it."""
        began: dict[str, Instant] = {}
        for touch in self.touches:
            if touch.input in _SOCKETS[space] and touch.value:
                began[touch.input] = touch.at
            elif touch.at - began.pop(touch.input, touch.at) >= length:
                return True
        return False

    def rings(self, space: int) -> tuple[Touch, ...]:
        """The changes of the stack on a space, first to last."""
        names = _STACKS[space]
        return tuple([touch for touch in self.touches if touch.input in names])

    def _last(self, space: int, *, value: bool) -> Touch | None:
        names = _SOCKETS[space]
        for touch in reversed(self.touches):  # A loop takes half the time of a generator.
            if touch.value is value and touch.input in names:
                return touch
        return None
