"""Run the loop of a walk: read the board, take answers and show prompts until it is over."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final, Protocol

from gnomon.timekeeping.instants import MILLISECOND, Duration, Instant
from gnomon_pi.drivers.protocols import DriverError
from gnomon_pi.runtime.clock import Watch
from gnomon_pi.tools.walk.pictures import picture
from gnomon_pi.tools.walk.rig import Rig
from gnomon_pi.tools.walk.wiring_inference import Answer, Phase, Walk, looked, pressed, told, wants
from gnomon_pi.tools.walk.wording import Prompt, prompt

PERIOD: Final = Duration(50 * MILLISECOND)
"""Between two looks: hall switches have looked once in this time."""


class Audience(Protocol):
    """Who reads what is asked, and answers by keys."""

    def asked(self, walk: Walk, prompt: Prompt) -> None:
        """Something new is asked."""
        ...

    def trouble(self, sentence: str) -> None:
        """Something of the board does not work; empty when it works again."""
        ...

    def answers(self) -> Iterator[Answer]:
        """What was answered since the last time."""
        ...


@dataclass(frozen=True, slots=True)
class Pace:
    """The time of a walk: the watch, and what lets time pass until an instant."""

    watch: Watch
    wait: Callable[[Instant], None]
    period: Duration = PERIOD


def walked(walk: Walk, rig: Rig, audience: Audience, pace: Pace) -> Walk:
    """Walk until it is over, and give the last state; the rig stays open.

    KeyboardInterrupt stops the walk with what was learnt so far.
    """
    shown: Prompt | None = None
    told_of = ""
    due = pace.watch.now()
    while walk.phase is not Phase.OVER:
        try:
            pace.wait(due)
            due = Instant(max(due + pace.period, pace.watch.now()))
            ask = prompt(walk)
            if ask != shown:
                shown = ask
                rig.show(picture(walk, ask))
                audience.asked(walk, ask)
            walk, trouble = _round(walk, rig, audience, pace.watch.now())
            if trouble != told_of:
                told_of = trouble
                audience.trouble(trouble)
        except KeyboardInterrupt:
            walk = told(walk, Answer.STOP, pace.watch.now())
    rig.show(picture(walk, prompt(walk)))
    return walk


def _round(walk: Walk, rig: Rig, audience: Audience, now: Instant) -> tuple[Walk, str]:
    """The walk after one look and what was answered meanwhile, and what of the board does not work."""
    failed = ""
    try:
        rig.want(wants(walk))
        walk = looked(walk, rig.look(), now)
    except DriverError as error:
        failed = str(error)
    for name in rig.pressed():
        walk = pressed(walk, name, now)
    for answer in audience.answers():
        walk = told(walk, answer, now)
    return walk, " ".join(filter(None, (failed, *rig.troubles.values())))
