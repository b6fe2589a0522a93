"""Find out why safe mode runs: on request, or because the daemon stopped and left its reason."""

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from gnomon.refusals import Statement, statement

LAST_ERROR: Final = "last-error"
_ENOUGH: Final = 2_000  # bytes of a sentence, and of its key: the file is ours, but its reader must not depend on that

_UNKNOWN: Final = statement("safe.because.unknown")
_RESULTS: Final[Mapping[str, Statement]] = {
    "core-dump": statement("safe.because.crashed"),
    "oom-kill": statement("safe.because.memory"),
    "protocol": statement("safe.because.ended"),
    "resources": statement("safe.because.system"),
    "signal": statement("safe.because.killed"),
    "timeout": statement("safe.because.slow"),
    "watchdog": statement("safe.because.hung"),
}
"""By what systemd found (systemd.exec, SERVICE_RESULT), where the daemon could say nothing itself."""


ASKED: Final = statement("safe.because.asked")


def flagged_reason(files: Sequence[Path]) -> Statement | None:
    """Why safe mode is asked for by a file that is there, or None when none is."""
    for file in files:
        try:
            file.stat()
        except OSError:  # not there, or on a partition that this user may not look into
            continue
        return statement("safe.because.file", file=str(file))
    return None


def remember(why: Statement, environment: Mapping[str, str]) -> None:
    """Keep why the daemon stops, until it is ready again or the machine is switched off.

    The file has the English words in its first line, for people, and in its second one the key and the values. Only a
    service has a folder for that; elsewhere the person who started the daemon has read it.
    """
    for file in _files(environment):
        with suppress(OSError):
            file.write_text(f"{' '.join(why.message.split())}\n{json.dumps(why.dump())}\n", encoding="utf-8")


def forget(environment: Mapping[str, str]) -> None:
    """The daemon is ready: what stopped it before is past."""
    for file in _files(environment):
        with suppress(OSError):
            file.unlink(missing_ok=True)


def reason(environment: Mapping[str, str]) -> Statement:
    """Why the daemon stopped, as far as it or systemd said."""
    for file in _files(environment):
        with suppress(OSError):
            said, _, dumped = file.read_bytes()[: 2 * _ENOUGH].decode(errors="replace").partition("\n")
            if said := said[:_ENOUGH].strip():
                return Statement.from_message(said, _read(dumped), _ENOUGH)
    return _RESULTS.get(environment.get("MONITOR_SERVICE_RESULT", ""), _UNKNOWN)


def _read(dumped: str) -> object:
    try:
        return json.loads(dumped)
    except (ValueError, RecursionError):  # of another version, or damaged: the words are there
        return None


def _files(environment: Mapping[str, str]) -> tuple[Path, ...]:
    folder = environment.get("RUNTIME_DIRECTORY", "").split(":")[0]
    return (Path(folder) / LAST_ERROR,) if folder else ()
