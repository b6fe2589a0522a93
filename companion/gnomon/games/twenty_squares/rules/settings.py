"""Define the settings of Tau (Twenty Squares), their defaults, and which combinations are refused."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Final, Self

from gnomon.games.protocol import SettingsError

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

_CONJECTURE: Final = "every reconstruction of the game of twenty squares is conjectural"
_OF_THE_BOARD: Final[Mapping[str, str]] = {
    "tau": "its rules are a modern reading of ancient boards and dice",
    "double": "so are the routes on the double board, and the play in teams",
    "jiroft": "so is the route on the short board of Jiroft, which follows the rules of Tau here",
    "asha": "how Asha was played is mostly lost, and it follows the rules of Tau here",
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
        for refused, sentence in self._combinations():
            if refused:
                raise SettingsError(sentence)

    @classmethod
    def from_mapping(cls, settings: Mapping[str, object]) -> Self:
        """Read settings as text or numbers. Raises SettingsError with one sentence.

        Asha has twelve counters and cowries unless others are asked for, and four players take the short route.
        """
        read = {name: _read(name, value) for name, value in settings.items()}
        if read.get("board") == "asha":
            read = {"counters": MOST_ON_ASHA, "dice": "cowries", **read}
        if read.get("players") == _TEAMS_OF_TWO:
            read = {"route": "short", **read}
        return cls(**read)  # type: ignore[arg-type]  # the names and values were checked one by one

    @property
    def aseb(self) -> bool:
        """Whether this is the reconstruction that online players know as Aseb."""
        return self.ruleset == "aseb"

    @property
    def gated(self) -> bool:
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
    def conjecture(self) -> str:
        """What is to be said to people of how certain these rules are: one sentence."""
        return f"{_CONJECTURE}; {_OF_THE_BOARD[self.board]}"

    def _combinations(self) -> tuple[tuple[bool, str], ...]:
        """Each combination that cannot be: whether it is this one, and the sentence that refuses it."""
        most = MOST_ON_ASHA if self.board == "asha" else MOST
        return (
            (self.in_teams and self.board != "double", f"four play on board=double only, not on board={self.board}"),
            (
                self.in_teams and self.route == "long",
                "four players run 19 steps: players=4 goes with route=short, not with route=long",
            ),
            (
                self.route == "short" and self.board != "double",
                f"route=short is a route of board=double, not of board={self.board}",
            ),
            (
                not 1 <= self.counters <= most,
                f"counters is a whole number from 1 to {most} on board={self.board}, not {self.counters}",
            ),
            (
                self.aseb and self.dice != "sticks",
                f"ruleset=aseb is thrown with four sticks, 0 to 4: dice=sticks, not dice={self.dice}",
            ),
            (
                self.aseb and self.entry == "auto",
                "ruleset=aseb has no entry gate: every throw enters, and entry=auto has nothing to convert",
            ),
            (
                self.aseb and self.board == "asha",
                "board=asha is played under ruleset=tau, not under ruleset=aseb",
            ),
        )


def _read(name: str, value: object) -> str | int:
    text = str(value) if isinstance(value, str | int) and not isinstance(value, bool) else ""
    if name == "counters":
        if not _WHOLE_NUMBER.fullmatch(text):
            message = f"counters is a whole number from 1 to {MOST}, or {MOST_ON_ASHA} on board=asha, not {value!r}"
            raise SettingsError(message)
        return int(text)
    if name not in _CHOICES:
        known = ", ".join(field.name for field in fields(TwentySquaresSettings))
        message = f"Tau (Twenty Squares) has no setting {name!r}; its settings are {known}"
        raise SettingsError(message)
    if text not in _CHOICES[name]:
        message = f"{name} is one of {', '.join(_CHOICES[name])}, not {value!r}"
        raise SettingsError(message)
    return int(text) if name == "players" else text
