"""Determine from raw edges which of two buttons was pressed first, within the uncertainty of the time stamps."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from gnomon.records.journal.entries import EntryKind, Record
from gnomon.referee.evidence import BUTTON
from gnomon.timekeeping.instants import MILLISECOND, SECOND, Duration, Instant
from gnomon.views.sentences import button
from gnomon.words import Words, upper

SHOWN: Final = 8
_BURST: Final = 30 * MILLISECOND
"""Contacts bounce: edges of one input so close together are one touch, stamped with the first of them."""


class TimedChange(NamedTuple):
    """One change of an input: its board time, how long before it may have happened, and what came to be true."""

    at: Instant
    uncertainty: Duration
    input: str
    value: bool

    @property
    def seconds(self) -> str:
        """The board time in seconds, to the millisecond."""
        return f"{self.at / SECOND:.3f}"


class First(NamedTuple):
    """Which of the last presses of two buttons came first; `first` is empty where it cannot be told.

    `apart` is in milliseconds between their stamps, `unsure` how many of these are uncertain.
    """

    first: str
    second: str
    apart: float
    unsure: float


def upheld_claimant(records: Sequence[Record]) -> str:
    """Whose claim was upheld by what an arbiter did last; empty where that was something else."""
    last = next((record.entry.body for record in reversed(records) if record.entry.kind is EntryKind.EVENT), {})
    return str(last["player"]) if last.get("event") == "claimed" and last.get("upheld") else ""


def last_touches(records: Sequence[Record]) -> Sequence[TimedChange]:
    """What was touched last, newest first; the letting go of a button says nothing."""
    touches: dict[str, TimedChange] = {}
    found: list[TimedChange] = []
    for record in records:
        entry = record.entry
        if entry.kind is not EntryKind.RAW:
            continue
        body = entry.body
        touch = TimedChange(
            entry.at, _uncertainty(body.get("uncertainty_us", 0)), str(body["input"]), bool(body["value"])
        )
        before = touches.get(touch.input)
        touches[touch.input] = touch
        bounces = before is not None and touch.at - before.at < _BURST
        if not bounces and (touch.value or not touch.input.startswith(BUTTON)):
            found.append(touch)
    return found[: -SHOWN - 1 : -1]


def touch_text(change: TimedChange, words: Words) -> str:
    """What a hand did, as people say it: an input is a sensor's name for it."""
    place, _, part = change.input.partition(".")
    came = "on" if change.value else "off"
    if f"{place}." == BUTTON:
        return words(f"arbiter.touch.button.{came}", button=upper(button(part, words)))
    if place == "timer15":
        return words(f"arbiter.touch.timer15.{came}")
    kind = "ring" if part.startswith("ring") else "tile" if part == "tile" else "glass"
    return words(f"arbiter.touch.{kind}.{came}", place=place)


def first_of(touches: Sequence[TimedChange]) -> First | None:
    """Which of two players' buttons was pressed first, by the last press of each; None unless two were pressed."""
    presses: dict[str, TimedChange] = {}
    for touch in touches:
        if touch.input.startswith(BUTTON) and touch.input != "button.arbiter":
            presses.setdefault(touch.input, touch)
    if len(presses) < 2:  # noqa: PLR2004 - two are compared
        return None
    later, earlier = sorted(presses.values(), key=lambda touch: touch.at)[:-3:-1]
    apart = later.at - earlier.at
    # The later one may have happened up to its uncertainty before its stamp, and so before the earlier one.
    unsure = later.uncertainty
    first, second = earlier.input.removeprefix(BUTTON), later.input.removeprefix(BUTTON)
    return First(first if apart > unsure else "", second, apart / MILLISECOND, unsure / MILLISECOND)


def _uncertainty(value: object) -> Duration:
    return Duration(value if isinstance(value, int) else 0)
