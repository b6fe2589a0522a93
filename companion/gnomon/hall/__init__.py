"""A hall of many boards: message bus, broker, database, and the tournament played on the boards."""
