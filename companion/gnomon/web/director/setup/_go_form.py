"""Read and fill the part of a form that is about Go: grades, bar and floor, handicap stones and rounding."""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from gnomon.tournament.state.settings import MOST_STONES, GradeRules, Rounding
from gnomon.tournament.strength.grades import grade_text, parse_grade
from gnomon.web.director._office import number_or_none

FIELDS: Final = ("graded", "go_floor", "go_bar", "go_handicap", "go_rounding")


class GoForm(NamedTuple):
    """What stands in the fields, and what can be chosen."""

    graded: bool
    floor: str
    bar: str
    handicap: str
    rounding: str
    stones: Sequence[int] = range(MOST_STONES + 1)
    roundings: Sequence[str] = tuple(map(str, Rounding))


def go_form(rules: GradeRules | None, sent: Mapping[str, str]) -> GoForm:
    """The fields as they were sent, or as the settings are."""
    if any(field in sent for field in FIELDS):
        floor, bar, handicap, rounding = (sent.get(field, "") for field in FIELDS[1:])
        return GoForm("graded" in sent, floor, bar, handicap, rounding)
    if rules is None:
        return GoForm(graded=False, floor="", bar="", handicap="", rounding=Rounding.NONE.value)
    usual = GradeRules()
    floor = "" if rules.floor == usual.floor else grade_text(rules.floor)
    bar = "" if rules.bar == usual.bar else grade_text(rules.bar)
    return GoForm(
        graded=True,
        floor=floor,
        bar=bar,
        handicap="" if rules.handicap is None else str(rules.handicap),
        rounding=rules.rounding.value,
    )


def parse_go_form(sent: Mapping[str, str]) -> GradeRules | None:
    """What the fields settle, None where nobody is graded. Raises TournamentError and FormError."""
    floor, bar, handicap, rounding = (sent.get(field, "").strip() for field in FIELDS[1:])
    usual = GradeRules()
    rules = GradeRules(
        bar=parse_grade(bar) if bar else usual.bar,
        floor=parse_grade(floor) if floor else usual.floor,
        handicap=number_or_none(handicap),
        rounding=Rounding(rounding) if rounding in list(Rounding) else Rounding.NONE,
    )
    return rules if "graded" in sent or rules != usual else None
