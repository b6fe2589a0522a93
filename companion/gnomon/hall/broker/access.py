"""The only place that says who may read and write which topics of the broker, as Mosquitto reads it."""

from collections.abc import Iterable
from typing import Final

from gnomon.hall.discovery import BIRTH
from gnomon.hall.discovery import PREFIX as HOME_ASSISTANT
from gnomon.hall.messages import PREFIX, Topic

HUB: Final = "hub"
"""The user that is the hall itself."""
OF_BOARDS: Final = (Topic.STATUS, Topic.STATE, Topic.RECORDS, Topic.ANSWER)
OF_THE_HALL: Final = (Topic.ACK, Topic.ASK, Topic.REQUEST)


def written(readers: Iterable[str], describing: Iterable[str]) -> str:
    """The text of the list.

    `readers` only look: a wall, or Home Assistant. `describing` are the boards that describe themselves to it.
    """
    lines = [
        "# Who may read and write what, written by `gnomon hall`.",
        "",
        f"user {HUB}",
        f"topic readwrite {PREFIX}/#",
        "topic read $SYS/#",
    ]
    for reader in readers:
        lines += ["", f"user {reader}"]
        lines += [f"topic read {topic.of_all}" for topic in (Topic.STATUS, Topic.STATE)]
        lines += [f"topic read {HOME_ASSISTANT}/#", f"topic write {BIRTH}"]
    for board in describing:
        lines += ["", f"user {board}"]
        lines += [f"topic write {HOME_ASSISTANT}/+/{board}/#", f"topic read {BIRTH}"]
    lines += ["", "# Every board under its own name, %u, and under no other."]
    lines += [f"pattern write {PREFIX}/%u/{topic}" for topic in OF_BOARDS]
    lines += [f"pattern read {PREFIX}/%u/{topic}" for topic in OF_THE_HALL]
    return "\n".join(lines) + "\n"


__all__ = ["HUB", "written"]
