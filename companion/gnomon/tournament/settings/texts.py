"""Parse and format the settings of a tournament as people write them, one text for each."""

import re
from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from typing import Any, Final

from gnomon.numbers import parse_whole
from gnomon.refusals import statement
from gnomon.tournament.errors import TournamentError, quote
from gnomon.tournament.state.notation import parse_points, points_text
from gnomon.tournament.state.results import Points
from gnomon.tournament.state.settings import GradeRules, Rounding, Scoring, System, TournamentSettings
from gnomon.tournament.strength.grades import grade_text, parse_grade
from gnomon.tournament.tiebreaks.values import name_of

YES: Final = "yes"
NO: Final = "no"
MOST: Final = 9_999
"""The greatest number that a setting has: a rating's four digits."""
_GRADE_RULES: Final = re.compile(
    r"(?P<floor>\w+) (?P<bar>\w+)(?: handicap=(?P<handicap>[0-9]))?(?: rounding=(?P<rounding>none|down|up))?"
)
_POINTS: Final = tuple(one.name for one in fields(Scoring))


def settings_with(settings: TournamentSettings, texts: Mapping[str, str]) -> TournamentSettings:
    """The settings with some of them as people write them, by their names; those of `Scoring` by theirs.

    Raises TournamentError for a text that is no value, and as the settings themselves do.
    """
    told = {name: READERS[name](" ".join(text.split())) for name, text in texts.items()}
    points: dict[str, Any] = {name: told.pop(name) for name in _POINTS if name in told}
    return replace(settings, scoring=replace(settings.scoring, **points), **told)


def parse_several_points(text: str) -> tuple[Points, ...]:
    """Points for places, with commas or blanks. Raises TournamentError for what is no number."""
    return tuple(map(parse_points, text.replace(",", " ").split()))


def parse_names(text: str) -> tuple[str, ...]:
    """Names with commas between them."""
    return tuple(filter(None, (" ".join(name.split()) for name in text.split(","))))


def setting_texts(settings: TournamentSettings) -> Mapping[str, str]:
    """Every setting as `settings_with` reads it."""
    scoring = {name: _points_of(getattr(settings.scoring, name)) for name in _POINTS}
    others = {name: _text_for(getattr(settings, name)) for name in READERS if name not in _POINTS}
    return {**others, **scoring, "round_games": ", ".join(settings.round_games)}


def _points_of(points: Points) -> str:
    text = points_text(points)
    return str(points) if " " in text else text  # 2 1/6 is written for people, and 13/6 for a form


def _text_for(value: object) -> str:
    match value:
        case bool():
            return YES if value else NO
        case None:
            return ""
        case tuple():
            return " ".join(_points_of(each) if isinstance(each, Points) else str(each) for each in value)
        case GradeRules():
            return grade_rules_text(value)
        case _:
            return str(value)


def grade_rules_text(rules: GradeRules) -> str:
    """Floor and bar, and what else was settled, as `settings_with` reads them: `20k 4d handicap=1 rounding=down`."""
    handicap = () if rules.handicap is None else (f"handicap={rules.handicap}",)
    rounding = () if rules.rounding is Rounding.NONE else (f"rounding={rules.rounding.value}",)
    return " ".join((grade_text(rules.floor), grade_text(rules.bar), *handicap, *rounding))


def _text_of(text: str) -> str:
    return text


def _tie_breaks_of(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(map(name_of, text.replace(",", " ").split())))


def parse_truth(text: str) -> bool:
    """Yes or no. Raises TournamentError for anything else."""
    if text not in {YES, NO}:
        raise TournamentError(statement("tournament.setting.no_truth", text=quote(text)))
    return text == YES


def parse_whole_number(text: str) -> int:
    """A whole number. Raises TournamentError for anything else."""
    found = parse_whole(text, MOST)
    if found is None:
        raise TournamentError(statement("tournament.setting.no_number", text=quote(text)))
    return found


def _wholes_of(text: str) -> tuple[int, ...]:
    return tuple(sorted(map(parse_whole_number, text.replace(",", " ").split())))


def _whole_or_none_of(text: str) -> int | None:
    return parse_whole_number(text) if text else None


def _grade_rules_of(text: str) -> GradeRules | None:
    if not text:
        return None
    found = _GRADE_RULES.fullmatch(text)
    if found is None:
        raise TournamentError(statement("tournament.setting.no_grades", text=quote(text)))
    return GradeRules(
        bar=parse_grade(found["bar"]),
        floor=parse_grade(found["floor"]),
        handicap=None if found["handicap"] is None else int(found["handicap"]),
        rounding=Rounding(found["rounding"] or Rounding.NONE),
    )


def _system_of(text: str) -> System:
    found = next((system for system in System if system.value == text.replace("_", " ").replace("-", " ")), None)
    if found is None:
        known = [system.value for system in System]
        raise TournamentError(statement("tournament.setting.no_system", text=quote(text), known=known))
    return found


READERS: Final[Mapping[str, Callable[[str], Any]]] = {
    "name": _text_of,
    "system": _system_of,
    "rounds": parse_whole_number,
    "games": parse_whole_number,
    "match_score": parse_truth,
    "balance": parse_truth,
    "leader_first": parse_truth,
    "win": parse_points,
    "draw": parse_points,
    "loss": parse_points,
    "bye": parse_points,
    "team_mates_meet": parse_truth,
    "bars": _wholes_of,
    "cycles": parse_whole_number,
    "annul": parse_truth,
    "third_place": parse_truth,
    "rule_set": _text_of,
    "tie_breaks": _tie_breaks_of,
    "accelerated": parse_truth,
    "unrated": _whole_or_none_of,
    "lives": parse_whole_number,
    "check_in": parse_truth,
    "grades": _grade_rules_of,
    "table_size": parse_whole_number,
    "place_points": parse_several_points,
    "open_rounds": parse_whole_number,
    "streak": parse_truth,
    "reach": parse_whole_number,
    "round_games": parse_names,
}
"""How each setting is read when somebody writes it."""
