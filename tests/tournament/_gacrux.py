"""Play tournaments by chance and compare their tie-breaks with gacrux, the program of FIDE's technical commission."""

import random
import subprocess
import sys
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

from gnomon.tournament.events import ByeGranted, EntrantWithdrew
from gnomon.tournament.formats.trf import by_seeds, write_trf
from gnomon.tournament.standings import field_of
from gnomon.tournament.state import Tournament
from gnomon.tournament.state.settings import Bye, System
from gnomon.tournament.tiebreaks.values import name_of, values_of
from tests.tournament._evening import after, gathered, published, settings, told

# Fore-Buchholz comes last: gacrux 1.11 remembers what it made of the last round for what it computes afterwards.
SWISS = [
    *("WIN", "WON", "BPG", "BWG", "PS", "PS/C1", "PS/C3", "REP", "STD", "KS", "KS/L+1", "KS/L-2"),
    *("BH", "BH/C1", "BH/C2", "BH/C3", "BH/M1", "BH/M2", "BH/P", "BH/C1/P", "BH/M1/P"),
    *("AOB", "SB", "SB/C1", "SB/C2", "SB/P", "SB/C1/P", "ARO", "ARO/C1", "ARO/C2", "ARO/M1", "ARO/M2"),
    *("TPR", "PTP", "APRO", "APPO", "RTNG", "FB", "FB/C1", "FB/C2", "FB/M1", "FB/M2", "FB/P", "AOB/F"),
]
ROUND_ROBIN = ["WIN", "WON", "BPG", "BWG", "PS", "KS", "KS/L+1", "KS/L-1", "SB", "SB/C1", "ARO", "TPR", "PTP", "APRO"]
TENTHS = 10


def swiss(seed: int) -> Tournament:
    """Games won by chance, forfeits, byes of every kind, and people who leave."""
    chance = random.Random(seed)
    entrants, rounds = chance.randint(10, 30), chance.randint(5, 9)
    tournament = gathered(entrants, settings(rounds=rounds))
    for number in range(1, rounds + 1):
        for one in chance.sample(range(1, entrants + 1), 2):
            if not tournament.has_left(one, number):
                gone = EntrantWithdrew(one, number) if chance.random() < 1 / TENTHS else None
                tournament = after(tournament, gone or ByeGranted(one, number, chance.choice([*Bye][1:])))
        tournament = told(published(tournament), lambda _: chance.choices(RESULTS, WEIGHTS)[0])
    return tournament


def round_robin(seed: int) -> Tournament:
    chance = random.Random(seed)
    entrants = 2 * chance.randint(3, 7)
    tournament = gathered(entrants, settings(System.ROUND_ROBIN, entrants - 1))
    for _ in range(entrants - 1):
        tournament = told(published(tournament), lambda _: chance.choices(RESULTS[:3], WEIGHTS[:3])[0])
    return tournament


RESULTS = ("1-0", "0-1", "½-½", "+/-", "-/+", "-/-")
WEIGHTS = (40, 40, 20, 3, 3, 1)


def by_gacrux(file: Path, codes: list[str], *words: str) -> Iterator[tuple[int, list[str]]]:
    command = [sys.executable, "-m", "gacrux.tiebreakchecker", "-i", str(file), "-f", "TRF", "-d", "T", *words, "-t"]
    ran = subprocess.run([*command, *codes], capture_output=True, text=True, check=True)
    for line in ran.stdout.splitlines():
        number, _rank, *values = line.split("\t")
        if number.isdigit():
            yield int(number), values


def differences(tournament: Tournament, file: Path, codes: list[str], *words: str) -> list[str]:
    numbered, _ = by_seeds(tournament)
    file.write_text(write_trf(tournament).text, encoding="utf-8", newline="")
    table = field_of(numbered)
    ours = {code: values_of(table, name_of(code), table.told) for code in codes}
    return [
        f"{code} of {number}: {float(ours[code][number])} is {told_} there"
        for number, values in by_gacrux(file, codes, *words)
        for code, told_ in zip(codes, values, strict=True)
        # Where there is nothing to be averaged it says -0, and averages have two places.
        if abs(ours[code][number] - Fraction(told_)) > Fraction(6, 1000)
    ]
