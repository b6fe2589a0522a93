"""The only place that names players and numbers for people, and says what a rule forbids or decides."""

import re
from collections.abc import Mapping
from typing import Final, NamedTuple

_NAMES: Final[Mapping[str, str]] = {
    "north-south": "North-South",
    "east-west": "East-West",
    "high": "HIGH",
    "low": "LOW",
    "nature": "Chance",
}
_NUMBERED: Final = re.compile(r"p([1-9])")
_DIGITS: Final = re.compile(r"[0-9]+")


class Reason(NamedTuple):
    """Why something is not allowed, or the end: the rule that says so (0 when none does), and what it says."""

    rule: int
    text: str

    @property
    def sentence(self) -> str:
        """The reason with its source, as one sentence."""
        return f"Rule {self.rule}: {lower(self.text)}" if self.rule else self.text


def name(player: str) -> str:
    """A player as people say it."""
    numbered = _NUMBERED.fullmatch(player)
    return f"Player {numbered[1]}" if numbered else _NAMES.get(player, player.capitalize())


def listed(players: list[str]) -> str:
    """Several players as people say them."""
    return " and ".join(map(name, players))


def shortened(text: str, longest: int = 18) -> str:
    """The text with every number of more than `longest` digits by its first three and its power of ten."""
    return _DIGITS.sub(lambda found: _short(found[0]) if len(found[0]) > longest else found[0], text)


def upper(text: str) -> str:
    """The text as a sentence begins."""
    return text[:1].upper() + text[1:]


def lower(text: str) -> str:
    """The text as a sentence goes on."""
    return text[:1].lower() + text[1:]


def _short(digits: str) -> str:
    return f"{digits[0]}.{digits[1:3]}e{len(digits) - 1}"
