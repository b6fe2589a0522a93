"""Hash and verify PINs and passwords with argon2id, in a thread, one at a time.

No other module imports argon2, and here it is imported for the first secret: many boards have no accounts, and with its
C library it takes 0.7 MB. The parameters are the second choice of OWASP's Password Storage Cheat Sheet (12 MiB,
three passes, one lane): as hard to guess as its first, with less memory, of which a Raspberry Pi Zero 2 W has 512 MB
for everything.
"""

import asyncio
from collections.abc import Callable
from functools import cached_property
from typing import Final, ParamSpec, Protocol, TypeVar

MEMORY: Final = 12 * 1024  # KiB
PASSES: Final = 3
LANES: Final = 1
P = ParamSpec("P")
T = TypeVar("T")
WAITING: Final = 8
"""Who may wait for a hash at a time: a flood of sign-ins is refused, not queued."""


class TooManySignInsError(RuntimeError):
    """Too many sign in at the same moment."""


class Hasher(Protocol):
    """Makes and checks the hashes of secrets; slow on purpose."""

    def hash(self, password: str) -> str:
        """The hash with its salt and parameters."""
        ...

    def verify(self, digest: str, password: str, /) -> bool:
        """Whether it is the hash of this secret. Raises argon2's errors when it is not."""
        ...

    def check_needs_rehash(self, digest: str, /) -> bool:
        """Whether it was made with other parameters."""
        ...


class _Argon2:
    """The hasher of argon2, made when it is first used."""

    def __init__(self, memory: int, passes: int) -> None:
        self._memory = memory
        self._passes = passes

    @cached_property
    def _hasher(self) -> Hasher:
        from argon2 import PasswordHasher  # noqa: PLC0415 - as the module says

        return PasswordHasher(time_cost=self._passes, memory_cost=self._memory, parallelism=LANES)

    def hash(self, password: str) -> str:
        return self._hasher.hash(password)

    def verify(self, digest: str, password: str, /) -> bool:
        return self._hasher.verify(digest, password)

    def check_needs_rehash(self, digest: str, /) -> bool:
        return self._hasher.check_needs_rehash(digest)


def argon2(memory: int = MEMORY, passes: int = PASSES) -> Hasher:
    """The hasher; `memory` in KiB."""
    return _Argon2(memory, passes)


class Hashing:
    """Hashes in a thread: the loop goes on, and Python's lock is free meanwhile."""

    def __init__(self, hasher: Hasher) -> None:
        self._hasher = hasher
        self._one = asyncio.Lock()
        self._waiting = 0
        self._nobodys = ""

    async def hash(self, secret: str) -> str:
        """The hash of a secret. Raises TooManySignInsError."""
        return await self._in_turn(self._hasher.hash, secret)

    async def matches(self, hashed: str, secret: str) -> tuple[bool, str]:
        """Whether the secret is right, and its hash made again where the parameters have changed (else empty).

        Without a hash (nobody has that name) it takes as long and is wrong. Raises TooManySignInsError.
        """
        return await self._in_turn(self._matches, hashed, secret)

    async def _in_turn(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        if self._waiting >= WAITING:
            raise TooManySignInsError
        self._waiting += 1
        try:
            async with self._one:
                return await asyncio.to_thread(work, *args, **kwargs)
        finally:
            self._waiting -= 1

    def _matches(self, hashed: str, secret: str) -> tuple[bool, str]:
        from argon2.exceptions import InvalidHash, VerificationError  # noqa: PLC0415 - as the module says

        if not self._nobodys:
            self._nobodys = self._hasher.hash("nobody's")
        try:
            self._hasher.verify(hashed or self._nobodys, secret)
        except (VerificationError, InvalidHash):
            return False, ""
        if not hashed:
            return False, ""
        return True, self._hasher.hash(secret) if self._hasher.check_needs_rehash(hashed) else ""
