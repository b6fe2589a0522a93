"""Define the settings and editions of Tayu, their defaults, and which values are guesses."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Final, NamedTuple, Self

from gnomon.refusals import Statement, statement
from gnomon.rules.protocol import SettingsError

SMALLEST: Final = 3  # a tile must fit
LARGEST: Final = 26  # letters for the columns
MOST_COPIES: Final = 99
HIGHEST_NUMBER: Final = 9999  # of a target or a bid: beyond any score

Doubles = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...], tuple[int, ...]]


class Edition(NamedTuple):
    """What came in the box; `guessed` names the values that no source states."""

    size: int
    doubles: tuple[int, ...]  # the double squares of each side, counted from 0
    copies: int  # tiles of each kind
    guessed: tuple[str, ...]

    def doubles_on(self, size: int) -> Doubles:
        """The double squares of the four sides, without those that are not on a board of some size."""
        side = tuple(place for place in self.doubles if place < size)
        return side, side, side, side


# EDIT HERE. The three guesses are the size of the Goliath board and the double squares of both boards: if you own a
# board, count its squares, correct the figures and take the names out of the last column.
EDITIONS: Final[Mapping[str, Edition]] = {
    "goliath": Edition(size=17, doubles=(2, 6, 10, 14), copies=3, guessed=("size", "doubles")),
    "kosmos": Edition(size=19, doubles=(3, 9, 15), copies=4, guessed=("doubles",)),
}
DEFAULT: Final = "goliath"
_BY_DEFAULT: Final = EDITIONS[DEFAULT]
_DOUBLES_BY_DEFAULT: Final = _BY_DEFAULT.doubles_on(_BY_DEFAULT.size)

_CHOICES: Final[Mapping[str, tuple[str, ...]]] = {
    "edition": tuple(EDITIONS),
    "players": ("2", "3", "4"),
    "draw": ("bag", "backs", "stacks"),
    "auction": ("no", "yes"),
}
_RANGES: Final[Mapping[str, tuple[int, int]]] = {
    "size": (SMALLEST, LARGEST),
    "copies": (1, MOST_COPIES),
    "target": (0, HIGHEST_NUMBER),
}
_WHOLE_NUMBER: Final = re.compile(r"0|[1-9][0-9]{0,3}")
_LIST: Final = re.compile(r"none|[0-9]{1,2}(?:,[0-9]{1,2})*")
_AUCTIONEERS: Final = 3


@dataclass(frozen=True, slots=True)
class TayuSettings:
    """One choice of settings, best made by `from_mapping`, which takes from the edition what is not given.

    `doubles`: the double squares of the north, east, south and west side, counted from 0, from the west or from the
    south. `target` is for three players without an auction.
    """

    edition: str = DEFAULT
    players: int = 2
    draw: str = "bag"
    target: int = 24
    auction: bool = False
    size: int = _BY_DEFAULT.size
    doubles: Doubles = _DOUBLES_BY_DEFAULT
    copies: int = _BY_DEFAULT.copies

    @classmethod
    def from_mapping(cls, settings: Mapping[str, object]) -> Self:
        """Read settings as text or numbers. Raises SettingsError with one sentence.

        Without `doubles` a board of another size has those of its edition that are on it.
        """
        known = [field.name for field in fields(cls)]
        for name in settings:
            if name not in known:
                raise SettingsError(statement("told.setting.none", game="Tayu", setting=name, known=known))
        name = _choice("edition", settings.get("edition", DEFAULT))
        edition = EDITIONS[name]
        size = _number("size", settings.get("size", edition.size))
        read = cls(
            edition=name,
            players=int(_choice("players", settings.get("players", 2))),
            draw=_choice("draw", settings.get("draw", "bag")),
            target=_number("target", settings.get("target", 24)),
            auction=_choice("auction", settings.get("auction", "no")) == "yes",
            size=size,
            doubles=_doubles(settings["doubles"], size) if "doubles" in settings else edition.doubles_on(size),
            copies=_number("copies", settings.get("copies", edition.copies)),
        )
        if read.auction and read.players != _AUCTIONEERS:
            raise SettingsError(statement("told.setting.tayu.auction", players=read.players))
        return read

    @property
    def guesses(self) -> tuple[Statement, ...]:
        """One sentence for each value in use that is a guess, to be shown wherever the value is."""
        edition = EDITIONS[self.edition]
        guesses = []
        if "size" in edition.guessed and self.size == edition.size:
            guesses.append(statement("remark.size", size=self.size))
        if "doubles" in edition.guessed and self.doubles == edition.doubles_on(self.size):
            guesses.append(statement("remark.doubles", places=",".join(map(str, self.doubles[0]))))
        return tuple(guesses)


def _text(value: object) -> str:
    # What is True or False reads "True" or "False", which is no value of any setting.
    return str(value) if isinstance(value, str | int) else ""


def _choice(name: str, value: object) -> str:
    text = _text(value)
    if text not in _CHOICES[name]:
        raise SettingsError(statement("told.setting.one_of", setting=name, choices=_CHOICES[name], value=value))
    return text


def _number(name: str, value: object) -> int:
    text, (lowest, highest) = _text(value), _RANGES[name]
    if not _WHOLE_NUMBER.fullmatch(text) or not lowest <= int(text) <= highest:
        raise SettingsError(statement("told.setting.number", setting=name, least=lowest, most=highest, value=value))
    return int(text)


def _doubles(value: object, size: int) -> Doubles:
    """The double squares of the four sides: one list for all, or one each for north, east, south and west."""
    lists = _text(value).split("/")
    if len(lists) not in (1, 4) or not all(map(_LIST.fullmatch, lists)):
        raise SettingsError(statement("told.setting.tayu.doubles.list", value=value))
    north, east, south, west = map(_places, lists * (4 // len(lists)))
    doubles = (north, east, south, west)
    for places in doubles:
        if len(set(places)) < len(places) or max(places, default=0) >= size:
            raise SettingsError(statement("told.setting.tayu.doubles", most=size - 1, value=value))
    return doubles


def _places(text: str) -> tuple[int, ...]:
    return () if text == "none" else tuple(sorted(map(int, text.split(","))))
