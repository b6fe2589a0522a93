"""Serve applications at an address: listening, connections and their slots, signals, and threads for slow work."""
