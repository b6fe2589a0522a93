"""Choose which board description and journal to examine: as asked, the installed service's, or the defaults."""

from pathlib import Path
from typing import Final, NamedTuple

from gnomon_pi import config
from gnomon_pi.config import BoardError
from gnomon_pi.config.description import BoardDescription
from gnomon_pi.tools.doctor.machine import exists

# As the unit gnomond.service has them: --wiring, and StateDirectory=gnomon.
INSTALLED: Final = Path("/etc/gnomon/board.toml")
STATE: Final = Path("/var/lib/gnomon")


class Asked(NamedTuple):
    """What the command line says; None where it says nothing."""

    board: str | None
    wiring: Path | None
    journal: Path | None
    simulated: bool


class Places(NamedTuple):
    """A board's description, None for the bundled one of `board`, and its journal."""

    board: str
    wiring: Path | None
    journal: Path

    def describe(self) -> BoardDescription:
        """The description. Raises BoardError."""
        return config.bundled(self.board) if self.wiring is None else config.load(self.wiring)

    def written(self) -> str:
        """The description as it is written; empty when it cannot be read, which is a finding already."""
        if self.wiring is None:
            return config.bundled_text(self.board)[1]
        try:
            return self.wiring.read_text(encoding="utf-8", errors="replace")
        except OSError:
            return ""


def places(asked: Asked, usual_board: str, state: Path, service: tuple[Path, Path] = (INSTALLED, STATE)) -> Places:
    """What to look at: what is asked for, else what the installed service uses, else what `gnomond` would use."""
    installed, service_state = service
    wiring = asked.wiring
    if wiring is None and asked.board is None and not asked.simulated and exists(installed):
        wiring, state = installed, service_state
    found = Places(asked.board or usual_board, wiring, Path())
    try:
        board = found.describe().board
    except BoardError:
        board = found.board
    name = f"{board}{'-simulated' if asked.simulated else ''}.journal"
    return found._replace(board=board, journal=(asked.journal or state / name).absolute())
