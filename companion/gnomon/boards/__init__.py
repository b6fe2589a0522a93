"""Geometry of game boards: squares, hexagons, routes, and bit sets of their spaces."""
