"""The only place that says which servers the tests of the hall may ask for."""

from tests.hall.servers import mosquitto, mosquitto_program, postgresql

__all__ = ["mosquitto", "mosquitto_program", "postgresql"]
