"""Make a Debian root with KiCad, and run its commands inside: KiCad 9 is in Trixie, and needs a gigabyte.

The root is made once by mmdebstrap and kept under `.cache`, without what KiCad recommends: libraries and pictures of
parts, which the boards do not use.
"""

import shutil
import subprocess
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
CACHE: Final = ROOT / ".cache" / "kicad"
RELEASE: Final = "trixie"
_INSIDE: Final = "/work"
# What fills the poured copper; the command line has no word for it.
_FILL: Final = """
import sys, pcbnew
for name in sys.argv[1:]:
    board = pcbnew.LoadBoard(name)
    pcbnew.ZONE_FILLER(board).Fill(board.Zones())
    pcbnew.SaveBoard(name, board)
"""


class KiCad:
    """KiCad in its root; `folder` is what it works in."""

    def __init__(self) -> None:
        self._root = CACHE / RELEASE
        self.folder = self._root / _INSIDE.lstrip("/")
        if not (self._root / "usr/bin/kicad-cli").exists():
            CACHE.mkdir(parents=True, exist_ok=True)
            shutil.rmtree(self._root, ignore_errors=True)
            command = ["mmdebstrap", "--variant=minbase", "--include=kicad,python3", RELEASE, str(self._root)]
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=1800)
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir()

    def run(self, *words: str) -> str:
        """Run a command inside, in the folder; gives what it says. Raises CalledProcessError when it fails."""
        command = ["chroot", str(self._root), "sh", "-c", 'cd "$0" && exec "$@"', _INSIDE, *words]
        done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=600)
        return done.stdout

    def version(self) -> str:
        """Such as 9.0.2."""
        return self.run("kicad-cli", "version").strip()

    def fill(self, *boards: str) -> None:
        """Fill the poured copper of boards."""
        self.run("python3", "-c", _FILL, *boards)
