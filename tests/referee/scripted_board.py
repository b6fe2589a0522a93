"""Script the edges of a board for the referee's tests: its pieces are moved at given seconds."""

from collections.abc import Iterable

from gnomon.games.tamsk.rules import BOARD, Tamsk
from gnomon.games.tamsk.sensing.board import new_game
from gnomon.games.tamsk.sensing.game import TamskGame
from gnomon.games.tamsk.sensing.inputs import start_inputs
from gnomon.referee.effects import Announce
from gnomon.referee.events import Correction, DeadlineReached, Event, InputChanged
from gnomon.referee.judgement import Temperament
from gnomon.referee.rulings import Ruling
from gnomon.referee.step import step
from gnomon.timekeeping.instants import SECOND, Duration, Instant


def instant(seconds: float) -> Instant:
    """Seconds as an instant."""
    return Instant(round(seconds * SECOND))


class ScriptedBoard:
    """Hands on a board, second by second; the referee is told every edge and every deadline in order."""

    def __init__(  # noqa: PLR0913 - each is a setting of its own
        self,
        *,
        level: int,
        temperament: Temperament = Temperament.ASSISTANT,
        full_space: str = "loses",
        late: str = "two_rings",
        ring: str = "optional",
        time: str = "electronic",
    ) -> None:
        settings = {"level": level, "full_space": full_space, "late": late, "ring": ring, "time": time}
        rules = Tamsk.from_settings(settings)
        self.ruled: TamskGame = new_game(rules, temperament)
        self.on = set(start_inputs(rules.settings.level))
        self.rulings: list[Ruling] = []
        self.uncertainty = Duration(0)

    @property
    def game(self) -> TamskGame:
        """The game as people see it: what the board shows is in it before it is evidence."""
        shown: TamskGame = self.ruled.board.foresee(self.ruled)
        return shown

    @game.setter
    def game(self, game: TamskGame) -> None:
        self.ruled = game

    def tell(self, event: Event) -> None:
        """Hand over every deadline before the event, then the event."""
        while (deadline := self.ruled.deadline()) is not None and deadline < event.at:
            self._step(DeadlineReached(deadline))
        self._step(event)

    def edge(self, at: float, name: str, value: int) -> None:
        """One raw edge."""
        (self.on.add if value else self.on.discard)(name)
        self.tell(InputChanged(instant(at), name, bool(value), self.uncertainty))

    def lift(self, at: float, space: str) -> str:
        """The glass leaves its socket; gives the pole it showed."""
        pole = next(pole for pole in ("north", "south") if f"{space}.{pole}" in self.on)
        self.edge(at, f"{space}.{pole}", 0)
        return pole

    def place(self, at: float, space: str, pole: str = "south") -> None:
        """A glass comes to stand on a socket."""
        self.edge(at, f"{space}.{pole}", 1)

    def move(self, at: float, origin: str, target: str, *, turned: bool = True, after: float = 0.8) -> None:
        """Lift, carry, turn over, set down."""
        pole = self.lift(at, origin)
        other = {"north": "south", "south": "north"}[pole]
        self.place(at + after, target, other if turned else pole)

    def ring(self, at: float, space: str) -> None:
        """One more ring on the stack."""
        height = 1 + sum(name.startswith(f"{space}.ring") for name in self.on)
        self.edge(at, f"{space}.ring{height}", 1)

    def take_ring(self, at: float, space: str) -> None:
        """The top ring is taken away."""
        height = sum(name.startswith(f"{space}.ring") for name in self.on)
        self.edge(at, f"{space}.ring{height}", 0)

    def press(self, at: float, button: str) -> None:
        """A button pressed for 150 ms."""
        self.edge(at, f"button.{button}", 1)
        self.edge(at + 0.15, f"button.{button}", 0)

    def turn_timer(self, at: float) -> None:
        """The 15-second glass turned over and set down at `at`."""
        pole = next(pole for pole in ("north", "south") if f"timer15.{pole}" in self.on)
        self.edge(at - 0.3, f"timer15.{pole}", 0)
        self.edge(at, f"timer15.{'south' if pole == 'north' else 'north'}", 1)

    def turn(self, at: float, origin: str, target: str, *, ring: bool = True) -> None:
        """A whole turn: the glass set down after 0.8 s, the ring after 1.3 s."""
        self.move(at, origin, target)
        if ring:
            self.ring(at + 1.3, target)

    def correct(self, event: Correction) -> None:
        """Overrule the referee."""
        self.tell(event)

    def until(self, at: float) -> list[str]:
        """Let time run on; gives what has been ruled so far, in short."""
        self.tell(DeadlineReached(instant(at)))
        return self.short()

    def short(self) -> list[str]:
        """Every ruling but stopped glasses in one short line."""
        return [short(ruling) for ruling in self.rulings if ruling.kind != "stopped"]

    def last(self, kind: str) -> Ruling:
        """The last ruling of a kind."""
        return next(ruling for ruling in reversed(self.rulings) if ruling.kind == kind)

    def _step(self, event: Event) -> None:
        self.ruled, effects = step(self.ruled, event)
        self.rulings += [effect.ruling for effect in effects if isinstance(effect, Announce)]


def short(ruling: Ruling) -> str:
    """A ruling in a few words: second, kind, and what it is about."""
    about = [
        str(value)
        for name in ("player", "by", "text", "code", "input", "fault", "question", "winner", "reason", "what")
        if (value := getattr(ruling, name, None)) is not None
    ]
    return " ".join((f"{ruling.at / SECOND:g}", ruling.kind, *about))


def kinds(lines: Iterable[str]) -> list[str]:
    """What was ruled, without when."""
    return [line.split(" ", 1)[1] for line in lines]


def guide(board: ScriptedBoard) -> list[str]:
    """The steps by which the referee has the board put right."""
    return [step.text for step in board.game.judgement.repairs]


def sand(board: ScriptedBoard, space: str, at: float) -> float:
    """Seconds above in the glass on a space."""
    position = board.game.position_at(instant(at))
    return position.sands[position.glass_on(BOARD.index[space])].remaining(position.now) / SECOND
