"""Other programs of the federations' rules read what we write, and pair every round of it as it was paired.

bbpPairings itself is asked in `test_bbp.py`, where it is on the path. These two are on PyPI: py4swiss matches with
bbpPairings' own code and pairs by the Dutch rules until January 2026, caissify-pairings by those since. Gnomon needs
neither.
"""

import random
from collections.abc import Iterator
from copy import deepcopy
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from gnomon.hall.pairing.bbp import RULES
from gnomon.tournament.event_log.reducer import fold
from gnomon.tournament.events import ByeGranted, EntrantWithdrew, RoundPublished
from gnomon.tournament.formats.trf import TrfEdition, write_trf
from gnomon.tournament.pairing.engines import PairingEngine, pair
from gnomon.tournament.state import Tournament
from gnomon.tournament.state.rounds import Pairing
from gnomon.tournament.state.settings import Bye, TournamentSettings
from tests.bench.pairing_quality import caissify_pairings, py4swiss
from tests.tournament._evening import after, gathered, opening, pairs, settings, told

WORTH = {"1": 10, "+": 10, "U": 10, "=": 5, "H": 5}
PLAIN, BAKU = settings(rounds=7), settings(rounds=7, accelerated=True)


def absent(package: str) -> bool:
    return find_spec(package) is None


def event(engine: PairingEngine, players: int, like: TournamentSettings, seed: int) -> Tournament:
    """A whole tournament, entered in no order of strength, with a bye and a withdrawal."""
    chance = random.Random(seed)
    opened, *entrants = opening(players, like)
    chance.shuffle(entrants)
    tournament = after(fold([opened, *entrants]), ByeGranted(3, 2, Bye.HALF))
    for number in range(1, like.rounds + 1):
        if number == 4:
            tournament = after(tournament, EntrantWithdrew(players, number))

        def teller(_: Pairing) -> str:
            return chance.choice(["1-0", "0-1", "½-½"])

        tournament = told(after(tournament, RoundPublished(number, pair(tournament, engine), "", RULES)), teller)
    return tournament


def rounds_of(file: Any) -> Iterator[tuple[set[tuple[int, int]], Any]]:  # noqa: ANN401 - a file as py4swiss reads it
    """Each round that a file tells of, and the file as it would have been before it."""
    token = import_module("py4swiss.trf.results")
    away = token.RoundResult.from_string("0000 - Z")
    for number in range(file.x_section.number_of_rounds):
        paired, before = set(), deepcopy(file)
        for player in before.player_sections:
            told_of = player.results[number] if len(player.results) > number else away
            if told_of.id and told_of.color.value == "w":
                paired.add((player.starting_number, told_of.id))
            if told_of.result.value == "U":
                paired.add((player.starting_number, 0))
            results = [*player.results[:number], *[away] * (number - len(player.results))]
            player.points_times_ten = sum(WORTH.get(one.result.value, 0) for one in results)
            # Players who are known to be away stand in the column of the round that is to be paired.
            player.results = [*results, *[told_of] * (not told_of.id and told_of.result.value != "U")]
        yield paired, before


@pytest.mark.skipif(absent("py4swiss"), reason="py4swiss is not installed: install it with pip to ask it")
@pytest.mark.parametrize("like", [PLAIN, BAKU], ids=["plain", "baku"])
@pytest.mark.parametrize("players", [13, 20, 31])
def test_py4swiss_pairs_each_round_of_our_file_as_it_was_paired(
    players: int, like: TournamentSettings, tmp_path: Path
) -> None:
    file = tmp_path / "event.trf"
    for seed in range(2):
        written = write_trf(event(py4swiss, players, like, seed), TrfEdition.TRF16).text
        file.write_text(written, encoding="utf-8", newline="")
        engine = import_module("py4swiss.engines").DutchEngine
        for paired, before in rounds_of(import_module("py4swiss.trf").TrfParser.parse(file)):
            assert {(one.white, one.black) for one in engine.generate_pairings(before)} == paired


@pytest.mark.skipif(absent("py4swiss"), reason="py4swiss is not installed: install it with pip to ask it")
@pytest.mark.parametrize("like", [PLAIN, BAKU], ids=["plain", "baku"])
def test_our_own_first_rounds_are_those_of_py4swiss(like: TournamentSettings) -> None:
    for players in range(4, 31):
        bare = gathered(players, like)
        assert set(pairs(pair(bare))) == set(pairs(py4swiss(bare))), players


@pytest.mark.skipif(absent("caissify_pairings"), reason="caissify-pairings is not installed: install it with pip")
@pytest.mark.parametrize("players", [13, 20])
def test_caissify_pairings_finds_no_other_pairing_in_our_file(players: int) -> None:
    for seed in range(2):
        written = write_trf(event(caissify_pairings, players, PLAIN, seed), TrfEdition.TRF16).text
        said = import_module("caissify_pairings.fpc").check_trf(written)
        assert [each["discrepancies"] for each in said["rounds"]] == [[]] * PLAIN.rounds
