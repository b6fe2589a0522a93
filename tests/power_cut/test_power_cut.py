"""The proof that what was acknowledged survives a power cut, and that no less than `synchronous=FULL` does it."""

import shutil
from pathlib import Path
from random import Random

import pytest

from gnomon.records.journal.writer import Journal, JournalError
from tests.power_cut.cut_disk import Power

SMALL_CHECKPOINTS = "8"  # pages: the log is copied into the database and begun again all the time
CUTS = 25
CREATION = 66  # operations in which a new journal comes into being and takes its first entries


def found(disk: Path, copy: Path) -> dict[int, object]:
    """Which life wrote each entry of the journal on the disk; read on a copy, since opening it repairs it."""
    shutil.copytree(disk, copy)
    with Journal.open(copy / "journal.db") as journal:
        return {record.seq: record.entry.body["life"] for game in journal.games() for record in journal.read(game.id)}


def test_nothing_acknowledged_is_lost_wherever_the_power_is_cut_while_a_journal_is_made(
    power: Power, tmp_path: Path
) -> None:
    acknowledged = 0
    for at in range(1, CREATION + 1):
        disk = tmp_path / f"disk{at}"
        disk.mkdir()
        cut = power.cut(disk, at, "FULL", SMALL_CHECKPOINTS)
        for nature, chance in (("nothing", None), ("something", Random(at))):
            after = cut.disk(tmp_path / f"{nature}{at}", chance)
            stored = found(after, tmp_path / f"copy-{nature}{at}")
            assert cut.promised <= set(stored), (at, nature)
        acknowledged += len(cut.promised)
    assert acknowledged > 10


@pytest.mark.parametrize("nature", ["nothing", "something"])
def test_nothing_acknowledged_is_lost_over_many_cuts_of_one_journal(power: Power, tmp_path: Path, nature: str) -> None:
    chance = Random(nature)
    acknowledged: dict[int, int] = {}  # the life in which each entry was acknowledged
    disk = tmp_path / "disk"
    disk.mkdir()
    for _ in range(CUTS):
        before = found(disk, tmp_path / f"before{power.lives}") if power.lives else {}
        cut = power.cut(disk, chance.randrange(20, 200), "FULL", SMALL_CHECKPOINTS)
        acknowledged.update(dict.fromkeys(cut.promised - set(before), power.lives))
        disk = cut.disk(tmp_path / f"after{power.lives}", chance if nature == "something" else None)
        stored = found(disk, tmp_path / f"copy{power.lives}")
        assert sorted(stored) == list(range(1, len(stored) + 1))
        lost = {seq: life for seq, life in acknowledged.items() if stored.get(seq) != life}
        assert not lost, power.lives
    assert len(set(acknowledged.values())) > CUTS // 2


def test_nothing_acknowledged_is_lost_when_the_disk_once_failed_to_write(power: Power, tmp_path: Path) -> None:
    # The failing synchronisation is reported once and its pages are forgotten; the journal has to write them again.
    acknowledged = 0
    for fails_at in range(1, 21):
        disk = tmp_path / f"disk{fails_at}"
        disk.mkdir()
        cut = power.cut(disk, 150, "FULL", sync_fails_at=fails_at)
        stored = found(cut.disk(tmp_path / f"after{fails_at}", None), tmp_path / f"copy{fails_at}")
        assert cut.promised <= set(stored), fails_at
        acknowledged += len(cut.promised)
    assert acknowledged > 100


def test_nothing_acknowledged_is_lost_when_a_new_process_finds_what_the_disk_failed_to_write(
    power: Power, tmp_path: Path
) -> None:
    # The log read from memory looks whole, and on the disk has a hole: what is written behind the hole would be lost.
    acknowledged = 0
    for fails_at in range(1, 17):
        disk = tmp_path / f"disk{fails_at}"
        disk.mkdir()
        cut = power.cut_later(disk, 80, "FULL", sync_fails_at=fails_at)
        stored = found(cut.disk(tmp_path / f"after{fails_at}", None), tmp_path / f"copy{fails_at}")
        assert cut.promised <= set(stored), fails_at
        acknowledged += len(cut.promised)
    assert acknowledged > 100


@pytest.mark.parametrize("synchronous", ["NORMAL", "OFF"])
def test_anything_less_than_full_synchronisation_loses_what_was_acknowledged(
    power: Power, tmp_path: Path, synchronous: str
) -> None:
    """The control: were nothing lost here, the tests above would prove nothing."""
    lost = 0
    for at in range(100, 150, 10):
        disk = tmp_path / f"disk{at}"
        disk.mkdir()
        cut = power.cut(disk, at, synchronous)
        try:
            stored = found(cut.disk(tmp_path / f"after{at}", None), tmp_path / f"copy{at}")
        except JournalError:
            stored = {}
        lost += len(cut.promised - set(stored))
    assert lost > 50
