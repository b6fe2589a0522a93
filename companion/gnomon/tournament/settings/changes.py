"""Change the settings of a tournament after its opening, and say what was changed.

Standings are computed from the settings as they are now, so a change of points or tie-breaks counts for all rounds.
"""

from collections.abc import Iterator
from dataclasses import fields, replace
from fractions import Fraction
from typing import Final

from gnomon.refusals import Statement, statement
from gnomon.tournament.errors import TournamentError
from gnomon.tournament.events import SettingsChanged
from gnomon.tournament.settings.scope import check_scope
from gnomon.tournament.settings.texts import grade_rules_text
from gnomon.tournament.state import Tournament
from gnomon.tournament.state.notation import points_text
from gnomon.tournament.state.particulars import check_heading
from gnomon.tournament.state.settings import GradeRules, Scoring, System, TournamentSettings
from gnomon.tournament.teams.tiebreaks import check_team_tie_break
from gnomon.tournament.tiebreaks.rule_sets import rule_set
from gnomon.tournament.tiebreaks.values import check_tie_break

FROM_ROUND_ONE: Final = frozenset(
    {"system", "games", "leader_first", "bars", "grades", "cycles", "accelerated", "lives", "check_in", "table_size"}
)
"""What the pairings and results of a published round rest on: once there is one, they stay."""
_UNTIL_THE_LAST: Final = "third_place"
_TABLES: Final = frozenset({System.ROUND_ROBIN, System.KNOCKOUT})


def change_settings(tournament: Tournament, event: SettingsChanged) -> Tournament:
    """The tournament with other settings. Raises TournamentError for a change that what has happened does not allow."""
    was, now = event.was, event.now
    if not event.reason.strip():
        raise TournamentError(statement("tournament.setting.reason"))
    if was != tournament.settings:
        raise TournamentError(statement("tournament.setting.stale", tournament=tournament.settings.name))
    changed = changed_fields(was, now)
    if not changed:
        raise TournamentError(statement("tournament.setting.same", tournament=was.name))
    if not now.name.strip():
        raise TournamentError(statement("tournament.setting.nameless"))
    rule_set(now.rule_set)
    check = check_tie_break if tournament.teams is None else check_team_tie_break
    for name in now.tie_breaks:
        check(name)
    _check_rounds(tournament, changed, now)
    check_scope(now, changed)
    if now.system in _TABLES:
        _check_table(tournament, now.system)
    check_heading(tournament.heading, now)
    return replace(tournament, settings=now)


def changed_fields(was: TournamentSettings, now: TournamentSettings) -> tuple[str, ...]:
    """The names of the settings that differ, in the order in which they are declared."""
    return tuple(one.name for one in fields(TournamentSettings) if getattr(was, one.name) != getattr(now, one.name))


def settings_without(now: TournamentSettings, event: SettingsChanged) -> TournamentSettings:
    """The settings as they are now, with what an event has changed as it was before that."""
    return replace(now, **{name: getattr(event.was, name) for name in changed_fields(event.was, event.now)})


def describe_changes(was: TournamentSettings, now: TournamentSettings) -> Iterator[Statement]:
    """Each setting that differs: what it is called, what it was and what it is."""
    for name in changed_fields(was, now):
        pairs = _scoring_pairs(was.scoring, now.scoring) if name == "scoring" else ((name, was, now),)
        for called, before, after in pairs:
            yield statement(
                "tournament.log.setting",
                setting=_name_of(called),
                before=_value_of(getattr(before, called)),
                now=_value_of(getattr(after, called)),
            )


def describe_settings(settings: TournamentSettings) -> Iterator[Statement]:
    """Each setting: what it is called, and what it is."""
    for one in fields(TournamentSettings):
        names = tuple(each.name for each in fields(Scoring)) if one.name == "scoring" else (one.name,)
        holder = settings.scoring if one.name == "scoring" else settings
        for name in names:
            called = _name_of(name)
            yield statement("tournament.log.setting.is", setting=called, now=_value_of(getattr(holder, name)))


def _check_rounds(tournament: Tournament, changed: tuple[str, ...], now: TournamentSettings) -> None:
    """Raise TournamentError where rounds that are published, or what is planned for later ones, forbid a change."""
    published = len(tournament.rounds)
    fixed = next((name for name in changed if name in FROM_ROUND_ONE), None) if published else None
    if fixed is None and _UNTIL_THE_LAST in changed and published >= tournament.settings.rounds:
        fixed = _UNTIL_THE_LAST
    if fixed is not None:
        called = _name_of(fixed)
        raise TournamentError(statement("tournament.setting.fixed", setting=called, round=published))
    if now.rounds < published:
        raise TournamentError(statement("tournament.setting.rounds_played", rounds=now.rounds, published=published))
    planned = [(one.number, one.since) for one in tournament.entrants.values()] + list(tournament.byes)
    for number, in_round in planned:
        if in_round > now.rounds:
            raise TournamentError(
                statement(
                    "tournament.setting.rounds_planned",
                    rounds=now.rounds,
                    who=tournament.label_of(number),
                    round=in_round,
                )
            )


def _check_table(tournament: Tournament, system: System) -> None:
    """Raise TournamentError where a table or a bracket cannot have what the other system allowed."""
    late = next((one.number for one in tournament.entrants.values() if one.since > 1), None)
    planned = late if late is not None else next((number for number, _ in tournament.byes), None)
    if planned is not None:
        who = tournament.label_of(planned)
        raise TournamentError(statement("tournament.setting.table", who=who, system=system.value))
    if tournament.prohibited:
        one, other = (tournament.label_of(number) for number in sorted(min(tournament.prohibited, key=sorted)))
        raise TournamentError(statement("tournament.setting.apart", one=one, other=other, system=system.value))


def _scoring_pairs(was: Scoring, now: Scoring) -> tuple[tuple[str, Scoring, Scoring], ...]:
    return tuple((one.name, was, now) for one in fields(Scoring) if getattr(was, one.name) != getattr(now, one.name))


def _name_of(setting: str) -> Statement:
    return Statement(f"tournament.log.setting.{setting}")


def _value_of(value: object) -> str | Statement:
    """The value of a setting for people."""
    match value:
        case bool():
            return statement("tournament.word.yes" if value else "tournament.word.no")
        case Fraction():
            return points_text(value)
        case System():
            return Statement(f"word.system.{value.value}")
        case None | () | "":
            return statement("tournament.word.none")
        case tuple():
            return " ".join(points_text(each) if isinstance(each, Fraction) else str(each) for each in value)
        case GradeRules():
            return grade_rules_text(value)
        case _:
            return str(value)
