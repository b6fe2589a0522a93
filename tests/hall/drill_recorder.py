"""Run a recorder of the drill in a process: it keeps records, and says how many have come, until its input ends."""

import argparse
import sys
from random import Random
from threading import Event, Thread
from typing import Final

from gnomon.hall.hub.hub import BOARDS, HubTerms
from gnomon.hall.messaging.enrolment import NONE, Enrolment
from gnomon.hall.messaging.mqtt_bus import MqttBus
from gnomon.hall.record_service import open_recorder
from tests.hall.drill_boards import HASTE, say
from tests.hall.drill_bus import WatchedBus
from tests.hall.servers import HOST

EACH: Final = 0.2
"""Seconds between two sayings at least."""


def main() -> None:
    """Run until standard input ends."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("name")
    options.add_argument("--database", required=True)
    options.add_argument("--port", type=int, required=True)
    options.add_argument("--most", type=int, default=BOARDS, help="how many boards there may be")
    told = options.parse_args()
    bus = WatchedBus(MqttBus(Enrolment(HOST, told.port, told.name, "any", NONE), chance=Random(1), patience=HASTE))
    ended = Event()

    def listen() -> None:
        for _ in sys.stdin:
            say(recorder=told.name, trace=bus.trace(), refused=recorder.refused)
        ended.set()

    with open_recorder(told.database, bus, HubTerms(most=told.most)) as (_, recorder):
        Thread(target=listen, name="orders", daemon=True).start()
        say(recorder=told.name, heard=0, ready=True)
        while not ended.wait(EACH):
            say(recorder=told.name, heard=bus.records)
    say(recorder=told.name, heard=bus.records)
    bus.close()


if __name__ == "__main__":
    main()
