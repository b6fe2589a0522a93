"""Control the simulated board beneath a running daemon: touch it, let hands play on it, and set their pace."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from gnomon.referee.events import Paused, Resumed
from gnomon.referee.game import Game
from gnomon.referee.opponents import EVERY_SEAT, NOBODY, OPPONENT, PLAYS, WHO
from gnomon.referee.rulings import Ruling
from gnomon.referee.setup import GameSetup
from gnomon.refusals import statement
from gnomon.rules.registry import BARE_CLOCK
from gnomon_pi.config.description import TAMSK
from gnomon_pi.runtime.controller import BoardController, ControllerError
from gnomon_pi.runtime.live_game import LiveGame
from gnomon_pi.runtime.runner import Runner
from gnomon_pi.runtime.tag_input import READER, ReadingError, turn_of
from gnomon_pi.simulated._table import ImpossibleActError
from gnomon_pi.simulated.autoplay import Playground

if TYPE_CHECKING:
    from gnomon_pi.runtime.engine_play.advice import Adviser

LEVEL: Final = 2
"""The level of TAMSK that hands show to newcomers: with running glasses, without the hurry of level 3."""
STRENGTH: Final = "3"
"""Engines of this level play; the lowest levels make mistakes that newcomers would learn from."""


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
        codes = {} if reader is None else reader.codes
        try:
            return await self.controller.enter(turn_of(code, codes, self._runner.live_game), READER)
        except ReadingError as error:
            raise ControllerError(error) from error

    # Hands that play by themselves

    def set_pace(self, name: str) -> None:
        """Let hands play at another pace from their next turn on. Raises ControllerError for no pace."""
        try:
            self.playground.set_pace(name)
        except KeyError as error:
            raise ControllerError(statement("told.hands.no_pace", pace=name)) from error

    async def let_it_play(self, seed: int, setup: GameSetup | None = None) -> None:
        """Let hands play by themselves, from the present position on.

        Where another game may begin, that of `setup` does: an exhibition of engines, unless its settings say who plays.
        In a game of people hands make the turns that an engine would. If `setup` asks for no opponent, they choose
        legal turns by chance. Raises ControllerError where the players' eyes decide, and as `BoardController.new_game`
        does.
        """
        setup = setup or GameSetup()
        if self._runner.may_begin:
            await self.controller.new_game(self._exhibition(setup))
        live_game = self._runner.live_game
        if live_game is not None and live_game.game.rules.by_eye:
            raise ControllerError(statement("told.hands.sand"))
        self.playground.let_play(self._runner, seed, None if _is_by_chance(setup, live_game) else _adviser())

    def _exhibition(self, setup: GameSetup) -> GameSetup:
        """The game in which engines play every side, unless its settings say who does, and where there are turns."""
        name = setup.game or self._runner.host.own_game
        usual: dict[str, object] = {"level": LEVEL} if name == TAMSK else {}
        if OPPONENT not in setup.settings and name != BARE_CLOCK:
            usual |= {OPPONENT: STRENGTH, PLAYS: EVERY_SEAT}
        return replace(setup, settings={**usual, **setup.settings})

    async def pause(self) -> None:
        """Pause the game that hands play: they rest, and its time stands still. Raises ControllerError."""
        if self._game_of_hands().paused_at is None:
            await self.controller.correct(Paused(self.controller.now(), WHO))

    async def go_on(self) -> None:
        """Let the game that hands play go on after a pause. Raises ControllerError."""
        if self._game_of_hands().paused_at is not None:
            await self.controller.correct(Resumed(self.controller.now(), WHO))

    def _game_of_hands(self) -> Game:
        """The game that hands play. Raises ControllerError while they play none."""
        live_game = self._runner.live_game
        if live_game is None or not self.playground.is_playing:
            raise ControllerError(statement("told.hands.rest"))
        return live_game.game

    def _do(self, does: Callable[[], None]) -> None:
        try:
            does()
        except ImpossibleActError as error:
            raise ControllerError(error) from error


def _is_by_chance(setup: GameSetup, live_game: LiveGame | None) -> bool:
    """Whether somebody asked for turns by chance, or there are no turns to choose."""
    is_asked = str(setup.settings.get(OPPONENT, "")) == NOBODY
    return is_asked or (live_game is not None and live_game.game.rules.ends_by_press)


def _adviser() -> "Adviser":
    from gnomon_pi.runtime.engine_play.advice import Adviser  # where hands play by chance, no engine is known

    return Adviser(STRENGTH)
