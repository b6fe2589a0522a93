"""bbpPairings is asked in its own language and answers in it; whatever it does otherwise is a sentence, no pairing."""

import os
import re
import shutil
import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import pytest

from gnomon.hall.pairing.bbp import HOME, NAMES, RULES, Bbp, find_bbp, parse_answer, question
from gnomon.hall.pairing.errors import EngineError
from gnomon.tournament.errors import NoPairingError, TournamentError
from gnomon.tournament.event_log.reducer import fold
from gnomon.tournament.events import (
    ByeGranted,
    EntrantRegistered,
    EntrantWithdrew,
    PairingProhibited,
    RoundPublished,
    TournamentOpened,
)
from gnomon.tournament.formats.trf import TrfEdition, write_trf
from gnomon.tournament.formats.trf.writer import format_sheet
from gnomon.tournament.pairing.engines import pair
from gnomon.tournament.state import Tournament
from gnomon.tournament.state.round_history import histories, score
from gnomon.tournament.state.settings import Bye, System, TournamentSettings
from gnomon.tournament.strength.given_points import starting_points
from tests.tournament._evening import after, gathered, opening, pairs, played, published, settings, stronger_wins, told

# A stand-in that speaks the documented interface: `--dutch FILE -p FILE`, exit codes, the count and a pair a line. It
# pairs neighbours by points as long as they have not met, which is what the small fields of these tests need.
STAND_IN = """\
#!{python} -SE
import sys
system, asked, wish, answer = sys.argv[1:]
assert (system, wish) == ("--dutch", "-p")
lines = open(asked, encoding="utf-8").read().split("\\n")
rounds = next(int(line[4:]) for line in lines if line.startswith("XXR"))
players = [line for line in lines if line.startswith("001")]
assert [int(line[4:8]) for line in players] == list(range(1, len(players) + 1))
cells = {{int(p[4:8]): [p[91 + 10 * r : 99 + 10 * r] for r in range((len(p) - 81) // 10)] for p in players}}
paired = max([r + 1 for c in cells.values() for r, cell in enumerate(c) if cell[:4] != "0000" or cell[7] == "U"] + [0])
if paired >= rounds:
    sys.stderr.write("The number of rounds is larger than the reported number of rounds.\\n")
    sys.exit(3)
here = [n for n, c in cells.items() if len(c) <= paired]
here.sort(key=lambda n: -float(players[n - 1][80:84]))
pairs, idle = [], 0
if len(here) % 2:
    idle = next(n for n in reversed(here) if not any(cell[7] in "UF+" for cell in cells[n]))
    here.remove(idle)
while here:
    one = here.pop(0)
    met = {{int(cell[:4]) for cell in cells[one] if cell[7] in "10="}}
    other = next((n for n in here if n not in met), None)
    if other is None:
        sys.stderr.write("Error while pairing: No valid pairing exists\\n")
        sys.exit(1)
    here.remove(other)
    white = sum(cell[5] == "w" for cell in cells[one]) <= sum(cell[5] == "w" for cell in cells[other])
    pairs.append((one, other) if white else (other, one))
pairs += [(idle, 0)] * bool(idle)
with open(answer, "w") as out:
    print(len(pairs), *("%d %d" % pair for pair in pairs), sep="\\n", file=out)
"""


def program(folder: Path, text: str, name: str = NAMES[0]) -> Path:
    path = folder / name
    path.write_text(text.format(python=sys.executable) if "{python}" in text else text, encoding="utf-8")
    path.chmod(0o755)
    return path


@pytest.fixture(scope="module")
def stand_in(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return program(tmp_path_factory.mktemp("bbp"), STAND_IN)


def shell(folder: Path, script: str) -> Bbp:
    return Bbp(program(folder, f"#!/bin/sh\n{script}\n"), timedelta(seconds=20))


def test_the_program_pairs_the_next_round(stand_in: Path) -> None:
    tournament = after(
        gathered(7, settings(rounds=3)), ByeGranted(2, 1, Bye.HALF), EntrantRegistered(12, "Ida", 2500, "", 1)
    )
    assert pairs(pair(tournament, Bbp(stand_in))) == [(12, 1), (3, 4), (5, 6), (7, None)]


def test_a_pairing_of_the_program_is_looked_over_like_every_other(stand_in: Path) -> None:
    with pytest.raises(TournamentError, match="1 Ada and 2 Ben are kept apart"):
        pair(after(gathered(4, settings()), PairingProhibited(1, 2)), Bbp(stand_in))


def asked(tournament: Tournament) -> list[str]:
    lines = format_sheet(question(tournament), TrfEdition.TRF16, "\n").splitlines()
    heading = ("012", "062", "072", "082")
    return [f"{line[:14]}{line[80:]}" if line[:3] == "001" else line for line in lines if line[:3] not in heading]


def test_the_question_tells_who_plays_and_no_more() -> None:
    tournament = played(gathered(5, settings(rounds=4, team_mates_meet=False)), 1)
    tournament = after(tournament, EntrantWithdrew(5, 2), ByeGranted(4, 2, Bye.HALF), PairingProhibited(1, 4))
    assert asked(tournament) == [
        "XXR 4",
        "XXC white1",
        "001    1       1.0    1     3 w 1",
        "001    2       1.0    2     4 b 1",
        "001    3       0.0    3     1 b 0",
        "001    4       0.0    4     2 w 0  0000 - Z",
        "001    5       1.0    5  0000 - U  0000 - Z",
        "XXP 1 4",
    ]


def test_what_mcmahon_gives_is_an_acceleration_to_the_program() -> None:
    text = "\n".join(asked(gathered(3, settings(System.MCMAHON, rounds=2, bars=(1998, 1999)))))
    assert "XXA    1  2.0  2.0\nXXA    2  1.0  1.0" in text
    assert [line[14:19].strip() for line in text.splitlines() if line.startswith("001")] == ["0.0"] * 3


def test_the_first_boards_are_for_those_who_have_most_with_what_mcmahon_gives(stand_in: Path) -> None:
    """The program lists its pairs by points won."""
    by_bars = gathered(6, settings(System.MCMAHON, rounds=3, bars=(1995, 1997)))
    lost = told(published(by_bars), lambda pairing: "0-1" if pairing.first < (pairing.second or 0) else "1-0")
    seated = pair(lost, Bbp(stand_in))
    assert [one.board for one in seated] == [1, 2, 3]
    begun = [max(starting_points(lost, one) + score(histories(lost)[one]) for one in each.entrants) for each in seated]
    assert begun == sorted(begun, reverse=True)


def test_team_mates_who_must_not_meet_are_named_to_the_program() -> None:
    mates = [EntrantRegistered(number, f"E{number}", 100 - number, "abab "[number - 1]) for number in range(1, 6)]
    tournament = fold([TournamentOpened(settings(team_mates_meet=False)), *mates])
    assert [line for line in asked(tournament) if line.startswith("XXP")] == ["XXP 1 3", "XXP 2 4"]


@pytest.mark.parametrize(
    "tournament",
    [
        gathered(4, settings(System.KNOCKOUT)),
        gathered(4, settings(games=2)),
        gathered(4, settings(balance=False)),
    ],
)
def test_what_the_program_cannot_pair_is_said_beforehand(tournament: Tournament) -> None:
    with pytest.raises(EngineError, match="sides balanced, and nothing else: pair without it"):
        Bbp(Path("nowhere"))(tournament)


@pytest.mark.parametrize(
    ("script", "error", "sentence"),
    [
        (
            "echo 'Error while pairing: No valid pairing exists' >&2; exit 1",
            NoPairingError,
            "round 1 cannot be paired: bbpPairings finds no pairing that keeps the rules (Error while pairing: No",
        ),
        ("exit 2", EngineError, "bbpPairings had an internal error: pair round 1 without it"),
        ("echo; echo no; exit 3", EngineError, "bbpPairings does not accept the tournament: pair round 1 without it"),
        ("echo 'bad line' >&2; exit 3", EngineError, "bbpPairings does not accept the tournament (bad line): pair"),
        ("exit 4", EngineError, "bbpPairings cannot hold a tournament of this size"),
        ("exit 5", EngineError, "bbpPairings cannot read or write its files"),
        ("exit 77", EngineError, "bbpPairings ended with code 77"),
        ("exit 0", EngineError, "bbpPairings wrote no pairings, but said that it had: try another engine"),
        ("echo hello > $4", EngineError, "bbpPairings answers nonsense, 'hello' before 0 pairs: pair without it"),
    ],
)
def test_whatever_goes_wrong_is_said(tmp_path: Path, script: str, error: type[Exception], sentence: str) -> None:
    with pytest.raises(error, match=f"^{re.escape(sentence)}"):
        pair(gathered(4, settings()), shell(tmp_path, script))


def test_a_program_that_takes_too_long_is_ended(tmp_path: Path) -> None:
    slow = Bbp(program(tmp_path, "#!/bin/sh\nexec sleep 60\n"), timedelta(milliseconds=50))
    with pytest.raises(EngineError, match=r"^bbpPairings has not paired round 1 within 0\.05 s: give it longer"):
        slow(gathered(4, settings()))


def test_a_program_made_for_another_machine_is_named(tmp_path: Path) -> None:
    other = program(tmp_path, "\x7fELF of another machine")
    with pytest.raises(EngineError, match=f"^{re.escape(str(other))} cannot be run .*made for this machine"):
        Bbp(other)(gathered(4, settings()))


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "'' before 0 pairs"),
        ("2\n1 2\n", "'2' before 1 pairs"),
        ("1\n1 2 3\n", "'1 2 3' for a pair"),
        ("1\n0 2\n", "'0 2' for a pair"),
        ("1\n1 9\n", "'1 9' for a pair"),
        ("1\none two\n", "'one two' for a pair"),
    ],
)
def test_an_answer_that_is_none_is_nonsense(text: str, fault: str) -> None:
    with pytest.raises(EngineError, match=f"^bbpPairings answers nonsense, {fault}: pair without it$"):
        parse_answer(text, 8)


def test_the_bye_comes_last() -> None:
    assert parse_answer("3\r\n5 0\r\n1 2\r\n4 3\r\n\r\n", 5) == ((1, 2), (4, 3), (5, None))


def test_the_program_is_found_on_the_path_or_by_its_setting(
    stand_in: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", os.pathsep.join((str(tmp_path), str(stand_in.parent))))
    assert find_bbp() == find_bbp(str(stand_in)) == stand_in
    with pytest.raises(EngineError, match="gone cannot be run: name the file of bbpPairings"):
        find_bbp("gone")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(EngineError, match=f"bbpPairings is not on this machine: get it from {re.escape(HOME)}"):
        find_bbp()


@pytest.mark.skipif(not any(map(shutil.which, NAMES)), reason=f"bbpPairings is not on the path: get it from {HOME}")
@pytest.mark.parametrize("like", [settings(rounds=7), settings(rounds=7, accelerated=True)], ids=["plain", "baku"])
@pytest.mark.parametrize("players", [9, 13, 20])
def test_what_the_real_program_pairs_can_be_published_and_its_checker_accepts_what_is_written(
    players: int, like: TournamentSettings, tmp_path: Path
) -> None:
    """Entered in no order of strength, with a bye and a withdrawal: in a bare field last rounds had to be refused."""
    engine = Bbp(find_bbp())
    opened, *entrants = opening(players, like)
    tournament = after(fold([opened, *reversed(entrants)]), ByeGranted(3, 2, Bye.HALF))
    for number in range(1, like.rounds + 1):
        if number == 4:
            tournament = after(tournament, EntrantWithdrew(players, number))
        published_ = RoundPublished(number, pair(tournament, engine), "", RULES)
        tournament = told(after(tournament, published_), stronger_wins)
    for edition in TrfEdition:
        file = tmp_path / f"{edition}.trf"
        file.write_text(write_trf(tournament, edition).text, encoding="utf-8", newline="")
        checked = subprocess.run([engine.program, "--dutch", file, "-c"], capture_output=True, text=True, check=False)
        assert (checked.returncode, "Checker pairings" in checked.stdout) == (0, False), checked.stdout + checked.stderr
