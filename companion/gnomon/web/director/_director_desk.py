"""Serve a tournament's desk: next steps, the round clock, and ties to be broken by lot or decision."""

from collections.abc import Callable, Sequence
from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute

from gnomon.hall.rounds.clocks import RoundClock
from gnomon.hall.rounds.code_expiry import parse_day
from gnomon.hall.rounds.results import PairingState
from gnomon.timekeeping.instants import MINUTE, Duration, Instant
from gnomon.tournament.events import LotDrawn, OrderDecided
from gnomon.tournament.formats.trf import has_report
from gnomon.tournament.pairing.double_elimination import still_in
from gnomon.tournament.pairing.knockout import slots_of
from gnomon.tournament.standings import check_order
from gnomon.tournament.standings.crosstables import has_bracket
from gnomon.tournament.state import Tournament
from gnomon.tournament.teams.matches import as_shown, undecided_matches
from gnomon.web.access import Role
from gnomon.web.director import _event_writer as event_writer
from gnomon.web.director._drafts import players_to_pair
from gnomon.web.director._office import (
    FormError,
    FormInput,
    FormMistake,
    FormProblem,
    OfficePage,
    TournamentApp,
    TournamentSnapshot,
    page_response,
)
from gnomon.web.director._tables import StandingRow, standing_rows
from gnomon.web.director.setup.tournament_list import state_of

PATH: Final = "/tournaments/{name}/desk"
MORE: Final = (1, 5, 10)
"""Minutes that are added with one press."""


def routes(office: TournamentApp) -> Sequence[BaseRoute]:
    """The desk and its forms: the clock is for arbiters, the order of those who are level for directors."""
    page = _DirectorDesk(office)
    actions = {
        "start": (Role.ARBITER, page.start),
        "pause": (Role.ARBITER, page.pause),
        "more": (Role.ARBITER, page.more),
        "set": (Role.ARBITER, page.set),
        "codes-day": (Role.DIRECTOR, page.choose_codes_day),
        "lot": (Role.DIRECTOR, page.draw_lot),
        "decide": (Role.DIRECTOR, page.decide),
    }
    return page.routes(PATH, Role.ARBITER, actions)


class _DirectorDesk(OfficePage):
    """What is answered at each address."""

    async def page(self, request: Request, look: TournamentSnapshot, wrong: FormMistake) -> Response:
        hall, tournament = self._office.hall, look.tournament
        clock = await self._office.ask(lambda: hall.clocks.of(look.name))
        plan = await self._office.ask(lambda: hall.plan(look.name))
        codes_day = await self._office.ask(lambda: hall.codes_last_day(look.name))
        in_round = len(tournament.rounds)
        told = await self._office.ask(lambda: hall.proposals(look.name, in_round)) if in_round else []
        rows = await self._office.ask(lambda: standing_rows(as_shown(tournament))) if in_round else []
        return page_response(
            request,
            "director_desk.html",
            look,
            wrong,
            state=state_of(tournament),
            in_round=in_round,
            boards=len(told),
            waits=len(tournament.waiting),
            disputes=hall.disputes(look.name),
            # Where no device stands at any board, that a board has none is nothing to be told.
            standing_counts=[
                (one, sum(each.standing is one for each in told))
                for one in PairingState
                if plan.boards or one is not PairingState.TO_SEND
            ],
            clock_ms=clock.remaining(hall.now()) // 1000,
            clock_runs=clock.runs,
            minutes=max(1, round(clock.remaining(hall.now()) / MINUTE)),
            more=MORE,
            plan=plan,
            players=players_of(as_shown(tournament)),
            missing=len(as_shown(tournament).missing),
            ties=ties(rows) if state_of(tournament) == "over" else (),
            level=level_matches(tournament),
            has_bracket=has_bracket(tournament),
            has_report=has_report(tournament),
            in_teams=tournament.teams is not None,
            is_alone=self._office.is_alone,
            codes_day="" if codes_day is None else codes_day.isoformat(),
            earlier=[one for one in tournament.open_rounds if one.number < in_round],
            health=hall.health(),
        )

    async def start(self, wish: FormInput) -> None:
        await self._change_clock(wish, RoundClock.start)

    async def pause(self, wish: FormInput) -> None:
        await self._change_clock(wish, RoundClock.pause)

    async def more(self, wish: FormInput) -> None:
        more = Duration(wish.number("minutes") * MINUTE)
        await self._change_clock(wish, lambda clock, now: clock.add_time(more, now))

    async def set(self, wish: FormInput) -> None:
        left = Duration(wish.number("minutes") * MINUTE)
        await self._change_clock(wish, lambda clock, now: clock.set_to(left, now))

    async def _change_clock(self, wish: FormInput, change: Callable[[RoundClock, Instant], RoundClock]) -> None:
        hall, name = self._office.hall, wish.look.name
        await self._office.ask(lambda: hall.clocks.put(name, change(hall.clocks.of(name), hall.now())))
        self._office.news.clock_changed(name)

    async def choose_codes_day(self, wish: FormInput) -> None:
        hall, name, text = self._office.hall, wish.look.name, wish.text("day")
        day = parse_day(text)
        if text and day is None:
            raise FormError(FormProblem.DAY)
        await self._office.ask(lambda: hall.choose_codes_last_day(name, day))

    async def draw_lot(self, wish: FormInput) -> None:
        await self._tell_order(wish, LotDrawn(_order(wish)))

    async def decide(self, wish: FormInput) -> None:
        await self._tell_order(wish, OrderDecided(_order(wish), wish.reason()))

    async def _tell_order(self, wish: FormInput, told: LotDrawn | OrderDecided) -> None:
        await self._office.ask(lambda: check_order(wish.look.tournament, told))
        await self._office.tell(wish, [told], event_writer.conflicts_with_nothing)


def players_of(tournament: Tournament) -> int:
    """How many there are to pair in the next round; in a bracket those who are still in it."""
    if has_bracket(tournament):
        if tournament.settings.lives > 1:
            return len(still_in(tournament))
        return sum(one is not None for one in slots_of(tournament))
    return len(players_to_pair(tournament))


def level_matches(tournament: Tournament) -> list[list[str]]:
    """The teams of each match of a knockout from which nobody goes on yet."""
    return [list(map(as_shown(tournament).label_of, one.entrants)) for one in undecided_matches(tournament)]


def ties(rows: Sequence[StandingRow]) -> list[list[StandingRow]]:
    """Those whom nothing tells apart, and who have scored anything."""
    groups: dict[int, list[StandingRow]] = {}
    for row in rows:
        if row.shares and row.standing.points > 0:
            groups.setdefault(row.standing.place, []).append(row)
    return list(groups.values())


def _order(wish: FormInput) -> tuple[int, ...]:
    """Numbers in an order, the best first. Raises FormError."""
    words = wish.text("order").replace(",", " ").split()
    if not words or not all(word.isdecimal() and len(word) <= 6 for word in words):  # noqa: PLR2004 - of any number
        raise FormError(FormProblem.NUMBER)
    return tuple(map(int, words))
