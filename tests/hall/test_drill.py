"""The drill of a hall, in short: what is killed in the middle of a tournament, and what is there at the end."""

import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from gnomon.hall.clock import wall
from gnomon.hall.rounds.event_log_rows import SqlBook
from gnomon.hall.store.backend import open_database
from gnomon.tournament.event_log.codec import told_text
from gnomon.tournament.events import ResultEntered
from gnomon.tournament.state.results import GameResult
from tests.hall.drill import Drill, Servers, Size, say
from tests.hall.drill_child import Child
from tests.hall.drill_hub import NAME
from tests.hall.drill_proof import ProofError, proven
from tests.hall.servers import Mosquitto, PgBouncer, PostgreSql, bridge_to

FEW = Size(boards=8, processes=2, records=10, broker_kills=1, hub_kills=1, board_kills=1, cuts=1)

LIES = (
    ("UPDATE hall_records SET body = '{}' WHERE board = 't03' AND seq = 5", "t03, records from 1 on"),
    ("UPDATE hall_epochs SET through = through - 1 WHERE board = 't02'", "the hall does not know what it has"),
    ("DELETE FROM hall_records WHERE board = 't01' AND seq = 7", "records in the hall, and of the journals"),
)
"""What is made wrong in the hall, one after the other, and what the proof then says: the last is seen first."""


def alter_the_last_result(where: str) -> None:
    """Write into the book of the drill that both have lost, as no board has ruled."""
    database = open_database(where)
    told = SqlBook(database, NAME, wall).read()[-1]
    assert isinstance(told.event, ResultEntered)
    altered = told._replace(event=replace(told.event, result=(GameResult.BOTH_LOST,)))
    with database.write_transaction() as session:
        session.run("UPDATE hall_tournament_events SET told = ? WHERE number = ?", (told_text(altered), told.number))
    database.close()


@pytest.fixture
def broker(mosquitto_program: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mosquitto]:
    """A broker for one drill alone, which kills it and starts it again."""
    broker = Mosquitto(mosquitto_program, tmp_path_factory.mktemp("broker"))
    yield broker
    broker.stop()


@pytest.mark.untraced
def test_fifty_boards_play_a_tournament_while_everything_is_killed(
    broker: Mosquitto, postgresql: PostgreSql, tmp_path: Path
) -> None:
    drill = Drill(Servers(broker, postgresql.new_database()), tmp_path, Size(records=10), say)
    proof = drill.run()
    assert (proof.boards, proof.results) == (50, 100)
    assert proof.records > 3000
    struck = Counter(" ".join(name.split()[-2:]) for name in drill.struck)
    assert struck == {"is killed": 6, "are killed": 2, "cut off": 1, "are frozen": 1}


@pytest.mark.untraced
def test_recorders_share_the_records_and_are_killed_one_after_the_other_and_nothing_is_lost(
    broker: Mosquitto, postgresql: PostgreSql, tmp_path: Path
) -> None:
    size = Size(boards=24, records=20, hub_kills=1, recorders=3, recorder_seconds=3)
    drill = Drill(Servers(broker, postgresql.new_database()), tmp_path, size, say)
    proof = drill.run()
    assert (proof.boards, proof.results) == (24, 48)
    assert proof.records > 1500
    assert Counter(drill.struck)["the hub is killed"] == 1
    assert drill.recorder_kills > 1


def test_no_recorder_is_killed_before_the_one_killed_last_is_ready_again(
    monkeypatch: pytest.MonkeyPatch, broker: Mosquitto, tmp_path: Path
) -> None:
    monkeypatch.setattr(Child, "start", lambda _: None)
    monkeypatch.setattr(Child, "kill", lambda _: None)
    drill = Drill(Servers(broker, ""), tmp_path, FEW._replace(recorders=2, recorder_seconds=3), say)
    known, begun = drill._known, time.monotonic()
    kills: list[int] = []
    for tenths in range(600):
        now = begun + tenths / 10
        if tenths in {0, 200}:  # both are ready, and the first one again, which takes it long
            for number in (1, 2)[: 1 if tenths else 2]:
                known.hear({"recorder": f"recorder-{number}", "heard": 0, "ready": True})
        drill._kill_a_recorder(now)
        kills += [tenths] * (drill.recorder_kills - len(kills))
    assert len(kills) == 2
    first, second = kills
    assert 20 <= first <= 32
    assert second > 210


@pytest.mark.untraced
def test_a_spare_hub_takes_over_and_nothing_is_lost(broker: Mosquitto, postgresql: PostgreSql, tmp_path: Path) -> None:
    drill = Drill(Servers(broker, postgresql.new_database()), tmp_path, FEW._replace(spare=True, board_kills=0), say)
    proof = drill.run()
    assert (proof.boards, proof.results) == (8, 16)
    assert "the hub is killed" in drill.struck
    assert drill.kept_meanwhile > 10, "while the first hub was away, the second one kept and acknowledged"


@pytest.fixture
def near(mosquitto_program: str, broker: Mosquitto, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mosquitto]:
    """A broker that is bridged to the first one."""
    near = Mosquitto(mosquitto_program, tmp_path_factory.mktemp("near"), bridge_to(broker.port))
    yield near
    near.stop()


@pytest.mark.untraced
def test_nothing_is_lost_through_a_pool_of_connections_and_two_brokers_in_a_row(
    near: Mosquitto, broker: Mosquitto, postgresql: PostgreSql, pgbouncer: PgBouncer, tmp_path: Path
) -> None:
    servers = Servers(near, pgbouncer.url(postgresql.new_database()), far=broker)
    drill = Drill(servers, tmp_path, FEW._replace(recorders=2, recorder_seconds=3), say)
    proof = drill.run()
    assert (proof.boards, proof.results) == (8, 16)
    assert Counter(drill.struck)["the broker is killed"] == 1
    assert drill.recorder_kills > 1


@pytest.mark.untraced
def test_a_hall_that_keeps_everything_in_a_file_loses_nothing_and_the_proof_would_show_it(
    broker: Mosquitto, tmp_path: Path
) -> None:
    where = str(tmp_path / "hall.sqlite")
    drill = Drill(Servers(broker, where), tmp_path, FEW, say)
    proof = drill.run()
    assert (proof.boards, proof.results, len(drill.struck)) == (8, 16, 4)
    database, announced = open_database(where), dict.fromkeys(drill.boards, 1)
    assert proven(where, tmp_path, announced) == proof
    alter_the_last_result(where)
    with pytest.raises(ProofError, match="the book has other results than the journals"):
        proven(where, tmp_path, announced)
    for statement, why in LIES:
        with database.write_transaction() as session:
            assert session.run(statement) == 1
        with pytest.raises(ProofError, match=why):
            proven(where, tmp_path, announced)
    with pytest.raises(ProofError, match="t01 has lost what it had written: record 100000"):
        proven(where, tmp_path, {"t01": 100_000})
    database.close()
