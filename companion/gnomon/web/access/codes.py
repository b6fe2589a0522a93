"""Make and check pairing codes: short, valid for ten minutes, for a single use.

A code is read from a display and typed into a phone, which proves that the person stands at the board. Eight of 25
letters are 37 bits: a hundred guesses, after which a code is withdrawn, succeed with a chance of one in a billion and
a half.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from hmac import compare_digest
from typing import Final

from gnomon.timekeeping.instants import SECOND, Duration, Instant
from gnomon.web.access._roles import Role

ALPHABET: Final = "ACDEFGHJKMNPQRTUVWXY34679"
"""Without what looks alike on a small display or in handwriting: 0 O, 1 I L, 2 Z, 5 S, 8 B."""
LENGTH: Final = 8
HALF: Final = 4
LIFETIME: Final = Duration(600 * SECOND)
TRIES: Final = 100
AT_ONCE: Final = 16
"""Codes that are valid at a time; the oldest gives way."""

Chance = Callable[[int], bytes]
"""So many bytes that nobody can foretell: `secrets.token_bytes`."""


@dataclass(frozen=True, slots=True)
class Code:
    """A code for a new person or device of a role, until an instant of a clock that never jumps.

    `key` is what it is found by; where several processes share it, those that have not made it do not know `text`.
    """

    text: str
    role: Role
    until: Instant
    tries: int = TRIES
    key: bytes = b""

    @property
    def readable(self) -> str:
        """As people read it."""
        return f"{self.text[:HALF]}-{self.text[HALF:]}"

    def same_as(self, other: "Code | None") -> bool:
        """Whether it is that code, however often others were tried."""
        return other is not None and other.key == self.key


def draw_code(chance: Chance) -> str:
    """A new code, each as likely as any other."""
    letters: list[str] = []
    while len(letters) < LENGTH:
        # 250 is the largest multiple of 25 in a byte: larger ones would favour the first letters.
        letters += [ALPHABET[byte % len(ALPHABET)] for byte in chance(2 * LENGTH) if byte < 250]  # noqa: PLR2004 - the most that all letters share alike
    return "".join(letters[:LENGTH])


def plain(text: str) -> str:
    """What somebody typed, without case, blanks and dashes."""
    return "".join(letter for letter in text.upper() if letter.isalnum())[: 2 * LENGTH]


class Codes:
    """The codes that are valid now."""

    def __init__(self, chance: Chance) -> None:
        self._chance = chance
        self._codes: tuple[Code, ...] = ()

    def valid(self, now: Instant) -> tuple[Code, ...]:
        """The codes that can be used, oldest first."""
        self._codes = tuple(code for code in self._codes if now < code.until and code.tries > 0)
        return self._codes

    def key(self, text: str) -> bytes:
        """By what a code that was typed is looked for."""
        return plain(text).encode()

    def is_valid(self, code: Code, now: Instant) -> bool:
        """Whether a code can still be used."""
        return any(each.same_as(code) for each in self.valid(now))

    def make(self, role: Role, now: Instant) -> Code:
        """A new code for a role."""
        text = draw_code(self._chance)
        code = Code(text, role, Instant(now + LIFETIME), key=self.key(text))
        self._codes = (*self.valid(now), code)[-AT_ONCE:]
        return code

    def find(self, key: bytes, now: Instant) -> Code | None:
        """The code that was typed; it stays valid until it is `spend`. A wrong one costs each code a try."""
        # All are compared, so that the time does not tell which one was nearly right.
        found = [code for code in self.valid(now) if compare_digest(code.key, key)]
        if found:
            return found[0]
        self._codes = tuple(replace(code, tries=code.tries - 1) for code in self._codes)
        return None

    def spend(self, code: Code) -> bool:
        """Take a code out of use: True for the first who asks, for nobody else."""
        before = len(self._codes)
        self._codes = tuple(each for each in self._codes if each.key != code.key)
        return len(self._codes) < before
