"""Time the publishing of a tournament of a thousand boards, whole, after one result, and when nothing is new.

    python -m tests.bench.publication [--quick] [--boards 1000] [--rounds 3] [--played 6]

The pairings of the first part are made up, without games: what is timed is the publishing. In the second part so many
boards of a hall play a game of Tabik each, which are published with their replay, and a tenth of them play another; a
game is published once. `--boards 0` leaves the first part out. Each time a process of its own publishes, as
`gnomon publish` does: its times have no start of Python in them, its memory has everything.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Final, NamedTuple

from gnomon.hall.hall import Hall
from gnomon.hall.messaging.memory_bus import MemoryBroker
from gnomon.hall.rounds.board_assignment import BoardAssignment
from gnomon.tournament.events import EntrantRegistered, ResultCorrected, ResultEntered, RoundPublished
from gnomon.tournament.state.results import GameResult
from gnomon.tournament.state.rounds import Pairing
from gnomon.tournament.state.settings import System, TournamentSettings
from gnomon.web.publication import Publication, publish
from tests.bench._figures import progress, say_machine
from tests.web_hall.party import Party

RESULTS: Final = (GameResult.FIRST_WON, GameResult.DRAWN, GameResult.SECOND_WON)
NAME: Final = "open"
WHO: Final = "bench"
AGAIN: Final = 10
"""Of so many boards one plays a second game."""
LONGEST: Final = 300  # looks at a round, two seconds of the hall's time apart


class Run(NamedTuple):
    """What publishing took: by the clock, of a processor, in kilobytes of memory, and what was written."""

    seconds: float
    work: float
    memory: int
    files: int
    size: int
    changed: int


def open_tournament(hall: Hall, boards: int, rounds: int, plan: BoardAssignment | None = None) -> None:
    """A tournament with two entrants for each board."""
    settings = TournamentSettings("Open", system=System.SWISS, rounds=rounds, tie_breaks=("BHC1", "SB"))
    book = hall.open_tournament(NAME, settings, WHO, plan)
    entrants = [EntrantRegistered(number, f"Entrant {number}") for number in range(1, 2 * boards + 1)]
    book.extend(entrants, WHO, after=len(book.read()))


def made_up(in_round: int, boards: int) -> tuple[Pairing, ...]:
    """The pairings of a round in which everybody plays at the board of their number."""
    others = [boards + 1 + (number + in_round) % boards for number in range(boards)]
    return tuple(Pairing(board, board, other) for board, other in enumerate(others, start=1))


def measure(what: str, data: Path) -> Run:
    """Publish in a process of its own, and write a line about it."""
    command = [sys.executable, "-m", "tests.bench.publication", "--publish", str(data), str(data.with_name("site"))]
    ran = subprocess.run(command, check=True, capture_output=True, text=True)
    run = Run(*json.loads(ran.stdout))
    took, size = f"{run.seconds:7.1f} s ({run.work:.1f} s of work)", run.size / 1e6
    memory = f"{run.memory / 1024:6.0f} MB resident"
    print(f"{what:<28}{took:<28}{run.files:6} files  {size:7.1f} MB  {run.changed:6} written  {memory}", flush=True)
    return run


def publish_alone(data: str, site: str) -> None:
    """Publish once, and print what it took as JSON."""
    before, worked = time.perf_counter(), time.process_time()
    written = publish(Publication(data, Path(site)))
    took = time.perf_counter() - before, time.process_time() - worked
    # Of this process alone: what `resource` tells includes the memory of the process that started it.
    status = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    memory = next(int(line.split()[1]) for line in status if line.startswith("VmHWM"))
    print(json.dumps(Run(*took, memory, written.files, written.size, written.changed)))


def main() -> None:
    """Publish, and say how long it took."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--boards", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--played", type=int, default=6, help="boards at which games are played")
    parser.add_argument("--quick", action="store_true", help="ten boards")
    parser.add_argument("--publish", nargs=2, metavar=("DATA", "SITE"), help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.publish:
        publish_alone(*asked.publish)
        return
    if asked.quick:
        asked.boards = 10
    say_machine()
    if asked.boards:
        publish_results(asked.boards, asked.rounds)
    publish_games(asked.played)


def publish_results(boards: int, rounds: int) -> None:
    """Publish a tournament without games, and say how long it took."""
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "data"
        data.mkdir()
        hall = Hall.open(str(data / "hall.db"), MemoryBroker().connect())
        open_tournament(hall, boards, rounds)
        book = hall.book(NAME)
        for in_round in range(1, rounds + 1):
            pairings = made_up(in_round, boards)
            results = [ResultEntered(in_round, one.board, (RESULTS[(one.board + in_round) % 3],)) for one in pairings]
            book.extend([RoundPublished(in_round, pairings, "made up"), *results], WHO, after=len(book.read()))
        measure(f"{boards} boards, {rounds} rounds", data)
        measure("nothing is new", data)
        corrected = ResultCorrected(rounds, 1, (GameResult.SECOND_WON,), WHO)
        book.append(corrected, WHO, after=len(book.read()))
        measure("one result is corrected", data)
        hall.close()


def publish_games(boards: int) -> None:
    """Publish a hall at whose boards games were played, and say how long it took."""
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "data"
        data.mkdir()
        party = Party(data)
        names = [party.board(f"d{number}").name for number in range(1, boards + 1)]
        plan = BoardAssignment("tabik", {"size": 5, "clock": "3+2"}, boards=dict(enumerate(names, start=1)))
        open_tournament(party.hall, boards, 2, plan)
        play(party, 1, boards, boards)
        run = measure(f"{boards} boards, {boards} games", data)
        games = [each for each in (Path(folder) / f"site/tournaments/{NAME}/games").iterdir() if each.is_dir()]
        size = sum(file.stat().st_size for game in games for file in game.iterdir())
        print(
            f"a game takes {size / len(games) / 1e3:.0f} kB in {run.files / len(games):.1f} files, {len(games)} games"
        )
        measure("nothing is new", data)
        more = -(-boards // AGAIN)
        play(party, 2, boards, more)
        measure(f"a second round, {more} game{'s' * (more > 1)}", data)
        party.hall.close()


def play(party: Party, in_round: int, boards: int, played: int) -> None:
    """Pair a round, and let its games be played at the first boards until all their results are entered."""
    book = party.hall.book(NAME)
    book.append(RoundPublished(in_round, made_up(in_round, boards), "made up"), WHO, after=len(book.read()))
    until = len(book.read()) + played
    for _ in range(LONGEST):
        party.hall.send_round(NAME, WHO, boards=range(1, played + 1))
        party.run(2)
        left = until - len(party.hall.book(NAME).read())
        progress(f"{left} games are being played")
        if not left:
            return
    message = f"games of round {in_round} did not end"
    raise RuntimeError(message)


if __name__ == "__main__":
    main()
