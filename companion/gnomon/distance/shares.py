"""Let two boards throw and draw together, so that neither can choose what falls, or foresee it.

Before the game each board makes a chain of hashes from a secret and tells its last one, the anchor: with that it has
committed itself to every link before it. For the n-th throw of the game both reveal their n-th link, each once its own
record has come to that throw and not before. A link hashed n times is the anchor, so nobody can reveal another one, and
no link tells those that follow. What falls follows from both links alone.

(The chain is that of L. Lamport, Password authentication with insecure communication, CACM 24, 1981.)
"""

import hashlib
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, repeat
from typing import Final, NamedTuple

from gnomon.referee.game import Game
from gnomon.rules.protocol import NATURE

MOST: Final = 2048
"""Throws of a game for which there are links; the longest game has some hundreds."""
_DOMAIN: Final = b"gnomon share 1"
_THROWN: Final = b"gnomon throw 1"


@dataclass(frozen=True)
class ShareChain:
    """The links of one board in one game; its secret is nobody else's business before the end."""

    secret: bytes

    @cached_property
    def _links(self) -> tuple[bytes, ...]:
        return tuple(accumulate(repeat(b"", MOST), lambda link, _: _hash(link), initial=_hash(self.secret)))[::-1]

    @property
    def anchor(self) -> str:
        """What is told before the game."""
        return self._links[0].hex()

    def link(self, number: int) -> str:
        """The share of the throw with a number, from 1 up; empty beyond `MOST`."""
        return self._links[number].hex() if 1 <= number <= MOST else ""


class RevealedLink(NamedTuple):
    """A link that a board has revealed: for which throw, and the link."""

    number: int
    link: str

    def is_of(self, anchor: str) -> bool:
        """Whether it belongs to an anchor."""
        return 1 <= self.number <= MOST and bool(anchor) and _hash_times(self.link, self.number) == anchor

    def of(self, number: int) -> str:
        """The link of this throw or an earlier one; empty for a later one."""
        return _hash_times(self.link, self.number - number) if 1 <= number <= self.number else ""


class SharedChance(NamedTuple):
    """What both links of a throw give: a source of chance for that throw alone."""

    number_of_throw: int
    host: str
    guest: str

    def below(self, bound: int, number: int) -> int:
        """A whole number from 0 to below `bound`; of 256 bits, so that no remainder is likelier than another."""
        del number  # the ply; links are counted by throws
        told = f"{self.number_of_throw} {self.host} {self.guest}".encode()
        return int.from_bytes(hashlib.sha256(_THROWN + told).digest(), "big") % bound

    def name(self, number: int) -> str:
        """Both links, for the record: anyone who has the anchors can check everything by them."""
        del number
        return f"both boards, throw {self.number_of_throw}, links {self.host} {self.guest}"


def throws_in(game: Game) -> int:
    """How many throws and draws a game has had."""
    return sum(game.rules.turn(ply.before) == NATURE for ply in game.plies)


def throws_due(game: Game) -> int:
    """For how many throws a board may reveal its links: those of the game, and the one that is due.

    After a turn of the other board that hands have yet to make, the throw that follows it is due, too: that turn is
    written down, and the other board waits for the link.
    """
    position = game.position
    if game.announced is not None:
        position = game.rules.play(position, game.rules.parse(position, game.announced.text))
    is_due = game.outcome is None and game.rules.turn(position) == NATURE
    return throws_in(game) + is_due


def _hash_times(link: str, times: int) -> str:
    found = bytes.fromhex(link)
    for _ in range(times):
        found = _hash(found)
    return found.hex()


def _hash(link: bytes) -> bytes:
    return hashlib.sha256(_DOMAIN + link).digest()
