"""Define the settings of Tau (Twenty Squares), their defaults, and which combinations are refused."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Final, Self

from gnomon.refusals import Statement, statement
from gnomon.rules.protocol import SettingsError

_CHOICES: Final[Mapping[str, tuple[str, ...]]] = {
    "board": ("tau", "double", "jiroft", "asha"),
    "players": ("2", "4"),
    "dice": ("sticks", "cube", "cowries"),
    "entry": ("choice", "auto", "any"),
    "stacking": ("off", "capture_together", "invincible"),
    "route": ("long", "short"),
    "ruleset": ("tau", "aseb"),
}
_WHOLE_NUMBER: Final = re.compile(r"[1-9][0-9]?")
_TEAMS_OF_TWO: Final = 4
MOST: Final = 7  # counters a player (rule 1)
MOST_ON_ASHA: Final = 12

_CONJECTURES: Final[Mapping[str, Statement]] = {
    "tau": statement("remark.tau"),
    "double": statement("remark.double"),
    "jiroft": statement("remark.jiroft"),
    "asha": statement("remark.asha"),
}


@dataclass(frozen=True, slots=True)
class TwentySquaresSettings:
    """One choice of settings. Raises SettingsError for values that do not go together.

    `counters` are those of one player (rule 1); `entry` is the gate of rule 4: `choice` lets the player choose
    whether a 1 or 5 moves a counter or becomes an entry throw, `auto` makes it one whenever a counter is in hand,
    `any` lets every throw enter; `route=short` ends with the middle row of the double board; `ruleset=aseb` throws
    0 to 4 and has no gate.
    """

    board: str = "tau"
    players: int = 2
    counters: int = 5
    dice: str = "sticks"
    entry: str = "choice"
    stacking: str = "off"
    route: str = "long"
    ruleset: str = "tau"

    def __post_init__(self) -> None:
        why = self._why_not()
        if why is not None:
            raise SettingsError(why)

    @classmethod
    def from_mapping(cls, settings: Mapping[str, object]) -> Self:
        """Read settings as text or numbers. Raises SettingsError with one sentence.

        Asha has twelve counters and cowries unless others are asked for, and four players take the short route.
        """
        read: dict[str, Any] = {name: _read(name, value) for name, value in settings.items()}
        if read.get("board") == "asha":
            read = {"counters": MOST_ON_ASHA, "dice": "cowries", **read}
        if read.get("players") == _TEAMS_OF_TWO:
            read = {"route": "short", **read}
        return cls(**read)

    @property
    def aseb(self) -> bool:
        """Whether this is the reconstruction that online players know as Aseb."""
        return self.ruleset == "aseb"

    @property
    def enters_by_second_throw(self) -> bool:
        """Whether a counter enters only by a second throw, after a 1 or 5 (rule 4)."""
        return self.entry != "any" and not self.aseb

    @property
    def stacks(self) -> bool:
        """Whether own counters may share a square."""
        return self.stacking != "off"

    @property
    def in_teams(self) -> bool:
        """Whether four play, two against two."""
        return self.players == _TEAMS_OF_TWO

    @property
    def short(self) -> bool:
        """Whether the route on the double board ends with the middle row."""
        return self.route == "short"

    @property
    def conjecture(self) -> Statement:
        """What is to be said to people of how certain these rules are: one sentence."""
        return _CONJECTURES[self.board]

    def _why_not(self) -> Statement | None:
        """Why these values do not go together; None when they do."""
        most = MOST_ON_ASHA if self.board == "asha" else MOST
        if self.in_teams and self.board != "double":
            return statement("told.setting.twenty-squares.four", board=self.board)
        if self.in_teams and self.route == "long":
            return statement("told.setting.twenty-squares.four.route")
        if self.route == "short" and self.board != "double":
            return statement("told.setting.twenty-squares.route", board=self.board)
        if not 1 <= self.counters <= most:
            return statement("told.setting.twenty-squares.counters", most=most, board=self.board, value=self.counters)
        if self.aseb and self.dice != "sticks":
            return statement("told.setting.twenty-squares.sticks", dice=self.dice)
        if self.aseb and self.entry == "auto":
            return statement("told.setting.twenty-squares.gate")
        if self.aseb and self.board == "asha":
            return statement("told.setting.twenty-squares.asha")
        return None


def _read(name: str, value: object) -> str | int:
    text = str(value) if isinstance(value, str | int) and not isinstance(value, bool) else ""
    if name == "counters":
        if not _WHOLE_NUMBER.fullmatch(text):
            raise SettingsError(
                statement("told.setting.twenty-squares.counters.any", most=MOST, asha=MOST_ON_ASHA, value=value)
            )
        return int(text)
    if name not in _CHOICES:
        known = [field.name for field in fields(TwentySquaresSettings)]
        raise SettingsError(statement("told.setting.none", game="Tau (Twenty Squares)", setting=name, known=known))
    if text not in _CHOICES[name]:
        raise SettingsError(statement("told.setting.one_of", setting=name, choices=_CHOICES[name], value=value))
    return int(text) if name == "players" else text
