"""Map a game's board time to the raw clock, and track its inputs and next deadline."""

from dataclasses import dataclass, field

from gnomon.referee.events import Event, InputChanged
from gnomon.referee.game import Game
from gnomon.timekeeping.instants import Duration, Instant


@dataclass(slots=True)
class Sitting:
    """A game at the table.

    `origin` is the raw instant of board time 0 in this boot, `on` the inputs that the game believes to be 1, `last`
    the board time of the last event it was told.
    """

    game: Game
    origin: Instant
    on: set[str]
    last: Instant = Instant(0)
    inputs: frozenset[str] = field(init=False)
    """Every input that the game may be told of; a board may have more."""
    deadline: Instant | None = field(init=False)
    """Board time of the game's next deadline."""

    def __post_init__(self) -> None:
        self.deadline = self.game.deadline()
        self.inputs = self.game.inputs

    @classmethod
    def of_new(cls, game: Game, origin: Instant) -> "Sitting":
        """A game that begins at the raw instant `origin`, believing the board to be set out."""
        return cls(game, origin, set(game.shown))

    @property
    def is_unfinished(self) -> bool:
        """Whether the game goes on."""
        return self.game.outcome is None

    def board_time(self, raw: Instant) -> Instant:
        """The board time at a raw instant, never before the last event."""
        return max(self.last, Instant(raw - self.origin))

    def raw(self, at: Instant) -> Instant:
        """The raw instant at a board time."""
        return Instant(at + self.origin)

    def changed(self, stamp: Instant, name: str, uncertainty: Duration, *, value: bool) -> InputChanged:
        """The event of a raw edge; one that comes too late is stamped later, and granted the difference."""
        at = self.board_time(stamp)
        return InputChanged(at, name, value, Duration(uncertainty + at - (stamp - self.origin)))

    def take(self, event: Event, game: Game) -> None:
        """Note that the game was told an event and has become `game`."""
        self.game = game
        self.deadline = game.deadline()
        self.last = max(self.last, event.at)
        if isinstance(event, InputChanged):
            (self.on.add if event.value else self.on.discard)(event.input)
