"""Damage a journal in one place and see whether what is lost is told: a sector, a bit, a file.

The journal is what a daemon that is killed leaves behind: the file, its log and what stands beside them. A case is one
fault: a bit flipped, a sector lost, old or that of elsewhere, a file cut off, lost, old or another journal's. A program
that opens the journal must find every entry as it was acknowledged, or be told (`JournalError`) that it is not so. What
then goes on has every entry up to the first whose bytes stand nowhere in the files any more.
"""

import json
import shutil
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import Final, NamedTuple

from gnomon.records.journal.chain import START
from gnomon.records.journal.entries import Entry, EntryKind, GameStart
from gnomon.records.journal.rescue import open_or_rescue
from gnomon.records.journal.writer import Journal, JournalError
from gnomon.timekeeping.instants import Instant
from gnomon_pi.simulated._chance import pick

SECTOR: Final = 512
NAME: Final = "journal.db"
_BURSTS: Final = 60
_IN_THE_FILE: Final = 40
_BEFORE_BODY: Final = 18  # bytes of a row in its page: its number, its header, its kind and its stamp
_NOW: Final = datetime(2026, 11, 23, tzinfo=UTC)
_SETTINGS: Final[Mapping[str, object]] = {"level": 2}

Written = tuple[tuple[int, object], ...]


class Left(NamedTuple):
    """What a killed daemon left: a folder, an older state of it, that of another board, and what was acknowledged.

    `rows` are the bytes of the game and of every entry as they stand in the files.
    """

    now: Path
    before: Path
    other: Path
    written: Written
    rows: tuple[bytes, ...]


class Damaged(NamedTuple):
    """One fault of the storage, and what came of it.

    `right`, `said`, `lost` without a word, a `traceback`, or said but `given up`: more could have been saved.
    """

    fault: str
    where: str
    what: str
    detail: str = ""


@dataclass
class Losses:
    """What many cases came to, and the first of each kind that nobody was told of."""

    total: Counter[str] = field(default_factory=Counter)
    by_fault: Counter[tuple[str, str]] = field(default_factory=Counter)
    first: dict[tuple[str, str], Damaged] = field(default_factory=dict)

    def add(self, case: Damaged) -> None:
        """Count a case."""
        self.total[case.what] += 1
        self.by_fault[case.fault, case.what] += 1
        if case.what not in {"right", "said"}:
            self.first.setdefault((case.fault, case.what), case)


def leave(folder: Path) -> Left:
    """Write two journals, and copy one while its daemon is at work and once more later: that is what a kill leaves."""
    now, before, other = folder / "now", folder / "before", folder / "other"
    with Journal.open(_made(folder / "elsewhere") / NAME) as journal:
        _write(journal, 20, "elsewhere")
        shutil.copytree(folder / "elsewhere", other)
    with Journal.open(_made(folder / "here") / NAME) as journal:
        _write(journal, _IN_THE_FILE, "earlier")
    with Journal.open(folder / "here" / NAME) as journal:
        _write(journal, _BURSTS - _IN_THE_FILE, "here")
        shutil.copytree(folder / "here", before)
        _write(journal, _BURSTS, "later")
        shutil.copytree(folder / "here", now)
        records = journal.read(1)
    written = tuple((record.seq, dict(record.entry.body)) for record in records)
    content = _content(now)
    ends = [content.find(record.link) + len(record.link) for record in records]
    lengths = [len(json.dumps(record.entry.body, separators=(",", ":"))) + len("bootwall") for record in records]
    starts = [end - len(START) - length - _BEFORE_BODY for end, length in zip(ends, lengths, strict=True)]
    game = content.find(b'tamsk{"level":2}silent')
    rows = (content[game - 14 : game + 38], *(content[each : ends[at]] for at, each in enumerate(starts)))
    return Left(now, before, other, written, rows)


def _content(folder: Path) -> bytes:
    """Every byte that stands in the journal and its log."""
    paths = (folder / NAME, folder / f"{NAME}-wal")
    return b"".join(path.read_bytes() for path in paths if path.exists())


def damage(left: Left, place: Path, random: Random) -> Damaged:
    """Try one fault in a copy of the folder at `place`, which must not exist and is removed again."""
    shutil.copytree(left.now, place)
    try:
        fault = random.choices(list(FAULTS), weights=[weight for _, weight in FAULTS.values()])[0]
        name = pick(random, sorted(path.name for path in place.iterdir() if path.stat().st_size))
        where = f"{name} {FAULTS[fault][0](left, place / name, random)}"
        content = _content(place)
        what, detail = found(place, left.written)
        if what == "said":
            what, detail = _saved(place, left.written, _could_save(left, content), detail)
        return Damaged(fault, where, what, detail)
    finally:
        shutil.rmtree(place)


def _could_save(left: Left, content: bytes) -> int:
    """How many entries still stand somewhere in the files, those before each of them too."""
    game, *entries = left.rows
    return next((at for at, row in enumerate(entries) if row not in content), len(entries)) if game in content else 0


def found(place: Path, written: Written) -> tuple[str, str]:
    """What somebody finds who opens the journal: `right`, `said`, `lost` or `traceback`, and in which words."""
    try:
        with Journal.open(place / NAME, retry_after=None) as journal:
            stored = tuple((record.seq, dict(record.entry.body)) for record in journal.read(1))
            is_whole = len(journal.games()) == 1 and stored == written
    except JournalError as error:
        return "said", str(error)
    except Exception as error:  # noqa: BLE001 - whatever comes instead of a sentence is what is looked for
        return "traceback", f"{type(error).__name__}: {error}"
    if is_whole:
        return "right", ""
    same = sum(1 for one, other in zip(stored, written, strict=False) if one == other)
    return "lost", f"{len(stored)} entries of {len(written)}, {same} as they were written"


def _saved(place: Path, written: Written, could: int, said: str) -> tuple[str, str]:
    """Go on with what stands: `said` if it is everything that could be, `lost` if it is not what was written."""
    try:
        journal, _ = open_or_rescue(place / NAME, _NOW)
        with journal:
            stored = (
                tuple((record.seq, dict(record.entry.body)) for record in journal.read(1)) if journal.games() else ()
            )
    except Exception as error:  # noqa: BLE001 - as above
        return "traceback", f"{type(error).__name__}: {error}"
    if stored != written[: len(stored)] and could:
        return "lost", f"{said}, and it goes on with other entries"
    return ("said" if len(stored) >= could else "given up"), f"{said}, {len(stored)} of {could} entries are saved"


def _made(folder: Path) -> Path:
    folder.mkdir(parents=True)
    return folder


def _write(journal: Journal, bursts: int, life: str) -> None:
    last = journal.last_game()
    start = GameStart("tamsk", _SETTINGS, "silent", Instant(0), "boot", "wall", "0")
    game = journal.begin(start) if last is None else last.id
    for burst in range(bursts):
        body = {"life": life, "burst": burst, "padding": "x" * (burst * 37 % 300)}
        number = journal.append(Entry(game, EntryKind.RAW, Instant(burst), body, "boot", "wall"))
        journal.wait_durable(number)


# One fault each; they say where


def _flip(_left: Left, path: Path, random: Random) -> str:
    content = bytearray(path.read_bytes())
    bit = random.randrange(8 * len(content))
    content[bit // 8] ^= 1 << bit % 8
    path.write_bytes(content)
    return f"bit {bit}"


def _sector_lost(_left: Left, path: Path, random: Random) -> str:
    return _put(path, random, lambda _number, length: bytes(length))


def _sector_of_ones(_left: Left, path: Path, random: Random) -> str:
    return _put(path, random, lambda _number, length: b"\xff" * length)


def _sector_old(left: Left, path: Path, random: Random) -> str:
    before = left.before / path.name
    old = before.read_bytes() if before.exists() else b""
    return _put(path, random, lambda number, length: old[number * SECTOR :][:length].ljust(length, b"\0"))


def _sector_from_elsewhere(_left: Left, path: Path, random: Random) -> str:
    content = path.read_bytes()
    other = random.randrange(len(content) // SECTOR + 1)
    return _put(path, random, lambda _number, length: content[other * SECTOR :][:length].ljust(length, b"\0"))


def _put(path: Path, random: Random, replacement: Callable[[int, int], bytes]) -> str:
    content = bytearray(path.read_bytes())
    number = random.randrange(-(-len(content) // SECTOR))
    length = len(content[number * SECTOR :][:SECTOR])
    content[number * SECTOR : number * SECTOR + length] = replacement(number, length)
    path.write_bytes(content)
    return f"sector {number}"


def _cut_off(_left: Left, path: Path, random: Random) -> str:
    content = path.read_bytes()
    length = random.randrange(-(-len(content) // SECTOR)) * SECTOR
    path.write_bytes(content[:length])
    return f"after {length} bytes"


def _removed(_left: Left, path: Path, _random: Random) -> str:
    path.unlink()
    return "as a whole"


def _replaced_by_older(left: Left, path: Path, _random: Random) -> str:
    return _replace(left.before / path.name, path)


def _replaced_by_other(left: Left, path: Path, _random: Random) -> str:
    return _replace(left.other / path.name, path)


def _replace(source: Path, path: Path) -> str:
    path.unlink()
    if source.exists():
        shutil.copy(source, path)
    return "as a whole"


FAULTS: Final[Mapping[str, tuple[Callable[[Left, Path, Random], str], float]]] = {
    "a bit flipped": (_flip, 0.4),
    "a sector of zeros": (_sector_lost, 0.12),
    "a sector of ones": (_sector_of_ones, 0.08),
    "a sector of before": (_sector_old, 0.1),
    "a sector from elsewhere": (_sector_from_elsewhere, 0.1),
    "a file cut off": (_cut_off, 0.1),
    "a file lost": (_removed, 0.03),
    "a file of before": (_replaced_by_older, 0.04),
    "a file of another board": (_replaced_by_other, 0.03),
}
"""The faults, and how often each is drawn."""


def explore_storage(folder: Path, cases: int, random: Random) -> Losses:
    """Try so many faults of the storage in a folder that is empty."""
    left, losses = leave(folder), Losses()
    for number in range(cases):
        losses.add(damage(left, folder / f"case{number}", random))
    return losses


def lines(losses: Losses) -> Sequence[str]:
    """The figures for people: each fault with what came of it, and the first loss of each kind."""
    figures = [f"{fault}: {what} {number}" for (fault, what), number in sorted(losses.by_fault.items())]
    return [*figures, *(f"FIRST {case}" for case in losses.first.values())]
