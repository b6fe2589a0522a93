"""Build and draw the menus of the display: what can be begun with the buttons, and what players can ask for in a game.

A menu is a value: the buttons move its cursor, and a row that is chosen says what is wanted. Which button does what is
said in its last line.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Final, NamedTuple, Self

from PIL import Image

from gnomon.distance.codes import LENGTH, LETTERS, spell_code
from gnomon.referee.clock_settings import CLOCK
from gnomon.referee.draws import asked_for_a_draw, may_offer, two_players
from gnomon.referee.game import ANOTHER_BOARD, Game
from gnomon.referee.help import HELPS
from gnomon.referee.opponents import (
    CODE,
    EVERY_SEAT,
    HELP,
    OPPONENT,
    PLAYS,
    WARNINGS,
    is_engines_turn,
    plays_as,
    turns_to_take_back,
)
from gnomon.referee.replacement import replace
from gnomon.referee.setup import GameSetup
from gnomon.rules.protocol import NATURE
from gnomon.rules.registry import kind_of, rules_of
from gnomon.timekeeping.presets import PRESETS
from gnomon.views import fonts
from gnomon.views.display import panes
from gnomon.views.display.panes import HEIGHT, MARGIN, SIZE, WIDTH
from gnomon.views.phrases import name
from gnomon.views.show import show
from gnomon.words import ENGLISH, Words

USUAL_LEVEL: Final = 3

_FIRST: Final = 12  # the first row under the headline
_ROWS: Final = 4
_LARGE_HEAD: Final = 19
_LARGE_PITCH: Final = 21
_LARGE_ROWS: Final = 2
_TWO: Final = 2  # sides
_GROUP: Final = 4
"""Letters of a code that one row offers."""
_PRESETS: Final = ("blitz", "rapid", "club", "gipf")


class MenuAction(Enum):
    """What a row of the menu in a game does; its words are the entry `menu.` and its value."""

    GO_ON = "go_on"
    ACCEPT = "accept"
    DECLINE = "decline"
    HINT = "hint"
    TAKE_BACK = "take_back"
    OFFER = "offer"
    RESIGN = "resign"
    ADJOURN = "adjourn"


class PlayerAction(NamedTuple):
    """An action and the player for whom it is; nobody where that does not matter."""

    action: MenuAction
    player: str = ""


class Row(NamedTuple):
    """A row: what it says, and what is wanted when it is chosen; a menu, what is to be begun, or an action."""

    label: str
    wanted: Any


@dataclass(frozen=True, slots=True)
class Menu:
    """A menu with its cursor."""

    title: str
    rows: Sequence[Row]
    cursor: int = 0

    def move(self, steps: int) -> Self:
        """The cursor so many rows on, round and round."""
        return replace(self, cursor=(self.cursor + steps) % len(self.rows))

    @property
    def chosen(self) -> Row:
        """The row under the cursor."""
        return self.rows[self.cursor]


# A game that is begun


@dataclass(frozen=True, slots=True)
class GamePlan:
    """A game to begin, as far as the questions have been answered; what is None or empty is still asked.

    With another board, `joins` is whether this one was invited by the code of the `letters`; the next letter is one of
    the `group`.
    """

    against: bool | None = None
    joins: bool | None = None
    letters: str = ""
    group: str = ""
    game: str = ""
    opponent: str = ""
    setting: tuple[str, str] | None = None
    side: str = ""
    clock: str | None = None
    help: str | None = None

    @property
    def settings(self) -> Mapping[str, object]:
        """The settings of the game that are known."""
        known: dict[str, object] = dict([self.setting] if self.setting and self.setting[0] else [])
        if self.joins:
            return {OPPONENT: self.opponent, CODE: self.letters}
        if self.opponent and self.side:
            known |= {OPPONENT: self.opponent, PLAYS: self.side}
        if self.clock:
            known[CLOCK] = self.clock
        if self.help:
            known |= {WARNINGS: "on"} if self.help == WARNINGS else {HELP: self.help}
        return known

    @property
    def is_distant(self) -> bool:
        """Whether the other side is played at another board."""
        return self.opponent == ANOTHER_BOARD

    @property
    def seats(self) -> tuple[str, ...]:
        """Who sits at the board."""
        of_rules = dict([self.setting] if self.setting and self.setting[0] else [])
        return tuple(rules_of(self.game, of_rules).seats)

    @property
    def setup(self) -> GameSetup:
        """The game, once nothing is asked any more."""
        return GameSetup(self.game, self.settings)


@dataclass(frozen=True, slots=True)
class Offers:
    """What can be begun at a board: its games, the engines that are plugged in for each, and whether it has a relay."""

    games: Sequence[str]
    engines: Mapping[str, Sequence[str]] = field(default_factory=dict)
    has_relay: bool = False

    @property
    def distant(self) -> Sequence[str]:
        """The games that can be played with another board."""
        return [game for game in self.games if self.has_relay and kind_of(game).plays_apart]


def next_menu(plan: GamePlan, offers: Offers, words: Words = ENGLISH) -> tuple[GamePlan, Menu | None]:
    """The plan with every answer that leaves no choice, and the menu of the next question; None: nothing is open."""
    for question in (_who, _invitation, _letter, _game, _level, _first_setting, _side, _clock, _help):
        found = question(plan, offers, words)
        if found is None:
            continue
        title, cursor, answers = found
        if len(answers) > 1:
            return plan, Menu(title, tuple(Row(label, each) for label, each in answers), min(cursor, len(answers) - 1))
        plan = answers[0][1]
    return plan, None


_Question = tuple[str, int, Sequence[tuple[str, GamePlan]]] | None
"""A title, where the cursor stands first, and the answers; None where there is nothing to ask."""


def _who(plan: GamePlan, offers: Offers, words: Words) -> _Question:
    if plan.against is not None:
        return None
    answers = [
        (words(f"menu.{key}"), replace(plan, against=value)) for key, value in (("gnomon", True), ("two", False))
    ]
    if offers.distant:
        answers.append((words("menu.elsewhere"), replace(plan, against=False, opponent=ANOTHER_BOARD)))
    return words("menu.new"), 0, answers


def _invitation(plan: GamePlan, _offers: Offers, words: Words) -> _Question:
    if not plan.is_distant or plan.joins is not None:
        return None
    answers = [(words(f"menu.{key}"), replace(plan, joins=joins)) for key, joins in (("invite", False), ("join", True))]
    return words("menu.elsewhere"), 0, answers


def _letter(plan: GamePlan, _offers: Offers, words: Words) -> _Question:
    """The next letter of a code: one of a few, after these few have been chosen; so a press more does for four rows."""
    if not plan.joins or len(plan.letters) == LENGTH:
        return None
    title = words("menu.code", code=spell_code(plan.letters.ljust(LENGTH, "_")))
    if plan.group:
        return title, 0, [(each, replace(plan, letters=plan.letters + each, group="")) for each in plan.group]
    groups = [LETTERS[first : first + _GROUP] for first in range(0, len(LETTERS), _GROUP)]
    return title, 0, [(" ".join(group), replace(plan, group=group)) for group in groups]


def _game(plan: GamePlan, offers: Offers, words: Words) -> _Question:
    if plan.game or plan.joins:
        return None
    games = offers.distant if plan.is_distant else offers.games
    return words("menu.game"), 0, [(words(f"game.{game}"), replace(plan, game=game)) for game in games]


def _level(plan: GamePlan, offers: Offers, words: Words) -> _Question:
    if not plan.against or plan.opponent:
        return None
    levels = [str(level) for level in range(1, kind_of(plan.game).levels + 1)]
    answers = [(words("menu.level.of", level=level), replace(plan, opponent=level)) for level in levels]
    answers += [(engine, replace(plan, opponent=engine)) for engine in offers.engines.get(plan.game, ())]
    return words("menu.level"), USUAL_LEVEL - 1, answers


def _first_setting(plan: GamePlan, _offers: Offers, words: Words) -> _Question:
    """The first of the settings that a form asks for at once, where it has a few values."""
    if plan.setting is not None or plan.joins:
        return None
    choices = [each for each in show(plan.game).choices if each.early and each.values and not each.when[0]]
    if not choices:
        return "", 0, [("", replace(plan, setting=("", "")))]
    choice, key = choices[0], f"setting.{plan.game}.{choices[0].name}"
    values = [value for value in choice.values if not plan.is_distant or _plays_apart(plan.game, choice.name, value)]
    answers = [(words(f"{key}.{value}"), replace(plan, setting=(choice.name, value))) for value in values]
    return words(key), values.index(choice.default) if choice.default in values else 0, answers


def _plays_apart(game: str, setting: str, value: str) -> bool:
    """Whether two boards can play a game with a setting."""
    rules = rules_of(game, {setting: value})
    return rules.plays_apart and len(tuple(rules.seats)) == _TWO


def _side(plan: GamePlan, _offers: Offers, words: Words) -> _Question:
    if plan.side or plan.joins or not plan.opponent:
        return None
    answers = [(name(seat, words), replace(plan, side=seat)) for seat in plan.seats]
    if plan.is_distant:
        return words("menu.side.elsewhere"), 1, answers
    answers.append((words("menu.plays.all"), replace(plan, side=EVERY_SEAT)))
    return words("menu.side"), 1, answers


def _clock(plan: GamePlan, _offers: Offers, words: Words) -> _Question:
    if plan.clock is not None or plan.joins:
        return None
    # Where the board has its own time, and for more than two sides, a page can set a clock all the same.
    if kind_of(plan.game).own_board or len(plan.seats) > _TWO:
        return "", 0, [("", replace(plan, clock=""))]
    clocks = [PRESETS[each].text for each in _PRESETS]
    return (
        words("menu.clock"),
        0,
        [
            (words("menu.clock.none"), replace(plan, clock="")),
            *((each, replace(plan, clock=each)) for each in clocks),
        ],
    )


def _help(plan: GamePlan, _offers: Offers, words: Words) -> _Question:
    if plan.help is not None:
        return None
    if plan.side == EVERY_SEAT or plan.is_distant:
        return "", 0, [("", replace(plan, help=""))]
    answers = [(words("menu.help.off"), replace(plan, help=""))]
    answers += [(words(f"menu.help.{key}"), replace(plan, help=key)) for key in (WARNINGS, *HELPS)]
    return words("menu.help"), 0, answers


# In a game


def game_menu(game: Game, words: Words = ENGLISH) -> Menu:
    """What players can ask for now."""
    asked, offers = asked_for_a_draw(game), may_offer(game)
    rows = [Row(words("menu.go_on"), PlayerAction(MenuAction.GO_ON))]
    if asked is not None and not plays_as(game, asked, game.position):
        rows += [Row(words(f"menu.{each.value}"), PlayerAction(each, asked)) for each in (_ACCEPT, _DECLINE)]
    if game.turn != NATURE and not is_engines_turn(game) and not game.rules.ends_by_press:
        rows.append(Row(words("menu.hint"), PlayerAction(MenuAction.HINT)))
    if turns_to_take_back(game):
        rows.append(Row(words("menu.take_back"), PlayerAction(MenuAction.TAKE_BACK)))
    if offers is not None:
        rows.append(Row(words("menu.offer"), PlayerAction(MenuAction.OFFER, offers)))
    persons = [player for player in two_players(game) if not plays_as(game, player, game.position)]
    if persons and game.exercise is None:
        rows.append(Row(words("menu.resign"), _who_resigns(persons, words)))
    rows.append(Row(words("menu.adjourn"), PlayerAction(MenuAction.ADJOURN)))
    return Menu(words("menu.players"), tuple(rows))


_ACCEPT: Final = MenuAction.ACCEPT
_DECLINE: Final = MenuAction.DECLINE


def _who_resigns(persons: Sequence[str], words: Words) -> Menu:
    """Who resigns: it is asked even of one person, for it ends the game."""
    rows = [
        Row(words("menu.resigns", player=name(player, words)), PlayerAction(MenuAction.RESIGN, player))
        for player in persons
    ]
    return Menu(words("menu.resign"), (Row(words("menu.go_on"), PlayerAction(MenuAction.GO_ON)), *rows))


# The picture


def menu_screen(menu: Menu, keys: str, *, large: bool = False) -> Image.Image:
    """The picture of a menu; `keys` says which button does what, and has no room in large letters."""
    image = Image.new("1", SIZE)
    if large:
        _draw_large(image, menu)
        return image
    count = f"{menu.cursor + 1}/{len(menu.rows)}"
    panes.headline(image, fonts.shorten(menu.title, WIDTH - fonts.width(count) - 10)[0], count, None)
    first = min(max(0, menu.cursor - 1), max(0, len(menu.rows) - _ROWS))
    for number, row in enumerate(menu.rows[first : first + _ROWS]):
        top, is_chosen = _FIRST + number * (fonts.PITCH + 1), first + number == menu.cursor
        if is_chosen:
            image.paste(1, (0, top - 1, WIDTH, top + fonts.PITCH))
        label = fonts.shorten(row.label, panes.ROOM - 2)[0]
        fonts.write(image, (MARGIN + 1, top), label, ink=0 if is_chosen else 1)
    fonts.write(image, (MARGIN, HEIGHT - fonts.LINE), fonts.shorten(keys, panes.ROOM)[0])
    return image


def message_screen(title: str, text: str, count: str = "", keys: str = "", *, large: bool = False) -> Image.Image:
    """The picture of an answer, in letters twice as large where they are wanted or it has room.

    `count` says which part of how many it is, and `keys` which button shows the next one.
    """
    image = Image.new("1", SIZE)
    scale = 2 if large or len(fonts.wrap(text, panes.ROOM // 2)) <= _LARGE_ROWS else 1
    panes.headline(image, fonts.shorten(title, WIDTH - fonts.width(count) - 10)[0], count, None)
    rows = fonts.shorten(text, panes.ROOM // scale, (_ROWS if keys else 5) if scale == 1 else _LARGE_ROWS)
    for number, row in enumerate(rows):
        fonts.write(image, (MARGIN, _FIRST + number * scale * fonts.PITCH), row, scale=scale)
    if keys:
        fonts.write(image, (MARGIN, HEIGHT - fonts.LINE), fonts.shorten(keys, panes.ROOM)[0])
    return image


def message_parts(text: str, *, large: bool = False) -> Sequence[str]:
    """An answer in parts of which each has room."""
    rows, most = fonts.wrap(text, panes.ROOM // 2 if large else panes.ROOM), _LARGE_ROWS if large else _ROWS
    return [" ".join(rows[first : first + most]) for first in range(0, len(rows), most)]


def _draw_large(image: Image.Image, menu: Menu) -> None:
    image.paste(1, (0, 0, WIDTH, _LARGE_HEAD))
    fonts.write(image, (2, 2), fonts.shorten(menu.title, panes.ROOM // 2 - 2)[0], ink=0, scale=2)
    first = min(menu.cursor, max(0, len(menu.rows) - _LARGE_ROWS))
    for number, row in enumerate(menu.rows[first : first + _LARGE_ROWS]):
        top, is_chosen = _LARGE_HEAD + 4 + number * _LARGE_PITCH, first + number == menu.cursor
        if is_chosen:
            image.paste(1, (0, top - 1, WIDTH, top + _LARGE_PITCH - 3))
        label = fonts.shorten(row.label, panes.ROOM // 2 - 1)[0]
        fonts.write(image, (MARGIN + 1, top), label, ink=0 if is_chosen else 1, scale=2)
