"""Define which MQTT topics each user of the broker may read and write, as a Mosquitto ACL file."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from gnomon.hall.home_assistant import BIRTH, node_of
from gnomon.hall.home_assistant import PREFIX as HOME_ASSISTANT
from gnomon.hall.messaging.hall_topics import with_hall
from gnomon.hall.messaging.messages import NAMED, PREFIX, Topic
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
SEEN_ELSEWHERE: Final = (Topic.STATUS, Topic.STATE, Topic.LIVE, Topic.ANSWER, Topic.ACK)
"""What a hub hears of boards of another hall."""


@dataclass(frozen=True, slots=True)
class Access:
    """Who may read and write what. Mosquitto reads it as `acl_text`, our own small broker asks.

    `readers` only look: a wall, or Home Assistant. `describing` are the boards that describe themselves to it.
    `hubs` are the halls, and `recorders` keep records of boards for them. All are users of the broker, named with their
    hall. `hall` is the first one, which is meant by a user without one and by topics of protocol 1. Nobody may use
    topics of another hall, but hubs hear how the boards of `other_halls` stand.
    """

    readers: frozenset[str] = frozenset()
    describing: frozenset[str] = frozenset()
    hubs: tuple[str, ...] = (HUB,)
    recorders: tuple[str, ...] = ()
    hall: str = ""
    other_halls: tuple[str, ...] = ()

    def acl_text(self) -> str:
        """The text of Mosquitto's list."""
        lines = ["# Who may read and write what, written by `gnomon hall`."]
        for user in (*self.hubs, *self.recorders, *sorted(self.readers), *sorted(self.describing)):
            lines += ["", f"user {user}"]
            lines += [f"topic {kind} {pattern}" for kind, pattern in self._own(user)]
        lines += ["", "# Every board under its own name, %u, which may have the hall before it, and under no other."]
        lines += [f"pattern {kind} {pattern}" for kind, pattern in self._of_every("%u")]
        return "\n".join(lines) + "\n"

    def may(self, user: str, kind: str, topic: str) -> bool:
        """Whether a user may `read` or `write` a topic."""
        rules = (*self._own(user), *self._of_every(user))
        return any(kind in allowed and matches(pattern, topic) for allowed, pattern in rules)

    def _own(self, user: str) -> Iterator[tuple[str, str]]:
        """The rules for topics of the user's hall, and for the same of protocol 1, which belong to the first hall."""
        hall = user.rpartition("/")[0] or self.hall
        for kind, pattern in self._of_its_hall(user):
            halls = dict.fromkeys(("", hall) if hall == self.hall else (hall,))
            yield from ((kind, each) for each in dict.fromkeys(with_hall(pattern, name) for name in halls))
        if user in self.hubs:
            for other in (self.hall, *self.other_halls):
                if other != hall:
                    yield from ((READ, topic.of_hall(other)) for topic in SEEN_ELSEWHERE)

    def _of_its_hall(self, user: str) -> Iterator[tuple[str, str]]:
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
            yield WRITE, f"{HOME_ASSISTANT}/+/{node_of(user)}/#"
            yield READ, BIRTH

    def _of_every(self, user: str) -> Iterator[tuple[str, str]]:
        begins = (PREFIX, NAMED, f"{NAMED}/{self.hall}") if self.hall else (PREFIX,)
        for kind, topics in ((WRITE, OF_BOARDS), (READ, OF_THE_HALL)):
            yield from ((kind, f"{begin}/{user}/{topic}") for topic in topics for begin in begins)


def hub_users(count: int) -> tuple[str, ...]:
    """The users of so many hubs."""
    return (HUB, *(f"{HUB}-{number}" for number in range(2, count + 1)))


def recorder_users(count: int) -> tuple[str, ...]:
    """The users of so many recorders."""
    return tuple(f"{RECORDER}-{number}" for number in range(1, count + 1))
