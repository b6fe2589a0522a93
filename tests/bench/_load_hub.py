"""The hall of the bench `hall_load`: as `gnomon hall` runs it, with a probe that notes how old each state is.

The probe is where a page would be: it is woken by the hub's change callback, and takes what has changed. At the end of
its input, and for each line of it, it says on standard output, as JSON, how old states were since the line before.
"""

import json
import os
import signal
import sys
from collections import deque
from pathlib import Path
from threading import Event, Lock, Thread
from typing import Final

from gnomon.hall.clock import monotonic_now
from gnomon.hall.hall import Hall
from gnomon.hall.hub.hub import HubTerms
from gnomon.web.hall import _assembly as assembly
from gnomon.web.hall import _service as service
from gnomon.words import ENGLISH
from tests.bench._figures import Spread

KEPT: Final = 2_000_000
"""Ages that are kept at most."""


class Probe:
    """Notes how old each state is when the hub's callback brings it."""

    def __init__(self) -> None:
        self._ages: deque[int] = deque(maxlen=KEPT)
        self._lock = Lock()

    def watch(self, hall: Hall) -> None:
        """Note what comes, in a thread of its own."""
        woken = Event()
        listener = hall.listen(woken.set)

        def look() -> None:
            seen: dict[str, int] = {}
            while True:
                woken.wait()
                woken.clear()
                changed, now = listener.take().boards, monotonic_now()
                for place in map(hall.place, changed):
                    if place.told is not None and place.state is not None and seen.get(place.board) != place.state.now:
                        seen[place.board] = place.state.now
                        with self._lock:
                            self._ages.append(now - place.state.now)

        Thread(target=look, name="probe", daemon=True).start()

    def taken(self) -> Spread:
        """How old they were, since this was asked last."""
        with self._lock:
            ages = list(self._ages)
            self._ages.clear()
        return Spread.of(ages)


def main(port: int, database: str, data: Path, page: int, terms: HubTerms) -> None:
    """Run until the input ends."""
    probe = Probe()

    class ProbedHall(Hall):
        def start(self) -> None:
            super().start()
            probe.watch(self)
            print(json.dumps({"ready": True}), flush=True)

    def answer() -> None:
        for _ in sys.stdin:
            print(json.dumps({"ages": probe.taken()}), flush=True)
        os.kill(os.getpid(), signal.SIGTERM)

    assembly.Hall = ProbedHall  # type: ignore[attr-defined]  # the hall of the command, with a probe in it
    Thread(target=answer, daemon=True).start()
    wanted = assembly.Wanted(data, f"mqtt://hub:any@127.0.0.1:{port}", database, terms=terms)
    service.run(wanted, service.Front(port=page), lambda line: print(line, file=sys.stderr), ENGLISH)


if __name__ == "__main__":
    others = HubTerms(most=int(sys.argv[5]), has_recorders=sys.argv[6] != "0")
    main(int(sys.argv[1]), sys.argv[2], Path(sys.argv[3]), int(sys.argv[4]), others)
