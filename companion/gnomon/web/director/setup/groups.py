"""Serve the page on which a director splits a tournament into groups, each a tournament of its own."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute

from gnomon.refusals import statement
from gnomon.tournament.errors import TournamentError
from gnomon.tournament.stages import Group, group_events, groups_of
from gnomon.tournament.state.settings import System
from gnomon.tournament.teams.matches import as_shown
from gnomon.web.director._office import (
    FormInput,
    PreviewedForm,
    PreviewedPage,
    TournamentApp,
    page_response,
)
from gnomon.web.director.setup.tournament_list import PATH as LIST
from gnomon.web.director.setup.tournament_list import SYSTEMS, free_name, open_told

PATH: Final = "/tournaments/{name}/groups"
_ROUND_ROBIN: Final = "round_robin"


def routes(office: TournamentApp) -> Sequence[BaseRoute]:
    """The page and its forms, for directors."""
    page = _Groups(office)
    return page.previewed_routes(PATH, "split", page.split)


class _Groups(PreviewedPage[Sequence[Group]]):
    """What is answered at each address."""

    def preview(self, wish: FormInput) -> Sequence[Group]:
        system = SYSTEMS.get(wish.text("system"), System.ROUND_ROBIN)
        count, rounds = wish.number_or_none("count") or 0, wish.number_or_none("rounds")
        return groups_of(wish.look.tournament, count, system, rounds)

    async def split(self, wish: FormInput) -> str:
        await self._office.ask(lambda: self._split(wish))
        return LIST

    def _split(self, wish: FormInput) -> None:
        """Open the groups; none where one of them is there already. Raises TournamentError and FormError."""
        hall, tournament = self._office.hall, wish.look.tournament
        groups = self.preview(wish)
        there = {hall.book(kept.id).tournament().settings.name for kept in hall.tournaments()}
        for group in groups:
            if group.settings.name in there:
                raise TournamentError(statement("director.refused.group_there", group=group.settings.name))
        plan = replace(hall.plan(wish.look.name), boards={})
        for group in groups:
            name = free_name(hall, group.settings.name)
            open_told(hall, name, group_events(tournament, group), wish.who, tournament.settings.name, plan)

    async def answer(self, request: Request, form: PreviewedForm[Sequence[Group]]) -> Response:
        look, wrong, sent, preview = form
        return page_response(
            request,
            "director_groups.html",
            look,
            wrong,
            groups=preview or (),
            shown=as_shown(look.tournament),
            count=sent.get("count", ""),
            systems=list(SYSTEMS),
            system=sent.get("system", _ROUND_ROBIN),
            rounds=sent.get("rounds", ""),
        )
