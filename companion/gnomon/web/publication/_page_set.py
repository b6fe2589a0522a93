"""Gather all pages of a site and what they need, from the links of its first page on.

What is about one tournament is kept from the last time as long as nothing was told of it since.
"""

import re
from collections import deque
from collections.abc import Iterator, Mapping, MutableMapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Final, NamedTuple, Protocol

from gnomon.web.publication._links import BOARDS, PICTURES, file_of, imports_of, links_of, rewrite, split_language
from gnomon.web.publication._page_client import Ask, Source

ASSETS: Final = "assets"
"""The members of a site that are about nothing."""
_SUBJECT: Final = re.compile(r"/tournaments/[^/?]+(/games/[^/?]+)?|/games/[^/?]+")
_MARK_BYTES: Final = 12


@dataclass(frozen=True, slots=True)
class PageSet:
    """The files of a site by name: those that were made now, and the names of those that stay as they were.

    `subjects` says as of what each tournament in each language is shown, and `members` which files are about it.
    `live` are the files of boards, which change one by one.
    """

    made: Mapping[str, bytes]
    kept: frozenset[str] = frozenset()
    subjects: Mapping[str, str] = field(default_factory=dict)
    members: Mapping[str, Sequence[str]] = field(default_factory=dict)
    live: Mapping[str, bytes] = field(default_factory=dict)

    @property
    def names(self) -> frozenset[str]:
        """Every file."""
        return self.kept | frozenset(self.made)


class Before(Protocol):
    """What is known of a site that was published before: see `PageSet`."""

    @property
    def subjects(self) -> Mapping[str, str]:
        """As of what each tournament in each language is shown."""
        ...

    @property
    def members(self) -> Mapping[str, Sequence[str]]:
        """Which files are about it."""
        ...


class Making(NamedTuple):
    """What pages are made with and where they are kept: the version of Gnomon, what was published before, the files."""

    version: str
    before: Before
    made: MutableMapping[str, bytes]


async def gather(source: Source, languages: Sequence[str], making: Making, *, with_boards: bool = True) -> PageSet:
    """The whole site of a source; what is of another version of Gnomon is made again.

    The pages of boards are left out unless `with_boards`. Raises PublicationError.
    """
    gatherer = _Gatherer(source.ask, languages, making, with_boards=with_boards)
    for language in languages:
        await gatherer.pages(source.home, language)
    await gatherer.assets()
    return PageSet(gatherer.made, frozenset(gatherer.kept), gatherer.subjects, gatherer.members, gatherer.live)


def mark_of(content: bytes) -> str:
    """What two files have in common that say the same."""
    return blake2b(content, digest_size=_MARK_BYTES).hexdigest()


class _Gatherer:
    """What has been found so far."""

    def __init__(self, ask: Ask, languages: Sequence[str], making: Making, *, with_boards: bool) -> None:
        self._ask = ask
        self._with_boards = with_boards
        self._languages = languages
        self._made_with = f"{making.version}/{'/'.join(languages)}"
        self._before = making.before
        self._unchanged: set[str] = set()
        self._wanted: dict[str, str] = {}  # scripts, styles and the like: their files, and where they are asked for
        self.made = making.made
        self.kept: set[str] = set()
        self.live: dict[str, bytes] = {}
        self.subjects: dict[str, str] = {}
        self.members: dict[str, list[str]] = {}

    async def pages(self, home: str, language: str) -> None:
        """Every page that is reached in a language."""
        waiting, seen = deque([home]), {home}
        while waiting:
            address = waiting.popleft()
            subject = _subject_of(address)
            key = f"{language}{subject}" if subject else ""
            if key and key not in self.subjects and subject != address:
                waiting.extendleft((address, subject))  # as of what it is shown says its own page
                seen.add(subject)
                continue
            if key and key in self._unchanged:
                continue
            known = self._as_of(key) if subject == address else ""
            answer = await self._ask(address, language, known)
            if answer is None:
                self._keep_subject(key)
                continue
            if subject == address and key not in self.subjects:
                self.subjects[key], self.members[key] = f"{self._made_with} {answer.as_of}", []
            file = file_of(address, language, self._languages)
            body = answer.body
            if answer.is_page:
                waiting.extend(each for each in self._links(answer.text, language) if each not in seen)
                seen.update(waiting)
                body = rewrite(answer.text, file, language, self._languages).encode()
            if is_live(address):
                self.live[file] = body
            else:
                self._keep(key, file, body)

    def _as_of(self, key: str) -> str:
        """As of what a subject was published; empty where it was not, or with another version."""
        made_with, _, as_of = self._before.subjects.get(key, "").partition(" ")
        return as_of if made_with == self._made_with else ""

    def _keep_subject(self, key: str) -> None:
        """Let the files of a subject stay, and those of every subject within it."""
        for each in self._before.subjects:
            if each == key or each.startswith(f"{key}/"):
                self._unchanged.add(each)
                self.subjects[each], self.members[each] = self._before.subjects[each], [*self._before.members[each]]
                self.kept.update(self.members[each])

    def _links(self, text: str, language: str) -> Iterator[str]:
        """Where the links of a page lead in its own language; what pages need is remembered."""
        for address, there in (split_language(link, language) for link in links_of(text)):
            target = file_of(address, there, self._languages)
            if _is_asset(target):
                self._wanted[target] = address
            elif there == language and (self._with_boards or not is_live(address)):
                yield address  # the other languages are gathered from their own first page

    async def assets(self) -> None:
        """Scripts, styles, icons, words, and what scripts import."""
        if self._unchanged or not self._with_boards:  # what those pages need that are not made
            self.kept.update(self._before.members.get(ASSETS, ()))
        waiting = deque((file, address) for file, address in self._wanted.items() if file not in self.kept)
        while waiting:
            file, address = waiting.popleft()
            if file in self.made:
                continue
            answer = await self._ask(address, self._languages[0], "")
            if answer is None:
                continue
            self.made[file] = answer.body
            if file.endswith(".js"):
                folder = address.rpartition("/")[0]
                more = (f"{folder}/{name}" for name in imports_of(answer.text))
                waiting.extend((file_of(each, self._languages[0], self._languages), each) for each in more)
        self.members[ASSETS] = sorted(name for name in (*self.kept, *self.made) if _is_asset(name))

    def _keep(self, subject: str, file: str, content: bytes) -> None:
        self.made[file] = content
        if subject:
            self.members[subject].append(file)


def _subject_of(address: str) -> str:
    """The address of the tournament that a page is about, or of the game; empty for other pages."""
    found = _SUBJECT.match(address)
    return "" if found is None else found[0]


def is_live(address: str) -> bool:
    """Whether an address is about boards as they are now."""
    return address in {BOARDS, PICTURES} or address.startswith(f"{BOARDS}/")


def _is_asset(file: str) -> bool:
    return file.startswith(("static/", "words/", "board/"))
