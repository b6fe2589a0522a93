"""List the pages of tournaments as different people see them, and photograph them.

    python -m tests.web_director.shots [--into FOLDER] [part of a name …]

visits every one, says what is wrong with it, and writes the pictures of docs/director.md, or all of them into a folder.
"""

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from gnomon.web.access import Role
from tests.web.shots import Shot, visit_all
from tests.web_director.serving import Served, evening, served

PICTURES: Final = Path(__file__).parents[2] / "docs" / "pictures" / "director"
_OF: Final = "/tournaments"


def _shot(  # noqa: PLR0913, PLR0917 - where it is, and as whom and on what it is looked at
    name: str,
    path: str,
    size: str = "desk",
    scheme: str = "light",
    language: str = "en",
    role: Role = Role.DIRECTOR,
    *,
    opens: str = "",
    in_docs: bool = False,
) -> Shot:
    return Shot(name, f"{_OF}{path}", "", size, scheme, language, role, opens, in_docs=in_docs)


_ALL: Final = Role.SPECTATOR
SHOTS: Final = (
    _shot("list", "", in_docs=True),
    _shot("list-phone", "", "phone", "dark", "fr", _ALL),
    _shot("new", "/new", in_docs=True),
    _shot("new-phone", "/new?system=knockout", "phone", "dark", "de", opens="details summary"),
    _shot("desk", "/small/desk", in_docs=True),
    _shot("desk-arbiter", "/small/desk", "tablet", "dark", "de", Role.ARBITER),
    _shot("desk-entries", "/entries/desk", "phone", "light", "fr"),
    _shot("desk-wide", "/large/desk", "wall", "dark"),
    _shot("entrants", "/small/entrants", in_docs=True),
    _shot("entrants-none", "/entries/entrants", "phone", "dark", "de"),
    _shot("entrants-many", "/large/entrants", "tablet", "light", "fr"),
    _shot("entrant", "/small/entrants/5", "tablet", "dark", "fr"),
    _shot("round", "/small/round", "desk", "dark", "de"),
    _shot("preview", "/between/round", in_docs=True),
    _shot("preview-phone", "/between/round", "phone", "dark", "de"),
    _shot("round-between", "/table/round", "phone", "light", "en"),
    _shot("results", "/small/results", in_docs=True),
    _shot("results-phone", "/small/results", "phone", "dark", "de", Role.ARBITER, in_docs=True),
    _shot("results-many", "/large/results", "tablet", "light", "fr"),
    _shot("results-corrected", "/small/results?round=1", "desk", "dark", opens="details summary"),
    _shot("boards", "/small/boards", "desk", "dark", in_docs=True),
    _shot("boards-many", "/large/boards", "phone", "light", "de"),
    _shot("settings", "/small/settings", "desk", "light", "en"),
    _shot("settings-early", "/entries/settings", "phone", "dark", "de"),
    _shot("door", "/small/door", "phone", "light", "fr"),
    _shot("door-arbiter", "/small/door", "tablet", "dark", "de", Role.ARBITER),
    _shot("prizes", "/small/prizes", "tablet", "light", "de"),
    _shot("stages", "/entries/stages", "phone", "dark", "fr"),
    _shot("tables", "/tables/tables", "desk", "light", "en"),
    _shot("tables-phone", "/tables/tables", "phone", "dark", "de", _ALL),
    _shot("tables-pairings", "/tables", "phone", "light", "fr", _ALL),
    _shot("tables-wall", "/tables/wall", "wall", "dark", "de", _ALL),
    Shot("series", "/series?event=table&event=knockout", "", "tablet", "light", "fr", _ALL, ""),
    _shot("log", "/small/log"),
    _shot("log-phone", "/small/log", "phone", "dark", "fr", Role.ARBITER),
    _shot("pairings", "/small?find=el", "phone", "light", "en", _ALL, in_docs=True),
    _shot("pairings-many", "/large", "desk", "dark", "fr", _ALL),
    _shot("pairings-none", "/entries", "tablet", "light", "de", _ALL),
    _shot("standings", "/small/standings", "desk", "light", "en", _ALL, in_docs=True),
    _shot("standings-phone", "/small/standings", "phone", "dark", "de", _ALL),
    _shot("standings-wide", "/large/standings", "wall", "light", "fr", _ALL),
    _shot("cross", "/table/cross", "desk", "dark", "en", _ALL),
    _shot("cross-phone", "/small/cross", "phone", "light", "fr", _ALL),
    _shot("bracket", "/knockout/bracket", "desk", "light", "en", _ALL, in_docs=True),
    _shot("bracket-phone", "/knockout/bracket", "phone", "dark", "de", _ALL),
    _shot("double", "/double/bracket", "desk", "light", "en", _ALL, in_docs=True),
    _shot("double-phone", "/double/bracket", "phone", "dark", "de", _ALL),
    _shot("double-tablet", "/double/bracket", "tablet", "light", "fr", _ALL),
    _shot("double-wide", "/double/bracket", "wall", "dark", "de", _ALL),
    _shot("player", "/small/players/5", "phone", "light", "en", _ALL),
    _shot("wall", "/large/wall", "wall", "dark", "en", _ALL, in_docs=True),
    _shot("wall-light", "/small/wall", "wall", "light", "de", _ALL),
    _shot("teams", "/teams/teams", in_docs=True),
    _shot("teams-phone", "/teams/teams", "phone", "dark", "de", opens="details summary"),
    _shot("teams-new", "/new", "tablet", "dark", "fr", opens="details summary"),
    _shot("teams-round", "/teams/round", "tablet", "light", "fr"),
    _shot("teams-results", "/teams/results", "desk", "dark", "de", Role.ARBITER),
    _shot("teams-pairings", "/teams", "desk", "light", "en", _ALL, in_docs=True),
    _shot("teams-pairings-phone", "/teams", "phone", "dark", "fr", _ALL),
    _shot("teams-standings", "/teams/standings", "phone", "light", "de", _ALL),
    _shot("teams-cross", "/teams/cross", "desk", "dark", "fr", _ALL),
    _shot("teams-wall", "/teams/wall", "wall", "dark", "en", _ALL),
    _shot("teams-door", "/teams/door", "phone", "dark", "de"),
    _shot("teams-prizes", "/teams/prizes", "desk", "light", "en"),
    _shot("cup-desk", "/cup/desk", "desk", "light", "de"),
    _shot("cup-pairings", "/cup", "phone", "light", "fr", _ALL),
    _shot("cup-bracket", "/cup/bracket", "tablet", "dark", "en", _ALL),
    _shot("go-new", "/new?system=mcmahon", "desk", "light", "en", opens="#new > details:nth-of-type(2) summary"),
    _shot("go-settings", "/entries/settings", "tablet", "dark", "fr"),
    _shot("groups", "/small/groups", "phone", "light", "de"),
    _shot("wall-phone", "/small/wall", "phone", "dark", "fr", _ALL),
)
"""Every page; the sizes, schemes and languages are dealt out over them."""


@contextmanager
def opened(folder: Path, _: Collection[tuple[str, Role]]) -> Iterator[Served]:
    """The one hall that has all states, served while the block runs."""
    house = evening(folder)
    try:
        with served(house) as site:
            yield site
    finally:
        house.close()


if __name__ == "__main__":
    visit_all("every page of tournaments", SHOTS, PICTURES, opened)
