"""The proof that what was acknowledged survives `kill -9` at any moment."""

import os
import subprocess
import sys
from pathlib import Path
from random import Random

import gnomon
from gnomon.records.journal.writer import Journal

KILLS = 60
WRITER = Path(__file__).with_name("journal_writer.py")


def one_life(path: Path, life: int, acknowledgements: int) -> list[int]:
    """Let the writer write until it has acknowledged so often, kill it, and say what it had acknowledged by then."""
    # Without site packages the interpreter starts twice as fast.
    command = [sys.executable, "-S", str(WRITER), str(path), str(life), "1000000"]
    world = {**os.environ, "PYTHONPATH": str(Path(gnomon.__file__).parents[1])}
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=world) as writer:
        assert writer.stdout is not None
        heard = [writer.stdout.readline() for _ in range(acknowledgements)]
        writer.kill()
        heard += writer.stdout.readlines()
    return [int(line) for line in heard if line.endswith(b"\n")]


def test_nothing_acknowledged_is_lost_in_a_storm_of_kills(path: Path) -> None:
    chance = Random(2026)
    acknowledged: dict[int, int] = {}  # the life in which each entry was acknowledged
    durable = 0
    for life in range(KILLS):
        for seq in one_life(path, life, chance.randrange(20)):
            acknowledged.update((number, life) for number in range(durable + 1, seq + 1))
            durable = seq
        with Journal.open(path) as journal:
            assert journal.durable_seq >= durable
            durable = journal.durable_seq  # what was committed and not yet acknowledged may be there, too
    with Journal.open(path) as journal:
        stored = {record.seq: record.entry.body["life"] for record in journal.read(1)}
    lost = {seq for seq, life in acknowledged.items() if stored.get(seq) != life}
    assert not lost
    assert sorted(stored) == list(range(1, durable + 1))
    assert len(set(acknowledged.values())) > KILLS // 2
