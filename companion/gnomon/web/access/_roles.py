"""Define the roles and the visitor of a request: role, kind of proof and address."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final


class Role(StrEnum):
    """What somebody may do, each role all that those before it may."""

    SPECTATOR = "spectator"
    """Look on; nobody signs in for it."""
    PLAYER = "player"
    """At the board: start a game, enter turns, answer questions."""
    ARBITER = "arbiter"
    """Correct, pause and decide; in a tournament, enter results."""
    DIRECTOR = "director"
    """Direct a tournament: settings, entries, pairings, corrections of results."""
    ADMIN = "admin"
    """Say who may do all this."""

    def may(self, needed: "Role") -> bool:
        """Whether this role is enough for what needs another."""
        return _ORDER[self] >= _ORDER[needed]


_ORDER: Final = {role: number for number, role in enumerate(Role)}


def lesser(one: Role, other: Role) -> Role:
    """The role of the two that may do less."""
    return one if other.may(one) else other


class Proof(StrEnum):
    """By what somebody is known."""

    NONE = "none"
    SESSION = "session"
    TOKEN = "token"  # noqa: S105 - the name of a kind, no secret


@dataclass(frozen=True, slots=True)
class Visitor:
    """A person or program that sends a request: their role, by what they are known, and where they are.

    `name` is empty for those who have not signed in, `person` is the number of their account, and `csrf` is what a
    form of theirs has to bring along, empty where nothing can be sent yet. `session` is the digest of their session.
    """

    role: Role
    name: str = ""
    person: int | None = None
    proof: Proof = Proof.NONE
    address: str = ""
    csrf: str = field(default="", repr=False)
    session: bytes = field(default=b"", repr=False)

    @property
    def is_signed_in(self) -> bool:
        """Whether they are known by an account."""
        return self.person is not None

    @property
    def called(self) -> str:
        """In whose name they act: their own, or that of their role."""
        return self.name or self.role.value

    def may(self, needed: Role) -> bool:
        """Whether they may do what needs a role."""
        return self.role.may(needed)
