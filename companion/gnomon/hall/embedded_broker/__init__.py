"""A small MQTT 5 broker for a club evening, so that nothing has to be installed."""

from gnomon.hall.embedded_broker._broker import ListenError, SmallBroker, WebDoor

__all__ = ["ListenError", "SmallBroker", "WebDoor"]
