"""What is exported is read and found right by the program of FIDE's technical commission, which pairs it as well.

gacrux (MIT) is no engine of Gnomon; it stands here for bbpPairings, which no registry of packages has.
"""

import random
import re
import subprocess
import sys
from pathlib import Path

import pytest

from gnomon.tournament.event_log.reducer import fold
from gnomon.tournament.events import RoundPublished
from gnomon.tournament.formats.trf import TrfEdition, by_seeds, write_trf
from gnomon.tournament.formats.trf.seating import by_points
from gnomon.tournament.pairing.validator import faults_of
from gnomon.tournament.state import Tournament
from gnomon.tournament.state.round_history import histories, score
from gnomon.tournament.state.rounds import Pairing
from tests.tournament._evening import after, opening, settings, stronger_wins, told

pytest.importorskip("gacrux", reason="gacrux is not installed: pip install gacrux")
RULES = "FIDE_DUTCH_2026"


def gacrux(file: Path, *words: str) -> str:
    command = [sys.executable, "-m", "gacrux.pairingchecker", "-i", str(file), "-f", "TRF", "-m", "dutch", "-d", "txt"]
    ran = subprocess.run([*command, "-t", "w", *words], capture_output=True, text=True, check=True)
    return ran.stdout


def paired(tournament: Tournament, file: Path) -> tuple[Pairing, ...]:
    """The next round, as gacrux pairs what is exported."""
    numbered, had = by_seeds(tournament)
    file.write_text(write_trf(tournament).text, encoding="utf-8", newline="")
    _, *lines = gacrux(file, "-p", "-n", str(tournament.next_round)).split("\n")
    pairs = [(int(found[1]), int(found[2]) or None) for line in lines if (found := re.fullmatch(r"(\d+) (\d+)", line))]
    scores = {one: score(turns) for one, turns in histories(numbered).items()}
    seated = by_points(numbered, pairs, scores)
    return tuple(one._replace(first=had[one.first], second=had[one.second] if one.second else None) for one in seated)


def test_a_tournament_of_the_federations_rules_is_exported_as_they_want_it(tmp_path: Path) -> None:
    like = settings(rounds=3)
    opened, *entrants = opening(7, like)
    random.Random(11).shuffle(entrants)  # entered in no order of strength
    tournament = fold([opened, *entrants])
    for number in range(1, like.rounds + 1):
        pairings = paired(tournament, tmp_path / "asked.trf")
        assert faults_of(tournament, number, pairings).all == ()
        tournament = told(after(tournament, RoundPublished(number, pairings, "", RULES)), stronger_wins)
    for edition in TrfEdition:
        file = tmp_path / f"{edition}.trf"
        file.write_text(write_trf(tournament, edition).text, encoding="utf-8", newline="")
        assert "Check: True" in gacrux(file, "-c")
    assert f"192 {RULES}" in (tmp_path / "TRF26.trf").read_text(encoding="utf-8")
