"""The tests of tournaments that span halls: boards of two halls on one broker, in one database."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from gnomon.hall.connections import HallConnectionError, check_halls
from gnomon.hall.hall import Hall, HallError
from gnomon.hall.hub.hub import FOREIGN, HubTerms
from gnomon.hall.messaging.bus import Message
from gnomon.hall.messaging.memory_bus import MemoryBroker
from gnomon.hall.messaging.messages import Status, Topic, encode
from gnomon.hall.rounds.board_assignment import BoardAssignment, PlanError
from gnomon.hall.rounds.results import PairingState
from tests.hall.evenings import results
from tests.hall.test_hall_topics import NamedEvening

NORTH = HubTerms(other_halls=frozenset({"south"}))


class HallOfTheTwo(NamedEvening):
    """One of the halls, which both deliver what is on their broker."""

    def __init__(self, where: str, hall: str, broker: MemoryBroker, terms: HubTerms) -> None:
        self._terms = terms
        super().__init__(f"{where}#{hall}", hall, broker)

    def open(self, terms: HubTerms | None = None) -> Hall:
        return super().open(terms or self._terms)


class TwoHalls:
    """North, whose director has boards of both, and south."""

    def __init__(self, where: str) -> None:
        broker = MemoryBroker()
        self.north = HallOfTheTwo(where, "north", broker, NORTH)
        self.south = HallOfTheTwo(where, "south", broker, HubTerms())
        self.south.clock = self.north.clock
        self.south.numbers = 100
        self.south.restart()
        self.own, self.other = self.north.named_board("t01"), self.south.named_board("t01")
        self.run(2)

    def run(self, seconds: int) -> None:
        """Let time pass for both halls."""
        for _ in range(seconds):
            self.north.run(1)
            self.south.run()

    def round(self, accept: str) -> None:
        """A round with a board in each hall."""
        self.north.tournament(boards={1: "t01", 2: "t01@south"}, accept=accept)

    def close(self) -> None:
        for evening in (self.north, self.south):
            evening.hall.close()


@pytest.fixture
def halls(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[TwoHalls]:
    """In a file, unless a test asks for a server."""
    is_server = getattr(request, "param", "sqlite") == "postgresql"
    where = request.getfixturevalue("postgresql").new_database() if is_server else str(tmp_path / "halls.db")
    two = TwoHalls(where)
    yield two
    two.close()


def entered(halls: TwoHalls) -> list[int]:
    """The boards of the pairings whose results are in the book, in order."""
    return [event.board for _, event in results(halls.north.hall.book("open"))]


@pytest.mark.parametrize("halls", ["sqlite", "postgresql"], indirect=True)
def test_a_round_is_played_in_two_halls_and_each_result_comes_back_once(halls: TwoHalls) -> None:
    halls.round("at once")
    sent = halls.north.hall.send_round("open", "Anna")
    assert (sorted(sent.requests), sent.left) == ([1, 2], [])
    halls.run(5)
    assert (halls.own.games, halls.other.games) == (1, 1), "each board has begun one game"
    halls.other.end("red")
    halls.run(3)
    assert entered(halls) == [2]
    halls.own.end("black")
    halls.run(20)
    assert sorted(entered(halls)) == [1, 2]
    assert halls.north.standings() == [PairingState.ENTERED, PairingState.ENTERED]
    assert halls.south.hall.tournaments() == []
    asked = {each.board: each.outcome for each in halls.north.hall.asked_for("open")}
    assert asked == {"t01": "done", "t01@south": "done"}
    assert halls.south.hall.asked_of("t01")[0].seating.tournament == "open@north"  # type: ignore[union-attr]  # it has one
    assert halls.north.hall.archive("t01@south").read(1) == halls.other.journal
    assert halls.other.outbox.mark == len(halls.other.journal) == halls.north.hall.place("t01@south").through


def test_what_happened_while_the_directors_hall_was_away_is_there_when_it_is_back(halls: TwoHalls) -> None:
    halls.round("at once")
    halls.north.hall.send_round("open", "Anna")
    halls.run(5)
    halls.north.hall.close()
    halls.other.end("red")
    for _ in range(5):
        halls.south.run(1)
    assert halls.other.outbox.mark == len(halls.other.journal), "its own hall has acknowledged it"
    halls.north.hall = halls.north.open()
    halls.run(7)
    assert entered(halls) == [2]


def test_a_hall_that_is_killed_loses_nothing_of_a_tournament_of_another(halls: TwoHalls) -> None:
    halls.round("at once")
    halls.north.hall.send_round("open", "Anna")
    halls.north.run(1)
    for _ in range(2):
        halls.south.kill()
        halls.other.tell_state("empty")  # as a board does each ten seconds
        halls.run(6)
    halls.other.end("black")
    halls.run(8)
    assert halls.other.games == 1
    assert entered(halls) == [2]


def test_a_difference_that_a_board_of_another_hall_tells_later_is_shown(halls: TwoHalls) -> None:
    halls.round("by hand")
    halls.north.hall.send_round("open", "Anna")
    halls.run(5)
    halls.other.end("red")
    halls.run(5)
    assert halls.north.standings()[1] is PairingState.PROPOSED
    halls.north.hall.accept("open", 1, 2, "Anna")
    halls.other.end("black")
    halls.run(5)
    assert halls.north.standings()[1] is PairingState.DIFFERS
    assert [alarm.board for alarm in halls.north.hall.alarms() if alarm.trouble == "differs"] == ["t01@south"]
    halls.north.hall.settle("open", 1, 2, "Anna", "The first ruling was right.")
    halls.run(1)
    assert halls.north.standings()[1] is PairingState.SETTLED


def test_halls_of_two_tournaments_of_one_name_do_not_mix_them_up(halls: TwoHalls) -> None:
    for evening, boards in ((halls.north, {2: "t01@south"}), (halls.south, {1: "t01"})):
        evening.tournament(boards=boards, accept="at once")
    halls.north.hall.send_round("open", "Anna", boards=[2])
    halls.run(5)
    halls.other.end("red")
    halls.run(6)
    assert entered(halls) == [2]
    assert results(halls.south.hall.book("open")) == []
    left = halls.south.hall.send_round("open", "Ben", boards=[1])
    halls.run(5)
    assert (list(left.requests), halls.other.games) == ([1], 2)


def test_a_board_of_another_hall_is_seen_and_not_taken_for_ones_own(halls: TwoHalls) -> None:
    assert {place.board for place in halls.north.hall.places()} == {"t01", "t01@south"}
    assert {place.board for place in halls.south.hall.places()} == {"t01"}
    assert halls.north.hall.place("t01@south").is_online
    notice = halls.north.hall.notice("t01@south", "Hello", "Anna")
    halls.run(4)
    assert list(halls.other.answers) == [notice]
    kept = halls.north.hall.request_status(notice)
    assert kept is not None
    assert (kept.board, kept.outcome) == ("t01@south", "done")
    before = dict(halls.north.broker.retained_messages("#"))
    halls.north.hall.forget("t01@south")
    assert dict(halls.north.broker.retained_messages("#")) == before, "it is another hall's"
    assert {place.board for place in halls.north.hall.places()} == {"t01"}
    assert halls.south.hall.place("t01").is_online


def test_a_board_that_is_not_there_cannot_be_asked(halls: TwoHalls) -> None:
    with pytest.raises(HallError, match="t09@south"):
        halls.north.hall.notice("t09@south", "Hello", "Anna")


def test_nobody_takes_the_name_of_a_board_of_another_hall(halls: TwoHalls) -> None:
    line = halls.north.broker.connect()
    here = Status("t01", online=True, epoch="e9", session="s9")
    for topic in ("gnomon/2/east/t01/status", "gnomon/1/t01@south/status", "gnomon/2/north/t01@south/status"):
        line.publish(topic, encode(here))
    halls.run(1)
    assert halls.north.hall.place("t01@south").session == "s1"
    assert halls.north.hall.refusal_counts() == {FOREIGN: 2}, "nobody there hears the hall east"
    halls.south.hall._hub.take(Message(Topic.STATUS.of("t01@north"), encode(here)), halls.north.clock())
    assert {place.board for place in halls.south.hall.places()} == {"t01"}


def test_a_plan_names_boards_of_other_halls() -> None:
    assert BoardAssignment(boards={1: "t01", 2: "t01@south"}).boards[2] == "t01@south"
    for name in ("t01@", "t01@South", "@south", "t01@south@east"):
        with pytest.raises(PlanError):
            BoardAssignment(boards={1: name})


def test_boards_and_database_belong_to_one_hall(tmp_path: Path) -> None:
    mqtt = "mqtt://hub:any@127.0.0.1/north"
    check_halls(mqtt, "hall.db")
    check_halls(mqtt, "hall.db#north", others=True)
    check_halls("mqtt://hub:any@127.0.0.1", "hall.db#north")
    check_halls("", str(tmp_path / "hall.db"))
    with pytest.raises(
        HallConnectionError, match="knows this hall as north, and the address of the database names the hall"
    ):
        check_halls(mqtt, "hall.db#south")
    with pytest.raises(HallConnectionError, match="cannot be the name of a hall"):
        check_halls(mqtt, "hall.db#South")
    for broker, database in ((mqtt, "hall.db"), ("", "hall.db#north")):
        with pytest.raises(HallConnectionError, match="boards of other halls need a hall with a name"):
            check_halls(broker, database, others=True)
