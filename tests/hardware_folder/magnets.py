"""Compute the field of a magnet: a disc, magnetised along its axis."""

from math import cos, pi, sin

REMANENCE = 1170.0
"""In millitesla: the least of N35."""

_RINGS, _SECTORS = 40, 48


def field(diameter: float, thickness: float, distance: float, aside: float = 0.0) -> float:
    """The part along the axis in millitesla, at a distance from the near face and aside of the axis.

    The two faces act as if they were charged, the near one with what the far one lacks (Coulomb's law for magnets);
    both are summed over small sectors.
    """
    return REMANENCE / (4 * pi) * (_face(diameter, distance, aside) - _face(diameter, distance + thickness, aside))


def _face(diameter: float, distance: float, aside: float) -> float:
    step, turn = diameter / 2 / _RINGS, 2 * pi / _SECTORS
    total = 0.0
    for ring in range(_RINGS):
        radius = (ring + 0.5) * step
        for sector in range(_SECTORS):
            x, y = radius * cos(sector * turn) - aside, radius * sin(sector * turn)
            total += radius * distance / (x * x + y * y + distance * distance) ** 1.5
    return total * step * turn
