"""Define the dated rule sets by which unplayed rounds count in tie-breaks (FIDE, MSO, Go, Hive)."""

from collections.abc import Mapping
from enum import Enum, auto
from typing import Final, NamedTuple

from gnomon.refusals import statement
from gnomon.tournament.errors import TournamentError
from gnomon.tournament.state.settings import System


class Dummy(Enum):
    """Whose score an unplayed round of one's own counts, as though it had been a game."""

    VIRTUAL = auto()  # an opponent who was level before the round and draws in all that follow
    OWN = auto()  # the entrant's own
    OWN_CAPPED = auto()  # the entrant's own, but no more than a draw in every round, or than a forfeit's real opponent
    START = auto()  # what the entrant began with, as in Go: whom nobody met proves nothing
    NOBODY = auto()  # nothing


class RuleSet(NamedTuple):
    """How unplayed rounds count: an opponent's that were asked for, or all of them, as draws; one's own by a dummy.

    `voluntary_first` says that cuts take rounds that were given up before those that were played. `since` is when the
    rules came into force or were published, nothing for a custom; `tie_breaks` the order that goes with them.
    """

    name: str
    dummy: Dummy
    draws_all: bool
    draws_at_end: bool
    voluntary_first: bool
    since: str = ""
    tie_breaks: tuple[str, ...] = ("DE", "BHC1", "BH", "SB", "WIN")


# C.02.13 of the FIDE Handbook, 2009: unplayed games of opponents are draws, one's own are against a virtual opponent.
FIDE_2009: Final = RuleSet(
    "FIDE_2009", Dummy.VIRTUAL, draws_all=True, draws_at_end=False, voluntary_first=False, since="2009"
)
# C.07, article 16, from July 2023: a bye asked for at the end is a draw for opponents; the dummy has one's own score.
FIDE_2023: Final = RuleSet(
    "FIDE_2023", Dummy.OWN, draws_all=False, draws_at_end=True, voluntary_first=False, since="2023-07-01"
)
# The same from August 2024: 16.5 cuts voluntary unplayed rounds first.
FIDE_2024: Final = FIDE_2023._replace(name="FIDE_2024", voluntary_first=True, since="2024-08-01")
# The same from March 2026: 16.4.1 and 16.4.2 cap the dummy.
FIDE_2026: Final = FIDE_2024._replace(name="FIDE_2026", dummy=Dummy.OWN_CAPPED, since="2026-03-01")
# Sums of opponents' scores as Go players count them.
GO: Final = RuleSet(
    "GO",
    Dummy.START,
    draws_all=False,
    draws_at_end=False,
    voluntary_first=False,
    tie_breaks=("SOS", "SOSOS", "DE"),
)
# Games of two players at the Mind Sports Olympiad (msoworld.com/pentamind/tie-breaks, a page without a date beside the
# Pentamind formula of 2018). It says nothing of unplayed rounds: here whom nobody met counts nothing. No lot is drawn.
MSO_2018: Final = GO._replace(name="MSO_2018", dummy=Dummy.NOBODY, since="2018", tie_breaks=("HH", "SPREAD", "SB"))
# In 2019 it took what the program SwissPerfect does of itself (msoworld.com, "Tiebreaks for MSO 2019").
MSO_2019: Final = MSO_2018._replace(name="MSO_2019", since="2019", tie_breaks=("BHM1", "BH", "PS"))
# The groups of the Hive world championship (hiveboardgame/hive, issue 542, 8 July 2025), with match points first.
HIVE_2025: Final = MSO_2018._replace(name="HIVE_2025", since="2025-07-08", tie_breaks=("GAT", "NR", "SEED"))

RULE_SETS: Final[Mapping[str, RuleSet]] = {
    rules.name: rules for rules in (FIDE_2009, FIDE_2023, FIDE_2024, FIDE_2026, GO, MSO_2018, MSO_2019, HIVE_2025)
}


_USUAL: Final[Mapping[System, tuple[str, ...]]] = {
    System.ROUND_ROBIN: ("DE", "SB", "WIN", "KS"),
    System.KNOCKOUT: (),
    System.TABLES: (),
    System.KEIZER: ("WIN",),
    System.ARENA: ("WIN",),
    System.LADDER: (),
}
"""The tie-breaks of systems that do not have those of their rule set."""


def usual_rules(system: System) -> RuleSet:
    """The rules of a system unless others are announced."""
    return GO if system is System.MCMAHON else FIDE_2026


def usual_tie_breaks(system: System, rules: RuleSet) -> tuple[str, ...]:
    """The tie-breaks of a system unless others are announced."""
    return _USUAL.get(system, rules.tie_breaks)


def rule_set(name: str) -> RuleSet:
    """The rules of a name. Raises TournamentError when there are none."""
    if name not in RULE_SETS:
        raise TournamentError(statement("tournament.tiebreak.rules", text=name, known=[*RULE_SETS]))
    return RULE_SETS[name]
