"""Make the codes that identify players on their phones, and find the player of a code.

A code is eight letters of a keyed hash of the entrant's number: nothing has to be stored but one secret for each
tournament, and with another secret all codes are new. It is worth an entrant's own word about their own game.
"""

from collections.abc import Mapping
from hashlib import blake2b
from typing import Final, NamedTuple

ALPHABET: Final = "ACDEFGHJKMNPQRTUVWXY34679"
"""Without what looks alike in print or in handwriting: 0 O, 1 I L, 2 Z, 5 S, 8 B."""
LENGTH: Final = 8
"""25^8 codes: of a thousand players, a guess finds one with a chance of one in a hundred and fifty million."""
_HALF: Final = LENGTH // 2
_SECRET: Final = 32  # bytes


class Player(NamedTuple):
    """Whose code it is."""

    tournament: str
    entrant: int


def player_code(secret: str, player: Player) -> str:
    """The code of a player."""
    text = f"{player.tournament} {player.entrant}".encode()
    number = int.from_bytes(blake2b(text, key=bytes.fromhex(secret), digest_size=_SECRET).digest(), "big")
    letters = []
    for _ in range(LENGTH):
        number, letter = divmod(number, len(ALPHABET))
        letters.append(ALPHABET[letter])
    return "".join(letters)


def readable(code: str) -> str:
    """A code as people read it: `ACDE-FGHJ`."""
    return f"{code[:_HALF]}-{code[_HALF:]}"


def plain(text: str) -> str:
    """What somebody typed, without case, blanks and dashes."""
    return "".join(letter for letter in text.upper() if letter.isalnum())[: 2 * LENGTH]


def code_marks(secret: str, tournament: str, entrants: Mapping[int, object]) -> Mapping[bytes, Player]:
    """Whose each code is, by its hash: how long a look takes tells nothing of codes."""
    players = (Player(tournament, number) for number in entrants)
    return {code_mark(player_code(secret, player)): player for player in players}


def code_mark(code: str) -> bytes:
    """The hash of a code."""
    return blake2b(code.encode(), digest_size=16).digest()
