"""Pages of a hall: its wall, its boards, and the tournaments played in it."""

from gnomon.web.hall._assembly import OpeningError, Wanted
from gnomon.web.hall._service import Front, PortError, run

__all__ = ["Front", "OpeningError", "PortError", "Wanted", "run"]
