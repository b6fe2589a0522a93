"""Format player names, lists, times and large numbers as words, and join rule numbers with their sentences."""

import re
from collections.abc import Iterable
from functools import reduce
from typing import Final, NamedTuple

from gnomon.rules.protocol import Outcome
from gnomon.timekeeping.instants import MINUTE, SECOND
from gnomon.words import ENGLISH, Clause, Words

_DIGITS: Final = re.compile(r"[0-9]+")
_HOUR: Final = 3600  # seconds


class Reason(NamedTuple):
    """Why something is not allowed, or the end: the rule that says so (0 when none does), and what it says."""

    rule: int
    text: str

    @property
    def sentence(self) -> str:
        """The reason with its source, as one English sentence."""
        return self.with_source(ENGLISH)

    def with_source(self, words: Words) -> str:
        """The reason with its source, as one sentence."""
        return words("rule.cited", rule=self.rule, text=Clause(self.text)) if self.rule else self.text


def name(player: str, words: Words = ENGLISH) -> str:
    """A player as people say it."""
    return words.player(player)


def winner_sentence(winner: str | None, words: Words = ENGLISH, reason: str = "") -> str:
    """Who has won, that nobody has, or, by the reason, that there is no result."""
    if Outcome(winner, reason).is_void:
        return words("result.void")
    return words("result.wins", player=name(winner, words)) if winner else words("result.draw")


def player_list(players: Iterable[str], words: Words = ENGLISH) -> str:
    """Several players as people say them."""
    return join_items((name(player, words) for player in players), words)


def join_items(items: Iterable[str], words: Words = ENGLISH) -> str:
    """Several things of which all are meant; empty for none."""
    return _reduce("list.and", items, words)


def either(items: Iterable[str], words: Words = ENGLISH) -> str:
    """Several things of which one is meant; empty for none."""
    return _reduce("list.or", items, words)


def in_turn(items: Iterable[str], words: Words = ENGLISH) -> str:
    """Several things that are done one after the other; empty for none."""
    return _reduce("list.steps", items, words)


def shorten_numbers(text: str, longest: int = 18) -> str:
    """The text with every number of more than `longest` digits by its first three and its power of ten."""
    return _DIGITS.sub(lambda found: _short(found[0]) if len(found[0]) > longest else found[0], text)


def whole_seconds(remaining: int) -> int:
    """Microseconds as seconds for people: rounded up, so that 0 is shown only when nothing is left."""
    return -(-remaining // SECOND)


def countdown_text(seconds: int) -> str:
    """Whole seconds that are left, as display and pages show them: "2:30", and below a minute "45"."""
    return f"{seconds // 60}:{seconds % 60:02}" if seconds >= MINUTE // SECOND else str(seconds)


def elapsed_text(time: int) -> str:
    """Microseconds as people write a time: `0:07`, `12:30`, `1:02:03`; whole seconds that have passed."""
    whole = max(0, time) // SECOND
    minutes, rest = divmod(whole, 60)
    hours, part = divmod(minutes, 60)
    return f"{hours}:{part:02d}:{rest:02d}" if whole >= _HOUR else f"{minutes}:{rest:02d}"


def _reduce(key: str, items: Iterable[str], words: Words) -> str:
    every = list(items)
    return reduce(lambda first, last: words(key, first=first, last=last), every) if every else ""


def _short(digits: str) -> str:
    return f"{digits[0]}.{digits[1:3]}e{len(digits) - 1}"
