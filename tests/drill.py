"""The kill drill: the daemon is killed over and over, and everything that it has shown is still there.

`python -m tests.drill --kills 2000` plays one game after the other by hands on the simulated board (TAMSK, or another
one with `--game`) and kills the daemon (SIGKILL) at random moments, from its first breath on. After each restart three
things are compared with what the daemon itself had announced: every ruling is there, none is there twice, and the sand
has run on by the raw clock.
"""

import argparse
import json
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from pathlib import Path
from statistics import median
from typing import Any, Final

from gnomon.records.journal.event_codec import in_english, ruled_in
from gnomon.records.journal.writer import Journal

PLACES: Final = {
    "tamsk": ("--board=tamsk", "--level=2"),
    "tayu": ("--board=tayu",),
    **{game: ("--board=table", f"--game={game}") for game in ("tabik", "tau", "twenty-squares")},
}
"""The games that are drilled, and how the daemon is told."""
FULL_US: Final = 180_000_000
SAND_US: Final = 20_000  # what the sand may be wrong by after a restart
DOUBT_US: Final = 5_000_000  # for which a move may be in doubt
LIFE: Final = 1.0  # seconds at most from the first word of a daemon to its end: a turn, and until it has stood
BREATH: Final = 0.4  # seconds at most from its start, for one that is killed before it says anything
EARLY: Final = 0.2  # of the kills

Record = dict[str, Any]


class LossError(AssertionError):
    """The daemon has lost, doubled or bent something that it had shown."""


@dataclass
class Life:
    """What one daemon said from its start to its end."""

    said: list[Record] = field(default_factory=list)
    started: float = 0.0
    spoke: float = 0.0

    def hear(self, line: str) -> None:
        """Take in a line."""
        self.said.append(json.loads(line))
        self.spoke = self.spoke or time.monotonic()


@dataclass
class Report:
    """What a drill came to."""

    kills: int = 0
    silent: int = 0
    games: int = 0
    rulings: int = 0
    unannounced: int = 0  # durable, and killed before it was shown
    restarts: list[float] = field(default_factory=list)  # seconds from start to the first word
    sand_errors: list[int] = field(default_factory=list)  # µs

    def __str__(self) -> str:
        """One line for people."""
        return (
            f"{self.kills} kills ({self.silent} before the first word), {self.games} games, {self.rulings} rulings: "
            f"none lost, none twice; {self.unannounced} durable and not yet shown; "
            f"sand wrong by at most {max(self.sand_errors, default=0)} µs in {len(self.sand_errors)} comparisons; "
            f"restart {median(self.restarts or [0]):.2f} s in the median, {max(self.restarts, default=0):.2f} s at most"
        )


class Drill:
    """One journal, many daemons."""

    def __init__(self, journal: Path, seed: int, game: str) -> None:
        self.journal = journal
        self._place = PLACES[game]
        self.report = Report()
        self._chance = random.Random(seed)
        self._announced: dict[int, list[Record]] = {}  # by game
        self._sand: Record | None = None
        self._unwatched_us: Counter[int] = Counter()  # by game

    def kill_once(self) -> None:
        """Start a daemon, kill it at a random moment, and compare. Raises LossError."""
        early = self._chance.random() < EARLY
        delay = self._chance.uniform(0, BREATH if early else LIFE)
        life = self._live(delay, early=early)
        self.report.kills += 1
        if not life.said:
            self.report.silent += 1
            return
        self.report.restarts.append(life.spoke - life.started)
        self._compare_rulings(life)
        self._compare_sand([said["sand"] | {"game": said["game"]} for said in life.said if "sand" in said])
        if self._sand is not None and self._sand["paused"]:  # it waits for a word that nobody here gives
            self.check_journal()
            self.journal = self.journal.with_name(f"drill{self.report.kills}.journal")

    def check_journal(self) -> None:
        """Everything that was announced stands in the journal, in order and once. Raises LossError."""
        self.report.games += len(self._announced)
        self.report.rulings += sum(map(len, self._announced.values()))
        with Journal.open(self.journal) as journal:
            for game in journal.games():
                rulings = [in_english(body) for body in ruled_in(journal.read(game.id))]  # as they were announced
                announced = self._announced.pop(game.start.started, [])
                pairs = zip_longest(rulings[: len(announced)], announced)
                others = [f"{kept} for {told}" for kept, told in pairs if kept != told]
                check(not others, f"the journal has other rulings than were announced: {others}")
                check_unique(rulings)
        check(not self._announced, "a game that was announced is not in the journal")

    def _live(self, delay: float, *, early: bool) -> Life:
        command = [sys.executable, "-m", "gnomon_pi.cli.daemon", "--simulated", *self._place, "--no-page"]
        command += ["--let-it-play", "--set=opponent=none", "--hurried", "--announce", f"--journal={self.journal}"]
        command += [f"--seed={self._chance.randrange(1 << 32)}"]
        life = Life(started=time.monotonic())
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as daemon:
            assert daemon.stdout is not None
            assert daemon.stderr is not None
            if not early and (line := daemon.stdout.readline()):
                life.hear(line)
            time.sleep(delay)
            check(daemon.poll() is None, f"the daemon ended by itself: {daemon.stderr.read() if daemon.poll() else ''}")
            daemon.kill()
            for line in whole_lines(daemon.stdout.read()):
                life.hear(line)
        return life

    def _compare_rulings(self, life: Life) -> None:
        early: list[Record] = []  # announced before all that was known of its game
        resumed: set[int] = set()
        for said in life.said:
            announced = self._announced.setdefault(said["game"], [])
            if "resumed" in said:
                resumed.add(said["game"])
                back, new = said["resumed"], len(said["resumed"]) - len(announced)
                check(back[: len(announced)] == announced, f"lost: {announced} was announced, {back} came back")
                check(back[len(back) - len(early) :] == early, f"announced and not resumed: {early}")
                check(new >= len(early), f"announced twice: {early}")
                self.report.unannounced += new
                announced += back[len(announced) :]
                early = []
            elif "ruling" in said and said["game"] in resumed:
                announced.append(said["ruling"])
            elif "ruling" in said:
                early.append(said["ruling"])
        for announced in self._announced.values():
            check_unique(announced)

    def _compare_sand(self, told: Sequence[Record]) -> None:
        before, self._sand = self._sand, told[-1] if told else None
        after = next((sand for sand in told if before is not None and sand["game"] == before["game"]), None)
        if before is None or after is None:
            return
        self._unwatched_us[after["game"]] += after["raw_us"] - before["raw_us"]
        self.report.sand_errors += sand_errors(before, after, self._unwatched_us[after["game"]])


def sand_errors(before: Record, after: Record, unwatched_us: int) -> list[int]:
    """By how many µs the sand of each glass that was not turned went on wrongly from one word to another.

    `unwatched_us` is for how long nobody may have watched the board in this game: what a glass that was set down
    unseen may hold more is granted to it when it is turned the next time. Raises LossError where the sand was lost.
    """
    passed = after["raw_us"] - before["raw_us"]
    check(abs(after["at_us"] - before["at_us"] - passed) <= SAND_US, "board time has not gone on")
    least = 0 if before["paused"] or after["paused"] else passed
    most = 0 if before["paused"] and after["paused"] else passed
    turns = after["plies"] - before["plies"]
    errors, odd = [], 0
    for then, now in zip(before["remaining_us"], after["remaining_us"], strict=True):
        error = max(now - max(0, then - least), max(0, then - most) - now, 0)
        if error <= SAND_US:
            errors.append(error)
            continue
        odd += 1
        granted = 2 * unwatched_us if turns else 0
        was_granted = 0 <= now - max(0, then - most) <= granted + SAND_US
        told_sand = f"sand: {then} µs became {now} µs in {passed} µs, with {turns} turns"
        check(was_granted or _was_turned(then, now, passed, granted), told_sand)
    # Between two words of the daemon one glass may have been turned by the move that is being made.
    check(odd <= 1 + turns, f"{odd} glasses were turned at once")
    return errors


def _was_turned(then: int, now: int, passed: int, granted: int) -> bool:
    """Whether the sand is that of a glass turned over in the time that has passed, or shortly before.

    A move that was doubtful at first counts from when it was made; each microsecond since then counts twice.
    """
    turned_at_once = FULL_US - then
    return turned_at_once - passed - 2 * DOUBT_US - SAND_US <= now <= turned_at_once + passed + granted + SAND_US


def check(truth: object, otherwise: str) -> None:
    """Raises LossError."""
    if not truth:
        raise LossError(otherwise)


def check_unique(rulings: Sequence[Record]) -> None:
    """No ruling stands there twice. Raises LossError."""
    seen = [json.dumps(ruling, sort_keys=True) for ruling in rulings]
    twice = sorted({text for text in seen if seen.count(text) > 1})
    check(not twice, f"twice: {twice}")


def whole_lines(text: str) -> Iterator[str]:
    """The lines that were written to their end."""
    return (line for line in text.splitlines(keepends=True) if line.endswith("\n"))


def drill(kills: int, seed: int, folder: Path, game: str = "tamsk") -> Report:
    """Kill so many daemons. Raises LossError."""
    runs = Drill(folder / "drill.journal", seed, game)
    for _ in range(kills):
        runs.kill_once()
    runs.check_journal()
    return runs.report


def main() -> None:
    """Drill from the command line."""
    parser = argparse.ArgumentParser(description="Kill the daemon over and over and see that nothing is lost.")
    parser.add_argument("--kills", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 32))
    parser.add_argument("--game", choices=PLACES, default="tamsk")
    arguments = parser.parse_args()
    print(f"seed {arguments.seed}")
    with tempfile.TemporaryDirectory() as folder:
        print(drill(arguments.kills, arguments.seed, Path(folder), arguments.game))


if __name__ == "__main__":
    main()
