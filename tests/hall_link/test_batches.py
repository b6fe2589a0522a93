"""Records in messages: as many as fit, and none that a hall would refuse."""

from gnomon.hall.messaging import decoder
from gnomon.hall.messaging.messages import LARGEST, Topic
from gnomon.records.journal.entries import Entry, EntryKind, Excerpt, GameStart, Record, StoredGame
from gnomon.timekeeping.instants import Instant
from gnomon_pi.hall_link._link import COMFORTABLE, pack

TOPIC = Topic.RECORDS.of("t07")
GAMES = tuple(StoredGame(number, GameStart("tamsk", {}, "", Instant(0), "", "", ""), None) for number in (1, 2))


def record(number: int, length: int = 10, game: int = 1) -> Record:
    return Record(number, Entry(game, EntryKind.EVENT, Instant(0), {"text": "x" * length}, "boot", "now"))


def test_records_that_fit_are_sent_together() -> None:
    records = tuple(record(number) for number in range(5, 10))
    parcel = pack("t07", "e", Excerpt(GAMES[:1], records), 20)
    told = decoder.records(TOPIC, parcel.payload)
    assert (told.records, told.games, told.last, parcel.last) == (records, GAMES[:1], 20, 9)


def test_of_records_that_do_not_fit_fewer_are_sent_with_their_games_alone() -> None:
    records = tuple(record(number, COMFORTABLE // 3, game=1 if number < 7 else 2) for number in range(5, 9))
    parcel = pack("t07", "e", Excerpt(GAMES, records), 20)
    told = decoder.records(TOPIC, parcel.payload)
    assert (told.records, told.games, parcel.last) == (records[:2], GAMES[:1], 6)


def test_a_record_that_no_hall_takes_goes_without_its_body() -> None:
    parcel = pack("t07", "e", Excerpt(GAMES[:1], (record(5, LARGEST), record(6))), 20)
    told = decoder.records(TOPIC, parcel.payload)
    assert (parcel.last, list(told.records[0].entry.body)) == (6, ["left_out"])
    assert len(parcel.payload) < COMFORTABLE
    again = pack("t07", "other", Excerpt(GAMES[:1], (record(5, LARGEST),)), 200_000)
    assert decoder.records(TOPIC, again.payload).records == told.records[:1], "it says the same whenever it is sent"
