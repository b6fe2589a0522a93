"""Serve the page on which a round is paired, reviewed, changed by hand, published and revoked."""

from collections.abc import Sequence
from hashlib import sha256
from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute

from gnomon.hall.pairing.bbp import RULES
from gnomon.refusals import statement
from gnomon.tournament.errors import TournamentError
from gnomon.tournament.events import Event, ResultEntered, RoundChanged, RoundPublished, RoundRevoked
from gnomon.tournament.state.notation import changed_by_hand, pairing_text, parse_pairing, swap
from gnomon.tournament.state.rounds import Pairing
from gnomon.tournament.teams.matches import as_shown
from gnomon.web.access import Role
from gnomon.web.director import _event_writer as event_writer
from gnomon.web.director._drafts import BBP, OWN, RoundDraft, before, engines, is_unplayed, players_to_pair
from gnomon.web.director._office import (
    FormError,
    FormInput,
    FormMistake,
    FormProblem,
    OfficePage,
    TournamentApp,
    TournamentSnapshot,
    page_response,
    path_of,
)
from gnomon.web.director._tables import board_rows
from gnomon.web.director.rounds._preview import looked_over
from gnomon.web.language import words_for

PATH: Final = "/tournaments/{name}/round"


def routes(office: TournamentApp) -> Sequence[BaseRoute]:
    """The page and its forms, for directors."""
    page = _Rounds(office)
    actions = (page.pair, page.stop, page.drop, page.swap, page.publish, page.change, page.revoke)
    return page.routes(PATH, Role.DIRECTOR, {do.__name__: (Role.DIRECTOR, do) for do in actions})


class _Rounds(OfficePage):
    """What is answered at each address."""

    async def page(self, request: Request, look: TournamentSnapshot, wrong: FormMistake) -> Response:
        tournament, draft = look.tournament, self._office.drafts.of(look.name)
        base = before(tournament)
        if draft is not None and (draft.round != base.next_round or (draft.failed and draft.last != look.last)):
            draft = None  # a round was published or taken back since, or what was missing may have come
        drawn = None
        if draft is not None and draft.pairings:
            pairings, compared = draft.pairings, draft.compared
            drawn = await self._office.ask(lambda: looked_over(as_shown(base), pairings, compared))
        waiting = tournament.waiting
        in_round, paired = len(tournament.rounds), as_shown(tournament)
        return page_response(
            request,
            "director_round.html",
            look,
            wrong,
            draft=draft,
            drawn=drawn,
            base_round=base.next_round,
            is_again=base is not tournament,
            is_old=draft is not None and draft.last != look.last,
            mark="" if draft is None else mark(draft),
            engines=engines(tournament),
            waiting=waiting,
            rows=board_rows(paired, in_round) if in_round else (),
            seat=words_for(request)("sheet.board" if tournament.teams is None else "sheet.match"),
            may_pair=tournament.has_room or base is not tournament,
            may_revoke=is_unplayed(tournament),
            open_rounds=tournament.open_rounds,
            players=len(players_to_pair(as_shown(base))),
            missing=len(as_shown(base).missing),
            in_teams=tournament.teams is not None,
        )

    async def pair(self, wish: FormInput) -> None:
        look = wish.look
        self._office.drafts.begin(look.name, look.tournament, look.last, wish.text("engine") or OWN, wish.who)

    async def stop(self, wish: FormInput) -> None:
        self._office.drafts.stop(wish.look.name)

    async def drop(self, wish: FormInput) -> None:
        self._office.drafts.drop(wish.look.name)

    async def swap(self, wish: FormInput) -> None:
        self._office.drafts.swap(wish.look.name, wish.number("one"), wish.number("other"), wish.who)

    async def publish(self, wish: FormInput) -> str:
        """Publish what was looked at; where a round is published already, in its place, with a reason."""
        name, tournament = wish.look.name, wish.look.tournament
        draft = self._office.drafts.of(name)
        if draft is None or not draft.pairings or wish.text("mark") != mark(draft):
            raise FormError(FormProblem.DRAFT)
        override = wish.reason() if wish.text("override") else ""
        engine = RULES if draft.engine == BBP and not draft.by_hand else ""
        events: list[Event] = [RoundPublished(draft.round, draft.pairings, override, engine)]
        if draft.round == len(tournament.rounds):
            events.insert(0, RoundRevoked(draft.round, wish.reason()))
        seen = wish._replace(sent={**wish.sent, "seen": str(draft.last)})
        may_play = tournament.settings.may_wait > 1
        concerns = _but_results if may_play else event_writer.conflicts_with_anything
        await self._office.tell(seen, events, concerns)
        self._office.drafts.drop(name)
        return f"{path_of(name)}/desk"

    async def change(self, wish: FormInput) -> None:
        tournament = wish.look.tournament
        number = len(tournament.rounds)
        changed = _change(as_shown(tournament).round(number).pairings, wish)
        event = RoundChanged(number, changed, wish.reason(), bool(wish.text("override")))
        await self._office.tell(wish, [event], event_writer.of_round(number))

    async def revoke(self, wish: FormInput) -> None:
        number = len(wish.look.tournament.rounds)
        await self._office.tell(wish, [RoundRevoked(number, wish.reason())], event_writer.of_round(number))


def _but_results(event: Event) -> bool:
    """What is about a round that begins while others go on: results come in all the time."""
    return not isinstance(event, ResultEntered)


def mark(draft: RoundDraft) -> str:
    """What tells a preview from the same one after two were swapped."""
    return sha256(" ".join(map(pairing_text, draft.pairings)).encode()).hexdigest()[:12]


def _change(now: Sequence[Pairing], wish: FormInput) -> tuple[Pairing, ...]:
    """The round with two swapped, or with boards as they are written: `3:4-8 5:2-bye`. Raises TournamentError."""
    written = wish.text("boards").split()
    if written:
        return changed_by_hand(now, map(parse_pairing, written))
    one, other = wish.number_or_none("one"), wish.number_or_none("other")
    if one is None or other is None:
        raise TournamentError(statement("director.refused.no_change"))
    return swap(now, one, other)
