"""A board's link with its hall: telemetry and journal records go out, requests come in.

Nothing in the daemon waits for the hall.
"""
