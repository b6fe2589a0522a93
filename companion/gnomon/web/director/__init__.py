"""Tournament pages for directors, arbiters, players and spectators, and for the wall.

Modules elsewhere import the names of this package, not those of its modules.
"""

from collections.abc import Sequence
from typing import Final

from starlette.routing import BaseRoute

from gnomon.web.director import _director_desk as director_desk
from gnomon.web.director import _log as log
from gnomon.web.director._luck import FILE as LUCK
from gnomon.web.director._luck import LuckFile
from gnomon.web.director._office import AS_OF, KNOWN, TournamentApp, unchanged_response
from gnomon.web.director.entrants import check_in, registration, teams
from gnomon.web.director.public import games, my_board, pages, papers
from gnomon.web.director.rounds import boards, multiplayer, pairing, results
from gnomon.web.director.setup import event, groups, prizes, series, settings, stages, tournament_list
from gnomon.web.director.setup.tournament_list import slug

__all__ = [
    "AS_OF",
    "KNOWN",
    "LUCK",
    "PATH",
    "UPLOADS",
    "LuckFile",
    "TournamentApp",
    "largest",
    "routes",
    "slug",
    "unchanged_response",
]

PATH: Final = tournament_list.PATH
UPLOADS: Final = 2 * 1024 * 1024
"""Bytes of a form with a file: a report file of a thousand players and eleven rounds has a tenth of it."""
_UPLOADED: Final = ("/entrants/read", "/new/read")

_PAGES: Final = (
    tournament_list,
    pages,
    games,
    my_board,
    director_desk,
    event,
    settings,
    check_in,
    prizes,
    stages,
    groups,
    series,
    multiplayer,
    registration,
    teams,
    pairing,
    results,
    boards,
    log,
    papers,
)
"""Modules with a function `routes(office)`."""


def routes(office: TournamentApp) -> Sequence[BaseRoute]:
    """Every route of the pages of tournaments, for the application of a hall."""
    return [route for module in _PAGES for route in module.routes(office)]


def largest(path: str) -> int:
    """How many bytes a path of these takes, for `Bodies(larger=…)` of `middleware.bodies`; 0 for as many as others."""
    return UPLOADS if path.startswith(PATH) and path.endswith(_UPLOADED) else 0
