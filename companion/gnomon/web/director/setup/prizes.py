"""Serve the page on which a director announces prizes and sees who gets what."""

from collections.abc import Sequence
from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute

from gnomon.tournament.events import Event, PrizesAnnounced
from gnomon.tournament.standings.awards import award_rows
from gnomon.tournament.state.prizes import Sharing, parse_prizes, prizes_text
from gnomon.web.access import Role
from gnomon.web.director._office import (
    FormInput,
    FormMistake,
    OfficePage,
    TournamentApp,
    TournamentSnapshot,
    page_response,
    path_of,
)

PATH: Final = "/tournaments/{name}/prizes"


def routes(office: TournamentApp) -> Sequence[BaseRoute]:
    """The page and its form, for directors."""
    page = _Prizes(office)
    return page.routes(PATH, Role.DIRECTOR, {"announce": (Role.DIRECTOR, page.announce)})


class _Prizes(OfficePage):
    """What is answered at each address."""

    async def page(self, request: Request, look: TournamentSnapshot, wrong: FormMistake) -> Response:
        told = look.tournament.prizes
        rows = await self._office.ask(lambda: award_rows(look.tournament))
        return page_response(
            request,
            "director_prizes.html",
            look,
            wrong,
            rows=rows,
            text=wrong.sent.get("prizes", prizes_text(told)),
            sharings=[sharing.value for sharing in Sharing],
            sharing=wrong.sent.get("sharing", told.sharing.value),
            one_each=wrong.sent.get("one_each") == "yes" if wrong.sent else told.one_each,
        )

    async def announce(self, wish: FormInput) -> str:
        sharing = Sharing.SPLIT if wish.text("sharing") == Sharing.SPLIT.value else Sharing.TIE_BREAK
        told = parse_prizes(wish.sent.get("prizes", ""), sharing, one_each="one_each" in wish.sent)
        await self._office.tell(wish, [PrizesAnnounced(told)], _of_prizes)
        return f"{path_of(wish.look.name)}/prizes"


def _of_prizes(event: Event) -> bool:
    """What is about the prizes."""
    return isinstance(event, PrizesAnnounced)
