"""The only place that says which servers the tests of a board in a hall may ask for."""

from tests.hall.servers import mosquitto, mosquitto_program

__all__ = ["mosquitto", "mosquitto_program"]
