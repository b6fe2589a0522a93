"""The only place that says which servers and databases the tests of the hall may ask for."""

from tests.hall.hall_databases import database, reopen, shared_url
from tests.hall.servers import mosquitto, mosquitto_program, postgresql

__all__ = ["database", "mosquitto", "mosquitto_program", "postgresql", "reopen", "shared_url"]
