"""The drill of a hall: broker, hub and boards are killed in the middle of a tournament, and nothing is lost.

`python -m tests.hall.drill` lets fifty boards play in four processes, on journals of their own, against a real
Mosquitto, and a hub on PostgreSQL (or a file with `--sqlite`). They play games among themselves and two rounds of a
tournament, with corrections; meanwhile the broker is killed (SIGKILL) four times, the hub twice and two processes of
boards once each, and wires are cut. What happens when hangs on how much the boards have written and on a seed, not on
time. With `--spare`, a second hub serves the same boards and takes over. With `--recorders 3`, three processes share
the records, and the hub keeps none; one of them is killed every ten seconds.

At the end everything must be as if nothing had happened: each journal stands in the hall's database byte for byte and
nothing else does, every result of a round is in the book once, and the standings that follow from the journals alone
are the hall's.
"""

import argparse
import json
import os
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from random import Random
from threading import Condition
from typing import Final, NamedTuple

import psycopg

from tests.hall.drill_bus import TRACE
from tests.hall.drill_child import PATIENCE, Child, Said
from tests.hall.drill_hub import ROUNDS
from tests.hall.drill_proof import Proof, proven
from tests.hall.servers import Mosquitto, PostgreSql
from tests.hall.wires import Wire, wire

AGAIN: Final = 1.0
"""Seconds after which the director looks whether a game is still to be sent."""
DOWN: Final = 1.0
"""Seconds after which what was killed is started again, however little the boards have written meanwhile."""
SPARED: Final = 8.0
"""The same for a hub that has a spare: boards send again after five seconds at the latest."""
LONG: Final = 10**6
LOOK: Final = 0.1
"""Seconds between two looks whether something is to be mended, when nobody says anything."""
HALVES: Final = 2 * ROUNDS
"""Each round is played after a stretch of friendly games."""
CALM: Final = 2.0
"""Seconds in which no board has written, before the drill ends."""
ROUND_RECORDS: Final = 18
"""Records that a board writes in a round, more or less."""
HUB_TRIES: Final = 10
TRACED: Final = 5.0
"""Seconds in which each process says what it knows, when nothing goes on any more."""
TRACED_LINES: Final = 40
"""Of what a broker has said of one board."""


class DrillError(AssertionError):
    """The drill has found something wrong; the sentence says what."""


class Size(NamedTuple):
    """How large a drill is; `records` is how long the journals grow by friendly games before each round."""

    boards: int = 50
    processes: int = 4
    records: int = 20
    seed: int = 1
    broker_kills: int = 4
    hub_kills: int = 2
    board_kills: int = 2
    cuts: int = 2
    spare: bool = False
    """A second hub serves the same boards, and the first one is away for long when it is killed."""
    recorders: int = 0
    recorder_seconds: int = 10
    """After so long the next recorder is killed, and after a second it is started again."""


class Servers(NamedTuple):
    """What the drill runs on: a broker that it may kill, and the address of an empty database.

    `far` is another broker, bridged to the first one, that the boards connect to.
    """

    broker: Mosquitto
    database: str
    far: Mosquitto | None = None


class Struck(NamedTuple):
    """When a blow fell: after so many records, and at a moment of the monotonic clock in seconds."""

    written: int
    at: float


@dataclass
class Blow:
    """Something bad, and what mends it `length` records later; it falls once the boards have written `at` records."""

    name: str
    strike: Callable[[], None]
    mend: Callable[[], None]
    length: int
    at: int = 0
    down: float = DOWN
    struck: Struck | None = None
    is_over: bool = False


@dataclass
class Known:
    """What the processes have said so far; guarded by the condition."""

    changed: Condition = field(default_factory=Condition)
    written: dict[str, int] = field(default_factory=dict)
    marks: dict[str, int] = field(default_factory=dict)
    hall: dict[str, object] = field(default_factory=dict)
    lives: list[int] = field(default_factory=list)  # records that came to each life of the hub, or of a recorder
    last_life: dict[str, int] = field(default_factory=dict)  # of each
    is_ready: bool = False
    recorder_starts: int = 0  # how often a recorder has said that it is ready
    answers: list[Said] = field(default_factory=list)
    traces: list[Said] = field(default_factory=list)

    @property
    def total(self) -> int:
        """How many records the boards have written."""
        return sum(self.written.values())

    def hear(self, said: Said) -> None:
        """One line of a process."""
        with self.changed:
            if "trace" in said:
                self.traces.append(said)
            elif "board" in said:
                board = str(said["board"])
                for what, numbers in (("written", self.written), ("mark", self.marks)):
                    if what in said:
                        numbers[board] = _number(said, what)
            elif "recorder" in said:
                self.recorder_starts += said.get("ready") is True
                self._hear_life(str(said["recorder"]), said)
            elif "answer" in said:
                answer = said["answer"]
                assert isinstance(answer, dict)
                (self.traces if "trace" in answer else self.answers).append(answer)
            else:
                self._hear_hall(said)
            self.changed.notify_all()

    def _hear_hall(self, said: Said) -> None:
        self.is_ready = self.is_ready or said.get("ready") is True
        self._hear_life("hub", said)
        self.hall.update(said)

    def hear_spare(self, said: Said) -> None:
        """One line of the second hub, which nobody gives orders to."""
        with self.changed:
            self._hear_life("the spare hub", said)

    def _hear_life(self, name: str, said: Said) -> None:
        if said.get("ready") is True:
            self.last_life[name] = len(self.lives)
            self.lives.append(0)
        self.lives[self.last_life[name]] = _number(said, "heard")


class Drill:
    """One drill, from the first start to the last proof."""

    def __init__(self, servers: Servers, folder: Path, size: Size, tell: Callable[[str], None]) -> None:
        self._servers, self._folder, self._size = servers, folder, size
        self._chance = Random(size.seed)
        self._known = Known()
        self._begun = time.monotonic()
        self._say = tell
        self.boards = [f"t{number:02}" for number in range(1, size.boards + 1)]
        self._children: list[Child] = []
        self._wires: list[Wire] = []
        place = ("--database", servers.database, "--port", servers.broker.port)
        of_hubs = (*place, *["--recorders"] * bool(size.recorders), *["--shared"] * size.spare)
        self._hub = self._child("the hub", "tests.hall.drill_hub", *of_hubs)
        self._spare = Child(
            "the spare hub",
            ["tests.hall.drill_hub", "--name", "hub-2", *map(str, of_hubs)],
            self._known.hear_spare,
            folder / "spare.err",
        )
        self._recorders = [
            self._child(f"recorder {number}", "tests.hall.drill_recorder", f"recorder-{number}", *place)
            for number in range(1, size.recorders + 1)
        ]
        self.recorder_kills = 0
        """How often a recorder was killed."""
        self._dead: Child | None = None
        self._kill_at = time.monotonic() + size.recorder_seconds
        self._kept_before = self.kept_meanwhile = 0  # how many records boards knew to be kept, while the hub was away
        self._blows: list[list[Blow]] = [[] for _ in range(HALVES)]
        self.struck: list[str] = []
        """What has gone wrong so far, in order."""
        self._struck: list[Blow] = []
        self._settled = -1, 0.0

    def run(self) -> Proof:
        """Play, strike, and prove. Raises DrillError and ProofError."""
        with ExitStack() as stack:
            self._start(stack)
            self._plan()
            for half, blows in enumerate(self._blows):
                self._play(half, blows)
            self._until("the hall has everything, and the boards know", self._is_settled)
            for child in self._children:
                child.dismiss()
            for child in self._children:
                child.end()
            self._tell(f"the hall says: {json.dumps(self._order(do='refused'))}")
            if self._dead is not None:
                self._dead.start()
            for child in (*self._recorders, self._spare, self._hub):
                child.dismiss()
                child.end()
        known = self._known
        heard = sum(known.lives)
        self._tell(f"{known.total} records written; {heard} came, of which {heard - known.total} more than once")
        if self._recorders:
            self._tell(f"{len(self._recorders)} recorders, of which one was killed {self.recorder_kills} times")
        return proven(self._servers.database, self._folder, known.written)

    # The course of it

    def _start(self, stack: ExitStack) -> None:
        for child in (self._hub, *[self._spare] * self._size.spare, *self._recorders):
            stack.callback(child.stop)
            child.start()
        for number in range(self._size.processes):
            line = stack.enter_context(wire((self._servers.far or self._servers.broker).port))
            names = self.boards[number :: self._size.processes]
            place = ("--folder", self._folder, "--port", line.port, "--seed", self._size.seed)
            child = self._child(f"the boards {' '.join(names)}", "tests.hall.drill_boards", *place, *names)
            stack.callback(child.stop)
            child.start()
            self._wires.append(line)
            self._children.append(child)
        self._order(do="open", boards=self.boards)
        self._until("every board is in the hall", lambda: self._known.hall.get("online") == len(self.boards))

    def _play(self, half: int, blows: Sequence[Blow]) -> None:
        """A stretch of friendly games, or a round."""
        in_round = half // 2 + 1
        expected = len(self.boards) * (ROUND_RECORDS if half % 2 else self._size.records)
        for blow in blows:
            blow.at = self._known.total + int(expected * self._chance.uniform(0.05, 0.8))
        self._struck = sorted(blows, key=lambda blow: blow.at)
        if half % 2:
            self._round(in_round)
        else:
            self._friendly(in_round)
        for blow in blows:
            blow.at = 0  # what has not happened yet happens now
        self._until("everything is mended", lambda: all(blow.is_over for blow in blows))
        if self._recorders:
            self._until("a recorder is killed", lambda: self.recorder_kills > min(half, 1))

    def _friendly(self, before_round: int) -> None:
        self._tell(f"friendly games before round {before_round}")
        known = self._known
        aim = {name: known.written[name] + self._size.records for name in self.boards}
        for child in self._children:
            self._let_play(child)
        self._until("friendly games", lambda: all(known.written[name] >= aim[name] for name in self.boards))

    def _round(self, in_round: int) -> None:
        wanted = in_round * len(self.boards)
        published = self._order(do="publish", in_round=in_round)
        self._tell(f"round {in_round}: {published['pairings']} pairings")
        deadline = time.monotonic() + PATIENCE
        while True:
            self._order(do="send")
            if self._wait(lambda: self._known.hall.get("entered") == wanted, AGAIN):
                return
            if time.monotonic() > deadline:
                message = f"round {in_round} does not end: {self._known.hall}, {self._order(do='waiting')}"
                self._tell_what_each_knows()
                raise DrillError(message)

    def _is_settled(self) -> bool:
        """Whether the hall has everything, and no board has written for a while: a tardy one may have a turn left."""
        known = self._known
        if self._settled[0] != known.total or known.hall.get("kept") != known.total or known.marks != known.written:
            self._settled = known.total, time.monotonic()
            return False
        return time.monotonic() - self._settled[1] >= CALM

    # What goes wrong

    def _plan(self) -> None:
        """Who is killed in which half: each half has some, and chance says when in it."""
        size, broker = self._size, self._servers.broker
        for number in range(size.broker_kills):
            blow = Blow("the broker is killed", broker.kill, broker.start, self._chance.randint(10, 200))
            self._blows[number % HALVES].append(blow)
        for number in range(size.hub_kills):
            length = LONG if size.spare else self._chance.randint(10, 200)
            down = SPARED if size.spare else DOWN
            blow = Blow("the hub is killed", self._kill_hub, self._start_hub, length, down=down)
            self._blows[self._chance.randrange(HALVES) if number > 1 else 2 * number + 1].append(blow)
        victims = self._chance.sample(range(size.processes), size.processes)
        for number in range(size.board_kills):
            child = self._children[victims[number % len(victims)]]
            blow = Blow(f"{child.name} are killed", child.kill, partial(self._let_play, child), 60)
            self._blows[(2 * number + 1) % HALVES].append(blow)
        for number in range(size.cuts):
            self._blows[(2 * number) % HALVES].append(self._cut(victims[-1 - number % len(victims)], number))

    def _cut(self, which: int, number: int) -> Blow:
        """A wire that is cut, or a process that stands still for a while as if its network did."""
        child, line, length = self._children[which], self._wires[which], self._chance.randint(100, 400)
        if number % 2:
            return Blow(f"{child.name} are frozen", child.freeze, child.thaw, length)
        return Blow(f"{child.name} are cut off", line.cut, line.mend, length)

    def _start_hub(self) -> None:
        self.kept_meanwhile += sum(self._known.marks.values()) - self._kept_before
        self._hub.start()

    def _kill_hub(self) -> None:
        self._kept_before = sum(self._known.marks.values())
        self._hub.kill()
        self._known.is_ready = False

    def _let_play(self, child: Child) -> None:
        """Have friendly games played, by a process that is started if it was killed."""
        if not child.is_alive:
            child.start()
        child.order(f"play {self._size.records}")

    def _kill_a_recorder(self, now: float) -> None:
        """Kill one recorder after the other, each for a second, the next one when that one has been there for a while.

        On a busy machine starting one takes longer than the pause: killed by the clock alone, none of them would ever
        keep anything.
        """
        if not self._recorders:
            return
        if self._dead is None and self._known.recorder_starts < len(self._recorders) + self.recorder_kills:
            self._kill_at = max(self._kill_at, now + self._size.recorder_seconds - DOWN)
        if now < self._kill_at:
            return
        if self._dead is None:
            self._dead = self._recorders[self.recorder_kills % len(self._recorders)]
            self._dead.kill()
            self.recorder_kills += 1
            self._kill_at = now + DOWN
        else:
            self._dead.start()
            self._dead, self._kill_at = None, now + self._size.recorder_seconds - DOWN

    def _strike_and_mend(self) -> None:
        self._kill_a_recorder(time.monotonic())
        now, written = time.monotonic(), self._known.total
        for blow in self._struck:
            if blow.struck is None and written >= blow.at and blow.name not in self._open():
                self._tell(f"at {written} records {blow.name}")
                self.struck.append(blow.name)
                blow.strike()
                blow.struck = Struck(written, now)
            elif blow.struck is not None and not blow.is_over:
                is_enough = written >= blow.struck.written + blow.length
                if is_enough or now >= blow.struck.at + blow.down:
                    blow.mend()
                    blow.is_over = True

    def _open(self) -> set[str]:
        """What is not mended yet."""
        return {blow.name for blow in self._struck if blow.struck is not None and not blow.is_over}

    # Orders and waiting

    def _order(self, **order: object) -> Said:
        """What the hub answers to an order, which is given again when it is killed meanwhile. Raises DrillError."""
        known, line = self._known, json.dumps(order)
        for _ in range(HUB_TRIES):
            self._until("the hub is there", lambda: known.is_ready)
            known.answers.clear()
            self._hub.order(line)
            self._until(f"an answer to {line}", lambda: bool(known.answers) or not known.is_ready)
            if known.answers:
                return known.answers.pop()
        message = f"the hub has no answer to {line}"
        raise DrillError(message)

    def _until(self, what: str, is_true: Callable[[], bool]) -> None:
        """Wait until something is true. Raises DrillError when that does not happen."""
        if not self._wait(is_true, PATIENCE):
            known = self._known
            behind = {name: (seq, known.marks.get(name)) for name, seq in known.written.items()}
            message = f"{what}: this does not happen; the hall says {known.hall}, the boards {behind}"
            self._tell_what_each_knows()
            raise DrillError(message)

    def _wait(self, is_true: Callable[[], bool], within: float) -> bool:
        known, limit = self._known, time.monotonic() + within
        while True:
            self._strike_and_mend()
            with known.changed:
                if is_true():
                    return True
                left = limit - time.monotonic()
                if left <= 0:
                    return False
                known.changed.wait(min(left, LOOK))
            self._see_that_all_live()

    def _tell_what_each_knows(self) -> None:
        """Say what every process, the brokers and the database know, to find out why nothing goes on."""
        known, servers = self._known, self._servers
        alive = [one for one in (self._hub, *self._recorders, *self._children) if one.is_alive]
        for child in alive:
            child.order(TRACE)
        with known.changed:
            wanted = len(self.boards) + len(alive) - len(self._children)
            known.changed.wait_for(lambda: len(known.traces) >= wanted, TRACED)
            traces = list(known.traces)
        for told in traces:
            self._tell(json.dumps(told))
        behind = {name: (seq, known.marks.get(name)) for name, seq in known.written.items()}
        self._tell(f"at {time.monotonic():.1f} the boards have written, and know to be kept: {behind}")
        for name in [name for name, (seq, mark) in behind.items() if seq != mark]:
            for broker in filter(None, (servers.broker, servers.far)):
                lines = [line for line in broker.log.copy() if name in line]
                self._tell("\n".join([f"a broker of {name}:", *lines[-TRACED_LINES:]]))
        if servers.database.startswith("postgresql"):
            with psycopg.connect(servers.database, connect_timeout=int(TRACED)) as database:
                at_work = "SELECT pid, state, wait_event, xact_start, left(query, 200) FROM pg_stat_activity"
                for row in database.execute(f"{at_work} WHERE state <> 'idle' ORDER BY xact_start"):
                    self._tell(f"the database: {row}")

    def _see_that_all_live(self) -> None:
        for child in (self._hub, self._spare, *self._recorders, *self._children):
            child.check()

    def _child(self, name: str, *command: object) -> Child:
        errors = self._folder / f"{len(self._children)}-{name.replace(' ', '-')[:40]}.err"
        return Child(name, [str(word) for word in command], self._known.hear, errors)

    def _tell(self, line: str) -> None:
        self._say(f"{time.monotonic() - self._begun:6.1f} s  {line}")


def _number(said: Said, name: str) -> int:
    value = said[name]
    assert isinstance(value, int)
    return value


@contextmanager
def own_servers(folder: Path, *, sqlite: bool) -> Iterator[Servers]:
    """A broker and a database for one drill from the command line. Raises ServerError where a program is missing."""
    broker = Mosquitto(program("mosquitto"), folder)
    try:
        if sqlite:
            yield Servers(broker, str(folder / "hall.sqlite"))
            return
        postgresql = PostgreSql(program("initdb"))
        try:
            yield Servers(broker, postgresql.new_database())
        finally:
            postgresql.remove()
    finally:
        broker.stop()


def main() -> None:
    """One drill, or several with one seed after another."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    defaults = Size()
    for name, value in defaults._asdict().items():
        if isinstance(value, bool):
            options.add_argument(f"--{name.replace('_', '-')}", action="store_true")
        else:
            options.add_argument(f"--{name.replace('_', '-')}", type=int, default=value)
    options.add_argument("--drills", type=int, default=1, help="so many, with one seed after another")
    options.add_argument("--sqlite", action="store_true", help="the hub keeps everything in a file")
    told = vars(options.parse_args())
    drills, sqlite = told.pop("drills"), told.pop("sqlite")
    # Stopping the drill stops its servers, too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("the drill was stopped"))
    size = Size(**told)
    for number in range(drills):
        with tempfile.TemporaryDirectory(prefix="gnomon-drill-") as name:
            folder = Path(name)
            with own_servers(folder, sqlite=sqlite) as servers:
                drill = Drill(servers, folder, size._replace(seed=size.seed + number), say)
                say(f"seed {size.seed + number}: {drill.run().sentence}")


def program(name: str) -> str:
    """The path of a server's program, which need not be on a user's path. Raises DrillError."""
    places = ("/usr/sbin", *sorted(map(str, Path("/usr/lib/postgresql").glob("*/bin")), reverse=True))
    path = shutil.which(name) or shutil.which(name, path=os.pathsep.join(places))
    if path is None:
        message = f"{name} is missing (Debian: sudo apt-get install mosquitto postgresql)"
        raise DrillError(message)
    return path


def say(line: str) -> None:
    """Tell people at once."""
    print(line, flush=True)


if __name__ == "__main__":
    main()
