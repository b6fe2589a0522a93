"""Run the menu on the display, with which people begin games and ask for help by the buttons of the board.

The arbiter's button, held for a second, opens it; where no game is there yet, any button does. The press itself has
stopped the game, so nobody loses time in the menu; when somebody closes it, the game goes on as it was before. While
it is open the referee is told of no press. `BoardMenu` waits for nothing; what is chosen is done by a `MenuShell`.
"""

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple, Protocol

from PIL import Image

from gnomon.referee.events import Correction, Paused, Resumed
from gnomon.referee.game import Game
from gnomon.referee.setup import GameSetup
from gnomon.referee.table import ARBITER, BACK, ENTER, NEXT, PREVIOUS
from gnomon.timekeeping.instants import MILLISECOND, SECOND, Duration, Instant, earliest
from gnomon.views.display.menus import (
    GamePlan,
    Menu,
    MenuAction,
    Offers,
    PlayerAction,
    game_menu,
    menu_screen,
    message_parts,
    message_screen,
)
from gnomon.views.display.menus import next_menu as menu_after
from gnomon.words import Words
from gnomon_pi.runtime.runner import Runner, RunnerError
from gnomon_pi.runtime.scanner import InputEdge

WHO: Final = "board"
HOLD: Final = Duration(SECOND)
"""For so long the arbiter's button is held."""
BOUNCE: Final = Duration(30 * MILLISECOND)
"""Edges of one button that follow each other faster are one press."""
QUIET: Final = Duration(30 * SECOND)
"""A menu in which nobody presses anything closes after so long."""
READ: Final = Duration(8 * SECOND)
"""For so long an answer is shown."""


class MenuShell(Protocol):
    """What does what was chosen; it says how it went by `BoardMenu.say`."""

    def begin(self, setup: GameSetup) -> None:
        """Begin a game."""
        ...

    def act(self, chosen: PlayerAction) -> None:
        """Do what a player asked for."""
        ...


class MenuKeys(NamedTuple):
    """Which buttons move the cursor on and back, choose, and lead back."""

    next: str
    previous: str
    enter: str
    back: str


def keys_of(buttons: tuple[str, ...]) -> MenuKeys | None:
    """The four that pick a move, or else both players' own and the arbiter's; None where there are too few."""
    if {NEXT, ENTER, BACK} <= set(buttons):
        return MenuKeys(NEXT, PREVIOUS, ENTER, BACK)
    own = [button for button in buttons if button != ARBITER]
    return MenuKeys(own[0], "", own[1], ARBITER) if len(own) > 1 and ARBITER in buttons else None


class BoardMenu:
    """The menu of one board: what the buttons do to it, what the display shows, and when it closes."""

    def __init__(
        self, runner: Runner, shell: MenuShell, offers: Callable[[], Offers], words: Words, *, large: bool = False
    ) -> None:
        self._runner = runner
        self._shell = shell
        self._offers = offers
        self._words = words
        self._large = large
        self._keys = keys_of(tuple(runner.host.buttons))
        self._changed: dict[str, tuple[Instant, bool]] = {}  # the last edge of each button, and what it led to
        self._held: Instant | None = None  # since when the arbiter's button has been down
        self._let_go: Instant | None = None  # when it was let go, as far as that is no bounce
        self._menus: list[Menu] = []
        self._has_paused = False
        self._message: tuple[str, Sequence[str]] | None = None  # an answer in parts
        self._part = 0  # the one that is shown
        self._is_asked = False  # whether the last press has asked for it
        self._until = Instant(0)  # raw instant at which what is shown closes by itself

    @property
    def has_keys(self) -> bool:
        """Whether the board has the buttons that it takes."""
        return self._keys is not None

    @property
    def is_open(self) -> bool:
        """Whether the buttons belong to the menu now."""
        return bool(self._menus)

    def takes(self, edge: InputEdge) -> bool:
        """Take in an edge of a button, and answer whether it is the menu's, and not the game's."""
        name, stamp, value = edge.input, edge.stamp, edge.value
        if self._keys is None or name not in self._runner.host.buttons:
            return False
        is_open, is_bounce = self.is_open, self._is_bounce(name, stamp)
        self._changed[name] = stamp, value
        if name == ARBITER and not is_open:
            self._hold(stamp, is_bounce=is_bounce, value=value)
        if not value:
            return False  # that a button is let go means nothing to a game, and a menu does not know of it
        if not is_open:
            if self._shows_next(name, stamp, is_bounce=is_bounce):
                return True
            if self._message is not None:
                self._close()
            if self._runner.live_game is None and not is_bounce:
                self._open(stamp)
                return True
            return False
        if not is_bounce:
            self._press(name, stamp)
        return True

    def look(self, now: Instant) -> None:
        """Do what is due at the raw instant `now`: open it, or close it."""
        if self._let_go is not None and now >= self._let_go + BOUNCE:
            self._held = self._let_go = None
        if self._held is not None and self._let_go is None and now >= self._held + HOLD and not self.is_open:
            self._held = None
            self._open(now)
        elif (self._menus or self._message) and now >= self._until:
            self._has_paused = False  # nobody is there who would play: the game stands still until somebody is
            self._close()

    def due(self) -> Instant | None:
        """Raw instant at which to look again; None: never."""
        shown = self._until if self._menus or self._message else None
        if self._let_go is not None:
            return earliest([Instant(self._let_go + BOUNCE), shown])
        return earliest([None if self._held is None else Instant(self._held + HOLD), shown])

    def ask_for_a_game(self, now: Instant) -> None:
        """Open the menu of a new game."""
        self._menus.clear()
        self._ask(GamePlan())
        self._until = Instant(now + QUIET)

    def say(self, title: str, steps: Sequence[str], now: Instant) -> None:
        """Show an answer until it has been read, or a button is pressed; each further step is asked for."""
        parts = [part for step in steps for part in message_parts(step, large=self._large)]
        self._message, self._part, self._is_asked, self._until = (title, parts), 0, False, Instant(now + READ)

    def picture(self) -> Image.Image | None:
        """What the display shows instead of the game; None while there is nothing."""
        keys = () if self._keys is None else self._keys._asdict().items()
        named = {key: each.removeprefix("button.").upper() for key, each in keys}
        if self._menus:
            return menu_screen(self._menus[-1], self._words("menu.keys", **named), large=self._large)
        if self._message is None:
            return None
        (title, parts), part = self._message, self._part
        count = f"{part + 1}/{len(parts)}" if len(parts) > 1 else ""
        more = self._words("menu.more", **named) if self._has_more else ""
        return message_screen(title, parts[part], count, more, large=self._large)

    @property
    def _has_more(self) -> bool:
        return self._message is not None and self._part + 1 < len(self._message[1])

    def _shows_next(self, name: str, stamp: Instant, *, is_bounce: bool) -> bool:
        """Whether a press asks for the next part of an answer, which it then shows, or is a bounce of one that did."""
        if self._keys is None or name != self._keys.enter or self._message is None:
            return False
        if is_bounce:
            return self._is_asked
        self._is_asked = self._has_more
        if self._is_asked:
            self._part, self._until = self._part + 1, Instant(stamp + READ)
        return self._is_asked

    def _is_bounce(self, name: str, stamp: Instant) -> bool:
        last = self._changed.get(name)
        return last is not None and stamp - last[0] < BOUNCE

    def _hold(self, stamp: Instant, *, is_bounce: bool, value: bool) -> None:
        """Note since when the arbiter's button is down; a person who presses it again at once has not let it go."""
        if not value:
            self._let_go = stamp
        elif not is_bounce or self._held is None:
            self._held, self._let_go = stamp, None
        else:
            self._let_go = None

    def _open(self, now: Instant) -> None:
        game = self._game()
        self._message = None
        if game is None or game.outcome is not None or game.adjourned:
            self.ask_for_a_game(now)
        else:
            # The press of the arbiter's button has stopped the game, or has let it go on.
            self._has_paused = game.paused_at is not None
            if not self._has_paused:
                self._correct(Paused(self._runner.now(), WHO))
            self._menus = [game_menu(self._game() or game, self._words)]
        self._until = Instant(now + QUIET)

    def _press(self, name: str, now: Instant) -> None:
        keys, menu = self._keys, self._menus[-1]
        self._until = Instant(now + QUIET)
        if keys is None:
            return
        if name == keys.enter:
            self._choose(menu.chosen.wanted)
        elif name in {keys.next, keys.previous}:
            self._menus[-1] = menu.move(1 if name == keys.next else -1)
        elif name == keys.back and len(self._menus) > 1:
            self._menus.pop()
        elif name in {keys.back, ARBITER}:
            self._close()

    def _choose(self, wanted: object) -> None:
        if isinstance(wanted, Menu):
            self._menus.append(wanted)
        elif isinstance(wanted, GamePlan):
            self._ask(wanted)
        elif isinstance(wanted, PlayerAction):
            self._close()
            if wanted.action is not MenuAction.GO_ON:
                self._shell.act(wanted)

    def _ask(self, plan: GamePlan) -> None:
        plan, menu = menu_after(plan, self._offers(), self._words)
        if menu is not None:
            self._menus.append(menu)
            return
        self._close()
        self._shell.begin(plan.setup)

    def _close(self) -> None:
        """The display shows the game again, which goes on if it did before."""
        was_open, self._message = bool(self._menus), None
        self._menus.clear()
        game = self._game()
        if was_open and self._has_paused and game is not None and game.paused_at is not None and not game.adjourned:
            self._correct(Resumed(self._runner.now(), WHO))
        self._has_paused = False

    def _game(self) -> Game | None:
        live = self._runner.live_game
        return None if live is None else live.game

    def _correct(self, correction: Correction) -> bool:
        try:
            self._runner.correct(correction)
        except RunnerError:
            return False
        return True
