"""Provide the tests of relays with a real broker."""

from tests.hall.servers import mosquitto, mosquitto_program

__all__ = ["mosquitto", "mosquitto_program"]
