"""Geometry of boards: hexes, squares, routes."""
