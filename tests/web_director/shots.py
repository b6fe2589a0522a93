"""The only place of the table of the pages of tournaments, as somebody sees them, and of how they are photographed.

    python -m tests.web_director.shots [--into FOLDER] [part of a name …]

visits every one, says what is wrong with it, and writes the pictures of docs/director.md, or all of them into a folder.
"""

import argparse
import sys
import tempfile
from pathlib import Path
from shutil import which
from typing import Final

from playwright.sync_api import sync_playwright

from gnomon.web.access import Role
from tests.bench_page.visits import FLAGS
from tests.web.shots import Shot, faults_of
from tests.web_director.serving import evening, served

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
    _shot("player", "/small/players/5", "phone", "light", "en", _ALL),
    _shot("wall", "/large/wall", "wall", "dark", "en", _ALL, in_docs=True),
    _shot("wall-light", "/small/wall", "wall", "light", "de", _ALL),
    _shot("wall-phone", "/small/wall", "phone", "dark", "fr", _ALL),
)
"""Every page; the sizes, schemes and languages are dealt out over them."""


def main() -> None:
    """Visit, judge and photograph."""
    options = argparse.ArgumentParser(description="Visit the pages of tournaments and photograph them.")
    options.add_argument("parts", nargs="*", help="visit only pages whose name has one of these in it")
    options.add_argument("--into", type=Path, help="photograph all of them into this folder")
    given = options.parse_args()
    shots = [shot for shot in SHOTS if not given.parts or any(part in shot.name for part in given.parts)]
    chromium = which("chromium") or which("chromium-browser") or which("google-chrome")
    if chromium is None:
        sys.exit("Pages are looked at in Chromium, which is not here: install chromium.")
    into: Path = given.into or PICTURES
    into.mkdir(parents=True, exist_ok=True)
    wrong = 0
    with tempfile.TemporaryDirectory(prefix="gnomon-shots-") as folder, sync_playwright() as playwright:
        house = evening(Path(folder))
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS.split())
        with served(house) as site:
            for shot in shots:
                faults = faults_of(browser, site, shot, into if shot.in_docs or given.into else None)
                wrong += len(faults)
                print("\n".join(faults) or f"{shot.name}: well", flush=True)
        browser.close()
        house.close()
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
