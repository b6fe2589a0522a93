"""Record the changes of the TAMSK board since it last agreed with the game."""

from collections.abc import Collection
from typing import Final, NamedTuple, Self

from gnomon.games.tamsk.rules import BOARD
from gnomon.games.tamsk.sensing.inputs import BUTTONS, GLASS, POLES, TIMER
from gnomon.referee.evidence import OUTAGE
from gnomon.timekeeping.instants import Instant

_KINDS: Final = (*POLES, GLASS)
_SOCKETS: Final = tuple(frozenset(f"{name}.{kind}" for kind in _KINDS) for name in BOARD.names)
_STANDS: Final = tuple(f"{TIMER}.{kind}" for kind in _KINDS)


class Touch(NamedTuple):
    """One debounced change, with both of its times.

    `at` is the board's stamp; `game` the game time it meant when it was seen; `granted` the earliest game time at
    which it may have happened, by the uncertainty of its sampling: what a deadline is compared with.
    """

    at: Instant
    game: Instant
    granted: Instant
    input: str
    value: bool

    @property
    def since(self) -> Instant:
        """The stamp, or after an outage the earliest board time at which it may have happened."""
        unsure = self.game - self.granted
        return Instant(self.at - unsure) if unsure > OUTAGE else self.at


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

    def timer_set_down(self) -> Touch | None:
        """When the 15-second glass last came to stand on its stand."""
        return next((touch for touch in reversed(self.touches) if touch.value and touch.input in _STANDS), None)

    def timer_lifted(self) -> Touch | None:
        """When the 15-second glass last left its stand, or a pole of it did."""
        return next((touch for touch in reversed(self.touches) if not touch.value and touch.input in _STANDS), None)

    def latest(self) -> Touch | None:
        """The last change of anything but a button."""
        return next((touch for touch in reversed(self.touches) if touch.input not in BUTTONS), None)

    def is_unsure(self) -> bool:
        """Whether some of it was seen after an outage: stamps do not tell its order."""
        return any(touch.since < touch.at for touch in self.touches)

    def lifted(self, space: int) -> Touch | None:
        """When a glass last left the socket."""
        return self._last(space, value=False)

    def placed(self, space: int) -> Touch | None:
        """When a glass last came to stand in the socket."""
        return self._last(space, value=True)

    def stood(self, space: int) -> Touch | None:
        """When a socket that showed nothing last showed a glass."""
        on: set[str] = set()
        found = None
        for touch in self.touches:
            if touch.input in _SOCKETS[space]:
                found = touch if touch.value and not on else found
                (on.add if touch.value else on.discard)(touch.input)
        return found

    def set_down(self, space: int) -> tuple[Touch, ...]:
        """Every time that a glass came to stand in the socket."""
        return tuple(touch for touch in self.touches if touch.value and touch.input in _SOCKETS[space])

    def rings(self, space: int) -> tuple[Touch, ...]:
        """The changes of the stack on a space, first to last."""
        start = f"{BOARD.names[space]}.ring"
        return tuple(touch for touch in self.touches if touch.input.startswith(start))

    def _last(self, space: int, *, value: bool) -> Touch | None:
        names = _SOCKETS[space]
        return next((touch for touch in reversed(self.touches) if touch.value is value and touch.input in names), None)
