"""Run the hall of the drill in a process: its hub, and a director who does as told.

Orders come on standard input and are answered on standard output, a line of JSON each; between the answers stands what
is new: how many records are kept and have come, how many boards are there, how many results the book has.
"""

import argparse
import json
import sys
from collections.abc import Collection, Mapping
from contextlib import suppress
from queue import SimpleQueue
from random import Random
from threading import Thread
from typing import Final

from gnomon.hall.hall import Hall
from gnomon.hall.hub.hub import HubTerms
from gnomon.hall.messaging.enrolment import NONE, Enrolment
from gnomon.hall.messaging.mqtt_bus import MqttBus
from gnomon.hall.rounds.board_assignment import Accept, BoardAssignment
from gnomon.hall.rounds.event_log import StaleError
from gnomon.tournament.errors import TournamentError
from gnomon.tournament.events import EntrantRegistered, ResultEntered, TournamentOpened
from gnomon.tournament.pairing.engines import pair
from gnomon.tournament.state.settings import System, TournamentSettings
from tests.hall.drill_boards import HASTE, say
from tests.hall.drill_bus import WatchedBus
from tests.hall.servers import HOST

NAME: Final = "drill"
DIRECTOR: Final = "Anna"
ROUNDS: Final = 2
GAME: Final = "tabik"
UNFINISHED: Final = "hall.left.unfinished"
"""Why a board was not sent its game: it plays another."""
_NEWS: Final = ""

Answer = Mapping[str, object]


class Director:
    """Does what the drill orders; each order may come again after the hall was killed in the middle of it."""

    def __init__(self, hall: Hall, bus: WatchedBus) -> None:
        self._hall, self._bus = hall, bus
        self._entered = 0

    def news(self, changed: Collection[str]) -> Answer:
        """How things stand after changes in some tournaments."""
        places = self._hall.places()
        if NAME in changed:
            told = self._hall.book(NAME).read()
            self._entered = sum(isinstance(one.event, ResultEntered) for one in told)
        return {
            "kept": sum(place.through for place in places),
            "heard": self._bus.records,
            "lag": sum(place.lag for place in places),
            "online": sum(place.is_online for place in places),
            "entered": self._entered,
        }

    def open(self, boards: list[str]) -> Answer:
        """Open the tournament of two players a board."""
        book = self._hall.book(NAME)
        settings = TournamentSettings("Drill", System.SWISS, ROUNDS, tie_breaks=("BH", "SB"))
        with suppress(StaleError):
            players = [EntrantRegistered(number, f"Player {number}") for number in range(1, 2 * len(boards) + 1)]
            book.extend([TournamentOpened(settings), *players], DIRECTOR, after=0)
        stand = dict(enumerate(boards, start=1))
        self._hall.set_plan(NAME, BoardAssignment(GAME, {"size": 4}, accept=Accept.CONFIRMED, boards=stand))
        return {"events": len(book.read())}

    def publish(self, in_round: int) -> Answer:
        """Pair and publish a round, unless it is."""
        after, tournament = len(self._hall.book(NAME).read()), self._hall.book(NAME).tournament()
        if len(tournament.rounds) < in_round:
            self._hall.publish(NAME, pair(tournament), DIRECTOR, after=after)
        return {"pairings": len(self._hall.book(NAME).tournament().rounds[-1].pairings)}

    def send(self) -> Answer:
        """Have games begun where none is being played, and unfinished friendly ones given up."""
        sent = self._hall.send_round(NAME, DIRECTOR)
        busy = [one.board for one in sent.left if one.why.key == UNFINISHED]
        given_up = self._hall.send_round(NAME, DIRECTOR, boards=busy, abandon=True) if busy else sent
        return {"sent": len(sent.requests), "abandoned": len(given_up.requests) if busy else 0}

    def waiting(self) -> Answer:
        """The pairings without a result, and what is known of them."""
        told = self._hall.proposals(NAME, len(self._hall.book(NAME).tournament().rounds))
        left = {one.board: one.why.message for one in self._hall.send_round(NAME, DIRECTOR, boards=()).left}
        return {
            str(one.board): (one.standing, str(one.games), left.get(one.board)) for one in told if one.entered is None
        }

    def refused(self) -> Answer:
        """What was refused or dropped since this life of the hall began, and what is wrong with it."""
        return {"refused": self._hall.refusal_counts(), "health": [each.message for each in self._hall.health()]}

    def trace(self) -> Answer:
        """What was said last over the bus, and what was refused."""
        return {"trace": self._bus.trace(), **self.refused()}


def main() -> None:
    """Run until standard input ends."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--database", required=True)
    options.add_argument("--port", type=int, required=True)
    options.add_argument("--recorders", action="store_true", help="others keep the records")
    options.add_argument("--name", default="hub")
    options.add_argument("--shared", action="store_true", help="other hubs serve the same boards")
    told = options.parse_args()
    bus = WatchedBus(MqttBus(Enrolment(HOST, told.port, told.name, "any", NONE), chance=Random(1), patience=HASTE))
    hall = Hall.open(told.database, bus, terms=HubTerms(has_recorders=told.recorders, has_others=told.shared))
    director, orders = Director(hall, bus), SimpleQueue[str | None]()
    listener = hall.listen(lambda: orders.put(_NEWS))
    hall.start()
    Thread(target=_read, args=(orders,), name="orders", daemon=True).start()
    say(ready=True, **director.news([NAME]))
    while (order := orders.get()) is not None:
        if order == _NEWS:
            say(**director.news(listener.take().tournaments))
        else:
            say(answer=obeyed(director, order))
    hall.close()
    bus.close()


def obeyed(director: Director, order: str) -> Answer:
    """Do what one line orders."""
    told = json.loads(order)
    do = getattr(director, told.pop("do"))
    try:
        answer: Answer = do(**told)
    except (TournamentError, StaleError) as error:
        return {"error": str(error)}
    return answer


def _read(orders: SimpleQueue[str | None]) -> None:
    for line in sys.stdin:
        orders.put(line)
    orders.put(None)


if __name__ == "__main__":
    main()
