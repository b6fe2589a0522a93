"""Serve the page on which a director fills a tournament from the standings of others."""

from collections.abc import Mapping, Sequence
from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute

from gnomon.tournament.stages import Carry, Qualifier, Seeding, StageFeed, StageRule, parse_places, stage_events
from gnomon.web import forms
from gnomon.web.director import _event_writer as event_writer
from gnomon.web.director._office import (
    FormInput,
    PreviewedForm,
    PreviewedPage,
    TournamentApp,
    TournamentSnapshot,
    page_response,
    path_of,
)
from gnomon.web.director.setup.tournament_list import Listed, list_tournaments

PATH: Final = "/tournaments/{name}/stages"
_MOST_REST: Final = 99


def routes(office: TournamentApp) -> Sequence[BaseRoute]:
    """The page and its forms, for directors."""
    page = _Stages(office)
    return page.previewed_routes(PATH, "advance", page.advance)


class _Stages(PreviewedPage[Sequence[Qualifier]]):
    """What is answered at each address."""

    def preview(self, wish: FormInput) -> Sequence[Qualifier]:
        going_on, _ = stage_events(wish.look.tournament, *self._rule_of(wish.look, wish.sent))
        return going_on

    async def advance(self, wish: FormInput) -> str:
        feeds, rule = await self._office.ask(lambda: self._rule_of(wish.look, wish.sent))
        _, events = stage_events(wish.look.tournament, feeds, rule)
        why = ", ".join(feed.name for feed in feeds)
        await self._office.tell(wish, events, event_writer.conflicts_with_anything, why)
        return f"{path_of(wish.look.name)}/entrants"

    def _rule_of(self, look: TournamentSnapshot, sent: Mapping[str, str]) -> tuple[list[StageFeed], StageRule]:
        """What a form asks for. Raises TournamentError."""
        feeds = []
        for one in reversed(list_tournaments(self._office.hall)):
            places = sent.get(f"from-{one.name}", "").strip()
            if places and one.name != look.name:
                feeds.append(StageFeed(one.label, one.tournament, *parse_places(places)))
        rest = min(forms.number(sent.get("rest", "")) or 0, _MOST_REST)
        return feeds, StageRule(
            next((one for one in Seeding if one.value == sent.get("seeding")), Seeding.PLACES),
            next((one for one in Carry if one.value == sent.get("carry")), Carry.NOTHING),
            rest,
        )

    async def answer(self, request: Request, form: PreviewedForm[Sequence[Qualifier]]) -> Response:
        look, wrong, sent, preview = form

        def sources() -> list[tuple[Listed, str]]:
            """The tournaments that others may come from, and what stands in their fields."""
            others = [one for one in list_tournaments(self._office.hall) if one.name != look.name]
            return [(one, sent.get(f"from-{one.name}", "")) for one in others]

        return page_response(
            request,
            "director_stages.html",
            look,
            wrong,
            sources=await self._office.ask(sources),
            going_on=preview or (),
            rest=sent.get("rest", ""),
            seedings=[one.value for one in Seeding],
            seeding=sent.get("seeding", Seeding.PLACES.value),
            carries=[one.value for one in Carry],
            carry=sent.get("carry", Carry.NOTHING.value),
        )
