"""Pages of a hall: its wall, its boards, and the tournaments played in it."""

from gnomon.hall.connections import HallConnectionError
from gnomon.web.hall._assembly import Wanted
from gnomon.web.hall._service import Front, PortError, run

__all__ = ["Front", "HallConnectionError", "PortError", "Wanted", "run"]
