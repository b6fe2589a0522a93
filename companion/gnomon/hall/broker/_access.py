"""Define which MQTT topics each user of the broker may read and write, as a Mosquitto ACL file."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from gnomon.hall.home_assistant import BIRTH
from gnomon.hall.home_assistant import PREFIX as HOME_ASSISTANT
from gnomon.hall.messaging.hall_topics import with_hall
from gnomon.hall.messaging.messages import PREFIX, Topic
from gnomon.hall.messaging.topic_filters import matches

HUB: Final = "hub"
"""The user that is the hall itself; further hubs are `hub-2` and so on."""
RECORDER: Final = "recorder"
"""Recorders are `recorder-1` and so on."""
READ: Final = "read"
WRITE: Final = "write"
BOTH: Final = READ + WRITE
"""As Mosquitto says it: `readwrite`."""
OF_BOARDS: Final = (Topic.STATUS, Topic.STATE, Topic.LIVE, Topic.RECORDS, Topic.ANSWER)
OF_THE_HALL: Final = (Topic.ACK, Topic.ASK, Topic.REQUEST, Topic.PACE)


@dataclass(frozen=True, slots=True)
class Access:
    """Who may read and write what. Mosquitto reads it as `acl_text`, our own small broker asks.

    `readers` only look: a wall, or Home Assistant. `describing` are the boards that describe themselves to it.
    `hubs` are the hall, and `recorders` keep records of boards for it. `hall` is its name in topics: everybody may
    use these, and those of protocol 1. Nobody may use those of another hall.
    """

    readers: frozenset[str] = frozenset()
    describing: frozenset[str] = frozenset()
    hubs: tuple[str, ...] = (HUB,)
    recorders: tuple[str, ...] = ()
    hall: str = ""

    def acl_text(self) -> str:
        """The text of Mosquitto's list."""
        lines = ["# Who may read and write what, written by `gnomon hall`."]
        for user in (*self.hubs, *self.recorders, *sorted(self.readers), *sorted(self.describing)):
            lines += ["", f"user {user}"]
            lines += [f"topic {kind} {pattern}" for kind, pattern in self._both(self._own(user))]
        lines += ["", "# Every board under its own name, %u, and under no other."]
        lines += [f"pattern {kind} {pattern}" for kind, pattern in self._both(_of_every("%u"))]
        return "\n".join(lines) + "\n"

    def may(self, user: str, kind: str, topic: str) -> bool:
        """Whether a user may `read` or `write` a topic."""
        rules = (*self._both(self._own(user)), *self._both(_of_every(user)))
        return any(kind in allowed and matches(pattern, topic) for allowed, pattern in rules)

    def _both(self, rules: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
        """The rules for topics of protocol 1, and the same for those that name the hall."""
        for kind, pattern in rules:
            yield from ((kind, each) for each in dict.fromkeys((pattern, with_hall(pattern, self.hall))))

    def _own(self, user: str) -> Iterator[tuple[str, str]]:
        if user in self.hubs:
            yield BOTH, f"{PREFIX}/#"
            yield READ, "$SYS/#"
        if user in self.recorders:
            yield from ((READ, topic.of_all) for topic in (Topic.STATUS, Topic.RECORDS))
            yield WRITE, Topic.ACK.of_all
            yield READ, "$SYS/#"
        if user in self.readers:
            yield from ((READ, topic.of_all) for topic in (Topic.STATUS, Topic.STATE))
            yield READ, f"{HOME_ASSISTANT}/#"
            yield WRITE, BIRTH
        if user in self.describing:
            yield WRITE, f"{HOME_ASSISTANT}/+/{user}/#"
            yield READ, BIRTH


def hub_users(count: int) -> tuple[str, ...]:
    """The users of so many hubs."""
    return (HUB, *(f"{HUB}-{number}" for number in range(2, count + 1)))


def recorder_users(count: int) -> tuple[str, ...]:
    """The users of so many recorders."""
    return tuple(f"{RECORDER}-{number}" for number in range(1, count + 1))


def _of_every(user: str) -> Iterator[tuple[str, str]]:
    for topic in OF_BOARDS:
        yield WRITE, f"{PREFIX}/{user}/{topic}"
    for topic in OF_THE_HALL:
        yield READ, f"{PREFIX}/{user}/{topic}"
