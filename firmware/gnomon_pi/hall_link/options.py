"""Define the command-line options of the hall: enrolment file and Home Assistant discovery."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, Final

import click

from gnomon.cli import localized
from gnomon.refusals import statement

if TYPE_CHECKING:
    from gnomon.hall.messaging.bus import Bus, Will
    from gnomon.hall.messaging.enrolment import Enrolment
    from gnomon.records.journal.writer import Journal
    from gnomon_pi.runtime.service import Service
    from gnomon_pi.runtime.system.clock import Watch


GOODBYE: Final = 1.0
"""Seconds at most for the last word to leave when the daemon stops."""


class HallLinkError(Exception):
    """The board cannot be in its hall; the message is one sentence for people."""


@dataclass(frozen=True, slots=True)
class HallOptions:
    """The hall that a board is in: the file of its enrolment, and whether it describes itself to Home Assistant.

    `delay` is by how many seconds spectators see the board later.
    """

    enrolment: Path
    home_assistant: bool = False
    delay: float = 0.0


_OPTIONS = (
    localized.option("--hall", type=click.Path(path_type=Path), help="option.gnomond.hall.hall"),
    localized.option("--hall-if", type=click.Path(path_type=Path), help="option.safe_if"),
    localized.option("--home-assistant", is_flag=True, help="option.gnomond.hall.home_assistant"),
)


def hall_options(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options of the hall, handed over as `hall`: HallOptions, or None for none."""

    @wraps(command)
    def collect(*arguments: Any, hall: Path | None, hall_if: Path | None, home_assistant: bool, **others: Any) -> None:
        if hall is None and hall_if is not None and hall_if.exists():
            hall = hall_if
        if home_assistant and hall is None and hall_if is None:
            raise localized.WrongUsageError(statement("usage.home_assistant"))
        command(*arguments, hall=None if hall is None else HallOptions(hall, home_assistant), **others)

    for option in reversed(_OPTIONS):
        collect = option(collect)
    return collect


@contextmanager
def in_the_hall(
    hall: HallOptions | None, service: "Service", journal: "Journal", watch: "Watch", say: Callable[[str], None]
) -> Iterator[None]:
    """Be in the hall for a while, or in none; called in the daemon's loop. Raises HallLinkError and JournalError."""
    if hall is None:
        yield
        return
    from gnomon.hall.exposure import mqtt_warning
    from gnomon.hall.messaging.enrolment import EnrolmentError, read
    from gnomon.timekeeping.instants import SECOND, Duration
    from gnomon_pi.hall_link._assembly import LinkOptions, join_hall

    try:
        enrolment = read(hall.enrolment)
        open_bus = _open_bus(enrolment, say)
        describes = hall.home_assistant or enrolment.home_assistant
        manner = LinkOptions(enrolment.board, describes, say, Duration(round(hall.delay * SECOND)), enrolment.hall)
        with join_hall(manner, service, journal, watch, open_bus):
            say(f"The board is {enrolment.board} in the hall at {enrolment.broker}")
            if warning := mqtt_warning(enrolment):
                say(warning.message)
            yield
    except EnrolmentError as error:
        raise HallLinkError(str(error)) from error


def _open_bus(enrolment: "Enrolment", say: Callable[[str], None]) -> "Callable[[Will], AbstractContextManager[Bus]]":
    """What connects to the broker. Raises EnrolmentError for a useless authority."""
    from gnomon.hall.messaging.hall_topics import BoardBus, with_hall
    from gnomon.hall.messaging.mqtt_bus import MqttBus

    @contextmanager
    def open_bus(will: "Will") -> "Iterator[Bus]":
        chance = Random()  # noqa: S311 - by how much two boards are apart is no secret
        named = will._replace(topic=with_hall(will.topic, enrolment.hall))
        bus = MqttBus(enrolment, chance=chance, will=named, say=say)
        try:
            yield BoardBus(bus, enrolment.hall)
        finally:
            bus.close()
            bus.join(GOODBYE)

    return open_bus
