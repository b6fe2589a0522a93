"""Serve the standings of a series of tournaments; its address says which, and how they count."""

from collections.abc import Sequence
from http import HTTPStatus
from typing import Final, NamedTuple

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from gnomon.refusals import sentence, statement_of
from gnomon.tournament.errors import TournamentError
from gnomon.tournament.standings.series import (
    SeriesEvent,
    SeriesRule,
    SeriesScoring,
    parse_place_points,
    series_standings,
    usual_rule,
)
from gnomon.tournament.state.notation import value_text
from gnomon.web import forms
from gnomon.web._templates import page
from gnomon.web.director._office import TournamentApp
from gnomon.web.director.setup.tournament_list import list_tournaments
from gnomon.web.language import words_for

PATH: Final = "/series"
_MOST: Final = 50  # events of a series


class SeriesRow(NamedTuple):
    """Where somebody stands, and what each event brought: its points, and whether they count."""

    place: int
    name: str
    total: str
    cells: Sequence[tuple[str, bool]]


def routes(office: TournamentApp) -> Sequence[BaseRoute]:
    """The page, for everybody."""
    return (Route(PATH, _Series(office).show),)


class _Series:
    """What is answered at the address."""

    def __init__(self, office: TournamentApp) -> None:
        self._office = office

    async def show(self, request: Request) -> Response:
        """The standings of the tournaments that the address names, and the form that makes such an address."""
        asked = request.query_params
        chosen = asked.getlist("event")[:_MOST]
        scoring = next((one for one in SeriesScoring if one.value == asked.get("scoring")), SeriesScoring.GRAND_PRIX)
        there = await self._office.ask(lambda: list_tournaments(self._office.hall))
        events = [SeriesEvent(one.label, one.tournament) for one in reversed(there) if one.name in chosen]
        wrong = ""
        rows: list[SeriesRow] = []
        try:
            rule = _rule(scoring, asked.get("best", ""), asked.get("places", ""))
            rows = await self._office.ask(lambda: series_rows(events, rule))
        except TournamentError as error:
            wrong = sentence(statement_of(error), words_for(request))
        return page(
            request,
            "series.html",
            HTTPStatus.CONFLICT if wrong else HTTPStatus.OK,
            choices=there,
            chosen=chosen,
            scorings=[one.value for one in SeriesScoring],
            scoring=scoring.value,
            best=asked.get("best", "")[:2],
            places=asked.get("places", "")[:200],
            events=events,
            rows=rows,
            wrong=wrong,
        )


def _rule(scoring: SeriesScoring, best: str, places: str) -> SeriesRule:
    """The rule that an address names. Raises TournamentError for places that are worth nothing sensible."""
    rule = usual_rule(scoring)
    counted = forms.number(best)
    return rule._replace(
        best=rule.best if counted is None else counted,
        places=parse_place_points(places[:200]) if places.strip() else rule.places,
    )


def series_rows(events: Sequence[SeriesEvent], rule: SeriesRule) -> list[SeriesRow]:
    """The rows of the table. Raises TournamentError as `series_standings` does."""
    rows = []
    for one in series_standings(events, rule):
        cells = {each.event: (value_text(each.points), each.counts) for each in one.scores}
        row = [cells.get(at, ("", True)) for at in range(len(events))]
        rows.append(SeriesRow(one.place, one.name, value_text(one.total), row))
    return rows
