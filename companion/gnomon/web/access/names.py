"""Validate and normalize names of people, PINs and passwords."""

import unicodedata
from itertools import pairwise
from typing import Final

from gnomon.web.access.reasons import SignInReason

LONGEST_NAME: Final = 40
FEWEST_DIGITS: Final = 6
FEWEST_LETTERS: Final = 8
FEWEST_SIGNS: Final = 3  # that differ
LONGEST_SECRET: Final = 128  # of a password; a longer one only costs time
_ALPHABETS: Final = frozenset({"LATIN", "GREEK", "CYRILLIC"})
"""Their letters look alike; a name in two of them wants to be taken for another."""


class NameRefusedError(ValueError):
    """A name or secret that may not be."""

    def __init__(self, why: SignInReason) -> None:
        super().__init__(why.value)
        self.why = why


def name(text: str) -> str:
    """A name as it is shown. Raises NameRefusedError."""
    plain = " ".join(unicodedata.normalize("NFKC", text).split())
    if not plain:
        raise NameRefusedError(SignInReason.NAME_EMPTY)
    if len(plain) > LONGEST_NAME:
        raise NameRefusedError(SignInReason.NAME_LONG)
    # Control and format characters (line ends, marks that turn the direction of writing), private and unassigned ones.
    if any(unicodedata.category(letter).startswith("C") for letter in plain):
        raise NameRefusedError(SignInReason.NAME_SIGNS)
    if len(_ALPHABETS & {unicodedata.name(each, "").partition(" ")[0] for each in plain if each.isalpha()}) > 1:
        raise NameRefusedError(SignInReason.NAME_MIXED)
    if not any(letter.isalnum() for letter in plain):
        raise NameRefusedError(SignInReason.NAME_LETTERS)
    return plain


def fold(text: str) -> str:
    """What makes two names the same: neither case nor the way of writing a letter."""
    return unicodedata.normalize("NFKC", " ".join(unicodedata.normalize("NFKC", text).split()).casefold())


def normalize(text: str) -> str:
    """A secret as it is hashed: the same letters, however a keyboard puts them together."""
    return unicodedata.normalize("NFKC", text)


def secret(text: str) -> str:
    """A PIN or password as it is hashed. Raises NameRefusedError for one that is guessed at once."""
    plain = normalize(text)
    if len(plain) > LONGEST_SECRET:
        raise NameRefusedError(SignInReason.SECRET_LONG)
    if plain.isascii() and plain.isdigit():
        if len(plain) < FEWEST_DIGITS:
            raise NameRefusedError(SignInReason.SECRET_SHORT)
    elif len(plain) < FEWEST_LETTERS:
        raise NameRefusedError(SignInReason.SECRET_SHORT)
    if any(unicodedata.category(letter) in ("Cs", "Cn") for letter in plain):  # half a letter, or none
        raise NameRefusedError(SignInReason.SECRET_SIGNS)
    if _is_simple(plain):
        raise NameRefusedError(SignInReason.SECRET_SIMPLE)
    return plain


def _is_simple(text: str) -> bool:
    """Whether it is few signs again and again (111111, 121212) or a run of neighbours (123456, fedcba)."""
    steps = {ord(after) - ord(before) for before, after in pairwise(text)}
    return len(set(text)) < FEWEST_SIGNS or steps in ({1}, {-1})
