"""Read STL files as OpenSCAD writes them: triangles, and what they enclose."""

from collections import Counter
from pathlib import Path
from typing import NamedTuple

Point = tuple[float, float, float]


class Solid(NamedTuple):
    """Triangles, each anticlockwise seen from outside."""

    triangles: tuple[tuple[Point, Point, Point], ...]

    @classmethod
    def read(cls, path: Path) -> "Solid":
        """The solid of an STL file in text form."""
        points = [_point(line) for line in path.read_text(encoding="ascii").splitlines() if "vertex" in line]
        return cls(tuple(zip(points[::3], points[1::3], points[2::3], strict=True)))

    @property
    def size(self) -> Point:
        """How long it is in x, y and z."""
        axes = list(zip(*(point for triangle in self.triangles for point in triangle), strict=True))
        x, y, z = (max(axis) - min(axis) for axis in axes)
        return x, y, z

    @property
    def volume(self) -> float:
        """What it encloses, in cubic millimetres: the sum of the pyramids over the origin, some of them negative."""
        return sum(map(_six_pyramids, self.triangles)) / 6

    def open_edges(self) -> int:
        """How many edges do not run once each way: none in a closed solid."""
        edges = Counter(edge for one, two, three in self.triangles for edge in ((one, two), (two, three), (three, one)))
        return sum(edges[start, end] != 1 or edges[end, start] != 1 for start, end in edges)


def _point(line: str) -> Point:
    _, x, y, z = line.split()
    return float(x), float(y), float(z)


def _six_pyramids(triangle: tuple[Point, Point, Point]) -> float:
    (ax, ay, az), (bx, by, bz), (cx, cy, cz) = triangle
    return ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx)
