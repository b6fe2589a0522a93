"""Find out why safe mode is to run: it was asked for, or the daemon stopped and left its reason."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

LAST_ERROR: Final = "last-error"
_ENOUGH: Final = 2_000  # bytes of a sentence: the file is ours, but its reader must not depend on that

_UNKNOWN: Final = "The daemon did not start, and said nothing; its log may: journalctl -u gnomond."
_RESULTS: Final[Mapping[str, str]] = {
    "core-dump": "The daemon crashed.",
    "oom-kill": "The daemon needed more memory than there is.",
    "protocol": "The daemon ended before it was ready.",
    "resources": "The system could not start the daemon; its log may say why: journalctl -u gnomond.",
    "signal": "The daemon was killed.",
    "timeout": "The daemon did not become ready in time.",
    "watchdog": "The daemon hung and was stopped.",
}
"""By what systemd found (systemd.exec, SERVICE_RESULT), where the daemon could say nothing itself."""


ASKED: Final = "Safe mode was asked for on the command line."


def flagged_reason(files: Sequence[Path]) -> str:
    """Why safe mode is asked for by a file that is there, or nothing when none is."""
    for file in files:
        try:
            file.stat()
        except OSError:  # not there, or on a partition that this user may not look into
            continue
        return f"The file {file} asks for safe mode."
    return ""


def remember(sentence: str, environment: Mapping[str, str]) -> None:
    """Keep why the daemon stops, until it is ready again or the machine is switched off.

    Only a service has a folder for that; elsewhere whoever started the daemon has read it.
    """
    for file in _files(environment):
        with suppress(OSError):
            file.write_text(f"{sentence}\n", encoding="utf-8")


def forget(environment: Mapping[str, str]) -> None:
    """The daemon is ready: what stopped it before is past."""
    for file in _files(environment):
        with suppress(OSError):
            file.unlink(missing_ok=True)


def reason(environment: Mapping[str, str]) -> str:
    """Why the daemon stopped, as far as it or systemd said, in one sentence."""
    for file in _files(environment):
        with suppress(OSError):
            said = file.read_bytes()[:_ENOUGH].decode(errors="replace").strip()
            if said:
                return said
    return _RESULTS.get(environment.get("MONITOR_SERVICE_RESULT", ""), _UNKNOWN)


def _files(environment: Mapping[str, str]) -> tuple[Path, ...]:
    folder = environment.get("RUNTIME_DIRECTORY", "").split(":")[0]
    return (Path(folder) / LAST_ERROR,) if folder else ()
