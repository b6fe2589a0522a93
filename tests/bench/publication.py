"""Time the publishing of a tournament of a thousand boards, whole, after one result, and when nothing is new.

    python -m tests.bench.publication [--quick] [--boards 1000] [--rounds 3] [--played 6]

The pairings of the first part are made up, without games: what is timed is the publishing. In the second part so many
boards of the demonstration play their games, which are published with their replay; a game is published once.
`--boards 0` leaves the first part out.
"""

import argparse
import tempfile
import time
from pathlib import Path

from gnomon.hall.hall import Hall
from gnomon.hall.messaging.memory_bus import MemoryBroker
from gnomon.tournament.events import EntrantRegistered, ResultCorrected, ResultEntered, RoundPublished
from gnomon.tournament.results import GameResult
from gnomon.tournament.rounds import Pairing
from gnomon.tournament.settings import System, TournamentSettings
from gnomon.web.publication import Publication, Written, publish
from tests.bench._figures import say_machine
from tests.web_hall.party import Party

RESULTS = (GameResult.FIRST_WON, GameResult.DRAWN, GameResult.SECOND_WON)


def tournament(folder: Path, boards: int, rounds: int) -> Hall:
    """A hall with a tournament of so many boards, all of whose results are entered."""
    hall = Hall.open(str(folder / "hall.db"), MemoryBroker().connect())
    settings = TournamentSettings("Open", system=System.SWISS, rounds=rounds, tie_breaks=("BHC1", "SB"))
    book = hall.open_tournament("open", settings, "bench")
    events: list[object] = [EntrantRegistered(number, f"Entrant {number}") for number in range(1, 2 * boards + 1)]
    for in_round in range(1, rounds + 1):
        others = [boards + 1 + (number + in_round) % boards for number in range(boards)]
        pairings = [Pairing(board, board, other) for board, other in enumerate(others, start=1)]
        events.append(RoundPublished(in_round, tuple(pairings), "made up"))
        events += [ResultEntered(in_round, one.board, (RESULTS[(one.board + in_round) % 3],)) for one in pairings]
    book.extend(events, "bench", after=1)  # type: ignore[arg-type]  # events all
    return hall


def tell(what: str, written: Written, seconds: float, worked: float) -> None:
    """Write a line about a run."""
    took, size = f"{seconds:7.1f} s ({worked:.1f} s of work)", written.size / 1e6
    print(f"{what:<28}{took:<28}{written.files:6} files  {size:7.1f} MB  {written.changed:6} written")


def measure(publication: Publication) -> tuple[Written, float, float]:
    """Publish; how many seconds that took by the clock, and of a processor."""
    before, worked = time.perf_counter(), time.process_time()
    written = publish(publication)
    return written, time.perf_counter() - before, time.process_time() - worked


def main() -> None:
    """Publish, and say how long it took."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--boards", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--played", type=int, default=6, help="boards of the demonstration, with games")
    parser.add_argument("--quick", action="store_true", help="ten boards")
    asked = parser.parse_args()
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
        hall = tournament(data, boards, rounds)
        publication = Publication(str(data), Path(folder) / "site")
        tell(f"{boards} boards, {rounds} rounds", *measure(publication))
        tell("nothing is new", *measure(publication))
        book = hall.book("open")
        corrected = ResultCorrected(rounds, 1, (GameResult.SECOND_WON,), "bench")
        book.append(corrected, "bench", after=len(book.read()))
        tell("one result is corrected", *measure(publication))
        hall.close()


def publish_games(boards: int) -> None:
    """Publish a hall at whose boards everybody has played a game, and say how long it took."""
    with tempfile.TemporaryDirectory() as folder:
        party = Party(Path(folder))
        party.demonstrate(boards)
        # The opening, two entrants a board, the round, and their results.
        party.run(400, until=lambda: len(party.hall.book("demo-1").read()) >= 2 + 3 * boards)
        publication = Publication(folder, Path(folder) / "site")
        written, *times = measure(publication)
        site = publication.folder / "tournaments/demo-1/games"
        games = [each for each in site.iterdir() if each.is_dir()]
        size = sum(file.stat().st_size for game in games for file in game.iterdir())
        tell(f"{boards} boards, {len(games)} games", written, *times)
        print(f"a game takes {size / len(games) / 1e3:.0f} kB")
        tell("nothing is new", *measure(publication))
        party.hall.close()


if __name__ == "__main__":
    main()
