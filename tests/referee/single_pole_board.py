"""Move glasses over sensors of one pole for the referee's tests."""

from gnomon.games.tamsk.sensing.board import new_game
from gnomon.games.tamsk.sensing.inputs import SINGLE_PLACES, start_inputs, trusts_sockets, trusts_timer
from gnomon.referee.evidence import Sensing
from gnomon.referee.judgement import Temperament
from tests.referee.scripted_board import ScriptedBoard

ONE_POLE = Sensing(SINGLE_PLACES)


class SinglePoleBoard(ScriptedBoard):
    """Hands on a board whose sensors see one pole; what a glass shows is the same either way up."""

    def __init__(  # noqa: PLR0913 - each is a setting of its own
        self,
        *,
        level: int,
        temperament: Temperament = Temperament.ASSISTANT,
        sensing: Sensing = ONE_POLE,
        late: str = "two_rings",
        ring: str = "optional",
        time: str = "electronic",
    ) -> None:
        super().__init__(level=level, temperament=temperament, late=late, ring=ring, time=time)
        self.game = new_game(self.game.rules, temperament, sensing)
        self.on = set(start_inputs(level, sensing))

    def lift(self, at: float, space: str) -> str:
        """The glass leaves its socket."""
        if not trusts_sockets(self.game.sensing):
            return super().lift(at, space)
        self.edge(at, f"{space}.glass", 0)
        return "glass"

    def place(self, at: float, space: str, pole: str = "south") -> None:
        """A glass comes to stand on a socket."""
        self.edge(at, f"{space}.{'glass' if trusts_sockets(self.game.sensing) else pole}", 1)

    def move(self, at: float, origin: str, target: str, *, turned: bool = True, after: float = 0.8) -> None:
        """Lift, carry, set down: that the glass is turned over is trusted."""
        if not trusts_sockets(self.game.sensing):
            super().move(at, origin, target, turned=turned, after=after)
            return
        self.lift(at, origin)
        self.place(at + after, target)

    def turn_timer(self, at: float) -> None:
        """The 15-second glass off its stand for 0.3 s, and set down at `at`."""
        if not trusts_timer(self.game.sensing):
            super().turn_timer(at)
            return
        self.edge(at - 0.3, "timer15.glass", 0)
        self.edge(at, "timer15.glass", 1)
