"""Provide the tests of a board in a hall with servers."""

from tests.hall.servers import mosquitto, mosquitto_program

__all__ = ["mosquitto", "mosquitto_program"]
