"""Tournament pages for directors, arbiters, players and spectators, and for the wall.

Modules elsewhere import the names of this package, not those of its modules.
"""

from gnomon.web.director._office import TournamentApp
from gnomon.web.director._site import NAME, PATH, UPLOADS, largest, routes

__all__ = ["NAME", "PATH", "UPLOADS", "TournamentApp", "largest", "routes"]
