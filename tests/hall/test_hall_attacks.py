"""The tests of a hall under attack: a board with a good password tells lies, and all the others are kept as ever."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from gnomon.hall.board_alarms import Trouble
from gnomon.hall.messaging.messages import Topic
from gnomon.hall.rounds import result_rows
from gnomon.hall.rounds.board_assignment import Accept
from gnomon.hall.rounds.results import PairingState
from gnomon.records.journal.entries import EntryKind, GameStart
from gnomon.records.journal.event_codec import body_of
from gnomon.referee.events import TurnEntered
from gnomon.timekeeping.instants import SECOND, Instant
from gnomon.tournament.events import ResultEntered
from gnomon.tournament.state.results import format_result
from gnomon.web.hall import _live as live
from tests.hall.boards import ModelBoard
from tests.hall.evenings import Evening
from tests.hall.told import record

Json = Mapping[str, object]
GAME: Json = {
    "id": 1,
    "ended": None,
    "board": "tamsk",
    "settings": {"level": 2},
    "temperament": "silent",
    "started": 5,
    "boot": "boot",
    "wall": "today",
    "version": "0.1",
    "game": "tamsk",
    "players": {"red": "Eve"},
}


@pytest.fixture(params=["sqlite", "postgresql"])
def evening(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Evening]:
    """A hall with an honest board, a liar, and a database of its own."""
    if request.param == "sqlite":
        where: Path | str = tmp_path
    else:
        where = request.getfixturevalue("hall_url")
    evening = Evening(where)
    for name in ("liar", "t01"):
        evening.board(name)
    yield evening
    evening.hall.close()


def say(evening: Evening, topic: Topic, body: Json) -> None:
    """Have the liar say something, in whatever JSON Python writes."""
    evening.broker.connect().publish(topic.of("liar"), json.dumps({"board": "liar", **body}).encode(), retain=True)
    evening.run(1)


def records(*bodies: Json, epoch: str = "lies", kind: str = "note", game: Json = GAME, **fields: object) -> Json:
    told = [
        {"seq": seq, "game": 1, "kind": kind, "at": seq, "body": body, "boot": "boot", "wall": "today", **fields}
        for seq, body in enumerate(bodies, start=1)
    ]
    return {"epoch": epoch, "games": [game], "records": told, "last": len(told)}


def is_kept(evening: Evening, board: str = "t01") -> bool:
    """Whether what an honest board writes now is kept, and acknowledged."""
    honest = evening.boards[board]
    honest.begin()
    evening.run(4)
    return honest.outbox.mark == len(honest.journal) and evening.hall.health() == ()


LIES: dict[str, tuple[Topic, Json]] = {
    "a request that is half a character": (Topic.RECORDS, records({"note": "request", "id": "\ud800"})),
    "a request that is none": (Topic.RECORDS, records({"note": "request", "id": "\0" * 9}, {"note": "request"})),
    "an epoch that fills a page": (Topic.RECORDS, records({}, epoch="".join(map(chr, range(0x4E00, 0x9000))))),
    "half characters everywhere": (Topic.RECORDS, records({"\ud800": "\udfff"}, kind="ruling")),
    "numbers of thousands of digits": (Topic.RECORDS, records({"x": int("9" * 4300)})),
    "an end of a game that nobody can read": (
        Topic.RECORDS,
        records({"ruling": "over", "winner": ["\ud800"], "reason": {"a": 1}, "score": None}, kind="ruling"),
    ),
    "settings of wrong types": (
        Topic.RECORDS,
        records({"ruling": "over", "winner": "x"}, kind="ruling", game={**GAME, "settings": {"level": [[{}]]}}),
    ),
    "the last number that there is": (Topic.RECORDS, {**records({}), "last": 2**53 - 1}),
    "an answer to nobody": (Topic.ANSWER, {"id": "r0", "fate": "done", "why": "\u202e", "proof": 2**53 - 1}),
    "a card of wrong types": (
        Topic.STATE,
        {
            "epoch": "e1",
            "session": "s1",
            "boot": "b",
            "now": 5,
            "through": 2**53 - 1,
            "card": {
                "phase": [],
                "players": [{"remaining_us": "x", "running": 1}, 3, {"remaining_us": int("9" * 4300)}],
                "urgent_us": -int("9" * 4300),
                "health": {"a": 1},
                "outcome": 5,
            },
        },
    ),
}


@pytest.mark.parametrize("lie", LIES)
def test_a_lie_of_one_board_hinders_nobody(evening: Evening, lie: str) -> None:
    say(evening, *LIES[lie])
    assert is_kept(evening)
    assert {place.board for place in evening.hall.wall()} == {"liar", "t01"}
    evening.hall.alarms()


def test_what_a_card_says_is_shown_as_far_as_it_can_be(evening: Evening) -> None:
    players = [
        {"player": "red", "remaining_us": -int("9" * 2000), "running": False},
        {"player": "black", "remaining_us": int("9" * 2000), "running": True},
    ]
    health = ["\u202eolleh\n\x1b[31m", {"a": 1}, "x" * 3000, *["again"] * 500]
    card = {"phase": "running", "players": players, "urgent_us": 2**53 - 1, "health": health}
    say(evening, Topic.STATE, {"epoch": "e1", "session": "s2", "boot": "b", "now": 5, "through": 0, "card": card})
    place, now = evening.hall.place("liar"), evening.hall.now()
    assert (place.remaining("red", now), place.remaining("black", now), place.urgent(now)) == (None, None, None)
    told = [alarm.detail for alarm in evening.hall.alarms() if alarm.trouble is Trouble.HEALTH]
    assert told == ["olleh[31m", "x" * 120]


@pytest.mark.parametrize("now", [2**53 - 1 - 60 * SECOND, 2**63 - 1, 10**4000])
def test_a_board_whose_clock_stands_at_the_end_of_time_is_asked_or_refused(evening: Evening, now: int) -> None:
    state = {"epoch": "e1", "session": "s1", "boot": "b", "now": now, "through": 0, "card": {"phase": "empty"}}
    say(evening, Topic.STATE, state)
    evening.hall.notice("liar", "Hello", "Anna")
    assert is_kept(evening)


def test_a_ruling_with_a_reason_of_two_lines_is_entered_on_one(evening: Evening) -> None:
    evening.tournament(accept=Accept.AT_ONCE, boards={1: "liar", 2: "t01"})
    evening.hall.send_round("open", "Anna")
    evening.run(2)
    liar = evening.boards["liar"]
    liar.write(record(0, {"ruling": "over", "winner": "red", "reason": "a\n\ud800b"}, liar.games, EntryKind.RULING))
    liar.ended[liar.games] = len(liar.journal)
    evening.boards["t01"].end("red")
    evening.run(2)
    (_, first, why), (_, second, _) = entered(evening)
    assert (first, second, why) == ("1-0", "1-0", "a b: liar, game 1, record 2")


def entered(evening: Evening) -> list[tuple[int, str, str]]:
    """The results that were entered: at which board, how it ended, and why."""
    told = [(each.event, each.why) for each in evening.hall.book("open").read()]
    return sorted(
        (each.board, format_result(each.result), why) for each, why in told if isinstance(each, ResultEntered)
    )


def test_a_board_whose_card_is_changed_before_it_proves_its_answer_holds_no_pairing_up(evening: Evening) -> None:
    evening.tournament(boards={1: "liar", 2: "t01"})
    liar = evening.boards["liar"]
    evening.boards.pop("liar")  # it answers, and sends nothing
    evening.hall.send_round("open", "Anna")
    evening.run(20)
    liar.bus.close()
    evening.boards["liar"] = ModelBoard("liar", evening.broker.connect(), evening.clock, "e2", "s2")
    evening.boards["liar"].tell_state("empty")
    evening.run(1)
    (why,) = [left.why.message for left in evening.hall.send_round("open", "Anna").left if left.board == 1]
    assert why == "a request has gone to liar already: wait for its answer, or abandon what it has begun"
    assert 1 in evening.hall.send_round("open", "Anna", abandon=True).requests
    evening.run(2)
    assert evening.hall.proposals("open", 1)[0].standing is PairingState.PLAYING


def test_a_board_that_takes_the_place_of_one_that_proved_nothing_is_asked(evening: Evening) -> None:
    evening.tournament(boards={1: "liar", 2: "t01"})
    evening.boards.pop("liar")
    evening.hall.send_round("open", "Anna")
    evening.run(20)
    evening.board("t03")
    evening.hall.set_plan("open", evening.hall.plan("open").assign(1, "t03"))
    assert evening.hall.send_round("open", "Anna", boards=[1]).left == []


def test_a_game_too_long_to_be_played_again_is_the_directors(evening: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(result_rows, "_LONGEST", 20)
    evening.tournament(accept=Accept.AT_ONCE, game="tau", boards={1: "liar"})
    liar = evening.boards["liar"]
    liar.start = GameStart("table", {}, "silent", Instant(0), "", "", "", "tau")
    evening.hall.send_round("open", "Anna")
    evening.run(1)
    for at, turn in enumerate(("bid:0", "pass")):
        kind, body = body_of(TurnEntered(Instant(at), turn, "page"))
        liar.write(record(0, body, liar.games, kind))
    liar.write(*(record(0, {"note": "?"}, liar.games, EntryKind.NOTE) for _ in range(20)))
    liar.end("low")
    evening.run(1)
    assert evening.hall.proposals("open", 1)[0].standing is PairingState.UNCLEAR
    archive = evening.hall.archive("liar")
    monkeypatch.setattr(live, "_LONGEST", 20)
    with pytest.raises(live.FoldError, match="game 1 has too many records to be replayed: 24"):
        live.fold(archive.games()[0], archive.read(1))
    assert is_kept(evening)
