"""Convert tournament settings to and from the codes of a report file: system, scoring and tie-breaks."""

import re
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from gnomon.refusals import statement
from gnomon.tournament.errors import TournamentError
from gnomon.tournament.formats.trf.sheet import Remark, TrfError, TrfSheet
from gnomon.tournament.state import Tournament
from gnomon.tournament.state.results import Points
from gnomon.tournament.state.settings import Scoring, System, TournamentSettings
from gnomon.tournament.tiebreaks.values import is_tie_break, modifiers_of, name_of

# FIDE's table of codes for line 192, without those for competitions of teams.
_SWISS: Final = re.compile(r"FIDE_(?:DUTCH(?:_20\d\d)?|DUBOV|BURSTEIN)(?:_BAKU)?|CUSTOM_SWISS")
_DOUBLE_SWISS: Final = re.compile(r"FIDE_DOUBLESWISS(?:_BAKU)?|CUSTOM_DOUBLESWISS")
_ROUND_ROBIN: Final = re.compile(r"(?:BERGER_ROUNDROBIN(?:_G1)?|FIDE_ROUNDROBIN|CUSTOM_ROUNDROBIN)")
_TWICE: Final = re.compile(r"BERGER_ROUNDROBIN_G2|(?:BERGER|FIDE)_DOUBLEROUNDROBIN")
SHORT_FOR: Final = dict.fromkeys(("BERGER_ROUNDROBIN", "FIDE_ROUNDROBIN"), "BERGER_ROUNDROBIN_G1")
OWN_SWISS: Final = "CUSTOM_SWISS"
BAKU: Final = "_BAKU"
OWN_ROUND_ROBIN: Final = "CUSTOM_ROUNDROBIN"
# The tie-breaks that C.07 knows: what other federations' games use has no code.
FIDE_CODES: Final = frozenset(
    [
        *("DE", "EDE", "WIN", "WON", "BPG", "BWG", "PS", "REP", "STD", "TPN", "BH", "AOB", "FB", "SB", "KS"),
        *("ARO", "TPR", "PTP", "APRO", "APPO", "RTNG", "MPVGP"),
    ],
)


class SystemFormat(NamedTuple):
    """What a code says: the system, how often all meet all, how many games make a round, whether Baku speeds it up."""

    system: System
    cycles: int = 1
    games: int = 1
    accelerated: bool = False


def format_of(code: str, kind: str) -> SystemFormat:
    """The format of a code of line 192, or of the words of line 092 where there is none.

    Raises TrfError for a code of something that Gnomon does not hold.
    """
    if not code:
        return _of_words(kind.lower())
    for pattern, found in (
        (_SWISS, SystemFormat(System.SWISS)),
        (_DOUBLE_SWISS, SystemFormat(System.SWISS, games=2)),
        (_ROUND_ROBIN, SystemFormat(System.ROUND_ROBIN)),
        (_TWICE, SystemFormat(System.ROUND_ROBIN, cycles=2)),
        (re.compile("CUSTOM_KNOCKOUT"), SystemFormat(System.KNOCKOUT)),
    ):
        if pattern.fullmatch(code):
            return found._replace(accelerated=code.endswith(BAKU))
    raise TrfError(statement("tournament.trf.kind", code=code))


def _of_words(words: str) -> SystemFormat:
    if "team" in words and "individual" not in words:
        raise TrfError(statement("tournament.trf.teams", text=words))
    if "robin" in words or "berger" in words or "all-play-all" in words:
        return SystemFormat(System.ROUND_ROBIN, cycles=2 if "double" in words else 1)
    if "knock" in words or "k.o." in words:
        return SystemFormat(System.KNOCKOUT)
    return SystemFormat(System.SWISS, games=2 if "double" in words and "swiss" in words else 1)


def code_of(tournament: Tournament) -> str:
    """The code of line 192: the federation's own where an engine of theirs paired every round."""
    codes = {round_.paired_by for round_ in tournament.rounds}
    if tournament.settings.system is System.SWISS and len(codes) == 1 and (code := codes.pop()):
        return f"{code}{BAKU * tournament.settings.accelerated}"
    return own_code_of(tournament.settings)


def dutch_code(code: str) -> str:
    """The federation's code for a Swiss of single rounds, without Baku; nothing for any other code."""
    return code.removesuffix(BAKU) if _SWISS.fullmatch(code) and code != OWN_SWISS else ""


def own_code_of(settings: TournamentSettings) -> str:
    """The code of line 192 for a tournament that Gnomon pairs."""
    match settings.system:
        case System.KNOCKOUT:
            return "CUSTOM_KNOCKOUT"
        case System.ROUND_ROBIN if columns_per_round(settings) > 1:
            return OWN_ROUND_ROBIN
        case System.ROUND_ROBIN:
            # Gnomon's two cycles exchange the last rounds of the first: FIDE's table calls that so.
            return "BERGER_ROUNDROBIN_G1" if settings.cycles == 1 else "FIDE_DOUBLEROUNDROBIN"
        case _:
            return "CUSTOM_DOUBLESWISS" if columns_per_round(settings) > 1 else OWN_SWISS


def words_of(settings: TournamentSettings) -> str:
    """The words of line 092, from which the older format tells the system."""
    match settings.system:
        case System.KNOCKOUT:
            return "Individual: Knockout"
        case System.ROUND_ROBIN:
            return "Individual: Round-Robin" if settings.cycles == 1 else "Individual: Double Round-Robin"
        case _:
            return "Individual: Swiss-System" if columns_per_round(settings) == 1 else "Individual: Double Swiss-System"


def columns_per_round(settings: TournamentSettings) -> int:
    """How many rounds of a file a round takes: one for each game, unless the round is a match that counts as one."""
    one = settings.match_score or settings.system is System.KNOCKOUT
    return 1 if one else settings.games


def points_of(scoring: Scoring) -> Mapping[str, Points]:
    """What the letters of the point system are worth."""
    return {"W": scoring.win, "D": scoring.draw, "L": scoring.loss, "P": scoring.bye}


def scoring_of(points: Mapping[str, Points]) -> Scoring:
    """The scoring that a file tells, with FIDE's defaults. Raises TrfError when no game can be scored so."""
    usual = Scoring()
    win = points.get("W", usual.win)
    try:
        return Scoring(win, points.get("D", usual.draw), points.get("L", usual.loss), points.get("P", win))
    except TournamentError as error:
        raise TrfError(error.statement) from error


def code_of_tie_break(name: str) -> str | None:
    """The code of a tie-break, or None when C.07 has none for it."""
    plain, modifiers = modifiers_of(name)
    return "/".join((plain, *modifiers)) if plain in FIDE_CODES else None


def tie_breaks_of(codes: Sequence[str]) -> tuple[tuple[str, ...], tuple[Remark, ...]]:
    """The tie-breaks of some codes, and a remark for each that Gnomon does not compute."""
    names = {code: name_of(code) for code in codes}
    known = tuple(name for name in names.values() if is_tie_break(name))
    return known, tuple(
        Remark(statement("tournament.trf.tie_break", code=code)) for code, name in names.items() if name not in known
    )


def settings_of(
    sheet: TrfSheet, told: SystemFormat, bars: Sequence[int] = ()
) -> tuple[TournamentSettings, tuple[Remark, ...]]:
    """The settings that a file tells, and remarks on what it does not. Raises TrfError for what no tournament has."""
    remarks: list[Remark] = []
    tie_breaks = TournamentSettings("", told.system, 1).tie_breaks
    if sheet.tie_breaks is not None:
        tie_breaks, unknown = tie_breaks_of(sheet.tie_breaks)
        remarks += unknown
    if not sheet.name:
        remarks.append(Remark(statement("tournament.trf.no_name")))
    rounds = sheet.rounds or sheet.columns or 1
    if sheet.rounds is None:
        remarks.append(Remark(statement("tournament.trf.rounds_taken", rounds=rounds)))
    if sheet.columns > rounds:
        raise TrfError(statement("tournament.trf.columns", columns=sheet.columns, rounds=rounds))
    if rounds % told.games:
        raise TrfError(statement("tournament.trf.odd", rounds=rounds))
    settings = TournamentSettings(
        sheet.name or "Tournament",
        System.MCMAHON if bars else told.system,
        rounds // told.games,
        games=told.games,
        leader_first=_leader_first(sheet),
        scoring=scoring_of(sheet.points),
        bars=tuple(bars),
        cycles=told.cycles,
        tie_breaks=tie_breaks,
        accelerated=told.accelerated,
    )
    return settings, tuple(remarks)


def _leader_first(sheet: TrfSheet) -> bool:
    """The lot for the strongest: as told, or as the strongest who was paired in the first round had it."""
    if sheet.first_side:
        return sheet.first_side == "W"
    ranked = sorted(sheet.players, key=lambda one: (one.rating is None, -(one.rating or 0), one.number))
    return next((one.cell(0).side == "w" for one in ranked if one.cell(0).side in {"w", "b"}), True)
