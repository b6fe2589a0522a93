"""Serve the page on which a director changes the settings of a tournament, after a look at what follows."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import reduce
from typing import Final, NamedTuple

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute

from gnomon.refusals import Statement, statement
from gnomon.tournament.event_log.reducer import step
from gnomon.tournament.events import SettingsChanged, TeamPlayChanged
from gnomon.tournament.settings.changes import FROM_ROUND_ONE, describe_changes
from gnomon.tournament.settings.team_play_changes import (
    FROM_ROUND_ONE as PLAY_FROM_ROUND_ONE,
)
from gnomon.tournament.settings.team_play_changes import PLAY, describe_play_changes, play_texts, play_with
from gnomon.tournament.settings.texts import READERS, setting_texts, settings_with
from gnomon.tournament.standings import moved_places
from gnomon.tournament.state import Tournament
from gnomon.tournament.state.settings import System
from gnomon.tournament.teams.matches import as_shown
from gnomon.tournament.tiebreaks.rule_sets import RULE_SETS
from gnomon.web.director import _event_writer as event_writer
from gnomon.web.director._office import (
    FormInput,
    PreviewedForm,
    PreviewedPage,
    TournamentApp,
    page_response,
    path_of,
)
from gnomon.web.director.setup._go_form import go_form, parse_go_form
from gnomon.web.director.setup.tournament_list import SYSTEMS

PATH: Final = "/tournaments/{name}/settings"
SettingsChange = SettingsChanged | TeamPlayChanged


class SettingsPreview(NamedTuple):
    """What a change would bring: the settings that differ, and whose place in the standings would be another."""

    facts: Sequence[Statement]
    moves: Sequence[Statement]


def routes(office: TournamentApp) -> Sequence[BaseRoute]:
    """The page and its forms, for directors."""
    desk = _Settings(office)
    return desk.previewed_routes(PATH, "change", desk.change)


class _Settings(PreviewedPage[SettingsPreview]):
    """What is answered at each address."""

    def preview(self, wish: FormInput) -> SettingsPreview:
        return preview_change(wish.look.tournament, _events(wish))

    async def change(self, wish: FormInput) -> str:
        await self._office.tell(wish, _events(wish), event_writer.of_settings)
        return f"{path_of(wish.look.name)}/settings"

    async def answer(self, request: Request, form: PreviewedForm[SettingsPreview]) -> Response:
        look, wrong, sent, preview = form
        return page_response(
            request,
            "director_settings.html",
            look,
            wrong,
            values={**setting_texts(look.tournament.settings), **_play_values(look.tournament), **sent},
            parts=_parts(look.tournament),
            fixed=FROM_ROUND_ONE if look.tournament.rounds else (),
            systems=[(system.value, name) for name, system in SYSTEMS.items()],
            rule_sets=list(RULE_SETS),
            preview=preview,
            go=go_form(look.tournament.settings.grades, sent),
        )


def _play_values(tournament: Tournament) -> Mapping[str, str]:
    return {} if tournament.teams is None else play_texts(tournament.teams.play)


def _parts(tournament: Tournament) -> list[str]:
    """The parts of how teams play that may still change."""
    if tournament.teams is None:
        return []
    of_a_cup = tournament.settings.system is System.KNOCKOUT
    fixed = PLAY_FROM_ROUND_ONE if tournament.rounds else frozenset[str]()
    return [name for name in PLAY if name not in fixed and (of_a_cup or name != "cup_breaks")]


def preview_change(tournament: Tournament, events: Sequence[SettingsChange]) -> SettingsPreview:
    """What some changes would bring. Raises TournamentError for one that cannot be."""
    moves = moved_places(tournament, reduce(step, events, tournament))
    facts: list[Statement] = []
    for event in events:
        if isinstance(event, SettingsChanged):
            facts += describe_changes(event.was, event.now)
        else:
            facts += describe_play_changes(event.was, event.now)
    return SettingsPreview(
        facts,
        tuple(
            statement("cli.tournament.settings.moved", who=as_shown(tournament).label_of(number), before=was, now=now)
            for number, was, now in moves
        ),
    )


def _events(wish: FormInput) -> list[SettingsChange]:
    """The changes that a form asks for. Raises TournamentError and FormError."""
    tournament = wish.look.tournament
    was, why = tournament.settings, wish.reason()
    texts = {name: wish.text(name) for name in READERS if name in wish.sent}
    if texts.get("bye") == "":
        texts["bye"] = texts.get("win", "")  # as in the form of a new tournament
    now = settings_with(was, texts)
    if "go" in wish.sent:
        now = replace(now, grades=parse_go_form(wish.sent))
    of_play = {name: wish.text(name) for name in PLAY if name in wish.sent}
    if tournament.teams is None or not of_play:
        return [SettingsChanged(was, now, why)]
    play = tournament.teams.play
    then = play_with(play, of_play)
    # One form holds both: what is as it was is no change, unless nothing is one.
    changed: list[SettingsChange] = [] if then == play else [TeamPlayChanged(play, then, why)]
    return changed if changed and now == was else [SettingsChanged(was, now, why), *changed]
