"""Refuse settings that mean nothing in the system of a tournament, instead of keeping what nobody applies."""

from collections.abc import Collection, Mapping
from dataclasses import fields, replace
from typing import Any, Final

from gnomon.refusals import Statement, statement
from gnomon.tournament.errors import TournamentError
from gnomon.tournament.state.settings import GradeRules, System, TournamentSettings

_ALL: Final = frozenset(System)
_SCOPES: Final[Mapping[str, frozenset[System]]] = {
    "team_mates_meet": _ALL - {System.ROUND_ROBIN, System.KNOCKOUT},
    "bars": frozenset({System.MCMAHON}),
    "cycles": frozenset({System.ROUND_ROBIN}),
    "annul": frozenset({System.ROUND_ROBIN}),
    "third_place": frozenset({System.KNOCKOUT}),
    "accelerated": frozenset({System.SWISS}),
    "lives": frozenset({System.KNOCKOUT}),
    "table_size": frozenset({System.TABLES}),
    "place_points": frozenset({System.TABLES}),
    "streak": frozenset({System.ARENA}),
    "reach": frozenset({System.LADDER}),
}
"""Where the settings mean something that do so in some systems only."""
_EVERYWHERE: Final = GradeRules()
"""Grades without bar and floor, which only a McMahon has."""
DEFAULTS: Final[Mapping[str, object]] = {
    one.name: one.default for one in fields(TournamentSettings) if one.name in _SCOPES
}


def within_scope(settings: TournamentSettings, system: System) -> TournamentSettings:
    """The settings in another system, without what means nothing there."""
    usual: dict[str, Any] = {name: DEFAULTS[name] for name, systems in _SCOPES.items() if system not in systems}
    grades = settings.grades
    if grades is not None and system is not System.MCMAHON:
        grades = replace(grades, bar=_EVERYWHERE.bar, floor=_EVERYWHERE.floor)
    open_rounds = 1 if system is System.KNOCKOUT else settings.open_rounds
    return replace(settings, system=system, grades=grades, open_rounds=open_rounds, **usual)


def check_scope(settings: TournamentSettings, changed: Collection[str] | None = None) -> None:
    """Raise TournamentError for a setting that means nothing here.

    `changed` names those that were just told, None stands for all: what an older tournament holds is left to it.
    """
    for name, systems in _SCOPES.items():
        told = getattr(settings, name) != DEFAULTS[name]
        if told and settings.system not in systems and _is_told(name, changed):
            raise _refusal(settings, Statement(f"tournament.log.setting.{name}"))
    if settings.grades is not None and _is_told("grades", changed):
        _check_grades(settings, settings.grades)


def _is_told(name: str, changed: Collection[str] | None) -> bool:
    return changed is None or name in changed or "system" in changed


def _check_grades(settings: TournamentSettings, grades: GradeRules) -> None:
    if settings.bars:
        raise TournamentError(statement("tournament.go.bars"))
    is_mcmahon = settings.system is System.MCMAHON
    if not is_mcmahon and (grades.bar, grades.floor) != (_EVERYWHERE.bar, _EVERYWHERE.floor):
        raise _refusal(settings, statement("tournament.go.bar_and_floor"))
    if settings.gives_stones and settings.system is System.TABLES:
        raise _refusal(settings, statement("tournament.go.handicap_stones"))


def _refusal(settings: TournamentSettings, setting: Statement) -> TournamentError:
    return TournamentError(statement("tournament.setting.scope", setting=setting, system=settings.system.value))
