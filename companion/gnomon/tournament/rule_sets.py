"""The only place for how unplayed rounds count in tie-breaks: the rules as they were at a date, each under its name."""

from collections.abc import Mapping
from enum import Enum, auto
from typing import Final, NamedTuple

from gnomon.tournament.errors import TournamentError


class Dummy(Enum):
    """Whose score an unplayed round of one's own counts, as though it had been a game."""

    VIRTUAL = auto()  # an opponent who was level before the round and draws in all that follow
    OWN = auto()  # the entrant's own
    OWN_CAPPED = auto()  # the entrant's own, but no more than a draw in every round, or than a forfeit's real opponent
    START = auto()  # what the entrant began with, as in Go: whom nobody met proves nothing


class RuleSet(NamedTuple):
    """How unplayed rounds count: an opponent's that were asked for, or all of them, as draws; one's own by a dummy.

    `voluntary_first` says that cuts take rounds that were given up before those that were played.
    """

    name: str
    dummy: Dummy
    draws_all: bool
    draws_at_end: bool
    voluntary_first: bool


# C.02.13 of the FIDE Handbook, 2009: unplayed games of opponents are draws, one's own are against a virtual opponent.
FIDE_2009: Final = RuleSet("FIDE_2009", Dummy.VIRTUAL, draws_all=True, draws_at_end=False, voluntary_first=False)
# C.07, article 16, from July 2023: a bye asked for at the end is a draw for opponents; the dummy has one's own score.
FIDE_2023: Final = RuleSet("FIDE_2023", Dummy.OWN, draws_all=False, draws_at_end=True, voluntary_first=False)
# The same from August 2024: 16.5 cuts voluntary unplayed rounds first.
FIDE_2024: Final = FIDE_2023._replace(name="FIDE_2024", voluntary_first=True)
# The same from March 2026: 16.4.1 and 16.4.2 cap the dummy.
FIDE_2026: Final = FIDE_2024._replace(name="FIDE_2026", dummy=Dummy.OWN_CAPPED)
# Sums of opponents' scores as Go players reckon them.
GO: Final = RuleSet("GO", Dummy.START, draws_all=False, draws_at_end=False, voluntary_first=False)

RULE_SETS: Final[Mapping[str, RuleSet]] = {
    rules.name: rules for rules in (FIDE_2009, FIDE_2023, FIDE_2024, FIDE_2026, GO)
}


def rule_set(name: str) -> RuleSet:
    """The rules of a name. Raises TournamentError when there are none."""
    if name not in RULE_SETS:
        message = f"{name} is no rule set of tie-breaks: take one of {', '.join(RULE_SETS)}"
        raise TournamentError(message)
    return RULE_SETS[name]
