"""The tests of what the journal keeps, refuses and acknowledges, with a disk that works."""

import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from gnomon.records.journal import _witness as witness
from gnomon.records.journal import store
from gnomon.records.journal.entries import Entry, EntryKind, Excerpt, GameStart, Record, StoredGame
from gnomon.records.journal.writer import Journal, JournalError
from gnomon.timekeeping.instants import Instant

Note = Callable[..., Entry]
PATIENCE = 60.0  # seconds; a bound for a machine in trouble, never waited for


@pytest.fixture
def journal(path: Path) -> Iterator[Journal]:
    with Journal.open(path, retry_after=None) as opened:
        yield opened


def written(journal: Journal, *entries: Entry) -> list[int]:
    numbers = [journal.append(entry) for entry in entries]
    assert journal.wait_durable(numbers[-1], PATIENCE)
    return numbers


# What it keeps


def test_a_new_journal_holds_no_game(journal: Journal) -> None:
    assert (journal.last_game(), list(journal.games()), journal.durable_seq) == (None, [], 0)


def test_what_is_written_is_read_back(journal: Journal, start: GameStart, note: Note) -> None:
    game = journal.begin(start)
    entries = [
        note("edge", at=5, kind=EntryKind.RAW),
        note("ruling", at=5, kind=EntryKind.RULING, cause=1),
        note("Jürgen\n\x00 \N{HOURGLASS}", at=2**62, kind=EntryKind.EVENT),
    ]
    assert written(journal, *entries) == [1, 2, 3]
    assert journal.last_game() == StoredGame(game, start, None)
    assert list(journal.read(game)) == [Record(seq, entry) for seq, entry in enumerate(entries, 1)]


def test_a_game_has_the_names_of_those_who_came_from_another_board(journal: Journal, start: GameStart) -> None:
    distant = replace(start, settings={"opponent": "another-board"}, players={"red": "Ada"})

    def name(game: int, player: str, name: str) -> Entry:
        body = {"event": "player_named", "player": player, "name": name, "who": "the other board"}
        return Entry(game, EntryKind.EVENT, Instant(5), body, "boot-1", "")

    one, two, three = journal.begin(distant), journal.begin(start), journal.begin(distant)
    written(journal, name(one, "black", ""), name(one, "black", "Bo"), name(two, "black", "Cleo"), name(three, "x", ""))
    assert [dict(game.players) for game in journal.games()] == [{"red": "Ada", "black": "Bo"}, {}, {"red": "Ada"}]
    assert [game.start for game in journal.games()] == [distant, start, distant], "as they began, for the chain"


def test_entries_are_numbered_through_all_games_and_read_by_game(
    journal: Journal, start: GameStart, note: Note
) -> None:
    first, second = journal.begin(start), journal.begin(start)
    written(journal, note("a", game=first), note("b", game=second), note("c", game=first))
    assert [record.seq for record in journal.read(first)] == [1, 3]
    assert [game.id for game in journal.games()] == [first, second]


def test_everything_is_there_when_the_journal_is_opened_again(path: Path, start: GameStart, note: Note) -> None:
    with Journal.open(path) as journal:
        game = journal.begin(start)
        for number in range(10):
            journal.append(note(number))
    with Journal.open(path) as journal:
        assert (journal.durable_seq, [record.entry for record in journal.read(game)]) == (
            10,
            [note(number) for number in range(10)],
        )
        assert (journal.begin(start), journal.append(note("next"))) == (game + 1, 11)


def test_a_game_ends_with_an_entry_and_may_go_on_after_all(journal: Journal, start: GameStart, note: Note) -> None:
    game = journal.begin(start)
    assert journal.wait_durable(journal.end(note("over", at=77)), PATIENCE)
    assert journal.games()[0].ended == 77
    assert journal.wait_durable(journal.reopen(note("void", at=80)), PATIENCE)
    assert (journal.games()[0].ended, len(journal.read(game))) == (None, 2)


class Gate:
    """A callback that holds the journal's thread after the commit of an entry, until it is opened."""

    def __init__(self) -> None:
        self.held = threading.Event()
        self.opened = threading.Event()

    def __call__(self, seq: int) -> None:
        if seq:
            self.held.set()
            self.opened.wait(PATIENCE)


def test_only_what_is_durable_is_read(path: Path, start: GameStart, note: Note) -> None:
    gate = Gate()
    with Journal.open(path) as journal:
        journal.on_durable(gate)
        game = journal.begin(start)
        journal.append(note("durable"))
        assert gate.held.wait(PATIENCE)
        journal.append(note("queued"))
        assert (len(journal.read(game)), journal.queued, journal.durable_seq) == (1, 1, 1)
        gate.opened.set()


# What it acknowledges


def test_everything_queued_is_committed_together_and_acknowledged_once(
    path: Path, start: GameStart, note: Note
) -> None:
    gate, acknowledged = Gate(), list[int]()
    with Journal.open(path) as journal:
        journal.on_durable(gate)
        journal.on_durable(acknowledged.append)
        journal.begin(start)
        journal.append(note("holds the writer after its commit"))
        assert gate.held.wait(PATIENCE)
        for number in range(100):
            journal.append(note(number))
        gate.opened.set()
    assert acknowledged[-2:] == [1, 101]


def test_an_entry_is_in_the_file_when_it_is_acknowledged(path: Path, start: GameStart, note: Note) -> None:
    seen = []
    with Journal.open(path) as journal:
        journal.on_durable(lambda seq: seen.append((seq, len(journal.read(1)))))
        journal.begin(start)
        for number in range(20):
            written(journal, note(number))
    assert seen[-1] == (20, 20)
    assert all(seq == stored for seq, stored in seen)


def test_many_threads_may_write_and_each_keeps_its_order(journal: Journal, start: GameStart, note: Note) -> None:
    game = journal.begin(start)
    numbers: dict[int, list[int]] = {}

    def write(thread: int) -> None:
        numbers[thread] = [journal.append(note([thread, number])) for number in range(200)]

    threads = [threading.Thread(target=write, args=(thread,)) for thread in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert journal.wait_durable(1200, PATIENCE)
    assert sorted(seq for own in numbers.values() for seq in own) == list(range(1, 1201))
    stored = {record.seq: record.entry.body["number"] for record in journal.read(game)}
    assert all(stored[seq] == [thread, n] for thread, own in numbers.items() for n, seq in enumerate(own))


def test_waiting_gives_up_when_nothing_comes(journal: Journal) -> None:
    assert not journal.wait_durable(1, 0)


# What it refuses


@pytest.mark.parametrize("game", [0, 2, -1])
def test_an_entry_of_a_game_that_never_began_is_refused(
    journal: Journal, start: GameStart, note: Note, game: int
) -> None:
    journal.begin(start)
    with pytest.raises(ValueError, match=f"no game {game} in the journal"):
        journal.append(note(game=game))


@pytest.mark.parametrize("cause", [0, 1, 2])
def test_an_entry_cannot_be_caused_by_itself_or_a_later_one(
    journal: Journal, start: GameStart, note: Note, cause: int
) -> None:
    journal.begin(start)
    with pytest.raises(ValueError, match=f"no entry {cause} in the journal"):
        journal.append(note(cause=cause))


@pytest.mark.parametrize("body", [float("nan"), object(), {1, 2}])
def test_what_json_cannot_say_is_refused_and_takes_no_number(
    journal: Journal, start: GameStart, note: Note, body: object
) -> None:
    journal.begin(start)
    with pytest.raises((ValueError, TypeError)):
        journal.append(note(body))
    assert written(journal, note("next")) == [1]


def test_a_stamp_beyond_sixty_three_bits_is_refused(journal: Journal, start: GameStart, note: Note) -> None:
    journal.begin(start)
    with pytest.raises(ValueError, match="too large for the journal"):
        journal.append(note(at=2**63))


def test_half_a_character_is_refused(journal: Journal, start: GameStart) -> None:
    journal.begin(start)
    with pytest.raises(ValueError, match="surrogates"):
        journal.append(Entry(1, EntryKind.NOTE, Instant(0), {}, "boot", "\ud800"))


def test_a_closed_journal_takes_nothing(path: Path, start: GameStart, note: Note) -> None:
    journal = Journal.open(path)
    journal.begin(start)
    journal.close()
    journal.close()
    with pytest.raises(JournalError, match="is closed"):
        journal.append(note())
    with pytest.raises(JournalError, match="is closed"):
        journal.begin(start)


def test_a_journal_damaged_while_it_is_open_is_not_read(
    journal: Journal, path: Path, start: GameStart, note: Note
) -> None:
    journal.begin(start)
    written(journal, note())
    path.write_bytes(b"sand " * 5000)
    path.with_name(path.name + "-wal").write_bytes(b"")
    with pytest.raises(JournalError, match="damaged"):
        journal.read(1)


# How it is opened


def test_a_second_process_is_refused_with_one_sentence(journal: Journal, path: Path) -> None:
    program = (
        "import sys; from pathlib import Path; from gnomon.records.journal.writer import Journal, JournalError\n"
        "try: Journal.open(Path(sys.argv[1]))\n"
        "except JournalError as error: print(error)"
    )
    told = subprocess.run([sys.executable, "-c", program, path], capture_output=True, text=True, check=True)
    assert told.stdout == f"the journal {path} is open in another process; only one may write it\n"
    assert journal.failed is None


def test_even_the_same_process_opens_it_once(journal: Journal, path: Path) -> None:
    with pytest.raises(JournalError, match="only one may write it"):
        Journal.open(path)
    assert journal.failed is None


def test_a_journal_that_was_closed_may_be_opened_by_another(path: Path) -> None:
    for _ in range(2):
        Journal.open(path).close()


def refusal(path: Path) -> str:
    with pytest.raises(JournalError) as refused:
        Journal.open(path)
    sentence = str(refused.value)
    assert "\n" not in sentence
    assert str(path) in sentence
    return sentence


def test_a_file_that_is_no_database_is_refused_and_left_alone(path: Path) -> None:
    path.write_bytes(b"sand " * 5000)
    assert "is damaged: nothing in it can be read" in refusal(path)
    assert path.read_bytes() == b"sand " * 5000


def test_a_database_of_another_program_is_refused(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE recipes (name TEXT)")
    assert "of another program" in refusal(path)


def test_a_newer_journal_asks_for_a_newer_program(path: Path) -> None:
    Journal.open(path).close()
    witness.path_beside(path).unlink()  # it says that the file was not made by a newer program
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA user_version = 99")
    assert f"has version 99 and this Gnomon knows up to {len(store.MIGRATIONS)}: update Gnomon" in refusal(path)


def test_an_older_journal_gets_the_new_tables_and_keeps_its_games(
    path: Path, start: GameStart, note: Note, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Journal.open(path) as journal:
        journal.begin(start)
        journal.append(note())
    version = len(store.MIGRATIONS)
    monkeypatch.setattr(store, "MIGRATIONS", (*store.MIGRATIONS, ("CREATE TABLE outbox (seq INTEGER)",)))
    with Journal.open(path) as journal:
        assert len(journal.read(1)) == 1
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (version + 1,)
        assert connection.execute("SELECT count(*) FROM outbox").fetchone() == (0,)


def test_a_journal_from_before_there_were_other_games_holds_games_of_tamsk(
    path: Path, start: GameStart, note: Note
) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        for statement in store.MIGRATIONS[0]:
            connection.execute(statement)
        connection.execute(f"PRAGMA application_id = {store.APPLICATION}")
        connection.execute("PRAGMA user_version = 1")
        columns = "board, settings, temperament, started_us, boot, wall, version"
        values = (start.board, '{"level": 2}', start.temperament, start.started, start.boot, start.wall, start.version)
        connection.execute(f"INSERT INTO games ({columns}) VALUES (?, ?, ?, ?, ?, ?, ?)", values)  # noqa: S608 - the columns are the test's own
    with Journal.open(path) as journal:
        assert journal.games() == [StoredGame(1, start, None)]
        assert journal.games()[0].start.game == "tamsk"
        assert written(journal, note()) == [1]


def test_the_journal_knows_game_and_board(path: Path, note: Note) -> None:
    start = GameStart("table", {"size": 6}, "silent", Instant(7), "boot", "then", "1", "tabik")
    with Journal.open(path) as journal:
        journal.begin(start)
        written(journal, note())
    with Journal.open(path) as journal:
        assert journal.last_game() == StoredGame(1, start, None)


@pytest.mark.parametrize("page", [1, 2, 3, 4])
def test_a_damaged_page_is_found_before_anything_is_written(
    path: Path, start: GameStart, note: Note, page: int
) -> None:
    with Journal.open(path) as journal:
        journal.begin(start)
        for number in range(500):
            journal.append(note(number))
    content = bytearray(path.read_bytes())
    content[page * 4096 : page * 4096 + 200] = b"\xa5" * 200
    path.write_bytes(content)
    assert "damaged" in refusal(path)
    assert path.read_bytes() == content


def test_a_journal_that_lost_its_end_is_refused(path: Path, start: GameStart, note: Note) -> None:
    with Journal.open(path) as journal:
        journal.begin(start)
        for number in range(500):
            journal.append(note(number))
    path.write_bytes(path.read_bytes()[:9000])
    assert "damaged" in refusal(path)


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    assert "No such file or directory" in refusal(tmp_path / "nowhere" / "journal.db")


def test_a_folder_is_no_journal(tmp_path: Path) -> None:
    folder = tmp_path / "journal.db"
    folder.mkdir()
    assert "nothing in it can be read (it is a folder)" in refusal(folder)


def test_every_commit_waits_for_the_disk(path: Path) -> None:
    with closing(store.connect(path)) as connection:
        assert connection.execute("PRAGMA synchronous").fetchone() == (2,)  # FULL
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_a_file_system_that_cannot_write_ahead_is_refused(path: Path) -> None:
    # A database in memory cannot either, and SQLite says so in the same way.
    with (
        closing(sqlite3.connect(":memory:")) as connection,
        pytest.raises(JournalError, match="move it to a local disk"),
    ):
        store._write_ahead(connection, path)


# What a hall has of it


def test_a_journal_has_an_epoch_of_its_own_and_keeps_it(path: Path, tmp_path: Path) -> None:
    with Journal.open(path) as journal, Journal.open(tmp_path / "other") as other:
        epoch = journal.epoch
        assert len(epoch) == 16
        assert other.epoch != epoch
    with Journal.open(path) as journal:
        assert journal.epoch == epoch


def test_what_a_hall_has_is_remembered_with_the_next_entry(path: Path, start: GameStart, note: Note) -> None:
    with Journal.open(path) as journal:
        journal.begin(start)
        written(journal, note("a"), note("b"))
        journal.acknowledge(2)
        assert journal.acknowledged == 2
        written(journal, note("c"))
        journal.acknowledge(3)
    with Journal.open(path) as journal:
        assert journal.acknowledged == 2


def test_a_journal_from_an_old_copy_goes_on_as_another_one(path: Path, start: GameStart, note: Note) -> None:
    with Journal.open(path) as journal:
        journal.begin(start)
        written(journal, note("a"))
        journal.acknowledge(1)
        journal.renew("another")
    with Journal.open(path) as journal:
        assert (journal.epoch, journal.acknowledged, journal.durable_seq) == ("another", 0, 1)


def test_entries_are_read_from_a_number_on_with_their_games(journal: Journal, start: GameStart, note: Note) -> None:
    first, second = journal.begin(start), journal.begin(start)
    written(journal, *(note(number, game=first if number < 3 else second) for number in range(6)))
    excerpt = journal.records_after(1, 3)
    assert [record.seq for record in excerpt.records] == [2, 3, 4]
    assert [game.id for game in excerpt.games] == [first, second]
    assert [game.id for game in journal.records_after(3, 50).games] == [second]
    assert journal.records_after(6, 50) == Excerpt((), ())


def test_remarks_are_found_by_what_they_say(journal: Journal, start: GameStart, note: Note) -> None:
    journal.begin(start)
    written(journal, *(note(word) for word in ("request", "x", "request", 'say "request"')))
    assert [record.seq for record in journal.notes("number", "request", 0)] == [1, 3]
    assert [record.seq for record in journal.notes("number", "request", 1)] == [3]


def test_what_is_written_together_is_committed_together(path: Path, start: GameStart, note: Note) -> None:
    commits = list[int]()
    with Journal.open(path) as journal:
        journal.begin(start)
        written(journal, note("first"))
        journal.on_durable(commits.append)
        with journal.together():
            for number in range(20):
                journal.append(note(number))
        assert journal.wait_durable(21, PATIENCE)
    assert commits == [21]
