"""A board in its hall, in virtual time: the daemon on a simulated board, a real hub, and a bus that misbehaves."""

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from itertools import pairwise
from pathlib import Path

import pytest

from gnomon.hall.hub.hub import Send
from gnomon.hall.messaging import decoder
from gnomon.hall.messaging.messages import Ack, Answer, Fate, Pace, Request, Topic, encode
from gnomon.hall.store.archive import BoardArchive
from gnomon.records.journal.entries import Excerpt, Record
from gnomon.records.journal.store import JournalError
from gnomon.referee.setup import GameSetup
from gnomon.timekeeping.instants import SECOND, Duration, Instant
from gnomon_pi.hall_link._link import SLOWEST, Telemetry
from gnomon_pi.runtime.controller import BoardSnapshot
from tests.daemon.halves import edges_of_a_game, notebook, restarted
from tests.hall.faults import Faults
from tests.hall_link.evening import BOARD, Evening
from tests.virtual_daemon import Notebook, VirtualDaemon

Begin = Callable[..., Evening]


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Begin]:
    """Begins an evening on a new TAMSK board, on which a game has begun unless it is told otherwise."""
    with ExitStack() as stack:

        def begin(
            faults: Faults | None = None, *, level: int | None = 2, seed: int = 1, delay: Duration = Duration(0)
        ) -> Evening:
            daemon = VirtualDaemon.of_new_board()
            if level is not None:
                daemon.new_game(GameSetup(settings={"level": level}))
            night = Evening(daemon, tmp_path, faults, seed, delay)
            stack.callback(night.database.close)
            return night

        yield begin


def stored(evening: Evening) -> list[Record]:
    """Everything that the hall has of the board's journal, as its database gives it back."""
    archive = BoardArchive(evening.database, BOARD)
    return [record for game in archive.games() for record in archive.read(game.id)]


def told(evening: Evening) -> dict[str, object]:
    """The card that the hall was told last."""
    state = decoder.state(evening.states[-1].topic, evening.states[-1].payload)
    return dict(state.card)


def test_a_game_that_is_played_while_the_bus_is_cut_is_all_told_afterwards(evening: Begin) -> None:
    night = evening()
    night.pass_by(1)
    known = night.mark
    night.bus.cut()
    night.daemon.play(edges_of_a_game(2, 3, turns=12))
    night.pass_by(30)
    written = len(notebook(night.daemon).records)
    assert night.mark == known < written - 40
    assert "No word from the hall for" in night.daemon.health["hall"]
    night.bus.mend()
    night.pass_by(3)
    assert night.mark == len(notebook(night.daemon).records)
    assert stored(night) == notebook(night.daemon).records
    assert night.daemon.health["hall"] == ""


@pytest.mark.parametrize("seed", range(2))
def test_over_a_bus_that_loses_doubles_and_mixes_up_everything_arrives_once(evening: Begin, seed: int) -> None:
    night = evening(Faults(lost=0.2, doubled=0.2, late=0.2), level=1, seed=seed)
    daemon = night.daemon
    for number, edge in enumerate(edges_of_a_game(1, seed, turns=8)):
        daemon.play([edge])
        if number % 40 == 20:
            night.bus.cut(for_long=number % 80 == 20)
        elif number % 40 == 30:
            night.bus.mend()
        elif number % 50 == 45:
            night.kill_hub()
    night.bus.mend()
    night.pass_by(60)
    assert stored(night) == notebook(daemon).records
    assert night.mark == len(notebook(daemon).records)
    assert not night.hub.refused


def test_after_a_restart_it_goes_on_from_what_the_hall_has(evening: Begin) -> None:
    night = evening()
    night.daemon.play(edges_of_a_game(2, 3, turns=4))
    night.pass_by(2)
    assert notebook(night.daemon).acknowledged == night.mark > 0
    night.bus.cut(for_long=True)
    night.daemon = restarted(night.daemon)
    night.link, night.bus = night.started_link()
    sent = len(night.states)
    night.pass_by(3)
    assert stored(night) == notebook(night.daemon).records
    assert len(night.states) > sent


def test_a_card_that_was_written_anew_from_an_old_copy_is_another_journal(evening: Begin) -> None:
    night = evening()
    night.daemon.play(edges_of_a_game(2, 3, turns=4))
    night.pass_by(2)
    old_key, old_mark = night.key, night.mark
    book = notebook(night.daemon)
    night.bus.cut()
    book.lose(durable=3)
    book.acknowledged = 0
    night.daemon = restarted(night.daemon)
    night.link, night.bus = night.started_link()
    night.pass_by(5)
    assert night.key != old_key
    assert night.mark == len(book.records)
    assert night.store.marks()[old_key] == old_mark


def test_a_card_that_was_copied_and_played_on_alone_adds_nothing_to_the_journal_of_the_other(evening: Begin) -> None:
    night = evening()
    night.daemon.play(edges_of_a_game(2, 3, turns=2))
    night.pass_by(2)
    copied = night.mark
    night.daemon.play(edges_of_a_game(2, 3, turns=4)[-40:])
    night.pass_by(2)
    old_key, old_mark, old = night.key, night.mark, stored(night)
    book = notebook(night.daemon)
    night.bus.cut()
    book.lose(durable=copied)
    book.acknowledged = copied
    night.daemon = restarted(night.daemon)
    night.daemon.play(edges_of_a_game(2, 7, turns=12))
    assert len(book.records) > old_mark > copied
    night.link, night.bus = night.started_link()
    night.pass_by(10)
    assert night.key != old_key
    assert night.store.marks() == {old_key: old_mark, night.key: len(book.records)}
    archive = BoardArchive(night.database, BOARD, old_key.epoch)
    assert [record for game in archive.games() for record in archive.read(game.id)] == old
    assert stored(night) == book.records


def test_a_hall_that_says_once_more_that_it_has_too_much_is_not_believed(evening: Begin) -> None:
    night = evening()
    night.pass_by(1)
    for epoch in ("notebook", "renewed"):
        night.broker.connect().publish(Topic.ACK.of(BOARD), encode(Ack(epoch, 10_000)))
        night.pass_by(1)
    assert notebook(night.daemon).epoch == "renewed"
    assert "The hall has 10000 entries of the journal, but the journal holds only " in str(
        night.daemon.health.sentences()
    )
    night.pass_by(20)
    assert night.mark == len(notebook(night.daemon).records)


def test_what_cannot_be_read_is_counted_and_changes_nothing(evening: Begin) -> None:
    night = evening()
    bus = night.broker.connect()
    for topic in (Topic.ACK, Topic.ASK, Topic.REQUEST):
        bus.publish(topic.of(BOARD), b"{")
    night.pass_by(1)
    assert night.link.refused == 3
    bus.publish(Topic.ACK.of(BOARD), b" " * 40_000)
    night.pass_by(1)
    assert night.link.refused == 4
    assert night.wishes == []


def test_what_the_bus_does_not_take_on_waits_a_moment(evening: Begin, monkeypatch: pytest.MonkeyPatch) -> None:
    night = evening()
    publish = night.bus.publish
    for refused in (Topic.STATUS, Topic.ANSWER, Topic.STATE, Topic.RECORDS):
        asked: list[str] = []

        def take(  # noqa: PLR0913 - as a bus takes it
            topic: str,
            payload: bytes,
            *,
            retain: bool = False,
            sure: bool = True,
            no: str = refused,
            asked: list[str] = asked,
        ) -> bool:
            asked.append(topic)
            return not topic.endswith(no) and publish(topic, payload, retain=retain, sure=sure)

        with monkeypatch.context() as patched:
            patched.setattr(night.bus, "publish", take)
            night.bus.cut()
            night.bus.mend()
            night.link.answer(Answer("w1", Fate.DONE))
            night.daemon.runner.remark({"note": "something to tell"})
            night.pass_by(1)
        assert 3 <= asked.count(refused.of(BOARD)) <= 5
        night.pass_by(2)
        assert night.mark == len(notebook(night.daemon).records)
    assert len(night.states) > 0


def test_a_journal_that_cannot_be_read_is_read_again_later(evening: Begin, monkeypatch: pytest.MonkeyPatch) -> None:
    def unreadable(*_: object) -> None:
        message = "no"
        raise JournalError(message)

    night = evening()
    with monkeypatch.context() as patched:
        patched.setattr(Notebook, "records_after", unreadable)
        night.pass_by(2)
        assert night.mark == 0
        patched.setattr(Notebook, "records_after", lambda *_: Excerpt((), ()))
        night.pass_by(2)
    with monkeypatch.context() as patched:
        patched.setattr(Notebook, "renew", unreadable)
        night.broker.connect().publish(Topic.ACK.of(BOARD), encode(Ack("notebook", 10_000)))
        night.pass_by(2)
    assert night.mark == len(notebook(night.daemon).records)


# What goes on at the board


def test_it_says_that_it_is_there_and_the_bus_says_that_it_has_gone(evening: Begin) -> None:
    night = evening()
    night.pass_by(1)
    status = json.loads(night.broker.retained_messages(Topic.STATUS.of(BOARD))[Topic.STATUS.of(BOARD)])
    assert (status["online"], status["boot"], status["epoch"]) == (True, "virtual boot", "notebook")
    night.bus.cut(for_long=True)
    status = json.loads(night.broker.retained_messages(Topic.STATUS.of(BOARD))[Topic.STATUS.of(BOARD)])
    assert (status["online"], status["goodbye"]) == (False, False)


def test_who_is_switched_off_says_goodbye(evening: Begin) -> None:
    night = evening()
    night.pass_by(1)
    night.link.goodbye()
    status = json.loads(night.broker.retained_messages(Topic.STATUS.of(BOARD))[Topic.STATUS.of(BOARD)])
    assert (status["online"], status["goodbye"]) == (False, True)


def test_the_state_is_told_at_once_and_then_now_and_again(evening: Begin) -> None:
    night = evening(level=None)
    night.pass_by(0.5)
    assert len(night.states) == 1
    assert told(night)["phase"] == "empty"
    night.pass_by(30)
    assert len(night.states) == 1 + 3


def test_a_hall_that_was_away_is_told_the_state_soon(evening: Begin) -> None:
    night = evening(level=None)
    night.pass_by(4)
    before = len(night.states)
    night.kill_hub()
    night.pass_by(1)
    assert len(night.states) == before + 1
    assert night.hub.floor.place(BOARD).age(night.watch.now()) is not None


def test_while_a_game_is_played_the_state_is_told_each_two_seconds_and_at_most_each_second(evening: Begin) -> None:
    night = evening()
    night.daemon.play(edges_of_a_game(2, 3, turns=6))
    before = len(night.states)
    night.pass_by(20)
    assert 10 <= len(night.states) - before <= 12
    nows = [decoder.state(message.topic, message.payload).now for message in night.states]
    assert min(later - earlier for earlier, later in pairwise(nows)) >= SECOND
    card = told(night)
    assert (card["phase"], card["number"]) == ("running", 1)
    assert all(len(message.payload) < 2000 for message in night.states)


def test_a_board_tells_its_state_at_the_pace_that_the_hall_tells(evening: Begin) -> None:
    night = evening()
    night.daemon.play(edges_of_a_game(2, 3, turns=6))

    def states(seconds: int) -> int:
        before = len(night.states)
        night.pass_by(seconds)
        return len(night.states) - before

    def pace(beat: int, lasts: int = 0) -> None:
        said = Pace(Duration(beat * SECOND), Duration(lasts * SECOND))
        night._publish(Send(Topic.PACE.of(BOARD), encode(said), retain=not lasts))

    night.pass_by(2)
    pace(10)
    night.pass_by(2)
    assert states(30) == 3
    assert decoder.state(night.states[-1].topic, night.states[-1].payload).beat == 10 * SECOND
    pace(2, lasts=10)
    assert 5 <= states(10) <= 7
    assert states(30) in (3, 4)
    pace(0)
    night.pass_by(12)
    assert 10 <= states(20) <= 11, "a hall does not make a board quicker than that"


def test_a_slow_board_tells_a_change_half_as_late_and_what_people_have_to_know_at_once() -> None:
    telemetry = Telemetry(BoardSnapshot(None, Instant(0), ()), beat=Duration(40 * SECOND))
    telemetry.mark_sent(Instant(0))
    assert telemetry.due(Instant(0)) == Instant(40 * SECOND)
    telemetry.request()
    assert telemetry.due(Instant(0)) == 20 * SECOND
    telemetry.told_phase = "running"
    assert telemetry.due(Instant(0)) == Instant(SECOND)
    telemetry.keep_pace(Pace(Duration(2**53 - 1)), Instant(0))
    assert telemetry.interval(Instant(0)) == SLOWEST


def test_while_a_board_is_to_be_put_right_its_clocks_go_on_and_are_told_of(evening: Begin) -> None:
    night = evening()
    night.daemon.play(edges_of_a_game(2, 3, turns=4))
    night.daemon.touch("A1.ring1", value=not night.daemon.board.inputs()["A1.ring1"])
    night.pass_by(6)
    before = len(night.states)
    night.pass_by(10)
    assert told(night)["phase"] == "wrong"
    assert 5 <= len(night.states) - before <= 6


def test_times_on_the_card_are_as_of_the_clock_that_it_names(evening: Begin) -> None:
    night = evening()
    night.daemon.play(edges_of_a_game(2, 3, turns=6))
    night.pass_by(10)
    first, second = (decoder.state(message.topic, message.payload) for message in night.states[-2:])
    assert second.card["urgent_us"] == first.card["urgent_us"] - (second.now - first.now)  # type: ignore[operator]  # numbers
    assert second.through == len(notebook(night.daemon).records)


# What the hall wants


def wish(identity: str, until: int = 10**12) -> bytes:
    return encode(Request(identity, "session", Instant(until), "Anna", {"do": "notice", "text": "x"}))


def test_a_wish_is_handed_over_once_while_it_is_at_work_and_only_so_many_at_once(evening: Begin) -> None:
    night = evening()
    bus = night.broker.connect()
    for number in (0, 0, *range(30)):
        bus.publish(Topic.REQUEST.of(BOARD), wish(f"wish {number}"))
    night.pass_by(1)
    assert [request.id for request in night.wishes] == [f"wish {number}" for number in range(16)]


def test_a_notice_is_shown_for_a_minute(evening: Begin) -> None:
    night = evening()
    night.link.put_up("Round 2 begins at three.")
    night.pass_by(59)
    assert night.daemon.health["notice"] == "From the hall: Round 2 begins at three."
    night.pass_by(2)
    assert night.daemon.health["notice"] == ""


def test_while_the_hall_is_away_it_is_said_for_how_long_and_how_much_waits(evening: Begin) -> None:
    night = evening()
    night.pass_by(1)
    night.bus.cut()
    night.pass_by(9)
    assert night.daemon.health["hall"] == ""
    night.pass_by(36)
    assert night.daemon.health["hall"] == "No word from the hall for 40 s: play on. 0 records wait to be sent."
    night.pass_by(100)
    assert "for 2 min" in night.daemon.health["hall"]


def test_what_spectators_see_later_is_told_to_the_hall_alone_until_then(evening: Begin) -> None:
    night = evening(delay=Duration(20 * SECOND))
    live: dict[int, object] = {}
    for edge in edges_of_a_game(2, 3, turns=6):
        night.daemon.play([edge])
        _check_what_spectators_see(night, live)
    for _ in range(25):
        night.pass_by(1)
        _check_what_spectators_see(night, live)
    assert len({state.payload for state in night.states}) > 10
    place = night.hub.floor.place(BOARD)
    assert place.for_spectators(night.watch.now()).card["plies"] == place.card["plies"] == 6


def _check_what_spectators_see(night: Evening, live: dict[int, object]) -> None:
    """Whatever stands in a state has been told as live, so long ago as it has to be."""
    told = [decoder.state(each.topic, each.payload) for each in (*night.live, *night.states)]
    for state in told[: len(night.live)]:
        live[state.now] = state
    for state in told[len(night.live) :]:
        assert live[state.now] == state
    night.live.clear()
    shown = decoder.state(*night.states[-1][:2]) if night.states else None
    assert shown is None or night.watch.now() - shown.now >= state.delay == 20 * SECOND
    seen = night.hub.floor.place(BOARD).for_spectators(night.watch.now())
    assert seen.state == shown or shown is not None
    assert seen.through <= (0 if shown is None else shown.through)


def test_after_a_cut_spectators_see_the_last_of_what_they_may(evening: Begin) -> None:
    night = evening(delay=Duration(20 * SECOND))
    night.pass_by(15)
    night.bus.cut(for_long=True)
    night.pass_by(60)
    assert night.states == []
    night.bus.mend()
    night.pass_by(1)
    (shown,) = (decoder.state(each.topic, each.payload) for each in night.states)
    assert 20 * SECOND < night.watch.now() - shown.now < 80 * SECOND
