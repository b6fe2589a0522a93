"""A journal that is not what was written: the damage is said, and everything before the damage is kept and used."""

import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from random import Random

import pytest

from gnomon.records.journal import _witness as witness
from gnomon.records.journal.entries import Entry, EntryKind, GameStart, Record, StoredGame
from gnomon.records.journal.folders import keep_aside
from gnomon.records.journal.rescue import Rescue, open_or_rescue
from gnomon.records.journal.store import EntryError, JournalError
from gnomon.records.journal.writer import Journal
from gnomon.timekeeping.instants import Instant
from tests.records.rewriting import rewrite

NOW = datetime(2026, 11, 22, 9, 30, tzinfo=UTC)
ASIDE = "journal.db.damaged-20261122-093000"
ENTRIES = 61
FLIPS = int(os.environ.get("GNOMON_FLIPS", "16"))
"""Bits that are flipped in each file, one at a time; 0 flips every one."""

Harm = Callable[[Path], object]
Held = tuple[dict[int, StoredGame], dict[int, Record]]


def write(path: Path) -> None:
    """Two games, one of which has ended; the first half stands in the file itself, the rest in its log."""
    with Journal.open(path) as journal:
        for game in ("tamsk", "tabik"):
            journal.begin(GameStart(game, {"level": 2}, "assistant", Instant(5), "boot-1", "2026-11-20", "1", game))
        for number in range(ENTRIES - 1):
            at = Instant(number)
            journal.append(Entry(1 + number % 2, EntryKind.RAW, at, {"input": "D1"}, "boot-1", "2026-11-20T10:00:00"))
            if number == ENTRIES // 2:
                over = Entry(1, EntryKind.RULING, at, {"ruling": "over"}, "boot-1", "2026-11-20T10:00:00")
                assert journal.wait_durable(journal.end(over))
        journal.acknowledge(3)


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a journal as a kill leaves it: a part of it stands in the log alone."""
    live, left = tmp_path_factory.mktemp("live"), tmp_path_factory.mktemp("left")
    write(live / "journal.db")
    with closing(sqlite3.connect(live / "journal.db")) as reader:
        reader.execute("SELECT count(*) FROM games").fetchone()  # while somebody reads, the log stays
        with Journal.open(live / "journal.db") as journal:
            for number in range(9):
                journal.append(Entry(2, EntryKind.RAW, Instant(100 + number), {"input": "D2"}, "boot-1", "then"))
        for name in ("journal.db", "journal.db-wal", "journal.db-witness"):
            shutil.copy(live / name, left / name)
    assert (left / "journal.db-wal").stat().st_size > 4096
    return left


@contextmanager
def opened(folder: Path) -> Iterator[tuple[Held, Rescue | None]]:
    """What is held after the journal was opened, and what was said."""
    journal, rescued = open_or_rescue(folder / "journal.db", NOW)
    with journal:
        games = journal.games()
        records = {record.seq: record for game in games for record in journal.read(game.id)}
        assert journal.durable_seq == len(records)
        yield ({game.id: game for game in games}, records), rescued


def copied(written: Path, folder: Path) -> Path:
    """A copy of the folder that may be harmed."""
    shutil.rmtree(folder, ignore_errors=True)
    return Path(shutil.copytree(written, folder))


@pytest.fixture
def whole(written: Path, tmp_path: Path) -> Held:
    with opened(copied(written, tmp_path / "whole")) as (held, rescued):
        assert rescued is None
        assert len(held[1]) == ENTRIES + 9
        return held


def judge(folder: Path, whole: Held) -> Rescue | None:
    """Open a harmed journal: what is held is what was written, up to where it is said to be damaged."""
    parts = {end: (folder / f"journal.db{end}") for end in ("", "-wal")}
    before = {end: part.read_bytes() for end, part in parts.items() if part.is_file()}
    with opened(folder) as (held, rescued):
        games, records = held
        assert sorted(records) == list(range(1, len(records) + 1))
        assert all(records[seq] == whole[1][seq] for seq in records)
        if rescued is None:
            assert held == whole
            return None
        assert all(games[game] == whole[0][game] or not rescued.is_complete for game in games)
        assert rescued.is_complete <= (len(records) == len(whole[1]))
        if rescued.damage.code in {"altered", "missing"} and not rescued.is_complete:
            assert rescued.damage.first == len(records) + 1
        if rescued.aside is not None:
            kept = {end: rescued.aside.with_name(rescued.aside.name + end) for end in before}
            assert {end: part.read_bytes() for end, part in kept.items()} == before
        with opened_again(folder) as after:
            assert after is None
    return rescued


@contextmanager
def opened_again(folder: Path) -> Iterator[Rescue | None]:
    """What is said at the next start; on a copy, for the journal is still open."""
    copy = copied(folder, folder.with_name("again"))
    journal, rescued = open_or_rescue(copy / "journal.db", NOW)
    with journal:
        yield rescued


# Bits


@pytest.mark.long
@pytest.mark.parametrize("name", ["journal.db", "journal.db-wal"])
def test_no_flipped_bit_changes_or_takes_away_anything_unsaid(
    written: Path, tmp_path: Path, whole: Held, name: str
) -> None:
    data = (written / name).read_bytes()
    bits = range(8 * len(data)) if not FLIPS else sorted(Random(name).sample(range(8 * len(data)), FLIPS))
    said = 0
    for bit in bits:
        folder = copied(written, tmp_path / "flipped")
        flipped = bytearray(data)
        flipped[bit // 8] ^= 1 << bit % 8
        (folder / name).write_bytes(flipped)
        said += judge(folder, whole) is not None
    assert said > len(bits) // 20


# Whole parts


def torn(path: Path) -> None:
    """A sector that was never written."""
    data = bytearray(path.read_bytes())
    data[2 * 4096 : 2 * 4096 + 512] = bytes(512)
    path.write_bytes(data)


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-5000])


def zeroed(path: Path) -> None:
    path.write_bytes(bytes(path.stat().st_size))


def emptied(path: Path) -> None:
    path.write_bytes(b"")


def strange(path: Path) -> None:
    path.write_bytes(b"sand " * 5000)


def folder_instead(path: Path) -> None:
    path.unlink()
    path.mkdir()


@pytest.mark.parametrize("harm", [torn, cut, zeroed, emptied, strange, Path.unlink, folder_instead])
@pytest.mark.parametrize("name", ["journal.db", "journal.db-wal"])
def test_whatever_is_done_to_a_file_is_said_and_what_stands_before_goes_on(
    written: Path, tmp_path: Path, whole: Held, name: str, harm: Harm
) -> None:
    folder = copied(written, tmp_path / "harmed")
    if harm is folder_instead and name != "journal.db":
        pytest.skip("SQLite says so itself")
    harm(folder / name)
    rescued = judge(folder, whole)
    assert rescued is not None
    assert rescued.statement.message.startswith(f"The journal {folder / 'journal.db'} is damaged: ")
    assert "\n" not in rescued.statement.message


def test_a_lost_log_is_said_with_the_first_entry_that_is_missing(written: Path, tmp_path: Path) -> None:
    folder = copied(written, tmp_path / "harmed")
    (folder / "journal.db-wal").unlink()
    with opened(folder) as (held, rescued):
        assert rescued is not None
        assert rescued.statement.message == (
            f"The journal {folder / 'journal.db'} is damaged: the entries {ENTRIES + 1} to {ENTRIES + 9} are missing; "
            f"everything before the damage is kept and used, and the damaged file is kept as {ASIDE}."
        )
        assert len(held[1]) == ENTRIES


def test_an_older_copy_is_another_journal_once_it_was_written_to(written: Path, tmp_path: Path) -> None:
    folder = copied(written, tmp_path / "harmed")
    (folder / "journal.db-wal").unlink()
    (folder / "journal.db-witness").rename(folder / "kept")
    with Journal.open(folder / "journal.db") as journal:
        for number in range(20):
            journal.append(Entry(2, EntryKind.RAW, Instant(500 + number), {}, "boot-2", "then"))
    (folder / "kept").replace(folder / "journal.db-witness")
    with opened(folder) as (held, rescued):
        assert rescued is not None
        assert (
            f"it is another journal, which differs from entry {ENTRIES + 9} on, or earlier" in rescued.statement.message
        )
        assert len(held[1]) == ENTRIES + 20


def test_a_witness_elsewhere_knows_too(written: Path, tmp_path: Path) -> None:
    folder, stick = copied(written, tmp_path / "harmed"), tmp_path / "stick"
    Journal.open(folder / "journal.db", witnesses=[stick]).close()
    for name in folder.iterdir():
        name.unlink()
    journal, rescued = open_or_rescue(folder / "journal.db", NOW, (stick,))
    journal.close()
    assert rescued is not None
    assert f"the entries 1 to {ENTRIES + 9} are missing; a new one is started." in rescued.statement.message


def test_a_stick_that_was_pulled_out_holds_nothing_up(path: Path, start: GameStart, note: Callable[..., Entry]) -> None:
    with Journal.open(path, witnesses=[path.parent / "pulled" / "out"]) as journal:
        journal.begin(start)
        assert journal.wait_durable(journal.append(note()), 60)
        assert "cannot be written: No such file or directory" in (journal.witness_failed or "")


@pytest.mark.parametrize("harm", [torn, cut, zeroed, emptied, strange, Path.unlink])
def test_a_damaged_witness_alone_takes_nothing_away(written: Path, tmp_path: Path, whole: Held, harm: Harm) -> None:
    folder = copied(written, tmp_path / "harmed")
    harm(folder / "journal.db-witness")
    assert judge(folder, whole) is None


def test_a_torn_sector_of_the_witness_leaves_the_one_before_it(path: Path) -> None:
    beside = witness.Witness.beside(path)
    for seq in (6, 7):
        beside.write(witness.WitnessedEntry(seq, bytes(32), 5))
    beside.close()
    file = witness.path_beside(path)
    data = bytearray(file.read_bytes())
    data[700] ^= 1
    data[520] ^= 1
    file.write_bytes(data)
    assert witness.read(file) == witness.WitnessedEntry(6, bytes(32), 5)


# What somebody wrote into it


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE entries SET body = 'no JSON' WHERE seq = 20",
        "UPDATE entries SET body = '[1, 2]' WHERE seq = 20",
        "UPDATE entries SET body = '7' WHERE seq = 20",
        "UPDATE entries SET body = x'7b7d' WHERE seq = 20",
        "UPDATE entries SET body = CAST(x'7b22ff223a317d' AS TEXT) WHERE seq = 20",
        "UPDATE entries SET body = replace(hex(zeroblob(1500)), '0', '[') || replace(hex(zeroblob(1500)), '0', ']')",
        "UPDATE entries SET at_us = 'noon' WHERE seq = 20",
        "UPDATE entries SET game = 9 WHERE seq = 20",
        "DELETE FROM entries WHERE seq = 20",
        "UPDATE games SET settings = 'null' WHERE id = 2",
        "UPDATE games SET players = '[]' WHERE id = 2",
        "UPDATE games SET settings = '{\"level\":1e400}' WHERE id = 2",
        "UPDATE games SET settings = '{\"level\":NaN}' WHERE id = 2",
        "UPDATE games SET started_us = 'noon' WHERE id = 2",
        "UPDATE games SET board = x'ff' WHERE id = 1",
        "DELETE FROM games WHERE id = 2",
        "DELETE FROM identity",
        "UPDATE identity SET epoch = x'00'",
        "DROP TABLE identity",
        "DROP TABLE marks",
        "DROP INDEX entries_of_a_game",
        "ALTER TABLE games ADD COLUMN more TEXT",
        "ALTER TABLE entries DROP COLUMN wall",
        "DROP TABLE entries",
        "ALTER TABLE games RENAME COLUMN ended_us TO endee_us",
    ],
)
@pytest.mark.parametrize("is_linked", [False, True])
def test_content_that_nobody_wrote_never_keeps_the_board_from_coming(
    written: Path, tmp_path: Path, statement: str, is_linked: bool
) -> None:
    folder = copied(written, tmp_path / "harmed")
    (folder / "journal.db-witness").unlink()
    with closing(sqlite3.connect(folder / "journal.db", isolation_level=None)) as connection:
        connection.execute("PRAGMA foreign_keys = OFF")
        connection.execute(statement)
    if is_linked and "entries" not in statement.split()[:3]:
        rewrite(folder / "journal.db")
    with opened(folder) as (_, rescued):
        assert rescued is not None


@pytest.mark.parametrize("said", ["1e400", r'"\uD800"', "9" * 5000])
def test_an_entry_whose_links_hold_and_that_no_page_could_write_is_refused_by_its_number(
    written: Path, tmp_path: Path, said: str
) -> None:
    folder = copied(written, tmp_path / "harmed")
    (folder / "journal.db-witness").unlink()
    rewrite(folder / "journal.db", """UPDATE entries SET body = '{"input":?}' WHERE seq = 20""".replace("?", said))
    with Journal.open(folder / "journal.db") as journal, pytest.raises(JournalError, match=r"entry 20"):
        list(journal.read(2))


def test_one_entry_that_nobody_can_read_hides_no_other_game(path: Path) -> None:
    with Journal.open(path) as journal:
        for number in (1, 2):
            journal.begin(GameStart("tamsk", {}, "assistant", Instant(5), "boot-1", "2026-11-20", "1", "tamsk"))
            over = {"ruling": "over", "winner": "red", "reason": "resigned", "turns": number}
            journal.end(Entry(number, EntryKind.RULING, Instant(number), over, "boot-1", "then"))
        assert journal.wait_durable(2)
    path.with_name(f"{path.name}-witness").unlink()
    rewrite(path, "UPDATE entries SET body = replace(body, ':1}', ':?}') WHERE game = 1".replace("?", "9" * 5000))
    with Journal.open(path) as journal:
        assert [ending.get("turns") for ending in journal.endings().values()] == [None, 2]
        assert [game.id for game in journal.games()] == [1, 2]
        with pytest.raises(EntryError, match=r"entry 1 "):
            journal.read(1)


def test_a_guest_that_nobody_can_read_hides_no_game(path: Path) -> None:
    named = {"event": "player_named", "player": "red", "name": "Ada"}
    with Journal.open(path) as journal:
        for number in (1, 2):
            far = {"opponent": "another-board"}
            journal.begin(GameStart("tamsk", far, "assistant", Instant(5), "boot-1", "2026-11-20", "1", "tamsk"))
            journal.append(Entry(number, EntryKind.EVENT, Instant(number), {**named, "n": number}, "boot-1", "then"))
        assert journal.wait_durable(2)
    path.with_name(f"{path.name}-witness").unlink()
    rewrite(path, "UPDATE entries SET body = replace(body, ':1}', ':?}') WHERE game = 1".replace("?", "9" * 5000))
    with Journal.open(path) as journal:
        assert [dict(game.guests) for game in journal.games()] == [{}, {"red": "Ada"}]


def test_a_name_with_letters_beyond_the_65536th_is_read_as_it_was_written(written: Path, tmp_path: Path) -> None:
    folder = copied(written, tmp_path / "written")
    with Journal.open(folder / "journal.db") as journal:
        entry = Entry(2, EntryKind.NOTE, Instant(200), {"name": "Zoë 🂡", "share": 0.5}, "boot-1", "then")
        assert journal.wait_durable(journal.append(entry))
        assert journal.read(2)[-1].entry == entry


def test_a_journal_altered_with_all_its_links_is_found_by_the_witness(written: Path, tmp_path: Path) -> None:
    folder = copied(written, tmp_path / "harmed")
    rewrite(folder / "journal.db", """UPDATE entries SET body = '{"input":"D9"}' WHERE seq = 20""")
    with opened(folder) as (_, rescued):
        assert rescued is not None
        assert "it is another journal" in rescued.statement.message


# What is asked of a new journal


def test_what_was_lost_was_told_to_a_hall_perhaps_so_the_rest_is_told_anew(written: Path, tmp_path: Path) -> None:
    with Journal.open(copied(written, tmp_path / "whole") / "journal.db") as journal:
        before = journal.epoch
    folder = copied(written, tmp_path / "harmed")
    (folder / "journal.db-wal").unlink()
    journal, _ = open_or_rescue(folder / "journal.db", NOW)
    with journal:
        assert journal.epoch != before
        assert journal.acknowledged == 0


def test_where_nothing_is_lost_the_hall_hears_of_the_same_journal(written: Path, tmp_path: Path) -> None:
    folder = copied(written, tmp_path / "harmed")
    with Journal.open(folder / "journal.db") as journal:
        before = journal.epoch
    with closing(sqlite3.connect(folder / "journal.db")) as connection:
        connection.execute("UPDATE games SET ended_us = NULL")
        connection.commit()
    journal, rescued = open_or_rescue(folder / "journal.db", NOW)
    with journal:
        assert rescued is not None
        assert rescued.is_complete
        assert "nothing is lost" in rescued.statement.message
        assert (journal.epoch, journal.games()[0].ended) == (before, ENTRIES // 2)


# How it is kept aside


def files(folder: Path) -> dict[str, bytes]:
    """Everything in a folder but locks and what SQLite shares between its readers."""
    return {path.name: path.read_bytes() for path in folder.iterdir() if not path.name.endswith(("-lock", "-shm"))}


def test_a_second_one_in_the_same_second_gets_a_name_of_its_own(path: Path) -> None:
    for content in (b"first", b"second"):
        path.write_bytes(content)
        keep_aside(path, NOW)
    assert files(path.parent) == {ASIDE: b"first", f"{ASIDE}-2": b"second"}


@pytest.mark.parametrize("allowed", [0, 1])
def test_where_files_cannot_have_two_names_they_are_renamed(
    path: Path, monkeypatch: pytest.MonkeyPatch, allowed: int
) -> None:
    path.write_bytes(b"content")
    path.with_name("journal.db-wal").write_bytes(b"log")
    link, calls = os.link, iter(range(9))

    def refuse(before: Path, after: Path) -> None:
        if next(calls) >= allowed:
            raise PermissionError(1, "Operation not permitted")
        link(before, after)

    monkeypatch.setattr(os, "link", refuse)
    keep_aside(path, NOW)
    assert files(path.parent) == {ASIDE: b"content", f"{ASIDE}-wal": b"log"}


@pytest.mark.parametrize("name", ["link", "unlink", "rename"])
@pytest.mark.parametrize("times", range(6))
def test_a_rescue_that_is_cut_off_is_gone_on_with(
    written: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, times: int
) -> None:
    folder = copied(written, tmp_path / "harmed")
    data = bytearray((folder / "journal.db-wal").read_bytes())
    data[-100] ^= 1
    (folder / "journal.db-wal").write_bytes(data)
    whole, calls = getattr(os, name), iter(range(99))

    def die(*arguments: object, **options: object) -> object:
        if next(calls) >= times:
            raise KeyboardInterrupt
        return whole(*arguments, **options)

    with monkeypatch.context() as dying:
        dying.setattr(os, name, die)
        with suppress(KeyboardInterrupt):
            open_or_rescue(folder / "journal.db", NOW)[0].close()
    with opened(folder) as (held, _):
        assert len(held[1]) >= ENTRIES
    kept = list(folder.glob("journal.db.damaged-*-wal"))
    assert [path.read_bytes() for path in kept] == [bytes(data)] * len(kept) != []


def test_a_journal_that_cannot_be_kept_aside_is_refused(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_names: Path) -> None:
        raise OSError(30, "Read-only file system")

    path.write_bytes(b"no database " * 100)
    monkeypatch.setattr(os, "link", refuse)
    with pytest.raises(JournalError, match=r"nothing in it can be read .* Read-only file system"):
        open_or_rescue(path, NOW)
    assert path.exists()


def test_a_database_of_another_program_is_left_alone(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE recipes (name TEXT)")
    with pytest.raises(JournalError, match="of another program"):
        open_or_rescue(path, NOW)
    assert path.exists()


# Where it stands


def test_after_a_game_and_at_a_start_everything_stands_in_the_file_itself(
    path: Path, start: GameStart, note: Callable[..., Entry], tmp_path: Path
) -> None:
    alone = tmp_path / "alone"

    def games() -> int:
        shutil.copy(path, alone)  # as people copy a journal: without its log
        with closing(sqlite3.connect(alone)) as connection:
            return int(connection.execute("SELECT count(*) FROM entries").fetchone()[0])

    with Journal.open(path) as journal:
        journal.begin(start)
        journal.append(note())
        assert journal.wait_durable(journal.end(note()), 60)
    assert games() == 2
    with Journal.open(path) as journal:
        assert journal.wait_durable(journal.append(note()), 60)
        copy = path.parent / "killed"
        copy.mkdir()
        for name in ("journal.db", "journal.db-wal", "journal.db-witness"):
            shutil.copy(path.with_name(name), copy / name)
    with Journal.open(copy / "journal.db"):
        path = copy / "journal.db"
        assert games() == 3
