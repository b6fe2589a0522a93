"""Keep the names of the people at a board by the players of the rules, each cleaned to one line."""

import unicodedata
from collections.abc import Mapping
from typing import Final, NamedTuple

LONGEST: Final = 40  # letters of a name; a sheet and a phone have room for that


class Person(NamedTuple):
    """Someone who plays as one of the players of the rules."""

    player: str
    name: str


People = tuple[Person, ...]


def people(names: Mapping[str, str]) -> People:
    """The people who have names, each with what of the name can be written on one line."""
    cleaned = ((player, clean(name)) for player, name in names.items())
    return tuple(Person(player, name) for player, name in cleaned if name)


def clean(name: str) -> str:
    """A name on one line, at most `LONGEST` letters.

    Control and format characters could turn the writing around it; they go.
    """
    spaced = "".join(" " if letter.isspace() else letter for letter in name)
    visible = "".join(letter for letter in spaced if not unicodedata.category(letter).startswith("C"))
    return unicodedata.normalize("NFC", " ".join(visible.split()))[:LONGEST].strip()
