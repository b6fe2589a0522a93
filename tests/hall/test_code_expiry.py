"""Until which day players' codes are good."""

from dataclasses import replace
from datetime import date

import pytest

from gnomon.hall.rounds.code_expiry import last_day, parse_day
from gnomon.tournament.event_log.codec import LoggedEvent
from gnomon.tournament.event_log.reducer import fold
from gnomon.tournament.events import EntrantRegistered, ResultEntered, RoundPublished, TournamentOpened
from gnomon.tournament.state.particulars import Heading
from gnomon.tournament.state.results import GameResult
from gnomon.tournament.state.rounds import Pairing
from gnomon.tournament.state.settings import System, TournamentSettings

OPENED = (
    TournamentOpened(TournamentSettings("Open", System.SWISS, rounds=1)),
    EntrantRegistered(1, "Ada", None, ""),
    EntrantRegistered(2, "Bo", None, ""),
    RoundPublished(1, (Pairing(1, 1, 2),)),
)
OVER = (*OPENED, ResultEntered(1, 1, (GameResult.DRAWN,)))


@pytest.mark.parametrize(
    ("chosen", "events", "ends", "expected"),
    [
        ("", OPENED, "", date(2027, 2, 18)),  # ninety days after what was told last
        ("", OVER, "", date(2026, 11, 23)),
        ("", OPENED, "2026/11/29", date(2026, 12, 2)),
        ("", OVER, "2026/11/18", date(2026, 11, 23)),  # it took longer than was announced
        ("2026-11-21", OVER, "2026/11/29", date(2026, 11, 21)),
        ("2027-01-01", OPENED, "", date(2027, 1, 1)),
    ],
)
def test_the_last_day_follows_from_the_event_unless_it_is_chosen(
    chosen: str, events: tuple[object, ...], ends: str, expected: date
) -> None:
    tournament = replace(fold(events), heading=Heading(ends=ends))  # type: ignore[arg-type]  # events of several kinds
    told = [LoggedEvent(1, "2026-11-20T19:00:00+01:00", "Dora", "", OVER[0])]
    assert last_day(chosen, tournament, told) == expected


@pytest.mark.parametrize("events", [OPENED, OVER])
def test_without_any_day_there_is_no_last_one(events: tuple[object, ...]) -> None:
    told = [LoggedEvent(1, "some time", "Dora", "", OVER[0])]
    assert last_day("", fold(events), told) is None  # type: ignore[arg-type]  # events of several kinds


@pytest.mark.parametrize("text", ["2026-11-30", "2026/11/30", "30.11.2026", " 2026-11-30 "])
def test_a_day_is_read_as_people_write_it(text: str) -> None:
    assert parse_day(text) == date(2026, 11, 30)


@pytest.mark.parametrize("text", ["", "soon", "2026-13-01", "2026"])
def test_what_is_no_day_is_none(text: str) -> None:
    assert parse_day(text) is None
