"""Identify the sender of a request by session cookie or bearer token, and apply the lifetimes of both."""

import asyncio
import base64
import hashlib
from collections.abc import Callable
from typing import Final, NamedTuple

from starlette.datastructures import Headers

from gnomon.web.access import cookies
from gnomon.web.access._account_time import AccountTime
from gnomon.web.access._clock import TimeSource
from gnomon.web.access._roles import Proof, Role, Visitor, lesser
from gnomon.web.access.codes import Chance
from gnomon.web.access.store import AccountsAwayError, AccountStore, BrowserSession, Token, WebAccount

HOUR: Final = 3600  # seconds
DAY: Final = 24 * HOUR
SEEN_EVERY: Final = 5 * 60  # seconds between two notes that something is used: each is a write to the card
SECRET_BYTES: Final = 32
LONGEST_SECRET: Final = 128  # signs of a session's or token's secret that are looked at
LONGEST_BROWSER: Final = 200  # signs kept of how a browser calls itself


class Lasting(NamedTuple):
    """How long a session lasts in seconds: unused, and at most."""

    idle: int
    longest: int


LASTING: Final = {
    # A device at the board stays one for a season; people who may correct results are asked again each week.
    Role.SPECTATOR: Lasting(14 * DAY, 90 * DAY),
    Role.PLAYER: Lasting(14 * DAY, 90 * DAY),
    Role.ARBITER: Lasting(12 * HOUR, 7 * DAY),
    Role.DIRECTOR: Lasting(12 * HOUR, 7 * DAY),
    Role.ADMIN: Lasting(12 * HOUR, 7 * DAY),
}


class BadTokenError(RuntimeError):
    """A token that is not valid, or not any more."""


class Identities:
    """Knows the sessions and tokens of a store."""

    def __init__(self, store: AccountStore, clock: TimeSource, chance: Chance) -> None:
        self._store = store
        self._time = AccountTime(store, clock)
        self._chance = chance

    def seconds(self) -> float:
        """Account time: seconds that never go back, since about 1970."""
        return self._time.seconds()

    def close(self) -> None:
        """Keep where account time stands."""
        self._time.save()

    def secret(self) -> str:
        """256 bits of chance, fit for cookies and headers."""
        return base64.urlsafe_b64encode(self._chance(SECRET_BYTES)).rstrip(b"=").decode("ascii")

    async def by_headers(self, headers: Headers, address: str, open_to: Role, *, secure: bool) -> Visitor:
        """The visitor who sent a request; `open_to` is the role of those whom nothing proves.

        Raises BadTokenError: a program is told, and not taken for somebody else; AccountsAwayError likewise.
        """
        scheme, _, token = headers.get("authorization", "").partition(" ")
        if scheme.lower() == "bearer":
            return await self._by_token(token.strip(), address)
        secret = cookies.read(headers, cookies.SESSION, secure=secure)
        try:
            known = await self._by_session(secret, address) if secret else None
        except AccountsAwayError:
            known = None  # a person who has signed in looks on meanwhile, as everybody does
        if known is not None:
            return known
        visit = cookies.read(headers, cookies.VISIT, secure=secure)
        return Visitor(open_to, address=address, csrf=cookies.csrf(visit))

    async def _by_token(self, secret: str, address: str) -> Visitor:
        digest, now = digest_of(secret), self.seconds()
        found = self._store.token(digest)
        if found is None:
            raise BadTokenError
        if self._is_spent(found[0]):
            await asyncio.to_thread(self._store.revoke_token, found[0].id)
            raise BadTokenError
        token, person = found
        if token.seen is None or self._is_to_note(token.seen, now):
            await asyncio.to_thread(self._note, self._store.token_seen, digest, now)
        return Visitor(lesser(token.role, person.role), person.name, person.id, Proof.TOKEN, address)

    async def _by_session(self, secret: str, address: str) -> Visitor | None:
        digest, now = digest_of(secret), self.seconds()
        found = self._store.session(digest)
        if found is None:
            return None
        session, person = found
        if self._is_over(session, person):
            await asyncio.to_thread(self._store.end_session, digest)
            return None
        if self._is_to_note(session.seen, now):
            await asyncio.to_thread(self._note, self._store.session_seen, digest, now)
        csrf = cookies.csrf(secret)
        return Visitor(person.role, person.name, person.id, Proof.SESSION, address, csrf, digest)

    def _is_to_note(self, seen: float, now: float) -> bool:
        """Whether it has not been noted lately, or not since the machine started, that something is used."""
        return now - seen >= SEEN_EVERY or seen < self._time.begun

    def _note(self, seen: Callable[[bytes, float], None], digest: bytes, now: float) -> None:
        seen(digest, now)
        self._time.save()

    def _is_spent(self, token: Token) -> bool:
        return token.expires <= self.seconds()

    def _is_over(self, session: BrowserSession, person: WebAccount) -> bool:
        lasting, now = LASTING[person.role], self.seconds()
        return now - session.seen >= lasting.idle or now - session.made >= lasting.longest

    def who(self, headers: Headers, *, secure: bool) -> int | None:
        """The number of the person whom a request proves to be signed in, without a note that it was used."""
        scheme, _, token = headers.get("authorization", "").partition(" ")
        try:
            if scheme.lower() == "bearer":
                held = self._store.token(digest_of(token.strip()))
                return None if held is None or self._is_spent(held[0]) else held[1].id
            secret = cookies.read(headers, cookies.SESSION, secure=secure)
            found = self._store.session(digest_of(secret)) if secret else None
        except AccountsAwayError:
            return None
        return None if found is None or self._is_over(*found) else found[1].id

    async def begin(self, person: WebAccount, visitor: Visitor, browser: str) -> str:
        """The secret of a new session, in the place of the one that the browser had."""
        secret, now = self.secret(), self.seconds()
        session = BrowserSession(self._chance(8).hex(), person.id, now, now, browser[:LONGEST_BROWSER])
        await asyncio.to_thread(self._store.add_session, digest_of(secret), session, visitor.session)
        return secret

    async def sweep(self) -> None:
        """Forget what has expired for everyone."""
        now = self.seconds()
        idle, longest = (max(lasting[index] for lasting in LASTING.values()) for index in (0, 1))
        await asyncio.to_thread(self._store.sweep, now - idle, now - longest, now)


def digest_of(secret: str) -> bytes:
    """What is kept of the secret of a session or a token."""
    return hashlib.sha256(secret[:LONGEST_SECRET].encode("utf-8", "surrogatepass")).digest()
