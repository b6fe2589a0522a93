"""Define the settings that the form for a new game offers, with defaults, bounds and conditions.

The rules decide what is legal; this module holds what people see first, between which bounds, and when a setting
matters.
"""

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from gnomon.games.protocol import SettingsError
from gnomon.games.registry import BARE_CLOCK, rules_of
from gnomon.games.tau.rules import PLAYERS as HIGH_AND_LOW
from gnomon.games.tau.rules import Tau


class Choice(NamedTuple):
    """A setting: one of `values`, or a whole number from `least` to `most`, or a text where both are 0.

    `default` is shown at first; empty leaves the setting to the rules. `early` settings stand before "more".
    `when` is the setting, and its values, with which it matters; it is not sent otherwise.
    """

    name: str
    default: str
    values: tuple[str, ...] = ()
    least: int = 0
    most: int = 0
    early: bool = False
    when: tuple[str, tuple[str, ...]] = ("", ())

    @property
    def is_number(self) -> bool:
        """Whether a whole number is asked for."""
        return self.most > 0


_TIMED: Final = ("level", ("2", "3"))

CHOICES: Final[Mapping[str, tuple[Choice, ...]]] = {
    "tamsk": (
        Choice("level", "3", ("1", "2", "3"), early=True),
        Choice("time", "electronic", ("electronic", "calibrated", "sand"), early=True, when=_TIMED),
        Choice("ring", "optional", ("optional", "auto")),
        Choice("full_space", "loses", ("loses", "take_back")),
        Choice("late", "two_rings", ("two_rings", "skip_turn"), when=("level", ("3",))),
        Choice("stall", "64", most=999999, when=("ring", ("optional",))),
    ),
    "tayu": (
        Choice("players", "2", ("2", "3", "4"), early=True),
        Choice("edition", "goliath", ("goliath", "kosmos"), early=True),
        Choice("auction", "no", ("no", "yes"), early=True, when=("players", ("3",))),
        Choice("target", "24", most=9999, early=True, when=("players", ("3",))),
        Choice("draw", "bag", ("bag", "backs", "stacks")),
        Choice("size", "", least=3, most=26),
        Choice("copies", "", least=1, most=99),
        Choice("doubles", ""),
    ),
    "tabik": (
        Choice("size", "8", least=2, most=19, early=True),
        Choice("pie", "yes", ("yes", "no"), early=True),
    ),
    "tau": (
        Choice("rows", "10", least=1, most=999, early=True),
        Choice("columns", "10", least=1, most=999, early=True),
        Choice("limit", "", early=True),
    ),
    "twenty-squares": (
        Choice("board", "tau", ("tau", "double", "jiroft", "asha"), early=True),
        Choice("players", "2", ("2", "4"), early=True, when=("board", ("double",))),
        Choice("ruleset", "tau", ("tau", "aseb"), early=True, when=("board", ("tau", "double", "jiroft"))),
        Choice("counters", "", least=1, most=12),
        Choice("dice", "", ("", "sticks", "cube", "cowries"), when=("ruleset", ("tau",))),
        Choice("entry", "choice", ("choice", "auto", "any"), when=("ruleset", ("tau",))),
        Choice("stacking", "off", ("off", "capture_together", "invincible")),
        Choice("route", "", ("", "long", "short"), when=("board", ("double",))),
    ),
    BARE_CLOCK: (),
}
MOST_PLAYERS: Final[Mapping[str, int]] = {
    "tamsk": 2,
    "tayu": 4,
    "tabik": 2,
    "tau": 2,
    "twenty-squares": 4,
    BARE_CLOCK: 2,
}


def chosen(game: str, sent: Mapping[str, str]) -> dict[str, str]:
    """The settings that were chosen on a form and matter."""
    values = {choice.name: sent.get(choice.name, choice.default).strip() for choice in CHOICES[game]}
    return {name: values[name] for name in _mattering(game, values) if values[name]}


def mistakes(game: str, sent: Mapping[str, str]) -> dict[str, Choice]:
    """The settings whose value is none of its values, by their names."""
    settings = chosen(game, sent)
    return {choice.name: choice for choice in CHOICES[game] if not _fits(choice, settings.get(choice.name, ""))}


def refusal(game: str, settings: Mapping[str, str]) -> tuple[str, str] | None:
    """What the rules say against settings that do not go together: the setting that is named first, and their words."""
    try:
        rules_of(game, settings)
    except SettingsError as error:
        said = str(error)
        first = said.partition("=")[0].split()[0] if said else ""
        names = [choice.name for choice in CHOICES[game]]
        return (first if first in names else names[0]), said
    return None


def seats(game: str, settings: Mapping[str, str]) -> tuple[str, ...]:
    """The players of the rules who give a name, in order. Raises SettingsError."""
    rules = rules_of(game, settings)
    if isinstance(rules, Tau) and rules.settings.limit is None:
        return tuple(player for player in rules.players if player not in HIGH_AND_LOW)
    return tuple(rules.players)


def _mattering(game: str, values: Mapping[str, str]) -> Iterator[str]:
    for choice in CHOICES[game]:
        setting, wanted = choice.when
        if not setting or values[setting] in wanted:
            yield choice.name


def _fits(choice: Choice, text: str) -> bool:
    if not text:
        return True
    if choice.values:
        return text in choice.values
    if not choice.is_number:
        return True
    return (
        text.isascii()
        and text.isdecimal()
        and len(text) <= len(str(choice.most))
        and (choice.least <= int(text) <= choice.most)
    )
