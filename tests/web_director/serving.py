"""Serve a hall's tournaments to a browser, with an evening of them to look at."""

import socket
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import uvicorn

from gnomon.hall.rounds.board_assignment import BoardAssignment
from gnomon.timekeeping.instants import MINUTE, Duration
from gnomon.tournament.events import (
    Event,
    LineupTold,
    PlacesEntered,
    PrizesAnnounced,
    ResultEntered,
    TablesSeated,
    TeamPaymentNoted,
    TeamPlayTold,
    TeamTold,
)
from gnomon.tournament.pairing.multiplayer import seat_tables
from gnomon.tournament.state.payments import Payment
from gnomon.tournament.state.prizes import Sharing, parse_prizes
from gnomon.tournament.state.results import GameResult
from gnomon.tournament.state.settings import System
from gnomon.tournament.state.team_play import TeamPlay
from gnomon.web.access import Role
from gnomon.web.director._drafts import OWN
from tests.web_director.houses import DirectorHouse, named

PATIENCE: Final = 60.0  # seconds; a bound for a machine in trouble, never waited for
LOCAL: Final = "127.0.0.1"


@dataclass
class Served:
    """A hall behind a port, and the cookies of the people who are expected there, by role."""

    site: str
    cookies: Mapping[tuple[str, Role], Mapping[str, str]]

    def address(self, _state: str) -> str:
        """One server has all tournaments."""
        return self.site


@contextmanager
def served(house: DirectorHouse) -> Iterator[Served]:
    """Serve the pages of a house until the block ends."""
    people = {Role.ARBITER: "Anna Lindqvist", Role.DIRECTOR: "Dora Kaya"}
    cookies: dict[tuple[str, Role], Mapping[str, str]] = {("", Role.SPECTATOR): {}}
    for role, name in people.items():
        cookies["", role] = dict(house.person(role, name).cookies)
    with socket.socket() as listening:
        listening.bind((LOCAL, 0))
        listening.listen()  # a client that comes before the server runs waits for it
        port = listening.getsockname()[1]
        config = uvicorn.Config(house.app, log_level="critical", timeout_graceful_shutdown=1, lifespan="off")
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, args=([listening],), daemon=True)
        thread.start()
        try:
            yield Served(f"http://{LOCAL}:{port}", cookies)
        finally:
            server.should_exit = True
            thread.join(PATIENCE)


def evening(folder: Path) -> DirectorHouse:
    """A hall with tournaments of every kind, some of them under way."""
    house = DirectorHouse(folder)
    house.tournament("entries", 0)
    house.tournament("small")
    house.publish("small")
    house.play("small")
    house.publish("small")
    house.hall.clocks.put("small", house.hall.clocks.of("small").set_to(Duration(25 * MINUTE), house.hall.now()))
    house.hall.set_plan("small", BoardAssignment("tamsk", {"level": "3"}, boards={1: "t01", 2: "t02", 3: "t03"}))
    boards = [house.board(name) for name in ("t01", "t02", "t03", "t04")]
    house.hall.send_round("small", "Dora Kaya")
    house.run()
    boards[0].end("red")
    boards[0].confirm("red")
    house.run()
    house.tournament("knockout", 11, system=System.KNOCKOUT, rounds=4, tie_breaks=())
    for _ in range(2):
        house.publish("knockout")
        house.play("knockout", [GameResult.FIRST_WON])
    house.tournament("double", 6, system=System.KNOCKOUT, rounds=9, lives=2, tie_breaks=())
    for number in range(3):
        house.publish("double")
        if number < 2:
            house.play("double", [GameResult.FIRST_WON, GameResult.SECOND_WON])
    house.tournament("table", 8, system=System.ROUND_ROBIN, rounds=7, tie_breaks=("DE", "SB"))
    for _ in range(4):
        house.publish("table")
        house.play("table")
    house.tournament("between")
    house.publish("between")
    house.play("between")
    house.portal.call(_previewed, house, "between")
    house.tournament("tables", 11, system=System.TABLES, rounds=3, tie_breaks=())
    _sit_down(house, "tables")
    house.tournament("large", 160, rounds=9)
    house.publish("large")
    _cup(house)
    _knockout_of_teams(house)
    return house


def _knockout_of_teams(house: DirectorHouse) -> None:
    """A cup of teams whose first match is level."""
    house.tournament("cup", 8, system=System.KNOCKOUT, rounds=2, tie_breaks=())
    book = house.hall.book("cup")
    teams = [TeamTold(number, f"Team {number}", (2 * number - 1, 2 * number)) for number in range(1, 5)]
    book.extend([TeamPlayTold(TeamPlay(2)), *teams], "Dora Kaya", after=len(book.read()))
    house.publish("cup")
    house.play("cup", [GameResult.DRAWN])


def _cup(house: DirectorHouse) -> None:
    """Teams in the second round of a Swiss, some of whose boards are over."""
    house.tournament("teams", 27, tie_breaks=("MPVGP", "BH:MP", "EMGSB"))
    book = house.hall.book("teams")
    book.append(TeamPlayTold(TeamPlay(4)), "Dora Kaya", after=len(book.read()))
    names = ("Northern Lights", "Harbour", "Old Town Chess and Games Society of 1897", "Mill", "Castle")
    for number, name in enumerate(names, start=1):
        members = tuple(range(5 * number - 4, 5 * number + 1))
        captain = named(members[0]) if number % 2 else ""
        book.append(TeamTold(number, name, members, captain), "Dora Kaya", after=len(book.read()))
    house.publish("teams")
    house.play("teams")
    book.append(LineupTold(2, 2, (6, 8, 9, 0)), "Dora Kaya", after=len(book.read()))
    tournament = house.publish("teams")
    result = ResultEntered(2, tournament.waiting[0], (GameResult.FIRST_WON,))
    prizes = parse_prizes("1: 300 cup\n2: 150\nBoard 1 = board 1\nBoard 1 1: 40", Sharing.SPLIT, one_each=True)
    told: list[Event] = [result, PrizesAnnounced(prizes), TeamPaymentNoted(2, Payment(4500, 2000, "member"))]
    book.extend(told, "Dora Kaya", after=len(book.read()))


def _sit_down(house: DirectorHouse, name: str) -> None:
    """Seat a round at tables of three and four, of which one has ended."""
    book = house.hall.book(name)
    tables = seat_tables(book.tournament())
    told: list[Event] = [TablesSeated(1, tables), PlacesEntered(1, 1, (2, 1, 2, 4))]
    book.extend(told, "Dora Kaya", after=len(book.read()))


async def _previewed(house: DirectorHouse, name: str) -> None:
    """Let the next round be paired, and two in it be swapped."""
    book, drafts = house.hall.book(name), house.office.drafts
    drafts.begin(name, book.tournament(), len(book.read()), OWN, "Dora Kaya")
    pairing = drafts._jobs[name].task
    assert pairing is not None
    await pairing
    drafts.swap(name, 1, 7, "Dora Kaya")
