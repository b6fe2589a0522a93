"""Carry what a machine found out over its console: a line of JSON for each thing that was checked."""

import json
from dataclasses import asdict, dataclass
from typing import Final

MARK: Final = "@near-real "
DONE: Final = "@near-real-done"
CUT: Final = "@near-real-cut"
"""Asks for the power to be cut at once."""


@dataclass(frozen=True, slots=True)
class Found:
    """One thing that was checked in a machine: whether it is as it should be, and what was seen."""

    story: str
    what: str
    is_right: bool
    seen: str
    seconds: float


def format_found(found: Found) -> str:
    """The line that says it."""
    return MARK + json.dumps(asdict(found))


def parse_found(line: str) -> Found | None:
    """What a line of the console says; None for every other line. One that was disturbed is something wrong."""
    _, mark, text = line.partition(MARK)
    if not mark:
        return None
    try:
        return Found(**json.loads(text))
    except (ValueError, TypeError):
        return Found("console", "the console comes over whole", is_right=False, seen=text.strip(), seconds=0.0)
