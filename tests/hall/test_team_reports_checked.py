"""Exported competitions of teams, checked by gacrux, the program of FIDE's technical commission: points, tie-breaks.

Both read the same boards: how a match ended, and what follows, each works out for itself.
"""

import random
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from gnomon.tournament.events import ByeGranted, LineupTold, TeamWithdrew
from gnomon.tournament.formats.trf import by_seeds, write_trf
from gnomon.tournament.standings import standings
from gnomon.tournament.state import Tournament
from gnomon.tournament.state.rounds import Pairing
from gnomon.tournament.state.settings import Bye, System
from gnomon.tournament.teams.matches import book_of, team_view
from tests.tournament._evening import after
from tests.tournament._teams import gathered, published, told
from tests.tournament.test_team_tie_breaks import exercise

pytest.importorskip("gacrux", reason="gacrux is not installed: pip install gacrux")

NAMES = {
    "MPVGP": "MPvGP",
    "EMMSB": "EMMSB",
    "EMGSB": "EMGSB",
    "EGMSB": "EGMSB",
    "EGGSB": "EGGSB",
}
OF_SWISS = {"BH:MP": "BH:MP", "BH:GP": "BH:GP", "BHC1:MP": "BH:MP/C1", "SSSC": "SSSC"}


ORDERS = (("EDE",), ("TBR",), ("BBE",), ("MPVGP", "BC"))
"""Tie-breaks that order those who are level: their values mean nothing to others, the places do."""


def gacrux(file: Path, names: list[str], *, swiss: bool) -> dict[int, tuple[float, ...]]:
    """The place, the points and the tie-breaks of every team, as gacrux finds them."""
    command = [sys.executable, "-m", "gacrux.tiebreakchecker", "-i", str(file), "-f", "TRF", "-d", "S"]
    ran = subprocess.run(
        [*command, "-s" if swiss else "-p", "-t", "PTS", *names], capture_output=True, text=True, check=True
    )
    rows = [line.split(";") for line in ran.stdout.splitlines() if line[:1].isdigit()]
    assert rows, ran.stdout
    return {int(number): tuple(map(float, values)) for number, *values in rows}


def agree(tournament: Tournament, file: Path) -> None:
    """Compare every value of every team."""
    numbered, _ = by_seeds(tournament)
    file.write_text(write_trf(tournament).text, encoding="utf-8", newline="")
    swiss = tournament.settings.system is System.SWISS
    names = NAMES | OF_SWISS if swiss else NAMES
    theirs = gacrux(file, list(names.values()), swiss=swiss)
    ranked = standings(team_view(numbered))
    ours = {one.number: tuple(round(float(value), 2) for value in (one.points, *one.values)) for one in ranked}
    assert {number: theirs[number][1:] for number in ours} == {
        number: pytest.approx(values, abs=0.006) for number, values in ours.items()
    }


def agree_on_places(tournament: Tournament, names: tuple[str, ...], file: Path) -> None:
    """Compare the places that some tie-breaks lead to."""
    like = replace(tournament.settings, tie_breaks=names)
    numbered, _ = by_seeds(replace(tournament, settings=like))
    file.write_text(write_trf(tournament).text, encoding="utf-8", newline="")
    swiss = tournament.settings.system is System.SWISS
    theirs = gacrux(file, [NAMES.get(name, name) for name in names], swiss=swiss)
    ours = {one.number: one.place for one in standings(team_view(numbered))}
    assert {number: theirs[number][0] for number in ours} == ours


def test_fides_exercise_comes_to_the_same(tmp_path: Path) -> None:
    agree(exercise("FIDE_2026", *NAMES, *OF_SWISS), tmp_path / "exercise.trf")


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("system", [System.SWISS, System.ROUND_ROBIN])
def test_competitions_of_teams_come_to_the_same(tmp_path: Path, system: System, seed: int) -> None:
    chance = random.Random(seed)
    names = (*NAMES, *OF_SWISS) if system is System.SWISS else tuple(NAMES)
    rounds = 5
    teams = gathered(6 if system is System.ROUND_ROBIN else 9, 3, system, rounds, tie_breaks=names)

    def any_result(_: Pairing) -> str:
        return chance.choice(("1-0", "1-0", "=", "0-1", "0-1", "+/-", "-/+"))

    for number in range(1, rounds + 1):
        team = chance.choice([*book_of(teams).rosters])
        members = book_of(teams).rosters[team].members
        lined = LineupTold(
            team, number, (members[0], members[2], members[3]) if chance.random() < 0.5 else (0, *members[1:3])
        )
        teams = after(teams, lined)
        if system is System.SWISS and number > 1:
            there = [one for one in book_of(teams).rosters if one != team and team_view(teams).plays(one, number)]
            away = chance.choice(there)
            teams = after(teams, ByeGranted(away, number, chance.choice([Bye.HALF, Bye.ZERO])))
        if number == rounds - 1 and system is System.SWISS and team_view(teams).plays(team, number):
            teams = after(teams, TeamWithdrew(team, number))
        teams = told(published(teams), any_result)
    agree(teams, tmp_path / "teams.trf")
    for names_of in ORDERS:
        agree_on_places(teams, names_of, tmp_path / "teams.trf")


@pytest.mark.parametrize("teams", [4, 6])
def test_a_cup_of_teams_comes_to_the_same_points(tmp_path: Path, teams: int) -> None:
    cup = gathered(teams, 3, System.KNOCKOUT, 3 if teams > 4 else 2)
    for _ in range(cup.settings.rounds):
        cup = told(published(cup), lambda pairing: "1-0" if pairing.first < (pairing.second or 0) else "=")
    numbered, _ = by_seeds(cup)
    file = tmp_path / "cup.trf"
    file.write_text(write_trf(cup).text, encoding="utf-8", newline="")
    ours = {one.number: float(one.points) for one in standings(team_view(numbered))}
    assert {number: points for number, (_, points) in gacrux(file, [], swiss=False).items()} == ours
