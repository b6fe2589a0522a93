"""Sign people in by PIN, password or pairing code, and manage accounts, roles, sessions and tokens.

Called in one asyncio loop. What is slow (a hash, a write to the card) happens in threads.
"""

import asyncio
import secrets
from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final, Self

from starlette.datastructures import Headers

from gnomon.timekeeping.instants import MINUTE, SECOND, Duration, Instant
from gnomon.web.access import names
from gnomon.web.access._clock import StandingClock, TimeSource
from gnomon.web.access._identity import Identities, digest_of
from gnomon.web.access._roles import Role, Visitor, lesser
from gnomon.web.access._shared import SharedAttempts, SharedCodes
from gnomon.web.access.attempts import FREE, Attempts, network
from gnomon.web.access.codes import Chance, Code, Codes
from gnomon.web.access.names import NameRefusedError
from gnomon.web.access.password_hashes import Hasher, Hashing, TooManySignInsError, argon2
from gnomon.web.access.reasons import AccessError, SignInReason
from gnomon.web.access.store import (
    AccountConflictError,
    AccountStore,
    LastAdminError,
    NameTakenError,
    Token,
    WebAccount,
)

DAY: Final = 24 * 3600  # seconds
TOKEN_PREFIX: Final = "gnomon_"  # noqa: S105 - by which a scanner for lost secrets finds them
TOKEN_DAYS: Final = (1, 7, 30, 90, 365)
"""How long a token may last."""

HANDED_ON: Final = ("forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-real-ip")
"""Headers by which proxies and tunnels say that a request is somebody else's (RFC 7239, RFC 9110 7.6.3)."""

LONGEST_WAIT_OF_A_NAME: Final = Duration(5 * MINUTE)
"""Short, so that a stranger cannot keep somebody out for long: 288 tries a day at a million PINs."""
LONGEST_WAIT_OF_AN_ADDRESS: Final = Duration(60 * MINUTE)


TRIES_OF_A_DEVICE: Final = 10
"""Wrong PINs after which a device is no longer one from which somebody has signed in before."""

AnyAttempts = Attempts | SharedAttempts
Counted = Sequence[tuple[AnyAttempts, Hashable]]


def nowhere(_code: Code | None) -> None:
    """Show a code nowhere."""


@dataclass(frozen=True, slots=True)
class AccessTerms:
    """What holds for everyone: what those may who have not signed in, and where a code is shown at the board.

    `show` is called with a code, and with None when it is not valid any more. Where `is_local`, `open_to` rests on
    nobody but this machine reaching the pages: it does not hold for what somebody handed on.
    `is_shared` where other processes use the store, which then has codes and failures, too: a board's daemon is alone,
    and wears out no card for everybody who mistypes a PIN.
    """

    open_to: Role = Role.SPECTATOR
    show: Callable[[Code | None], None] = nowhere
    is_local: bool = False
    is_shared: bool = False


class Authenticator:
    """Who comes in, and as what."""

    def __init__(
        self,
        store: AccountStore,
        clock: TimeSource,
        terms: AccessTerms,
        chance: Chance = secrets.token_bytes,
        hasher: Hasher | None = None,
    ) -> None:
        self.store: Final = store
        self._clock = clock
        self._terms = terms
        self._chance = chance
        self._identities = Identities(store, clock, chance)
        self._hashing = Hashing(hasher or argon2())
        self._codes = SharedCodes(store.tables, chance) if terms.is_shared else Codes(chance)
        self._shown: Code | None = None
        self._names = self.attempts("name", LONGEST_WAIT_OF_A_NAME)
        self._addresses = self.attempts("address", LONGEST_WAIT_OF_AN_ADDRESS)
        self._devices = self.attempts("device", LONGEST_WAIT_OF_A_NAME)

    @classmethod
    def without_accounts(cls, open_to: Role = Role.SPECTATOR) -> Self:
        """A door that keeps nothing: nobody is known at it yet, and time stands still."""
        return cls(AccountStore.in_memory(), StandingClock(), AccessTerms(open_to))

    def close(self) -> None:
        """Keep what the next start has to know; the store is its owner's to close."""
        self._identities.close()

    @property
    def open_to(self) -> Role:
        """What those may who have not signed in."""
        return self._terms.open_to

    def attempts(self, kind: str, longest: Duration, free: int = FREE) -> AnyAttempts:
        """What counts failures of a kind, at all processes where they share the store; `now` is their clock."""
        return (
            SharedAttempts(self.store.tables, kind, longest, free) if self._terms.is_shared else Attempts(longest, free)
        )

    def now(self) -> Instant:
        """The time by which failures and codes are counted; it never jumps."""
        return Instant(round(self._identities.seconds() * SECOND)) if self._terms.is_shared else self._clock.now()

    async def visitor(self, headers: Headers, address: str, *, secure: bool) -> Visitor:
        """The visitor who sent a request. Raises BadTokenError."""
        handed_on = self._terms.is_local and any(name in headers for name in HANDED_ON)
        open_to = Role.SPECTATOR if handed_on else self._terms.open_to
        return await self._identities.by_headers(headers, address, open_to, secure=secure)

    def who(self, headers: Headers, *, secure: bool) -> int | None:
        """The number of the person whom a request proves to be signed in; None for everybody else."""
        return self._identities.who(headers, secure=secure)

    def visit(self) -> str:
        """The secret of a browser in which nobody has signed in."""
        return self._identities.secret()

    # Coming in and going out

    async def sign_in(self, name: str, secret: str, visitor: Visitor, browser: str = "", device: str = "") -> str:
        """The secret of a new session. Raises AccessError, the same for an unknown name and a wrong secret.

        `device` is what the browser was given by `remember`: where this person has signed in before, tries are counted
        for themselves, so that nobody who fails on purpose elsewhere keeps the person out.
        """
        key = names.fold(names.normalize(name))[: 2 * names.LONGEST_NAME]
        digest, person = digest_of(device), self.store.by_name(key)
        is_own = person is not None and bool(device) and self.store.device(digest) == person.id
        counted = [(self._devices, digest)] if is_own else self._counters(visitor, self._names, ("name", key))
        try:
            person = await self._proven(person, secret, counted)
        except AccessError:
            # A stolen device must not be a way to guess for ever: it is then one like any other.
            if is_own and self._devices.times(digest, self.now()) >= TRIES_OF_A_DEVICE:
                await asyncio.to_thread(self.store.forget_device, digest)
            raise
        return await self._begin(person, visitor, browser)

    async def _proven(self, person: WebAccount | None, secret: str, counted: Counted) -> WebAccount:
        """The person, if the secret is theirs. Raises AccessError."""
        known = "" if person is None else person.secret
        with self._attempt(counted):
            right, renewed = await self._hashing.matches(known, names.normalize(secret[: 2 * names.LONGEST_SECRET]))
            if person is None or not right:
                raise AccessError(SignInReason.WRONG)
        if renewed:
            await asyncio.to_thread(self.store.refresh_secret, person.id, known, renewed)
        return person

    async def remember(self, session: str, device: str) -> str:
        """What the browser of a new session has to keep to be known again as this person's; empty if it has that."""
        found = self.store.session(digest_of(session))
        if found is None or found[1].is_device or self.store.device(digest_of(device)) == found[1].id:
            return ""
        secret = self._identities.secret()
        await asyncio.to_thread(self.store.add_device, digest_of(secret), found[1].id, self._identities.seconds())
        return secret

    async def sign_out(self, visitor: Visitor) -> None:
        """End the session."""
        await asyncio.to_thread(self.store.end_session, visitor.session)

    async def check_secret(self, visitor: Visitor, secret: str) -> None:
        """Make sure that it is still the person who signed in. Raises AccessError."""
        person = None if visitor.person is None else self.store.person(visitor.person)
        by_name = self._counters(visitor, self._names, ("name", names.fold(visitor.name)))
        with self._attempt([(self._devices, visitor.session)] if visitor.session else by_name):
            known = "" if person is None else person.secret
            right, _ = await self._hashing.matches(known, names.normalize(secret[: 2 * names.LONGEST_SECRET]))
            # A device has none yet: its session is all that proves it.
            if person is None or not (right or person.is_device):
                raise AccessError(SignInReason.SECRET_WRONG, "now")

    def is_device(self, visitor: Visitor) -> bool:
        """Whether somebody is known as a device, which has no PIN yet."""
        person = None if visitor.person is None else self.store.person(visitor.person)
        return person is not None and person.is_device

    async def role_of_session(self, secret: str) -> Role:
        """The role of the person to whom a session belongs."""
        found = self.store.session(digest_of(secret))
        return Role.SPECTATOR if found is None else found[1].role

    async def pair(self, code: str, name: str, secret: str, visitor: Visitor, browser: str = "") -> str:
        """The secret of the first session of a new person, or of a new device at the board, by a code.

        A player's device needs no secret; an arbiter and an admin do. Raises AccessError.
        """
        with self._attempt(self._counters(visitor, self._addresses, ("code", network(visitor.address)))):
            key = await asyncio.to_thread(self._codes.key, code)
            found = self._codes.find(key, self.now())
            if found is None:
                raise AccessError(SignInReason.CODE_WRONG, "code")
        hashed = await self._check(name, secret, needs_secret=found.role.may(Role.ARBITER))
        if not self._codes.spend(found):  # somebody was quicker while this one was hashed
            raise AccessError(SignInReason.CODE_WRONG, "code")
        self._show_next()
        person = await self._add(name, found.role, hashed)
        await self._identities.sweep()
        return await self._begin(person, visitor, browser)

    async def _begin(self, person: WebAccount, visitor: Visitor, browser: str) -> str:
        try:
            return await self._identities.begin(person, visitor, browser)
        except AccountConflictError as error:  # the person has been removed meanwhile
            raise AccessError(SignInReason.WRONG) from error

    def _counters(self, visitor: Visitor, attempts: AnyAttempts, key: Hashable) -> Counted:
        """What a try counts for: the address, and `key`."""
        return [(self._addresses, network(visitor.address)), (attempts, key)]

    @contextmanager
    def _attempt(self, counted: Counted) -> Iterator[None]:
        """A try that is counted before it is made: many at the same moment are no way around. Raises AccessError.

        The last of `counted` is forgotten when it was right. An address keeps its other failures: a person who has
        one right PIN may still be guessing another.
        """
        now = self.now()
        wait = max(each.wait(what, now) for each, what in counted)
        # Another process may have counted one in between.
        wait = wait or max([each.attempt(what, now) for each, what in counted])
        if wait:
            raise AccessError(SignInReason.WAIT, wait=-(-wait // SECOND))
        *others, (attempts, key) = counted
        try:
            yield
        except TooManySignInsError as error:
            for each, what in counted:
                each.forgiven(what)
            raise AccessError(SignInReason.BUSY, wait=1) from error
        for each, what in others:
            each.forgiven(what)
        attempts.forget(key)

    # Codes

    def show_code(self) -> Code:
        """Show a code at the board: for the first admin, later for a player's device; the same one while it is valid.

        A person who reads it stands there.
        """
        role = Role.PLAYER if self.store.has_admin() else Role.ADMIN
        shown = self._valid_shown()
        if shown is None or shown.role is not role:
            if shown is not None:
                self._codes.spend(shown)
            shown = self._shown = self._codes.make(role, self.now())
            self._terms.show(shown)
        return shown

    def greet(self) -> None:
        """Show the code of the first admin at the start, where those who have not signed in cannot use the board."""
        if not self.has_admin and not self.open_to.may(Role.ARBITER):
            self.show_code()

    def make_code(self, role: Role) -> Code:
        """A code for a new person of a role, to be told by an admin."""
        return self._codes.make(role, self.now())

    @property
    def has_admin(self) -> bool:
        """Whether anybody may say who may do what."""
        return self.store.has_admin()

    def _valid_shown(self) -> Code | None:
        shown = self._shown
        return shown if shown is not None and self._codes.is_valid(shown, self.now()) else None

    def _show_next(self) -> None:
        """Take the shown code off the display once it has been used."""
        if self._shown is not None and self._valid_shown() is None:
            self._shown = None
            self._terms.show(None)

    # People, by an admin

    async def add_person(self, name: str, role: Role, secret: str) -> WebAccount:
        """A new person with a first PIN or password. Raises AccessError."""
        return await self._add(name, role, await self._check(name, secret, needs_secret=True))

    async def change_secret(self, number: int, secret: str, keep: Visitor | None = None) -> None:
        """Another PIN or password; sessions and tokens of before end, but the session of `keep`. Raises AccessError."""
        hashed = await self._hash(secret)
        await asyncio.to_thread(self.store.change_secret, number, hashed, b"" if keep is None else keep.session)

    async def change_role(self, number: int, role: Role) -> None:
        """Another role. Raises AccessError when no admin would be left, and for a device that would need a PIN."""
        person = self.store.person(number)
        if person is not None and person.is_device and role.may(Role.ARBITER):
            raise AccessError(SignInReason.DEVICE_ROLE)
        try:
            await asyncio.to_thread(self.store.change_role, number, role)
        except LastAdminError as error:
            raise AccessError(SignInReason.LAST_ADMIN) from error

    async def remove(self, number: int) -> None:
        """The end of an account. Raises AccessError when no admin would be left."""
        try:
            await asyncio.to_thread(self.store.remove_person, number)
        except LastAdminError as error:
            raise AccessError(SignInReason.LAST_ADMIN) from error

    async def revoke_session(self, name: str) -> None:
        """The end of a session, by its name for people."""
        await asyncio.to_thread(self.store.revoke_session, name)

    async def revoke_token(self, name: str) -> None:
        """The end of a token, by its name for people."""
        await asyncio.to_thread(self.store.revoke_token, name)

    async def make_token(self, owner: Visitor, label: str, role: Role, days: int) -> str:
        """The secret of a new token, told once. Raises AccessError."""
        if owner.person is None or days not in TOKEN_DAYS:
            raise AccessError(SignInReason.TOKEN_DAYS)
        plain, now = self._check_name(label, "label"), self._identities.seconds()
        secret = f"{TOKEN_PREFIX}{self._identities.secret()}"
        token = Token(self._chance(8).hex(), owner.person, plain, lesser(role, owner.role), now, now + days * DAY, None)
        await asyncio.to_thread(self.store.add_token, digest_of(secret), token)
        return secret

    async def _check(self, name: str, secret: str, *, needs_secret: bool) -> str:
        """The hash of a secret that may be, for a name that is free; empty for a device. Raises AccessError."""
        if self.store.by_name(names.fold(self._check_name(name, "name"))) is not None:
            raise AccessError(SignInReason.NAME_TAKEN, "name")
        return await self._hash(secret) if secret or needs_secret else ""

    async def _add(self, name: str, role: Role, hashed: str) -> WebAccount:
        plain, now = self._check_name(name, "name"), self._identities.seconds()
        try:
            return await asyncio.to_thread(self.store.add_person, plain, names.fold(plain), role, hashed, now)
        except NameTakenError as error:
            raise AccessError(SignInReason.NAME_TAKEN, "name") from error

    async def _hash(self, secret: str) -> str:
        try:
            return await self._hashing.hash(names.secret(secret))
        except NameRefusedError as error:
            raise AccessError(error.why, "secret") from error
        except TooManySignInsError as error:
            raise AccessError(SignInReason.BUSY, wait=1) from error

    def _check_name(self, name: str, field: str) -> str:
        try:
            return names.name(name)
        except NameRefusedError as error:
            raise AccessError(error.why, field) from error
