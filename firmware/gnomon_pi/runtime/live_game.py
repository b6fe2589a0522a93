"""Say which games a board hosts, and map the time of the one that is played to the raw clock.

TAMSK needs its own board. Tayu is sensed on its own and entered by hand on any other; the other games are played at
any table, by buttons, display and page, whatever board they lie beside.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Self

from gnomon.referee.events import Event, InputChanged
from gnomon.referee.evidence import Sensing
from gnomon.referee.game import Game
from gnomon.referee.games import new_game
from gnomon.referee.setup import GameSetup
from gnomon.referee.table import CLOCK_BUTTONS, TABLE_BUTTONS
from gnomon.refusals import statement
from gnomon.rules.protocol import SettingsError
from gnomon.rules.registry import games, kind_of
from gnomon.timekeeping.instants import Duration, Instant
from gnomon_pi.config.description import TABLE, BoardDescription

_BUTTONS: Final = frozenset({*TABLE_BUTTONS, *CLOCK_BUTTONS})
"""No game needs them: what they do is done on a page as well."""


# The game


@dataclass(slots=True)
class LiveGame:
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
    def of_new(cls, game: Game, origin: Instant) -> "LiveGame":
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

    def input_changed(self, stamp: Instant, name: str, uncertainty: Duration, *, value: bool) -> InputChanged:
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


# What can be played here


@dataclass(frozen=True, slots=True)
class Host:
    """A board of some kind with its inputs: `sampled` by scans, `buttons` by the kernel."""

    board: str
    sampled: frozenset[str]
    buttons: Sequence[str]
    registers: tuple[frozenset[str], ...] = ()
    """The sampled inputs that share a chip: what they do together has one cause."""

    @classmethod
    def of(cls, description: BoardDescription) -> Self:
        """The host that a board description makes."""
        buttons = tuple(button.name for button in description.buttons)
        return cls(description.board, frozenset(description.inputs), buttons, _registers(description))

    @property
    def sensing(self) -> Sensing:
        """What the sensors tell, by the inputs that the board has."""
        single = kind_of(self.own_game).single_places(self.sampled) if self.own_game else ()
        return Sensing(single, self.registers)

    @property
    def own_game(self) -> str:
        """The game that the board is made for; empty for a table."""
        return "" if self.board == TABLE else self.board

    @property
    def games(self) -> Sequence[str]:
        """The games that can be started here, the board's own first."""
        others = sorted(name for name in games() if name != self.own_game and not kind_of(name).own_board)
        return [self.own_game, *others] if self.own_game else others

    def begin(self, setup: GameSetup) -> Game:
        """A game at board time 0, played on what there is here. Raises SettingsError."""
        name = setup.game or self.own_game
        if not name:
            raise SettingsError(statement("told.host.which", games=self.games))
        if kind_of(name).own_board not in {"", self.board}:
            raise SettingsError(statement("told.host.own_board"))
        board = self.board if name == self.board else ""
        made = new_game(replace(setup, game=name, board=board), self.sensing)
        self.check(made)
        return made

    def check(self, game: Game) -> None:
        """Raise SettingsError for a game whose board has squares or spaces that are not here."""
        missing = sorted(game.inputs - self.sampled - frozenset(self.buttons) - _BUTTONS)
        if missing and kind_of(game.rules.name).own_board not in {"", self.board}:
            raise SettingsError(statement("told.host.own_board"))
        if missing:
            raise SettingsError(game.board.why_unplayable(missing))


def _registers(description: BoardDescription) -> tuple[frozenset[str], ...]:
    sensors = description.sensors
    if sensors is None:
        return ()
    names: dict[int, set[str]] = {}
    for name in sensors.inputs:
        names.setdefault(sensors.place(name).chip, set()).add(name)
    return tuple(frozenset(names[chip]) for chip in sorted(names))
