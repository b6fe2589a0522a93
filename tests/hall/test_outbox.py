"""What a board sends to its hall, over a bus that loses, doubles and reorders, while both sides are killed."""

from dataclasses import dataclass, field, replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gnomon.hall.messaging.messages import BATCH, Ack, Ask
from gnomon.hall.messaging.outbox import LATEST, SOONEST, WINDOW, Outbox, Span, patience
from gnomon.timekeeping.instants import MILLISECOND, SECOND, Instant
from tests.conftest import examples

NOW = Instant(0)
CONNECTED = Outbox("e", last=1000).connect()
PROVEN = replace(CONNECTED, is_proven=True)
"""The hall has gone on from what was sent on this connection."""


def sent(outbox: Outbox, batches: int, now: Instant = NOW) -> Outbox:
    """The outbox after so many batches went out."""
    for _ in range(batches):
        span = outbox.due()
        assert span is not None
        outbox = outbox.went_out(span.last, now, 0.0)
    return outbox


def test_records_go_out_in_order_a_few_batches_ahead() -> None:
    outbox, spans = PROVEN, []
    while (span := outbox.due()) is not None:
        spans.append(span)
        outbox = outbox.went_out(span.last, NOW, 0.0)
    assert spans == [Span(1 + BATCH * number, BATCH * (number + 1)) for number in range(WINDOW)]


def test_nothing_goes_out_without_a_connection_or_without_records() -> None:
    assert Outbox("e", last=9).due() is None
    assert Outbox("e").connect().due() is None
    assert CONNECTED.disconnect().due() is None


def test_a_batch_may_be_cut_short_and_the_next_begins_after_it() -> None:
    assert PROVEN.went_out(7, NOW, 0.0).due() == Span(8, 57)


def test_what_the_hall_has_makes_room_for_more() -> None:
    outbox = sent(PROVEN, WINDOW).acknowledge(Ack("e", 50), NOW, 0.0)
    assert (outbox.mark, outbox.waiting, outbox.due()) == (50, 950, Span(201, 250))


def test_without_a_word_everything_goes_out_again_one_batch_at_first() -> None:
    outbox = sent(PROVEN, WINDOW)
    assert outbox.deadline() == Instant(SOONEST)
    assert outbox.wake(Instant(SOONEST - 1)) == outbox
    outbox = outbox.wake(Instant(SOONEST))
    assert outbox.due() == Span(1, 50)
    assert sent(outbox, 1, Instant(SOONEST)).due() is None
    assert not outbox.is_answered
    heard = sent(outbox, 1).acknowledge(Ack("e", 50), NOW, 0.0)
    assert heard.is_answered
    assert sent(heard, WINDOW).due() is None


def test_a_hall_that_is_there_again_is_sent_everything_at_once() -> None:
    silent = sent(sent(PROVEN, WINDOW).acknowledge(Ack("e", 50), NOW, 0.0).wake(Instant(SOONEST)), 1)
    assert (silent.due(), silent.is_answered) == (None, False)
    again = silent.acknowledge(Ack("e", 50), Instant(2 * SOONEST), 0.0)
    assert (again.due(), again.is_answered, again.deadline()) == (Span(51, 100), True, None)
    assert silent.acknowledge(Ack("e", 49), Instant(2 * SOONEST), 0.0).due() is None
    answered = sent(PROVEN, WINDOW).acknowledge(Ack("e", 50), NOW, 0.0)
    assert answered.acknowledge(Ack("e", 50), NOW, 0.0) == answered


@pytest.mark.parametrize(("silences", "chance", "wait"), [(0, 0.0, 1.5), (0, 0.999999, 3), (1, 0.5, 3.25), (9, 1, 5)])
def test_the_wait_grows_with_each_silence_and_hangs_on_chance(silences: int, chance: float, wait: float) -> None:
    assert patience(silences, chance) == pytest.approx(wait * SECOND, abs=10)


@given(st.integers(0, 1000), st.floats(0, 1))
def test_a_batch_is_sent_again_after_one_and_a_half_to_five_seconds(silences: int, chance: float) -> None:
    assert SOONEST <= patience(silences, chance) <= LATEST


def test_a_new_connection_begins_with_the_last_record_that_the_hall_has() -> None:
    outbox = sent(PROVEN, 3).acknowledge(Ack("e", 50), NOW, 0.0).disconnect()
    assert outbox.due() is None
    assert outbox.deadline() is None
    again = outbox.connect()
    assert again.due() == Span(50, 99)
    greeted = again.acknowledge(Ack("e", 50), NOW, 0.0)
    assert greeted.due() == Span(50, 99)
    told = replace(greeted, last=50).went_out(50, NOW, 0.0)
    assert told.deadline() is not None
    assert told.acknowledge(Ack("e", 50), NOW, 0.0).deadline() is None, "nothing is on its way any more"


def test_one_batch_goes_out_at_a_time_until_the_hall_has_gone_on_from_it() -> None:
    outbox = replace(CONNECTED, mark=500, sent=499)
    assert outbox.due() == Span(500, 549)
    on_its_way = sent(outbox, 1)
    assert on_its_way.due() is None
    greeted = on_its_way.acknowledge(Ack("e", 500), NOW, 0.0)
    assert (greeted.due(), greeted.is_proven) == (None, False), "the hall has only said what it had"
    assert greeted.acknowledge(Ack("e", 520), NOW, 0.0).is_proven is False, "nothing was sent that ends there"
    proven = greeted.acknowledge(Ack("e", 549), NOW, 0.0)
    assert (proven.is_proven, proven.due()) == (True, Span(550, 599))
    assert sent(proven, WINDOW).due() is None
    assert proven.connect().is_proven is False


def test_each_batch_begins_with_what_the_hall_has_until_it_has_gone_on_from_there() -> None:
    all_there = replace(CONNECTED, last=500, mark=500, sent=499)
    compared = sent(all_there, 1).acknowledge(Ack("e", 500), NOW, 0.0)
    assert compared.due() is None
    grown = compared.extend(502)
    assert grown.due() == Span(500, 502), "the word before may have been older than what was sent"
    late = sent(replace(CONNECTED, mark=500, sent=499), 1).acknowledge(Ack("e", 549), NOW, 0.0)
    assert (late.is_proven, late.due()) == (False, Span(549, 598)), "nobody knows whether that was the greeting"


def test_a_hall_that_has_lost_records_is_believed_at_its_first_word_only() -> None:
    outbox = replace(CONNECTED, mark=500, sent=500)
    back = outbox.acknowledge(Ack("e", 100), NOW, 0.0)
    assert (back.mark, back.due()) == (100, Span(100, 149))
    greeted = outbox.acknowledge(Ack("e", 500), NOW, 0.0)
    assert greeted.acknowledge(Ack("e", 100), NOW, 0.0) == greeted


def test_a_hall_that_has_more_than_was_thought_is_sent_the_rest_and_one_more_to_compare() -> None:
    outbox = sent(CONNECTED, 1).acknowledge(Ack("e", 990), NOW, 0.0)
    assert outbox.due() == Span(990, 1000)


def test_a_word_about_another_epoch_means_nothing() -> None:
    outbox = sent(PROVEN, 2)
    assert outbox.acknowledge(Ack("other", 50), NOW, 0.0) == outbox
    assert outbox.resend(Ask("other", 1, 2), NOW) == outbox
    assert not outbox.is_behind(Ack("other", 5000))


def test_a_hall_that_has_more_than_there_is_shows_that_the_journal_is_an_old_copy() -> None:
    assert CONNECTED.is_behind(Ack("e", 1001))
    assert not CONNECTED.is_behind(Ack("e", 1000))
    assert CONNECTED.acknowledge(Ack("e", 1001), NOW, 0.0) == CONNECTED


def test_records_that_the_hall_asks_for_go_out_again_with_all_after_them() -> None:
    outbox = sent(PROVEN, 3)
    asked = outbox.resend(Ask("e", 51, 100), NOW)
    assert asked.due() == Span(51, 100)
    assert asked.batches == (50,)
    once_more = sent(asked, 1)
    assert once_more.resend(Ask("e", 60, 70), Instant(SECOND - 1)) == once_more
    assert once_more.resend(Ask("e", 60, 70), Instant(SECOND)).due() == Span(60, 109)


def test_a_hall_may_ask_for_what_it_once_had() -> None:
    outbox = replace(CONNECTED, mark=500, sent=500).resend(Ask("e", 1, 500), NOW)
    assert (outbox.mark, outbox.due()) == (0, Span(1, 50))


@pytest.mark.parametrize("ask", [Ask("e", 0, 5), Ask("e", 7, 6), Ask("e", 51, 60)])
def test_what_cannot_be_asked_for_changes_nothing(ask: Ask) -> None:
    outbox = sent(CONNECTED, 1)
    assert outbox.resend(ask, NOW) == outbox


# Over a bus that does everything wrong


@dataclass
class Hall:
    """A hub as the protocol wants one: it stores, commits, and only then says up to where it has everything."""

    stored: dict[int, str] = field(default_factory=dict)

    def take(self, first: int, last: int) -> Ack | Ask:
        for number in range(first, last + 1):
            assert self.stored.setdefault(number, f"record {number}") == f"record {number}"
        through = self.through
        missing = next((number for number in range(through + 1, first)), None)
        return Ack("e", through) if missing is None else Ask("e", missing, first - 1)

    @property
    def through(self) -> int:
        return next(number for number in range(len(self.stored) + 1) if number + 1 not in self.stored)


@dataclass
class Line:
    """A board and a hall with a bad bus between them; the board's journal survives, its outbox does not."""

    outbox: Outbox = field(default_factory=lambda: Outbox("e").connect())
    hall: Hall = field(default_factory=Hall)
    up: list[Span] = field(default_factory=list)
    down: list[Ack | Ask] = field(default_factory=list)
    now: Instant = NOW
    written: int = 0
    remembered: int = 0

    def write(self, count: int) -> None:
        self.written += count
        self.outbox = self.outbox.extend(self.written)

    def send(self) -> None:
        while (span := self.outbox.due()) is not None:
            self.up.append(span)
            self.outbox = self.outbox.went_out(span.last, self.now, 0.5)

    def pass_by(self, time: int) -> None:
        self.now = Instant(self.now + time)
        self.outbox = self.outbox.wake(self.now)

    def deliver_up(self, number: int, *, answered: bool = True) -> None:
        """Without `answered` the hub is killed after its commit."""
        answer = self.hall.take(*self.up[number])
        if answered:
            self.down.append(answer)

    def deliver_down(self, number: int) -> None:
        answer = self.down[number]
        if isinstance(answer, Ack):
            self.outbox = self.outbox.acknowledge(answer, self.now, 0.5)
            self.remembered = self.outbox.mark
        else:
            self.outbox = self.outbox.resend(answer, self.now)

    def heal(self) -> None:
        """From now on nothing goes wrong."""
        self.outbox = self.outbox.connect()
        for _ in range(40 + self.written):
            if not self.outbox.waiting:
                return
            self.send()
            while self.up:
                self.deliver_up(0)
                self.up.pop(0)
            while self.down:
                self.deliver_down(0)
                self.down.pop(0)
            self.pass_by(LATEST)


def misfortune(line: Line, deed: str, number: int) -> None:  # noqa: C901, PLR0912 - a branch for each misfortune
    if deed == "write":
        line.write(1 + number)
    elif deed == "send":
        line.send()
    elif deed == "wait":
        line.pass_by(number * 400 * MILLISECOND)
    elif deed == "cut":
        line.outbox = line.outbox.disconnect()
    elif deed == "join":
        line.outbox = line.outbox.connect()
    elif deed == "kill the board":
        line.outbox = Outbox("e", mark=line.remembered).extend(line.written).connect()
    elif deed == "forget":
        line.hall.stored = {number: text for number, text in line.hall.stored.items() if number <= line.hall.through}
    elif deed.endswith("up") and line.up:
        which = number % len(line.up)
        if deed != "lose up":
            line.deliver_up(which, answered=deed != "unanswered up")
        if deed != "double up":
            line.up.pop(which)
    elif deed.endswith("down") and line.down:
        which = number % len(line.down)
        if deed != "lose down":
            line.deliver_down(which)
        if deed != "double down":
            line.down.pop(which)


DEEDS = ["write", "send", "wait", "cut", "join", "kill the board", "forget", "lose up", "lose down"]
DEEDS += ["up", "down", "double up", "double down", "unanswered up", "send", "up", "down", "write"]


@settings(max_examples=examples(150))
@given(st.lists(st.tuples(st.sampled_from(DEEDS), st.integers(0, 30)), max_size=60))
def test_everything_arrives_once_and_in_order_whatever_goes_wrong(deeds: list[tuple[str, int]]) -> None:
    line = Line()
    for deed, number in deeds:
        misfortune(line, deed, number)
        assert line.outbox.mark <= line.hall.through
        assert len(line.outbox.batches) <= WINDOW
    line.heal()
    assert sorted(line.hall.stored) == list(range(1, line.written + 1))
    assert line.outbox.waiting == 0
