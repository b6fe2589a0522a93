"""Verify journals and dispute bundles against their hash chains, and name the first entry that differs."""

import json
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, Final, NamedTuple

from gnomon.records._old_sentences import migrate
from gnomon.records.bundles import CHAIN, WORDS, bundle
from gnomon.records.files import is_journal
from gnomon.records.formats.traces import PEOPLE, players_in
from gnomon.records.journal import chain
from gnomon.records.journal.chain import Damage, Head
from gnomon.records.journal.entries import Record, StoredGame
from gnomon.records.journal.event_codec import as_written
from gnomon.records.journal.inspection import inspect
from gnomon.records.journal.store import JournalError, connect_for_reading, link_of, read_game, read_record
from gnomon.refusals import Statement, statement

_ENOUGH: Final = 64 * 1024 * 1024  # bytes of a bundle; the longest games have a few


class Integrity(NamedTuple):
    """How far something is what was written: up to which entry, and what is wrong behind it.

    `added` and `left_out` are players whose names a bundle has beyond its journal, or lacks: they say nothing of the
    game. `reworded` are lines of a bundle of an earlier version with other words than its journal and this version
    have: another version may have put them so, or somebody. `is_unmarked`: a bundle does not say whose words it has, as
    those of 0.2.0 and earlier; a person who alters words of a later one takes the mark out.
    """

    head: Head
    damage: Damage | None = None
    told: Statement | None = None
    added: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    reworded: tuple[int, ...] = ()
    is_unmarked: bool = False

    @property
    def is_whole(self) -> bool:
        """Whether everything is what was written."""
        return self.damage is None and self.told is None

    @property
    def statement(self) -> Statement:
        """One sentence without its end."""
        if self.damage is not None:
            return self.damage.statement
        if self.told is not None:
            return self.told
        if not self.head.seq:
            return statement("told.verified.empty")
        return statement("told.verified.unmarked", verdict=self._verdict) if self.is_unmarked else self._verdict

    @property
    def _verdict(self) -> Statement:
        entry, mark = self.head.seq, chain.fingerprint(self.head.link)
        if self.reworded:
            return statement("told.verified.reworded", lines=self.reworded, entry=entry, fingerprint=mark)
        if self.added:
            return statement("told.verified.added", players=self.added, entry=entry, fingerprint=mark)
        if self.left_out:
            return statement("told.verified.left_out", players=self.left_out, entry=entry, fingerprint=mark)
        return statement("told.verified.whole", entry=entry, fingerprint=mark)


def verify(path: Path, entry: int | None = None) -> Integrity:
    """Verify a journal or a bundle; of a whole journal the head is `entry`, where one is asked for.

    Raises JournalError for what is neither, OSError for a file that cannot be read, and ValueError for a trace that
    carries no chain.
    """
    if path.is_dir():
        return Integrity(chain.NOTHING, Damage("unread", detail=statement("told.damage.of.folder")))
    with path.open("rb") as file:
        beginning = file.read(16)
        if is_journal(beginning) or not beginning.lstrip().startswith(b"{"):
            found = inspect(path, follows_all=True)
            head = found.head if entry is None or found.damage is not None else _head_at(path, entry)
            return Integrity(head, found.damage)
        data = beginning + file.read(_ENOUGH)
    return _verify_bundle(path, data)


def _head_at(path: Path, entry: int) -> Head:
    with closing(connect_for_reading(path)) as connection:
        link = link_of(connection, entry)
    if not link:
        raise JournalError(statement("told.journal.no_link", file=str(path), entry=entry))
    return Head(entry, link)


def _verify_bundle(path: Path, data: bytes) -> Integrity:
    """A bundle is whole when its chain is, and when every line is what follows from the chain's entries."""
    lines = data.decode(errors="replace").splitlines(keepends=True)
    try:
        header: dict[str, Any] = json.loads(lines[0])
        carried = header[CHAIN]
        stored, entries = _game(carried), [list(entry) for entry in carried["entries"]]
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise JournalError(statement("told.journal.no_bundle", file=str(path))) from error
    records: list[Record] = []
    head, digest = chain.NOTHING, chain.digest(_game_row(carried))
    for entry in entries:
        try:
            before, *columns, said = entry
            seq, game, kind, at, cause, body, boot, wall, ends = columns
            after = bytes.fromhex(before)
            link = chain.link(after, digest, columns)
            is_next = seq > head.seq + 1 or (seq == head.seq + 1 and after == head.link)
            if link.hex() != said or game != stored.id or not is_next:
                return Integrity(head, Damage("altered", int(seq)))
            records.append(read_record((seq, game, kind, at, body, boot, wall, cause, link, ends, after)))
        except (ValueError, TypeError, KeyError, JournalError):
            return Integrity(head, Damage("altered", head.seq + 1))
        head = Head(seq, link)
    try:
        again = bundle(stored, records, players_in(header))
        made, reworded = list(again.lines()), list(again._replace(written=()).lines())
    except ValueError as error:
        return Integrity(head, told=statement("told.verified.unmade", detail=str(error)))
    recorded = stored.start.players
    is_old = WORDS not in header
    first = {key: value for key, value in json.loads(made[0]).items() if not (is_old and key == WORDS)}
    left_out: tuple[str, ...] = ()
    if recorded and header.get(PEOPLE) == {}:  # as `gnomon journal bundle` of version 0.2.0 wrote it
        first[PEOPLE], left_out = {}, tuple(sorted(recorded))
    made[0] = json.dumps(first)
    added = () if left_out else tuple(sorted(players_in(header).keys() - recorded.keys()))
    verdict = _compare(head, lines, made, reworded if is_old else ())
    return verdict._replace(added=added, left_out=left_out, is_unmarked=is_old)


def _compare(head: Head, lines: Sequence[str], made: Sequence[str], reworded: Sequence[str]) -> Integrity:
    """Whether each line is the one that was made; `reworded` are the lines as an earlier version worded them."""
    other: list[int] = []
    for number, (line, should) in enumerate(zip(lines, made, strict=False), 1):
        if _same(line, should):
            continue
        # What the first line says was ruled stands there as it stands in the entries, in bundles of all versions.
        if number == 1 or not reworded or not _states_the_same(line, should):
            return Integrity(head, told=statement("told.verified.line", line=number))
        if not _same(line, reworded[number - 1]):
            other.append(number)
    if len(lines) != len(made):
        return Integrity(head, told=statement("told.verified.lines", lines=len(lines), made=len(made)))
    return Integrity(head, reworded=tuple(other))


def _same(line: str, should: str) -> bool:
    """Whether two lines say the same, perhaps one of them as version 0.1.0 put it."""
    said, wanted = _load(line), _load(should)
    return said == wanted or (isinstance(said, dict) and isinstance(wanted, dict) and migrate(said) == wanted)


def _states_the_same(line: str, should: str) -> bool:
    """Whether two lines say the same in perhaps other words."""
    said, wanted = _load(line), _load(should)
    return isinstance(said, dict) and isinstance(wanted, dict) and as_written(said) == as_written(wanted)


def _load(line: str) -> object:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


def _game_row(carried: Mapping[str, Any]) -> tuple[Any, ...]:
    return tuple(carried["game"])


def _game(carried: Mapping[str, Any]) -> StoredGame:
    return read_game((*_game_row(carried), None))
