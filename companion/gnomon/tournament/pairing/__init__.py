"""Pairing engines: Swiss, round robin and knockout, and the validator after each."""
