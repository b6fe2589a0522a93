"""Find the folder in which state is kept, and the journals in it."""

from collections.abc import Mapping, Sequence
from pathlib import Path


def state_folder(environment: Mapping[str, str]) -> Path:
    """Where state is kept: what systemd gives the service, or what the user's desktop says, or the usual place."""
    if given := environment.get("STATE_DIRECTORY"):
        return Path(given.split(":")[0])
    state = environment.get("XDG_STATE_HOME") or ""
    base = Path(state) if Path(state).is_absolute() else Path.home() / ".local" / "state"
    return base / "gnomon"


def journals_in(folder: Path) -> Sequence[Path]:
    """The journals in a folder, by name."""
    return sorted(folder.glob("*.journal"))
