"""The only door to the pages of tournaments: for directors and arbiters, for players and spectators, for the wall."""

from gnomon.web.director.office import Office
from gnomon.web.director.site import NAME, PATH, UPLOADS, largest, routes

__all__ = ["NAME", "PATH", "UPLOADS", "Office", "largest", "routes"]
