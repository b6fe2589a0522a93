"""Control the simulated board beneath a running daemon: touch it, let hands play on it, and set their pace."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from gnomon.referee.rulings import Ruling
from gnomon.referee.setup import GameSetup
from gnomon.refusals import statement
from gnomon_pi.config.description import TAMSK
from gnomon_pi.runtime.controller import BoardController, ControllerError
from gnomon_pi.runtime.runner import Runner
from gnomon_pi.runtime.tag_input import READER, ReadingError, draw_of
from gnomon_pi.simulated._table import ImpossibleActError
from gnomon_pi.simulated.autoplay import Playground


class RemoteControl:
    """What people can do to the board in software of a controller, which has what every board has.

    To be used in the daemon's loop.
    """

    def __init__(self, controller: BoardController, runner: Runner, playground: Playground) -> None:
        self.controller = controller
        self._runner = runner
        self.playground = playground

    # Hands of people

    def press(self, button: str) -> None:
        """Press a button, named by its input, and keep it down.

        Raises ControllerError for a button that the board lacks and for one that is down.
        """
        self._do(lambda: self.playground.press(button))

    def release(self, button: str) -> None:
        """Let a button go. Raises ControllerError as `press` does, and for one that is not down."""
        self._do(lambda: self.playground.release(button))

    def lay(self, squares: Sequence[str]) -> None:
        """Lay a tile on squares of the Tayu board, legal or not.

        Raises ControllerError on a board without squares, and where a tile lies already.
        """
        self._do(lambda: self.playground.lay(squares))

    def lift(self, squares: Sequence[str]) -> None:
        """Take what lies on squares of the Tayu board off it. Raises ControllerError as `lay` does."""
        self._do(lambda: self.playground.lift(squares))

    async def read(self, code: str) -> tuple[Ruling, ...]:
        """Draw the tile that bears a code, as a reader does; return what was ruled, once durable.

        Raises ControllerError for a code that is on no tile, and as `BoardController.enter` does.
        """
        reader = self.playground.board.description.reader
        try:
            return await self.controller.enter(draw_of(code, {} if reader is None else reader.codes), READER)
        except ReadingError as error:
            raise ControllerError(error) from error

    # Hands that play by themselves

    def set_pace(self, name: str) -> None:
        """Let hands play at another pace from their next turn on. Raises ControllerError for no pace."""
        try:
            self.playground.set_pace(name)
        except KeyError as error:
            raise ControllerError(statement("told.hands.no_pace", pace=name)) from error

    async def let_it_play(self, level: int, seed: int, setup: GameSetup | None = None) -> None:
        """Let hands play by themselves, from the present position on.

        Without an unfinished game a new one is started: that of `setup`, TAMSK without settings at `level`. Raises
        ControllerError where the players' eyes decide, and as `BoardController.new_game` does.
        """
        if not self._runner.is_unfinished:
            setup = setup or GameSetup()
            if not setup.settings and (setup.game or self._runner.host.own_game) == TAMSK:
                setup = replace(setup, settings={"level": level})
            await self.controller.new_game(setup)
        live_game = self._runner.live_game
        if live_game is not None and live_game.game.rules.by_eye:
            raise ControllerError(statement("told.hands.sand"))
        self.playground.let_play(self._runner, seed)

    def _do(self, does: Callable[[], None]) -> None:
        try:
            does()
        except ImpossibleActError as error:
            raise ControllerError(error) from error
