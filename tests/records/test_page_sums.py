"""A journal that is opened without following its chain: only where every byte is what was written."""

import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from random import Random

import pytest

from gnomon.records.journal import _witness as witness
from gnomon.records.journal import chain
from gnomon.records.journal._page_sums import FRAME_HEADER, LOG_HEADER, PAGE, PageSums
from gnomon.records.journal.entries import Entry, GameStart
from gnomon.records.journal.inspection import inspect
from gnomon.records.journal.rescue import open_or_rescue
from gnomon.records.journal.writer import Journal

NOW = datetime(2026, 11, 23, 9, 30, tzinfo=UTC)
PATIENCE = 60.0  # seconds; a bound for a machine in trouble, never waited for
NAMES = ("journal.db", "journal.db-wal", "journal.db-witness")

Note = Callable[..., Entry]


def killed(path: Path, folder: Path) -> Path:
    """What stands on the disk when a daemon is killed now."""
    folder.mkdir()
    for name in NAMES:
        if path.with_name(name).exists():
            shutil.copy(path.with_name(name), folder / name)
    return folder / path.name


def write(journal: Journal, note: Note, entries: int) -> None:
    for number in range(entries):
        assert journal.wait_durable(journal.append(note(number)), PATIENCE)


@pytest.fixture
def left(path: Path, start: GameStart, note: Note, tmp_path: Path) -> Path:
    """A journal of which a part stands in the log."""
    with Journal.open(path) as journal:
        journal.begin(start)
        write(journal, note, 40)
    with Journal.open(path) as journal:
        write(journal, note, 20)
        return killed(path, tmp_path / "killed")


@pytest.fixture
def whole_total(left: Path) -> bytes:
    return PageSums(left).total


def test_neither_a_kill_nor_a_quiet_end_asks_for_the_chain(
    left: Path, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr(chain, "walk", fail)
    for place in (left, path):
        with Journal.open(place) as journal:
            assert journal.durable_seq == 60


def test_verify_follows_the_chain_all_the_same(left: Path) -> None:
    assert inspect(left).pages is not None
    found = inspect(left, follows_all=True)
    assert found.pages is None
    assert found == replace(inspect(left), pages=None)


def test_the_sum_of_what_is_written_is_that_of_the_files(
    path: Path, start: GameStart, note: Note, tmp_path: Path
) -> None:
    with Journal.open(path) as journal:
        for game in range(1, 5):
            journal.begin(start)
            for number in range(40 * game):
                journal.append(replace(note(number, game=game), body={"text": "x" * (number % 50) ** 2}))
            write(journal, note, 5)
            last = journal.end(note(game=game)) if game % 2 else journal.append(note(game=game))
            assert journal.wait_durable(last, PATIENCE)
            place = killed(path, tmp_path / f"killed{game}")
            seen = witness.read(witness.path_beside(place))
            assert seen is not None
            assert (seen.seq, seen.pages) == (last, PageSums(place).total)


def test_no_altered_byte_is_overlooked(left: Path, tmp_path: Path) -> None:
    random = Random(3)
    log = left.with_name("journal.db-wal").read_bytes()
    frames = range(LOG_HEADER, len(log), FRAME_HEADER + PAGE)
    places = [("journal.db", random.randrange(left.stat().st_size)) for _ in range(20)]
    places += [("journal.db-wal", random.randrange(len(log))) for _ in range(10)]
    places += [("journal.db-wal", at) for at in (*range(LOG_HEADER), *range(frames[-1], frames[-1] + FRAME_HEADER))]
    for name, at in places:
        shutil.rmtree(tmp_path / "altered", ignore_errors=True)
        shutil.copytree(left.parent, tmp_path / "altered")
        data = bytearray((tmp_path / "altered" / name).read_bytes())
        data[at] ^= 1 << random.randrange(8)
        (tmp_path / "altered" / name).write_bytes(data)
        found, followed = (inspect(tmp_path / "altered" / "journal.db", follows_all=each) for each in (False, True))
        assert replace(found, pages=None) == followed, (name, at)


@pytest.mark.parametrize("checkpoint", [False, True])
def test_what_somebody_else_writes_meanwhile_is_not_taken_for_what_was_written(
    path: Path, start: GameStart, note: Note, tmp_path: Path, checkpoint: bool
) -> None:
    with Journal.open(path) as journal:
        journal.begin(start)
        write(journal, note, 5)
        with closing(sqlite3.connect(path, isolation_level=None)) as stranger:
            stranger.execute("""UPDATE entries SET body = '{"number":9}' WHERE seq = 3""")
            if checkpoint:
                stranger.execute("PRAGMA wal_checkpoint(RESTART)").fetchall()
            write(journal, note, 5)
        place = killed(path, tmp_path / "killed")
    opened, rescued = open_or_rescue(place, NOW)
    with opened:
        assert rescued is not None
        assert rescued.damage == chain.Damage("altered", 3)
        assert rescued.is_complete == (opened.durable_seq == 10)  # the log may still have what was written
        assert opened.durable_seq in {2, 10}


@pytest.mark.parametrize("head", [b"\0\0\0\1\xff\xff\xff\xff", b"\0\0\0\0\0\0\0\2"])
def test_a_frame_that_nobody_wrote_takes_no_memory(left: Path, whole_total: bytes, head: bytes) -> None:
    log = left.with_name("journal.db-wal")
    data = bytearray(log.read_bytes())
    data[LOG_HEADER : LOG_HEADER + len(head)] = head
    log.write_bytes(data)
    assert PageSums(left).total != whole_total
    opened, rescued = open_or_rescue(left, NOW)
    with opened:
        assert rescued is not None
        assert opened.durable_seq == 60


def test_a_witness_of_before_pages_were_summed_up_is_still_one(left: Path) -> None:
    place = witness.path_beside(left)
    seen = witness.read(place)
    assert seen is not None
    said = f"gnomon-witness-1\n{seen.seq}\n{seen.link.hex()}\n{seen.version}\n".encode()
    place.write_bytes((said + witness._sum(said) + b"\n").ljust(512, b"\0"))
    assert witness.read(place) == seen._replace(pages=b"")
    assert inspect(left).head.seq == seen.seq


def test_pages_that_cannot_be_read_have_no_sum(tmp_path: Path) -> None:
    assert PageSums.read(tmp_path / "nothing") is None
