"""Play with a match clock at a table, second by second, for the referee's tests."""

from gnomon.games.tamsk.sensing.game import TamskGame
from gnomon.referee.effects import Announce, Sound, Tune
from gnomon.referee.events import DeadlineReached, Event, InputChanged, TurnEntered
from gnomon.referee.games import begin
from gnomon.referee.judgement import Temperament
from gnomon.referee.match_clock import MatchClock
from gnomon.referee.rulings import Ruling
from gnomon.referee.step import step
from gnomon.rules.protocol import Outcome
from gnomon.timekeeping.instants import SECOND, Duration, Instant, seconds
from tests.referee.scripted_board import instant

ANN = "Ann"


class ClockedTable:
    """Hands at a table with a match clock; every deadline before an event is handed over first, unless told not to."""

    hands_over = True

    def __init__(
        self, name: str = "clock", sensors: str = "", /, *, temperament: object = "assistant", **settings: object
    ) -> None:
        game = begin(name, settings, Temperament(str(temperament)), board=sensors)
        assert not isinstance(game, TamskGame)
        self.game = game
        self.rulings: list[Ruling] = []
        self.tunes: list[Tune] = []
        self.events: list[Event] = []

    def tell(self, *events: Event) -> None:
        for event in events:
            while self.hands_over and (due := self.game.deadline()) is not None and due < event.at:
                self._step(DeadlineReached(due))
            self.events.append(event)
            self._step(event)

    def edge(self, at: Instant, button: str, *, value: bool, uncertainty: int = 0) -> None:
        self.tell(InputChanged(at, f"button.{button}", value, Duration(uncertainty)))

    def press(self, at: float, *buttons: str) -> None:
        """Press buttons, 0.3 s apart, each for 0.1 s."""
        for number, button in enumerate(buttons):
            for later, value in ((0.0, True), (0.1, False)):
                self.edge(instant(at + 0.3 * number + later), button, value=value)

    def enter(self, at: float, text: str) -> None:
        self.tell(TurnEntered(instant(at), text, ANN))

    def until(self, at: float) -> list[str]:
        """Everything ruled by then, in short."""
        self.tell(DeadlineReached(instant(at)))
        return [self.in_short(ruling) for ruling in self.rulings]

    def in_short(self, ruling: Ruling) -> str:
        return short(ruling)

    @property
    def match(self) -> MatchClock:
        assert self.game.clock is not None
        return self.game.clock

    def outcome(self) -> Outcome | None:
        return self.game.outcome

    def left(self, at: float) -> tuple[float, float]:
        """What both sides show, in seconds."""
        when = self.game.game_time(instant(at))
        first, second = (self.match.clock.remaining(side, when) for side in (0, 1))
        return seconds(first), seconds(second)

    def runs(self, at: float) -> int | None:
        return self.match.clock.at(self.game.game_time(instant(at))).runs

    def _step(self, event: Event) -> None:
        self.game, effects = step(self.game, event)
        self.rulings += [effect.ruling for effect in effects if isinstance(effect, Announce)]
        self.tunes += [effect.tune for effect in effects if isinstance(effect, Sound)]


def short(ruling: Ruling) -> str:
    """A ruling as one line: its stamp in seconds, its kind, and what else it says of players."""
    parts = [getattr(ruling, name) for name in ("player", "text", "winner", "reason", "what") if hasattr(ruling, name)]
    return " ".join([f"{ruling.at / SECOND:.6f}".rstrip("0").rstrip("."), ruling.kind, *map(str, parts)])
