"""Match MQTT topics against subscription patterns, and find the subscribers of a topic."""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final, Generic, TypeVar

ONE_LEVEL: Final = "+"
REST: Final = "#"
SHARED: Final = "$share"
"""Begins a pattern `$share/GROUP/PATTERN`: of those in a group, one is handed each message (MQTT 5, 4.8.2)."""
_LONGEST: Final = 65_535
"""Bytes of a topic (MQTT 5, 1.5.4)."""

T = TypeVar("T")


def checked_topic(topic: str) -> str:
    """A topic that may be published under (MQTT 5, 4.7.3). Raises ValueError for any other."""
    if not topic or any(mark in topic for mark in (ONE_LEVEL, REST, "\0")) or len(topic.encode()) > _LONGEST:
        message = f"{topic[:80]!r} is no topic: it may not be empty or very long, nor hold {ONE_LEVEL} or {REST}"
        raise ValueError(message)
    return topic


def checked_pattern(pattern: str) -> str:
    """A pattern that may be subscribed to (MQTT 5, 4.7.1). Raises ValueError for any other."""
    if pattern.startswith(f"{SHARED}/"):
        _, group, *rest = pattern.split("/", 2)
        if not group or ONE_LEVEL in group or REST in group or not rest:
            message = f"{pattern[:80]!r} is no pattern: it names no group, or nothing that the group shares"
            raise ValueError(message)
        checked_pattern(rest[0])
        return pattern
    *levels, last = pattern.split("/")
    wrong = any(ONE_LEVEL in level and level != ONE_LEVEL for level in (*levels, last))
    wrong = wrong or any(REST in level for level in levels) or (REST in last and last != REST)
    if wrong or not pattern or "\0" in pattern or len(pattern.encode()) > _LONGEST:
        message = (
            f"{pattern[:80]!r} is no pattern: {ONE_LEVEL} stands for one whole level, {REST} for all the last ones"
        )
        raise ValueError(message)
    return pattern


def shared_pattern(pattern: str, group: str) -> str:
    """The pattern with which those of a group share what matches."""
    return f"{SHARED}/{group}/{pattern}"


def split_group(pattern: str) -> tuple[str, str]:
    """The group that shares a pattern, empty for none, and what it shares."""
    if not pattern.startswith(f"{SHARED}/"):
        return "", pattern
    _, group, rest = pattern.split("/", 2)
    return group, rest


def is_topic(pattern: str) -> bool:
    """Whether a pattern means one topic only, and everybody who asks for it."""
    return ONE_LEVEL not in pattern and REST not in pattern and not split_group(pattern)[0]


def matches(pattern: str, topic: str) -> bool:
    """Whether a topic is one of those that a pattern means."""
    return _expression(pattern).fullmatch(topic) is not None


@lru_cache(maxsize=4096)
def _expression(pattern: str) -> re.Pattern[str]:
    """A pattern as a regular expression: a hub asks of every message which of its few patterns mean it."""
    first, *levels = split_group(pattern)[1].split("/")
    # What the broker tells of itself is asked for by name (MQTT 5, 4.7.2).
    text = r"(?!\$)" if first in {ONE_LEVEL, REST} else ""
    text += {ONE_LEVEL: "[^/]*", REST: ".*"}.get(first, re.escape(first))
    for level in levels:
        text += {ONE_LEVEL: "/[^/]*", REST: "(?:/.*)?"}.get(level, f"/{re.escape(level)}")
    return re.compile(text, re.DOTALL)


class Subscribed(Generic[T]):
    """Who subscribed to what: a thousand boards subscribe to topics of their own, and only a few to patterns."""

    def __init__(self) -> None:
        self._exact: dict[str, list[T]] = {}
        self._patterns: list[tuple[str, T]] = []

    def add(self, pattern: str, who: T) -> None:
        """Note one more. Raises ValueError for what is no pattern."""
        checked_pattern(pattern)
        if is_topic(pattern):
            self._exact.setdefault(pattern, []).append(who)
        else:
            self._patterns.append((pattern, who))

    def remove(self, who: T) -> None:
        """Forget all that one subscribed to."""
        self._patterns = [(pattern, other) for pattern, other in self._patterns if other is not who]
        kept = {topic: [other for other in others if other is not who] for topic, others in self._exact.items()}
        self._exact = {topic: others for topic, others in kept.items() if others}

    def to(self, topic: str) -> Iterator[T]:
        """Everybody whose pattern matches, once for each pattern."""
        yield from self._exact.get(topic, ())
        for pattern, who in self._patterns:
            if matches(pattern, topic):
                yield who

    def patterns(self) -> Iterator[str]:
        """Everything that somebody subscribed to, each once."""
        yield from self._exact
        yield from dict.fromkeys(pattern for pattern, _ in self._patterns)
