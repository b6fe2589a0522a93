"""Report that Gnomon is already running, with the command that would start a second one."""

import os
from typing import Final

from gnomon.refusals import Refusal, Statement, statement

BESIDE: Final = "GNOMON_BESIDE"
"""What starts a second one, where the command was started by something that does not take its options: make."""
_RUNNING: Final = frozenset({"start.running", "start.running.port"})


def why_not_started(error: Refusal) -> Statement:
    """What an error states, for the person who started the command."""
    told, command = error.statement, os.environ.get(BESIDE)
    if not command or told.key not in _RUNNING:
        return told
    return statement("start.running.otherwise", there=told.values["there"], command=command)
