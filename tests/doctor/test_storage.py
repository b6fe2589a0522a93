"""Where the journal stands, what is in it, and how systemd keeps the daemon."""

import errno
import os
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from gnomon.records.journal import store
from gnomon.records.journal.entries import Entry, EntryKind, GameStart
from gnomon.records.journal.writer import Journal
from gnomon.refusals import NOTHING
from gnomon.timekeeping.instants import Instant
from gnomon_pi.runtime.system.mounts import mount_of
from gnomon_pi.tools.doctor import _storage as storage
from gnomon_pi.tools.doctor._installation import check_safe_mode, check_service, holder
from gnomon_pi.tools.doctor._storage import check_journal, contents
from gnomon_pi.tools.doctor.finding import Severity
from gnomon_pi.tools.doctor.machine import Space, exists
from tests.doctor.machines import SERVICE, Planted, said, worse

JOURNAL = Path("/var/lib/gnomond/tamsk.journal")
START = GameStart("tamsk", {"level": 2}, "assistant", Instant(0), "boot", "2026-11-20T10:00:00+00:00", "0.1.0")


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A journal with a game that has ended, and one that goes on."""
    path = tmp_path_factory.mktemp("played") / "journal"
    with Journal.open(path) as journal:
        for is_over in (True, False):
            number = journal.begin(START)
            entry = Entry(number, EntryKind.NOTE, Instant(5), {"note": "Ada"}, "boot", "2026-11-20T10:00:00+00:00")
            journal.append(entry)
            if is_over:
                journal.end(entry)
    return path


# The file system


def mounted(pi: Planted, row: str, root: str = "/dev/mmcblk0p2 / ext4 rw 0 0") -> str:
    """What is said of a journal under /var when that is mounted so."""
    pi.plant({"/proc/mounts": f"{root}\n{row}\n"})
    return said(storage.check_file_system(pi.machine(), JOURNAL))


@pytest.mark.parametrize(
    ("row", "told"),
    [
        ("", "ok: file system: The journal is on ext4, mounted at /."),
        (
            "overlay /var overlay rw 0 0",
            "warning: file system: The journal is on overlay, mounted at /var: it is lost",
        ),
        (
            "tmpfs /var/lib tmpfs rw 0 0",
            "warning: file system: The journal is on tmpfs, mounted at /var/lib: it is",
        ),
        (
            "/dev/sda1 /var ext4 ro,noatime 0 0",
            "FAULT: file system: The journal is on ext4, mounted at /var, which is",
        ),
        (
            "nas:/x /var nfs4 rw 0 0",
            "FAULT: file system: The journal is on nfs4, mounted at /var, on another machine",
        ),
        (
            "/dev/sda1 /var vfat rw 0 0",
            "warning: file system: The journal is on vfat, mounted at /var, which a power cut",
        ),
        ("/dev/sda1 /var ext4 ro 0 0\n/dev/sda1 /var ext4 rw 0 0", "ok"),
    ],
)
def test_the_file_system_under_the_journal_is_judged(pi: Planted, row: str, told: str) -> None:
    assert mounted(pi, row).startswith(told)


def test_a_system_that_may_only_be_read_is_well_beside_a_partition_for_the_journal(pi: Planted) -> None:
    told = mounted(pi, "/dev/mmcblk0p3 /var/lib/gnomond ext4 rw 0 0", root="/dev/mmcblk0p2 / ext4 ro 0 0")
    assert told.startswith("ok")
    assert "the system's own partition is read-only" in told


def test_blanks_in_the_name_of_a_mount_are_read(pi: Planted) -> None:
    pi.plant({"/proc/mounts": "/dev/sda1 /media/ada/MY\\040DISK ext4 rw 0 0\nnonsense\n"})
    mount = mount_of(Path("/media/ada/MY DISK/journal"), pi.machine().text("/proc/mounts"))
    assert mount is not None
    assert mount.point == "/media/ada/MY DISK"
    assert "does not say" in said(storage.check_file_system(pi.machine(), JOURNAL))


# Room, rights and wear


@pytest.mark.parametrize(
    ("space", "mark"),
    [
        (Space(40 * 2**20, 2**34, 10_000), Severity.FAULT),
        (Space(400 * 2**20, 2**34, 10_000), Severity.WARNING),
        (Space(2**33, 2**34, 900), Severity.WARNING),
        (Space(2**33, 2**34, 10_000), Severity.OK),
        (Space(2**33, 2**34), Severity.OK),
    ],
)
def test_room_is_judged_in_bytes_and_in_files(pi: Planted, tmp_path: Path, space: Space, mark: Severity) -> None:
    machine = pi.machine(space=lambda _path: space)
    assert [finding.mark for finding in storage.check_space(machine, tmp_path / "journal")] == [mark]


def test_a_disk_that_does_not_tell_is_a_note(pi: Planted, tmp_path: Path) -> None:
    def refuse(_path: Path) -> Space:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    assert said(storage.check_space(pi.machine(space=refuse), tmp_path / "journal")).startswith("note: space")


def test_a_place_that_may_not_be_written_is_a_fault_until_a_service_has_its_journal_there(
    pi: Planted, tmp_path: Path
) -> None:
    machine = pi.machine(may=lambda _path, what: what == "read")
    journal = tmp_path / "deep" / "journal"
    assert "where the journal is to be" in said(worse(storage.check_space(machine, journal)))
    journal.parent.mkdir()
    journal.touch()
    assert "perhaps it is the service's" in said(storage.check_space(machine, journal))
    assert worse(storage.check_space(machine, journal)) == []


def test_errors_and_wear_of_the_disk_are_told(pi: Planted) -> None:
    assert said(storage.check_wear(pi.machine())) == (
        "ok: disk: The card was made in 03/2024; its file system has had no errors. > "
    )
    pi.plant({"/sys/fs/ext4/mmcblk0p2/errors_count": "3\n", "/sys/block/mmcblk0/device/life_time": "0x02 0x0A\n"})
    told = said(worse(storage.check_wear(pi.machine())))
    assert "The file system on mmcblk0p2 has had 3 errors" in told
    assert "The memory on mmcblk0 has used up 90 % of its life." in told
    pi.plant({"/sys/block/mmcblk0/device/life_time": "0x02 0x01\n"})
    assert "at most 20 %" in said(storage.check_wear(pi.machine()))


# The journal


def test_a_journal_is_told_with_the_game_that_goes_on(played: Path) -> None:
    told = said(check_journal(played))
    assert "ok: journal: Whole: 2 games, 3 entries" in told
    assert "note: last game: tamsk began 2026-11-20T10:00:00+00:00 and has not ended" in told


def test_a_journal_is_read_while_another_writes_it(tmp_path: Path) -> None:
    with Journal.open(tmp_path / "journal") as journal:
        journal.wait_durable(journal.append(Entry(journal.begin(START), EntryKind.NOTE, Instant(1), {}, "boot", "now")))
        assert "1 game, 1 entry" in said(check_journal(tmp_path / "journal"))


def test_a_summary_names_nobody(played: Path) -> None:
    summary = contents(played).summary()
    assert summary["games"] == 2
    assert "Ada" not in str(summary)


def test_a_missing_journal_is_a_note(tmp_path: Path) -> None:
    assert said(check_journal(tmp_path / "none")).startswith("note: journal: There is none")


def test_a_journal_in_a_closed_folder_is_a_note(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def refuse(_path: Path, **_options: object) -> os.stat_result:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))

    # Root, as whom tests may run, is refused nowhere.
    monkeypatch.setattr(Path, "stat", refuse)
    assert "Permission denied. > Run the doctor as the service's user" in said(check_journal(tmp_path / "journal"))
    assert not exists(tmp_path)


def tear(path: Path) -> None:
    """Damage the pages of a journal behind its head."""
    with path.open("r+b") as file:
        file.seek(4096)
        file.write(b"\xff" * 8192)


def strange(path: Path) -> None:
    """Put something else in its place."""
    path.write_text("not a database at all, and long enough to be looked at as one" * 10)


def other(path: Path) -> None:
    """Put a database of another program in its place."""
    path.unlink()
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE recipes (name TEXT)")


def newer(path: Path) -> None:
    """Make it one of a later version."""
    with sqlite3.connect(path) as connection:
        connection.execute(f"PRAGMA user_version = {len(store.MIGRATIONS) + 1}")


def older(path: Path) -> None:
    """Put one of the first version in its place."""
    path.unlink()
    with sqlite3.connect(path) as connection:
        for statement in store.MIGRATIONS[0]:
            connection.execute(statement)
        connection.execute(f"PRAGMA application_id = {store.APPLICATION}")
        connection.execute("PRAGMA user_version = 1")


@pytest.mark.parametrize(
    ("harm", "mark", "words"),
    [
        (tear, "FAULT", "damaged"),
        (strange, "FAULT", "nothing in it can be read"),
        (other, "FAULT", "of another program, not a journal"),
        (newer, "FAULT", "update Gnomon"),
        (older, "note", "brings it up to date"),
    ],
)
def test_what_is_wrong_with_a_journal_is_one_sentence(
    played: Path, tmp_path: Path, harm: Callable[[Path], None], mark: str, words: str
) -> None:
    path = tmp_path / "journal"
    path.write_bytes(played.read_bytes())
    harm(path)
    (told,) = said(check_journal(path)).splitlines()
    assert told.startswith(f"{mark}: journal: ")
    assert words in told


def test_a_log_that_has_grown_is_warned_of(played: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(storage, "_LONG_LOG", 10)
    path = tmp_path / "journal"
    with Journal.open(path) as journal:
        journal.begin(START)
        journal.wait_durable(journal.append(Entry(1, EntryKind.NOTE, Instant(1), {}, "boot", "now")))
        assert "Its log has grown" in said(check_journal(path))
    assert "Its log" not in said(check_journal(played))


# The service


def systemd(pi: Planted, **changes: str) -> str:
    """What is said when systemd tells other things than usual."""
    told = dict(row.split("=") for row in SERVICE.splitlines()) | changes
    pi.commands["systemctl", "show", "gnomond.service"] = "\n".join(f"{name}={value}" for name, value in told.items())
    return said(check_service(pi.machine()))


def test_a_service_that_is_kept_well_is_told(pi: Planted) -> None:
    assert systemd(pi) == "ok: service: gnomond.service is inactive (dead), and enabled. > "


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"LoadState": "not-found"}, "note: service: There is no gnomond.service"),
        ({"UnitFileState": "disabled"}, "note: service: gnomond.service is inactive (dead), and disabled"),
        ({"ActiveState": "failed", "Result": "watchdog"}, "warning: service: gnomond.service has failed (watchdog)."),
        ({"NRestarts": "1"}, "note: restarts: systemd had to start it again 1 time."),
        ({"NRestarts": "7"}, "warning: restarts: systemd had to start it again 7 times."),
        ({"WatchdogUSec": "0"}, "warning: watchdog: systemd does not watch the daemon"),
    ],
)
def test_what_is_not_well_with_the_service_is_told(pi: Planted, changes: dict[str, str], told: str) -> None:
    assert told in systemd(pi, **changes)


def test_without_systemd_there_is_no_service(pi: Planted) -> None:
    pi.commands.clear()
    assert said(check_service(pi.machine())).startswith("note: service: There is no gnomond.service")
    assert said(check_safe_mode(pi.machine())) == ""


def test_a_systemd_that_takes_too_long_to_answer_does_not_mean_that_there_is_no_service(pi: Planted) -> None:
    pi.commands.clear()
    (pi.root / "run/systemd/system").mkdir(parents=True)
    assert "note: service: systemd did not say in time how gnomond.service is" in said(check_service(pi.machine()))


def test_the_safe_mode_is_told_by_its_flag_and_by_its_unit(pi: Planted) -> None:
    assert said(check_safe_mode(pi.machine())) == ""
    pi.commands["systemctl", "show", "gnomond-safe.service"] = "ActiveState=active\n"
    told = said(check_safe_mode(pi.machine()))
    assert "gnomond failed again and again" in told
    # systemd refuses to start a unit that has failed too often, until its failures are forgotten.
    assert "sudo systemctl reset-failed gnomond.service; sudo systemctl restart gnomond.service" in told
    pi.plant({"/boot/firmware/gnomon-safe": ""})
    assert "sudo rm /boot/firmware/gnomon-safe" in said(check_safe_mode(pi.machine()))


def test_a_daemon_is_found_by_its_unit_and_by_its_lock(pi: Planted, tmp_path: Path) -> None:
    path = tmp_path / "journal"
    assert holder(pi.machine(), path) is NOTHING
    lock = tmp_path / "journal-lock"
    lock.touch()
    inode = lock.stat().st_ino
    pi.plant({"/proc/locks": f"1: POSIX  ADVISORY  WRITE 7 08:01:{inode} 0 EOF\n"})
    assert holder(pi.machine(), path) is NOTHING
    pi.plant({"/proc/locks": f"1: FLOCK  ADVISORY  WRITE 4711 08:01:{inode} 0 EOF\n"})
    assert str(holder(pi.machine(), path)) == "gnomond, process 4711"
    systemd(pi, ActiveState="active")
    assert str(holder(pi.machine(), path)) == "gnomond.service"


def test_the_lock_of_a_real_journal_stands_among_the_locks_of_this_kernel(pi: Planted, tmp_path: Path) -> None:
    with Journal.open(tmp_path / "journal"):
        pi.plant({"/proc/locks": Path("/proc/locks").read_bytes()})
        assert str(holder(pi.machine(), tmp_path / "journal")) == f"gnomond, process {os.getpid()}"
