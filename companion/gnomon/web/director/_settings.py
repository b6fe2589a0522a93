"""Serve the page on which a director changes the settings of a tournament, after a look at what follows."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute

from gnomon.refusals import Statement, statement
from gnomon.tournament.events import SettingsChanged
from gnomon.tournament.reducer import step
from gnomon.tournament.setting_changes import FROM_ROUND_ONE, describe_changes
from gnomon.tournament.setting_texts import READERS, setting_texts, settings_with
from gnomon.tournament.standings import moved_places
from gnomon.tournament.state import Tournament
from gnomon.tournament.teams.matches import as_shown
from gnomon.tournament.tiebreaks.rule_sets import RULE_SETS
from gnomon.web.director import _event_writer as event_writer
from gnomon.web.director._go_form import go_form, parse_go_form
from gnomon.web.director._office import (
    FormInput,
    FormMistake,
    PreviewedPage,
    TournamentApp,
    TournamentSnapshot,
    page_response,
    path_of,
)
from gnomon.web.director._tournament_list import SYSTEMS

PATH: Final = "/tournaments/{name}/settings"


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
        return preview_change(wish.look.tournament, _event(wish))

    async def change(self, wish: FormInput) -> str:
        await self._office.tell(wish, [_event(wish)], event_writer.of_settings)
        return f"{path_of(wish.look.name)}/settings"

    async def answer(
        self,
        request: Request,
        look: TournamentSnapshot,
        wrong: FormMistake,
        sent: Mapping[str, str],
        preview: SettingsPreview | None = None,
    ) -> Response:
        return page_response(
            request,
            "director_settings.html",
            look,
            wrong,
            values={**setting_texts(look.tournament.settings), **sent},
            fixed=FROM_ROUND_ONE if look.tournament.rounds else (),
            systems=[(system.value, name) for name, system in SYSTEMS.items()],
            rule_sets=list(RULE_SETS),
            preview=preview,
            go=go_form(look.tournament.settings.grades, sent),
        )


def preview_change(tournament: Tournament, event: SettingsChanged) -> SettingsPreview:
    """What a change would bring. Raises TournamentError for one that cannot be."""
    moves = moved_places(tournament, step(tournament, event))
    return SettingsPreview(
        tuple(describe_changes(event.was, event.now)),
        tuple(
            statement("cli.tournament.settings.moved", who=as_shown(tournament).label_of(number), before=was, now=now)
            for number, was, now in moves
        ),
    )


def _event(wish: FormInput) -> SettingsChanged:
    """The change that a form asks for. Raises TournamentError and FormError."""
    was = wish.look.tournament.settings
    texts = {name: wish.text(name) for name in READERS if name in wish.sent}
    if texts.get("bye") == "":
        texts["bye"] = texts.get("win", "")  # as in the form of a new tournament
    now = settings_with(was, texts)
    if "go" in wish.sent:
        now = replace(now, grades=parse_go_form(wish.sent))
    return SettingsChanged(was, now, wish.reason())
