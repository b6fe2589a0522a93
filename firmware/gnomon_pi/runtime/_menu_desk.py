"""Carry out what people choose in the menu of the board, and show it on the display."""

import asyncio
import os
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any, Final, assert_never

from gnomon.engines.plugins import plugin_folders, read_plugins
from gnomon.referee.draws import two_players
from gnomon.referee.events import Adjourned, DrawAnswered, DrawOffered, ResultDeclared, TurnsVoided
from gnomon.referee.game import Game
from gnomon.referee.opponents import CODE, turns_to_take_back
from gnomon.referee.setup import GameSetup
from gnomon.refusals import sentence, statement, statement_of
from gnomon.timekeeping.instants import SECOND, Instant
from gnomon.views.display.menus import MenuAction, Offers, PlayerAction, message_screen
from gnomon.views.opponents import invitation_of
from gnomon.views.show import show_of
from gnomon.words import Words
from gnomon_pi.runtime._board_menu import WHO, BoardMenu
from gnomon_pi.runtime.controller import BoardController, ControllerError
from gnomon_pi.runtime.outputs import Outputs
from gnomon_pi.runtime.runner import Runner
from gnomon_pi.runtime.scanner import InputEdge
from gnomon_pi.runtime.system.clock import Watch

RESIGNED: Final = "resigned"
_NOW: Final = Instant(0)  # the controller stamps what it is given


class MenuDesk:
    """The menu in the daemon's loop: buttons come in, pictures go out, and the controller does the rest."""

    def __init__(  # noqa: PLR0913 - the parts of the daemon that it stands between
        self,
        runner: Runner,
        controller: BoardController,
        show: Outputs,
        watch: Watch,
        words: Words,
        *,
        large: bool,
    ) -> None:
        self.menu = BoardMenu(runner, self, self._offers, words, large=large)
        self._runner = runner
        self._controller = controller
        self._show = show
        self._watch = watch
        self._words = words
        self._stirred = asyncio.Event()
        self._working: set[asyncio.Task[None]] = set()
        if self.menu.has_keys and not controller.is_tournament:
            show.offer(message_screen("Gnomon", words("menu.press"), large=large))

    def hear(self, edge: InputEdge) -> None:
        """Take in an edge of a button: it is the menu's or, always in a tournament, the game's."""
        if self._controller.is_tournament or not self.menu.takes(edge):
            self._runner.post((edge,))
        self._refresh()

    async def work(self) -> None:
        """Open and close the menu in time, for as long as the daemon runs."""
        try:
            while True:
                self._stirred.clear()
                self.menu.look(self._watch.now())
                self._show.cover(self.menu.picture())
                due = self.menu.due()
                wait = None if due is None else max(0.005, (due - self._watch.now()) / SECOND)
                with suppress(TimeoutError):
                    async with asyncio.timeout(wait):
                        await self._stirred.wait()
        finally:
            for task in self._working:
                task.cancel()
            await asyncio.gather(*self._working, return_exceptions=True)

    def begin(self, setup: GameSetup) -> None:
        """Begin a game."""
        self._beside(self._begin(setup))

    def act(self, chosen: PlayerAction) -> None:
        """Do what a player asked for."""
        self._beside(self._act(chosen))

    async def _begin(self, setup: GameSetup) -> None:
        if setup.settings.get(CODE):
            self._say("menu.elsewhere", self._words("menu.joins"))
        await self._controller.new_game(setup)
        invitation = invitation_of(self._game(), self._words)
        if invitation is not None:
            self._say("menu.elsewhere", invitation)

    async def _act(self, chosen: PlayerAction) -> None:
        game, board = self._game(), self._controller
        match chosen.action:
            case MenuAction.GO_ON:
                pass
            case MenuAction.ACCEPT | MenuAction.DECLINE:
                accepted = chosen.action is MenuAction.ACCEPT
                await board.correct(DrawAnswered(_NOW, chosen.player, accepted, WHO))
            case MenuAction.OFFER:
                await board.correct(DrawOffered(_NOW, chosen.player, WHO))
            case MenuAction.TAKE_BACK:
                count = turns_to_take_back(game)
                if not count:
                    raise ControllerError(statement("told.to_void.none"))
                await board.correct(TurnsVoided(_NOW, count, give_back=True, who=WHO))
            case MenuAction.RESIGN:
                players = two_players(game)
                winner = next((each for each in players if each != chosen.player), None)
                if game.outcome is not None or game.exercise is not None or chosen.player not in players:
                    raise ControllerError(statement("opponent.resign.two"))
                await board.correct(ResultDeclared(_NOW, winner, RESIGNED, WHO))
            case MenuAction.HINT:
                self._say("menu.hint", self._words("menu.thinks"))
                player, text = game.turn, await board.advise()
                from gnomon.coaching import coach_of, hint_steps  # few ask for a hint

                position, said = game.position_at(board.now()), show_of(game).turn(player, text, self._words)
                steps = hint_steps(game.rules, coach_of(game.rules), position, text, said, self._words)
                self._say("menu.hint", *(steps or [said]))
            case MenuAction.ADJOURN:
                await board.correct(Adjourned(_NOW, WHO))
                self.menu.ask_for_a_game(self._watch.now())
            case _:
                assert_never(chosen.action)

    def _game(self) -> Game:
        live = self._runner.live_game
        if live is None:
            raise ControllerError(statement("told.no_game"))
        return live.game

    def _offers(self) -> Offers:
        """What can be begun here; the files of engines are read again each time."""
        found, _ = read_plugins(plugin_folders(os.environ))
        games = self._controller.games
        engines = {game: sorted(name for name, each in found.items() if game in each.games) for game in games}
        return Offers(games, engines, has_relay=self._controller.other_boards is not None)

    def _say(self, title: str, *steps: str) -> None:
        self.menu.say(self._words(title), steps, self._watch.now())
        self._refresh()

    def _beside(self, work: Coroutine[Any, Any, None]) -> None:
        async def do() -> None:
            try:
                await work
            except ControllerError as error:
                self._say("oled.not_allowed", sentence(statement_of(error), self._words))
            self._refresh()

        task = asyncio.create_task(do(), name="menu")
        self._working.add(task)
        task.add_done_callback(self._working.discard)

    def _refresh(self) -> None:
        self._show.cover(self.menu.picture())
        self._stirred.set()
        self._runner.stir()
