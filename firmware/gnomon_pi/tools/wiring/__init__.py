"""Wiring tables, drawings and parts lists for builders, generated from a board description."""
