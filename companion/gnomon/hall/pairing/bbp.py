"""Run bbpPairings, an external Swiss pairing engine (FIDE Dutch), and parse its pairings."""

import re
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path
from typing import Final

from gnomon.hall.pairing.errors import EngineError
from gnomon.refusals import Statement, statement
from gnomon.tournament.errors import NoPairingError
from gnomon.tournament.formats.trf import TrfEdition, by_seeds
from gnomon.tournament.formats.trf.seating import by_points
from gnomon.tournament.formats.trf.sheet import ApartLine, Cell, PlayerLine, TrfSheet
from gnomon.tournament.formats.trf.sheets import mates, sheet_of
from gnomon.tournament.formats.trf.writer import format_sheet
from gnomon.tournament.state import Tournament
from gnomon.tournament.state.particulars import NOTHING_TOLD, Heading, Virtual
from gnomon.tournament.state.round_history import histories, score
from gnomon.tournament.state.rounds import Pairing
from gnomon.tournament.state.settings import System
from gnomon.tournament.strength.given_points import starting_points

NAMES: Final = ("bbpPairings", "bbppairings", "bbpPairings.exe")
DEADLINE: Final = timedelta(minutes=3)  # a thousand players took the program 52 s at most on a desktop
HOME: Final = "github.com/BieremaBoyzProgramming/bbpPairings"
MOST_SAID: Final = 200  # letters of what the program says that go into a sentence

RULES: Final = "FIDE_DUTCH_2025"
"""What its version 6 pairs by, as a report file calls it."""

# The exit codes of its manual.
_PAIRED: Final = 0
_NO_PAIRING: Final = 1
_WHY: Final[Mapping[int, Statement]] = {
    2: statement("hall.engine.own_error"),
    3: statement("hall.engine.not_accepted"),
    4: statement("hall.engine.too_large"),
    5: statement("hall.engine.files"),
}
_ABSENT: Final = Cell(None, "-", "Z")


def find_bbp(setting: str | None = None) -> Path:
    """Where the program is: as the setting says, or on the path. Raises EngineError when it is not there."""
    if setting is not None:
        found = shutil.which(setting)
        if found is None:
            raise EngineError(statement("hall.engine.not_there", program=setting))
        return Path(found)
    found = next(filter(None, map(shutil.which, NAMES)), None)
    if found is None:
        raise EngineError(statement("hall.engine.missing", home=HOME))
    return Path(found)


@dataclass(frozen=True, slots=True)
class Bbp:
    """The program as an engine for Swiss and McMahon rounds of one game; it may take as long as the deadline."""

    program: Path
    deadline: timedelta = DEADLINE

    def __call__(self, tournament: Tournament) -> tuple[Pairing, ...]:
        """The next round as the program pairs it, best boards first, the bye last.

        Raises NoPairingError when it finds none, and EngineError when it cannot pair such a tournament, fails, takes
        too long, or answers nonsense.
        """
        renumbered, numbers = by_seeds(tournament)
        text = format_sheet(question(renumbered), TrfEdition.TRF16, line_end="\n")
        with tempfile.TemporaryDirectory(prefix="gnomon-bbp-") as folder:
            asked, answer = Path(folder, "tournament.trf"), Path(folder, "pairings.txt")
            asked.write_text(text, encoding="utf-8")
            self._run(tournament.next_round, asked, answer)
            try:
                told = answer.read_text(encoding="utf-8", errors="replace")
            except OSError as error:
                raise EngineError(statement("hall.engine.nothing_written", program=self.program.name)) from error
        # The program orders by points won; boards go by what players are paired with, McMahon's points too.
        scores = {one: score(turns) for one, turns in histories(renumbered).items()}
        seated = by_points(renumbered, parse_answer(told, len(numbers), self.program.name), scores)
        return tuple(
            Pairing(one.board, numbers[one.first], None if one.second is None else numbers[one.second])
            for one in seated
        )

    def _run(self, in_round: int, asked: Path, answer: Path) -> None:
        name = self.program.name
        try:
            run = subprocess.run(  # noqa: S603 - the program that the director chose, its files ours
                [self.program, "--dutch", asked, "-p", answer],
                capture_output=True,
                check=False,
                encoding="utf-8",
                errors="replace",
                stdin=subprocess.DEVNULL,
                timeout=self.deadline.total_seconds(),
            )
        except subprocess.TimeoutExpired as error:
            seconds = self.deadline.total_seconds()
            raise EngineError(statement("hall.engine.late", program=name, round=in_round, seconds=seconds)) from error
        except OSError as error:
            raise EngineError(
                statement("hall.engine.not_run", program=str(self.program), text=str(error.strerror))
            ) from error
        if run.returncode == _PAIRED:
            return
        said = _last_line(run.stderr)
        if run.returncode == _NO_PAIRING:
            raise NoPairingError(statement("hall.engine.impossible", round=in_round, program=name, said=said))
        ended = _WHY.get(run.returncode) or statement("hall.engine.ended", exit=run.returncode)
        raise EngineError(statement("hall.engine.failed", program=name, cause=ended, said=said, round=in_round))


def question(tournament: Tournament) -> TrfSheet:
    """What the program is asked: the tournament so far, and who does not play in the next round.

    Raises EngineError for what it cannot pair. The lines are those of its older editions, which the newer read too.
    """
    settings = tournament.settings
    if settings.system not in {System.SWISS, System.MCMAHON} or not settings.balances:
        raise EngineError(statement("hall.engine.not_paired_by_it"))
    sheet = sheet_of(replace(tournament, heading=NOTHING_TOLD, persons={}))
    # What McMahon gives to begin with is to the program an acceleration that never ends.
    begun = (
        Virtual(points, 1, settings.rounds, number, number)
        for number in sorted(tournament.entrants)
        if (points := starting_points(tournament, number))
    )
    return replace(
        sheet,
        name="Tournament",
        heading=Heading(virtual=(*sheet.heading.virtual, *begun)),
        players=tuple(_player_line(tournament, player) for player in sheet.players),
        byes=(),
        apart=_apart(tournament),
        bonuses=(),
        teams=(),
    )


def _player_line(tournament: Tournament, player: PlayerLine) -> PlayerLine:
    """A player without what pairing does not need: no name leaves the machine's own files."""
    number, coming = player.number, tournament.next_round
    begun = starting_points(tournament, number)
    cells = tuple(_ABSENT if cell.empty else cell for cell in player.cells)
    if not tournament.plays(number, coming):
        cells = (*cells, _ABSENT)
    points = (player.points or begun) - begun
    return replace(player, name=f"Entrant {number}", points=points, rank=number, cells=cells)


def _apart(tournament: Tournament) -> tuple[ApartLine, ...]:
    pairs = (tuple(sorted(pair)) for pair in sorted(tournament.prohibited, key=sorted))
    return tuple(ApartLine(None, None, numbers) for numbers in (*pairs, *mates(tournament)))


def parse_answer(text: str, entrants: int, program: str = NAMES[0]) -> tuple[tuple[int, int | None], ...]:
    """The pairs of an answer: their number, then a line for each, first and second, 0 for nobody.

    The bye comes last. Raises EngineError for anything else; whether the pairs keep the rules the validator says.
    """
    first, *lines = [line.strip() for line in text.splitlines() if line.strip()] or [""]
    pairs = [re.fullmatch(r"([1-9]\d{0,3}) (0|[1-9]\d{0,3})", line) for line in lines]
    for line, pair in zip(lines, pairs, strict=True):
        if pair is None or max(int(pair[1]), int(pair[2])) > entrants:
            raise EngineError(statement("hall.engine.nonsense", program=program, text=line[:MOST_SAID]))
    if first != str(len(lines)):
        raise EngineError(
            statement("hall.engine.miscounted", program=program, text=first[:MOST_SAID], count=len(lines))
        )
    told = [(int(pair[1]), int(pair[2]) or None) for pair in pairs if pair is not None]
    return tuple(sorted(told, key=lambda pair: pair[1] is None))


def _last_line(stderr: str) -> str:
    """The last thing that the program said, for a sentence."""
    told = [line.strip() for line in stderr.splitlines() if line.strip()]
    return f" ({told[-1][:MOST_SAID]})" if told else ""
