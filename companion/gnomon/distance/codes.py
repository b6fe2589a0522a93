"""Make and read the codes by which one board invites another, and derive the room on the relay from a code.

A code is six letters. The relay sees neither the code nor the key: it knows a room by a name from which nobody finds
the code in the time of a game, and every message is signed with the key, so a relay can drop messages and delay them,
but not make or change one.
"""

import hashlib
import hmac
from collections.abc import Callable
from typing import Final, NamedTuple

from gnomon.refusals import Refusal, statement

LETTERS: Final = "ABCDEFGHJKLMNPQRSTUVWXYZ"
"""All but I and O, which are read as digits."""
LENGTH: Final = 6
_GROUP: Final = 3
_SALT: Final = b"gnomon relay 1"
_COST: Final = 1 << 14  # with blocks of 8, 16 MB and some 50 ms for each guess
_BLOCK: Final = 8
_NAME: Final = 16  # bytes
_KEY: Final = 32


class CodeError(Refusal, ValueError):
    """What somebody entered is no code."""


class RelayRoom(NamedTuple):
    """Where two boards meet on a relay: its name there, and the key that signs what they say."""

    name: str
    key: bytes

    def user(self, role: str) -> str:
        """As whom a side comes to the relay."""
        return f"{self.name}-{role}"

    def password(self, role: str) -> str:
        """The password of a side, which follows from the key and does not tell it."""
        return hmac.digest(self.key, f"relay {role}".encode(), "sha256").hex()


def new_code(pick: Callable[[int], int]) -> str:
    """A code; `pick` chooses a number below its argument by chance."""
    return "".join(LETTERS[pick(len(LETTERS))] for _ in range(LENGTH))


def parse_code(text: str) -> str:
    """The code that somebody entered, in capitals or not, with hyphens or blanks. Raises CodeError."""
    code = "".join(letter for letter in text.upper() if letter not in " -\u2013")
    if len(code) != LENGTH or any(letter not in LETTERS for letter in code):
        raise CodeError(statement("told.setting.distance.code", value=text.strip()[:40]))
    return code


def spell_code(code: str) -> str:
    """The code as people read it out: in two groups."""
    return f"{code[:_GROUP]}-{code[_GROUP:]}"


def topic_of(room: str, role: str) -> str:
    """Where a side of a room writes."""
    return f"gnomon/relay/1/{room}/{role}"


def room_of(code: str) -> RelayRoom:
    """Where the boards of a code meet. It takes a moment, on purpose."""
    made = hashlib.scrypt(code.encode(), salt=_SALT, n=_COST, r=_BLOCK, p=1, dklen=_NAME + _KEY)
    return RelayRoom(made[:_NAME].hex(), made[_NAME:])
