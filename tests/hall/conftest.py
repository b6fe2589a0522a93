"""Provide the tests of the hall with servers, databases and a whole evening."""

from pathlib import Path

import pytest

from tests.hall.evenings import Evening
from tests.hall.hall_databases import database, hall_url, lone_url, reopen, reopen_alone, shared_url
from tests.hall.servers import mosquitto, mosquitto_program, pgbouncer, postgresql
from tests.words.every_language import told_in_every_language

__all__ = [
    "database",
    "hall_url",
    "lone_url",
    "mosquitto",
    "mosquitto_program",
    "pgbouncer",
    "postgresql",
    "reopen",
    "reopen_alone",
    "shared_url",
    "told_in_every_language",
]


@pytest.fixture
def evening(tmp_path: Path) -> Evening:
    return Evening(tmp_path)
