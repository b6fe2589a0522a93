"""How our Swiss compares with engines of the federations' rules: each pairs the same round of the same tournaments.

Events of two sizes are paired by our own engine, with byes, withdrawals, late entries and forfeits; before every round
the other engines are asked as well. How often they name the same opponents, and the same sides with them; and of each
engine how far apart the scores are of those who meet, who floats, whose side is not the one due, and how many absolute
rules the validator finds broken. Engines that are not installed are named and left out; none is needed by Gnomon.
"""

import random
import tempfile
from collections.abc import Iterable, Mapping
from datetime import timedelta
from importlib import import_module
from importlib.util import find_spec
from itertools import product
from pathlib import Path
from typing import Final, NamedTuple

from gnomon.hall.pairing.bbp import Bbp, find_bbp, question
from gnomon.hall.pairing.errors import EngineError
from gnomon.tournament.errors import NoPairingError
from gnomon.tournament.event_log.reducer import fold, step
from gnomon.tournament.events import EntrantRegistered, RoundPublished, TournamentOpened
from gnomon.tournament.formats.trf import TrfEdition, by_seeds
from gnomon.tournament.formats.trf.writer import format_sheet
from gnomon.tournament.pairing.engines import PairingEngine
from gnomon.tournament.pairing.swiss import swiss
from gnomon.tournament.pairing.validator import faults_of
from gnomon.tournament.state import Tournament
from gnomon.tournament.state.round_history import History, RoundKind, histories, score, sides
from gnomon.tournament.state.rounds import Pairing, at_boards
from gnomon.tournament.state.settings import System, TournamentSettings
from tests.bench._figures import parser, progress, say, say_machine
from tests.bench.pairing import Quality, disturbed, quality, told

FIELDS: Final = ((20, 9, 30), (41, 7, 20))  # entrants, rounds, events
QUICK: Final = ((9, 4, 1),)
OWN: Final = "our own"


class Compared(NamedTuple):
    """What came of all rounds of an engine together."""

    rounds: int = 0
    failed: int = 0
    same_opponents: int = 0
    same_sides: int = 0
    same_pairs: int = 0
    broken: int = 0
    made: Quality = Quality()

    def and_of(self, other: "Compared") -> "Compared":
        """Both together."""
        return Compared(
            self.rounds + other.rounds,
            self.failed + other.failed,
            self.same_opponents + other.same_opponents,
            self.same_sides + other.same_sides,
            self.same_pairs + other.same_pairs,
            self.broken + other.broken,
            self.made.and_of(other.made),
        )


def py4swiss(tournament: Tournament) -> tuple[Pairing, ...]:
    """The next round by py4swiss: the Dutch rules as they were until January 2026."""
    engine, files = import_module("py4swiss.engines").DutchEngine, import_module("py4swiss.trf").TrfParser
    renumbered, had = by_seeds(tournament)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "tournament.trf")
        path.write_text(format_sheet(question(renumbered), TrfEdition.TRF16, "\n"), encoding="utf-8")
        pairs = [(pair.white, pair.black) for pair in engine.generate_pairings(files.parse(path))]
    return _seated((had[white], had.get(black)) for white, black in sorted(pairs, key=lambda pair: pair[1] == 0))


def caissify_pairings(tournament: Tournament) -> tuple[Pairing, ...]:
    """The next round by caissify-pairings: the Dutch rules from February 2026."""
    renumbered, had = by_seeds(tournament)
    turns = histories(renumbered)
    made = {number: score(of) for number, of in turns.items()}
    players = [
        {
            "id": number,
            "name": f"Entrant {number}",
            "score": float(made[number]),
            "rating": renumbered.entrants[number].rating or 0,
            "starting_number": number,
            "title": "",
            "color_hist": ["white" if first else "black" for first in sides(turns[number])],
            "float_history": [_float(turns, number, in_round) for in_round in range(len(renumbered.rounds))],
            "bye_count": sum(turn.kind in {RoundKind.PAIRING_BYE, RoundKind.FULL_BYE} for turn in turns[number]),
            "forfeit_win_count": sum(turn.kind is RoundKind.FORFEIT_WIN for turn in turns[number]),
        }
        for number in renumbered.players(renumbered.next_round)
    ]
    met = {
        (min(number, turn.opponent), max(number, turn.opponent))
        for number, of in turns.items()
        for turn in of
        if turn.played and turn.opponent is not None
    }
    rounds = renumbered.settings.rounds
    pairs_of = import_module("caissify_pairings").generate_pairings
    answer = pairs_of("dutch", players, met, renumbered.next_round, rounds, initial_color="white")
    pairs = [(pair["white_id"], pair.get("black_id")) for pair in answer]
    return _seated((had[white], None if black is None else had[black]) for white, black in pairs)


def _float(turns: Mapping[int, History], number: int, before: int) -> str:
    """Whether somebody floated in a round, as the federations' rules count it, after so many rounds."""
    turn = turns[number][before]
    if turn.opponent is None or turn.kind is RoundKind.FORFEIT_WIN:
        return "down" if turn.points else "none"
    mine, theirs = (score(turns[one][:before]) for one in (number, turn.opponent))
    if not turn.played or mine == theirs:
        return "none"
    return "down" if mine > theirs else "up"


def _seated(pairs: Iterable[tuple[int, int | None]]) -> tuple[Pairing, ...]:
    return at_boards(sorted(pairs, key=lambda pair: pair[1] is None))


def engines() -> tuple[dict[str, PairingEngine], list[str]]:
    """The engines that are here, our own first, and a sentence for each that is not."""
    found: dict[str, PairingEngine] = {OWN: swiss}
    missing = []
    for name, engine in {"py4swiss": py4swiss, "caissify_pairings": caissify_pairings}.items():
        if find_spec(name) is None:
            missing.append(f"{name.replace('_', '-')} is not installed: install it with pip to compare with it")
        else:
            found[name.replace("_", "-")] = engine
    try:
        found["bbpPairings"] = Bbp(find_bbp(), timedelta(minutes=1))
    except EngineError as error:
        missing.append(str(error))
    return found, missing


def compared(tournament: Tournament, engine: PairingEngine, own: tuple[Pairing, ...]) -> Compared:
    """What an engine makes of the next round, beside what our own did."""
    try:
        pairings = engine(tournament)
    except NoPairingError:
        return Compared(rounds=1, failed=1)
    opponents, theirs = ({frozenset(pairing.entrants) for pairing in of} for of in (own, pairings))
    seats, their_seats = ({pairing.entrants for pairing in of} for of in (own, pairings))
    return Compared(
        1,
        0,
        int(opponents == theirs),
        int(seats == their_seats),
        sum(len(pair) > 1 for pair in opponents & theirs),
        len(faults_of(tournament, tournament.next_round, pairings).all),
        quality(tournament, pairings),
    )


def event(
    size: int, rounds: int, chance: random.Random, found: Mapping[str, PairingEngine], *, clean: bool
) -> dict[str, Compared]:
    """One event, paired by our own engine, with what every engine would have made of each round."""
    entrants = (
        EntrantRegistered(number, f"Entrant {number}", round(chance.gauss(1600, 250))) for number in range(1, size + 1)
    )
    tournament = fold([TournamentOpened(TournamentSettings("Bench", System.SWISS, rounds)), *entrants])
    sums = dict.fromkeys(found, Compared())
    for number in range(1, rounds + 1):
        if not clean:
            tournament = disturbed(tournament, chance)
        own = swiss(tournament)
        for name, engine in found.items():
            sums[name] = sums[name].and_of(compared(tournament, engine, own))
        tournament = told(step(tournament, RoundPublished(number, own)), chance)
    return sums


def main() -> None:
    """Compare the engines that are here, on events of growing size, without disturbances and with them."""
    options = parser(__doc__).parse_args()
    say_machine()
    found, missing = engines()
    for sentence in missing:
        print(sentence)
    for (size, rounds, events), clean in product(QUICK if options.quick else FIELDS, (True, False)):
        sums = dict.fromkeys(found, Compared())
        chance = random.Random(options.seed + size)
        for number in range(1, events + 1):
            progress(f"{size} entrants: event {number} of {events}")
            for name, of in event(size, rounds, chance, found, clean=clean).items():
                sums[name] = sums[name].and_of(of)
        progress("")
        kind = "everybody is there, 1 % forfeits" if clean else "byes, withdrawals, late entries, 1 % forfeits"
        print(f"{size} entrants, {rounds} rounds, {events} events: {kind}")
        for name, of in sums.items():
            same = f"same opponents in {of.same_opponents} of {of.rounds} rounds, and sides in {of.same_sides}"
            pairs = f"{of.same_pairs} of {of.made.pairs} pairs the same"
            say(f"  {name}", f"{same}, {pairs}; absolute rules broken {of.broken}; without a pairing {of.failed}")
            say("", of.made)


if __name__ == "__main__":
    main()
