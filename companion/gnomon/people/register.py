"""Keep the decisions about people: who is public, forgotten or a program, and which spellings are one person.

A register is an immutable value; `load` and `dump` are its form in a file. Of a forgotten person it keeps a keyed hash
of the name alone: enough to know the name when it is met, and not to read it.
"""

import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from typing import Any, Final, NamedTuple, Self

from gnomon.refusals import Refusal, statement

VERSION: Final = 1
PSEUDONYM: Final = "N. N. {number}"
"""What stands for a forgotten name, in every language (nomen nescio)."""
_HASHED: Final = 16  # bytes


class RegisterError(Refusal, ValueError):
    """What was asked of the register cannot be done, or its file says nothing that it could be."""


class Join(NamedTuple):
    """Two names of one person: `name` is shown as `shown`."""

    name: str
    shown: str


class Forgotten(NamedTuple):
    """Somebody whose name is not shown any more: the keyed hash of it, and the number of the pseudonym."""

    hashed: str
    number: int


class Owner(NamedTuple):
    """An account of the pages that may see a person's page, as that person."""

    account: str
    key: str


def fold(name: str) -> str:
    """A name without what tells spellings of one name apart: capitals, widths, and how many blanks there are."""
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())


@dataclass(frozen=True, slots=True)
class Register:
    """Decisions about people, by the names that journals have; `salt` is drawn once, when the register is made."""

    salt: str = field(default="", repr=False)
    joined: tuple[Join, ...] = ()
    public: frozenset[str] = frozenset()  # keys
    engines: frozenset[str] = frozenset()  # folded names
    forgotten: tuple[Forgotten, ...] = ()
    owners: tuple[Owner, ...] = ()

    # Questions

    def key(self, name: str) -> str:
        """What every spelling of a person's name has in common."""
        return fold(self.display_name(name))

    def mask(self, name: str) -> str:
        """The name, or the pseudonym of somebody who is forgotten."""
        if not self.forgotten:
            return name
        hashed = self._hash(name)
        number = next((one.number for one in self.forgotten if one.hashed == hashed), None)
        return name if number is None else PSEUDONYM.format(number=number)

    def is_forgotten(self, name: str) -> bool:
        """Whether a name is not shown any more."""
        return self.mask(name) != name

    def is_public(self, key: str) -> bool:
        """Whether everybody may see what is known of a person."""
        return key in self.public

    def is_engine(self, name: str) -> bool:
        """Whether a name was said to be that of a program."""
        return fold(self.mask(name)) in self.engines

    def key_of_owner(self, account: str) -> str | None:
        """The person who signs in with an account, None where nobody has said so."""
        return next((self.key(one.key) for one in self.owners if one.account == account), None)

    def display_name(self, name: str) -> str:
        """How a name is shown: as the pseudonym, or as the name that it was joined to."""
        return self._root(self.mask(name))

    def _root(self, name: str) -> str:
        shown_by = {fold(one.name): one.shown for one in self.joined}
        while fold(name) in shown_by:  # `join` lets no circle come about
            name = shown_by[fold(name)]
        return name

    def _hash(self, name: str) -> str:
        return blake2b(fold(name).encode(), key=self.salt.encode(), digest_size=_HASHED).hexdigest()

    # Decisions, each a new register

    def join(self, name: str, shown: str) -> Self:
        """From now on `name` is another spelling of `shown`. Raises RegisterError where they are one already."""
        if self.key(name) == self.key(shown):
            raise RegisterError(statement("people.joined_already", name=name, other=shown))
        old, new = self.key(name), self.key(shown)
        # A person who was not public must not become so by way of a spelling that is, nor the other way round.
        public = self.public - {old, new} if not {old, new} <= self.public else self.public - {old}
        return replace(
            self, joined=(*self.joined, Join(self.display_name(name), self.display_name(shown))), public=public
        )

    def part(self, name: str) -> Self:
        """The name is a separate person again. Raises RegisterError where it was never joined."""
        left = tuple(one for one in self.joined if fold(one.name) != fold(name))
        if left == self.joined:
            raise RegisterError(statement("people.not_joined", name=name))
        return replace(self, joined=left)

    def publish(self, name: str) -> Self:
        """Everybody may see this person."""
        return replace(self, public=self.public | {self.key(name)})

    def withdraw(self, name: str) -> Self:
        """Nobody but arbiters and the person may."""
        return replace(self, public=self.public - {self.key(name)})

    def mark_engine(self, name: str) -> Self:
        """The name is that of a program."""
        return replace(self, engines=self.engines | {fold(self.mask(name))})

    def mark_person(self, name: str) -> Self:
        """The name is that of a person after all."""
        return replace(self, engines=self.engines - {fold(self.mask(name))})

    def grant(self, account: str, name: str) -> Self:
        """The holder of an account is this person, and nobody else."""
        return replace(self, owners=(*self.deny(account).owners, Owner(account, self.key(name))))

    def deny(self, account: str) -> Self:
        """The holder of an account is nobody who plays."""
        return replace(self, owners=tuple(one for one in self.owners if one.account != account))

    def forget(self, name: str) -> Self:
        """The name, and every spelling joined to it, is shown as one pseudonym from now on."""
        if self.is_forgotten(name):
            raise RegisterError(statement("people.forgotten_already", name=name))
        key = self.key(name)
        names = {key, fold(name), *(fold(one.name) for one in self.joined if self.key(one.name) == key)}
        number = max((one.number for one in self.forgotten), default=0) + 1
        hidden = tuple(Forgotten(self._hash(each), number) for each in sorted(names))
        return replace(
            self,
            joined=tuple(one for one in self.joined if self.key(one.name) != key),
            public=self.public - {key},
            engines=self.engines - names,
            owners=tuple(one for one in self.owners if one.key not in names),
            forgotten=(*self.forgotten, *hidden),
        )

    def recall(self, name: str) -> Self:
        """A name that was forgotten is shown again, with the spellings that were forgotten with it, and is private.

        Raises RegisterError where it was not forgotten.
        """
        hashed = self._hash(name) if self.forgotten else ""
        numbers = {one.number for one in self.forgotten if one.hashed == hashed}
        if not numbers:
            raise RegisterError(statement("people.not_forgotten", name=name))
        # The next person who is forgotten may get the same pseudonym: nothing that was decided of it may be left.
        gone = {fold(PSEUDONYM.format(number=number)) for number in numbers}
        return replace(
            self,
            joined=tuple(one for one in self.joined if not gone & {fold(one.name), fold(one.shown)}),
            public=self.public - gone,
            engines=self.engines - gone,
            owners=tuple(one for one in self.owners if one.key not in gone),
            forgotten=tuple(one for one in self.forgotten if one.number not in numbers),
        )

    # As a file has it

    def dump(self) -> dict[str, object]:
        """The register as JSON can say it."""
        return {
            "version": VERSION,
            "salt": self.salt,
            "joined": [list(one) for one in self.joined],
            "public": sorted(self.public),
            "engines": sorted(self.engines),
            "forgotten": [list(one) for one in self.forgotten],
            "owners": [list(one) for one in self.owners],
        }

    @classmethod
    def load(cls, value: object) -> Self:
        """Read what `dump` wrote. Raises RegisterError for anything else."""
        try:
            said = _mapping(value)
            return cls(
                _salt(said["salt"]),
                _read_joins(said["joined"]),
                frozenset(map(_text, said["public"])),
                frozenset(map(_text, said["engines"])),
                tuple(Forgotten(_text(hashed), int(number)) for hashed, number in said["forgotten"]),
                tuple(Owner(_text(account), _text(key)) for account, key in said["owners"]),
            )
        except (KeyError, TypeError, ValueError) as error:
            raise RegisterError(statement("people.register_unread", detail=str(error))) from error


def mask_names(names: Mapping[str, str], register: Register) -> Mapping[str, str]:
    """The names by their seats as they may be shown."""
    return {seat: register.mask(name) for seat, name in names.items()}


def hides_any(names: Iterable[str], register: Register) -> bool:
    """Whether one of the names is not shown any more."""
    return any(map(register.is_forgotten, names))


def _mapping(value: object) -> Mapping[str, Any]:
    if not isinstance(value, dict) or value.get("version") != VERSION:
        message = f"it has no version {VERSION}"
        raise ValueError(message)
    return value


def _read_joins(value: Iterable[Any]) -> tuple[Join, ...]:
    """The joins of a file. Raises ValueError for names that would be looked up in a circle for ever."""
    joined = tuple(Join(_text(name), _text(shown)) for name, shown in value)
    shown_by = {fold(one.name): fold(one.shown) for one in joined}
    while shown_by:
        ends = [name for name, shown in shown_by.items() if shown not in shown_by]
        if not ends:
            message = "a name is joined to itself"
            raise ValueError(message)
        for name in ends:
            del shown_by[name]
    return joined


def _salt(value: object) -> str:
    if len(_text(value).encode()) > blake2b.MAX_KEY_SIZE:
        message = "its salt is too long"
        raise ValueError(message)
    return _text(value)


def _text(value: object) -> str:
    if not isinstance(value, str):
        message = f"{value!r} is no text"
        raise TypeError(message)
    return value
