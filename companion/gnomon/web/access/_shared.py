"""Keep failures and pairing codes in the tables of people, where several processes of a hall serve its pages.

What one process counts holds at all of them, and a code that one has made can be used at any. Instants are of account
time, which all processes share. Of a failure, only a hash of what failed is kept. A code has too few letters for a fast
hash: anyone who could read the tables would find it by trying all, so its hash takes some time.
"""

from collections.abc import Hashable, Sequence
from hashlib import scrypt, sha256
from typing import Any, Final

from gnomon.timekeeping.instants import Duration, Instant
from gnomon.web.access._roles import Role
from gnomon.web.access.attempts import FREE, REMEMBERED, forgotten_after, wait_after
from gnomon.web.access.codes import AT_ONCE, LIFETIME, TRIES, Chance, Code, draw_code, plain
from gnomon.web.access.store import AccountTables

_SALT: Final = b"a pairing code of gnomon"
_COST: Final = 2**14
"""With which a code takes 40 ms on a fast machine; all of them take a thousand such machines two months."""
_VALID: Final = "SELECT role, expires, tries FROM code WHERE digest = ? AND expires > ? AND tries > 0"


class SharedAttempts:
    """As `Attempts`, for all processes."""

    def __init__(self, tables: AccountTables, kind: str, longest: Duration, free: int = FREE) -> None:
        """`kind` tells these failures from others in the tables."""
        self._tables = tables
        self._kind = kind
        self._longest = longest
        self._free = free

    def wait(self, key: Hashable, now: Instant) -> Duration:
        """How long this key has to wait before it is looked at again, in microseconds; 0 when it may now."""
        with self._tables.question() as session:
            rows = session.rows("SELECT times, failed FROM attempt WHERE digest = ?", (self._digest(key),))
        return self._wait(rows, now)

    def attempt(self, key: Hashable, now: Instant) -> Duration:
        """Count a failure, unless the key has to wait; how long."""
        with self._tables.transaction() as session:
            rows = session.rows("SELECT times, failed FROM attempt WHERE digest = ?", (self._digest(key),))
            if wait := self._wait(rows, now):
                return wait
            session.run(
                "DELETE FROM attempt WHERE kind = ? AND (failed <= ? OR digest NOT IN"
                " (SELECT digest FROM attempt WHERE kind = ? ORDER BY failed DESC LIMIT ?))",
                (self._kind, now - forgotten_after(self._longest), self._kind, REMEMBERED - 1),
            )
            session.run(
                "INSERT INTO attempt (digest, kind, times, failed) VALUES (?, ?, 1, ?)"
                " ON CONFLICT (digest) DO UPDATE SET times = attempt.times + 1, failed = excluded.failed",
                (self._digest(key), self._kind, now),
            )
        return Duration(0)

    def times(self, key: Hashable, now: Instant) -> int:
        """How many failures of a key count."""
        with self._tables.question() as session:
            rows = session.rows("SELECT times, failed FROM attempt WHERE digest = ?", (self._digest(key),))
        return next((times for times, failed in rows if now - failed < forgotten_after(self._longest)), 0)

    def forgiven(self, key: Hashable) -> None:
        """Take one failure back: it was none."""
        with self._tables.transaction() as session:
            session.run("UPDATE attempt SET times = times - 1 WHERE digest = ?", (self._digest(key),))

    def forget(self, key: Hashable) -> None:
        """Forget the failures of a key."""
        with self._tables.transaction() as session:
            session.run("DELETE FROM attempt WHERE digest = ?", (self._digest(key),))

    def _wait(self, rows: Sequence[tuple[Any, ...]], now: Instant) -> Duration:
        return next((wait_after(times, last, now, self._longest, self._free) for times, last in rows), Duration(0))

    def _digest(self, key: Hashable) -> bytes:
        return sha256(f"{self._kind} {key!r}".encode()).digest()


class SharedCodes:
    """As `Codes`, for all processes; only who has made a code knows its letters."""

    def __init__(self, tables: AccountTables, chance: Chance) -> None:
        self._tables = tables
        self._chance = chance

    def key(self, text: str) -> bytes:
        """The hash by which a code that was typed is looked for; it takes some time."""
        return scrypt(plain(text).encode(), salt=_SALT, n=_COST, r=8, p=1, dklen=32)

    def make(self, role: Role, now: Instant) -> Code:
        """A new code for a role."""
        text = draw_code(self._chance)
        code = Code(text, role, Instant(now + LIFETIME), key=self.key(text))
        with self._tables.transaction() as session:
            session.run("DELETE FROM code WHERE expires <= ? OR tries <= 0", (now,))
            session.run(
                "DELETE FROM code WHERE digest NOT IN (SELECT digest FROM code ORDER BY expires DESC LIMIT ?)",
                (AT_ONCE - 1,),
            )
            session.run("INSERT INTO code VALUES (?, ?, ?, ?)", (code.key, role, code.until, TRIES))
        return code

    def find(self, key: bytes, now: Instant) -> Code | None:
        """The code with that hash; it stays valid until it is `spend`. A wrong one costs each code a try."""
        with self._tables.transaction() as session:
            rows = session.rows(_VALID, (key, now))
            if not rows:
                session.run("UPDATE code SET tries = tries - 1")
                return None
        role, until, tries = rows[0]
        return Code("", Role(role), Instant(until), tries, key)

    def is_valid(self, code: Code, now: Instant) -> bool:
        """Whether a code can still be used."""
        with self._tables.question() as session:
            return bool(session.rows(_VALID, (code.key, now)))

    def spend(self, code: Code) -> bool:
        """Take a code out of use: True for the first who asks, for nobody else."""
        with self._tables.transaction() as session:
            return session.run("DELETE FROM code WHERE digest = ?", (code.key,)) > 0
