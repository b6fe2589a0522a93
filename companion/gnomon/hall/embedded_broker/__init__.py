"""A small MQTT 5 broker for a club evening, so that nothing has to be installed."""
