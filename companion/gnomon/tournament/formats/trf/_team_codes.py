"""Convert how teams play to and from the codes of a report file: system, tie-breaks, words."""

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from gnomon.refusals import statement
from gnomon.tournament.errors import TournamentError
from gnomon.tournament.formats.trf._regulations import BAKU, FIDE_CODES
from gnomon.tournament.formats.trf.sheet import Remark, TrfError
from gnomon.tournament.state.settings import System, TournamentSettings
from gnomon.tournament.state.team_play import TeamPlay
from gnomon.tournament.teams.tiebreaks import TEAM_TIE_BREAKS, check_team_tie_break

# FIDE's table of codes for line 192, as the program Gacrux has it: those of teams.
_SWISS: Final = re.compile(r"(?:FIDE_TEAM(?:_TYPE[AB])?|CUSTOM_TEAM_SWISS)(?:_(MP|GP)(?:_(?:MP|GP))?)?(?:_BAKU)?")
_LEAGUE: Final = re.compile(r"(?:BERGER|FIDE|CUSTOM)_TEAM_(DOUBLE)?ROUNDROBIN")
_SCHEVENINGEN: Final = re.compile(r"(?:FIDE|CUSTOM)_(DOUBLE)?SCHEVENINGEN")
_CUP: Final = "CUSTOM_TEAM_KNOCKOUT"
_TIE_BREAK: Final = re.compile(r"([A-Z_]+)(?::(MP|GP))?(?:/([CM][1-9]))?")
_NAMED: Final = re.compile(r"([A-Z]+?)([CM][1-9])?(?::(MP|GP))?")
_WRITTEN: Final = {"MPVGP": "MPvGP"}
_SELF_DEFINED: Final = "OTHER_"


class TeamFormat(NamedTuple):
    """What a code says of a competition of teams."""

    system: System
    cycles: int = 1
    games_first: bool = False
    scheveningen: bool = False
    accelerated: bool = False


def team_format_of(code: str, kind: str) -> TeamFormat:
    """The format of a code of line 192, or of the words of line 092 where there is none. Raises TrfError."""
    if not code:
        words = kind.lower()
        if "knock" in words or "k.o." in words:
            return TeamFormat(System.KNOCKOUT)
        league = "robin" in words or "berger" in words or "league" in words
        return TeamFormat(System.ROUND_ROBIN if league else System.SWISS, 2 if league and "double" in words else 1)
    if found := _SWISS.fullmatch(code):
        return TeamFormat(System.SWISS, games_first=found[1] == "GP", accelerated=code.endswith(BAKU))
    if found := _LEAGUE.fullmatch(code):
        return TeamFormat(System.ROUND_ROBIN, 2 if found[1] else 1)
    if found := _SCHEVENINGEN.fullmatch(code):
        return TeamFormat(System.ROUND_ROBIN, 2 if found[1] else 1, games_first=True, scheveningen=True)
    if code == _CUP:
        return TeamFormat(System.KNOCKOUT)
    raise TrfError(statement("tournament.trf.team_kind", code=code))


def team_code_of(settings: TournamentSettings, play: TeamPlay) -> str:
    """The code of line 192 of teams that Gnomon pairs."""
    if play.scheveningen:
        return "CUSTOM_SCHEVENINGEN" if settings.cycles == 1 else "FIDE_DOUBLESCHEVENINGEN"
    if settings.system is System.KNOCKOUT:
        return _CUP
    if settings.system is System.ROUND_ROBIN:
        return "BERGER_TEAM_ROUNDROBIN" if settings.cycles == 1 else "FIDE_TEAM_DOUBLEROUNDROBIN"
    code = "CUSTOM_TEAM_SWISS_GP" if play.games_first else "CUSTOM_TEAM_SWISS_MP"
    return f"{code}{BAKU * settings.accelerated}"


def team_words_of(settings: TournamentSettings, play: TeamPlay) -> str:
    """The words of line 092."""
    if play.scheveningen:
        return "Team: Scheveningen"
    if settings.system is System.KNOCKOUT:
        return "Team: Knockout"
    if settings.system is System.ROUND_ROBIN:
        return "Team: Round-Robin" if settings.cycles == 1 else "Team: Double Round-Robin"
    return "Team: Swiss-System"


def code_of_team_tie_break(name: str) -> str:
    """The code of a tie-break of teams; one that C.07 has none for is self-defined."""
    found = _NAMED.fullmatch(name)
    if name in TEAM_TIE_BREAKS or found is None or found[1] not in FIDE_CODES:
        return _WRITTEN.get(name, name if name != "BERLIN" and name in TEAM_TIE_BREAKS else f"{_SELF_DEFINED}{name}")
    points, modifier = f":{found[3]}" if found[3] else "", f"/{found[2]}" if found[2] else ""
    return f"{found[1]}{points}{modifier}"


def team_tie_breaks_of(codes: Sequence[str]) -> tuple[tuple[str, ...], tuple[Remark, ...]]:
    """The tie-breaks of some codes, and a remark for each that Gnomon does not compute."""
    names: list[str] = []
    remarks: list[Remark] = []
    for code in codes:
        plain = code.removeprefix(_SELF_DEFINED)
        found = _TIE_BREAK.fullmatch(plain)
        name = plain if found is None else f"{found[1]}{found[3] or ''}{':' + found[2] if found[2] else ''}"
        try:
            check_team_tie_break(name)
        except TournamentError:
            remarks.append(Remark(statement("tournament.trf.tie_break", code=code)))
        else:
            names.append(name)
    return tuple(names), tuple(remarks)
